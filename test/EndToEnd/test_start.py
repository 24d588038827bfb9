# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The initial values of a run do not depend on its layout: the bytes are equal on every mesh."""

import json

import pytest
from harness import CUDA

# A model with masters, so that what is drawn once is there twice.
KIND, SHAPE = "cola", "bf16"


def checksums(compiled, folder, *options):
    """Those of parameters and masters at the start, which a step at no rate leaves as they are."""
    command = ("train", "--data", compiled.model.tokens_file, "--steps", 1, "--lr", 0)
    compiled.launch(*command, "--checkpoint", folder, *options)
    with open(folder / "step-1" / "tensors.safetensors", "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
    found = {
        name.removeprefix("xxh3:"): checksum
        for name, checksum in header["__metadata__"].items()
        if name.startswith("xxh3:") and not name.startswith("xxh3:adamw.")
    }
    assert any(name.startswith("master.") for name in found)
    return found


@pytest.fixture(scope="module")
def expected(program, tmp_path_factory):
    return checksums(program(KIND, SHAPE, "1"), tmp_path_factory.mktemp("start") / "one")


@pytest.mark.parametrize("threads", ["1", "2", "3"])
def test_any_number_of_threads(program, expected, tmp_path, monkeypatch, threads):
    monkeypatch.setenv("BOOST_NUM_THREADS", threads)
    assert checksums(program(KIND, SHAPE, "1"), tmp_path / "run") == expected


@pytest.mark.parametrize(
    "mesh, options",
    [("tp=2", ()), ("tp=4", ()), ("dp=2,tp=2", ("--zero=1",)), ("tp=2", CUDA)],
    ids=["tp=2", "tp=4", "zero", "emulated"],
)
def test_any_layout_and_target(program, expected, tmp_path, mesh, options):
    assert checksums(program(KIND, SHAPE, mesh, *options), tmp_path / "run") == expected


def test_the_seed_counts(program, expected, tmp_path):
    other = checksums(program(KIND, SHAPE, "1"), tmp_path / "run", "--seed", 1)
    assert other.keys() == expected.keys()
    # Scales of norms start at one.
    assert sum(other[name] != expected[name] for name in other) > len(other) / 2
