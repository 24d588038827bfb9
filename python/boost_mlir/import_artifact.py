# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A stored StableHLO program as text of today's StableHLO.

    python -m boost_mlir.import_artifact loss.bin -o loss.mlir

Takes what `jax.export` serializes, portable StableHLO bytecode of every version that
jaxlib still reads, plain bytecode, and text. An artifact of `jax.export` knows the
trees of its arguments: the first one holds the parameters, as in `boost_mlir.export`.
Elsewhere arguments have no names; `--names` gives them. A stored program holds no
values, so how parameters start is said by `--names` or `--init default`.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import jax
from jax import export as jax_export
from jax.interpreters import mlir
from jaxlib.mlir import ir
from jaxlib.mlir.dialects import stablehlo

from ._arguments import ArgumentError, annotate, describe, entry_of
from ._errors import ArtifactError
from ._files import read_input
from ._platforms import choose_platform
from .naming import batch_leaves, named_leaves

_BYTECODE = b"ML\xefR"
_PORTABLE = b"StableHLO_v"


def import_artifact(data: bytes, names=None, locations=True, init=None) -> str:
    """StableHLO text of a stored program, with names on its arguments.

    names: one entry per argument: a name, or a dictionary with `name` and perhaps `arg`
           (`param` or `batch`), `init` and `decay`.
    init:  `"default"` if parameters that do not say how they start do as suits their use
           in the program; without it they are refused.
    """
    with mlir.make_ir_context() as context, context:
        module, arguments = _read(data)
        main = entry_of(module)
        if names is not None:
            arguments = [_from_sidecar(entry) for entry in names]
        if arguments is not None:
            if len(arguments) != len(main.arguments):
                raise ArtifactError(
                    f"names of {len(arguments)} arguments were given, "
                    f"but the program has {len(main.arguments)}"
                )
            annotate(main, arguments)
        if init is None:
            _check_starts(main)
        elif init != "default":
            raise ArtifactError(f"'init' is \"default\" or nothing, but is {init!r}")
        return module.operation.get_asm(enable_debug_info=locations)


def _check_starts(main) -> None:
    """Refuses parameters that nothing says how to start."""
    missing = []
    for number, (argument, entries) in enumerate(zip(main.arguments, main.arg_attrs)):
        text = lambda key: ir.StringAttr(entries[key]).value if key in entries else None
        element = ir.ShapedType(argument.type).element_type
        role = text("boost.arg") or ("param" if isinstance(element, ir.FloatType) else "batch")
        if role != "batch" and "boost.init" not in entries:
            missing.append(text("boost.name") or f"arg{number}")
    if missing:
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        raise ArtifactError(
            f"nothing says how {', '.join(repr(name) for name in missing[:3])}{more} start; "
            "give 'init' in --names, or pass --init default"
        )


def _read(data: bytes):
    """The module, and what is known of its arguments (None: nothing)."""
    if data.startswith(_BYTECODE):
        return choose_platform(_read_bytecode(data)), None
    if _is_text(data):
        return choose_platform(_parse(data.decode())), None
    exported = _read_exported(data)
    module = _read_bytecode(bytes(exported.mlir_module_serialized))
    choose_platform(module, exported.platforms)
    return module, _describe_exported(exported, module)


def _is_text(data: bytes) -> bool:
    try:
        return re.match(r"\s*(module\b|#|//|func\.func\b|\"builtin)", data.decode()) is not None
    except UnicodeDecodeError:
        return False


def _parse(source) -> ir.Module:
    try:
        return ir.Module.parse(source)
    except (ir.MLIRError, ValueError) as error:
        raise ArtifactError(f"it is not a valid program: {error}") from error


def _read_bytecode(data: bytes) -> ir.Module:
    # The producer follows the magic number and the version of the format.
    if _PORTABLE not in data[:32]:
        return _parse(data)
    try:
        return stablehlo.deserialize_portable_artifact(ir.Context.current, data)
    except (ir.MLIRError, ValueError) as error:
        raise ArtifactError(
            "its StableHLO is truncated or damaged, or of a version that this jaxlib "
            f"({stablehlo.get_minimum_version()} to {stablehlo.get_current_version()}) "
            f"does not read: {error}"
        ) from error


