# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Spectron: orthogonalized momentum, with steps that bound the change of the product."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from .adam import adamw
from .muon import COEFFICIENTS, momentum_directions, orthogonalize
from .pairs import Pairs, Split, named_pairs, split
from .transformation import (
    GradientTransformation,
    as_updates,
    need_params,
    rate_at,
    wide_type,
    zeros_like,
)


class SpectronState(NamedTuple):
    """vector: of each factor an estimate of its first singular vector, on the side of the rank."""

    step: jax.Array
    mu: Any
    vector: Any
    rest: Any


def spectron(
    learning_rate,
    *,
    momentum=0.95,
    nesterov: bool = False,
    iterations: int = 5,
    power_iterations: int = 1,
    coefficients=COEFFICIENTS,
    eps=1e-8,
    weight_decay=0.0,
    rest: GradientTransformation | None = None,
    pairs: Pairs = named_pairs(),
) -> GradientTransformation:
    """Spectral renormalization with orthogonalization.

    Both factors A and B of a linear take steps with singular values of about 1, divided by
    |A| + |B| + 1 with spectral norms: the product then changes by at most about the learning rate.
    The norms come from power iterations, which go on from the vectors of the step before.

    learning_rate:    bounds the change of the products: a number, or a schedule: a function of the
                      number of the step, from 0.
    nesterov:         whether the gradient enters the step once more beside the momentum.
    iterations:       of Newton and Schulz.
    power_iterations: for each norm, in each step.
    coefficients:     of x, x^3 and x^5 in the polynomial of an iteration.
    eps:              added to norms before dividing.
    weight_decay:     decoupled, of the factors.
    rest:             updates the other parameters; by default AdamW with the same rate and decay.
    pairs:            finds the factors; gets the names of all parameters and returns pairs of them.
    """
    rest = rest or adamw(learning_rate, weight_decay=weight_decay)

    def init(params):
        parts = split(params, pairs)
        factors = parts.only_factors(params)
        start = parts.tree(
            [(_start(down, -1), _start(up, -2)) for down, up in parts.factors(params)]
        )
        mu = jax.tree.map(zeros_like, factors)
        return SpectronState(jnp.zeros((), jnp.int32), mu, start, rest.init(parts.rest(params)))

    def update(grads, state, params=None):
        need_params(params)
        parts = split(params, pairs)
        rate = rate_at(learning_rate, state.step)
        mu, directions = momentum_directions(
            parts.only_factors(grads), state.mu, momentum, nesterov
        )

        factors, vectors = parts.only_factors(params), state.vector
        for _ in range(power_iterations):
            norms, vectors = _iterate(parts, factors, vectors, eps)
        bounds = [
            (bound, bound)
            for bound in (down + up + 1 for down, up in parts.factors(norms))
        ]

        def move(step, factor, bound):
            return -rate * (step / bound[..., None, None] + weight_decay * factor)

        steps = orthogonalize(directions, iterations, coefficients, eps)
        moved = jax.tree.map(move, steps, factors, parts.tree(bounds))
        others, rest_state = rest.update(parts.rest(grads), state.rest, parts.rest(params))
        updates = as_updates(parts.tree(parts.factors(moved), others), params)
        return updates, SpectronState(state.step + 1, mu, vectors, rest_state)

    return GradientTransformation(init, update)


def _start(factor, rank_dim):
    shape = (*factor.shape[:-2], factor.shape[rank_dim])
    return jnp.full(shape, factor.shape[rank_dim] ** -0.5, wide_type(factor))


def _iterate(parts: Split, factors, vectors, eps):
    """A power iteration: the norms of the factors times the vectors, and the next vectors."""
    tall = parts.tree([(down, jnp.swapaxes(up, -1, -2)) for down, up in parts.factors(factors)])
    multiply = lambda spec: lambda factor, vector: jnp.einsum(
        spec, factor.astype(vector.dtype), vector
    )
    images = jax.tree.map(multiply("...dr,...r->...d"), tall, vectors)
    norms = jax.tree.map(_length, images)
    back = jax.tree.map(multiply("...dr,...d->...r"), tall, images)

    def normalize(vector, old):
        length = _length(vector)[..., None]
        # A factor of zeros keeps its vector.
        return jnp.where(length > eps, vector / (length + eps), old)

    return norms, jax.tree.map(normalize, back, vectors)


def _length(vector):
    return jnp.sqrt(jnp.sum(jnp.square(vector), axis=-1))
