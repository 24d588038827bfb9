# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The files that programs read."""

import json

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from harness import run, tool
from safetensors.numpy import load_file, save_file

import boost_mlir
from boost_mlir import data
from boost_mlir.export import export


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


# The elements of every batch argument, as a file holds them.
UNSIGNED_INPUTS = {
    "bytes": np.array([200, 255], np.uint8),
    "halves": np.array([2**15 + 5, 65535], np.uint16),
    "words": np.array([2**31 + 256, 3], np.uint32),
    "short": np.array([-(2**15), 1000], np.int16),
    "flags": np.array([True, False]),
}


def sum_of_products(w, **batch):
    return jnp.sum(w * sum(each.astype(jnp.float32) for each in batch.values()))


@pytest.fixture(scope="module")
def unsigned(tmp_path_factory):
    """A program with batch arguments of unsigned and of short integers."""
    path = tmp_path_factory.mktemp("unsigned") / "unsigned.mlir"
    shapes = {name: jax.ShapeDtypeStruct(x.shape, x.dtype) for name, x in UNSIGNED_INPUTS.items()}
    export(sum_of_products, jax.ShapeDtypeStruct((2,), np.float32), init="ones", **shapes).save(path)
    for mesh, name in (("1", "program"), ("dp=2", "program2")):
        run(tool("boost-compile"), path, "--mesh", mesh, "-o", path.parent / name)
    return path


@pytest.mark.parametrize("wide", [False, True])
def test_unsigned_inputs(unsigned, tmp_path, wide):
    """As they are, and in wider integers."""
    inputs, outputs = tmp_path / "in.safetensors", tmp_path / "out.safetensors"
    w = np.array([1, 2], np.float32)
    expected = float(np.dot(w, sum(x.astype(np.float64) for x in UNSIGNED_INPUTS.values())))
    values = {"params": w} | UNSIGNED_INPUTS
    if wide:
        wider = {"short": np.int64, "flags": np.uint8}
        values |= {name: values[name].astype(dtype) for name, dtype in wider.items()}
    save_file(values, inputs)
    programs = (["program"], ["mpirun", "--oversubscribe", "-np", 2, "program2"])
    for *launcher, program in programs:
        run(*launcher, unsigned.parent / program, "eval", "--inputs", inputs, "--outputs", outputs)
        assert load_file(outputs)["loss"] == pytest.approx(expected, rel=1e-6)
    run(
        *(tool("boost-eval"), unsigned, "--function=main"),
        *(f"--inputs={inputs}", f"--outputs={outputs}"),
    )
    assert list(load_file(outputs).values()) == pytest.approx([expected], rel=1e-6)


def next_token(params, tokens):
    """The mean of embeddings that follow each other, as a product."""
    return jnp.mean(params[tokens[:, :-1]] * params[tokens[:, 1:]])


@pytest.mark.parametrize(
    "dtype, vocab, largest",
    [(np.uint16, 40000, 39999), (np.uint8, 40000, 255), (np.int16, 30000, 29999)],
)
def test_ids_up_to_the_last_of_their_type(tmp_path, dtype, vocab, largest):
    model, program, path = (tmp_path / name for name in ("m.mlir", "program", "in.safetensors"))
    params = np.random.default_rng(3).standard_normal((vocab, 2)).astype(np.float32)
    tokens = np.array([[0, largest, 5, largest - 1, 7]], dtype)
    export(next_token, params, tokens).save(model)
    run(tool("boost-compile"), model, "--mesh", "1", "-o", program)

    save_file({"params": params, "tokens": tokens}, path)
    outputs = tmp_path / "out.safetensors"
    run(program, "eval", "--inputs", path, "--outputs", outputs)
    assert load_file(outputs)["loss"] == pytest.approx(float(next_token(params, tokens)), rel=1e-5)

    data.write_tokens(tmp_path / "tokens.bin", np.full(64, largest, np.uint16))
    run(program, "train", "--data", tmp_path / "tokens.bin", "--steps", 2)
    data.write_tokens(tmp_path / "tokens.bin", np.full(64, largest + 1, np.uint16))
    result = run(program, "train", "--data", tmp_path / "tokens.bin", "--steps", 2, check=False)
    assert result.returncode == 3 and f"below {largest + 1}" in result.stderr
    # Negative numbers of a signed file, and those of an unsigned one that a signed type has not.
    other = {np.uint16: np.int16, np.uint8: np.int8, np.int16: np.uint16}[dtype]
    save_file({"params": params, "tokens": np.full(tokens.shape, largest + 1).astype(other)}, path)
    if dtype != np.uint8:
        result = run(program, "eval", "--inputs", path, check=False)
        assert result.returncode == 3 and "ids are at least 0" in result.stderr


def test_booleans_that_are_none(unsigned, tmp_path):
    path = tmp_path / "in.safetensors"
    save_file({"params": np.ones(2, np.float32)} | UNSIGNED_INPUTS, path)
    content = bytearray(path.read_bytes())
    content[content.rindex(b"\1\0")] = 2
    path.write_bytes(content)
    result = run(unsigned.parent / "program", "eval", "--inputs", path, check=False)
    assert result.returncode == 3
    assert "'flags'" in result.stderr
