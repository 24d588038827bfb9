# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds gradients that a loss prescribes and that StableHLO cannot carry.

The compiler differentiates the exported function itself. `jax.custom_vjp`,
`jax.custom_jvp`, `jax.lax.custom_root` and `jax.lax.custom_linear_solve` leave
no trace in StableHLO, so a loss whose gradient depends on them would train
wrongly without a word. Nor does `jax.lax.stop_gradient`, which is exported as a
call that the compiler knows.
"""

from __future__ import annotations

import functools
import os
import types

import jax
from jax._src import api_util, linear_util, source_info_util
from jax._src.interpreters import mlir
from jax.extend import core

_JAX_ROOT = os.path.dirname(jax.__file__) + os.sep
# Where JAX calls `stop_gradient` itself, and means the true gradient. Others of its files call
# what they are given, such as `jax.tree.map(stop_gradient, ...)`.
_JAX_STOPS = tuple(
    os.path.join(_JAX_ROOT, "_src", *part.split("/"))
    for part in (
        "lax/control_flow/conditionals.py",
        "lax/linalg.py",
        "nn/functions.py",
        "numpy/reductions.py",
        "ops/special.py",
        "random",
        "scipy/linalg.py",
    )
)
# Where `defjvps` wraps the rules that it is given.
_JAX_WRAPPERS = tuple(
    os.path.join(_JAX_ROOT, "_src", part)
    for part in ("custom_derivatives.py", "interpreters/partial_eval.py")
)
# Operations that may be between a maximum, its stop_gradient and the shift by it of a stable
# softmax.
_SHAPING = {"broadcast_in_dim", "reshape", "squeeze", "max", "select_n", "convert_element_type"}


def stopped_parameters(jaxpr: core.Jaxpr, count: int) -> set[int]:
    """The numbers of those of the first `count` arguments that the loss reads, but only through
    `stop_gradient`. None if these are all: such a loss trains nothing, and is no frozen model."""
    readers = _readers(jaxpr)
    found = {
        number
        for number, argument in enumerate(jaxpr.invars[:count])
        if argument in readers and all(_is_stop(equation) for equation, _ in readers[argument])
    }
    return found if len(found) < count else set()


def _is_stop(equation) -> bool:
    return equation is not None and equation.primitive.name == "stop_gradient"


def prescribed_gradients(jaxpr: core.Jaxpr, place: str = "") -> list[str]:
    """One line per prescribed gradient of the user's own code, which is called at `place`."""
    found = []
    for equation in jaxpr.eqns:
        name = equation.primitive.name
        here = source_info_util.summarize(equation.source_info) or place
        if name in ("custom_vjp_call", "custom_jvp_call"):
            if _has_own_rule(equation) or _reads_bits(equation.params["call_jaxpr"].jaxpr):
                function = equation.params["call_jaxpr"].jaxpr.debug_info.func_name
                what = f"'{function}' with its own {name.removesuffix('_call')}"
                found.append(f"{here}: {what}")
                continue
        elif name == "custom_linear_solve":
            solve = equation.params["jaxprs"].solve.jaxpr.debug_info
            if not _is_of_jax(solve.func_filename):
                what = f"'{solve.func_name}' in a custom_linear_solve"
                found.append(f"{here}: {what}")
                continue
        for inner in inner_jaxprs(equation):
            found += prescribed_gradients(inner, here)
    return found


# The operation through which no gradient goes in the exported program.
_STOP = core.Primitive("boost_stop_gradient")
_STOP.def_abstract_eval(lambda value: value)


def _lower_stop(_, value):
    call = mlir.custom_call("boost.stop_gradient", result_types=[value.type], operands=[value])
    return call.results


mlir.register_lowering(_STOP, _lower_stop)


def mark_stops(jaxpr: core.Jaxpr, frozen=frozenset()) -> core.Jaxpr:
    """Returns a loss in which those `stop_gradient` that change a gradient are operations of the
    exported program: not those of JAX's own functions and of the maximum of a stable softmax,
    whose true gradients are the same. Arguments in `frozen` have no gradient to be stopped."""
    readers = _readers(jaxpr)
    producers = {output: equation for equation in jaxpr.eqns for output in equation.outvars}

    def mark(equation):
        if _is_stop(equation) and equation.invars[0] not in frozen:
            if not _keeps_gradient(equation, producers, readers):
                return equation.replace(primitive=_STOP, params={})
        params = {name: _mark_inside(value) for name, value in equation.params.items()}
        if all(params[name] is value for name, value in equation.params.items()):
            return equation
        return equation.replace(params=params)

    equations = [mark(equation) for equation in jaxpr.eqns]
    if all(new is old for new, old in zip(equations, jaxpr.eqns)):
        return jaxpr
    return jaxpr.replace(eqns=equations)


def _mark_inside(parameter):
    """Returns a parameter of an equation with its bodies marked; itself if there is nothing to
    mark."""
    if isinstance(parameter, core.Jaxpr):
        return mark_stops(parameter)
    if isinstance(parameter, core.ClosedJaxpr):
        marked = mark_stops(parameter.jaxpr)
        return parameter if marked is parameter.jaxpr else parameter.replace(jaxpr=marked)
    if type(parameter) in (tuple, list):
        marked = type(parameter)(map(_mark_inside, parameter))
        return parameter if all(a is b for a, b in zip(marked, parameter)) else marked
    return parameter


