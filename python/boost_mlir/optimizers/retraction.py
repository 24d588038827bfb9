# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A step on the manifold of matrices of rank r, computed on their factors.

A linear is the product W = N M^T of factors M [d_out, r] and N [d_in, r], which are all that is
stored. A direction of W is projected to the tangent space at W, taken, and the sum of rank 2r is
replaced by the nearest matrix of rank r, whose singular values both factors share.

With M = U Rm and N = V Rn, orthonormal bases and triangles, the sum is a product of the bases
[U Y2] and [V Y1], of 2r columns, and a core of 2r x 2r numbers. There are no QR decompositions of
tall matrices, and no bases of the Ys: Cholesky's factors of Gram matrices are the triangles, and
the singular vectors of the core say how U and Y2 combine. So a factor that is sharded along its
long side enters only products that contract this side, r x r numbers each: of M and N with
themselves and with the directions, then of Y1 and Y2 with themselves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp


class Factors(NamedTuple):
    """The factors of one linear, or their directions.

    m: `[..., d_out, r]`, the transposed second factor.
    n: `[..., d_in, r]`, the first.
    """

    m: jax.Array
    n: jax.Array


def retract(factors: list[Factors], directions: list[Factors], rate) -> list[Factors]:
    """The factors after an exact step of size `rate` against the directions.

    Gram matrices have the square of the condition of a factor. They, and what follows from them,
    are computed in f64, which is as accurate as QR decompositions in f32. For factors in f64
    themselves the bases are orthonormalized twice, with a third round of Gram matrices.
    """
    dtype = factors[0].m.dtype
    # JAX otherwise has no f64 unless the whole program is to.
    with jax.enable_x64(True):
        wide = lambda pairs: jax.tree.map(lambda leaf: leaf.astype(jnp.float64), pairs)
        rate = jnp.asarray(rate, jnp.float64)
        passes = 2 if dtype == jnp.float64 else 1
        new = _retract(wide(factors), wide(directions), rate, passes)
        return jax.tree.map(lambda leaf, old: leaf.astype(old.dtype), new, factors)


def _retract(factors, directions, rate, passes):
    sides = [pair.m for pair in factors] + [pair.n for pair in factors]
    moves = [pair.m for pair in directions] + [pair.n for pair in directions]
    bases = _orthonormalize(sides, moves, passes)
    # The n of an m, and the other way around.
    half = len(factors)
    others = bases[half:] + bases[:half]
    inner = [base.inner @ other.inverse for base, other in zip(bases, others)]
    rests = [
        move @ other.inverse - base.columns @ product
        for move, base, other, product in zip(moves, bases, others, inner)
    ]
    roots = _batched(_root, [_gram(rest, rest) for rest in rests])
    ms, ns = slice(None, half), slice(half, None)
    cores = [
        _core(m.triangle @ _t(n.triangle), _t(product), of_m, of_n, rate)
        for m, n, product, of_m, of_n in zip(
            bases[ms], bases[ns], inner[ns], roots[ms], roots[ns], strict=True
        )
    ]
    vectors = _batched(_leading_vectors, cores)
    return [
        Factors(
            m.columns @ (left * root) - rate * rest_m @ (right / root),
            n.columns @ (right * root) - rate * rest_n @ (left / root),
        )
        for m, n, rest_m, rest_n, (left, right, root) in zip(
            bases[ms], bases[ns], rests[ms], rests[ns], vectors
        )
    ]


class _Basis(NamedTuple):
    """An orthonormal basis of the columns of a factor.

    columns:  the basis, as tall as the factor.
    triangle: what it is multiplied by for the factor; `inverse` is its inverse.
    inner:    the product of the transposed basis and the direction of the factor.
    """

    columns: jax.Array
    triangle: jax.Array
    inverse: jax.Array
    inner: jax.Array


def _orthonormalize(factors, directions, passes) -> list[_Basis]:
    columns, triangles, inverses = factors, None, None
    for _ in range(passes):
        lowers, lower_inverses = zip(
            *_batched(_cholesky, [_gram(each, each) for each in columns]), strict=True
        )
        inners = [
            lower @ _gram(each, move)
            for lower, each, move in zip(lower_inverses, columns, directions)
        ]
        columns = [each @ _t(lower) for each, lower in zip(columns, lower_inverses)]
        if triangles is None:
            triangles, inverses = map(_t, lowers), map(_t, lower_inverses)
        else:
            triangles = [_t(lower) @ old for lower, old in zip(lowers, triangles)]
            inverses = [old @ _t(lower) for lower, old in zip(lower_inverses, inverses)]
        triangles, inverses = list(triangles), list(inverses)
    return list(map(_Basis, columns, triangles, inverses, inners))


def _cholesky(gram):
    """The lower factor and its inverse."""
    lower = jnp.linalg.cholesky(gram)
    identity = jnp.broadcast_to(jnp.eye(gram.shape[-1], dtype=gram.dtype), gram.shape)
    return lower, jax.lax.linalg.triangular_solve(lower, identity, left_side=True, lower=True)


def _root(gram):
    """A matrix whose product with itself, transposed on the left, is a Gram matrix. That may be
    singular: a step leaves no rest where it stays in the span of the factor."""
    values, vectors = jnp.linalg.eigh(gram)
    return jnp.sqrt(jnp.maximum(values, 0))[..., None] * _t(vectors)


def _core(product, projected, root_m, root_n, rate):
    upper = jnp.concatenate([product - rate * projected, -rate * _t(root_n)], axis=-1)
    lower = jnp.concatenate([-rate * root_m, jnp.zeros_like(root_m)], axis=-1)
    return jnp.concatenate([upper, lower], axis=-2)


def _leading_vectors(core):
    """The upper halves of the leading left and right singular vectors, and the roots of their
    singular values. A pair of vectors is unique but for a sign, which makes a sum positive here."""
    rank = core.shape[-1] // 2
    left, values, right = jnp.linalg.svd(core)
    left, right = left[..., :rank, :rank], _t(right)[..., :rank, :rank]
    signs = jnp.where(jnp.sum(left, axis=-2, keepdims=True) < 0, -1.0, 1.0)
    return left * signs, right * signs, jnp.sqrt(values[..., None, :rank])


def _gram(left, right):
    return _t(left) @ right


def _t(matrix):
    return jnp.swapaxes(matrix, -1, -2)


def _batched(function: Callable[..., Any], matrices: list[jax.Array]) -> list[Any]:
    """The results of a function of a matrix, computed at once for all of one shape."""
    groups: dict[tuple, list[int]] = {}
    for i, matrix in enumerate(matrices):
        groups.setdefault(matrix.shape, []).append(i)
    results = [None] * len(matrices)
    for numbers in groups.values():
        found = function(jnp.stack([matrices[i] for i in numbers]))
        for position, i in enumerate(numbers):
            results[i] = jax.tree.map(lambda leaf: leaf[position], found)
    return results
