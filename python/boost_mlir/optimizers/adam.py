# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adam, for the parameters that are no factors and for the directions of factors."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from .transformation import GradientTransformation, average, need_params, rate_at, zeros_like


class Moments(NamedTuple):
    """Averages of the gradients and of their squares; `count` is the number of gradients."""

    count: jax.Array
    mu: Any
    nu: Any


def start(params) -> Moments:
    return Moments(
        jnp.zeros((), jnp.int32),
        jax.tree.map(zeros_like, params),
        jax.tree.map(zeros_like, params),
    )


def step(grads, moments: Moments, b1, b2) -> Moments:
    mu = jax.tree.map(lambda old, grad: average(old, grad, b1), moments.mu, grads)
    nu = jax.tree.map(
        lambda old, grad: average(old, jnp.square(grad.astype(old.dtype)), b2), moments.nu, grads
    )
    return Moments(moments.count + 1, mu, nu)


def corrections(moments: Moments, b1, b2):
    """What averages are divided by since they start from zero."""
    return 1 - jnp.power(b1, moments.count), 1 - jnp.power(b2, moments.count)


class AdamState(NamedTuple):
    step: jax.Array
    moments: Moments


def adamw(
    learning_rate, *, b1=0.9, b2=0.999, eps=1e-8, weight_decay=0.0
) -> GradientTransformation:
    """Adam with decoupled weight decay, of matrices and not of scales and biases.

    learning_rate: a number, or a schedule: a function of the number of the step, from 0.
    """

    def init(params):
        return AdamState(jnp.zeros((), jnp.int32), start(params))

    def update(grads, state, params=None):
        need_params(params)
        rate = rate_at(learning_rate, state.step)
        moments = step(grads, state.moments, b1, b2)
        by_mean, by_square = corrections(moments, b1, b2)

        def move(mu, nu, param):
            direction = mu / by_mean / (jnp.sqrt(nu / by_square) + eps)
            if weight_decay and param.ndim > 1:
                direction += weight_decay * param
            return (-rate * direction).astype(param.dtype)

        updates = jax.tree.map(move, moments.mu, moments.nu, params)
        return updates, AdamState(state.step + 1, moments)

    return GradientTransformation(init, update)
