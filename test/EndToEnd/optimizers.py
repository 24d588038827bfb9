# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Optimizers of optax, and of boost_mlir, that programs are exported with, by name.

A function of the parameters makes each: masks and labels are trees like them.
"""

import jax
import jax.numpy as jnp
import optax

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


# A hundredth of the norm of the gradients: every step clips.
SMALL_NORM = 0.03

OPTIMIZERS = {
    "sgd": lambda params: optax.sgd(RATE * 50),
    "momentum": lambda params: optax.sgd(RATE * 50, momentum=0.9),
    "nesterov": lambda params: optax.sgd(
        optax.warmup_cosine_decay_schedule(0.01, 0.2, 3, 10), momentum=0.9, nesterov=True
    ),
    "lion": lambda params: optax.lion(RATE / 4, weight_decay=0.1),
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
    "adan": lambda params: optax.adan(RATE, eps=EPS),
    "adopt": lambda params: optax.contrib.adopt(RATE, b2=1 - 2**-13, eps=EPS),
    "multi_steps": lambda params: optax.MultiSteps(
        optax.sgd(RATE, momentum=0.9), every_k_schedule=2
    ),
    "muon-of-factors": lambda params: optimizers.muon(
        RATE, eps=EPS, weight_decay=0.1, rest=optimizers.adamw(RATE, b2=B2, eps=EPS)
    ),
    "spectron": lambda params: optimizers.spectron(RATE * 5, eps=EPS, rest=optax.sgd(RATE * 50)),
    "loro-lazy": lambda params: optimizers.loro(
        RATE, period=None, b2=B2, eps=EPS, weight_decay=0.1
    ),
}
