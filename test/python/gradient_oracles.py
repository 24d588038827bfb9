# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cases of test/unit/Rules/Cases, written in JAX."""

import jax
import jax.numpy as jnp
from jax import lax


def _clamp(low, x, high):
    # Not lax.clamp, whose gradient is not that of its value where low > high.
    return jnp.minimum(jnp.maximum(x, low), high)


def _gather_rows(a, i):
    return a[jnp.clip(i[..., 0], 0, a.shape[0] - 1)]


def _slices(starts, sizes):
    """Slices of `a` at places that `starts` reads from an index vector."""
    return lambda a, i: jax.vmap(lambda row: lax.dynamic_slice(a, starts(row), sizes))(i)


def _rms_norm(x, gamma, eps=2.0**-10):
    return gamma * x / jnp.sqrt(jnp.mean(x * x, axis=-1, keepdims=True) + eps)


def _layer_norm(x, gamma, beta, eps=2.0**-10):
    centered = x - jnp.mean(x, axis=-1, keepdims=True)
    variance = jnp.mean(centered**2, axis=-1, keepdims=True)
    return gamma * centered / jnp.sqrt(variance + eps) + beta


def _bottleneck_layer_norm(x, gamma, beta, down, up):
    latent = jnp.einsum("td,dbr->tbr", _layer_norm(x, gamma, beta), down)
    return jnp.einsum("tbr,brn->btn", latent, up)


def _bottleneck_norm_latent_ups(x, gamma, down, up0, up1, latent):
    raw = _rms_norm(x, gamma) @ down
    z = raw + latent
    return z[:, :4] @ up0, z[:, 4:] @ up1, raw


def _attention(causal, soft_cap=None):
    def attention(q, k, v, bias=0, mask=True, scale=0.5):
        group = q.shape[2] // k.shape[2]
        k, v = (jnp.repeat(x, group, axis=2) for x in (k, v))
        scores = scale * jnp.einsum("bihd,bjhd->bhij", q, k)
        if soft_cap:
            scores = soft_cap * jnp.tanh(scores / soft_cap)
        seen = jnp.broadcast_to(mask, scores.shape)
        if causal:
            seen &= jnp.tri(q.shape[1], dtype=bool)
        some = jnp.any(seen, axis=-1, keepdims=True)
        scores = jnp.where(some, jnp.where(seen, scores + bias, -jnp.inf), 0)
        lse = jax.nn.logsumexp(scores, axis=-1)
        weights = jnp.exp(scores - lse[..., None])
        return jnp.einsum("bhij,bjhd->bihd", weights, v), lse

    return attention


def _cross_entropy(logits, labels):
    lse = jax.nn.logsumexp(logits, axis=-1)
    picked = jnp.take_along_axis(logits, labels[..., None], axis=-1)[..., 0]
    return lse - picked, lse


def _same(x):
    return x


def _pad(low, high, interior):
    return lambda a, value: lax.pad(a, value, list(zip(low, high, interior)))


def _sort_by_keys(a, keys):
    order = jnp.argsort(-keys, axis=0, stable=True)
    return jnp.take_along_axis(a, order, 0)


def _scatter_add_windows(a, i, u):
    numbers = lax.ScatterDimensionNumbers((1, 2), (), (1, 0))
    return lax.scatter_add(a, i, u, numbers, mode=lax.GatherScatterMode.FILL_OR_DROP)


