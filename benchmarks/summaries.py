#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The summaries of boost-compile for six models, as a page of Markdown.

    benchmarks/summaries.py [--machine a100-80gb] > docs/benchmarks/Summaries.md

Four of the models of the paper with 7 billion parameters' shapes, and two as other packages write
them, which are small. Nothing is compiled to the end.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from boost_mlir import models
from boost_mlir.export import export, export_model

REPOSITORY = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(REPOSITORY / "test" / "EndToEnd"))

BATCH, SEQUENCE = 1, 4096
PACKAGES = {"linen_gpt": "a GPT of Flax linen", "hugging_face_llama": "LLaMA as Hugging Face writes it"}
#: The titles of the models, by their names.
TITLES = {kind: f"7B {kind}, bf16, one sequence of {SEQUENCE}" for kind in ("full", "svd", "cola", "lax")} | PACKAGES
MESH = "tp=4"


def write_model(name, file):
    if name not in PACKAGES:
        config = models.ModelConfig.of_size("7b", name, dtype="bf16")
        file.write_text(export_model(config, BATCH, SEQUENCE))
        return
    from foreign_models import PROGRAMS

    program = PROGRAMS[name]()
    file.write_text(export(program.loss, program.params, *program.batch.values()))


def section(name, compiler, machine, folder) -> str:
    """Returns the page's section about a model."""
    file = Path(folder) / f"{name}.mlir"
    write_model(name, file)
    words = [compiler, file, f"--mesh={MESH}", f"--machine={machine}", "--emit=summary"]
    result = subprocess.run(words, capture_output=True, text=True, check=True)
    text = result.stdout.replace(f"{REPOSITORY}/", "")
    return f"## {TITLES[name]}\n\n```\n{text}```"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--compiler", default=REPOSITORY / "build" / "bin" / "boost-compile")
    parser.add_argument("--machine", default="a100-80gb")
    options = parser.parse_args()
    print("# Summaries of six models\n")
    words = f"--mesh={MESH} --machine={options.machine} --emit=summary"
    print(f"What `boost-compile MODEL {words}` says, by `benchmarks/summaries.py`.")
    print("A program that is linked comes with the same lines, unless `--quiet` is given.")
    with tempfile.TemporaryDirectory() as folder:
        for name in TITLES:
            print("\n" + section(name, options.compiler, options.machine, folder), flush=True)


if __name__ == "__main__":
    main()
