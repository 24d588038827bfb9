# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention with rows of which a bias, or a bias and a mask, hide every key.

The bias is so large that f32 has no digits for what is added to it: all scores of such a row are
equal, and its result is the mean of the values. Gradients flow through it all the same. A mask
beside it puts in numbers of its own: keys that it hides have the weight of the row if that is
higher than the bias, and a part of it if it is the same."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from harness import CUDA, compiler, relative_error, run
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


LOWEST = np.finfo(np.float32).min
POSITIONS = np.arange(LENGTH)
CAUSAL = POSITIONS[:, None] >= POSITIONS
# The last query sees nothing, and no key that is two or more before it is seen.
NEAR = (abs(POSITIONS[:, None] - POSITIONS) < 2) & (POSITIONS[:, None] < LENGTH - 1)


def softmax_of(make_scores):
    def attend(q, k, v, bias):
        scores = make_scores(jnp.einsum("bqhd,bkhd->bhqk", q, k) / 4, bias)
        return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v)

    return attend


def attention_of(**options):
    return lambda q, k, v, bias: jax.nn.dot_product_attention(q, k, v, bias=bias, **options)


# Number that the bias hides the first keys by, the attention, and whether it is fused.
BOTH = {
    "causal": (LOWEST, attention_of(is_causal=True), False),
    "mask": (LOWEST, attention_of(mask=NEAR[None, None]), False),
    "infinite bias": (-np.inf, attention_of(is_causal=True), False),
    "mask above bias": (-1e9, attention_of(mask=NEAR[None, None]), True),
    "equal numbers": (LOWEST, softmax_of(lambda s, b: jnp.where(NEAR, s + b, LOWEST)), False),
    "bias on top": (-1e9, softmax_of(lambda s, b: jnp.where(CAUSAL, s, -1e9) + b), False),
    "small bias on top": (-1e3, softmax_of(lambda s, b: jnp.where(NEAR, s, -1e9) + b), False),
    "causal bias": (LOWEST, softmax_of(lambda s, b: s + jnp.where(CAUSAL, 0, LOWEST) + b), True),
    "two masks": (
        -1,
        softmax_of(lambda s, b: jnp.where(NEAR, jnp.where(CAUSAL, s + b, -1e9), LOWEST)),
        False,
    ),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "spelling, target", [*((each, "cpu") for each in BOTH), ("causal", "gpu"), ("causal bias", "gpu")]
)
def test_a_bias_and_a_mask_that_hide_rows_together(spelling, target, tmp_path):
    number, attend, is_fused = BOTH[spelling]

    def loss(params, x, seen):
        q, k, v = ((x @ params[name]).reshape(BATCH, LENGTH, HEADS, -1) for name in "qkv")
        bias = jnp.where(seen[:, None, None], 0.0, jnp.float32(number))
        y = attend(q, k, v, bias).reshape(x.shape) @ params["out"]
        return jnp.mean(jnp.square(y - 0.1))

    compiled = compare_with_jax(loss, "f32", TARGETS[target], tmp_path, SEEN[:, ::-1].copy())
    assert ("1 attention" in compiled.stderr) == is_fused
    assert ("attention is not fused" in compiled.stderr) != is_fused


@pytest.mark.one_in(3)
@pytest.mark.parametrize("spelling, type, target", CASES)
@pytest.mark.parametrize("number", NUMBERS)
def test_a_bias_that_hides_whole_rows(number, spelling, type, target, tmp_path):
    loss = make_loss(NUMBERS[number], spelling)
    assert "1 attention" in compare_with_jax(loss, type, TARGETS[target], tmp_path).stderr


def compare_with_jax(loss, type, target, tmp_path, seen=SEEN):
    """Compiles a loss; its value and gradients are those of JAX, and --verify finds them within bounds."""
    params = {
        name: (0.3 * RANDOM.standard_normal((WIDTH, WIDTH))).astype(TYPES[type])
        for name in ("q", "k", "v", "out")
    }
    x = RANDOM.standard_normal((BATCH, LENGTH, WIDTH)).astype(TYPES[type])
    text, inputs = tmp_path / "loss.mlir", tmp_path / "inputs.safetensors"
    binary, outputs = tmp_path / "train", tmp_path / "outputs.safetensors"
    text.write_text(export(loss, params, x, seen))
    boost_mlir.save(inputs, params, {"x": x, "seen": seen})
    options = ("--allow-float-batch", "--verify", *target)
    compiled = run(compiler(*options), text, *options, "-o", binary)
    run(binary, "eval", "--inputs", inputs, "--outputs", outputs, "--gradients")

    wide = jax.tree.map(lambda value: np.asarray(value, np.float32), (params, x))
    value, gradients = jax.jit(jax.value_and_grad(loss))(*wide, seen)
    results = load_file(outputs)
    assert float(results["loss"]) == pytest.approx(float(value), rel=TOLERANCES[type])
    for name, gradient in gradients.items():
        error = relative_error(results[f"grad.{name}"], np.asarray(gradient, np.float64))
        assert error < TOLERANCES[type], name
    run(binary, "eval", "--inputs", inputs, "--verify")
    return compiled