ORACLES = {
    # Elementwise.
    "abs": jnp.abs,
    "ceil": jnp.ceil,
    "cosine": jnp.cos,
    "exponential": jnp.exp,
    "exponential_minus_one": jnp.expm1,
    "floor": jnp.floor,
    "logistic": jax.nn.sigmoid,
    "negate": jnp.negative,
    "sign": jnp.sign,
    "sine": jnp.sin,
    "tanh": jnp.tanh,
    "tan": lambda a: jnp.tan(jnp.tanh(a)),
    "cbrt": jnp.cbrt,
    "atan2": jnp.arctan2,
    "round_nearest_afz": lambda a: lax.round(a, lax.RoundingMethod.AWAY_FROM_ZERO),
    "round_nearest_even": lambda a: lax.round(a, lax.RoundingMethod.TO_NEAREST_EVEN),
    "log": jnp.log,
    "log_plus_one": jnp.log1p,
    "rsqrt": lax.rsqrt,
    "sqrt": jnp.sqrt,
    "reduce_precision": lambda a: lax.reduce_precision(a, 8, 7),
    "add": jnp.add,
    "add_scalar": jnp.add,
    "add_same": lambda a: a + a,
    "add_zero": _same,
    "subtract": jnp.subtract,
    "subtract_same": lambda a: a - a,
    "multiply": jnp.multiply,
    "multiply_same": jnp.square,
    "divide": jnp.divide,
    "divide_same": lambda a: a / a,
    "maximum": lax.max,
    "minimum": lax.min,
    "power": lax.pow,
    "power_same": lambda a: lax.pow(a, a),
    "power_0": lambda a: lax.pow(a, jnp.full_like(a, 0.0)),
    "power_1": lambda a: lax.pow(a, jnp.full_like(a, 1.0)),
    "power_2": lambda a: lax.pow(a, jnp.full_like(a, 2.0)),
    "power_negative": lambda a: lax.pow(a, jnp.full_like(a, -1.5)),
    "remainder": lax.rem,
    "select": jnp.where,
    "select_scalar": jnp.where,
    "select_zero": lambda p, a: jnp.where(p, a, 0.0),
    "select_same": lambda p, a: jnp.where(p, a, a),
    "clamp": lambda a: lax.clamp(-0.2, a, 0.4),
    "clamp_bounds": _clamp,
    "clamp_tensors": _clamp,
    **dict.fromkeys(
        ("convert_f64_f32", "convert_f32_f64", "convert_bf16_f32", "convert_f32_bf16"), _same
    ),
    "optimization_barrier": lambda a, b: (a, b),
    "optimization_barrier_shapes": lambda a, b: (a, b),
    # Contractions.
    "dot": jnp.matmul,
    "dot_odd": jnp.matmul,
    "dot_bf16": jnp.matmul,
    "dot_bf16_to_f32": jnp.matmul,
    "dot_weight": jnp.matmul,
    "dot_same": lambda a: a @ a,
    "dot_transposed": lambda a, b: a.T @ b.T,
    "dot_batched": lambda a, b: jnp.einsum("aibk,ajbk->abij", a, b),
    "dot_batches_out_of_order": lambda a, b: jnp.einsum("abik,bkaj->baij", a, b),
    "dot_two_contracting": lambda a, b: jnp.einsum("kil,ljk->ij", a, b),
    "dot_outer": jnp.outer,
    "dot_scalar": jnp.dot,
    "reduce_add": lambda a: jnp.sum(a, 1),
    "reduce_add_two": lambda a: jnp.sum(a, (0, 2)),
    "reduce_add_all": jnp.sum,
    "reduce_add_none": _same,
    "reduce_add_from_one": lambda a: jnp.sum(a, 1) + 1,
    "reduce_add_bf16": lambda a: jnp.sum(a, 1),
    "reduce_add_init": lambda a, init: jnp.sum(a, 0) + init,
    "reduce_max": lambda a: jnp.max(a, (0, 2)),
    "reduce_max_bf16": lambda a: jnp.max(a, 1),
    "reduce_min": lambda a: jnp.min(a, 1),
    "reduce_max_from_half": lambda a: jnp.maximum(jnp.max(a, 1), 0.5),
    # Data movement.
    "broadcast": lambda a: jnp.broadcast_to(a[:, None], (4, 2, 8)),
    "broadcast_bf16": lambda a: jnp.broadcast_to(a, (8, 4, 4)),
    "broadcast_scalar": lambda a: jnp.broadcast_to(a, (4, 8)),
    "broadcast_ones": lambda a: jnp.broadcast_to(a, (4, 8, 2)),
    "broadcast_transposing": lambda a: jnp.broadcast_to(a.T[:, None], (8, 2, 4)),
    "broadcast_of_ones_in_ones": jnp.transpose,
    "reshape": lambda a: a.reshape(8, 4),
    "reshape_split": lambda a: a.reshape(4, 2, 4),
    "reshape_split_far": lambda a: a.reshape(4, 4, 2, 2),
    "reshape_merge": lambda a: a.reshape(16, 2),
    "reshape_odd": lambda a: a.reshape(4, 6),
    "reshape_ones": lambda a: a.reshape(8, 1, 4, 1),
    "reshape_to_scalar": lambda a: a.reshape(()),
    "transpose": lambda a: a.transpose(2, 0, 1),
    "reverse": lambda a: a[:, ::-1],
    "reverse_both": lambda a: a[::-1, :, ::-1],
    "slice": lambda a: a[1:3, 0:8:2],
    "slice_one_dim": lambda a: a[:, 2:7:3],
    "slice_all": _same,
    "concatenate": lambda a, b: jnp.concatenate((a, b, a), 1),
    "concatenate_along_all": lambda a, b, c: jnp.concatenate((a, b, c), 0),
    "concatenate_zero": lambda a: jnp.concatenate((a, jnp.zeros_like(a)), 0),
    "pad": _pad((1, 0), (0, 2), (0, 1)),
    "pad_one_dim": _pad((0, 2), (0, 2), (0, 0)),
    "pad_inside": _pad((0, 0), (0, 0), (2, 0)),
    "pad_negative": _pad((-1, 1), (1, -2), (0, 1)),
    "pad_cut_at_the_end": _pad((0, 0), (0, -2), (0, 0)),
    "pad_zero": lambda a: jnp.pad(a, ((0, 0), (0, 4))),
    # Computed places; ids also outside.
    "dynamic_slice": lambda a, i, j: lax.dynamic_slice(a, (i, j), (2, 3)),
    "dynamic_slice_rows": lambda a, i, j: lax.dynamic_slice(a, (i, j), (2, 8)),
    "dynamic_update_slice": lambda a, u, i, j: lax.dynamic_update_slice(a, u, (i, j)),
    "dynamic_update_slice_rows": lambda a, u, i, j: lax.dynamic_update_slice(a, u, (i, j)),
    "gather_rows": _gather_rows,
    "gather_rows_bf16": _gather_rows,
    "gather_columns": lambda a, i: a.T[:, jnp.clip(i[0], 0, a.shape[0] - 1)],
    "gather_rows_by_scalars": lambda a, i: a[i],
    "gather_columns": lambda a, i: jnp.moveaxis(a[jnp.clip(i[0], 0, 7)], -1, 0),
    "gather_windows": _slices(lambda row: (row[1], row[0]), (2, 2)),
    "gather_window_of_whole_rows": _slices(lambda row: (row[0], row[0] * 0), (2, 4)),
    "gather_batched": lambda a, i: jnp.take_along_axis(a, i[..., 0], 2),
    "gather_batches_out_of_order": lambda a, i: jnp.take_along_axis(
        a.transpose(2, 0, 1), i, 2
    )[..., 0],
    "gather_scalars": lambda a, i: a[jnp.clip(i, 0, 7)],
    # Windows, sorts and scatters.
    "cumulative_sum": lambda a: jnp.cumsum(a, 1),
    "cumulative_maximum": lambda a: lax.cummax(a, 0, reverse=True),
    "window_sum": lambda a: lax.reduce_window(
        a, 0.0, lax.add, (1, 2), (1, 2), ((0, 0), (2, 1)), window_dilation=(1, 2)
    ),
    "product_of_rows": lambda a: jnp.prod(a, 1),
    "sort_rows": lambda a: jnp.sort(a, 1),
    "sort_by_keys": _sort_by_keys,
    "scatter_add_rows": lambda a, i, u: a.at[i[:, 0]].add(u, mode="drop"),
    "scatter_add_onto_zeros": lambda i, u: jnp.zeros((8, 4)).at[i[:, 0]].add(u, mode="drop"),
    "scatter_add_windows": _scatter_add_windows,
    "scatter_maximum_of_rows": lambda a, i, u: a.at[i[:, 0]].max(u, mode="drop"),
    "scatter_batches": lambda a, i, u: a.at[jnp.arange(4)[:, None], i[..., 0]].set(u, mode="drop"),
    # boost.
    "linear": jnp.matmul,
    "linear_matrix": jnp.matmul,
    "linear_bf16": jnp.matmul,
    "linear_bf16_to_f32": jnp.matmul,
    "linear_transposed": lambda x, w: x @ w.T,
    "attention": _attention(causal=True),
    "attention_four_heads": _attention(causal=True),
    "attention_lse": _attention(causal=True),
    "attention_bf16": _attention(causal=True),
    "attention_one_key_head": _attention(causal=True),
    "attention_full": _attention(causal=False),
    "attention_lse_full": _attention(causal=False),
    "attention_operands": _attention(causal=False, soft_cap=0.75),
    "attention_causal_mask": _attention(causal=True),
    "embedding": lambda t, i: t[i],
    "embedding_bf16": lambda t, i: t[i],
    "embedding_outside": lambda t, i: t[jnp.clip(i, 0, 7)],
    "cross_entropy": _cross_entropy,
    "cross_entropy_lse": _cross_entropy,
    "cross_entropy_bf16": _cross_entropy,
    "cross_entropy_row": _cross_entropy,
    **dict.fromkeys(
        ("sum_of_squares", "sum_of_squares_mixed"), lambda a, b: jnp.sum(a * a) + jnp.sum(b * b)
    ),
    "rms_norm": _rms_norm,
    "rms_norm_bf16": _rms_norm,
    "layer_norm": _layer_norm,
    "layer_norm_bf16": _layer_norm,
    "bottleneck_layer_norm": _bottleneck_layer_norm,
    "bottleneck": lambda x, down, up: jax.nn.silu(x @ down) @ up,
    "bottleneck_norm_latent_ups": _bottleneck_norm_latent_ups,
    "bottleneck_bf16": _bottleneck_norm_latent_ups,
}

# Cases of operations that only a forward pass without parameters, or a step, has.
NO_GRADIENT = {
    "add_booleans",
    "add_integers",
    "adamw",
    "and",
    "and_booleans",
    "attention_bias_grad",
    "attention_bias_grad_repeated",
    "attention_grad",
    "attention_grad_one_key_head",
    "attention_grad_operands",
    "bitcast_convert",
    "bitcast_narrower",
    "bitcast_wider",
    "broadcast_constant",
    "compare",
    "compare_integers",
    "constant",
    "constant_splat",
    "convert_from_integer",
    "convert_to_integer",
    "count_leading_zeros",
    "cross_entropy_grad",
    "divide_integers",
    "eigh",
    "embedding_grad",
    "embedding_grad_outside",
    "iota",
    "iota_float",
    "is_finite",
    "multiply_integers",
    "not",
    "or",
    "or_booleans",
    "popcnt",
    "power_integers",
    "qr",
    "reduce_add_booleans",
    "reduce_add_integers",
    "reduce_max_integers",
    "reduce_or",
    "shift_left",
    "shift_right_arithmetic",
    "shift_right_logical",
    "singular_values",
    "stop_gradient",
    "xor",
    "xor_booleans",
}
