#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the choices of `boost-compile --ranks` for the published sizes of CoLA as a Markdown
table.

    benchmarks/choices.py [--machine a100-80gb] [--sizes 1b,7b] [--ranks 4,8]

For every size and number of ranks: a step of one sequence of 4096 tokens per rank, where data
parallelism is possible, and one of a quarter of that, where it is not. In bf16. Each row is one
search; nothing is compiled to the end.
"""

import argparse
import re
import subprocess
import tempfile
from pathlib import Path

from boost_mlir import models
from boost_mlir.export import export_model

REPOSITORY = Path(__file__).resolve().parent.parent
SEQUENCE = 4096
# Tensor-parallel and pipeline ranks of the paper's table of iteration times.
PAPER = {"1b": "one GPU", "3b": "tp=2", "7b": "tp=4", "13b": "tp=4, pp=2", "30b": "tp=4, pp=4", "40b": ""}
# A size that is not published: 48 layers of 64 heads, with bottlenecks of a quarter of the width as in the others.
LARGEST = {"d": 8192, "layers": 48, "heads": 64, "kv_heads": 64, "d_ff": 22016, "rank": 2048}
ROW = re.compile(r"^  \* +(\S+) +(\S+) +(\S+) +(\S+)  (.*)$", re.MULTILINE)


def choose(compiler, machine, model, ranks):
    """The row of the table of --explain that was taken, and how it compares with the next."""
    result = subprocess.run(
        [compiler, model, f"--ranks={ranks}", f"--machine={machine}"]
        + ["--emit=graph", "--explain", "-o", "/dev/null"],
        capture_output=True,
        text=True,
        errors="replace",
    )
    # Lines that were too long go on behind six spaces.
    table = re.sub(r"\n {6}(?=\S)", " ", result.stderr)
    row = ROW.search(table)
    if result.returncode or not row:
        return None
    seconds, _, _, peak, options = row.groups()
    because = re.search(r"chosen: .*? --placement=\S+(?: --\S+)*, (.*)", table).group(1)
    return float(seconds), float(peak), options.split(": ")[0], because


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--compiler", default=REPOSITORY / "build" / "bin" / "boost-compile")
    parser.add_argument("--machine", default="a100-80gb")
    parser.add_argument("--sizes", default=",".join(PAPER))
    parser.add_argument("--ranks", default="8,16,64,512")
    options = parser.parse_args()
    print("| model | ranks | sequences | chosen | step s | peak GB | because | paper |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for size in options.sizes.split(","):
            for ranks in map(int, options.ranks.split(",")):
                for batch in (ranks, ranks // 4):
                    model = Path(folder) / f"{size}-{batch}.mlir"
                    if not model.exists():
                        of_largest = ("30b", LARGEST) if size == "40b" else (size, {})
                        config = models.ModelConfig.of_size(of_largest[0], "cola", dtype="bf16", **of_largest[1])
                        model.write_text(export_model(config, batch, SEQUENCE))
                    row = choose(options.compiler, options.machine, model, ranks)
                    cells = ["nothing divides", "", "", ""]
                    if row:
                        seconds, peak, chosen, because = row
                        chosen = chosen.replace("--", "").replace(" ", ", ")
                        cells = [chosen, f"{seconds:.3f}", f"{peak:.1f}", because.replace("--", "")]
                    print(f"| {size} | {ranks} | {batch} |", " | ".join(cells), f"| {PAPER[size]} |", flush=True)


if __name__ == "__main__":
    main()
