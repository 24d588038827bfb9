# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile time and memory against the size of the program.

Depth: exports the 7B CoLA LLaMA (batch 4, sequence 4096, abstract shapes) with
1, 8, 16, 32 and 64 layers, compiles each to a plan and prints the seconds of
every stage, the seconds per layer and the growth exponent between depths (1 is
linear). With --instructions it also counts instructions, which other work on the
machine does not change; that takes fifty times as long. Shapes: chains, trees and fan-outs of 1,000 to 16,000 operations and
1,000 to 32,000 arguments (shapes.py), from text to an object file. Run it from
the repository:

    PYTHONPATH=python .venv/bin/python benchmarks/compile_time.py --instructions -o docs/benchmarks/CompileTime.md
    .venv/bin/python benchmarks/compile_time.py --shapes -o docs/benchmarks/CompileTimeOfShapes.md
"""

import argparse
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import shapes

ROOT = pathlib.Path(__file__).resolve().parents[1]


def compile_program(model, options, arguments, directory):
    """Seconds per stage, CPU seconds and peak MiB of the compiler."""
    timing = directory / "timing.json"
    command = [arguments.compiler, model, *options, f"--timing-json={timing}",
               "-o", directory / "output"]
    process = subprocess.Popen([str(part) for part in command])
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{model.name} was not compiled")
    stages = {s["stage"]: s["seconds"] for s in json.loads(timing.read_text())["stages"]}
    return stages, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def count_instructions(command):
    """Instructions that a command executes, on all its threads."""
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    done = subprocess.run(valgrind + [str(part) for part in command],
                          check=True, capture_output=True, text=True)
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def measure_depth(layers, arguments, directory):
    """Compiles `layers` layers: seconds per stage, best of `--repeat`, and instructions or None."""
    model = directory / f"cola7b-{layers}.mlir"
    subprocess.run(
        [sys.executable, "-m", "boost_mlir.export", "--model", "cola", "--size", "7b",
         "--batch", "4", "--seq", "4096", "--layers", str(layers), "-o", model],
        check=True, stdout=subprocess.DEVNULL)
    options = ["--mesh", arguments.mesh, "--emit=plan"]
    best = min((compile_program(model, options, arguments, directory)[0]
                for _ in range(arguments.repeat)), key=lambda stages: sum(stages.values()))
    print(f"{layers:3d} layers: {sum(best.values()):.2f} s", file=sys.stderr)
    if not arguments.instructions:
        return best, None
    return best, count_instructions([arguments.compiler, model, *options, "-o", os.devnull])


def exponent(small, large, factor):
    """Returns the exponent of growth: `large` is `small` times this power of `factor`."""
    return math.log(large / small) / math.log(factor)


def depth_page(results, mesh):
    """The measurements as a Markdown page."""
    depths = sorted(results)
    seconds = {depth: results[depth][0] for depth in depths}
    stages = list(seconds[depths[0]])
    lines = [
        "# Compile time against depth",
        "",
        "The table shows the seconds per stage, from import to `--emit=plan`, for CoLA LLaMA 7B with batch 4, sequence",
        f"4096 and mesh {mesh}. `growth` is the exponent between the two deepest programs: 1 is linear.",
        "Made by `benchmarks/compile_time.py` on one 2-core machine. [Another page](CompileTimeOfShapes.md) has",
        "programs of other shapes.",
        "",
        "| stage | " + " | ".join(f"{d} layers" for d in depths) + " | growth |",
        "|---|" + "---|" * (len(depths) + 1),
    ]

    def row(name, values, least=0.02):
        growth = "-"
        if values[-2] > least:
            growth = f"{exponent(values[-2], values[-1], depths[-1] / depths[-2]):.2f}"
        cells = " | ".join(f"{v:.3f}" for v in values)
        lines.append(f"| {name} | {cells} | {growth} |")

    for stage in stages:
        row(stage, [seconds[d][stage] for d in depths])
    totals = [sum(seconds[d].values()) for d in depths]
    row("**total**", totals)
    lines.append("| per layer | " + " | ".join(f"{t / d:.3f}" for t, d in zip(totals, depths)) + " | |")
    instructions = [results[depth][1] for depth in depths]
    if all(instructions):
        row("10⁹ instructions", [count / 1e9 for count in instructions], least=0)
    return "\n".join(lines) + "\n"


def measure_shape(shape, sizes, arguments, directory):
    """CPU seconds and MiB for every size, the fastest of `--repeat`."""
    rows = {}
    for size in sizes:
        model = directory / f"{shape}-{size}.mlir"
        model.write_text(shapes.SHAPES[shape](size))
        runs = [compile_program(model, [f"--emit={arguments.emit}"], arguments, directory)
                for _ in range(arguments.repeat)]
        stages, seconds, memory = min(runs, key=lambda run: run[1])
        rows[size] = (seconds, memory, max(stages, key=stages.get))
        print(f"{shape:14s} {size:6d}: {seconds:7.2f} s {memory:6.0f} MiB", file=sys.stderr)
        model.unlink()
    return rows


def shape_table(results, sizes):
    """One row per shape: seconds, their growth, memory, its growth."""
    labels = [f"{size:,}" for size in sizes]
    lines = ["| shape | " + " | ".join(f"{label}: s" for label in labels) + " | growth | "
             + " | ".join(f"{label}: MiB" for label in labels) + " | growth | slowest stage |",
             "|---|" + "---|" * (2 * len(sizes) + 3)]
    for shape, rows in results.items():
        cells = [f"{shape} ({shapes.SHAPES[shape].__doc__[:-1]})"]
        for column, text in ((0, "{:.2f}"), (1, "{:.0f}")):
            values = [rows[size][column] for size in sizes]
            growth = exponent(values[0], values[-1], sizes[-1] / sizes[0])
            cells += [text.format(value) for value in values] + [f"{growth:.2f}"]
        lines.append("| " + " | ".join([*cells, rows[sizes[-1]][2]]) + " |")
    return lines


def shapes_page(arguments, directory):
    """Measures all shapes; the page."""
    lines = [
        "# Compile time against shape",
        "",
        f"The tables show the CPU seconds and the peak memory of `boost-compile --emit={arguments.emit}` for a loss, its",
        "gradient and an AdamW step on one rank. `growth` is the exponent between the smallest and the largest program:",
        "1 is linear. Sizes count the operations of the loss; the step has about four times as many.",
        "[`shapes.py`](../../benchmarks/shapes.py) contains the programs.",
        "",
        "Made by `benchmarks/compile_time.py --shapes` on one 2-core machine.",
    ]
    for title, group, sizes in (("Operations", shapes.OPERATIONS, arguments.operations),
                                ("Arguments", shapes.ARGUMENTS, arguments.arguments)):
        results = {shape: measure_shape(shape, sizes, arguments, directory)
                   for shape in group if not arguments.only or shape in arguments.only}
        if results:
            lines += ["", f"## {title}", "", *shape_table(results, sizes)]
    return "\n".join(lines) + "\n"


def numbers(text):
    """The numbers of a list with commas."""
    return [int(part) for part in text.split(",")]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--compiler", default=ROOT / "build/bin/boost-compile", type=pathlib.Path)
    parser.add_argument("--mesh", default="tp=4", help="of the model (tp=4)")
    parser.add_argument("--depths", default=[1, 8, 16, 32, 64], type=numbers)
    parser.add_argument("--repeat", default=6, type=int)
    parser.add_argument("--instructions", action="store_true", help="count them too, by callgrind")
    parser.add_argument("--shapes", action="store_true", help="chains, trees and fan-outs instead")
    parser.add_argument("--only", type=lambda text: text.split(","), help="these shapes")
    parser.add_argument("--emit", default="object", help="of shapes: plan or object (object)")
    parser.add_argument("--operations", default=[1000, 4000, 16000], type=numbers)
    parser.add_argument("--arguments", default=[1000, 8000, 32000], type=numbers)
    parser.add_argument("-o", "--output", type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        if arguments.shapes:
            page = shapes_page(arguments, directory)
        else:
            page = depth_page({depth: measure_depth(depth, arguments, directory)
                               for depth in arguments.depths}, arguments.mesh)
    print(page)
    if arguments.output:
        arguments.output.parent.mkdir(parents=True, exist_ok=True)
        arguments.output.write_text(page)


if __name__ == "__main__":
    main()
