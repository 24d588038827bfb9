# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the gain of each rewrite: a training step with the rewrites switched on one after
another.

Compiles CoLA LLaMAs once per set of rewrites, then trains the programs in turn, round by round,
so that all see the same machine, and compares within a round. Writes a Markdown page:

    PYTHONPATH=python .venv/bin/python benchmarks/rewrites.py -o docs/benchmarks/Rewrites.md
"""

import argparse
import dataclasses
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import numpy as np

import boost_mlir
from boost_mlir import data, models
from boost_mlir.export import export_model

ROOT = pathlib.Path(__file__).resolve().parents[1]
REMARKS = "## Interpretation"
SMALL = dict(layers=8, d=128, heads=4, rank=32, d_ff=344, vocab=256)
LARGE = dict(layers=4, d=256, heads=8, rank=64, d_ff=688, vocab=2048)

NORMS = "--disable-pass=boost-online-rms-norm"
GROUPS = "--disable-pass=boost-group-linears"
MERGES = [f"--disable-pass=boost-{name}-collectives" for name in ("simplify", "merge")]
FREE = "--disable-pass=boost-rematerialize"
# Each row has the rewrites of the row before and one more; the last two exchange the last.
ROWS = {
    "none": [NORMS, GROUPS, *MERGES, FREE],
    "+ norms behind products": [GROUPS, *MERGES, FREE],
    "+ grouped linears": [*MERGES, FREE],
    "+ merged collectives": [FREE],
    "+ recomputing what is free": ["--remat=none"],
    "or what low-rank does": ["--remat=low-rank"],
    "or whole blocks": ["--remat=full-block"],
}


@dataclasses.dataclass(frozen=True)
class Setting:
    model: dict
    mesh: str
    batch: int
    seq: int
    steps: int  # per round

    @property
    def title(self):
        shape = "{layers} layers, d = {d}, r = {rank}".format(**self.model)
        return f"{self.mesh}, {self.batch * self.seq} tokens, {shape}"

    @property
    def ranks(self):
        return math.prod(int(axis.split("=")[1]) for axis in self.mesh.split(","))


# From where messages and launches cost most to where arithmetic does.
SETTINGS = [
    Setting(SMALL, "tp=2", 2, 16, 200),
    Setting(LARGE, "tp=2", 2, 32, 100),
    Setting(LARGE, "tp=2", 8, 256, 6),
    Setting(LARGE, "dp=2", 4, 128, 15),
]


class Program:
    """One set of rewrites, compiled."""

    def __init__(self, setting, text, options, path, compiler):
        self.setting, self.path = setting, path
        command = [compiler, text, "--mesh", setting.mesh, *options]
        subprocess.run([*command, "-o", path], check=True, stderr=subprocess.DEVNULL)
        plan = subprocess.run(
            [*command, "--emit=plan"], check=True, capture_output=True, text=True
        ).stdout
        self.plan = json.loads(plan)

    def shortest_step(self, tokens):
        """Seconds; other programs that take the processor make most steps longer."""
        log = self.path.with_suffix(".jsonl")
        log.unlink(missing_ok=True)
        command = ["mpirun", "-np", str(self.setting.ranks), self.path, "train", "--quiet"]
        command += ["--data", tokens, "--steps", str(self.setting.steps), "--log", log, "--json"]
        environment = os.environ | {
            "BOOST_NUM_THREADS": "1",
            "OMPI_ALLOW_RUN_AS_ROOT": "1",
            "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        }
        result = subprocess.run(
            command, check=True, capture_output=True, text=True, env=environment
        )
        assert json.loads(result.stdout.splitlines()[-1])["plan_agrees"]
        return min(record["seconds"] for record in boost_mlir.read_log(log))

    def counts(self):
        """Launches, collectives, copies, and the peak of memory in MiB."""
        launches = self.plan["launches"]["step"]
        collectives = [e for e in self.plan["collectives"] if e["function"] == "step"]
        return (
            launches["total"],
            sum(entry["count"] for entry in collectives),
            launches.get("copy", 0),
            round(self.plan["memory"]["peak"] / 2**20, 1),
        )


def compile_all(setting, directory, compiler):
    """A program per row, and the tokens they train on."""
    text, tokens = directory / "model.mlir", directory / "tokens.bin"
    config = models.ModelConfig.of_size("tiny", "cola", **setting.model)
    text.write_text(export_model(config, setting.batch, setting.seq))
    random = np.random.default_rng(0)
    data.write_tokens(tokens, random.integers(0, config.vocab, 100_000).astype(np.uint16))
    programs = [
        Program(setting, text, options, directory / f"train{number}", compiler)
        for number, options in enumerate(ROWS.values())
    ]
    return programs, tokens


def measure(programs, tokens, rounds):
    """Per row: its counts, milliseconds, and the time against the first row's, with quartiles."""
    times = []
    for _ in range(rounds):
        times.append([program.shortest_step(tokens) for program in programs])
    rows = []
    shortest = [min(column) for column in zip(*times)]
    for number, program in enumerate(programs):
        low, _, high = statistics.quantiles([one[number] / one[0] for one in times])
        ratio = shortest[number] / shortest[0]
        rows.append((*program.counts(), 1e3 * shortest[number], ratio, low, high))
    return rows


def table(setting, rows):
    lines = [
        "",
        f"## {setting.title}",
        "",
        "| rewrites | launches | collectives | copies | peak MiB | ms | against none | in rounds |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, row in zip(ROWS, rows):
        launches, collectives, copies, peak, milliseconds, ratio, low, high = row
        lines.append(
            f"| {name} | {launches} | {collectives} | {copies} | {peak} | {milliseconds:.2f} "
            f"| {ratio:.2f} | {low:.2f} to {high:.2f} |"
        )
    return lines


def remarks(path):
    """Returns the remarks that were written by hand under the previous tables."""
    text = path.read_text() if path.exists() else ""
    return ["", *text[text.index(REMARKS) :].splitlines()] if REMARKS in text else []


def page(tables, arguments):
    return [
        "# The gain of each rewrite",
        "",
        "The tables show one training step (forward, backward, update) of CoLA LLaMAs in f32, on two ranks of one thread.",
        "The rewrites are switched on one after another. Launches are calls of kernels, products and collectives; the",
        "peak is that of one rank's memory.",
        f"The programs train in turn, {arguments.rounds} rounds. The time of a program in a round is its shortest step. `ms` is the",
        "shortest of all rounds, `against none` is its ratio to the program without rewrites, and `in rounds` gives the",
        f"quartiles of that ratio over the rounds. Made by `benchmarks/rewrites.py` on {arguments.note}.",
        *tables,
        *remarks(arguments.output),
        "",
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", default=ROOT / "build" / "bin" / "boost-compile")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--note", default="one machine", help="what the machine is, for the page")
    arguments = parser.parse_args()
    tables = []
    for setting in SETTINGS:
        with tempfile.TemporaryDirectory() as directory:
            compiled = compile_all(setting, pathlib.Path(directory), arguments.compiler)
            tables += table(setting, measure(*compiled, arguments.rounds))
        print("\n".join(tables[-len(ROWS) :]), file=sys.stderr)
    arguments.output.write_text("\n".join(page(tables, arguments)))


if __name__ == "__main__":
    main()
