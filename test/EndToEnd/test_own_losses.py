# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Losses that are no LLaMA: what is not recognized stays StableHLO and still compiles."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from harness import ALL_CASES, ranks_of, relative_error, run, tool
from safetensors.numpy import load_file

import boost_mlir
from boost_mlir import testing
from boost_mlir.export import export
from boost_mlir.naming import named_leaves

RANDOM = np.random.default_rng(5)


def normal(*shape):
    return RANDOM.standard_normal(shape, np.float32)


def regression(params, x, y):
    """Biases, a gelu, a bottleneck without an activation."""
    hidden = jax.nn.gelu(x @ params["w"] + params["b"])
    return jnp.mean((hidden @ params["low"][0] @ params["low"][1] - y) ** 2)


REGRESSION = (
    {"w": normal(12, 16), "b": normal(16), "low": [normal(16, 4), normal(4, 12)]},
    {"x": normal(8, 12), "y": normal(8, 12)},
)


def layer_norm(x, scale, bias):
    mean = jnp.mean(x, axis=-1, keepdims=True)
    variance = jnp.var(x, axis=-1, keepdims=True)
    return (x - mean) / jnp.sqrt(variance + 1e-5) * scale + bias


def gpt(params, tokens, targets):
    """A block in the manner of GPT-2: layer norm, learned positions, fused q, k, v."""
    x = params["embed"][tokens] + params["position"]
    y = layer_norm(x, params["scale"], params["bias"])
    q, k, v = jnp.split((y @ params["qkv"]).reshape(*x.shape[:2], 2, -1), 3, axis=-1)
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / jnp.sqrt(q.shape[-1])
    mask = jnp.tril(jnp.ones((x.shape[1], x.shape[1]), bool))
    weights = jax.nn.softmax(jnp.where(mask, scores, -1e9), axis=-1)
    x = x + jnp.einsum("bhqk,bkhd->bqhd", weights, v).reshape(x.shape) @ params["out"]
    logits = x @ params["embed"].T
    labels = jax.nn.one_hot(targets, logits.shape[-1])
    return -jnp.mean(jnp.sum(labels * jax.nn.log_softmax(logits), axis=-1))


GPT = (
    {
        "embed": 0.1 * normal(20, 16),
        "position": 0.1 * normal(6, 16),
        "scale": 1 + 0.1 * normal(16),
        "bias": 0.1 * normal(16),
        "qkv": 0.2 * normal(16, 48),
        "out": 0.2 * normal(16, 16),
    },
    {name: RANDOM.integers(0, 20, (4, 6), dtype=np.int32) for name in ("tokens", "targets")},
)


def encoder(params, x, y):
    """Attention without a mask, a soft threshold, reductions over several axes."""
    q, k = x @ params["q"], x @ params["k"]
    weights = jax.nn.softmax(jnp.einsum("bqd,bkd->bqk", q, k), axis=-1)
    z = jnp.tanh(jnp.einsum("bqk,bkd->bqd", weights, x)) * jax.nn.sigmoid(params["gate"])
    z = jnp.maximum(z, 0.1 * z).max(axis=1)
    return jnp.sqrt(jnp.mean(jnp.abs(z - y) ** 3, axis=(0, 1)) + 1e-3) + 0.01 * jnp.sum(q**2)


ENCODER = (
    {"q": normal(8, 8), "k": normal(8, 8), "gate": normal(8)},
    {"x": normal(4, 6, 8), "y": normal(4, 8)},
)


def rounding(params, x):
    """Values that are rounded on purpose: folding a pair of conversions would not be the loss."""
    y = (x @ params["w"]).astype(jnp.bfloat16).astype(jnp.float32)
    return jnp.mean(jax.lax.reduce_precision(y * params["b"], 8, 7) * y)


ROUNDING = ({"w": normal(8, 8), "b": normal(8)}, {"x": normal(4, 8)})


def experts(params, x, y):
    """The two best experts of four, a cumulative sum, a margin of the best and the median."""
    weights, chosen = jax.lax.top_k(jax.nn.softmax(x @ params["router"]), 2)
    hidden = jnp.einsum("bd,edh->beh", x, params["up"])
    hidden = jax.nn.silu(jnp.take_along_axis(hidden, chosen[..., None], axis=1))
    z = jnp.cumsum(jnp.sum(weights[..., None] * hidden, axis=1), axis=1)
    out = z @ params["down"]
    best = jnp.take_along_axis(out, jnp.argmax(out, axis=1)[:, None], axis=1)
    margin = jnp.mean(best - jnp.median(out, axis=1, keepdims=True))
    used = jnp.zeros(4).at[chosen.ravel()].add(weights.ravel())
    return jnp.mean((out - y) ** 2) - 0.1 * margin + 0.01 * jnp.sum(used**2)


