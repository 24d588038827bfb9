# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes functions of JAX so that their gradients survive where they have a corner.

JAX says apart from the value of `relu` that its gradient at 0 is 0. The maximum
it is made of has the gradient 1/2 there, and StableHLO carries only that.
"""

from __future__ import annotations

import os

import jax
from jax import lax
from jax._src import custom_derivatives
from jax._src.interpreters import mlir

_NN = os.path.join(os.path.dirname(jax.__file__), "_src", "nn") + os.sep


def _relu(x):
    # A NaN is not at or below 0, and stays.
    return lax.select(x <= 0, lax.full_like(x, 0), x)


def _relu6(x):
    return lax.select(x >= 6, lax.full_like(x, 6), _relu(x))


_WITH_CORNERS = {"relu": _relu, "relu6": _relu6}


def _lower_custom_jvp(context, *arguments, call_jaxpr, **parameters):
    function = call_jaxpr.jaxpr.debug_info
    if (function.func_filename or "").startswith(_NN):
        if with_corners := _WITH_CORNERS.get(function.func_name):
            return mlir.lower_fun(with_corners, multiple_results=False)(context, *arguments)
    return custom_derivatives._custom_jvp_vjp_call_lowering(
        context, *arguments, call_jaxpr=call_jaxpr, **parameters
    )


LOWERING = mlir.LoweringParameters(
    override_lowering_rules=((custom_derivatives.custom_jvp_call_p, _lower_custom_jvp),)
)
