#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the pictures of README.md and the pages: docs/images/*.svg.

    python scripts/draw_pictures.py [--output FOLDER]

The arena is drawn from the plan of a model that is exported and compiled for it, with the tools in
BOOST_BUILD_DIR or else in build/, and losses from a file of benchmarks/optimizers.py. The same
sources give the same bytes.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "python"))

from boost_mlir import export  # noqa: E402
from boost_mlir.report.source import load_plan  # noqa: E402
from pictures import arena, bottleneck, losses, stages  # noqa: E402

# A model and its options, as the caption of the arena has them.
MODEL = ["--model", "cola", "--size", "demo", "--batch", "8", "--seq", "128"]
OPTIONS = ["--mesh", "tp=2", "--placement", "bottleneck"]


def _plan_memory(module: Path, *options: str):
    """The memory of the program that `boost-compile` makes of a module with these options."""
    tool = Path(os.environ.get("BOOST_BUILD_DIR", ROOT / "build")) / "bin" / "boost-compile"
    if not tool.exists():
        raise SystemExit(f"{tool} is missing: build the project or set BOOST_BUILD_DIR")
    plan = module.with_suffix(".json")
    if subprocess.run([tool, module, *options, "--emit=plan", "--quiet", "-o", plan]).returncode:
        raise SystemExit("the model of the arena cannot be compiled")
    return load_plan(plan).memory


def draw_all() -> dict[str, str]:
    """The text of each picture, by the name of its file."""
    with tempfile.TemporaryDirectory() as folder:
        module = Path(folder) / "model.mlir"
        if export.main([*MODEL, "-o", str(module)]):
            raise SystemExit("the model of the arena cannot be exported")
        memory = _plan_memory(module, *OPTIONS)
        recomputing = _plan_memory(module, *OPTIONS, "--remat=low-rank")
    command = " ".join(["One rank of", *MODEL, *OPTIONS])
    return {
        "arena.svg": arena.draw(memory, recomputing, command),
        "bottleneck.svg": bottleneck.draw(),
        "losses.svg": losses.draw(ROOT / "docs" / "benchmarks" / "optimizers.csv"),
        "stages.svg": stages.draw(ROOT / "docs" / "Pipeline.md"),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=ROOT / "docs" / "images")
    folder = parser.parse_args().output
    for name, text in draw_all().items():
        (folder / name).write_text(text)


if __name__ == "__main__":
    main()
