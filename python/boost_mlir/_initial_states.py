# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds how the states of an optimizer start, from the function that makes them.

Most states are a constant or a copy of a parameter, of any size. Following the function
symbolically tells these without an allocation; the others are computed.
"""

from __future__ import annotations

import dataclasses

import jax
import numpy as np
from jax._src.interpreters import partial_eval
from jax.extend import core


@dataclasses.dataclass(frozen=True)
class Constant:
    """All elements are one number."""

    value: np.generic

    def rule(self) -> str | None:
        """The rule for an initial value that gives it, if one does."""
        number = float(self.value)
        # Programs compute it in f32.
        if not np.isfinite(number) or np.float32(number) != self.value:
            return None
        if number in (0, 1):
            return "ones" if number else "zeros"
        # Programs write integers as signed ones.
        is_small = not np.issubdtype(self.value.dtype, np.integer) or abs(number) < 2**31
        return f"constant:{number!r}" if is_small else None


@dataclasses.dataclass(frozen=True)
class Copy:
    """The argument of this number, perhaps rounded."""

    argument: int

    def rule(self) -> str:
        return "param"


# Operations whose result has the elements of their operand.
_MOVING = {
    *("broadcast_in_dim", "copy", "copy_p", "expand_dims", "reshape", "rev", "slice", "squeeze"),
    *("stop_gradient", "transpose"),
}
_COPYING = {"copy", "copy_p", "stop_gradient"}


def initial_states(closed: core.ClosedJaxpr) -> list[Constant | Copy | None]:
    """What each result is; None if it has to be computed."""
    jaxpr = closed.jaxpr
    known = [Copy(i) for i in range(len(jaxpr.invars))]
    return _results(jaxpr, [*map(_constant_of, closed.consts)], known)


def compute(closed: core.ClosedJaxpr, numbers: list[int], arguments) -> list[np.ndarray]:
    """The results of these numbers; `arguments` has None for an argument without a value.

    Raises LookupError with the number of the first result that needs such a value."""
    for number in numbers:
        used = [i == number for i in range(len(closed.jaxpr.outvars))]
        _, read = partial_eval.dce_jaxpr(closed.jaxpr, used)
        if any(is_read and value is None for is_read, value in zip(read, arguments)):
            raise LookupError(number)
    wanted = [i in numbers for i in range(len(closed.jaxpr.outvars))]
    jaxpr, read = partial_eval.dce_jaxpr(closed.jaxpr, wanted)
    given = [value for is_read, value in zip(read, arguments) if is_read]
    results = jax.jit(core.jaxpr_as_fun(core.ClosedJaxpr(jaxpr, closed.consts)))(*given)
    return [np.asarray(result) for result in results]


def constant_of(array: np.ndarray) -> Constant | None:
    """The number that all elements of an array are, if they are one."""
    array = np.asarray(array)
    if array.size and (array == array.flat[0]).all():
        return Constant(array.dtype.type(array.flat[0]))
    return None


def _constant_of(value) -> Constant | None:
    if jax.dtypes.issubdtype(getattr(value, "dtype", np.float32), jax.dtypes.extended):
        return None
    return constant_of(value)


def _results(jaxpr, constants, arguments):
    """What the results of a function are, given what its arguments are."""
    known = dict(zip([*jaxpr.constvars, *jaxpr.invars], [*constants, *arguments]))

    def read(atom):
        if isinstance(atom, core.Literal):
            return _constant_of(np.asarray(atom.val, atom.aval.dtype))
        return known.get(atom)

    for equation in jaxpr.eqns:
        operands = [read(atom) for atom in equation.invars]
        for variable, value in zip(equation.outvars, _follow(equation, operands)):
            known[variable] = value
    return [read(atom) for atom in jaxpr.outvars]


def _follow(equation, operands):
    """What the results of an operation are."""
    name = equation.primitive.name
    first = operands[0] if operands else None
    if name == "convert_element_type":
        dtype = equation.params["new_dtype"]
        if isinstance(first, Constant):
            return [Constant(np.asarray(first.value).astype(dtype)[()])]
        is_float = jax.dtypes.issubdtype(dtype, np.floating)
        return [first if is_float else None]
    if isinstance(first, Constant) and name in _MOVING:
        return [first]
    if isinstance(first, Copy) and name in _COPYING:
        return [first]
    if name in ("jit", "pjit"):
        closed = equation.params["jaxpr"]
        return _results(closed.jaxpr, [*map(_constant_of, closed.consts)], operands)
    return [None] * len(equation.outvars)