EXPERTS = (
    {"router": normal(8, 4), "up": normal(4, 8, 6), "down": normal(6, 8)},
    {"x": normal(8, 8), "y": normal(8, 8)},
)


def classifier(params, x, y):
    """Rows without a label, one sum over the classes and the rows."""
    hidden = jnp.tanh(x @ params["up"])
    labels = jax.nn.one_hot(y - 1, 10)
    return -jnp.sum(labels * jax.nn.log_softmax(hidden @ params["head"])) / jnp.sum(labels)


CLASSIFIER = (
    {"up": normal(12, 16), "head": normal(16, 10)},
    {"x": normal(8, 12), "y": RANDOM.integers(0, 11, 8, dtype=np.int32)},
)

def other_rows(params, x, labels, weights):
    """As many sequences as positions, and each time another row's share of the loss."""
    logits = x @ params["head"]
    total = jax.nn.logsumexp(logits, axis=-1)
    pick = lambda rows: jnp.take_along_axis(rows, labels[..., None], axis=-1)[..., 0]
    shift = jnp.max(logits, axis=-1)
    shifted = jnp.log(jnp.sum(jnp.exp(logits - shift[..., None]), axis=-1)) + shift.T
    losses = (total - pick(logits).T, -pick(logits - total.T[..., None]), shifted - pick(logits))
    return sum(jnp.mean(loss * weights**i) for i, loss in enumerate(losses, 1))


OTHER_ROWS = (
    {"head": normal(12, 16)},
    {
        "x": normal(6, 6, 12),
        "labels": RANDOM.integers(0, 16, (6, 6), dtype=np.int32),
        "weights": normal(6, 6),
    },
)


def latents(params, x):
    """Raw latents with other readers: a sum before the second factor, a reciprocal."""
    first, second, third = (x @ down for down in params["down"])
    both = first + second
    wide = first @ params["up"][0] + (third * (1 / third) + third) @ params["up"][1]
    return jnp.mean(wide**2) + jnp.mean(jnp.tanh(both) ** 2)


LATENTS = (
    {"down": [normal(12, 4) for _ in range(3)], "up": [normal(4, 12) for _ in range(2)]},
    {"x": normal(8, 12)},
)


def shared(params, tokens, targets, positions, mask):
    """Positions and a mask that all sequences share; a gate of one column, a router of three."""
    x = params["embed"][tokens] + params["position"][positions]
    scores = jnp.einsum("bqd,bkd->bqk", x @ params["query"], x) / 4
    x = x + jnp.einsum("bqk,bkd->bqd", jax.nn.softmax(jnp.where(mask, scores, -1e9)), x)
    x = jnp.tanh(x @ params["w"]) * jax.nn.sigmoid(x @ params["gate"])
    route = jax.nn.softmax(x @ params["router"])
    x = sum(route[..., i : i + 1] * (x @ params["experts"][i]) for i in range(3))
    less = params["bias"].at[tokens[0]].subtract(jnp.sum(x[0], axis=-1))
    logits = jax.nn.log_softmax(x @ params["head"] + less)
    return -jnp.mean(jnp.take_along_axis(logits, targets[..., None], axis=-1))


SHARED = (
    {
        "embed": 0.3 * normal(12, 16),
        "position": 0.3 * normal(5, 16),
        "query": 0.3 * normal(16, 16),
        "w": 0.3 * normal(16, 16),
        "gate": 0.3 * normal(16, 1),
        "router": 0.3 * normal(16, 3),
        "experts": 0.3 * normal(3, 16, 16),
        "head": 0.3 * normal(16, 12),
        "bias": 0.3 * normal(12),
    },
    {
        "tokens": RANDOM.integers(0, 12, (4, 5), dtype=np.int32),
        "targets": RANDOM.integers(0, 12, (4, 5), dtype=np.int32),
        "positions": np.array([[3, 1, 0, 4, 2]], np.int32),
        "mask": np.tril(np.ones((5, 5), bool)),
    },
)


def nothing(params, x, extra):
    """Tensors without elements: a bottleneck of rank 0, a batch and a slice of no rows."""
    first, last = params["w"][:0], params["w"][0:]
    y = x @ jnp.concatenate([first, last]) + (x @ params["down"]) @ params["up"]
    sums = jnp.sum(jnp.tanh(extra.reshape(3, 0, 2))) + jnp.sum(jax.nn.softmax(first, axis=-1))
    rows = jnp.max(params["w"][:, :0], axis=1, initial=0.5) + jnp.pad(first[:, 0], (1, 11))
    return jnp.mean(y**2) + jnp.sum(sums + rows * x[0])


