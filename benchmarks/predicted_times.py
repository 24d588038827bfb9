#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Predicted against measured: does a calibrated machine order programs as they really are?

Calibrates this machine for one rank and for two, with one thread each, predicts the seconds of a
training step of each program from its plan, and measures them: the programs take turns, and the
median of all steps but the first of each turn counts. Prints a Markdown table and Spearman's rank
correlation. Programs that are in the folder are not compiled again.

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


def run(*command):
    text = [str(part) for part in command]
    return subprocess.run(text, check=True, capture_output=True, text=True, env=ENVIRONMENT).stdout


def ranks_of(mesh):
    return int(mesh.split("=")[-1])


class Program:
    """A compiled model, what is predicted for a step, and the steps that were measured."""

    def __init__(self, size, kind, mesh, folder, machines):
        self.title, self.ranks, self.seconds = f"{size} {kind}, {mesh}", ranks_of(mesh), []
        self.folder = folder / f"{size}-{kind}-{mesh}"
        self.folder.mkdir(parents=True, exist_ok=True)
        overrides, self.batch, self.sequence = SIZES[size]
        config = models.ModelConfig.of_size("tiny", kind, **overrides)
        self.module, self.binary = self.folder / "model.mlir", self.folder / "train"
        self.module.write_text(export_model(config, self.batch, self.sequence))
        tokens = np.random.default_rng(0).integers(0, config.vocab, 100_000).astype(np.uint16)
        data.write_tokens(self.folder / "tokens.bin", tokens)
        compiler = [ROOT / "build/bin/boost-compile", self.module, f"--mesh={mesh}"]
        plan = run(*compiler, "--emit=plan", f"--machine={machines[self.ranks]}")
        self.predicted = json.loads(plan)["predicted"]["seconds"]
        if not self.binary.exists():
            run(*compiler, "-o", self.binary)

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
    run(ROOT / "build/bin/boost-compile", "--calibrate", f"--mesh={ranks}", "-o", path)
    return path


def spearman(xs, ys):
    """The correlation of the places in the order of either."""
    places = [np.argsort(np.argsort(values)) for values in (xs, ys)]
    return float(np.corrcoef(*places)[0, 1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=pathlib.Path, required=True, help="programs and logs")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    machines = {ranks: calibrate(ranks, arguments.folder) for ranks in (1, 2)}
    programs = [Program(*names, arguments.folder, machines) for names in PROGRAMS]
    load = os.getloadavg()[0]
    for _ in range(arguments.rounds):
        for program in programs:
            program.measure()
    print("| program | predicted, ms | measured, ms | quarter to three quarters | ratio |")
    print("|---|---|---|---|---|")
    programs.sort(key=lambda program: statistics.median(program.seconds))
    for program in programs:
        low, middle, high = (1e3 * part for part in statistics.quantiles(program.seconds, n=4))
        predicted = 1e3 * program.predicted
        cells = [f"{predicted:.2f}", f"{middle:.2f}", f"{low:.2f} to {high:.2f}"]
        print(f"| {program.title} | {' | '.join(cells)} | {predicted / middle:.2f} |")
    measured = [statistics.median(program.seconds) for program in programs]
    correlation = spearman([program.predicted for program in programs], measured)
    print(f"\nSpearman's correlation over {len(programs)} programs: {correlation:.3f}")
    print(f"Load of the machine before and after: {load:.1f}, {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()
