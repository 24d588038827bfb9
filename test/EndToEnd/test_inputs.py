# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What programs make of the files that they read."""

import json

import numpy as np
import pytest
from harness import run, tool
from safetensors.numpy import load_file, save_file

import boost_mlir
from boost_mlir import data


# mean((sum(w) + tokens - targets)^2), of which one batch argument is sharded over the sequence.
CUT_APART = """\
module @jit_loss {
  func.func public @main(%w: tensor<4xf32> {boost.arg = "param", boost.name = "w"},
      %tokens: tensor<2x4096xi32> {boost.arg = "batch", boost.name = "tokens",
          boost.sharding = #boost.sharding<{}, {"tp"}>},
      %targets: tensor<2x4096xi32> {boost.arg = "batch", boost.name = "targets"}) -> tensor<f32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %count = stablehlo.constant dense<8192.0> : tensor<f32>
    %sum = stablehlo.reduce(%w init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    %offset = stablehlo.broadcast_in_dim %sum, dims = [] : (tensor<f32>) -> tensor<2x4096xf32>
    %x = stablehlo.convert %tokens : (tensor<2x4096xi32>) -> tensor<2x4096xf32>
    %y = stablehlo.convert %targets : (tensor<2x4096xi32>) -> tensor<2x4096xf32>
    %d = stablehlo.subtract %x, %y : tensor<2x4096xf32>
    %e = stablehlo.add %d, %offset : tensor<2x4096xf32>
    %s = stablehlo.multiply %e, %e : tensor<2x4096xf32>
    %total = stablehlo.reduce(%s init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x4096xf32>, tensor<f32>) -> tensor<f32>
    %loss = stablehlo.divide %total, %count : tensor<f32>
    return %loss : tensor<f32>
  }
}
"""


def test_batch_arguments_that_are_cut_differently(tmp_path):
    path, log = tmp_path / "apart.mlir", tmp_path / "log.jsonl"
    path.write_text(CUT_APART)
    run(
        *(tool("boost-compile"), path, "--mesh", "tp=2", "--placement", "given"),
        *("--optimizer", "adamw", "-o", tmp_path / "train"),
    )
    info = json.loads(run(tmp_path / "train", "info").stdout)
    assert [tensor["split"] for tensor in info["batch"]] == [[[], ["tp"]], [[], []]]
    tokens = np.random.default_rng(0).integers(0, 1000, 8193)
    data.write_tokens(tmp_path / "tokens.bin", tokens.astype(np.uint16))
    save_file({"w": np.full(4, 0.5, np.float32)}, tmp_path / "w.safetensors")
    run(
        *("mpirun", "-np", 2, "--oversubscribe", tmp_path / "train", "train", "--steps", 1),
        *("--data", tmp_path / "tokens.bin", "--init", tmp_path / "w.safetensors", "--log", log),
        *("--batch", "tokens=inputs"),
    )
    expected = np.mean((2 + tokens[:-1] - tokens[1:]) ** 2.0)
    (record,) = boost_mlir.read_log(log)
    assert record["loss"] == pytest.approx(expected, rel=1e-5)


# sum(w * (bytes + words + flags))
UNSIGNED = """\
module @jit_loss {
  func.func public @main(%w: tensor<2xf32> {boost.arg = "param", boost.name = "w"},
      %bytes: tensor<2xui8> {boost.arg = "batch", boost.name = "bytes"},
      %words: tensor<2xui32> {boost.arg = "batch", boost.name = "words"},
      %flags: tensor<2xi1> {boost.arg = "batch", boost.name = "flags"}) -> tensor<f32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %a = stablehlo.convert %bytes : (tensor<2xui8>) -> tensor<2xf32>
    %b = stablehlo.convert %words : (tensor<2xui32>) -> tensor<2xf32>
    %c = stablehlo.convert %flags : (tensor<2xi1>) -> tensor<2xf32>
    %ab = stablehlo.add %a, %b : tensor<2xf32>
    %abc = stablehlo.add %ab, %c : tensor<2xf32>
    %p = stablehlo.multiply %w, %abc : tensor<2xf32>
    %loss = stablehlo.reduce(%p init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<f32>
    return %loss : tensor<f32>
  }
}
"""
UNSIGNED_INPUTS = {
    "w": np.array([1, 2], np.float32),
    "bytes": np.array([200, 255], np.uint8),
    "words": np.array([2**31 + 256, 3], np.uint32),
    "flags": np.array([True, False]),
}


@pytest.fixture(scope="module")
def unsigned(tmp_path_factory):
    """A program with unsigned batch arguments."""
    path = tmp_path_factory.mktemp("unsigned") / "unsigned.mlir"
    path.write_text(UNSIGNED)
    run(tool("boost-compile"), path, "--mesh", "1", "-o", path.parent / "program")
    return path


@pytest.mark.parametrize("wide", [False, True])
def test_unsigned_inputs(unsigned, tmp_path, wide):
    """As they are, and bytes in wider integers."""
    inputs, outputs = tmp_path / "in.safetensors", tmp_path / "out.safetensors"
    values = UNSIGNED_INPUTS | {"flags": np.array([1, 0], np.uint8)} if wide else UNSIGNED_INPUTS
    save_file(values, inputs)
    expected = 200 + 2**31 + 256 + 1 + 2 * (255 + 3)
    run(unsigned.parent / "program", "eval", "--inputs", inputs, "--outputs", outputs)
    assert load_file(outputs)["loss"] == pytest.approx(expected, rel=1e-6)
    run(
        *(tool("boost-eval"), unsigned, "--function=main"),
        *(f"--inputs={inputs}", f"--outputs={outputs}"),
    )
    assert list(load_file(outputs).values()) == pytest.approx([expected], rel=1e-6)


def test_booleans_that_are_none(unsigned, tmp_path):
    path = tmp_path / "in.safetensors"
    save_file(UNSIGNED_INPUTS, path)
    content = bytearray(path.read_bytes())
    content[content.rindex(b"\1\0")] = 2
    path.write_bytes(content)
    result = run(unsigned.parent / "program", "eval", "--inputs", path, check=False)
    assert result.returncode == 3
    assert "'flags'" in result.stderr
