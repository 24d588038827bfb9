# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares training in mixed precision: one model on one text in three precisions.

Trains the CoLA LLaMA of `scripts/demo.sh` on its text (the installed MLIR headers) in f32, with
`--precision=bf16`, and exported in bf16 with `--master-weights=false`. The three see the same
batches and start from the same values. Runs that have ended are not repeated: their logs stay in
the folder. Writes a Markdown page:

    PYTHONPATH=python .venv/bin/python benchmarks/mixed_precision.py --folder /tmp/mixed \\
        -o docs/benchmarks/MixedPrecision.md
"""

import argparse
import os
import pathlib
import subprocess
import sys

import boost_mlir
from boost_mlir import models
from boost_mlir.export import export_model

ROOT = pathlib.Path(__file__).resolve().parents[1]
REMARKS = "## Interpretation"
BATCH, SEQ = 4, 128
# The name of a program, the type it is exported in, and how it is compiled.
PROGRAMS = {
    "f32": ("f32", []),
    "bf16": ("f32", ["--precision=bf16"]),
    "bf16-without": ("bf16", ["--master-weights=false"]),
}
TITLES = {
    "f32": "f32",
    "bf16": "`--precision=bf16`",
    "bf16-without": "bf16, `--master-weights=false`",
}
# Names of the rates in file names, and the options of `train`.
RATES = {
    "": dict(steps=2000, lr=2e-3, min_lr=2e-4, warmup=100),
    "low-": dict(steps=2000, lr=1e-4, min_lr=1e-5, warmup=50),
}


def write_tokens(path):
    headers = subprocess.run(
        ["llvm-config-22", "--includedir"], check=True, capture_output=True, text=True
    ).stdout.strip()
    command = [sys.executable, "-m", "boost_mlir.data", "--input", f"{headers}/mlir/IR"]
    subprocess.run([*command, "--format", "llmc", "-o", path], check=True)


def compile_program(name, folder, compiler):
    dtype, options = PROGRAMS[name]
    module = folder / f"{dtype}.mlir"
    config = models.ModelConfig.of_size("demo", "cola", dtype=dtype)
    module.write_text(export_model(config, BATCH, SEQ))
    subprocess.run([compiler, module, "--mesh=1", *options, "-o", folder / name], check=True)


def losses_of(log):
    return [record["loss"] for record in boost_mlir.read_log(log)] if log.exists() else []


def train(name, prefix, folder):
    """The losses of all steps."""
    log, rate = folder / f"{prefix}{name}.jsonl", RATES[prefix]
    if len(losses_of(log)) != rate["steps"]:
        log.unlink(missing_ok=True)
        command = [folder / name, "train", "--data", folder / "tokens.bin", "--seed", "0"]
        command += ["--steps", str(rate["steps"]), "--warmup", str(rate["warmup"])]
        command += ["--lr", str(rate["lr"]), "--min-lr", str(rate["min_lr"]), "--clip", "1"]
        environment = os.environ | {"OMP_NUM_THREADS": "1"}
        subprocess.run([*command, "--quiet", "--log", log], check=True, env=environment)
    return losses_of(log)


def mean_before(losses, step):
    """Over the last hundred steps: single batches differ by more than the programs do."""
    part = losses[max(step - 100, 0) : step]
    return sum(part) / len(part)


def table(runs):
    last = min(map(len, runs.values()))
    steps = [last * i // 5 for i in range(1, 6)]
    head = "| | " + " | ".join(f"step {step}" for step in steps) + " | against f32 |"
    lines = [head, "|" + "---|" * (len(steps) + 2)]
    reference = mean_before(runs["f32"], steps[-1])
    for name, losses in runs.items():
        cells = [f"{mean_before(losses, step):.4f}" for step in steps]
        change = 100 * (mean_before(losses, steps[-1]) / reference - 1)
        lines.append(f"| {TITLES[name]} | " + " | ".join(cells) + f" | {change:+.2f} % |")
    return "\n".join(lines)


def page(results):
    parts = [
        "# Mixed precision\n",
        f"CoLA LLaMA of the size `demo` (10.3M parameters) trains on the text of `scripts/demo.sh` with {BATCH} x {SEQ}",
        "tokens per step. Each loss is the mean of the hundred steps before. All three runs see the same batches and",
        "start from the same values, rounded to their types. Made by `benchmarks/mixed_precision.py`.\n",
    ]
    for prefix, runs in results.items():
        rate, last = RATES[prefix], min(map(len, runs.values()))
        part = "" if last == rate["steps"] else f"the first {last:,} of "
        title = f"## Rate {rate['lr']:g} to {rate['min_lr']:g}, {part}{rate['steps']:,} steps"
        parts.append(f"{title}\n\n{table(runs)}\n")
    return "\n".join(parts)


def prepare(folder, compiler):
    if not (folder / "tokens.bin").exists():
        write_tokens(folder / "tokens.bin")
    for name in PROGRAMS:
        if not (folder / name).exists():
            compile_program(name, folder, compiler)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=pathlib.Path, required=True, help="programs and logs")
    parser.add_argument("--compiler", type=pathlib.Path, default=ROOT / "build/bin/boost-compile")
    parser.add_argument("--logs-only", action="store_true", help="take runs as far as they are")
    parser.add_argument("-o", "--output", type=pathlib.Path)
    arguments = parser.parse_args()
    folder = arguments.folder
    folder.mkdir(parents=True, exist_ok=True)
    if not arguments.logs_only:
        prepare(folder, arguments.compiler)

    def run(name, prefix):
        if arguments.logs_only:
            return losses_of(folder / f"{prefix}{name}.jsonl")
        return train(name, prefix, folder)

    results = {prefix: {name: run(name, prefix) for name in PROGRAMS} for prefix in RATES}
    text = page(results)
    if not arguments.output:
        return print(text)
    # Keep the remarks that people wrote below the table.
    old = arguments.output.read_text() if arguments.output.exists() else ""
    remarks = old[old.index(REMARKS) :] if REMARKS in old else ""
    arguments.output.write_text(text + ("\n" + remarks if remarks else ""))


if __name__ == "__main__":
    main()
