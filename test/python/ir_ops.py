# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What each operation computes on one rank, for `ir_eval`.

Written from the StableHLO specification and the descriptions of the boost
operations. A function takes the operation and its operands.
"""

from __future__ import annotations

import itertools
import string

import numpy as np


def _scatter_indices(indices, numbers):
    """(position in the batch, index vector) of every index."""
    vector_dim = numbers.get("index_vector_dim", 0)
    if vector_dim == indices.ndim:
        indices = indices[..., None]
    rows = np.moveaxis(indices, vector_dim, -1)
    for batch in np.ndindex(rows.shape[:-1]):
        yield batch, rows[batch]


def _start(batch, vector, rank, index_map, operand_batching, indices_batching, vector_dim):
    """The full start index of a slice, and which operand dimensions are batching."""
    start = [0] * rank
    for component, dim in zip(vector, index_map):
        start[dim] = int(component)
    for dim, from_dim in zip(operand_batching, indices_batching):
        start[dim] = batch[from_dim - (from_dim > vector_dim)]
    return start


def gather(op, operand, indices):
    numbers, sizes = op.attributes["dimension_numbers"], op.attributes["slice_sizes"]
    offset_dims = numbers.get("offset_dims", [])
    batching = numbers.get("operand_batching_dims", [])
    dropped = tuple(numbers.get("collapsed_slice_dims", [])) + tuple(batching)
    shape = op.result_types[0].shape
    batch_dims = [dim for dim in range(len(shape)) if dim not in offset_dims]
    result = np.empty(shape, operand.dtype)
    for batch, vector in _scatter_indices(indices, numbers):
        start = _start(
            batch,
            vector,
            operand.ndim,
            numbers.get("start_index_map", []),
            batching,
            numbers.get("start_indices_batching_dims", []),
            numbers.get("index_vector_dim", 0),
        )
        start = [min(max(s, 0), full - size) for s, full, size in zip(start, operand.shape, sizes)]
        window = operand[tuple(slice(s, s + size) for s, size in zip(start, sizes))]
        place = [slice(None)] * len(shape)
        for dim, position in zip(batch_dims, batch):
            place[dim] = position
        result[tuple(place)] = np.squeeze(window, axis=dropped)
    return result


def scatter(op, operand, indices, updates):
    numbers = op.attributes["scatter_dimension_numbers"]
    body = [inner.name for inner in op.regions[0].operations]
    assert body == ["stablehlo.add", "stablehlo.return"], body
    window_dims = numbers.get("update_window_dims", [])
    batching = numbers.get("input_batching_dims", [])
    dropped = tuple(numbers.get("inserted_window_dims", [])) + tuple(batching)
    batch_dims = [dim for dim in range(updates.ndim) if dim not in window_dims]
    result = operand.copy()
    for batch, vector in _scatter_indices(indices, numbers):
        start = _start(
            batch,
            vector,
            operand.ndim,
            numbers.get("scatter_dims_to_operand_dims", []),
            batching,
            numbers.get("scatter_indices_batching_dims", []),
            numbers.get("index_vector_dim", 0),
        )
        place = [slice(None)] * updates.ndim
        for dim, position in zip(batch_dims, batch):
            place[dim] = position
        window = np.expand_dims(updates[tuple(place)], dropped)
        if all(0 <= s <= full - size for s, full, size in zip(start, operand.shape, window.shape)):
            result[tuple(slice(s, s + size) for s, size in zip(start, window.shape))] += window
    return result


def dot_general(op, lhs, rhs):
    numbers = op.attributes["dot_dimension_numbers"]
    letters = iter(string.ascii_letters)
    left, right = [None] * lhs.ndim, [None] * rhs.ndim
    batch = []
    for i, j in zip(
        numbers.get("lhs_batching_dimensions", []), numbers.get("rhs_batching_dimensions", [])
    ):
        left[i] = right[j] = next(letters)
        batch.append(left[i])
    contracting = set()
    for i, j in zip(
        numbers.get("lhs_contracting_dimensions", []), numbers.get("rhs_contracting_dimensions", [])
    ):
        left[i] = right[j] = next(letters)
        contracting.add(left[i])
    left = [letter or next(letters) for letter in left]
    right = [letter or next(letters) for letter in right]
    free = [letter for letter in left + right if letter not in contracting and letter not in batch]
    return np.einsum(
        f"{''.join(left)},{''.join(right)}->{''.join(batch + free)}", lhs, rhs, optimize=True
    )


REDUCERS = {
    "add": np.add,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "multiply": np.multiply,
    "and": np.logical_and,
    "or": np.logical_or,
}


def reduce(op, operand, init):
    body = op.regions[0].operations
    assert len(body) == 2, "a reduction by more than one operation"
    ufunc = REDUCERS[body[0].name.split(".")[1]]
    dims = tuple(op.attributes["dimensions"])
    return ufunc(ufunc.reduce(operand, axis=dims), init)


def broadcast_in_dim(op, operand):
    shape, dims = op.result_types[0].shape, op.attributes["broadcast_dimensions"]
    order = np.argsort(dims)
    aligned = [1] * len(shape)
    for size, dim in zip(operand.shape, dims):
        aligned[dim] = size
    return np.broadcast_to(operand.transpose(order).reshape(aligned), shape)


def pad(op, operand, value):
    low, high = op.attributes["edge_padding_low"], op.attributes["edge_padding_high"]
    interior = op.attributes["interior_padding"]
    spread = np.full([max(0, n + (n - 1) * i) for n, i in zip(operand.shape, interior)], value)
    spread[tuple(slice(None, None, i + 1) for i in interior)] = operand
    spread = np.pad(
        spread, [(max(l, 0), max(h, 0)) for l, h in zip(low, high)], constant_values=value
    )
    return spread[
        tuple(slice(max(-l, 0), n - max(-h, 0)) for n, l, h in zip(spread.shape, low, high))
    ]


def _bounds(operand, sizes, starts):
    clamped = [
        min(max(int(s), 0), full - size) for s, full, size in zip(starts, operand.shape, sizes)
    ]
    return tuple(slice(s, s + size) for s, size in zip(clamped, sizes))


def dynamic_slice(op, operand, *starts):
    return operand[_bounds(operand, op.attributes["slice_sizes"], starts)]


def dynamic_update_slice(op, operand, update, *starts):
    result = operand.copy()
    result[_bounds(operand, update.shape, starts)] = update
    return result


def slice_(op, operand):
    ranges = zip(*(op.attributes[key] for key in ("start_indices", "limit_indices", "strides")))
    return operand[tuple(slice(*bounds) for bounds in ranges)]


def iota(op):
    type, dim = op.result_types[0], op.attributes["iota_dimension"]
    shape = [1] * len(type.shape)
    shape[dim] = type.shape[dim]
    return np.broadcast_to(np.arange(type.shape[dim]).reshape(shape), type.shape)


def divide(op, a, b):
    if np.issubdtype(a.dtype, np.floating):
        return a / b
    return (np.sign(a) * np.sign(b) * (np.abs(a) // np.abs(b))).astype(a.dtype)


def compare(op, a, b):
    functions = {
        "EQ": np.equal,
        "NE": np.not_equal,
        "GE": np.greater_equal,
        "GT": np.greater,
        "LE": np.less_equal,
        "LT": np.less,
    }
    return functions[op.attributes["comparison_direction"]](a, b)


def convert(op, value):
    if np.issubdtype(value.dtype, np.floating) and not op.result_types[0].is_float:
        return np.trunc(value)
    return value


def logistic(value):
    return 1.0 / (1.0 + np.exp(-value))


# boost


def linear(op, x, weight):
    return x @ (weight.T if op.attributes.get("transposed") else weight)


def rms_norm(op, x, gamma):
    return gamma * x / np.sqrt(np.mean(x * x, axis=-1, keepdims=True) + op.attributes["eps"])


def _repeat_heads(op, query, key):
    return np.repeat(key, query.shape[2] // key.shape[2], axis=2)


def _scores(op, query, key):
    scores = op.attributes["scale"] * np.einsum("bqhd,bkhd->bhqk", query, key)
    if op.attributes.get("causal"):
        length = query.shape[1]
        scores = np.where(np.tri(length, dtype=bool), scores, -np.inf)
    return scores


def _logsumexp(values):
    top = values.max(axis=-1, keepdims=True)
    return (top + np.log(np.sum(np.exp(values - top), axis=-1, keepdims=True)))[..., 0]


def attention(op, query, key, value):
    scores = _scores(op, query, _repeat_heads(op, query, key))
    lse = _logsumexp(scores)
    weights = np.exp(scores - lse[..., None])
    return np.einsum("bhqk,bkhd->bqhd", weights, _repeat_heads(op, query, value)), lse


def attention_grad(op, query, key, value, out, lse, grad):
    keys, values = _repeat_heads(op, query, key), _repeat_heads(op, query, value)
    weights = np.exp(_scores(op, query, keys) - lse[..., None])
    d_weights = np.einsum("bqhd,bkhd->bhqk", grad, values)
    row = np.einsum("bqhd,bqhd->bhq", grad, out)
    d_scores = op.attributes["scale"] * weights * (d_weights - row[..., None])
    groups = key.shape[2], query.shape[2] // key.shape[2]

    def per_key_head(full):
        return full.reshape(*full.shape[:2], *groups, full.shape[3]).sum(axis=3)

    return (
        np.einsum("bhqk,bkhd->bqhd", d_scores, keys),
        per_key_head(np.einsum("bhqk,bqhd->bkhd", d_scores, query)),
        per_key_head(np.einsum("bhqk,bqhd->bkhd", weights, grad)),
    )


def embedding(op, table, ids):
    return table[np.clip(ids, 0, table.shape[0] - 1)]


def embedding_grad(op, ids, grad):
    result = np.zeros(op.result_types[0].shape, grad.dtype)
    np.add.at(result, np.clip(ids, 0, result.shape[0] - 1), grad)
    return result


def cross_entropy(op, logits, labels):
    lse = _logsumexp(logits)
    return lse - np.take_along_axis(logits, labels[..., None], axis=-1)[..., 0], lse


def cross_entropy_grad(op, logits, labels, lse, grad):
    one_hot = np.arange(logits.shape[-1]) == labels[..., None]
    return grad[..., None] * (np.exp(logits - lse[..., None]) - one_hot)


def bottleneck(op, *operands):
    counts = op.attributes["operandSegmentSizes"]
    operands = iter(operands)
    x, gamma, down, ups, latent = ([next(operands) for _ in range(count)] for count in counts)
    u = rms_norm(op, x[0], gamma[0]) if gamma else x[0]
    raw = u @ down[0]
    hidden = raw + latent[0] if latent else raw
    if op.attributes.get("activation") == "silu":
        hidden = hidden * logistic(hidden)
    ends = list(itertools.accumulate(up.shape[0] for up in ups))
    results = [part @ up for part, up in zip(np.split(hidden, ends[:-1], axis=-1), ups)]
    results += [raw] * op.attributes["resultSegmentSizes"][1]
    return results if len(results) > 1 else results[0]


def adamw(op, param, m, v, grad, lr, step, scale):
    a = op.attributes
    g = grad * scale
    m = a["beta1"] * m + (1 - a["beta1"]) * g
    v = a["beta2"] * v + (1 - a["beta2"]) * g * g
    direction = m / (1 - a["beta1"] ** step) / (np.sqrt(v / (1 - a["beta2"] ** step)) + a["eps"])
    return param - lr * (direction + a["weight_decay"] * param), m, v


def _plain(function):
    return lambda op, *operands: function(*operands)


UNARY = {
    "abs": np.abs,
    "ceil": np.ceil,
    "cosine": np.cos,
    "exponential": np.exp,
    "exponential_minus_one": np.expm1,
    "floor": np.floor,
    "is_finite": np.isfinite,
    "log": np.log,
    "log_plus_one": np.log1p,
    "logistic": logistic,
    "negate": np.negative,
    "not": np.logical_not,
    "reduce_precision": lambda x: x,
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "sign": np.sign,
    "sine": np.sin,
    "sqrt": np.sqrt,
    "tanh": np.tanh,
}
BINARY = {
    "add": np.add,
    "and": np.bitwise_and,
    "maximum": np.maximum,
    "minimum": np.minimum,
    "multiply": np.multiply,
    "or": np.bitwise_or,
    "power": np.power,
    "remainder": np.fmod,
    "subtract": np.subtract,
    "xor": np.bitwise_xor,
}
OPS = {f"stablehlo.{name}": _plain(function) for name, function in {**UNARY, **BINARY}.items()} | {
    "chlo.square": _plain(np.square),
    "stablehlo.broadcast_in_dim": broadcast_in_dim,
    "stablehlo.clamp": lambda op, low, x, high: np.minimum(np.maximum(x, low), high),
    "stablehlo.compare": compare,
    "stablehlo.concatenate": lambda op, *parts: np.concatenate(parts, op.attributes["dimension"]),
    "stablehlo.constant": lambda op: op.attributes["value"],
    "stablehlo.convert": convert,
    "stablehlo.divide": divide,
    "stablehlo.dot_general": dot_general,
    "stablehlo.dynamic_slice": dynamic_slice,
    "stablehlo.dynamic_update_slice": dynamic_update_slice,
    "stablehlo.gather": gather,
    "stablehlo.iota": iota,
    "stablehlo.optimization_barrier": lambda op, *parts: parts if len(parts) > 1 else parts[0],
    "stablehlo.pad": pad,
    "stablehlo.reduce": reduce,
    "stablehlo.reshape": lambda op, x: x.reshape(op.result_types[0].shape),
    "stablehlo.reverse": lambda op, x: np.flip(x, op.attributes["dimensions"]),
    "stablehlo.scatter": scatter,
    "stablehlo.select": lambda op, p, a, b: np.where(p, a, b),
    "stablehlo.slice": slice_,
    "stablehlo.transpose": lambda op, x: x.transpose(op.attributes["permutation"]),
    "boost.adamw": adamw,
    "boost.attention": attention,
    "boost.attention_grad": attention_grad,
    "boost.bottleneck": bottleneck,
    "boost.cross_entropy": cross_entropy,
    "boost.cross_entropy_grad": cross_entropy_grad,
    "boost.embedding": embedding,
    "boost.embedding_grad": embedding_grad,
    "boost.linear": linear,
    "boost.rms_norm": rms_norm,
    "boost.sum_of_squares": lambda op, *values: sum(np.sum(value * value) for value in values),
}
