# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LORO: Adam whose directions are steps on the manifold of matrices of rank r."""

from __future__ import annotations

import dataclasses
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp

from . import adam
from .pairs import Pairs, Split, named_pairs, split
from .retraction import Factors, retract
from .transformation import GradientTransformation, as_updates, need_params, rate_at

_REFRESHED = ("all", "factors", "none")


class LoroState(NamedTuple):
    """step:    the number of steps taken.
    rest:    the moments of the parameters that are no factors.
    factors: those of factors.
    """

    step: jax.Array
    rest: adam.Moments
    factors: adam.Moments


def loro(
    learning_rate,
    *,
    period: int | None = 500,
    refresh: str = "all",
    b1=0.9,
    b2=0.999,
    eps=1e-6,
    weight_decay=0.0,
    lazy_scale: float | None = None,
    pairs: Pairs = named_pairs(),
) -> GradientTransformation:
    """The optimizer of "LORO: low-rank Riemannian optimizer", with the defaults of its authors.

    Each step computes Adam's directions of all parameters. Factors take lazy steps against them,
    with a smaller rate, and in the last of every `period` steps an exact one: the direction is
    projected to the tangent space at the product of the factors, and the sum is replaced by the
    nearest product of factors. Weight decay is no part of an exact step.

    learning_rate: a number, or a schedule: a function of the number of the step, from 0. The
                   correction of Adam's bias is part of the rate of both kinds of steps.
    period:        steps from one exact step to the next; 1 for exact steps only, None for none.
    refresh:       the averages that start again from zero after an exact step: those of "all"
                   parameters, of "factors", or "none".
    eps:           added to the root of the average of squares, whose bias is not corrected there.
    weight_decay:  decoupled, of all parameters.
    lazy_scale:    the rate of lazy steps as a share of the rate; by default the rank divided by
                   the long side of the factor.
    pairs:         finds the factors; gets the names of all parameters and returns pairs of them.
    """
    if period is not None and period < 1:
        raise ValueError(f"expects a period of at least 1, or None, but got {period}")
    if refresh not in _REFRESHED:
        raise ValueError(
            f"expects refresh to be one of {', '.join(_REFRESHED)}, but got {refresh!r}"
        )
    loro = _Loro(
        learning_rate, period, refresh, b1, b2, eps, weight_decay, lazy_scale, pairs
    )
    return GradientTransformation(loro.init, loro.update)


def restarted(schedule, period: int):
    """A schedule that starts again after every `period` steps."""
    return lambda count: schedule(count % period)


def rewarmed(learning_rate, period: int, warmup: int = 5):
    """A schedule whose rate grows again from 0 in the first `warmup` steps after every `period`
    steps, as averages do that an exact step has started again.

    learning_rate: a number, or a schedule: a function of the number of the step, from 0.
    """

    def schedule(count):
        is_early = (count >= period) & (count % period < warmup)
        share = jnp.where(is_early, count % period / warmup, 1.0)
        return rate_at(learning_rate, count) * share

    return schedule


@dataclasses.dataclass(frozen=True)
class _Loro:
    learning_rate: Any
    period: int | None
    refresh: str
    b1: Any
    b2: Any
    eps: Any
    weight_decay: Any
    lazy_scale: float | None
    pairs: Pairs

    def init(self, params):
        parts = split(params, self.pairs)
        return LoroState(
            jnp.zeros((), jnp.int32),
            adam.start(parts.rest(params)),
            adam.start(parts.only_factors(params)),
        )

    def update(self, grads, state, params=None):
        need_params(params)
        parts = split(params, self.pairs)
        rate = rate_at(self.learning_rate, state.step)
        rest, directions, size = self._follow(parts.rest(grads), state.rest, rate)
        updates = jax.tree.map(
            lambda param, direction: self._descend(param, direction, size, rate),
            *(parts.rest(params), directions),
        )
        factors, directions, size = self._follow(parts.only_factors(grads), state.factors, rate)
        number = state.step + 1
        moved = self._move(parts, parts.only_factors(params), directions, size, number)
        if self.period is not None:
            is_exact = number % self.period == 0
            rest = _start_again(rest, is_exact & (self.refresh == "all"))
            factors = _start_again(factors, is_exact & (self.refresh != "none"))
        updates = as_updates(parts.tree(parts.factors(moved), updates), params)
        return updates, LoroState(number, rest, factors)

    def _follow(self, grads, moments, rate):
        """The new moments of some parameters, the directions, and the rate for these."""
        moments = adam.step(grads, moments, self.b1, self.b2)
        by_mean, by_square = adam.corrections(moments, self.b1, self.b2)
        directions = jax.tree.map(
            lambda mu, nu: mu / (jnp.sqrt(nu) + self.eps), moments.mu, moments.nu
        )
        return moments, directions, rate * jnp.sqrt(by_square) / by_mean

    def _descend(self, param, direction, size, decay):
        moved = param - size * direction
        if self.weight_decay:
            moved *= 1 - decay * self.weight_decay
        return moved - param

    def _move(self, parts, params, directions, size, number):
        """The updates of factors in the step of this number, from 1."""

        def lazy(params, directions, size):
            def move(param, direction):
                sides = param.shape[-2:]
                scale = min(sides) / max(sides) if self.lazy_scale is None else self.lazy_scale
                return self._descend(param, direction, size * scale, size)

            return jax.tree.map(move, params, directions)

        def exact(params, directions, size):
            return _exact_updates(parts, params, directions, size)

        given = params, directions, size
        if self.period is None:
            return lazy(*given)
        if self.period == 1:
            return exact(*given)
        return jax.lax.cond(number % self.period == 0, exact, lazy, *given)


def _exact_updates(parts: Split, params, directions, size):
    turn = lambda pair: Factors(jnp.swapaxes(pair[1], -1, -2), pair[0])
    old = [*map(turn, parts.factors(params))]
    new = retract(old, [*map(turn, parts.factors(directions))], size)
    moved = [
        (after.n - before.n, jnp.swapaxes(after.m - before.m, -1, -2))
        for after, before in zip(new, old)
    ]
    return parts.tree(moved)


def _start_again(moments: adam.Moments, is_now):
    return jax.tree.map(lambda leaf: jnp.where(is_now, jnp.zeros_like(leaf), leaf), moments)
