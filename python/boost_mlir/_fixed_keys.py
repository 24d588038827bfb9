# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds random numbers that should change at every step and do not.

A key that depends on no argument of the loss makes the same numbers whenever the compiled
program runs: a dropout mask that never changes. Fixed random factors, as in VeRA, and random
features are meant so: numbers that are multiplied as matrices, or added to every example alike.
"""

from __future__ import annotations

import dataclasses
import functools

import numpy as np
from jax._src import source_info_util
from jax._src.interpreters import partial_eval
from jax.extend import core

from ._gradients import inner_jaxprs

_DRAWS = {"random_bits", "threefry2x32", "rng_bit_generator"}
_COMPARISONS = {"eq", "ne", "lt", "le", "gt", "ge"}
_ELEMENTWISE = {"add", "add_any", "sub", "mul", "div", "max", "min"}
_REMEDY = (
    "the numbers drawn here are the same at every step, as their key depends on no argument of "
    "the loss; take a scalar `step`, which `train` feeds, and make the key by "
    "jax.random.fold_in(key, step), or take the key as an argument"
)


@dataclasses.dataclass(frozen=True)
class _Value:
    """The sources of a variable."""

    # Arguments of the loss, and among them the batch.
    depends: bool = False
    of_batch: bool = False
    # The places that drew its numbers, until they meet the batch.
    draws: frozenset[str] = frozenset()
    # These numbers were compared: it chooses what stays.
    chooses: bool = False
    # Made larger, so that several elements share a number.
    repeated: bool = False


_CONSTANT = _Value()


def _join(values) -> _Value:
    """Made of all of them. It shares numbers if all that has numbers does."""
    values = list(values)
    drawn = [value for value in values if value.draws]
    return _Value(
        any(value.depends for value in values),
        any(value.of_batch for value in values),
        frozenset().union(*(value.draws for value in values)),
        any(value.chooses for value in drawn),
        bool(drawn) and all(value.repeated for value in drawn),
    )


def fixed_keys(jaxpr: core.Jaxpr, num_params: int) -> list[str]:
    """One line for each place that draws numbers from a key of no argument which choose, are
    places of elements, or change every element of something computed from the batch.

    num_params: how many arguments are parameters; the others are the batch.
    """
    used, _ = partial_eval.dce_jaxpr(jaxpr, [True] * len(jaxpr.outvars), instantiate=True)
    places: dict[str, None] = {}
    inputs = [_Value(True, i >= num_params) for i in range(len(used.invars))]
    _visit(used, inputs, "", places)
    return [f"{place}: {_REMEDY}" if place else _REMEDY for place in places]


def _visit(jaxpr, inputs, place, places) -> list[_Value]:
    """Returns the sources of the results, where `inputs` are the arguments. Adds to `places` the
    operations that draw fixed numbers that should change."""
    known = dict(zip(jaxpr.invars, inputs))

    def look_up(variable):
        return _CONSTANT if isinstance(variable, core.Literal) else known.get(variable, _CONSTANT)

    for equation in jaxpr.eqns:
        here = source_info_util.summarize(equation.source_info) or place
        operands = [look_up(variable) for variable in equation.invars]
        inner = list(inner_jaxprs(equation))
        if inner:
            outputs = _visit_inner(equation, inner, operands, here, places)
        else:
            places.update(dict.fromkeys(_misused(equation, operands)))
            outputs = [_result(equation, operands, here)] * len(equation.outvars)
        known.update(zip(equation.outvars, outputs))
    return [look_up(variable) for variable in jaxpr.outvars]


def _misused(equation, operands) -> list[str]:
    """The places of fixed numbers that meet arguments here and should change."""
    name = equation.primitive.name
    found = []
    for i, (variable, operand) in enumerate(zip(equation.invars, operands)):
        others = _join(operands[:i] + operands[i + 1 :])
        if not operand.draws or not others.depends:
            continue
        is_noise = (
            name in _ELEMENTWISE
            and others.of_batch
            and not operand.repeated
            and _size(variable) == _size(equation.outvars[0])
        )
        if operand.chooses or name in _COMPARISONS or is_noise or _is_integer(variable):
            found += sorted(operand.draws)
    return found


def _is_integer(variable) -> bool:
    return getattr(getattr(variable.aval, "dtype", None), "kind", None) in ("b", "i", "u")


def _result(equation, operands, here) -> _Value:
    name, result = equation.primitive.name, _join(operands)
    if name in _DRAWS and not result.depends:
        return _Value(draws=frozenset({here}))
    if result.of_batch:
        return dataclasses.replace(result, draws=frozenset(), chooses=False, repeated=False)
    compared = name in _COMPARISONS and bool(result.draws)
    larger = name == "broadcast_in_dim" and _size(equation.outvars[0]) > _size(equation.invars[0])
    return dataclasses.replace(
        result,
        chooses=result.chooses or compared,
        repeated=result.repeated or (larger and bool(result.draws)),
    )


def _size(variable) -> int:
    return int(np.prod(variable.aval.shape))


def _visit_inner(equation, inner, operands, here, places) -> list[_Value]:
    name, count = equation.primitive.name, len(equation.outvars)
    if name == "scan":
        return _visit_scan(equation, inner[0], operands, here, places)
    if name == "cond":
        results = [_visit(branch, operands[1:], here, places) for branch in inner]
        return [_join((operands[0], *each)) for each in zip(*results)]
    if len(inner) == 1 and len(inner[0].invars) == len(operands):
        results = _visit(inner[0], operands, here, places)
        return results if len(results) == count else [_join(results)] * count
    # For other loops and rules it is unknown which input is which.
    whole = functools.reduce(lambda a, b: _join((a, b)), operands, _CONSTANT)
    results = [_join(_visit(body, [whole] * len(body.invars), here, places)) for body in inner]
    return [_join((whole, *results))] * count


def _visit_scan(equation, body, operands, here, places) -> list[_Value]:
    """Carried values have the sources that they have after any trip."""
    consts, carry = equation.params["num_consts"], equation.params["num_carry"]
    operands = list(operands)
    while True:
        results = _visit(body, operands, here, {})
        before = operands[consts : consts + carry]
        carried = [_join(pair) for pair in zip(before, results)]
        if carried == before:
            return _visit(body, operands, here, places)
        operands[consts : consts + carry] = carried
