# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A JAX loss as StableHLO text with names on its arguments.

    python -m boost_mlir.export --model cola --size 7b --batch 4 --seq 4096 -o cola7b.mlir

or, for a loss of one's own,

    boost_mlir.export.export(loss, params, tokens, targets).save("loss.mlir")
    boost_mlir.export.export(loss, params, tokens=tokens, targets=targets).save("loss.mlir")

Arrays given as parameters are what training starts from; `save` writes them beside the
module. Parameters and batch may be `jax.ShapeDtypeStruct`s: then nothing is allocated, and
`init` says how parameters start.
"""

from __future__ import annotations

import argparse
import copy
import inspect
import sys
import warnings
from collections import Counter

import jax
import numpy as np
from jaxlib.mlir import ir

from . import _corners, models
from ._arguments import ArgumentError, annotate, describe, entry_of
from ._fixed_keys import fixed_keys
from ._gradients import mark_stops, prescribed_gradients, stopped_parameters
from ._jax_versions import unsupported_version
from ._model_options import add_batch_options, add_model_options, model_of
from ._unsupported import unsupported
from ._update import Update, export_update
from ._values import ATTRIBUTE, Exported, digest
from .naming import batch_leaves, named_leaves


class ExportError(ValueError):
    """The function cannot be exported; the message says why and what to do."""


class ExportWarning(UserWarning):
    """The function is exported, but perhaps does not do what is meant."""


def export(
    fn,
    params,
    *batch,
    names=None,
    batch_names=None,
    init=None,
    decay=None,
    frozen=None,
    optimizer=None,
    locations=True,
    ignore_custom_gradients=False,
    **keywords,
) -> Exported:
    """StableHLO text of `fn(params, *batch, **keywords) -> scalar`, with a method `save`.

    params:      a pytree of arrays or `jax.ShapeDtypeStruct`s: what is trained, apart from
                 what is `frozen`.
    batch:       further arguments of `fn`, pytrees as well.
    keywords:    those that `fn` takes by keyword; they are called after it.
    names:       a pytree like `params` that holds the name of each parameter;
                 by default the path of a leaf, such as `layers.0.attn.q.down`, and
                 `params` for parameters that are one array.
    batch_names: one name per positional batch argument; by default those of `fn`'s
                 signature.
    init:        a pytree like `params` that holds how each parameter starts: `ones`,
                 `zeros`, `constant:VALUE`, `normal:STD`, `default` for what suits its use in
                 the program, or None for the array that was given. `"default"` alone is that
                 for all. By default every parameter must be an array.
    decay:       a pytree like `params` that holds whether weight decay applies to each
                 parameter, `True` or `False`; by default to those that the program
                 contracts or looks up, and to no scale or bias.
    frozen:      the parameters that training leaves as they are: a pytree like `params` of
                 `True` and `False`, or a function from the name of a parameter to these. They
                 have no gradient, no state of the optimizer and no decay. A parameter that
                 the loss reads only through `jax.lax.stop_gradient` is frozen as well.
    optimizer:   what updates the parameters in place of AdamW: a `GradientTransformation` of
                 optax, or any object with functions `init(params)` and
                 `update(grads, state, params)`, which returns updates to add to the
                 parameters and the new state. It contains the learning rate; what
                 `optax.inject_hyperparams` makes of it becomes options of `train`.
    locations:   whether operations carry the source lines they come from.
    ignore_custom_gradients: export a loss although its custom gradients get lost, and leave out
                 its `stop_gradient`s; the compiler derives all gradients itself.
    """
    if problem := unsupported_version():
        raise ExportError(problem)
    # JAX lowers keyword arguments behind the others, in the order of their names.
    keywords = dict(sorted(keywords.items()))
    prefixes = [*_batch_prefixes(fn, batch, keywords, batch_names), *keywords]
    trees = (*batch, *keywords.values())
    if not jax.tree.leaves(params):
        raise ExportError("the loss has no parameters: its first argument has no leaves")
    traced = _trace(fn, params, batch, keywords)
    stopped = stopped_parameters(traced.jaxpr.jaxpr, len(jax.tree.leaves(params)))
    arguments, values = _describe_arguments(
        params, zip(prefixes, trees), names, init, decay, frozen, stopped
    )
    update = None
    if optimizer is not None:
        update = _export_update(optimizer, params, arguments, values)
        values |= update.values
    trained = [attributes["boost.arg"] == "param" for attributes in arguments]
    lowered = _lower(traced, params, trained, stopped, ignore_custom_gradients)
    lowered = lowered.compiler_ir(dialect="stablehlo")
    with lowered.context:
        # JAX keeps what it lowered and returns it again.
        module = lowered.operation.clone()
        _annotate(module, arguments, _definition_of(fn))
        if update:
            update.add_to(module)
        if values:
            module.attributes[ATTRIBUTE] = ir.StringAttr.get(digest(values))
        return Exported(module.get_asm(enable_debug_info=locations), values)


def _describe_arguments(params, batch, names, init, decay, frozen, stopped):
    """One attribute dictionary per argument of the lowered function, in order, and the
    arrays that parameters start from, by name. `batch` has the name and the tree of every
    batch argument."""
    flat = [name for name, _ in named_leaves(params)]
    param_names = _matching_leaves("names", names, params) if names is not None else flat
    inits = [init] * len(flat) if init is None or init == "default" else None
    if inits is None:
        inits = _matching_leaves("init", init, params)
    _check_trainable(flat, jax.tree.leaves(params))
    values = _initial_values(param_names, jax.tree.leaves(params), inits)
    decays = _matching_leaves("decay", decay, params) if decay is not None else [None] * len(flat)
    is_frozen = _frozen_leaves(frozen, param_names, params, stopped)

    arguments = []
    for name, spec, decays_it, stays in zip(param_names, inits, decays, is_frozen):
        try:
            given = None if spec == "default" else spec
            if stays:
                arguments.append(describe("frozen", name, given))
            else:
                arguments.append(describe("param", name, given, decays_it))
        except ArgumentError as error:
            raise ExportError(str(error)) from error
    for prefix, tree in batch:
        arguments += [describe("batch", name) for name, _ in batch_leaves(prefix, tree)]
    _check_unique([attributes["boost.name"] for attributes in arguments])
    return arguments, values


def _frozen_leaves(frozen, names, params, stopped) -> list[bool]:
    """Whether each parameter is frozen: as `frozen` says, or because all that the loss reads of
    it is in `stopped`, the numbers of the arguments whose gradient it stops."""
    if callable(frozen):
        leaves = [frozen(name) for name in names]
    elif frozen is not None:
        leaves = _matching_leaves("frozen", frozen, params)
    else:
        leaves = [False] * len(names)
    for name, leaf in zip(names, leaves):
        if not isinstance(leaf, (bool, np.bool_)):
            raise ExportError(f"'frozen' of parameter '{name}' is {leaf!r}; use True or False")
    leaves = [bool(leaf) or i in stopped for i, leaf in enumerate(leaves)]
    if all(leaves):
        raise ExportError(
            "all parameters are frozen, so there is nothing to train; leave out 'frozen', or the "
            "stop_gradient, of one at least"
        )
    return leaves


def _export_update(optimizer, params, arguments, values) -> Update:
    """The update of the parameters that are trained. The optimizer sees nothing (None) in the
    place of a frozen one."""
    names = [argument["boost.name"] for argument in arguments if argument["boost.arg"] == "param"]
    leaves, structure = jax.tree.flatten(jax.tree.map(_abstract, params))
    trained = [
        leaf if argument["boost.arg"] == "param" else None
        for leaf, argument in zip(leaves, arguments)
    ]
    try:
        update = export_update(
            optimizer, jax.tree.unflatten(structure, trained), names, [*map(values.get, names)]
        )
    except ArgumentError as error:
        raise ExportError(str(error)) from error
    _check_unique([*names, *(one.name for one in update.arguments if one.role == "state")])
    return update


def _check_trainable(names, leaves):
    """Every parameter is a float: others, such as a step or a table of positions, have no
    gradient."""
    for name, leaf in zip(names, leaves):
        dtype = _abstract(leaf).dtype
        if not jax.dtypes.issubdtype(dtype, np.floating):
            raise ExportError(
                f"parameter '{name}' is of type {dtype}, and only floats are trained; have the "
                "loss close over it, or pass it as a batch argument"
            )


def _initial_values(names, leaves, inits) -> dict[str, np.ndarray]:
    """The arrays among the parameters that `init` does not replace; refuses shapes that
    nothing says how to start."""
    values, missing = {}, []
    for name, leaf, spec in zip(names, leaves, inits):
        if spec is not None:
            continue
        if isinstance(leaf, jax.ShapeDtypeStruct):
            missing.append(name)
        else:
            values[name] = np.require(leaf, dtype=_abstract(leaf).dtype, requirements="C")
    if not missing:
        return values
    more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
    raise ExportError(
        f"nothing says how {', '.join(repr(name) for name in missing[:3])}{more} start; pass "
        "arrays, or 'init' (a tree of ones, zeros, constant:VALUE or normal:STD, or \"default\")"
    )


def _matching_leaves(what, tree, params):
    leaves, structure = jax.tree.flatten(tree, is_leaf=lambda leaf: leaf is None)
    if structure != jax.tree.structure(params):
        raise ExportError(f"'{what}' must be a tree of the same structure as the parameters")
    return leaves


def _batch_prefixes(fn, batch, keywords, batch_names):
    """The name of every positional batch argument."""
    if batch_names is not None:
        if len(batch_names) != len(batch):
            raise ExportError(f"{len(batch_names)} batch names for {len(batch)} batch arguments")
        return list(batch_names)
    signature = inspect.signature(fn)
    try:
        signature.bind(None, *batch, **keywords)
    except TypeError as error:
        named = "".join(f", '{name}'" for name in keywords)
        raise ExportError(
            f"the loss cannot take {len(batch)} batch arguments{named}: {error}"
        ) from error
    prefixes = []
    for name, value in signature.bind_partial(None, *batch).arguments.items():
        variadic = signature.parameters[name].kind is inspect.Parameter.VAR_POSITIONAL
        prefixes += [f"{name}.{i}" for i in range(len(value))] if variadic else [name]
    return prefixes[1:]


def _check_unique(names):
    seen = set()
    for name in names:
        if name in seen:
            raise ExportError(
                f"two arguments have the name '{name}'; pass 'names' or 'batch_names'"
            )
        seen.add(name)


def _trace(fn, params, batch, keywords):
    abstract, by_name = jax.tree.map(_abstract, ((params, *batch), keywords))
    # Unused arguments stay, so that position and name keep their relation.
    return jax.jit(fn, keep_unused=True).trace(*abstract, **by_name)


def _lower(traced, params, trained, stopped, ignore_custom_gradients):
    _check_result(traced.out_info)
    if found := unsupported(traced.jaxpr.jaxpr, trained):
        raise ExportError(
            "the compiler does not take what the loss computes with here:\n  " + _once(found)
        )
    if not ignore_custom_gradients:
        _check_gradients(traced.jaxpr.jaxpr)
        traced = _mark_stops(traced, stopped)
    for message in fixed_keys(traced.jaxpr.jaxpr, len(jax.tree.leaves(params))):
        # The line of the loss is in the message; this is that of the call of `export`.
        warnings.warn(message, ExportWarning, stacklevel=3)
    return traced.lower(lowering_platforms=("cpu",), _private_parameters=_corners.LOWERING)


def _once(places) -> str:
    """Lines of text, each once and with its number: layers repeat."""
    counts = Counter(map(str, places))
    return "\n  ".join(line if n == 1 else f"{line} (x{n})" for line, n in counts.items())


def _mark_stops(traced, stopped):
    """Returns the traced loss with the `stop_gradient` that the program has to carry."""
    jaxpr = traced.jaxpr.jaxpr
    marked = mark_stops(jaxpr, {jaxpr.invars[number] for number in stopped})
    if marked is jaxpr:
        return traced
    result = copy.copy(traced)
    result._params = {**traced._params, "jaxpr": traced.jaxpr.replace(jaxpr=marked)}
    return result


def _check_gradients(jaxpr):
    if found := prescribed_gradients(jaxpr):
        raise ExportError(
            "StableHLO carries no gradients, so the compiler would ignore what the loss says here:\n  "
            + _once(found)
            + "\nleave it out, or pass ignore_custom_gradients=True if these are the true gradients"
        )


def _abstract(leaf):
    if isinstance(leaf, jax.ShapeDtypeStruct):
        if not all(isinstance(size, int) for size in leaf.shape):
            sizes = ", ".join(map(str, leaf.shape))
            raise ExportError(
                f"an argument of shape [{sizes}] has no fixed sizes, and a program is compiled "
                "for fixed ones; export it once for each size that is used"
            )
        return leaf
    try:
        return jax.ShapeDtypeStruct(
            np.shape(leaf),
            # Keys of random numbers are of an extended type.
            jax.dtypes.canonicalize_dtype(jax.dtypes.result_type(leaf), allow_extended_dtype=True),
        )
    except TypeError as error:
        raise ExportError(f"argument leaf {leaf!r} is neither an array nor a shape") from error


def _check_result(out):
    leaves = jax.tree.leaves(out)
    if len(leaves) != 1 or leaves[0].shape != ():
        shapes = ", ".join(f"{leaf.dtype}{list(leaf.shape)}" for leaf in leaves)
        raise ExportError(f"the loss must return one scalar, but returns ({shapes})")
    if not jax.numpy.issubdtype(leaves[0].dtype, jax.numpy.floating):
        raise ExportError(f"the loss must be a floating-point number, but is {leaves[0].dtype}")


def _definition_of(fn):
    """The location where the loss is defined: where its arguments come from."""
    code = getattr(inspect.unwrap(fn), "__code__", None)
    return ir.Location.file(code.co_filename, code.co_firstlineno, 1) if code else None


def _annotate(module, arguments, definition):
    """Adds the attributes to the arguments of @main, beside those JAX wrote, and a file
    and line to their names."""
    main = entry_of(module)
    if len(main.arguments) != len(arguments):
        raise ExportError(
            f"JAX lowered the loss to a function of {len(main.arguments)} arguments, "
            f"but {len(arguments)} were given: it cannot be exported with this version of JAX"
        )
    annotate(main, arguments)
    if definition:
        for argument, attributes in zip(main.arguments, arguments):
            argument.set_location(ir.Location.name(attributes["boost.name"], definition))


def export_model(config: models.ModelConfig, batch: int, seq: int, locations=True) -> Exported:
    """StableHLO text of the loss of one of `boost_mlir.models`."""
    ids = jax.ShapeDtypeStruct((batch, seq), np.int32)
    return export(
        models.make_loss(config),
        models.abstract_params(config),
        ids,
        ids,
        init=models.init_specs(config),
        locations=locations,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m boost_mlir.export",
        description="Write the loss of a LLaMA decoder as StableHLO; no weight is allocated.",
    )
    add_model_options(parser)
    add_batch_options(parser, "tiny 16, else 1024")
    parser.add_argument("--dtype", choices=models.DTYPES, default="f32")
    parser.add_argument("-o", "--output", default="-", help="file to write; - is standard output")
    form = parser.add_argument_group("form")
    form.add_argument(
        "--scan", action="store_true", help="layers as lax.scan over stacked parameters"
    )
    form.add_argument(
        "--locations",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="write the source lines that operations come from, for diagnostics",
    )
    return parser


def main(argv=None) -> int:
    options = _parser().parse_args(argv)
    try:
        config = model_of(options, scan=options.scan, dtype=options.dtype)
        seq = options.seq or (16 if options.size == "tiny" else 1024)
        text = export_model(config, options.batch, seq, options.locations)
        if options.output == "-":
            sys.stdout.write(text)
        else:
            text.save(options.output)
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 3
    if options.output != "-":
        print(
            f"{options.output}: {options.model} {options.size}, "
            f"{models.parameter_count(config):,} parameters, {len(text):,} bytes",
            file=sys.stderr,
        )
    if config.d_ff % 2:
        print(
            f"note: the width of the MLP, {config.d_ff}, is odd, so that no mesh with an even tp divides "
            f"it; --d-ff={config.d_ff - 1} would do",
            file=sys.stderr,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
