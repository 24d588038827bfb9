# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Optimizers of optax, and of boost_mlir, that programs are exported with, by name.

A function of the parameters makes each: masks and labels are trees like them.
"""

from typing import NamedTuple

import jax
import jax.numpy as jnp
import optax
from jax import lax

from boost_mlir import optimizers

# From rates and denominators of this size on, ten steps are well-conditioned.
RATE, EPS = 2e-3, 1e-4
# The decay of an average of squares, which f32 has exactly: 1 - 0.999 differs by 1.3e-5 of itself
# between f32 and f64.
B2 = 1 - 2**-10


def _is_matrix(params):
    return jax.tree.map(lambda leaf: leaf.ndim > 1, params)


def _labels(params):
    """Other rates for factors than for norms; the embedding is frozen."""
    return jax.tree_util.tree_map_with_path(
        lambda path, leaf: (
            "frozen" if "embed" in str(path) else "factors" if leaf.ndim > 1 else "norms"
        ),
        params,
    )


def _average_of_parameters(decay):
    """A transformation of one's own: an average of the parameters beside those."""

    def update(updates, state, params):
        average = jax.tree.map(
            lambda old, param, step: decay * old + (1 - decay) * (param + step),
            *(state, params, updates),
        )
        return updates, average

    return optax.GradientTransformation(lambda params: jax.tree.map(jnp.array, params), update)


def _frozen_and_grouped(params):
    rates = {
        "factors": optax.inject_hyperparams(optax.sgd)(learning_rate=RATE, momentum=0.5),
        "norms": optax.inject_hyperparams(optax.sgd)(learning_rate=RATE / 4),
        "frozen": optax.set_to_zero(),
    }
    return optax.multi_transform(rates, _labels(params))


def _inverse_root(matrix, power):
    values, vectors = jnp.linalg.eigh(matrix)
    return (vectors * values**-power) @ vectors.T


def shampoo(params, rate=RATE, start=0.02, decay=0.9):
    """As one would write it: parameters that are no matrices take plain steps."""

    def init(params):
        sides = lambda leaf: [start * jnp.eye(size, dtype=leaf.dtype) for size in leaf.shape]
        return jax.tree.map(lambda leaf: sides(leaf) if leaf.ndim == 2 else [], params)

    def move(grad, sides):
        if not sides:
            return -rate * grad, []
        left, right = sides
        left = decay * left + grad @ grad.T
        right = decay * right + grad.T @ grad
        return -rate * _inverse_root(left, 0.25) @ grad @ _inverse_root(right, 0.25), [left, right]

    def update(grads, state, params):
        leaves, structure = jax.tree.flatten(grads)
        moved = [move(*each) for each in zip(leaves, structure.flatten_up_to(state))]
        steps, sides = zip(*moved)
        return structure.unflatten(steps), structure.unflatten(sides)

    return optax.GradientTransformation(init, update)


class SoapState(NamedTuple):
    """Of one matrix: averages, of squares in the eigenbasis `basis` of the product of gradients."""

    mean: jax.Array
    square: jax.Array
    product: jax.Array
    basis: jax.Array


def soap(params, rate=RATE, start=0.02, b1=0.9, b2=B2, eps=1e-2, decay=0.9, perturb=jnp.array):
    """One-sided SOAP: Adam in the eigenbasis of the shorter side's product of gradients, which a
    step of the QR algorithm renews in each step. Parameters that are no matrices take plain steps.
    `perturb` changes what is factorized, for one who asks what rounding does.

    The average of products starts with distinct numbers on the diagonal. They make ten steps
    well-conditioned: rounding turns an eigenvector by the norm of the matrix over the distance to
    the next eigenvalue, and where a gradient has fewer directions than the side is long, they tell
    the others apart."""

    def turned(matrix):
        return matrix.T if len(matrix) < matrix.shape[1] else matrix

    def init(params):
        def begin(leaf):
            if leaf.ndim != 2:
                return jnp.zeros_like(leaf)
            size = min(leaf.shape)
            ramp = start * (1 + jnp.arange(size, dtype=leaf.dtype) / size)
            zeros = jnp.zeros_like(turned(leaf))
            return SoapState(zeros, zeros, jnp.diag(ramp), jnp.eye(size, dtype=leaf.dtype))

        return jnp.zeros((), jnp.int32), jax.tree.map(begin, params)

    def move(given, state, is_first):
        if not isinstance(state, SoapState):
            return -rate * given, state
        grad = turned(given)
        product = decay * state.product + (1 - decay) * grad.T @ grad
        basis = lax.cond(
            is_first,
            lambda: jnp.linalg.eigh(perturb(product)).eigenvectors,
            lambda: jnp.linalg.qr(perturb(product @ state.basis))[0],
        )
        mean = b1 * state.mean + (1 - b1) * grad
        square = b2 * state.square + (1 - b2) * (grad @ basis) ** 2
        step = (mean @ basis / (jnp.sqrt(square) + eps)) @ basis.T
        step = step if grad is given else step.T
        return -rate * step, SoapState(mean, square, product, basis)

    def update(grads, state, params):
        count, states = state
        leaves, structure = jax.tree.flatten(grads)
        moved = [move(*each, count == 0) for each in zip(leaves, structure.flatten_up_to(states))]
        steps, states = zip(*moved)
        return structure.unflatten(steps), (count + 1, structure.unflatten(states))

    return optax.GradientTransformation(init, update)


