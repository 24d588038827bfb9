# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention with rows of which a bias hides every key.

The bias is so large that f32 has no digits for what is added to it: all scores of such a row are
equal, and its result is the mean of the values. Gradients flow through it all the same."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from harness import CUDA, relative_error, run, tool
from safetensors.numpy import load_file

import boost_mlir
from boost_mlir.export import export

RANDOM = np.random.default_rng(7)
BATCH, LENGTH, WIDTH, HEADS = 2, 6, 32, 2
# The last queries see nothing; a sequence of the batch sees one key less.
SEEN = np.arange(LENGTH) < np.array([[4], [3]])

NUMBERS = {"finfo.min": lambda dtype: jnp.finfo(dtype).min, "-1e9": lambda dtype: -1e9}
TYPES = {"f32": jnp.float32, "bf16": jnp.bfloat16}
# Relative to the norm: of f32, and of a few roundings to bf16.
TOLERANCES = {"f32": 1e-5, "bf16": 2e-2}
TARGETS = {"cpu": (), "gpu": CUDA}


def make_loss(number, spelling):
    """`two biases`, of queries and of keys, are minus infinity together where both hide a key."""

    def loss(params, x, seen):
        q, k, v = ((x @ params[name]).reshape(BATCH, LENGTH, HEADS, -1) for name in "qkv")
        hides = ~(seen[:, None, :, None] & seen[:, None, None, :])
        bias = jnp.where(hides, number(q.dtype), 0.0)
        if spelling == "two biases":
            queries, keys = (jnp.where(seen, 0.0, number(q.dtype)) for _ in range(2))
            bias = queries[:, None, :, None] + keys[:, None, None, :]
        if spelling == "scores":
            scores = jnp.einsum("bqhd,bkhd->bhqk", q, k).astype(jnp.float32) / 4 + bias
            weights = jax.nn.softmax(scores).astype(v.dtype)
            y = jnp.einsum("bhqk,bkhd->bqhd", weights, v)
        else:
            y = jax.nn.dot_product_attention(q, k, v, bias=bias.astype(q.dtype))
        y = y.reshape(x.shape) @ params["out"]
        return jnp.mean(jnp.square(y.astype(jnp.float32) - 0.1))

    return loss


# The spelling of the attention, its type, and what runs it.
CASES = [
    ("scores", "f32", "cpu"),
    ("scores", "f32", "gpu"),
    ("two biases", "f32", "cpu"),
    ("attention", "bf16", "cpu"),
    ("attention", "bf16", "gpu"),
]


@pytest.mark.parametrize("spelling, type, target", CASES)
@pytest.mark.parametrize("number", NUMBERS)
def test_a_bias_that_hides_whole_rows(number, spelling, type, target, tmp_path):
    params = {
        name: (0.3 * RANDOM.standard_normal((WIDTH, WIDTH))).astype(TYPES[type])
        for name in ("q", "k", "v", "out")
    }
    x = RANDOM.standard_normal((BATCH, LENGTH, WIDTH)).astype(TYPES[type])
    loss = make_loss(NUMBERS[number], spelling)
    text, inputs = tmp_path / "loss.mlir", tmp_path / "inputs.safetensors"
    binary, outputs = tmp_path / "train", tmp_path / "outputs.safetensors"
    text.write_text(export(loss, params, x, SEEN))
    boost_mlir.save(inputs, params, {"x": x, "seen": SEEN})
    options = ("--allow-float-batch", "--verify", *TARGETS[target])
    compiled = run(tool("boost-compile"), text, *options, "-o", binary)
    assert "1 attention" in compiled.stderr
    run(binary, "eval", "--inputs", inputs, "--outputs", outputs, "--gradients")

    wide = jax.tree.map(lambda value: np.asarray(value, np.float32), (params, x))
    value, gradients = jax.jit(jax.value_and_grad(loss))(*wide, SEEN)
    results = load_file(outputs)
    assert float(results["loss"]) == pytest.approx(float(value), rel=TOLERANCES[type])
    for name, gradient in gradients.items():
        error = relative_error(results[f"grad.{name}"], np.asarray(gradient, np.float64))
        assert error < TOLERANCES[type], name
    run(binary, "eval", "--inputs", inputs, "--verify")
