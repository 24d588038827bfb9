#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the bytes that the kernels of a layer move on a GPU with the fewest bytes that kernels
between the same calls could, as a page of Markdown.

    PYTHONPATH=python .venv/bin/python benchmarks/kernel_bytes.py > docs/benchmarks/KernelBytes.md

Four models at 1B (d_ff 5472, 8 x 1024 tokens) and at 7B on tp=4 (1 x 4096 tokens), in bf16. A layer is
what the plan of three layers has more than that of two. Nothing is compiled to the end.
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

from boost_mlir import models
from boost_mlir.export import export_model

REPOSITORY = Path(__file__).resolve().parent.parent
KINDS = ("full", "svd", "cola", "lax")
#: On several ranks, how parameters are placed: `auto` may choose differently for two layers and for three.
PLACEMENTS = {"full": "megatron", "svd": "bottleneck", "cola": "bottleneck", "lax": "bottleneck"}
#: Overrides, batch, sequence, mesh and layers of the published size.
SIZES = {
    "1b": (dict(d_ff=5472), 8, 1024, None, 24),
    "7b": ({}, 1, 4096, "tp=4", 32),
}
HEADER = """\
# Bytes of the kernels of a layer

What the kernels of one layer read and write in a training step on a GPU, forward and backward, and the fewest bytes that kernels between
the same calls could. That is what products, attention, collectives, the optimizer and the arguments hand to kernels, read once in each of
forward, backward and update, and what kernels hand to them, written once; what kernels hand to each other need not be in memory.

That bound cannot be reached: the residual stream passes from a norm to the next one while products, which wait for the first norm, compute
what the second one adds. No kernel can do the work of both, nor of one in the forward and one in the backward pass. `carried` is what a
kernel writes for such another one, written once unless a call reads it too, and read once in each of forward, backward and update. The
second ratio is that to what is needed and carried.

All numbers are in the plan (`boost-compile --emit=plan`, `kernels`). What is read where it is written counts twice. Nothing here was
measured.

By `benchmarks/kernel_bytes.py`: bf16, 8 x 1024 tokens at 1B with d_ff = 5472, 1 x 4096 at 7B on tp=4.

| model | a layer, MB | needed, MB | ratio | carried, MB | ratio | the step, GB | needed, GB | carried, GB |
|---|---|---|---|---|---|---|---|---|
"""


def count(compiler, kind, size, layers):
    """Bytes that kernels of a step move, must move and carry."""
    overrides, batch, sequence, mesh, _ = SIZES[size]
    config = models.ModelConfig.of_size(size, kind, dtype="bf16", layers=layers, **overrides)
    with tempfile.TemporaryDirectory() as folder:
        model, plan = Path(folder) / "model.mlir", Path(folder) / "plan.json"
        model.write_text(export_model(config, batch, sequence))
        words = [compiler, model, "--target=cuda", "--emit=plan", "-o", plan]
        if mesh:
            words += [f"--mesh={mesh}", f"--placement={PLACEMENTS[kind]}"]
        subprocess.run(words, check=True)
        step = json.loads(plan.read_text())["kernels"]["step"]
    return step["bytes"], step["needed_bytes"], step["carried_bytes"]


def row(compiler, kind, size):
    """A layer of a model, and a step of all of them."""
    two, three = (count(compiler, kind, size, layers) for layers in (2, 3))
    layer = [after - before for before, after in zip(two, three)]
    step = [before + (SIZES[size][4] - 2) * each for before, each in zip(two, layer)]
    moved, needed, carried = layer
    cells = [f"{kind} {size.upper()}", f"{moved / 1e6:,.0f}", f"{needed / 1e6:,.0f}", f"{moved / needed:.2f}"]
    cells += [f"{carried / 1e6:,.0f}", f"{moved / (needed + carried):.2f}"]
    cells += [f"{each / 1e9:.1f}" for each in step]
    return "| " + " | ".join(cells) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--compiler", default=REPOSITORY / "build" / "bin" / "boost-compile")
    parser.add_argument("--size", choices=SIZES, help="only this size")
    parser.add_argument("--kind", choices=KINDS, help="only this model")
    options = parser.parse_args()
    print(HEADER, end="")
    for size in [options.size] if options.size else SIZES:
        for kind in [options.kind] if options.kind else KINDS:
            print(row(options.compiler, kind, size), flush=True)


if __name__ == "__main__":
    main()