NOTHING = (
    {"w": normal(12, 12), "down": normal(12, 0), "up": normal(0, 12), "unread": normal(2, 0, 3)},
    {"x": normal(8, 12), "extra": normal(0, 12)},
)


def corners(params, x):
    """Where JAX gives `relu` and `relu6` no gradient, and a maximum half of one."""
    relu6 = jax.checkpoint(jax.vmap(jax.nn.relu6))
    kept = jnp.maximum(params["w"], 0) * x
    return jnp.mean(jax.nn.relu(params["w"]) * x + relu6(params["w"]) * x**2 + kept)


CORNERS = (
    {"w": np.array([[-2, 0, 3, 6], [0, -0.0, 6, 8]], np.float32)},
    {"x": normal(2, 4)},
)

def mixer(params, x, y):
    """Short convolutions over time, of each channel and of all; a system as linear attentions
    solve; what is largest, and the gradient of its choice."""
    lies = {"dimension_numbers": ("NWC", "WIO", "NWC")}
    h = x @ params["up"]
    h = jax.lax.conv_general_dilated(
        h, params["short"], (1,), [(3, 0)], feature_group_count=8, **lies
    )
    h = jax.lax.conv_general_dilated(jax.nn.silu(h), params["full"], (1,), "SAME", **lies)
    a = 0.05 * jnp.einsum("btc,bsc->bts", h, h) + 2 * jnp.eye(h.shape[1])
    h = jax.lax.linalg.triangular_solve(a, h, left_side=True, lower=True)
    pool = lambda z, strides: jax.lax.reduce_window(
        z, -jnp.inf, jax.lax.max, (1, 2, 2), strides, "VALID"
    )
    slope = jax.grad(lambda z: jnp.sum(jnp.sin(pool(z, (1, 2, 2)))))(h)
    return jnp.mean((h @ params["down"] - y) ** 2 + jnp.mean(pool(h, (1, 1, 1)) + slope.sum()))


MIXER = (
    {
        "up": normal(4, 8),
        "short": normal(4, 1, 8),
        "full": 0.3 * normal(3, 8, 8),
        "down": normal(8, 4),
    },
    {"x": normal(4, 6, 4), "y": normal(4, 6, 4)},
)

LOSSES = {
    "mixer": (mixer, *MIXER),
    "shared": (shared, *SHARED),
    "nothing": (nothing, *NOTHING),
    "corners": (corners, *CORNERS),
    "other rows": (other_rows, *OTHER_ROWS),
    "latents": (latents, *LATENTS),
    "regression": (regression, *REGRESSION),
    "gpt": (gpt, *GPT),
    "encoder": (encoder, *ENCODER),
    "classifier": (classifier, *CLASSIFIER),
    "rounding": (rounding, *ROUNDING),
    "experts": (experts, *EXPERTS),
}


# The suite tries several ranks only, which imply one; BOOST_ALL_CASES=1 tries one as well.
LAYOUTS = [("auto", "tp=2"), ("replicated", "dp=2"), *([("auto", "1")] if ALL_CASES else [])]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("placement, mesh", LAYOUTS)
@pytest.mark.parametrize("name", LOSSES)
def test_loss_and_gradients_are_those_of_jax(tmp_path, name, placement, mesh):
    loss, params, batch = LOSSES[name]
    model, binary = tmp_path / "loss.mlir", tmp_path / "program"
    inputs, outputs = tmp_path / "in.safetensors", tmp_path / "out.safetensors"
    model.write_text(export(loss, params, *batch.values()))
    boost_mlir.save(inputs, params, batch)
    options = ("--mesh", mesh, "--placement", placement, "--allow-float-batch")
    run(tool("boost-compile"), model, *options, "-o", binary)
    launcher = ["mpirun", "--oversubscribe", "-np", ranks_of(mesh)] if ranks_of(mesh) > 1 else []
    run(*launcher, binary, "eval", "--inputs", inputs, "--outputs", outputs, "--gradients")

    value, gradients = testing.value_and_grad(loss, params, *batch.values())
    results = load_file(outputs)
    assert float(results["loss"]) == pytest.approx(value, rel=1e-5)
    for leaf, _ in named_leaves(params):
        assert relative_error(results[f"grad.{leaf}"], gradients[leaf]) < 2e-5, leaf
