# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trains the demo models by recipes, and beside AdamW with LORO.

Every run reads the text of `scripts/demo.sh` (the installed MLIR headers). Runs that have ended are
not repeated, and one that was stopped goes on: logs and checkpoints stay in the folder. Writes the
means of losses that `scripts/draw_pictures.py` draws, and prints a table of docs/HowTo/Recipes.md:

    PYTHONPATH=python .venv/bin/python benchmarks/optimizers.py --folder /tmp/optimizers \\
        -o docs/benchmarks/optimizers.csv
"""

import argparse
import dataclasses
import os
import pathlib
import subprocess
import sys

import numpy as np
import optax

import boost_mlir
from boost_mlir import models, optimizers
from boost_mlir.export import export

ROOT = pathlib.Path(__file__).resolve().parents[1]
BATCH, SEQ, STEPS = 2, 64, 2000
RECIPES = ROOT / "recipes"
# What the recipe for LORO has.
PERIOD, RATE = 500, 0.01
# Steps that a row of the table, and of the file, is the mean of.
WINDOW, ROW = 100, 20


@dataclasses.dataclass(frozen=True)
class Run:
    """A model and what trains it: options of `train`."""

    title: str
    kind: str
    options: tuple[str, ...] = ()
    host: str | None = None


RECIPE = ("--config", str(RECIPES / "cola-60m.json"), "--warmup", "400")
RUNS = {
    "adamw": Run("SVD, AdamW", "svd", ("--lr", "2e-3", "--min-lr", "2e-4", "--warmup", "200")),
    "loro": Run("SVD, LORO", "svd"),
    "cola": Run("CoLA, its recipe", "cola", RECIPE),
    "lax": Run("LaX, CoLA's recipe", "lax", RECIPE, "cola"),
}


def write_tokens(path):
    headers = subprocess.run(
        ["llvm-config-22", "--includedir"], check=True, capture_output=True, text=True
    ).stdout.strip()
    command = [sys.executable, "-m", "boost_mlir.data", "--input", f"{headers}/mlir/IR"]
    subprocess.run([*command, "--format", "llmc", "-o", path], check=True)


def loro(period):
    schedule = optax.warmup_cosine_decay_schedule(RATE / 10, RATE, STEPS // 10, STEPS, RATE / 10)
    return optimizers.loro(optimizers.rewarmed(schedule, PERIOD), period=period)


def compile_program(path, run, compiler, optimizer=None):
    fields = {"host": run.host} if run.host else {}
    config = models.ModelConfig.of_size("demo", run.kind, **fields)
    ids = np.zeros((BATCH, SEQ), np.int32)
    given = models.abstract_params(config), ids, ids
    init = models.init_specs(config)
    text = export(models.make_loss(config), *given, init=init, optimizer=optimizer)
    text.save(path.with_suffix(".mlir"))
    command = [compiler, path.with_suffix(".mlir"), "--mesh=1", "--quiet", "-o", path]
    subprocess.run(command, check=True)


def losses_of(log):
    return [record["loss"] for record in boost_mlir.read_log(log)] if log.exists() else []


def train(program, folder, name, steps, *options):
    """Trains up to a step, from the newest checkpoint if there is one."""
    command = [program, "train", "--data", folder / "tokens.bin", "--seed", "0", "--quiet"]
    command += ["--steps", str(steps), "--log", folder / f"{name}.jsonl", "--resume"]
    command += ["--checkpoint", folder / name, "--checkpoint-every", "100", "--keep-last", "1"]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    subprocess.run([*command, *options], check=True, env=environment)


def run_loro(folder, compiler):
    """Takes the steps of `loro(period=PERIOD)` with two programs in turn, one of lazy steps and
    one of exact ones, after which all averages start again."""
    log = folder / "loro.jsonl"
    programs = {None: folder / "loro-lazy", 1: folder / "loro-exact"}
    for period, path in programs.items():
        if not path.exists():
            compile_program(path, RUNS["loro"], compiler, loro(period))
    for end in range(PERIOD, STEPS + 1, PERIOD):
        for period, last in ((None, end - 1), (1, end)):
            if len(losses_of(log)) < last:
                train(programs[period], folder, "loro", last, "--allow", "program")


def run_one(name, folder, compiler):
    """Returns the losses of all steps."""
    log, path = folder / f"{name}.jsonl", folder / f"{name}-program"
    if name == "loro":
        run_loro(folder, compiler)
    elif len(losses_of(log)) < STEPS:
        if not path.exists():
            compile_program(path, RUNS[name], compiler)
        train(path, folder, name, STEPS, *RUNS[name].options)
    return losses_of(log)


def mean_before(losses, step, window):
    part = losses[max(step - window, 0) : step]
    return sum(part) / len(part)


def table(results):
    steps = [STEPS * i // 5 for i in range(1, 6)]
    lines = ["| | " + " | ".join(f"step {step}" for step in steps) + " |", "|" + "---|" * 6]
    for name, losses in results.items():
        cells = [f"{mean_before(losses, step, WINDOW):.4f}" for step in steps]
        lines.append(f"| {RUNS[name].title} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def rows(results):
    """The text of the file: the means of every `ROW` steps."""
    lines = [["step", *(RUNS[name].title for name in results)]]
    for step in range(ROW, STEPS + 1, ROW):
        means = [f"{mean_before(losses, step, ROW):.3f}" for losses in results.values()]
        lines.append([str(step), *means])
    return "".join(";".join(line) + "\n" for line in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=pathlib.Path, required=True, help="programs and logs")
    parser.add_argument("--compiler", type=pathlib.Path, default=ROOT / "build/bin/boost-compile")
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    if not (arguments.folder / "tokens.bin").exists():
        write_tokens(arguments.folder / "tokens.bin")
    results = {name: run_one(name, arguments.folder, arguments.compiler) for name in RUNS}
    arguments.output.write_text(rows(results))
    print(table(results))


if __name__ == "__main__":
    main()
