#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Changes lowered programs at random and counts what boost-verify-runtime refuses.

    scripts/runtime_mutations.py 100 SEED
    scripts/runtime_mutations.py 20 SEED --kinds operands

Each trial changes one fact of a lowered program (test/lib/MutateRuntime.cpp): an offset,
a stride, a layout or an extent of a product, whether it adds to what is there, a dropped call, two calls that change places,
a group. The changed program is checked, and it is also linked and run without the check:
loss, gradients and two training steps are compared with those of the program that was not
changed, byte by byte. The second step finds in the arena what the first one left there.

Needs the build with tests (BOOST_BUILD_DIR, else build/) and the environment .venv. Exit
code 1 if a program that computes something else was accepted.
"""

from __future__ import annotations

import argparse
import collections
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(REPOSITORY / "python"), str(REPOSITORY / "test" / "EndToEnd")]

import harness  # noqa: E402
from boost_mlir import models  # noqa: E402

KINDS = ["offset", "stride", "layout", "extent", "addition", "drop", "swap", "group"]
PROGRAMS = [("cola", "tp=2"), ("svd", "tp=2"), ("cola", "dp=2,tp=2")]
RUN_SECONDS = 60
VERIFY = "--insert-pass=after:lower:boost-verify-runtime"


class Subject:
    """A program, and what it computes as it is."""

    def __init__(self, kind, mesh, directory):
        config = models.ModelConfig.of_size("tiny", kind)
        self.model = harness.Model(config, directory / f"{kind}-{mesh.replace(',', '-')}")
        self.mesh, self.ranks = mesh, harness.ranks_of(mesh)
        self.binary = self.model.directory / "train"
        assert self.compile("-o", self.binary).returncode == 0
        self.expected = self.results()
        assert self.expected is not None

    def compile(self, *options):
        return harness.run(
            *(harness.tool("boost-test-compile"), self.model.text_file, "--mesh", self.mesh),
            *options,
            check=False,
        )

    def launch(self, *arguments):
        command = ["mpirun", "-np", self.ranks, "--oversubscribe", self.binary, *arguments]
        return harness.run(*command, check=False, timeout=RUN_SECONDS)

    def results(self):
        """The bytes of loss, gradients and parameters, or None if the program does not end."""
        outputs = self.model.directory / "outputs.safetensors"
        saved = self.model.directory / "saved.safetensors"
        for path in (outputs, saved):
            path.unlink(missing_ok=True)
        try:
            codes = [
                self.launch("eval", "--inputs", self.model.inputs_file, "--outputs", outputs,
                            "--gradients").returncode,
                self.launch("train", "--data", self.model.tokens_file,
                            "--init", self.model.params_file, "--steps", 2, "--lr", "3e-3",
                            "--clip", 1, "--seed", 0, "--save", saved).returncode,
            ]
        except subprocess.TimeoutExpired:
            return None
        if any(codes) or not outputs.exists() or not saved.exists():
            return None
        return outputs.read_bytes(), saved.read_bytes()

    def trial(self, kind, seed):
        """Returns the change, the check that refused it if any, and if results change."""
        mutate = f"test-boost-mutate-runtime{{kind={kind} seed={seed}}}"
        inserted = f"--insert-pass=after:lower:{mutate}"
        checked = self.compile("--emit=runtime", inserted, VERIFY, "-o", "/dev/null")
        lines = checked.stderr.splitlines()
        mutation = [line for line in lines if line.startswith("mutation: ")]
        if not mutation:
            return None
        refusal = [line.split("error: ")[1] for line in lines if ": error: " in line]
        record = {"program": f"{self.model.config.kind} {self.mesh}", "kind": kind, "seed": seed,
                  "mutation": mutation[0], "refused": checked.returncode != 0,
                  "by": refusal[0] if refusal else ""}
        self.binary.unlink(missing_ok=True)
        built = self.compile(inserted, "-o", self.binary)
        # Programs that the operations' own verifiers refuse have no binary.
        record["runs"] = built.returncode == 0
        record["changes"] = built.returncode != 0 or self.results() != self.expected
        return record


def report(records):
    """One line per kind of change; those that were accepted wrongly by name."""
    print(f"{'':10s} {'trials':>7s} {'no binary':>10s} {'change results':>15s} {'refused':>8s} "
          f"{'accepted':>9s}")
    rows = collections.defaultdict(list)
    for record in records:
        rows[record["kind"]].append(record)
        rows["all"].append(record)
    for kind in [*dict.fromkeys(record["kind"] for record in records), "all"]:
        broken = sum(not record["runs"] for record in rows[kind])
        changing = [record for record in rows[kind] if record["runs"] and record["changes"]]
        refused = sum(record["refused"] for record in changing)
        print(f"{kind:10s} {len(rows[kind]):7d} {broken:10d} {len(changing):15d} {refused:8d} "
              f"{len(changing) - refused:9d}")
    harmless = [record for record in records if not record["changes"]]
    print(f"no binary: the verifier of an operation refuses it; of {len(harmless)} that change no "
          f"result {sum(record['refused'] for record in harmless)} were refused")
    missed = [record for record in records if record["changes"] and not record["refused"]]
    for record in missed:
        print("ACCEPTED", json.dumps(record))
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int)
    parser.add_argument("seed", type=int)
    parser.add_argument("--kinds", default=",".join(KINDS), help="of changes, by comma")
    parser.add_argument("--log", type=Path, help="a JSON line per trial")
    arguments = parser.parse_args()
    choices = random.Random(arguments.seed)
    records = []
    with tempfile.TemporaryDirectory() as directory:
        subjects = [Subject(kind, mesh, Path(directory)) for kind, mesh in PROGRAMS]
        log = arguments.log.open("a") if arguments.log else None
        while len(records) < arguments.count:
            kind = choices.choice(arguments.kinds.split(","))
            # Only a mesh of two axes has another group.
            subject = subjects[-1] if kind == "group" else choices.choice(subjects)
            record = subject.trial(kind, choices.randrange(2**32))
            if record is None:
                continue
            records.append(record)
            if log:
                print(json.dumps(record), file=log, flush=True)
    return 1 if report(records) else 0


if __name__ == "__main__":
    sys.exit(main())
