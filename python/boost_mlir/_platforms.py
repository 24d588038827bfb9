# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that were exported for several platforms, as programs for one.

Such a program takes the index of the platform that it runs on as its first argument, hands it
to its functions, and chooses by it between what JAX wrote for each platform.
"""

from __future__ import annotations

from jaxlib.mlir import ir, passmanager
from jaxlib.mlir.dialects import stablehlo

from ._arguments import entry_of
from ._errors import ArtifactError

_INDEX = "_platform_index"
# Constants reach the functions that are called with them, and the other branches are removed.
_PIPELINE = "builtin.module(sccp,canonicalize,symbol-dce)"


def choose_platform(module: ir.Module, platforms=None) -> ir.Module:
    """The module, changed to the program for CPUs, or for the first of its platforms if CPUs are
    not among them. A program for one platform stays as it is.

    platforms: their names in order, if they are known.
    """
    main = entry_of(module)
    if not _takes_index(main):
        return module
    index = main.arguments[0]
    if any(True for _ in index.uses):
        if platforms is None:
            raise ArtifactError(
                "it was exported for several platforms and does not say which; give the artifact "
                "that jax.export serializes, or export it for one platform"
            )
        place = platforms.index("cpu") if "cpu" in platforms else 0
        with ir.InsertionPoint.at_block_begin(main.entry_block), main.location:
            value = ir.IntegerAttr.get(index.type.element_type, place)
            chosen = stablehlo.constant(ir.DenseElementsAttr.get_splat(index.type, value))
        index.replace_all_uses_with(chosen)
    _drop_first_argument(main)
    passmanager.PassManager.parse(_PIPELINE).run(module.operation)
    return module


def _takes_index(main) -> bool:
    if len(main.arguments) == 0 or "jax.global_constant" not in main.arg_attrs[0]:
        return False
    return ir.StringAttr(main.arg_attrs[0]["jax.global_constant"]).value == _INDEX


def _drop_first_argument(main) -> None:
    attributes = [*main.arg_attrs][1:]
    main.entry_block.erase_argument(0)
    type = ir.FunctionType.get(main.type.inputs[1:], main.type.results)
    main.attributes["function_type"] = ir.TypeAttr.get(type)
    main.arg_attrs = ir.ArrayAttr.get(attributes)
