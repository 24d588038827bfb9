# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile time against depth: the stages of boost-compile on a 7B CoLA LLaMA.

Exports the 7B configuration (batch 4, sequence 4096, abstract shapes) with 1,
8, 16, 32 and 64 layers, compiles each to a plan and prints the seconds of every
stage, the seconds per layer and the growth exponent between depths (1 is
linear). Run it from the repository:

    PYTHONPATH=python .venv/bin/python benchmarks/compile_time.py -o docs/benchmarks/CompileTime.md
"""

import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]


def measure(layers, arguments, directory):
    """Seconds per stage of compiling `layers` layers, best of `--repeat`."""
    model = directory / f"cola7b-{layers}.mlir"
    subprocess.run(
        [sys.executable, "-m", "boost_mlir.export", "--model", "cola", "--size", "7b",
         "--batch", "4", "--seq", "4096", "--layers", str(layers), "-o", model],
        check=True, stdout=subprocess.DEVNULL)
    best = None
    for _ in range(arguments.repeat):
        timing = directory / "timing.json"
        subprocess.run(
            [arguments.compiler, model, "--mesh", arguments.mesh, "--emit=plan",
             f"--timing-json={timing}", "-o", directory / "plan.json"], check=True)
        stages = {s["stage"]: s["seconds"] for s in json.loads(timing.read_text())["stages"]}
        if best is None or sum(stages.values()) < sum(best.values()):
            best = stages
    print(f"{layers:3d} layers: {sum(best.values()):.2f} s", file=sys.stderr)
    return best


def table(results, mesh):
    """The measurements as a Markdown page."""
    depths = sorted(results)
    stages = list(results[depths[0]])
    lines = [
        "# Compile time against depth",
        "",
        f"CoLA LLaMA 7B, batch 4, sequence 4096, mesh {mesh}, import to `--emit=plan`, seconds per",
        "stage. `growth` is the exponent between the two deepest programs: 1 is linear.",
        "Made by `benchmarks/compile_time.py`; absolute times are those of one 2-core machine.",
        "",
        "| stage | " + " | ".join(f"{d} layers" for d in depths) + " | growth |",
        "|---|" + "---|" * (len(depths) + 1),
    ]

    def row(name, values):
        growth = "-"
        if values[-2] > 0.02:
            growth = f"{math.log(values[-1] / values[-2]) / math.log(depths[-1] / depths[-2]):.2f}"
        cells = " | ".join(f"{v:.3f}" for v in values)
        lines.append(f"| {name} | {cells} | {growth} |")

    for stage in stages:
        row(stage, [results[d][stage] for d in depths])
    totals = [sum(results[d].values()) for d in depths]
    row("**total**", totals)
    lines.append("| per layer | " + " | ".join(f"{t / d:.3f}" for t, d in zip(totals, depths)) + " | |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--compiler", default=ROOT / "build/bin/boost-compile", type=pathlib.Path)
    parser.add_argument("--mesh", default="tp=4")
    parser.add_argument("--depths", default="1,8,16,32,64")
    parser.add_argument("--repeat", default=6, type=int)
    parser.add_argument("-o", "--output", type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        results = {int(d): measure(int(d), arguments, pathlib.Path(directory))
                   for d in arguments.depths.split(",")}
    page = table(results, arguments.mesh)
    print(page)
    if arguments.output:
        arguments.output.parent.mkdir(parents=True, exist_ok=True)
        arguments.output.write_text(page)


if __name__ == "__main__":
    main()
