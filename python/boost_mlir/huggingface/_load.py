# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A folder of Hugging Face as a configuration and a tree of parameters."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

import jax
import numpy as np

from .. import models
from .._conversion import converted
from .._errors import HuggingFaceError
from .._files import read_input
from .._tensor_file import DamagedError, TensorFile
from ..naming import tree_names
from . import _config
from ._names import foreign_name, is_transposed, linear_of

_SINGLE = "model.safetensors"
_INDEX = "model.safetensors.index.json"
#: Tensors of older files that are computed from the configuration.
_COMPUTED = ("rotary_emb.inv_freq",)


@dataclasses.dataclass(frozen=True)
class Loaded:
    """A model of `boost_mlir.models` with its parameters.

    config: its architecture.
    params: the tree of its parameters, NumPy arrays.
    errors: of a model that was factored, the squared Frobenius norms of the error of each linear and
            of its weight, by the name of the linear, such as `layers.0.attn.q`.
    """

    config: models.ModelConfig
    params: dict
    errors: dict[str, tuple[float, float]]

    @property
    def loss(self):
        """`loss(params, tokens, targets)`, as `export` takes it."""
        return models.make_loss(self.config)


def load(folder, *, rank=None, dtype="f32", scan=False, progress=None) -> Loaded:
    """Reads a LLaMA-shaped folder of Hugging Face.

    folder:   with `config.json` and safetensors, one file or shards with an index.
    rank:     factors every linear of the blocks by its singular value decomposition; a linear with a
              smaller dimension than this has that rank. By default nothing is factored.
    dtype:    the type of the parameters, one of `models.DTYPES`, to which all are converted.
    scan:     stacks the layers, for a loss with one loop over them.
    progress: called as `progress(name, error, norm)` after each linear that is factored, with the
              squared norms of `Loaded.errors`.

    Raises `HuggingFaceError` if the folder is incomplete or damaged, or if it describes what
    `boost_mlir.models` does not compute.
    """
    fields = _config.read_fields(folder)
    stored = _config.model_config(fields, dtype)
    if rank is not None and stored.low_rank:
        raise fields.error(f"is of a model that is factored already, at the rank {stored.rank}")
    if rank is not None and rank < 1:
        raise HuggingFaceError(f"the rank must be at least 1, but is {rank}")
    files, errors = _Shards(Path(folder)), {}
    abstract = models.abstract_params(stored)
    names = tree_names(abstract)
    files.require({foreign_name(name) for name in jax.tree.leaves(names)}, stored.tied)

    def read(name, like):
        weight = files.read(name, like)
        if rank is None or not linear_of(name):
            return weight
        factors, errors[name] = models.factor(weight, rank)
        if progress:
            progress(name, *errors[name])
        return factors

    params = jax.tree.map(read, names, abstract)
    config = dataclasses.replace(stored, scan=scan)
    if rank is not None:
        config = dataclasses.replace(config, kind="svd", rank=rank)
    if scan:
        params["layers"] = jax.tree.map(lambda *layers: np.stack(layers), *params["layers"])
    return Loaded(config, params, errors)


def read_config(folder, dtype="f32", scan=False) -> models.ModelConfig:
    """The model that a folder describes, without its parameters."""
    return _config.model_config(_config.read_fields(folder), dtype, scan)


class _Shards:
    """The tensors of a folder by name, whatever file they are in."""

    def __init__(self, folder: Path):
        self.folder, self.open = folder, {}
        if (folder / _INDEX).exists():
            self.files = self._read_index()
        elif (folder / _SINGLE).exists():
            self.files = dict.fromkeys(self._file(_SINGLE).names, _SINGLE)
        else:
            raise HuggingFaceError(
                f"'{folder}' has neither {_SINGLE} nor {_INDEX}; save the model again by "
                "save_pretrained, with safe_serialization=True where that is an option"
            )

    def _read_index(self) -> dict[str, str]:
        path = self.folder / _INDEX
        try:
            files = json.loads(read_input(path))["weight_map"]
            # Shards are beside their index.
            if all(Path(file).name == file for file in files.values()):
                return files
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OSError):
            pass
        raise HuggingFaceError(f"{path} has no 'weight_map' of names of tensors to files beside it")

    def _file(self, name: str) -> TensorFile:
        if name not in self.open:
            try:
                self.open[name] = TensorFile(self.folder / name)
            except (DamagedError, OSError) as error:
                raise HuggingFaceError(f"cannot read '{self.folder / name}': {error}") from error
        return self.open[name]

    def require(self, names: set[str], tied: bool) -> None:
        """Refuses a folder that holds other tensors than a model needs."""
        ignored = {"lm_head.weight"} if tied else set()
        others = {name for name in self.files if not name.endswith(_COMPUTED)} - ignored
        for what, which in (("lacks", names - others), ("also holds", others - names)):
            if which:
                shown = ", ".join(f"'{name}'" for name in sorted(which)[:3])
                more = f" and {len(which) - 3} more" if len(which) > 3 else ""
                raise HuggingFaceError(
                    f"'{self.folder}' {what} {shown}{more}, which does not suit its config.json"
                )

    def read(self, name: str, like) -> np.ndarray:
        """The parameter that is called `name` here, in its shape and type here."""
        foreign = foreign_name(name)
        file = self._file(self.files[foreign])
        if foreign not in file.names:
            raise HuggingFaceError(f"{file.path} lacks '{foreign}', which the index has in it")
        shape = like.shape[::-1] if is_transposed(name) else like.shape
        dtype = file.dtype(foreign)
        if file.shape(foreign) != shape or not _is_float(dtype):
            raise HuggingFaceError(
                f"{file.path} has '{foreign}' as {dtype}{list(file.shape(foreign))}, but config.json "
                f"asks for floats of {list(shape)}"
            )
        try:
            value = file.read(foreign)
        except DamagedError as error:
            raise HuggingFaceError(str(error)) from error
        value = np.ascontiguousarray(value.T if is_transposed(name) else value)
        if (result := converted(value, like.dtype)) is None:
            raise HuggingFaceError(f"'{foreign}' of {file.path} has values that do not fit {like.dtype}")
        return result


def _is_float(dtype) -> bool:
    return isinstance(dtype, np.dtype) and jax.dtypes.issubdtype(dtype, np.floating)
