# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finds what a loss asks for that the compiler does not take, at the lines that ask for it.

The compiler refuses the same in a program of any origin (docs/StableHLO.md), but sees only what
JAX made of it: a call of LAPACK, a pair of numbers. Here it still has its name, and a remedy.
"""

from __future__ import annotations

import dataclasses

from jax._src import source_info_util
from jax._src.interpreters import partial_eval
from jax.extend import core

from ._gradients import inner_jaxprs


@dataclasses.dataclass(frozen=True)
class Unsupported:
    place: str
    what: str
    remedy: str

    def __str__(self):
        return f"{self.place}: {self.what}; {self.remedy}"


_NO_PYTHON = "remove it: a compiled program calls no Python"
_FACTORIZATION = (
    "of factorizations, cholesky, qr, eigh and svd are compiled: use one of these, or take it "
    "outside of the function and pass the result"
)
_REMEDIES = {
    "debug_callback": ("a debug callback, as of jax.debug.print", _NO_PYTHON),
    "debug_print": ("jax.debug.print", _NO_PYTHON),
    "ffi_call": ("a foreign function", "write it in jax.numpy, or take it outside of the loss"),
    "fft": (
        "a Fourier transform",
        "write it as a product with a constant matrix of cosines and sines",
    ),
    "io_callback": ("io_callback", _NO_PYTHON),
    "pure_callback": ("pure_callback", _NO_PYTHON),
    "rng_bit_generator": (
        "random bits of an rbg key",
        "make keys by jax.random.key(seed, impl='threefry2x32')",
    ),
} | {
    name: (f"'{name}'", _FACTORIZATION)
    for name in (
        *("cholesky_update", "eig", "geqp3", "hessenberg", "lu", "schur", "tridiagonal"),
        "tridiagonal_solve",
    )
}
# A loss may take these of what does not depend on parameters, and an update of anything.
_WITHOUT_GRADIENT = {"cholesky", "eigh", "geqrf", "householder_product", "qr", "svd"}
_NO_GRADIENT = (
    "the gradient of a factorization is not compiled: take it outside of the loss and pass the "
    "result, or write it as products"
)
_NARROW = "use bfloat16, or quantize outside of the loss"


def unsupported(jaxpr: core.Jaxpr, trained=()) -> list[Unsupported]:
    """Returns the unsupported operations and types, once per line and kind. `trained` says of
    arguments, from the first on, whether the compiler differentiates by them."""
    used, _ = partial_eval.dce_jaxpr(jaxpr, [True] * len(jaxpr.outvars), instantiate=True)
    variables = {variable for variable, is_trained in zip(used.invars, trained) if is_trained}
    return list(dict.fromkeys(_find(used, "", variables)))


def _find(jaxpr, place, trained):
    """Finds what is unsupported where `trained` are the variables that depend on parameters."""
    for equation in jaxpr.eqns:
        here = source_info_util.summarize(equation.source_info) or place
        name = equation.primitive.name
        depends = [not isinstance(each, core.Literal) and each in trained for each in equation.invars]
        inside = [
            each
            for inner in inner_jaxprs(equation)
            for each in _find(inner, here, _trained_inside(equation, inner, depends))
        ]
        if any(depends) and name != "stop_gradient":
            trained |= set(equation.outvars)
        if named := _REMEDIES.get(name) or _reason_of_options(equation):
            yield Unsupported(here, *named)
        elif name in _WITHOUT_GRADIENT and any(depends):
            yield Unsupported(here, f"'{name}' of parameters", _NO_GRADIENT)
        elif inside:
            yield from inside
        elif typed := _reason_of_types(equation):
            yield Unsupported(here, *typed)


def _trained_inside(equation, jaxpr, depends) -> set:
    """The arguments of a body that depend on parameters. All may in a loop, and where they are not
    those of the equation one by one."""
    if equation.primitive.name in ("scan", "while") or len(jaxpr.invars) != len(depends):
        return set(jaxpr.invars) if any(depends) else set()
    return {variable for variable, does in zip(jaxpr.invars, depends) if does}


def _reason_of_options(equation):
    """What is wrong with the form of a factorization."""
    if equation.params.get("pivoting"):
        return "'qr' with pivoting", _FACTORIZATION
    if "svd" == equation.primitive.name and equation.params.get("algorithm"):
        return "'svd' by an algorithm of choice", "leave the algorithm out"
    if "eigh" == equation.primitive.name and not equation.params.get("lower", True):
        return "'eigh' of upper triangles", "leave out UPLO, or transpose the matrix"
    return None


def _reason_of_types(equation):
    """Which type is wrong and what to do, if one is."""
    for variable in (*equation.invars, *equation.outvars):
        dtype = str(getattr(variable.aval, "dtype", ""))
        if dtype in ("key<fry>", "key<threefry2x32>"):
            continue
        if dtype.startswith("key<"):
            return f"a random key of the kind '{dtype[4:-1]}'", _REMEDIES["rng_bit_generator"][1]
        if dtype.startswith("complex"):
            return (
                f"a {dtype} number",
                "write it as pairs of real numbers: a rotary embedding turns (a, b) to "
                "(a cos - b sin, b cos + a sin)",
            )
        if dtype.startswith(("float8_", "float6_", "float4_")):
            return f"a {dtype} number", _NARROW
        if dtype in ("int2", "uint2", "int4", "uint4"):
            return f"a number of type {dtype}", "use int8"
    return None
