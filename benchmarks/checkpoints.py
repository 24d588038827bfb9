# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the cost of checksums and syncs of checkpoints: the parts of the time of single runs.

Trains CoLA LLaMAs with a checkpoint after every step, then resumes them. A run measures how long
its checkpoints took and how much of that was hashing, writing and syncing (`train --json`), so
that every ratio is of one run on one machine. Writes a Markdown page:

    PYTHONPATH=python .venv/bin/python benchmarks/checkpoints.py -o docs/benchmarks/Checkpoints.md
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import numpy as np

from boost_mlir import data, models
from boost_mlir.export import export_model

ROOT = pathlib.Path(__file__).resolve().parents[1]
STEPS = 5
MODELS = [
    dict(layers=8, d=128, heads=4, rank=32, d_ff=344, vocab=256),
    dict(layers=6, d=512, heads=8, rank=128, d_ff=1376, vocab=8192),
    dict(layers=12, d=1024, heads=16, rank=256, d_ff=2752, vocab=32000),
]
MESHES = {"1": 1, "tp=2": 2}


def compile_model(overrides, mesh, directory, compiler):
    """A program and the tokens it trains on."""
    text, tokens, program = (directory / name for name in ("model.mlir", "tokens.bin", "train"))
    config = models.ModelConfig.of_size("tiny", "cola", **overrides)
    text.write_text(export_model(config, 4, 128))
    random = np.random.default_rng(0)
    data.write_tokens(tokens, random.integers(0, config.vocab, 100_000).astype(np.uint16))
    subprocess.run([compiler, text, "--mesh", mesh, "-o", program], check=True)
    return program, tokens


def train(program, tokens, ranks, *options):
    """The summary of a run."""
    command = ["mpirun", "-np", str(ranks), program, "train", "--quiet", "--json"]
    command += ["--data", tokens, *options]
    environment = os.environ | {
        "BOOST_NUM_THREADS": "1",
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    }
    result = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return json.loads(result.stdout.splitlines()[-1])


def measure(program, tokens, ranks, directory, rounds):
    """Per round: seconds and shares."""
    rows = []
    for number in range(rounds):
        folder = directory / f"checkpoints{number}"
        options = ("--steps", str(STEPS), "--checkpoint", folder)
        run = train(program, tokens, ranks, *options, "--checkpoint-every", "1")
        saving = run["checkpoints"]
        resumed = train(program, tokens, ranks, *options, "--resume")["checkpoints"]
        size = (folder / f"step-{STEPS}" / "tensors.safetensors").stat().st_size
        rows.append(
            dict(
                megabytes=size / 1e6,
                step=run["seconds"] / STEPS,
                save=saving["seconds"] / saving["saved"],
                checksums=saving["checksum_seconds"] / saving["seconds"],
                writes=saving["write_seconds"] / saving["seconds"],
                syncs=saving["sync_seconds"] / saving["seconds"],
                load=resumed["load_seconds"],
                load_checksums=resumed["load_checksum_seconds"] / resumed["load_seconds"],
                # Relative to training that saves every 100 steps.
                slower=saving["checksum_seconds"] / saving["saved"] / (run["seconds"] / STEPS * 100),
            )
        )
        subprocess.run(["rm", "-r", folder], check=True)
    return {name: statistics.median(row[name] for row in rows) for name in rows[0]}


def line(mesh, row):
    # A number, and two of the optimizer, of four bytes for each.
    millions = row["megabytes"] / 12
    return (
        f"| {millions:.1f} | {mesh} | {row['megabytes']:.0f} | {row['step']:.3f} | {row['save']:.3f} "
        f"| {row['checksums']:.1%} | {row['writes']:.1%} | {row['syncs']:.1%} "
        f"| {row['load']:.3f} | {row['load_checksums']:.1%} | {row['slower']:.3%} |"
    )


def page(lines, arguments):
    return [
        "# The cost of checkpoint checksums and syncs",
        "",
        "A CoLA LLaMA trains with a checkpoint after every step and is then resumed. Batches have 512 tokens, and",
        "each rank has one thread. Each share is of one run, which measures its own parts. For saving, the shares are",
        "the time that rank 0 spends on hashing, on writing and on syncing, as parts of the time of a checkpoint (the",
        "rest is gathering and waiting for the processor). For loading, the share is the time that rank 0 spends on",
        "hashing its part. The last column is the time that hashing adds to training that saves every 100 steps. The",
        "time of a step does not include syncs and checksums.",
        f"Medians of {arguments.rounds} rounds. Made by `benchmarks/checkpoints.py` on {arguments.note}.",
        "",
        "| million parameters | mesh | MB | s a step | s a checkpoint | hashing | writing | syncing "
        "| s loading | hashing | of 100 steps |",
        "|---|---|---|---|---|---|---|---|---|---|---|",
        *lines,
        "",
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", default=ROOT / "build" / "bin" / "boost-compile")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--note", default="one machine", help="what the machine is, for the page")
    parser.add_argument("--folder", help="on the disk that is measured; default: the system's own")
    arguments = parser.parse_args()
    lines = []
    for overrides in MODELS:
        for mesh, ranks in MESHES.items():
            with tempfile.TemporaryDirectory(dir=arguments.folder) as directory:
                folder = pathlib.Path(directory)
                compiled = compile_model(overrides, mesh, folder, arguments.compiler)
                row = measure(*compiled, ranks, folder, arguments.rounds)
                lines.append(line(mesh, row))
                print(lines[-1], file=sys.stderr)
    arguments.output.write_text("\n".join(page(lines, arguments)))


if __name__ == "__main__":
    main()
