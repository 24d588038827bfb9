# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of JAX, operation by operation and by family, for test_operations.py. To add a case is to
add a line to FAMILIES."""

import dataclasses
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


@dataclasses.dataclass(frozen=True)
class Case:
    """`function(*inputs)`; float inputs are differentiated if `grad` says so."""

    function: Callable
    inputs: tuple
    grad: bool
    bound: float


def case(function, *inputs, grad=True, bound=5e-6):
    return Case(function, inputs, grad, bound)


def values(function, *inputs, bound=5e-6):
    """Without gradients."""
    return Case(function, inputs, False, bound)


RANDOM = np.random.default_rng(11)


def normal(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def ints(*elements):
    return np.array(elements, np.int32)


NAN, INF = np.nan, np.inf
X = normal(4, 6)
Y = normal(4, 6)
U = RANDOM.uniform(-0.9, 0.9, (4, 6)).astype(np.float32)
P = RANDOM.uniform(0.3, 2.0, (4, 6)).astype(np.float32)
# Equal elements, zeros of both signs, what is not finite.
TIES = np.array([[1, 0, -0.0, 1, -2, 0], [3, 3, 3, -1, -1, 3]], np.float32)
SPECIAL = np.array([[NAN, INF, -INF, 1.5, -0.0, 0.0], [2, NAN, -3, INF, -INF, 7]], np.float32)
ROUNDED = np.array([0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.49999997, 3.7, -3.2, 8388609], np.float32)
FAR = np.array([-95, -89, -88, -20, -12, -1, 0, -0.0, 1, 12, 90], np.float32)
I = RANDOM.integers(-9, 9, (4, 6), dtype=np.int32)
# Rows and columns of X: inside, negative (counted from the end), and outside.
ROWS, OUTSIDE = ints(2, 0, -1, 2), ints(1, 9, -7, 3)
BITS = ints(0, 1, -1, 7, 1 << 30, -(1 << 31), (1 << 31) - 1, 12345678)
SHIFTS = ints(0, 1, 5, 31, 2, 1, 4, 7)


def as_type(name):
    return lambda x: x.astype(name)


def in_bfloat16(function):
    return lambda *inputs: function(*(x.astype(jnp.bfloat16) for x in inputs)).astype(jnp.float32)


def in_float16(function):
    return lambda *inputs: function(*(x.astype(jnp.float16) for x in inputs)).astype(jnp.float32)


def unsigned(function):
    return lambda *inputs: function(*(lax.bitcast_convert_type(x, jnp.uint32) for x in inputs))


def gather_windows(x, places):
    numbers = lax.GatherDimensionNumbers(
        offset_dims=(1, 2), collapsed_slice_dims=(), start_index_map=(1, 0)
    )
    return lax.gather(x, places, numbers, (2, 3), mode=lax.GatherScatterMode.CLIP)


def scatter_windows(x, places, updates, combine=lax.scatter_add):
    numbers = lax.ScatterDimensionNumbers(
        update_window_dims=(1, 2),
        inserted_window_dims=(),
        scatter_dims_to_operand_dims=(1, 0),
    )
    return combine(x, places, updates, numbers, mode=lax.GatherScatterMode.CLIP)


def window(kind, init, *arguments):
    return lambda x: lax.reduce_window(x, np.float32(init), kind, *arguments)


def convolve(*arguments, **keywords):
    return lambda x, w: lax.conv_general_dilated(x, w, *arguments, **keywords)


def slope_of(function, argument=0):
    """A loss may hold gradients that JAX takes."""

    def total(*inputs):
        return jnp.sum(jnp.sin(function(*inputs)))

    return jax.grad(total, argument)


def solve(**keywords):
    return lambda a, b: lax.linalg.triangular_solve(a, b, **keywords)


def triangular(*shape):
    """Well conditioned, with numbers in both triangles."""
    return normal(*shape, shape[-1]) / shape[-1] + 2 * np.eye(shape[-1], dtype=np.float32)


def definite(*shape):
    """Positive definite, with numbers in both triangles that differ by rounding at most."""
    a = normal(*shape, shape[-1])
    return a @ np.swapaxes(a, -1, -2) + np.eye(shape[-1], dtype=np.float32)


def turned(vectors, *others):
    """Columns, with the signs that the compiler gives them, and others that turn with them."""
    size = vectors.shape[-2]
    weights = 1 + np.modf(np.arange(size) * 0.6180339887498949)[0].astype(np.float32)
    sums = jnp.sum(vectors * weights[:, None], axis=-2, keepdims=True)
    return tuple(each * jnp.where(sums < 0, -1, 1) for each in (vectors, *others))


def eigh(x, **keywords):
    found = jnp.linalg.eigh(x, **keywords)
    return found.eigenvalues, *turned(found.eigenvectors)


def svd(x, **keywords):
    """Without the vectors that no singular value belongs to."""
    u, values, v = jnp.linalg.svd(x, **keywords)
    rank = values.shape[-1]
    turn = lambda matrix: jnp.swapaxes(matrix, -1, -2)
    return values, *turned(u[..., :rank], turn(v)[..., :rank])


def rest_of_svd(x):
    """What is alike for any vectors that complete a basis."""
    u, values, v = jnp.linalg.svd(x, full_matrices=True)
    rank = values.shape[-1]
    return u[:, rank:] @ u[:, rank:].T, v[rank:].T @ v[rank:]


def sort_by(keys, dimension):
    def function(*inputs):
        return lax.sort(inputs, dimension=dimension, num_keys=keys)[-1]

    return function


def collatz(start):
    """How many steps lead to 1."""

    def step(state):
        n, steps = state
        return jnp.where(n % 2 == 0, n // 2, 3 * n + 1), steps + 1

    return lax.while_loop(lambda state: state[0] != 1, step, (start, 0))[1]


def root(x):
    """Newton's iteration to a fixed point."""
    return lax.while_loop(
        lambda y: jnp.abs(y * y - x) > 1e-4 * x, lambda y: 0.5 * (y + x / y), 1 + x
    )


