# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds gradients that a loss prescribes and that StableHLO cannot carry.

The compiler differentiates the exported function itself. `jax.custom_vjp`,
`jax.custom_jvp` and `jax.lax.stop_gradient` leave no trace in StableHLO, so a
loss whose gradient depends on them would train wrongly without a word.
"""

from __future__ import annotations

import os

import jax
from jax._src import source_info_util
from jax.extend import core

_JAX_ROOT = os.path.dirname(jax.__file__) + os.sep
# What may stand between a maximum and the stop_gradient of a stable softmax.
_SHAPING = {"broadcast_in_dim", "reshape", "squeeze", "max", "select_n", "convert_element_type"}


def prescribed_gradients(jaxpr: core.Jaxpr) -> list[str]:
    """One line per prescribed gradient of the user's own code."""
    found, producers = [], {}
    for equation in jaxpr.eqns:
        name = equation.primitive.name
        if name in ("custom_vjp_call", "custom_jvp_call"):
            function = equation.params["call_jaxpr"].jaxpr.debug_info
            if not _is_of_jax(function.func_filename):
                what = f"'{function.func_name}' with its own {name.removesuffix('_call')}"
                found.append(f"{_where(equation)}: {what}")
                continue
        elif name == "stop_gradient" and not _is_maximum(equation, producers):
            if not _is_of_jax(_caller_of_stop_gradient(equation)):
                found.append(f"{_where(equation)}: stop_gradient")
        for inner in _inner_jaxprs(equation):
            found += prescribed_gradients(inner)
        producers.update((output, equation) for output in equation.outvars)
    return found


def _inner_jaxprs(equation):
    for parameter in equation.params.values():
        for inner in parameter if isinstance(parameter, (tuple, list)) else (parameter,):
            inner = getattr(inner, "jaxpr", inner)
            if isinstance(inner, core.Jaxpr):
                yield inner


def _is_of_jax(file) -> bool:
    """Whether JAX's own code asks for it: its functions mean their true gradient."""
    return file is None or file.startswith(_JAX_ROOT)


def _caller_of_stop_gradient(equation):
    """The file that calls `jax.lax.stop_gradient`, if it is known."""
    traceback = equation.source_info.traceback
    frames = iter(traceback.frames if traceback else ())
    for frame in frames:
        if frame.function_name == "stop_gradient":
            return getattr(next(frames, None), "file_name", None)
    return None


def _is_maximum(equation, producers) -> bool:
    """The shift of a stable softmax or logsumexp, which cancels."""
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


def _where(equation) -> str:
    return source_info_util.summarize(equation.source_info)
