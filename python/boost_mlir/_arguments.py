# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attributes of `@main` that describe the arguments of a loss to the compiler."""

from __future__ import annotations

import math

import numpy as np
from jaxlib.mlir import ir


class ArgumentError(ValueError):
    """The arguments cannot be described so; the message says why."""


def checked_init(name: str, spec: str) -> str:
    """`spec` if it is a way to start a parameter."""
    kind, _, number = spec.partition(":")
    try:
        if spec in ("ones", "zeros"):
            return spec
        if kind in ("constant", "normal") and math.isfinite(float(number)):
            return spec
    except ValueError:
        pass
    raise ArgumentError(
        f"parameter '{name}' has initialization '{spec}'; use ones, zeros, constant:VALUE or "
        "normal:STD"
    )


def checked_decay(name: str, decay) -> bool:
    """`decay` if it is true or false."""
    if isinstance(decay, (bool, np.bool_)):
        return bool(decay)
    raise ArgumentError(f"parameter '{name}' has decay {decay!r}; use True or False")


def describe(
    role: str, name: str, init: str | None = None, decay: bool | None = None
) -> dict[str, str | bool]:
    """The attributes of one argument; `role` is `param`, `frozen` or `batch`."""
    attributes = {"boost.arg": role, "boost.name": name}
    if init is not None:
        attributes["boost.init"] = checked_init(name, init)
    if decay is not None:
        attributes["boost.decay"] = checked_decay(name, decay)
    return attributes


def entry_of(module: ir.Module):
    """The public function, which JAX and the exporters of PyTorch call `main`."""
    for op in module.body.operations:
        if op.operation.name == "func.func" and op.name.value == "main":
            return op
    raise ArgumentError("the module has no function 'main'")


def _attribute(value: str | bool) -> ir.Attribute:
    return ir.BoolAttr.get(value) if isinstance(value, bool) else ir.StringAttr.get(value)


def annotate(main, arguments: list[dict[str, str | bool]]) -> None:
    """Adds the attributes to the arguments of `main`, beside those that are there."""
    merged = []
    for written, added in zip(main.arg_attrs, arguments, strict=True):
        entries = {entry.name: entry.attr for entry in written}
        entries.update({name: _attribute(value) for name, value in added.items()})
        merged.append(ir.DictAttr.get(entries))
    main.arg_attrs = ir.ArrayAttr.get(merged)
