# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From values to places on an axis, and the ticks of it."""

from __future__ import annotations

import dataclasses
import math

_LOG_FROM = 30.0  # ratio of the largest to the smallest value that a log scale is for


def _step(span: float, most: int) -> float:
    """The distance of at most about `most` ticks: 1, 2 or 5 times a power of ten."""
    raw = span / most
    power = 10.0 ** math.floor(math.log10(raw))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw * (1 - 1e-9))


def linear_ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Round numbers in [low, high]."""
    if high <= low:
        return [low]
    step = _step(high - low, most)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [index * step for index in range(first, last + 1)]


def step_ticks(low: int, high: int, most: int = 5) -> list[int]:
    """Whole numbers in [low, high], the ends among them."""
    inner = [int(tick) for tick in linear_ticks(low, high, most) if tick == int(tick)]
    margin = 0.12 * (high - low)
    return [
        low,
        *(tick for tick in inner if low + margin < tick < high - margin),
        *([high] * (high > low)),
    ]


@dataclasses.dataclass(frozen=True)
class Scale:
    """Values from `low` to `high` on [0, 1], by their logarithm if `log`."""

    low: float
    high: float
    log: bool = False

    def place(self, value: float) -> float:
        transform = math.log if self.log else float
        low, high = transform(self.low), transform(self.high)
        return (transform(value) - low) / (high - low) if high > low else 0.5

    def ticks(self, most: int = 5) -> list[float]:
        if not self.log:
            return linear_ticks(self.low, self.high, most)
        first, last = (
            math.ceil(math.log10(self.low) - 1e-9),
            math.floor(math.log10(self.high) + 1e-9),
        )
        factors = (1,) if last - first >= 2 else (1, 2, 5)
        powers = range(first - 1, last + 1, max(1, math.ceil((last - first + 1) / most)))
        ticks = [factor * 10.0**power for power in powers for factor in factors]
        return [tick for tick in ticks if self.low * (1 - 1e-9) <= tick <= self.high * (1 + 1e-9)]


def fit_scale(values: list[float], zero: bool = False) -> Scale:
    """A scale that all values are on, with some room; from 0 if `zero` and not logarithmic."""
    low, high = min(values), max(values)
    if low > 0 and high / low > _LOG_FROM:
        room = (high / low) ** 0.05
        return Scale(low / room, high * room, log=True)
    room = 0.05 * (high - low) or 0.05 * abs(high) or 1.0
    return Scale(0.0 if zero and low >= 0 else low - room, high + room)
