# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model and its parameters as a folder that `transformers` loads."""

from __future__ import annotations

import fnmatch
import json
import shutil
from pathlib import Path

import jax
import numpy as np
from safetensors import SafetensorError
from safetensors.numpy import save_file

from .. import models
from .._conversion import converted
from .._errors import HuggingFaceError
from .._files import replacing
from ..naming import named_leaves
from . import _config
from ._names import foreign_name, is_transposed

#: Files of the original folder that belong to the model and hold no weights.
_KEPT = (
    "added_tokens.json", "chat_template*", "generation_config.json", "merges.txt", "special_tokens_map.json",
    "tokenizer*", "vocab.*",
)  # fmt: skip
_SHARD_BYTES = 5 * 10**9


def save(
    folder, config, params, *, like=None, dtype="f32", length=2048, shard_bytes=_SHARD_BYTES
) -> None:
    """Writes a folder for `AutoModelForCausalLM.from_pretrained`.

    A model without factors is a `LlamaForCausalLM`. One with factors brings the file that models it,
    which `transformers` runs with `trust_remote_code=True`.

    folder:      the folder, which must not exist or be empty.
    config:      the `ModelConfig` of the parameters.
    params:      their tree, as `models.init_params` and `boost_mlir.load` give it.
    like:        the folder that the model came from: its tokenizer and the other fields of its
                 `config.json` are kept.
    dtype:       the type that weights are written in, one of `models.DTYPES`.
    length:      without `like`, the longest sequence that the model is meant for.
    shard_bytes: where one file would be larger, there are several with an index.

    Raises `HuggingFaceError` if the parameters are not those of `config`, if `like` is of another
    model, or if the folder cannot be written.
    """
    original = None
    if like is not None:
        fields = _config.read_fields(like)
        if problem := _config.difference(fields, config):
            raise HuggingFaceError(f"'{like}' is of another model: {problem}")
        original = fields.values
    folder = Path(folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise HuggingFaceError(f"'{folder}' exists and is not an empty folder; give another one")
    leaves = _unstacked(config, params)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write_weights(folder, leaves, config, dtype, shard_bytes)
        for path in sorted(Path(like).iterdir()) if like is not None else ():
            if path.is_file() and any(fnmatch.fnmatch(path.name, kept) for kept in _KEPT):
                shutil.copyfile(path, folder / path.name)
        if config.low_rank:
            shutil.copyfile(Path(__file__).with_name(_config.MODELLING_FILE), folder / _config.MODELLING_FILE)
        # The last one: without it the folder is of no model.
        _write_json(folder / "config.json", _config.config_values(config, original, dtype, length))
    except (OSError, SafetensorError) as error:
        raise HuggingFaceError(f"cannot write '{folder}': {error}") from error


def _unstacked(config, params) -> list[tuple[str, np.ndarray]]:
    """The parameters by name, of layers that are not stacked."""
    expected = models.abstract_params(config)
    if jax.tree.structure(params) != jax.tree.structure(expected):
        raise HuggingFaceError("the tree of the parameters is not that of the model")
    for (name, leaf), like in zip(named_leaves(params), jax.tree.leaves(expected)):
        if np.shape(leaf) != like.shape:
            raise HuggingFaceError(
                f"'{name}' has the shape {list(np.shape(leaf))}, but {list(like.shape)} in the model"
            )
    if config.scan:
        layers = [jax.tree.map(lambda leaf: leaf[i], params["layers"]) for i in range(config.layers)]
        params = dict(params, layers=layers)
    return named_leaves(params)


def _write_weights(folder, leaves, config, dtype, shard_bytes) -> None:
    target = models.abstract_params(models.ModelConfig(dtype=dtype))["norm"].dtype
    shards, size = [[]], 0
    for name, leaf in leaves:
        added = np.size(leaf) * target.itemsize
        if shards[-1] and size + added > shard_bytes:
            shards.append([])
            size = 0
        shards[-1].append((name, leaf))
        size += added
    files = ["model.safetensors"]
    if len(shards) > 1:
        files = [f"model-{i + 1:05}-of-{len(shards):05}.safetensors" for i in range(len(shards))]
    for file, shard in zip(files, shards):
        tensors = {foreign_name(name): _stored(name, leaf, target) for name, leaf in shard}
        with replacing(folder / file) as partial:
            # transformers refuses files that do not say so.
            save_file(tensors, partial, metadata={"format": "pt"})
    if len(shards) > 1:
        total = sum(np.size(leaf) for _, leaf in leaves) * target.itemsize
        where = {foreign_name(name): file for file, shard in zip(files, shards) for name, _ in shard}
        index = {"metadata": {"total_size": total}, "weight_map": where}
        _write_json(folder / "model.safetensors.index.json", index)


def _stored(name, leaf, dtype) -> np.ndarray:
    value = np.asarray(leaf)
    result = converted(np.ascontiguousarray(value.T if is_transposed(name) else value), dtype)
    if result is None:
        raise HuggingFaceError(f"'{name}' has values that do not fit {dtype}")
    return result


def _write_json(path, value) -> None:
    with replacing(path) as partial:
        partial.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")
