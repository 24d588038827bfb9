# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans of a model, and a program of it that has trained."""

import json
import sys

import pytest
from report_files import OPTIONS, STEPS, run


def make(path):
    size = ["--size=tiny", "--layers=3", "--vocab=256", "--batch=4", "--seq=16"]
    run(sys.executable, "-m", "boost_mlir.export", "--model=cola", *size, "-o", path / "m.mlir")
    for name, options in OPTIONS.items():
        plan = path / f"{name}.json"
        run("boost-compile", path / "m.mlir", *options, "--emit=plan", "-o", plan)
    run("boost-compile", path / "m.mlir", *OPTIONS["tp"], "-o", path / "train")
    (path / "text").write_text("to be, or not to be, that is the question: " * 200)
    data = path / "tokens.bin"
    run(sys.executable, "-m", "boost_mlir.data", "--input", path / "text", "-o", data)
    log = ["--steps", STEPS, "--lr=3e-3", "--warmup=10", "--log", path / "log.jsonl"]
    log += ["--val-data", data, "--val-every", 40, "--val-batches", 2]
    launch = ["mpirun", "-np", 2, "--oversubscribe", path / "train"]
    run(*launch, "train", "--data", data, *log)


@pytest.fixture(scope="session")
def folder(made_once):
    """A model, plans of it for `OPTIONS`, and a program for tp=2 that has trained."""
    return made_once("report", make)


@pytest.fixture(params=OPTIONS)
def plan(folder, request):
    """A plan of a real model, as the compiler wrote it, with its file."""
    path = folder / f"{request.param}.json"
    return path, json.loads(path.read_text())
