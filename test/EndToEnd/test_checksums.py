# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensor files have checksums that another library computes alike, and other programs read them."""

import json

import numpy as np
import pytest
import xxhash
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

REFUSED = 3


def train(compiled, *options, steps=4, check=True):
    data = ("--data", compiled.model.tokens_file)
    return compiled.launch("train", *data, "--steps", steps, *options, check=check)


@pytest.fixture(scope="module")
def saved(program, tmp_path_factory):
    compiled = program("cola", "tiny", "tp=2")
    folder = tmp_path_factory.mktemp("saved")
    checkpoints = ("--checkpoint", folder / "ck", "--checkpoint-every", 2)
    train(compiled, *checkpoints, "--save", folder / "saved.safetensors")
    return compiled, folder


def metadata_of(path):
    with safe_open(path, framework="numpy") as file:
        return file.metadata()


def test_checksums_are_those_of_another_library(saved):
    _, folder = saved
    for path in (folder / "saved.safetensors", folder / "ck/step-4/tensors.safetensors"):
        tensors, metadata = load_file(path), metadata_of(path)
        assert len(tensors) > 20
        for name, tensor in tensors.items():
            assert metadata[f"xxh3:{name}"] == xxhash.xxh3_64_hexdigest(tensor.tobytes())
        content = path.read_bytes()
        header = content[8 : 8 + int.from_bytes(content[:8], "little")]
        empty = header.replace(metadata["xxh3"].encode(), b"0" * 16)
        assert metadata["xxh3"] == xxhash.xxh3_64_hexdigest(empty)


def test_state_has_a_checksum(saved):
    _, folder = saved
    text = (folder / "ck/step-4/state.json").read_text()
    state = json.loads(text)
    empty = text.replace(state["xxh3"], "0" * 16)
    assert state["xxh3"] == xxhash.xxh3_64_hexdigest(empty.encode())
    assert state["tensors"] == metadata_of(folder / "ck/step-4/tensors.safetensors")["xxh3"]


def test_files_of_others_are_read(saved, tmp_path):
    """Without checksums, as other programs write them; with old ones they are refused."""
    compiled, folder = saved
    path = folder / "saved.safetensors"
    tensors = load_file(path)
    other, output = tmp_path / "other.safetensors", tmp_path / "again.safetensors"
    for metadata in (None, {"format": "np"}):
        save_file(tensors, other, metadata)
        train(compiled, "--init", other, "--save", output, steps=0)
        again = load_file(output)
        assert all(np.array_equal(again[name], tensors[name]) for name in tensors)
    tensors["norm"] = tensors["norm"] + 1
    save_file(tensors, other, metadata_of(path))
    result = train(compiled, "--init", other, check=False)
    assert result.returncode == REFUSED
    assert "write it without those in __metadata__" in result.stderr


def test_damaged_checkpoint_is_skipped(saved, tmp_path):
    """A flipped bit and a page of zeros in the numbers of the newest."""
    compiled, folder = saved
    expected = load_file(folder / "saved.safetensors")
    path = folder / "ck/step-4/tensors.safetensors"
    good = path.read_bytes()
    start = 8 + int.from_bytes(good[:8], "little")
    flipped = bytearray(good)
    flipped[(start + len(good)) // 2] ^= 1
    page = (start // 4096 + 2) * 4096
    zeros = good[:page] + bytes(4096) + good[page + 4096 :]
    for damaged in (bytes(flipped), zeros):
        assert damaged != good
        path.write_bytes(damaged)
        output = tmp_path / "resumed.safetensors"
        result = train(compiled, "--checkpoint", folder / "ck", "--resume", "--save", output)
        assert f"skipped checkpoint {folder}/ck/step-4: {path} is damaged" in result.stderr
        assert "resumed after step 2" in result.stdout
        resumed = load_file(output)
        assert all(np.array_equal(expected[name], resumed[name]) for name in expected)
