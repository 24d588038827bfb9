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
# Steps that a row of the table, and of the file, is the mean of.
WINDOW, ROW = 100, 50


@dataclasses.dataclass(frozen=True)
class Run:
    """A model and what trains it: options of `train`, or LORO with a rate."""

    title: str
    kind: str
    options: tuple[str, ...] = ()
    host: str | None = None
    steps: int = STEPS
    rate: float | None = None

    @property
    def period(self) -> int:
        """As in the recipe, where there are 2,000 steps."""
        return self.steps // 4

    def loro(self):
        low, steps = self.rate / 10, self.steps
        schedule = optax.warmup_cosine_decay_schedule(low, self.rate, steps // 10, steps, low)
        period = self.period
        return optimizers.loro(optimizers.rewarmed(schedule, period), period=period)


RECIPE = ("--config", str(RECIPES / "cola-60m.json"), "--warmup", "120")
RUNS = {
    "adamw": Run(
        "SVD, AdamW, 2e-3", "svd", ("--lr", "2e-3", "--min-lr", "2e-4", "--warmup", "200")
    ),
    "loro": Run("SVD, LORO, 1e-2", "svd", rate=1e-2),
    "cola": Run("CoLA, its recipe", "cola", RECIPE, steps=600),
    "lax": Run("LaX, CoLA's recipe", "lax", RECIPE, "cola", 600),
    "adamw-low": Run(
        *("SVD, AdamW, 2e-4", "svd", ("--lr", "2e-4", "--min-lr", "2e-5", "--warmup", "50")),
        steps=500,
    ),
    "loro-low": Run("SVD, LORO, 1e-3", "svd", rate=1e-3, steps=500),
}
# The picture has the curves of these runs.
DRAWN = ("adamw", "loro", "cola", "lax")


def write_tokens(path):
    headers = subprocess.run(
        ["llvm-config-22", "--includedir"], check=True, capture_output=True, text=True
    ).stdout.strip()
    command = [sys.executable, "-m", "boost_mlir.data", "--input", f"{headers}/mlir/IR"]
    subprocess.run([*command, "--format", "llmc", "-o", path], check=True)


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


def run_one(name, folder, compiler):
    log, path, run = folder / f"{name}.jsonl", folder / f"{name}-program", RUNS[name]
    if len(losses_of(log)) < run.steps:
        if not path.exists():
            compile_program(path, run, compiler, run.loro() if run.rate else None)
        train(path, folder, name, run.steps, *run.options)


def mean_before(losses, step, window, form):
    """The mean of some losses as text, which is empty for a run that did not come so far."""
    part = losses[max(step - window, 0) : step]
    return format(sum(part) / len(part), form) if len(losses) >= step else ""


def table(results):
    steps = [250, 600, *(STEPS * i // 5 for i in range(2, 6))]
    lines = ["| | " + " | ".join(f"step {step}" for step in steps) + " |", "|" + "---|" * 7]
    for name, losses in results.items():
        cells = [mean_before(losses, step, WINDOW, ".4f") for step in steps]
        lines.append(f"| {RUNS[name].title} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def rows(results):
    """The text of the file: the means of every `ROW` steps."""
    lines = [["step", *(RUNS[name].title for name in DRAWN)]]
    for step in range(ROW, STEPS + 1, ROW):
        means = [mean_before(results[name], step, ROW, ".3f") for name in DRAWN]
        lines.append([str(step), *means])
    return "".join(";".join(line) + "\n" for line in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=pathlib.Path, required=True, help="programs and logs")
    parser.add_argument("--compiler", type=pathlib.Path, default=ROOT / "build/bin/boost-compile")
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    parser.add_argument("--logs-only", action="store_true", help="take runs as far as they are")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    if not (arguments.folder / "tokens.bin").exists():
        write_tokens(arguments.folder / "tokens.bin")
    results = {}
    for name in RUNS:
        if not arguments.logs_only:
            run_one(name, arguments.folder, arguments.compiler)
        results[name] = losses_of(arguments.folder / f"{name}.jsonl")
    arguments.output.write_text(rows(results))
    print(table(results))


if __name__ == "__main__":
    main()
