#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutates the sources at random and lists what no test notices.

    scripts/mutate.py N SEED [--folder DIR] [--budget SECONDS] [--only K,K] [--suites lit,unit,python]
              [--sources FOLDER,FOLDER]

Draws N one-line mutations of lib/ and runtime/lib/: a comparison, a bound, a condition dropped or
fixed, operands or arguments swapped, an index off by one. All are compiled at once into a copy of
the checkout in DIR (build-mutants), each behind a switch. Every lit and unit test runs once, to see
which mutations it reaches; then each mutation runs against the tests that reach it, the quickest
first, until one fails. What survives goes through the end-to-end tests in the same way. Those that
survive these too are printed with their line, and all are written to DIR/mutants-SEED.json.

Needs Debian's python3-clang-22 and a checkout that was set up by scripts/setup.sh. N = 100 takes
about two hours on two cores.
"""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import json
import os
import random
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

try:
    from mutation.suites import Suites, Test
    from mutation.tree import Tree
except ModuleNotFoundError as error:
    sys.exit(f"mutate.py: error: {error}; run `apt-get install python3-clang-22` and /usr/bin/python3")

CHECKOUT = Path(__file__).resolve().parent.parent


def say(text: str):
    print(f"[mutate] {time.strftime('%H:%M:%S')} {text}", flush=True)


class Draw:
    """Random sites: a file by its number of lines, then one of its sites."""

    def __init__(self, tree: Tree, seed: int, prefixes=("",)):
        self.tree, self.random = tree, random.Random(seed)
        self.commands = {k: v for k, v in tree.sources().items() if k.startswith(tuple(prefixes))}
        if not self.commands:
            raise SystemExit("mutate.py: error: --sources expects a folder or a file of lib/ or runtime/lib/")
        self.names = list(self.commands)
        self.lines = [tree.originals[name].count(b"\n") for name in self.names]
        self.taken: set[tuple[str, int]] = set()

    def draw(self, count: int):
        """`count` new sites, no two on one line."""
        drawn = []
        while len(drawn) < count:
            names = self.random.choices(self.names, self.lines, k=count - len(drawn))
            found = self.tree.find_all(sorted(set(names)))
            for name in names:
                free = [s for s in found[name] if (s.file, s.line) not in self.taken]
                if not free:
                    continue
                site = self.random.choice(free)
                self.taken.add((site.file, site.line))
                drawn.append(site)
        return drawn


def compile_mutants(tree: Tree, draw: Draw, count: int):
    """Draws until `count` mutations compile."""
    mutants = dict(enumerate(draw.draw(count)))
    while True:
        tree.apply(mutants)
        errors = tree.compile()
        if not errors:
            return mutants
        broken = tree.drop_broken(mutants, errors)
        if not broken:
            raise SystemExit("mutate.py: error: the mutated tree does not build:\n" + "\n".join(errors))
        say(f"{len(broken)} mutations do not compile: drawn again")
        mutants.update(zip(broken, draw.draw(len(broken))))


def reach(suites: Suites, names) -> list[Test]:
    """Runs every test of these suites once; those that pass, with what they reach."""
    done = [0]

    def progress(name):
        done[0] += 1
        if done[0] % 50 == 0:
            say(f"{done[0]} tests run, now {name}")

    say(f"running every test of {' and '.join(names)} once to see what it reaches")
    tests = suites.reach(names, progress)
    for test in tests:
        if not test.passes:
            say(f"left out, it fails without a mutation: {test.name}")
    tests = [test for test in tests if test.passes]
    say(f"{len(tests)} tests; now each mutation against those that reach it")
    return tests


@dataclasses.dataclass
class Verdict:
    reaching: int = 0
    killer: str | None = None


def judge(suites: Suites, mutants, names, budget) -> dict[int, Verdict]:
    """Each mutation against the quick suites; what survives, against the end-to-end tests."""
    verdicts = {number: Verdict() for number in mutants}

    def one(number, tests):
        reaching = [test for test in tests if number in test.reached]
        verdict = verdicts[number]
        verdict.reaching += len(reaching)
        verdict.killer = suites.judge(number, reaching, budget)
        fate = f"killed by {verdict.killer}" if verdict.killer else "survives"
        say(f"{number}: {fate}: {mutants[number].describe()}")

    for stage in (("unit", "lit"), ("python",)):
        chosen = [name for name in stage if name in names]
        alive = [number for number in mutants if not verdicts[number].killer]
        if not chosen or not alive:
            continue
        tests = reach(suites, chosen)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            list(pool.map(one, alive, itertools.repeat(tests)))
    return verdicts


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, metavar="N")
    parser.add_argument("seed", type=int, metavar="SEED")
    parser.add_argument("--folder", type=Path, default=CHECKOUT / "build-mutants")
    parser.add_argument("--budget", type=float, default=900, help="seconds of tests per mutation")
    parser.add_argument("--only", help="run these mutations only: numbers with commas between")
    parser.add_argument("--suites", default="lit,unit,python", help="the suites to run")
    parser.add_argument("--sources", default="", help="draw from sources of these folders only")
    options = parser.parse_args()

    tree = Tree(CHECKOUT, options.folder.resolve() / "tree")
    say("building the tree without mutations")
    tree.prepare()
    say(f"drawing {options.count} mutations with seed {options.seed}")
    mutants = compile_mutants(tree, Draw(tree, options.seed, options.sources.split(",")), options.count)
    if options.only:
        mutants = {number: mutants[number] for number in map(int, options.only.split(","))}
    suites = Suites(tree)
    verdicts = judge(suites, mutants, options.suites.split(","), options.budget)

    report = [
        vars(mutants[number]) | {"number": number} | vars(verdict)
        for number, verdict in verdicts.items()
    ]
    path = options.folder / f"mutants-{options.seed}.json"
    path.write_text(json.dumps(report, indent=1))
    survivors = {number: v for number, v in verdicts.items() if not v.killer}
    for number, verdict in survivors.items():
        print(f"{number} survives {verdict.reaching} tests: {mutants[number].describe()}")
    unreached = sum(verdict.reaching == 0 for verdict in survivors.values())
    print(f"{len(verdicts)} mutations, {len(verdicts) - len(survivors)} killed, "
          f"{len(survivors)} survive ({unreached} of them reached by no test)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