def where_positive(function, other):
    """`function` of the first number where that is positive."""
    return lambda x: lax.cond(x[0] > 0, lambda: function(x[0]), lambda: other(x))


def rms_norm(x, gain):
    return x * lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-5) * gain


def with_itself(function):
    """`function` of a product, which nothing else reads."""
    return lambda x, y, *rest: function(x.T @ y, *rest)


PLACES = ints([0, 0], [3, 2], [9, -4], [1, 1])
# A picture of numbers that are each there once, and how tensors of a convolution lie.
PICTURE = RANDOM.permutation(96).reshape(2, 6, 4, 2).astype(np.float32) / 32
SEQUENCES = {"dimension_numbers": ("NWC", "WIO", "NWC")}
IMAGES = {"dimension_numbers": ("NHWC", "HWIO", "NHWC")}
LAST = ints(*np.argsort(RANDOM.random((4, 6)), axis=1))

FAMILIES = {
    "slices": {
        "slice": case(lambda x, i: lax.dynamic_slice(x, (i[0], i[1]), (2, 3)), X, ints(1, 2)),
        "slice_clamps": case(lambda x, i: lax.dynamic_slice(x, i, (2, 3)), X, ints(-5, 99)),
        "slice_unsigned": case(
            lambda x, i: lax.dynamic_slice(x, lax.convert_element_type(i, jnp.uint32), (2, 3)),
            *(X, ints(1, 9)),
        ),
        "slice_row": case(lambda x, i: lax.dynamic_index_in_dim(x, i[0], 0), X, ints(2)),
        "update": case(
            lambda x, y, i: lax.dynamic_update_slice(x, y[:2, :3], (i[0], i[1])), X, Y, ints(1, 2)
        ),
        "update_clamps": case(
            lambda x, y, i: lax.dynamic_update_slice(x, y[:2, :3], i), X, Y, ints(7, -7)
        ),
        "roll": case(lambda x, i: jnp.roll(x, i[0], axis=1), X, ints(2)),
        "reverse": case(lambda x: lax.rev(x, (0, 1)), X),
        "pad": case(lambda x: lax.pad(x, x[0, 0], ((-1, 2, 1), (0, -2, 2))), X),
    },
    "gathers": {
        # Not the index itself: ids that are read as they are given are checked against the table.
        "rows": case(lambda x, i: x[i - 1], X, ROWS),
        "columns": case(lambda x, i: x[:, i], X, ROWS),
        "elements": case(lambda x, i, j: x[i, j], X, ROWS, ints(5, -6, 0, 5)),
        "clip": case(lambda x, i: jnp.take(x, 2 * i, axis=0, mode="clip"), X, OUTSIDE),
        "fill": case(lambda x, i: x.at[2 * i].get(mode="fill", fill_value=3), X, OUTSIDE),
        "along_axis": case(lambda x, i: jnp.take_along_axis(x, i, axis=1), X, LAST),
        "windows": case(gather_windows, X, PLACES),
        "small_indices": case(lambda x, i: x[(i - 1).astype(jnp.int8)], X, ROWS),
        "integers": values(lambda x, i: x[i], I, ROWS),
        # The last row is one that the type of the indices cannot name.
        "unsigned_indices": case(
            lambda x, i: jnp.take(x, i.astype(jnp.uint8), axis=0, mode="clip"),
            *(normal(300, 4), ints(0, 5, 200, 255)),
        ),
    },
    "scatters": {
        "set": case(lambda x, y, i: x.at[i].set(y), X, Y[:3], ints(2, 0, -1)),
        "set_twice": case(lambda x, y, i: x.at[i].set(y), X, Y, ints(2, 0, 2, 2)),
        "set_outside": case(lambda x, y, i: x.at[i].set(y, mode="drop"), X, Y, OUTSIDE),
        "add": case(lambda x, y, i: x.at[i].add(y), X, Y, ROWS),
        "add_outside": case(lambda x, y, i: x.at[i].add(y), X, Y, OUTSIDE),
        "add_columns": case(lambda x, y, i: x.at[:, i].add(y[:, :4]), X, Y, ROWS),
        "add_elements": case(
            lambda x, y, i, j: x.at[i, j].add(y[:, 0]), X, Y, ROWS, ints(5, -6, 0, 5)
        ),
        "multiply": case(lambda x, i: x.at[i].multiply(2), X, ROWS),
        "multiply_unique": case(
            lambda x, y, i: x.at[i].multiply(y, unique_indices=True), X, Y[:3], ints(2, 0, -1)
        ),
        "maximum": case(lambda x, y, i: x.at[i].max(y), X, Y, ROWS),
        "maximum_outside": case(lambda x, y, i: x.at[i].max(y, mode="drop"), X, Y, OUTSIDE),
        "maximum_shared": case(
            lambda x, y, i: x.at[i].max(y), TIES, np.tile(TIES, (2, 1)), ints(0, 1, 1, 1)
        ),
        "maximum_bfloat16": case(in_bfloat16(lambda x, y: x.at[ROWS].max(y)), X, Y, bound=1e-2),
        "maximum_windows": case(
            lambda *inputs: scatter_windows(*inputs, lax.scatter_max),
            # JAX's own gradient is wrong for windows that it moves inside.
            *(X, np.array([[0, 0], [1, 1], [1, 0], [3, 2]], np.int32), normal(4, 2, 3)),
        ),
        "minimum": case(lambda x, y, i: x.at[i].min(y), X, Y, ROWS),
        "segment_max": case(lambda x, i: jax.ops.segment_max(x, i, 3), X, ints(2, 0, 2, 1)),
        "segment_min_shared": case(
            lambda x, i: jnp.nan_to_num(jax.ops.segment_min(x, i, 4), posinf=0.0),
            *(np.tile(TIES, (2, 1)), ints(2, 0, 2, 2)),
        ),
        "windows": case(scatter_windows, X, PLACES, normal(4, 2, 3)),
        "segment_sum": case(lambda x, i: jax.ops.segment_sum(x, i, 3), X, ints(2, 0, 2, 1)),
        "bincount": values(lambda i: jnp.bincount(i, length=4), ints(3, 1, 1, 9, 0, 3)),
        "integers": values(lambda x, i: x.at[i].add(7), I, ROWS),
        "booleans": values(lambda x, i: (x > 0).at[i].set(True), I, ROWS),
        "bfloat16": case(in_bfloat16(lambda x, y: x.at[ROWS].add(y)), X, Y, bound=1e-2),
        "batched": case(
            lambda x, y, i: jax.vmap(lambda a, b, j: a.at[j].add(b))(x, y, i), X, Y, LAST
        ),
        "batched_maximum": case(
            lambda x, y, i: jax.vmap(lambda a, b, j: a.at[j].max(b))(x, y, i), X, Y, LAST
        ),
    },
    "reductions": {
        "argmax": values(lambda x: jnp.argmax(x, axis=1), TIES),
        "argmin": values(lambda x: jnp.argmin(x, axis=0), TIES),
        "argmax_nan": values(lambda x: jnp.argmax(x, axis=1), SPECIAL),
        "argmax_all": values(jnp.argmax, X),
        "argmax_integers": values(lambda x: jnp.argmax(x, axis=1), I),
        "argmax_bfloat16": values(lambda x: jnp.argmax(x.astype(jnp.bfloat16), axis=1), X),
        "max_nan": values(lambda x: jnp.max(x, axis=1), SPECIAL),
        "min_zeros": values(lambda x: jnp.min(jnp.abs(x), axis=0), TIES),
        "product": case(lambda x: jnp.prod(x, axis=1), X),
        "product_zeros": case(lambda x: jnp.prod(x), TIES),
        "product_axes": case(lambda x: jnp.prod(x.reshape(2, 2, 6), axis=(0, 2)), X),
        "product_of_none": case(lambda x: jnp.prod(x[:, 3:3], axis=1) * x[:, 0], X),
        "any": values(lambda x: jnp.any(x > 1, axis=1), X),
        "all": values(lambda x: jnp.all(x > -1, axis=0), X),
        "xor": values(lambda x: lax.reduce_xor(x, (0,)), I),
        "and": values(lambda x: lax.reduce_and(x, (1,)), I),
        "logsumexp": case(lambda x: jax.nn.logsumexp(x, axis=1), X),
        "sum_float16": case(in_float16(lambda x: jnp.sum(x, axis=1)), X, bound=2e-3),
    },
    "windows": {
        "cumsum": case(lambda x: jnp.cumsum(x, axis=1), X),
        "cumsum_columns": case(lambda x: jnp.cumsum(x, axis=0), X),
        "cumsum_reversed": case(lambda x: lax.cumsum(x, axis=1, reverse=True), X),
        "cumsum_integers": values(lambda x: jnp.cumsum(x, axis=1), I),
        "cumsum_bfloat16": case(in_bfloat16(lambda x: jnp.cumsum(x, axis=1)), X, bound=3e-2),
        "cumprod": case(lambda x: jnp.cumprod(x, axis=1), X),
        "cumprod_reversed": case(lambda x: lax.cumprod(x, axis=0, reverse=True), TIES),
        "cummax": case(lambda x: lax.cummax(x, axis=1), X),
        "cummin": case(lambda x: lax.cummin(x, axis=0, reverse=True), X),
        "cummax_special": values(lambda x: lax.cummax(x, axis=1), SPECIAL),
        "cumlogsumexp": case(lambda x: lax.cumlogsumexp(x, axis=1), X),
        "sums": case(window(lax.add, 0, (2, 3), (1, 2), "VALID"), X),
        "sums_padded": case(window(lax.add, 0, (3, 2), (2, 1), ((1, 2), (0, 1))), X),
        "sums_dilated": case(
            window(lax.add, 0, (2, 2), (1, 2), ((0, 1), (2, 0)), (2, 1), (1, 3)), X
        ),
        "maxima": case(window(lax.max, -INF, (2, 2), (2, 2), "SAME"), X),
        "maxima_overlap": case(window(lax.max, -INF, (3, 2), (1, 1), ((1, 1), (0, 1))), X),
        "maxima_tie": case(window(lax.max, -INF, (2, 3), (1, 1), "VALID"), TIES),
        "maxima_of_picture": case(
            window(lax.max, -INF, (1, 3, 2, 1), (1, 2, 2, 1), "SAME"), PICTURE
        ),
        "minima_apart": case(window(lax.min, INF, (2, 1, 1, 2), (1, 1, 1, 1), "VALID"), PICTURE),
        "slope_of_maxima": case(slope_of(window(lax.max, -INF, (2, 2), (2, 2), "SAME")), X),
        "slope_of_overlap": case(slope_of(window(lax.max, -INF, (2, 3), (1, 1), "SAME")), X),
        "slope_of_picture": case(
            slope_of(window(lax.max, -INF, (1, 3, 2, 1), (1, 2, 2, 1), "VALID")), PICTURE
        ),
        "slope_of_minima": case(
            slope_of(window(lax.min, INF, (2, 1, 1, 2), (1, 1, 1, 1), "VALID")), PICTURE
        ),
        "maxima_of_rows": case(window(lax.max, -INF, (1, 3), (1, 2), ((0, 0), (1, 1))), X),
        "minima_of_columns": case(window(lax.min, INF, (2, 1), (1, 1), "VALID"), X),
        "products": values(window(lax.mul, 1, (2, 1), (1, 1), "VALID"), X),
    },
    "convolutions": {
        "causal": case(
            convolve((1,), [(3, 0)], feature_group_count=6, **SEQUENCES),
            *(normal(2, 7, 6), normal(4, 1, 6)),
        ),
        "causal_alone": case(
            lambda x, w: jax.vmap(jnp.convolve, (1, 1), 1)(x, w)[:7], normal(7, 3), normal(4, 3)
        ),
        "each_twice": case(
            convolve((2,), "SAME", rhs_dilation=(2,), feature_group_count=3, **SEQUENCES),
            *(normal(2, 8, 3), normal(3, 1, 6)),
        ),
        "channels_of_picture": case(
            convolve((1, 2), "SAME", feature_group_count=2, **IMAGES), PICTURE, normal(3, 3, 1, 2)
        ),
        "channels_far_apart": case(
            convolve((1,), "VALID", feature_group_count=2), normal(1, 2, 80), normal(2, 1, 70)
        ),
        "sequence": case(convolve((1,), "SAME"), normal(2, 3, 9), normal(5, 3, 3)),
        "picture": case(
            convolve((2, 1), [(1, 0), (2, 1)], rhs_dilation=(1, 2), **IMAGES),
            *(PICTURE, normal(3, 2, 2, 5)),
        ),
        "picture_channels_first": case(
            convolve((1, 1), "SAME"), normal(2, 3, 5, 4), normal(4, 3, 3, 3)
        ),
        "patches": case(convolve((3, 2), "VALID", **IMAGES), PICTURE, normal(3, 2, 2, 5)),
        "one_element": case(convolve((1, 2), "VALID", **IMAGES), PICTURE, normal(1, 1, 2, 3)),
        "no_window": case(convolve((), []), normal(4, 3), normal(5, 3)),
        "volume": case(convolve((1, 1, 2), "VALID"), normal(1, 2, 3, 4, 4), normal(2, 2, 2, 2, 3)),
        "groups": case(
            convolve((1,), "SAME", feature_group_count=2), normal(2, 4, 6), normal(6, 2, 3)
        ),
        "batch_groups": case(
            convolve((1,), "VALID", batch_group_count=2), normal(4, 3, 6), normal(6, 3, 2)
        ),
        "transposed": case(
            lambda x, w: lax.conv_transpose(x, w, (2,), "SAME"), normal(2, 5, 3), normal(4, 3, 2)
        ),
        "dilated_and_cut": case(
            convolve((2,), [(-1, 3)], lhs_dilation=(3,)), normal(2, 3, 5), normal(2, 3, 4)
        ),
        "few_windows": case(convolve((2,), "VALID"), normal(1, 2, 14), normal(3, 2, 11)),
        "many_long_windows": case(convolve((1,), "VALID"), normal(1, 2, 140), normal(3, 2, 70)),
        "slope_in_channels": case(
            slope_of(convolve((1,), [(3, 0)], feature_group_count=3, **SEQUENCES), 1),
            *(normal(2, 7, 3), normal(4, 1, 3)),
        ),
        "slope_in_picture": case(
            slope_of(convolve((2, 1), [(1, 0), (2, 1)], rhs_dilation=(1, 2), **IMAGES)),
            *(PICTURE, normal(3, 2, 2, 5)),
        ),
        "slope_in_kernel": case(
            slope_of(convolve((2,), "SAME", feature_group_count=2), 1),
            *(normal(2, 4, 6), normal(6, 2, 3)),
        ),
        "bfloat16": case(
            in_bfloat16(convolve((1,), "SAME")), normal(2, 3, 9), normal(5, 3, 3), bound=3e-2
        ),
        "bfloat16_channels": case(
            in_bfloat16(convolve((1,), "SAME", feature_group_count=3)),
            *(normal(2, 3, 9), normal(3, 1, 3)),
            bound=3e-2,
        ),
        "wider_result": case(
            lambda x, w: convolve((1,), "SAME", preferred_element_type=jnp.float32)(
                x.astype(jnp.bfloat16), w.astype(jnp.bfloat16)
            ),
            *(normal(2, 3, 9), normal(5, 3, 3)),
            bound=1e-2,
        ),
        "integers": values(
            convolve((1,), "SAME"), I.reshape(2, 3, 4), I.reshape(4, 3, 2)
        ),
    },
    "systems": {
        "lower": case(solve(left_side=True, lower=True), triangular(5), normal(5, 3)),
        "upper": case(solve(left_side=True), triangular(5), normal(5, 3)),
        "lower_transposed": case(
            solve(left_side=True, lower=True, transpose_a=True), triangular(5), normal(5, 3)
        ),
        "upper_transposed": case(
            solve(left_side=True, transpose_a=True), triangular(5), normal(5, 3)
        ),
        "lower_right": case(solve(lower=True), triangular(5), normal(3, 5)),
        "upper_right": case(solve(), triangular(5), normal(3, 5)),
        "lower_right_transposed": case(
            solve(lower=True, transpose_a=True), triangular(5), normal(3, 5)
        ),
        "upper_right_transposed": case(solve(transpose_a=True), triangular(5), normal(3, 5)),
        "unit_diagonal": case(
            solve(left_side=True, lower=True, unit_diagonal=True), triangular(5), normal(5, 3)
        ),
        "unit_diagonal_right": case(
            solve(transpose_a=True, unit_diagonal=True), triangular(5), normal(3, 5)
        ),
        "one_row": case(solve(left_side=True, lower=True), triangular(1), normal(1, 3)),
        "power_of_two": case(solve(left_side=True), triangular(8), normal(8, 2)),
        "batch": case(solve(left_side=True, lower=True), triangular(2, 3, 6), normal(2, 3, 6, 2)),
        "blocks": case(solve(left_side=True, lower=True), triangular(70), normal(70, 2)),
        "blocks_of_batch": case(solve(), triangular(2, 64), normal(2, 3, 64)),
        "vector": case(
            lambda a, b: jax.scipy.linalg.solve_triangular(a, b, lower=True),
            *(triangular(6), normal(6)),
        ),
        # Elements of the other triangle do not matter.
        "other_triangle": case(
            solve(left_side=True, lower=True),
            *(np.where(np.tri(4, dtype=bool), triangular(4), NAN), normal(4, 2)),
        ),
        "slope": case(slope_of(solve(left_side=True, lower=True)), triangular(5), normal(5, 3)),
    },
    "factorizations": {
        "cholesky": values(jnp.linalg.cholesky, definite(5)),
        "cholesky_upper": values(lambda x: jnp.linalg.cholesky(x, upper=True), definite(5)),
        "cholesky_batch": values(jnp.linalg.cholesky, definite(2, 3, 4)),
        "cholesky_large": values(jnp.linalg.cholesky, definite(70)),
        "cholesky_indefinite": values(
            jnp.linalg.cholesky, np.stack([definite(3), np.diag([1, 2, -1]).astype(np.float32)])
        ),
        "cholesky_triangle": values(
            lambda x: jnp.linalg.cholesky(x, symmetrize_input=False),
            np.where(np.tri(4, dtype=bool), definite(4), NAN),
        ),
        "solve_definite": values(
            lambda a, b: jax.scipy.linalg.solve(a, b, assume_a="pos"), definite(5), normal(5, 2)
        ),
        "eigh": values(eigh, definite(6)),
        "eigh_batch": values(eigh, definite(2, 2, 5)),
        "eigh_large": values(eigh, np.diag(np.arange(1, 41)).astype(np.float32) + normal(40, 40) / 20),
        "eigh_nan": values(eigh, np.stack([definite(3), np.full((3, 3), NAN, np.float32)])),
        "eigvalsh": values(jnp.linalg.eigvalsh, definite(6)),
        "inverse_root": values(
            lambda a: (v := eigh(a))[1] @ jnp.diag(v[0] ** -0.25) @ v[1].T, definite(6)
        ),
        "svd": values(lambda x: svd(x, full_matrices=False), X),
        "svd_tall": values(lambda x: svd(x, full_matrices=False), X.T),
        "svd_square": values(svd, definite(5)),
        "svd_full": values(svd, X),
        "svd_full_rest": values(rest_of_svd, X),
        "svd_full_rest_tall": values(rest_of_svd, X.T),
        "svd_batch": values(lambda x: svd(x, full_matrices=False), normal(2, 3, 4, 2)),
        "singular_values": values(lambda x: jnp.linalg.svd(x, compute_uv=False), X),
        "singular_values_zero": values(lambda x: jnp.linalg.svd(0 * x, compute_uv=False), X),
        "pinv": values(jnp.linalg.pinv, X),
        "qr": values(jnp.linalg.qr, X.T),
        "qr_wide": values(jnp.linalg.qr, X),
        "qr_square": values(jnp.linalg.qr, normal(5, 5)),
        "qr_complete": values(lambda x: jnp.linalg.qr(x, mode="complete"), X.T),
        "qr_triangle": values(lambda x: jnp.linalg.qr(x, mode="r"), X),
        "qr_batch": values(jnp.linalg.qr, normal(2, 2, 6, 3)),
        "qr_large": values(jnp.linalg.qr, normal(80, 40)),
        "qr_zeros_below": values(jnp.linalg.qr, np.triu(normal(5, 5))),
    },
    "sorts": {
        "sort": case(lambda x: jnp.sort(x, axis=1), X),
        "sort_columns": case(lambda x: jnp.sort(x, axis=0), X),
        "sort_descending": case(lambda x: jnp.sort(x, axis=-1, descending=True), X),
        "sort_ties": case(lambda x: jnp.sort(x, axis=1), TIES),
        "sort_special": values(lambda x: jnp.sort(x, axis=1), SPECIAL),
        "sort_integers": values(lambda x: jnp.sort(x, axis=1), I),
        "sort_unsigned": values(unsigned(lambda x: jnp.sort(x)), BITS),
        "sort_bfloat16": case(in_bfloat16(lambda x: jnp.sort(x, axis=1)), X, bound=1e-2),
        "sort_float16": case(in_float16(lambda x: jnp.sort(x, axis=1)), X, bound=1e-3),
        "sort_long": case(lambda x: jnp.sort(x), normal(1000)),
        "argsort": values(lambda x: jnp.argsort(x, axis=1), TIES),
        "argsort_special": values(lambda x: jnp.argsort(x, axis=1, descending=True), SPECIAL),
        "by_key": case(sort_by(1, 1), np.abs(I), X),
        "by_two_keys": case(sort_by(2, 0), np.abs(I) % 3, P, X),
        "top_k": case(lambda x: lax.top_k(x, 3)[0], X),
        "top_k_places": values(lambda x: lax.top_k(x, 4)[1], TIES),
        "top_k_special": values(lambda x: lax.top_k(x, 4)[1], SPECIAL),
        "top_k_integers": values(lambda x: lax.top_k(x, 2), I),
        "top_k_booleans": values(lambda x: lax.top_k(x > 0, 4), X),
        "median": case(lambda x: jnp.median(x, axis=1), X),
        "quantile": case(lambda x: jnp.quantile(x, 0.3, axis=1), X),
        "unique": values(lambda x: jnp.unique(x, size=4), I),
        "nonzero": values(lambda x: jnp.nonzero(x > 0, size=5)[0], X),
        "searchsorted": values(lambda x, y: jnp.searchsorted(jnp.sort(x), y), X[0], Y),
        "one_place": values(lambda x: jnp.sort(x[:, :1], axis=1), X),
    },
    # One operand twice, or a part of it: memory must not be written before it was read.
    "operands": {
        "plus_transposed": case(with_itself(lambda h: h + h.T), X, Y),
        "times_transposed": case(with_itself(lambda h: h.T * h), X, Y),
        "plus_reversed": case(with_itself(lambda h: h + h[::-1]), X, Y),
        "plus_own_rows": case(
            with_itself(lambda h, i: h + h[i]), X, Y, ints(5, 0, 0, 2, 1, 3)
        ),
        "times_own_elements": case(
            lambda x, y, i: (h := jnp.sum(x * y, axis=0)) * h[i], X, Y, ints(5, 0, 0, 2, 1, 3)
        ),
        "first_rows": case(
            lambda x, y: jnp.einsum("bij,bjk->bik", x[:, :2], y), normal(3, 4, 5), normal(3, 5, 6)
        ),
        "first_columns": case(
            lambda x, y: jnp.einsum("bij,bjk->bik", x[..., :2], y),
            *(normal(3, 4, 5), normal(3, 2, 6)),
        ),
        "first_matrices": case(
            lambda x, y: jnp.einsum("bij,bjk->bik", x[:2], y), normal(3, 4, 5), normal(2, 5, 6)
        ),
        "norm_of_norm": case(
            lambda x, g, h, a, b: rms_norm(rms_norm(x, g), h) @ a @ b,
            *(X, normal(6), normal(6), normal(6, 2), normal(2, 6)),
        ),
    },
    "functions": {
        "round": case(jnp.round, ROUNDED),
        "round_away": case(lambda x: lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO), ROUNDED),
        "round_special": values(jnp.round, SPECIAL),
        "ceil": case(jnp.ceil, ROUNDED),
        "trunc": values(jnp.trunc, ROUNDED),
        "floor_divide": values(lambda x, y: x // y, X, P),
        "tan": case(jnp.tan, X, bound=2e-5),
        "cbrt": case(jnp.cbrt, X),
        "cbrt_zero": case(jnp.cbrt, np.array([0, -0.0, 8], np.float32)),
        "atan2": case(jnp.arctan2, X, Y),
        "atan2_quadrants": values(
            jnp.arctan2, *np.array([[0, -0.0, 0, -0.0, 1, -1], [1, 1, -1, -1, 0, 0]], np.float32)
        ),
        "sinh": case(jnp.sinh, 2 * X),
        "sinh_zero": case(jnp.sinh, np.zeros(2, np.float32)),
        "cosh": case(jnp.cosh, 2 * X),
        "asin": case(jnp.arcsin, U),
        "acos": case(jnp.arccos, U),
        "acos_ends": values(jnp.arccos, np.array([-1, 1], np.float32)),
        "atan": case(jnp.arctan, X),
        "asinh": case(jnp.arcsinh, 5 * X),
        "asinh_range": case(jnp.arcsinh, np.array([0, 1e-6, -1e15, 1e30], np.float32)),
        "acosh": case(jnp.arccosh, 1 + P),
        "acosh_range": values(jnp.arccosh, np.array([1, 1e30, 0.5], np.float32)),
        "atanh": case(jnp.arctanh, U),
        "erf": case(jax.scipy.special.erf, X),
        "erfc": case(jax.scipy.special.erfc, 3 * X),
        # These show the relative error of small values.
        "erfc_scaled": values(
            lambda x: jax.scipy.special.erfc(x) * jnp.exp(x * x),
            np.array([1, 1.25, 1.5, 2, 2.5, 3, 4, 6, 9], np.float32),
        ),
        "erfc_log": case(
            lambda x: jnp.log(jax.scipy.special.erfc(x)),
            np.array([0.5, 1, 1.5, 2, 3, 4, 6, 9, -1.5, -4], np.float32),
        ),
        "log_ndtr": case(
            jax.scipy.special.log_ndtr, np.array([-12, -8, -5, -3, -1, 1, 2, 4], np.float32)
        ),
        "erf_inv": case(jax.scipy.special.erfinv, U, bound=2e-5),
        "erf_inv_ends": values(
            jax.scipy.special.erfinv, np.array([-1, 1, 0, 0.9999999, 2], np.float32)
        ),
        "digamma": case(jax.scipy.special.digamma, 1.5 + P, bound=5e-5),
        "digamma_range": values(
            jax.scipy.special.digamma,
            *(np.array([0.2, 2, 30, 1e6, -0.5, -3.7, 0, -2, INF], np.float32),),
            bound=2e-5,
        ),
        "lgamma": case(jax.scipy.special.gammaln, P, bound=5e-5),
        "lgamma_range": values(
            jax.scipy.special.gammaln, np.array([1, 2, 30, -0.5, -3.7, INF], np.float32), bound=2e-5
        ),
        "next_after": values(
            jnp.nextafter,
            *np.array([[0, 1, 1, -1, INF, NAN, 2], [1, 2, 0, -2, 0, 1, 2]], np.float32),
        ),
        "bfloat16": case(in_bfloat16(jnp.arctan2), X, Y, bound=3e-2),
        # Where exp overflows, and where terms tie whose sum is smooth.
        "sigmoid": case(jax.nn.sigmoid, FAR),
        "silu": case(jax.nn.silu, FAR),
        "silu_float16": case(in_float16(jax.nn.silu), FAR, bound=2e-3),
        "softplus": case(jax.nn.softplus, FAR),
        "log_sigmoid": case(jax.nn.log_sigmoid, FAR),
        "log_add_exp": case(jnp.logaddexp, *np.array([[1, 2, 0, 5], [1, 3, 0, 2]], np.float32)),
        "absolute": case(jnp.abs, TIES),
    },
    "numbers": {
        "popcount": values(lax.population_count, BITS),
        "leading_zeros": values(lax.clz, BITS),
        "leading_zeros_8": values(lambda x: lax.clz(x.astype(jnp.uint8)), BITS),
        "complement": values(jnp.bitwise_not, BITS),
        "shift_left": values(jnp.left_shift, BITS, SHIFTS),
        "shift_right": values(jnp.right_shift, BITS, SHIFTS),
        "shift_unsigned": values(unsigned(jnp.right_shift), BITS, SHIFTS),
        "divide": values(lax.div, BITS, np.where(I.ravel()[:8] == 0, 3, I.ravel()[:8])),
        "divide_unsigned": values(unsigned(lax.div), BITS, SHIFTS + 1),
        "remainder": values(lax.rem, BITS, SHIFTS + 1),
        "remainder_unsigned": values(unsigned(lax.rem), BITS, SHIFTS + 3),
        "remainder_floats": values(lax.rem, X, P),
        "max_unsigned": values(unsigned(jnp.maximum), BITS, BITS[::-1].copy()),
        "min_signed": values(jnp.minimum, BITS, BITS[::-1].copy()),
        "less_unsigned": values(unsigned(jnp.less), BITS, BITS[::-1].copy()),
        "multiply_wraps": values(lambda x: x * x, BITS),
        "multiply_unsigned": values(unsigned(lambda x: x * x), BITS),
        "to_float_unsigned": values(unsigned(as_type(jnp.float32)), BITS),
        "to_float_signed": values(as_type(jnp.float32), BITS),
        "to_int8": values(as_type(jnp.int8), BITS),
        "to_bool": values(as_type(bool), BITS),
        "from_bool": values(lambda x: (x > 0).astype(jnp.int32) * 3, I),
        "float_from_bool": values(lambda x: (x > 0).astype(jnp.float32), I),
        "saturate": values(
            as_type(jnp.int32), np.array([3e9, -3e9, INF, -INF, 1.9, -1.9], np.float32)
        ),
        "saturate_int8": values(as_type(jnp.int8), np.array([300, -300, 1.9, -1.9], np.float32)),
        "saturate_unsigned": values(
            as_type(jnp.uint8), np.array([300, -3, 1.9, 0.2, INF], np.float32)
        ),
        "int_of_nan": values(as_type(jnp.int32), np.array([NAN], np.float32)),
        "bool_of_float": values(as_type(bool), SPECIAL),
        "round_to_bfloat16": values(lambda x: x.astype(jnp.bfloat16).astype(jnp.float32), X),
        "round_to_float16": values(
            lambda x: x.astype(jnp.float16).astype(jnp.float32),
            np.array([65504, 65520, 1e-8, 6e-5, 1.0009765, INF, NAN], np.float32),
        ),
        "precision_e5m10": values(
            lambda x: lax.reduce_precision(x, 5, 10),
            np.array([65504, 65520, 1e-8, 6e-5, 1.0009765, -INF, NAN, -0.0], np.float32),
        ),
        "precision_e8m7": case(lambda x: lax.reduce_precision(x, 8, 7), X),
        "precision_e4m3": values(lambda x: lax.reduce_precision(x, 4, 3), 100 * X),
        "precision_bfloat16": values(
            in_bfloat16(lambda x: lax.reduce_precision(x, 4, 3)), 100 * X
        ),
        "bits": values(lambda x: lax.bitcast_convert_type(x, jnp.int32), SPECIAL),
        "bits_float16": values(
            lambda x: lax.bitcast_convert_type(x.astype(jnp.float16), jnp.int16), X
        ),
        "float_of_bits": values(
            lambda x: lax.bitcast_convert_type((x & 0x007FFFFF) | 0x3F800000, jnp.float32), BITS
        ),
        "bytes": values(lambda x: lax.bitcast_convert_type(x, jnp.uint8), SPECIAL),
        "halves": values(
            lambda x: lax.bitcast_convert_type(x, jnp.bfloat16).astype(jnp.float32), X
        ),
        "int_of_bytes": values(
            lambda x: lax.bitcast_convert_type(x.astype(jnp.uint8), jnp.int32), BITS.reshape(2, 4)
        ),
        "float_of_halves": values(
            lambda x: lax.bitcast_convert_type(x.reshape(4, 3, 2).astype(jnp.float16), jnp.float32),
            X,
        ),
        "bytes_of_float16": values(
            lambda x: lax.bitcast_convert_type(x.astype(jnp.float16), jnp.int8), X
        ),
        "maximum_special": values(jnp.maximum, SPECIAL, SPECIAL[::-1].copy()),
        "minimum_zeros": values(jnp.minimum, TIES, -TIES),
        "clamp": case(lambda x: lax.clamp(np.float32(-0.5), x, np.float32(0.7)), X),
        "clamp_unsigned": values(
            unsigned(lambda x: lax.clamp(jnp.uint32(5), x, jnp.uint32(1 << 31))), BITS
        ),
        "isfinite": values(jnp.isfinite, SPECIAL),
        "sign": values(jnp.sign, SPECIAL),
        "sign_integers": values(jnp.sign, I),
        "select": case(lambda x, y: jnp.where(x > y, x, y), X, Y),
        "select_scalar": case(lambda x, y, i: lax.select(i[0] > 2, x, y), X, Y, ints(3)),
        "float16": case(in_float16(lambda x, y: x * y + jnp.exp(x)), X, Y, bound=1e-2),
        "bfloat16": case(in_bfloat16(lambda x, y: x / y + jnp.tanh(x)), X, P, bound=5e-2),
    },
    # Nothing of the branch that is not taken may be seen.
    "branches": {
        "root_of_negative": case(
            where_positive(jnp.sqrt, lambda x: x[1] * 0.5), np.array([-1, 2], np.float32)
        ),
        "log_of_zero": case(
            where_positive(jnp.log, lambda x: x[1] * 0.5), np.array([0, 2], np.float32)
        ),
        "taken": case(
            where_positive(jnp.log, lambda x: x[1] * 0.5), np.array([3, 2], np.float32)
        ),
        "rows": case(
            lambda x, y, i: lax.cond(i[0] > 2, lambda: x[i] @ y.T, lambda: (x @ y.T)[:1]),
            *(X, Y, ints(1)),
        ),
        "endless_loop": values(
            lambda i: lax.cond(i[0] > 0, lambda: collatz(i[0]), lambda: 0), ints(0)
        ),
        "loop": values(lambda i: lax.cond(i[0] > 0, lambda: collatz(i[0]), lambda: 0), ints(27)),
        "loops": values(
            lambda i: lax.switch(
                i[0], (lambda: collatz(i[0] - 1), lambda: collatz(i[1]), lambda: -collatz(i[0]))
            ),
            ints(1, 6),
        ),
    },
    # The trip count is known at run time only.
    "loops": {
        "collatz": values(lambda i: collatz(i[0]), ints(27)),
        "bound_at_run_time": values(
            lambda i: lax.fori_loop(i[0], i[1], lambda k, sum: sum + k * k, 0), ints(-3, 9)
        ),
        "no_trip": values(
            lambda i: lax.fori_loop(i[0], i[1], lambda k, sum: sum + k, 5), ints(3, 3)
        ),
        "long": values(lambda x: lax.fori_loop(0, 5000, lambda _, y: y * 0.999 + 1, x[0, 0]), X),
        "root": values(lambda x: root(x[0, 0]), P),
        "unsigned": values(
            lambda i: lax.while_loop(
                lambda s: s[0] < 250, lambda s: (s[0] + 1, s[1] + 1), (jnp.uint8(200), i[0])
            )[1],
            ints(0),
        ),
        "read_elsewhere": case(
            lambda x, i: x[:, lax.while_loop(lambda k: k * k < i[0], lambda k: k + 1, 0)],
            *(X, ints(14)),
        ),
    },
    "random": {
        "bits": values(lambda i: jax.random.bits(jax.random.key(i[0]), (5,)), ints(3)),
        "uniform": values(lambda i: jax.random.uniform(jax.random.key(i[0]), (3, 4)), ints(3)),
        "normal": values(
            lambda i: jax.random.normal(jax.random.key(i[0]), (3, 4)), ints(3), bound=2e-5
        ),
        "bernoulli": values(
            lambda i: jax.random.bernoulli(jax.random.key(i[0]), 0.3, (8,)), ints(4)
        ),
        "split": values(
            lambda i: jax.random.key_data(jax.random.split(jax.random.key(i[0]), 3)), ints(5)
        ),
        "fold_in": values(
            lambda i: jax.random.key_data(jax.random.fold_in(jax.random.key(1), i[0])), ints(5)
        ),
        "randint": values(
            lambda i: jax.random.randint(jax.random.key(i[0]), (8,), 0, 5), ints(6)
        ),
        "categorical": values(
            lambda x, i: jax.random.categorical(jax.random.key(i[0]), x), X, ints(7)
        ),
        "permutation": values(
            lambda i: jax.random.permutation(jax.random.key(i[0]), 8), ints(8)
        ),
        "truncated_normal": values(
            lambda i: jax.random.truncated_normal(jax.random.key(i[0]), -2, 2, (4,)),
            ints(9),
            bound=2e-5,
        ),
    },
}
