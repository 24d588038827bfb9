# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long a run takes until its first step: initial values of parameters, masters and states.

Compiles CoLA LLaMAs for one rank and starts them for no step, on one thread and on several, which
take turns. Processor time counts beside the time that passes, since other work on the machine
disturbs it less. Writes a Markdown page:

    PYTHONPATH=python .venv/bin/python benchmarks/start.py -o docs/benchmarks/Start.md
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

from boost_mlir import data, models
from boost_mlir.export import export_model

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Title, size and overrides. One rank of 7B on eight has as many parameters as an eighth of the layers.
MODELS = [
    ("60m, f32", "60m", dict()),
    ("60m, bf16", "60m", dict(dtype="bf16")),
    ("1B, bf16", "1b", dict(dtype="bf16")),
    ("7B, bf16, 4 of 32 layers", "7b", dict(dtype="bf16", layers=4)),
]


def compile_model(size, overrides, directory, compiler):
    """A program of one rank, and the tokens it trains on."""
    text, tokens, program = (directory / name for name in ("model.mlir", "tokens.bin", "train"))
    config = models.ModelConfig.of_size(size, "cola", **overrides)
    text.write_text(export_model(config, 1, 128))
    data.write_tokens(tokens, np.arange(10_000).astype(np.uint16))
    subprocess.run([compiler, text, "-o", program, "--quiet"], check=True)
    return program, tokens


def start(program, tokens, threads):
    """Seconds that pass and seconds of processors until the first step would begin."""
    command = [program, "train", "--data", tokens, "--steps", "0", "--quiet"]
    begin = time.monotonic()
    process = subprocess.Popen(command, env=os.environ | {"BOOST_NUM_THREADS": str(threads)})
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise subprocess.CalledProcessError(status, command)
    return time.monotonic() - begin, usage.ru_utime, usage.ru_stime


def describe(program):
    """Parameters, and bytes of what starts with a value: parameters, masters and states."""
    info = json.loads(subprocess.run([program, "info"], check=True, capture_output=True).stdout)
    count = info["parameters"]["count"]
    memory = info["plan"]["memory"]
    return count, sum(memory[name] for name in ("parameters", "masters", "optimizer"))


def line(title, program, tokens, threads, rounds):
    parameters, size = describe(program)
    cells = [title, f"{parameters / 1e6:.0f}", f"{size / 1e9:.2f}"]
    runs = {count: [] for count in threads}
    for _ in range(rounds):
        for count in threads:
            runs[count].append(start(program, tokens, count))
    for measured in runs.values():
        elapsed, user, system = (statistics.median(column) for column in zip(*measured))
        cells += [f"{elapsed:.2f}", f"{user / parameters * 1e9:.1f}", f"{system / parameters * 1e9:.1f}"]
    return "| " + " | ".join(cells) + " |"


def page(lines, threads, arguments):
    columns = [f"s, {count} thread{'s' * (count > 1)} | ns, user | ns, system" for count in threads]
    return [
        "# How long a run takes to start",
        "",
        "The table shows the time from the start of the program to the first step, for CoLA LLaMAs on one rank: the values",
        "of parameters and masters are drawn, and optimizer states are set to zero. `ns` is the time of all threads per",
        "parameter. `user` is the time of drawing. `system` is the time that the system takes to provide the memory, which",
        "depends on the bytes and not on the number of parameters. The 7B model has four of its 32 layers, since all of",
        "them do not fit.",
        f"Medians of {arguments.rounds} rounds. Made by `benchmarks/start.py` on {arguments.note}.",
        "",
        "| model | million parameters | GB | " + " | ".join(columns) + " |",
        "|---" * (3 + 3 * len(threads)) + "|",
        *lines,
        "",
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    parser.add_argument("--compiler", default=ROOT / "build" / "bin" / "boost-compile")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--note", default="one machine", help="what the machine is, for the page")
    arguments = parser.parse_args()
    lines = []
    for title, size, overrides in MODELS:
        with tempfile.TemporaryDirectory() as directory:
            compiled = compile_model(size, overrides, pathlib.Path(directory), arguments.compiler)
            lines.append(line(title, *compiled, arguments.threads, arguments.rounds))
            print(lines[-1], file=sys.stderr)
    arguments.output.write_text("\n".join(page(lines, arguments.threads, arguments)))


if __name__ == "__main__":
    main()
