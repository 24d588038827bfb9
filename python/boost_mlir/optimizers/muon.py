# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Muon on the factors of linears: steps whose singular values are about 1."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from .adam import adamw
from .pairs import Pairs, named_pairs, split
from .transformation import (
    GradientTransformation,
    as_updates,
    average,
    need_params,
    rate_at,
    zeros_like,
)

# A polynomial of odd degree that moves singular values from (0, 1] to about 1, quickly rather than
# exactly: after five steps they are between 0.7 and 1.2.
COEFFICIENTS = (3.4445, -4.7750, 2.0315)


class MuonState(NamedTuple):
    step: jax.Array
    mu: Any
    rest: Any


def muon(
    learning_rate,
    *,
    momentum=0.95,
    nesterov: bool = True,
    iterations: int = 5,
    coefficients=COEFFICIENTS,
    eps=1e-8,
    weight_decay=0.0,
    rest: GradientTransformation | None = None,
    pairs: Pairs = named_pairs(),
) -> GradientTransformation:
    """Momentum that is orthogonalized, of each factor. Another optimizer updates the parameters
    that are no factors.

    learning_rate: of the factors: a number, or a schedule: a function of the number of the step,
                   from 0. A factor [d_in, d_out] that is wider than tall takes a step that is
                   larger by the root of d_out / d_in, as in optax.
    nesterov:      whether the gradient enters the step once more beside the momentum.
    iterations:    of Newton and Schulz.
    coefficients:  of x, x^3 and x^5 in the polynomial of an iteration.
    eps:           added to the norm that the momentum is divided by.
    weight_decay:  decoupled, of the factors.
    rest:          updates the other parameters; by default AdamW with the same rate and decay.
    pairs:         finds the factors; gets the names of all parameters and returns pairs of them.
    """
    rest = rest or adamw(learning_rate, weight_decay=weight_decay)

    def init(params):
        parts = split(params, pairs)
        mu = jax.tree.map(zeros_like, parts.only_factors(params))
        return MuonState(jnp.zeros((), jnp.int32), mu, rest.init(parts.rest(params)))

    def update(grads, state, params=None):
        need_params(params)
        parts = split(params, pairs)
        rate = rate_at(learning_rate, state.step)
        mu, directions = momentum_directions(
            parts.only_factors(grads), state.mu, momentum, nesterov
        )

        def move(step, param):
            scale = max(1, param.shape[-1] / param.shape[-2]) ** 0.5
            return -rate * (scale * step + weight_decay * param)

        steps = orthogonalize(directions, iterations, coefficients, eps)
        moved = jax.tree.map(move, steps, parts.only_factors(params))
        others, rest_state = rest.update(parts.rest(grads), state.rest, parts.rest(params))
        updates = as_updates(parts.tree(parts.factors(moved), others), params)
        return updates, MuonState(state.step + 1, mu, rest_state)

    return GradientTransformation(init, update)


def momentum_directions(grads, mu, momentum, nesterov):
    """The new momentum, and what is orthogonalized."""
    mu = jax.tree.map(lambda old, grad: average(old, grad, momentum), mu, grads)
    if not nesterov:
        return mu, mu
    return mu, jax.tree.map(lambda new, grad: average(new, grad, momentum), mu, grads)


def orthogonalize(matrices, iterations: int, coefficients=COEFFICIENTS, eps=1e-8):
    """Matrices with the singular vectors of others, a tree of them, and singular values of about 1,
    or nearly 0 where the others' are.

    The norms, and in every iteration the Gram matrices of the short sides, are all that is computed
    across the long sides. Those of an iteration come one after another, so that their sums over
    ranks can be one message.
    """
    leaves, structure = jax.tree.flatten(matrices)
    is_tall = [leaf.shape[-2] > leaf.shape[-1] for leaf in leaves]
    wide = [_swapped(leaf) if tall else leaf for leaf, tall in zip(leaves, is_tall)]
    norms = [jnp.sqrt(jnp.sum(jnp.square(x), axis=(-2, -1), keepdims=True)) for x in wide]
    wide = [x / (norm + eps) for x, norm in zip(wide, norms)]
    first, third, fifth = coefficients
    for _ in range(iterations):
        grams = [x @ _swapped(x) for x in wide]
        polynomials = [third * gram + fifth * (gram @ gram) for gram in grams]
        wide = [first * x + polynomial @ x for x, polynomial in zip(wide, polynomials)]
    turned = [_swapped(x) if tall else x for x, tall in zip(wide, is_tall)]
    return jax.tree.unflatten(structure, turned)


def _swapped(matrix):
    return jnp.swapaxes(matrix, -1, -2)
