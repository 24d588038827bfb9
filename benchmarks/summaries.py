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
KINDS = ("full", "svd", "cola", "lax")
PACKAGES = {"linen_gpt": "a GPT of Flax linen", "hugging_face_llama": "LLaMA as Hugging Face writes it"}


def write_models(folder):
    """Pairs of a title and the file of a model."""
    for kind in KINDS:
        file = folder / f"{kind}-7b.mlir"
        config = models.ModelConfig.of_size("7b", kind, dtype="bf16")
        file.write_text(export_model(config, BATCH, SEQUENCE))
        yield f"7B {kind}, bf16, one sequence of {SEQUENCE}", file
    from foreign_models import PROGRAMS

    for name, title in PACKAGES.items():
        program, file = PROGRAMS[name](), folder / f"{name}.mlir"
        file.write_text(export(program.loss, program.params, *program.batch.values()))
        yield title, file


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--compiler", default=REPOSITORY / "build" / "bin" / "boost-compile")
    parser.add_argument("--machine", default="a100-80gb")
    options = parser.parse_args()
    flags = ["--mesh=tp=4", f"--machine={options.machine}", "--emit=summary"]
    print("# Summaries of six models\n")
    print(f"What `boost-compile MODEL {' '.join(flags)}` says, by `benchmarks/summaries.py`.")
    print("A program that is linked comes with the same lines, unless `--quiet` is given.")
    with tempfile.TemporaryDirectory() as folder:
        for title, file in write_models(Path(folder)):
            result = subprocess.run(
                [options.compiler, file, *flags], capture_output=True, text=True, check=True
            )
            text = result.stdout.replace(f"{REPOSITORY}/", "")
            print(f"\n## {title}\n\n```\n{text}```", flush=True)


if __name__ == "__main__":
    main()
