#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Predicted against measured: does a calibrated machine order programs as they really are?

Calibrates this machine for one rank and for two, with one thread each, predicts the seconds of a
training step of each program from its plan, and measures them: the programs take turns, and the
median of all steps but the first of each turn counts. Prints a Markdown table and Spearman's rank
correlation, and for what `--ranks 2` chooses how it compares with all that it chose from. Programs that are in the folder are not compiled again.

    PYTHONPATH=python .venv/bin/python benchmarks/predicted_times.py --folder /tmp/predicted
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess

import numpy as np

import boost_mlir
from boost_mlir import data, models
from boost_mlir.export import export_model

ROOT = pathlib.Path(__file__).resolve().parents[1]
STEPS = 6
ENVIRONMENT = os.environ | {"BOOST_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
# A model of each size: overrides of `tiny`, batch, tokens of a sequence.
SIZES = {
    "small": (dict(d=64, rank=16, d_ff=176), 4, 32),
    "short": (dict(d=256, heads=4, kv_heads=4, rank=64, d_ff=704), 2, 32),
    "wide": (dict(d=256, heads=4, kv_heads=4, rank=64, d_ff=704), 4, 128),
    "long": (dict(d=128, heads=4, kv_heads=4, rank=32, d_ff=344), 2, 512),
    "large": (dict(d=512, heads=8, kv_heads=8, rank=128, d_ff=1376), 4, 128),
}
# Size, kind and mesh of the programs.
PROGRAMS = [
    ("small", "cola", "1"),
    ("small", "cola", "tp=2"),
    ("small", "full", "dp=2"),
    ("short", "cola", "1"),
    ("short", "full", "tp=2"),
    ("wide", "cola", "1"),
    ("wide", "cola", "tp=2"),
    ("wide", "cola", "dp=2"),
    ("wide", "full", "1"),
    ("wide", "svd", "tp=2"),
    ("long", "cola", "1"),
    ("long", "full", "dp=2"),
    ("large", "cola", "1"),
    ("large", "cola", "tp=2"),
    ("large", "full", "1"),
    ("large", "full", "dp=2"),
]
# Models of which everything that two ranks may do is measured beside what is chosen.
CHOICES = [("short", "cola"), ("wide", "full"), ("wide", "svd"), ("long", "cola"), ("large", "cola")]
COMPILER = ROOT / "build/bin/boost-compile"


def run(*command):
    text = [str(part) for part in command]
    return subprocess.run(text, check=True, capture_output=True, text=True, env=ENVIRONMENT).stdout


def ranks_of(mesh):
    return int(mesh.split("=")[-1])


def write_model(size, kind, folder):
    """The file of a model, exported."""
    overrides, batch, sequence = SIZES[size]
    config = models.ModelConfig.of_size("tiny", kind, **overrides)
    file = folder / "model.mlir"
    file.write_text(export_model(config, batch, sequence))
    return file


class Program:
    """A compiled model, what is predicted for a step, and the steps that were measured."""

    def __init__(self, size, kind, options, folder, machine):
        mesh = next(option.split("=", 1)[1] for option in options if option.startswith("--mesh="))
        self.title = f"{size} {kind}, {' '.join(options).replace('--mesh=', '').replace('--', '')}"
        self.ranks, self.seconds = ranks_of(mesh), []
        self.folder = folder / "-".join([size, kind, *options]).replace("--", "")
        self.folder.mkdir(parents=True, exist_ok=True)
        tokens = np.random.default_rng(0).integers(0, 64, 100_000).astype(np.uint16)
        data.write_tokens(self.folder / "tokens.bin", tokens)
        self.module, self.binary = write_model(size, kind, self.folder), self.folder / "train"
        compiler = [COMPILER, self.module, *options, f"--machine={machine}"]
        self.predicted = json.loads(run(*compiler, "--emit=plan"))["predicted"]["seconds"]
        if not self.binary.exists():
            run(*compiler, "-o", self.binary)

    @property
    def median(self):
        return statistics.median(self.seconds)

    def measure(self):
        log = self.folder / "log.jsonl"
        log.unlink(missing_ok=True)
        launcher = ["mpirun", "-np", self.ranks, "--oversubscribe"] if self.ranks > 1 else []
        command = [self.binary, "train", "--data", self.folder / "tokens.bin", "--steps", STEPS]
        run(*launcher, *command, "--quiet", "--log", log)
        steps = [record["seconds"] for record in boost_mlir.read_log(log)]
        self.seconds += steps[1:]


def calibrate(ranks, folder):
    path = folder / f"machine-{ranks}.json"
    run(COMPILER, "--calibrate", f"--mesh={ranks}", "-o", path)
    return path


def spearman(xs, ys):
    """The correlation of the places in the order of either."""
    places = [np.argsort(np.argsort(values)) for values in (xs, ys)]
    return float(np.corrcoef(*places)[0, 1])


class Choice:
    """The choice of `--ranks 2` for a model, and its candidates."""

    def __init__(self, size, kind, folder, machine):
        self.title = f"{size} {kind}"
        module = write_model(size, kind, folder)
        plan = run(COMPILER, module, "--ranks=2", "--emit=plan", f"--machine={machine}")
        choice = json.loads(plan)["choice"]
        chosen = choice["candidates"][choice["chosen"]]
        candidates = [c for c in choice["candidates"] if c.get("fits")]
        self.programs = [
            Program(size, kind, c["options"].split(), folder, machine) for c in candidates
        ]
        self.chosen = self.programs[candidates.index(chosen)]

    def row(self):
        best = min(self.programs, key=lambda program: program.median)
        cells = [
            f"{program.title.split(', ', 1)[1]} | {1e3 * program.median:.2f}"
            for program in (self.chosen, best)
        ]
        ratio = self.chosen.median / best.median
        return f"| {self.title} | {len(self.programs)} | {' | '.join(cells)} | {ratio:.2f} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=pathlib.Path, required=True, help="programs and logs")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    machines = {ranks: calibrate(ranks, arguments.folder) for ranks in (1, 2)}
    programs = [
        Program(size, kind, [f"--mesh={mesh}"], arguments.folder, machines[ranks_of(mesh)])
        for size, kind, mesh in PROGRAMS
    ]
    choices = [Choice(*names, arguments.folder, machines[2]) for names in CHOICES]
    candidates = [program for choice in choices for program in choice.programs]
    load = os.getloadavg()[0]
    for _ in range(arguments.rounds):
        for program in programs + candidates:
            program.measure()
    print("| program | predicted, ms | measured, ms | quarter to three quarters | ratio |")
    print("|---|---|---|---|---|")
    programs.sort(key=lambda program: program.median)
    for program in programs:
        low, middle, high = (1e3 * part for part in statistics.quantiles(program.seconds, n=4))
        predicted = 1e3 * program.predicted
        cells = [f"{predicted:.2f}", f"{middle:.2f}", f"{low:.2f} to {high:.2f}"]
        print(f"| {program.title} | {' | '.join(cells)} | {predicted / middle:.2f} |")
    measured = [program.median for program in programs]
    correlation = spearman([program.predicted for program in programs], measured)
    print(f"\nSpearman's correlation over {len(programs)} programs: {correlation:.3f}")
    print("\n| model | candidates | chosen | ms | best measured | ms | ratio |")
    print("|---|---|---|---|---|---|---|")
    for choice in choices:
        print(choice.row())
    print(f"\nLoad of the machine before and after: {load:.1f}, {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