def alternating(params):
    """Steps of one length in every other step, and steps as long as the gradients in the others."""

    def update(grads, state, params):
        steps = lax.cond(
            state["count"] % 2 == 0,
            lambda grads: jax.tree.map(lambda grad: -RATE * grad / optax.global_norm(grads), grads),
            lambda grads: jax.tree.map(lambda grad: -RATE * 10 * grad, grads),
            grads,
        )
        return steps, {"count": state["count"] + 1}

    start = lambda params: {"count": jnp.zeros((), jnp.int32)}
    return optax.GradientTransformation(start, update)


def brake(params):
    """A tenth of the rate where the norm of the gradients is large, as in some of ten steps."""

    def update(grads, state, params):
        steps = lax.cond(
            optax.global_norm(grads) > LARGE_NORM,
            lambda grads: jax.tree.map(lambda grad: -RATE * grad, grads),
            lambda grads: jax.tree.map(lambda grad: -10 * RATE * grad, grads),
            grads,
        )
        return steps, state

    return optax.GradientTransformation(lambda params: (), update)


LION_RATE = RATE / 4
# A hundredth of the norm of the gradients: every step clips.
SMALL_NORM = 0.03
# Some of the first ten steps have larger ones.
LARGE_NORM = 3.0

OPTIMIZERS = {
    "sgd": lambda params: optax.sgd(RATE * 50),
    "momentum": lambda params: optax.sgd(RATE * 50, momentum=0.9),
    "nesterov": lambda params: optax.sgd(
        optax.warmup_cosine_decay_schedule(0.01, 0.2, 3, 10), momentum=0.9, nesterov=True
    ),
    "lion": lambda params: optax.lion(LION_RATE, weight_decay=0.1),
    "adam": lambda params: optax.adam(RATE, b2=B2, eps=EPS),
    "adamw": lambda params: optax.adamw(
        RATE, b2=B2, eps=EPS, weight_decay=0.1, mask=_is_matrix
    ),
    "clipped": lambda params: optax.chain(
        optax.clip_by_global_norm(SMALL_NORM),
        optax.inject_hyperparams(optax.adamw)(learning_rate=RATE, b2=0.95, eps=EPS),
    ),
    "nadamw": lambda params: optax.nadamw(RATE, b2=B2, eps=EPS),
    "lamb": lambda params: optax.lamb(RATE, b2=B2, eps=EPS, weight_decay=0.1),
    "lars": lambda params: optax.lars(RATE, weight_decay=0.1),
    "adafactor": lambda params: optax.adafactor(RATE, min_dim_size_to_factor=16),
    "rmsprop": lambda params: optax.rmsprop(RATE, momentum=0.5, initial_scale=0.25),
    "multi_transform": _frozen_and_grouped,
    "average": lambda params: optax.chain(
        optax.sgd(RATE, momentum=0.9), _average_of_parameters(0.9)
    ),
    "ema": lambda params: optax.chain(optax.ema(0.9), optax.scale(-RATE)),
    "muon": lambda params: optax.contrib.muon(RATE, adam_b2=B2, eps=EPS),
    "schedule_free": lambda params: optax.contrib.schedule_free_adamw(
        RATE, warmup_steps=3, b2=B2, eps=EPS
    ),
    "ademamix": lambda params: optax.contrib.ademamix(RATE, b2=B2, b3=1 - 2**-13, eps=EPS),
    # With EPS, rounding of f32 grows threefold in six steps.
    "adan": lambda params: optax.adan(RATE, eps=1e-2),
    "adopt": lambda params: optax.contrib.adopt(RATE, b2=1 - 2**-13, eps=4 * EPS),
    "multi_steps": lambda params: optax.MultiSteps(
        optax.sgd(RATE, momentum=0.9), every_k_schedule=2
    ),
    "muon-of-factors": lambda params: optimizers.muon(
        RATE, eps=EPS, weight_decay=0.1, rest=optimizers.adamw(RATE, b2=B2, eps=EPS)
    ),
    "spectron": lambda params: optimizers.spectron(RATE * 5, eps=EPS, rest=optax.sgd(RATE * 50)),
    "loro": lambda params: optimizers.loro(RATE, period=3, b2=B2, eps=EPS, weight_decay=0.1),
    "alternating": alternating,
    "brake": brake,
    "shampoo": shampoo,
    "soap": soap,
}
