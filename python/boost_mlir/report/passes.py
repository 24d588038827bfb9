# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A step as forward pass, backward pass and optimizer, by the differences of functions.

`loss` is the forward pass. What `gradient` takes besides is the backward pass, and what `step`
takes besides is the optimizer; `accumulate` adds up what `gradient` returns, and `update` is
the optimizer alone.
"""

from __future__ import annotations

import dataclasses

from .plan import ClassCost, Function, Prediction

_ADDED = {
    "loss": [("forward", "loss")],
    "gradient": [("forward", "loss"), ("backward", "gradient")],
    "accumulate": [("forward", "loss"), ("backward", "accumulate")],
    "step": [("forward", "loss"), ("backward", "gradient"), ("optimizer", "step")],
    "update": [("optimizer", "update")],
}
_ROUNDING = 1e-9  # of a function's seconds


@dataclasses.dataclass(frozen=True)
class Pass:
    """`name` is None for a function of which the passes are not known."""

    name: str | None
    classes: dict[str, ClassCost]

    @property
    def seconds(self) -> float:
        return sum(cost.seconds for cost in self.classes.values())


def _subtract(larger: Function, smaller: Function) -> dict[str, ClassCost] | None:
    """Returns the additional cost of `larger`, by class; None if it does not contain `smaller`."""
    rest = {}
    for name in [
        *larger.classes,
        *(name for name in smaller.classes if name not in larger.classes),
    ]:
        a, b = larger.classes.get(name, _NOTHING), smaller.classes.get(name, _NOTHING)
        fields = zip(dataclasses.astuple(a), dataclasses.astuple(b))
        difference = ClassCost(*(max(0, x - y) for x, y in fields))
        if a.seconds - b.seconds < -_ROUNDING * larger.seconds:
            return None
        if difference.seconds:
            rest[name] = difference
    return rest


_NOTHING = ClassCost(0, 0.0, 0.0, 0.0, 0.0)


def split_function(predicted: Prediction, name: str) -> list[Pass]:
    """The passes of one call of a function, in their order; their seconds add up to its own."""
    classes = predicted.functions[name].classes
    passes, before = [], Function(0.0, {})
    for label, function in _ADDED.get(name, []):
        if function not in predicted.functions:
            return [Pass(None, classes)]
        rest = _subtract(predicted.functions[function], before)
        if rest is None:
            return [Pass(None, classes)]
        before = predicted.functions[function]
        passes.append(Pass(label, rest))
    return passes or [Pass(None, classes)]
