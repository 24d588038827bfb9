# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What an optimizer is, and what all of them do with types and rates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp


class GradientTransformation(NamedTuple):
    """Functions `init(params)` and `update(grads, state, params)`, which returns what to add to the
    parameters and the new state. `optax.chain` and its like take it as one of their own."""

    init: Callable[[Any], Any]
    update: Callable[..., tuple[Any, Any]]


def rate_at(learning_rate, count):
    """The rate of the step of this number, from 0; a schedule is a function of the number."""
    return learning_rate(count) if callable(learning_rate) else learning_rate


def wide_type(leaf):
    """The type of averages of gradients of a parameter, and of what else is kept of it."""
    return jnp.result_type(leaf.dtype, jnp.float32)


def zeros_like(leaf):
    """The start of an average of gradients of a parameter: f32 at least, since small updates of
    narrower averages are lost to rounding."""
    return jnp.zeros(leaf.shape, wide_type(leaf))


def average(old, value, decay):
    return decay * old + (1 - decay) * value.astype(old.dtype)


def as_updates(updates, params):
    """Updates in the types of the parameters."""
    return jax.tree.map(lambda update, param: update.astype(param.dtype), updates, params)


def need_params(params):
    if params is None:
        raise ValueError("the update needs the parameters: pass them as its third argument")