def _keeps_gradient(equation, producers, readers) -> bool:
    """Returns True if the gradient is the same without this `stop_gradient`."""
    if jax.numpy.issubdtype(equation.invars[0].aval.dtype, jax.numpy.floating):
        if _is_of_stable_softmax(equation, producers, readers):
            return True
        caller = _caller_of_stop_gradient(equation)
        return caller.startswith(_JAX_STOPS) if caller else _is_guard(equation, producers, readers)
    return True


def inner_jaxprs(equation):
    """The bodies of a call, a loop or a branch."""
    for parameter in equation.params.values():
        for inner in parameter if isinstance(parameter, (tuple, list)) else (parameter,):
            inner = getattr(inner, "jaxpr", inner)
            if isinstance(inner, core.Jaxpr):
                yield inner


def _readers(jaxpr):
    """The primitives that read a variable, and as which operand."""
    readers = {}
    for equation in jaxpr.eqns:
        for place, variable in enumerate(equation.invars):
            if not isinstance(variable, core.Literal):
                readers.setdefault(variable, []).append((equation, place))
    for variable in jaxpr.outvars:
        if not isinstance(variable, core.Literal):
            readers.setdefault(variable, []).append((None, 0))
    return readers


def _is_of_jax(file) -> bool:
    """Returns True if JAX's own code stops the gradient: its functions mean their true gradient."""
    return file is not None and file.startswith(_JAX_ROOT)


def _has_own_rule(equation) -> bool:
    """Returns True if the function or its rule is not JAX's, or stands for an implicit solution."""
    function = equation.params["call_jaxpr"].jaxpr.debug_info
    rule = equation.params.get("bwd") or equation.params["jvp_jaxpr_fun"]
    files = [function.func_filename, rule.debug_info.func_filename, *_files_of(rule.f)]
    return function.func_name == "_custom_root" or not all(map(_is_of_jax, files))


def _reads_bits(jaxpr) -> bool:
    """Returns True if bits of a number are read, as in `frexp`: its gradient is in the rule
    only."""
    return any(
        equation.primitive.name == "bitcast_convert_type"
        and jax.numpy.issubdtype(equation.invars[0].aval.dtype, jax.numpy.floating)
        or any(map(_reads_bits, inner_jaxprs(equation)))
        for equation in jaxpr.eqns
    )


def _files_of(rule):
    """The files of a rule, past the functions that `defjvps` puts around it."""
    file = api_util.debug_info("rule", rule, (), {}).func_filename
    yield file
    if file in _JAX_WRAPPERS:
        for cell in getattr(rule, "__closure__", None) or ():
            held = cell.cell_contents
            for part in held if isinstance(held, tuple) else (held,):
                part = part.f if isinstance(part, linear_util.WrappedFun) else part
                if isinstance(part, (types.FunctionType, functools.partial)):
                    yield from _files_of(part)


def _caller_of_stop_gradient(equation) -> str:
    """The file that calls `jax.lax.stop_gradient`, or that hands it to JAX."""
    traceback = equation.source_info.traceback
    frames = traceback.frames if traceback else ()
    # The outermost: `vmap` stops the gradient of the batch by another call.
    calls = [i for i, frame in enumerate(frames) if frame.function_name == "stop_gradient"]
    return frames[calls[-1] + 1].file_name if calls and calls[-1] + 1 < len(frames) else ""


def _is_guard(equation, producers, readers) -> bool:
    """Returns True if the select keeps a batched branch that is not taken from giving NaNs:
    `select(p, x, stop_gradient(x))`. Traced again, it has lost its location in JAX."""
    original, pending = _before_broadcast(equation.invars[0], producers), list(equation.outvars)
    while pending:
        for reader, _ in readers.get(pending.pop(), ()):
            name = reader.primitive.name if reader else None
            if name == "broadcast_in_dim":
                pending += reader.outvars
            elif name != "select_n" or original not in [
                _before_broadcast(case, producers) for case in reader.invars[1:]
            ]:
                return False
    return True


def _before_broadcast(variable, producers):
    while not isinstance(variable, core.Literal) and variable in producers:
        if producers[variable].primitive.name != "broadcast_in_dim":
            break
        variable = producers[variable].invars[0]
    return variable


def _is_of_stable_softmax(equation, producers, readers) -> bool:
    """Returns True for the shift of a stable softmax or logsumexp, which cancels."""
    return _is_maximum(equation, producers) and _only_shifts(equation, readers)


def _is_maximum(equation, producers) -> bool:
    pending = list(equation.invars)
    while pending:
        variable = pending.pop()
        producer = None if isinstance(variable, core.Literal) else producers.get(variable)
        if producer is None:
            continue
        if producer.primitive.name == "reduce_max":
            return True
        if producer.primitive.name in _SHAPING:
            pending += producer.invars
    return False


def _only_shifts(equation, readers) -> bool:
    """Returns True if the result is subtracted, and otherwise only added back."""
    pending, shifts = list(equation.outvars), False
    while pending:
        for reader, place in readers.get(pending.pop(), ()):
            name = reader.primitive.name if reader else None
            if name in _SHAPING:
                pending += reader.outvars
            elif name == "sub" and place == 1:
                shifts = True
            elif name not in ("add", "is_finite"):
                return False
    return shifts
