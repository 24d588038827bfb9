# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parameters from files of compiled programs to pytrees, and back.

    params = boost_mlir.load("run1", like=params)     # the newest checkpoint of a run
    boost_mlir.save("start.safetensors", params)      # for `train --init`
"""

from __future__ import annotations

import difflib
import warnings
from pathlib import Path

import jax
import numpy as np
from safetensors import SafetensorError

from ._checkpoints import checkpoints_of, open_checkpoint, renamed_in
from ._conversion import converted
from ._tensor_file import DamagedError, TensorFile, write_tensors
from .naming import batch_leaves, named_leaves

_MASTER = "master"  # the kind of a state that is its parameter in f32
_MOST_PROBLEMS = 10


class ParametersError(ValueError):
    """Parameters cannot be loaded or saved; the message says why and what to do."""


def load(path, *, like, names=None):
    """The parameters in a file or in the newest checkpoint of a run, as a tree like `like`.

    path:  a `.safetensors` file, a checkpoint (`run1/step-100`), or the folder of `--checkpoint`.
           Of such a folder the newest checkpoint that is not damaged is taken, as `--resume`
           does, with a warning for each that is skipped.
    like:  a pytree with the structure, shapes and types of the result: the parameters that
           `export` was given, arrays or `jax.ShapeDtypeStruct`s.
    names: a pytree like `like` that holds the name of each parameter, if `export` was given one.

    A leaf of the result is a `jax.Array` on the device of the leaf of `like`, if that is one, and
    else a NumPy array. It has the type of the leaf of `like`; floats are converted. A checkpoint
    of mixed precision holds an f32 master of each parameter, which is read in its place: `like`
    of f32 gives the masters, and `like` of bf16 the parameters, which are the masters, rounded.

    Raises `ParametersError` if names, shapes or kinds of types differ, with a list of them, if a
    file is damaged, or if no checkpoint is usable.
    """
    expected = _expected(like, names)
    path = Path(path)
    if not path.exists():
        raise ParametersError(f"there is no file or folder '{path}'")
    read = lambda file: _read(file, expected)
    values = _from_newest(path, read) if path.is_dir() else _from_file(path, read)
    leaves, tree = jax.tree.flatten(like)
    return jax.tree.unflatten(tree, map(_as_leaf, values, leaves))


def shapes(path) -> dict[str, tuple[int, ...]]:
    """The shape of each tensor in a file or in the newest checkpoint of a run that can be opened.

    path: as `load` takes it.

    Raises `ParametersError` if there is no such file.
    """
    path = Path(path)
    if not path.exists():
        raise ParametersError(f"there is no file or folder '{path}'")
    shapes_of = lambda file: {name: file.shape(name) for name in file.names}
    return _from_newest(path, shapes_of) if path.is_dir() else _from_file(path, shapes_of)


def save(path, params, batch=None, *, names=None) -> None:
    """Writes arrays to a `.safetensors` file under the names that `export` gives them.

    path:   the file, which is replaced once all is written.
    params: a pytree of arrays. A file of these alone is for `train --init`.
    batch:  a dictionary of the batch by the names of the arguments, each an array or a pytree of
            arrays. A file of both is for `eval --inputs`.
    names:  a pytree like `params` that holds the name of each parameter, if `export` was given one.

    Arrays are written in their own types. Raises `ParametersError` if a leaf is no array, if
    two have one name, or if the file cannot be written.
    """
    leaves = [*zip(_names_of(params, names), jax.tree.leaves(params))]
    for prefix, tree in (batch or {}).items():
        leaves += batch_leaves(prefix, tree)
    _refuse_duplicates([name for name, _ in leaves])
    tensors = {name: _as_array(name, leaf) for name, leaf in leaves}
    try:
        write_tensors(path, tensors)
    except (OSError, SafetensorError) as error:
        raise ParametersError(f"cannot write '{path}': {error}") from error


def _names_of(tree, names) -> list[str]:
    if names is None:
        return [name for name, _ in named_leaves(tree)]
    if jax.tree.structure(names) != jax.tree.structure(tree):
        raise ParametersError("'names' must be a tree of the same structure as the parameters")
    return jax.tree.leaves(names)


def _refuse_duplicates(names):
    seen = set()
    for name in names:
        if name in seen:
            raise ParametersError(f"two arrays have the name '{name}'; pass 'names'")
        seen.add(name)


def _as_array(name, leaf) -> np.ndarray:
    value = None if isinstance(leaf, jax.ShapeDtypeStruct) else np.asarray(_words_of_key(leaf))
    if value is None or value.dtype.kind in "OSUMm":
        raise ParametersError(
            f"'{name}' is {leaf!r}, which is not an array; pass the arrays alone"
        )
    return value


def _words_of_key(leaf):
    """The data of a key of `jax.random.key`; anything else as it is."""
    is_key = isinstance(leaf, jax.Array) and jax.dtypes.issubdtype(leaf.dtype, jax.dtypes.prng_key)
    return jax.random.key_data(leaf) if is_key else leaf


def _expected(like, names) -> dict[str, jax.ShapeDtypeStruct]:
    """Shape and type of each parameter by name, in the order of the leaves."""
    flat = _names_of(like, names)
    _refuse_duplicates(flat)
    return {name: _abstract(name, leaf) for name, leaf in zip(flat, jax.tree.leaves(like))}


def _abstract(name, leaf) -> jax.ShapeDtypeStruct:
    if isinstance(leaf, (jax.Array, jax.ShapeDtypeStruct, np.ndarray)):
        return jax.ShapeDtypeStruct(leaf.shape, leaf.dtype)
    value = _as_array(name, leaf)
    return jax.ShapeDtypeStruct(value.shape, jax.dtypes.canonicalize_dtype(value.dtype))


def _from_newest(folder, read):
    """What `read` makes of the tensors of the newest checkpoint that it finds undamaged."""
    candidates = checkpoints_of(folder)
    if candidates != [folder]:
        for other in renamed_in(folder):
            warnings.warn(
                f"passed over {other}, which holds a checkpoint but is not named step-N", stacklevel=3
            )
    if not candidates:
        raise ParametersError(
            f"the folder '{folder}' holds no checkpoint, which would be named step-N; give the "
            "folder of `train --checkpoint`, or a file"
        )
    for candidate in candidates:
        try:
            return read(open_checkpoint(candidate))
        except DamagedError as error:
            reason = error
        if len(candidates) > 1:
            warnings.warn(f"skipped checkpoint {candidate}: {reason}", stacklevel=3)
    raise ParametersError(f"no checkpoint in {folder} is usable, of {len(candidates)}: {reason}")


def _from_file(path, read):
    try:
        return read(TensorFile(path))
    except DamagedError as error:
        raise ParametersError(str(error)) from error


def _read(file: TensorFile, expected) -> list[np.ndarray]:
    """The values of the parameters in order, each in its type."""
    _refuse_differences(file, expected)
    # A master is the most exact value of its parameter.
    masters = {
        of[0]: name for name, (kind, of) in file.states().items() if kind == _MASTER and of
    }
    return [
        _convert(name, file.read(masters.get(name, name)), like) for name, like in expected.items()
    ]


def _convert(name, value, like) -> np.ndarray:
    result = converted(value, like.dtype)
    if result is None:
        raise ParametersError(
            f"'{name}' has values that do not fit {like.dtype}, the type that it has in `like`; "
            f"give it {value.dtype} there, the type that it has in the file"
        )
    return result


def _as_leaf(value, leaf):
    return jax.device_put(value, leaf.sharding) if isinstance(leaf, jax.Array) else value


def _describe(dtype, shape) -> str:
    return f"{dtype}[{', '.join(map(str, shape))}]"


def _refuse_differences(file, expected) -> None:
    """Refuses a file that holds anything but the parameters and what training keeps of them."""
    kept = {name for name, (_, of) in file.states().items() if set(of) <= set(expected)}
    missing = [name for name in expected if name not in file.names]
    additional = sorted(file.names - set(expected) - kept)
    problems = [
        f"'{name}', {_describe(expected[name].dtype, expected[name].shape)}, is missing"
        + _nearest(name, additional or file.names)
        for name in missing
    ]
    problems += [
        f"'{name}', {_describe(file.dtype(name), file.shape(name))}, is not in `like`"
        + _nearest(name, missing or expected)
        for name in additional
    ]
    problems += filter(None, (_difference(file, name, like) for name, like in expected.items()))
    if not problems:
        return
    shown = problems[:_MOST_PROBLEMS]
    if more := len(problems) - len(shown):
        shown.append(f"and {more} more")
    raise ParametersError(
        f"{file.path} does not hold the parameters of `like`:\n  "
        + "\n  ".join(shown)
        + "\ngive the parameters that the loss was exported with, and 'names' if `export` had them"
    )


def _difference(file, name, like) -> str | None:
    if name not in file.names:
        return None
    dtype, shape = file.dtype(name), file.shape(name)
    if shape == like.shape and (dtype == like.dtype or _is_float(dtype) and _is_float(like.dtype)):
        return None
    return f"'{name}' is {_describe(dtype, shape)}, but {_describe(like.dtype, like.shape)} in `like`"


def _is_float(dtype) -> bool:
    return isinstance(dtype, np.dtype) and jax.dtypes.issubdtype(dtype, np.floating)


def _nearest(name, candidates) -> str:
    found = difflib.get_close_matches(name, candidates, n=1)
    return f"; the nearest name is '{found[0]}'" if found else ""