def _read_exported(data: bytes) -> jax_export.Exported:
    try:
        return jax_export.deserialize(bytearray(data))
    except ImportError as error:
        raise ArtifactError(
            "artifacts of jax.export need the package 'flatbuffers': pip install flatbuffers"
        ) from error
    # The reader of jax.export trusts its input; anything may come of what is none.
    except Exception as error:
        raise ArtifactError(
            "it is neither StableHLO, as text or bytecode, nor a whole artifact of "
            f"jax.export ({type(error).__name__}: {error})"
        ) from error


def _describe_exported(exported: jax_export.Exported, module) -> list[dict[str, str]]:
    """Names by the trees of the exported function: its first argument is the parameters."""
    if any(not isinstance(size, int) for aval in exported.in_avals for size in aval.shape):
        raise ArtifactError("its shapes are symbolic; export it with sizes")
    positions = jax.tree.unflatten(exported.in_tree, range(exported.in_tree.num_leaves))
    args, kwargs = positions
    kept = {index: place for place, index in enumerate(exported.module_kept_var_idx)}
    main = entry_of(module)
    described: dict[int, dict[str, str]] = {}
    for number, tree in enumerate((*args, *kwargs.values())):
        if number == 0:
            role, leaves = "param", named_leaves(tree)
        else:
            places = [kept[index] for index in jax.tree.leaves(tree) if index in kept]
            names = [_name_of(main.arguments[place]) for place in places]
            prefix = next(filter(None, names), f"batch{number - 1}")
            role, leaves = "batch", batch_leaves(prefix, tree)
        for name, index in leaves:
            if index in kept:
                described[kept[index]] = describe(role, name)
    return [described[place] for place in range(len(main.arguments))]


def _name_of(argument) -> str | None:
    """The Python name in the location of an argument: `tokens` of `loc("tokens['x']")`."""
    found = re.match(r'loc\("([A-Za-z_]\w*)', str(argument.location))
    return found.group(1) if found else None


def _from_sidecar(entry) -> dict[str, str | bool]:
    if isinstance(entry, str):
        return {"boost.name": entry}
    fields = {"name", "arg", "init", "decay"}
    if not isinstance(entry, dict) or "name" not in entry or set(entry) - fields:
        raise ArtifactError(
            f"expects a name, or an object of name, arg, init and decay, for every argument, "
            f"but got {json.dumps(entry)}"
        )
    if entry.get("arg", "param") not in ("param", "frozen", "batch"):
        raise ArtifactError(f"argument '{entry['name']}' is neither 'param', 'frozen' nor 'batch'")
    attributes = describe(
        entry.get("arg", ""), entry["name"], entry.get("init"), entry.get("decay")
    )
    return {key: value for key, value in attributes.items() if value != ""}


def _apart(function, *arguments):
    """Calls it in a process of its own: jaxlib may crash on damaged bytecode."""
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(max_workers=1, mp_context=context) as pool:
        try:
            return pool.submit(function, *arguments).result()
        except BrokenProcessPool as error:
            raise ArtifactError("jaxlib crashed on it: it is damaged") from error


def _read_names(path):
    try:
        names = json.loads(read_input(path))
    except ValueError as error:
        raise ArtifactError(f"'{path}' is not JSON: {error}") from error
    if not isinstance(names, list):
        raise ArtifactError(f"'{path}' must hold a list, one entry per argument")
    return names


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m boost_mlir.import_artifact",
        description="Turn a stored StableHLO program into text of today's StableHLO.",
    )
    parser.add_argument("artifact", help="file of jax.export, StableHLO bytecode or text")
    parser.add_argument("-o", "--output", default="-", help="file to write; - is standard output")
    parser.add_argument(
        "--names",
        help="JSON list: the name of each argument, or an object of "
        "name, arg (param or batch), init and decay",
    )
    parser.add_argument(
        "--init",
        choices=["default"],
        help="start parameters that do not say how as suits their use in the program",
    )
    parser.add_argument(
        "--locations",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="write the source lines that operations come from, for diagnostics",
    )
    return parser


def main(argv=None) -> int:
    options = _parser().parse_args(argv)
    try:
        data = read_input(options.artifact)
        names = _read_names(options.names) if options.names else None
        text = _apart(import_artifact, data, names, options.locations, options.init)
        if options.output == "-":
            sys.stdout.write(text)
        else:
            with open(options.output, "w", encoding="utf-8") as file:
                file.write(text)
    except (ArtifactError, ArgumentError) as error:
        print(f"error: cannot import '{options.artifact}': {error}", file=sys.stderr)
        return 3
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
