# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds random numbers that are the same at every step.

A key that depends on no argument of the loss makes the same numbers whenever the compiled
program runs: a dropout mask that never changes.
"""

from __future__ import annotations

from jax._src import source_info_util
from jax._src.interpreters import partial_eval
from jax.extend import core

from ._gradients import inner_jaxprs

_DRAWS = {"random_bits", "threefry2x32", "rng_bit_generator"}
_REMEDY = (
    "the numbers drawn here are the same at every step, as their key depends on no argument of "
    "the loss; take a scalar `step`, which `train` feeds, and make the key by "
    "jax.random.fold_in(key, step), or take the key as an argument"
)


def fixed_keys(jaxpr: core.Jaxpr) -> list[str]:
    """One line for each place that draws numbers from a key of no argument."""
    used, _ = partial_eval.dce_jaxpr(jaxpr, [True] * len(jaxpr.outvars), instantiate=True)
    places: dict[str, None] = {}
    _visit(used, [True] * len(used.invars), "", places)
    return [f"{place}: {_REMEDY}" if place else _REMEDY for place in places]


def _visit(jaxpr, depends, place, places) -> list[bool]:
    """Which results depend on arguments, where `depends` says which inputs do. Adds to `places`
    what draws from a key that does not."""
    varying = {variable for variable, does in zip(jaxpr.invars, depends) if does}

    def varies(variable):
        return not isinstance(variable, core.Literal) and variable in varying

    for equation in jaxpr.eqns:
        here = source_info_util.summarize(equation.source_info) or place
        inputs = [varies(variable) for variable in equation.invars]
        inner = list(inner_jaxprs(equation))
        if inner:
            outputs = _visit_inner(equation, inner, inputs, here, places)
        else:
            outputs = [any(inputs)] * len(equation.outvars)
        if equation.primitive.name in _DRAWS and not any(inputs):
            places[here] = None
        varying.update(variable for variable, does in zip(equation.outvars, outputs) if does)
    return [varies(variable) for variable in jaxpr.outvars]


def _visit_inner(equation, inner, inputs, here, places) -> list[bool]:
    name, count = equation.primitive.name, len(equation.outvars)
    if name == "scan":
        return _visit_scan(equation, inner[0], inputs, here, places)
    if name == "cond":
        results = [_visit(branch, inputs[1:], here, places) for branch in inner]
        return [inputs[0] or any(each) for each in zip(*results)]
    if len(inner) == 1 and len(inner[0].invars) == len(inputs):
        results = _visit(inner[0], inputs, here, places)
        return results if len(results) == count else [any(results)] * count
    # Of other loops and rules it is not said which input is which.
    for body in inner:
        _visit(body, [any(inputs)] * len(body.invars), here, places)
    return [any(inputs)] * count


def _visit_scan(equation, body, inputs, here, places) -> list[bool]:
    """What is carried depends on arguments if it does after any trip."""
    consts, carry = equation.params["num_consts"], equation.params["num_carry"]
    inputs = list(inputs)
    while True:
        results = _visit(body, inputs, here, {})
        carried = [a or b for a, b in zip(inputs[consts : consts + carry], results)]
        if carried == inputs[consts : consts + carry]:
            return _visit(body, inputs, here, places)
        inputs[consts : consts + carry] = carried
