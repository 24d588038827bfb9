# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shapes, initial distributions and initial values of a decoder's parameters."""

from __future__ import annotations

import dataclasses
import hashlib
import math

import jax
import jax.numpy as jnp
import numpy as np

from ..naming import tree_names
from .config import ModelConfig

_EMBEDDING_STD = 0.02


@dataclasses.dataclass(frozen=True)
class _Parameter:
    """Properties of a parameter before it has a value."""

    shape: tuple[int, ...]
    init: str


def _normal(std: float) -> str:
    return f"normal:{std:.9g}"


def _linear(config: ModelConfig, d_in: int, d_out: int):
    if not config.low_rank:
        return _Parameter((d_in, d_out), _normal(_EMBEDDING_STD))
    # CoLA: each entry of the product of both factors has variance 1 / (d_in + d_out).
    rank = config.rank_of(d_in, d_out)
    std = rank**-0.25 * (d_in + d_out) ** -0.25
    return {
        "down": _Parameter((d_in, rank), _normal(std)),
        "up": _Parameter((rank, d_out), _normal(std)),
    }


def _layer(config: ModelConfig):
    d, d_ff = config.d, config.d_ff
    d_q, d_kv = config.heads * config.head_dim, config.kv_heads * config.head_dim
    return {
        "attn": {
            "norm": _Parameter((d,), "ones"),
            "q": _linear(config, d, d_q),
            "k": _linear(config, d, d_kv),
            "v": _linear(config, d, d_kv),
            "o": _linear(config, d_q, d),
        },
        "mlp": {
            "norm": _Parameter((d,), "ones"),
            "gate": _linear(config, d, d_ff),
            "up": _linear(config, d, d_ff),
            "down": _linear(config, d_ff, d),
        },
    }


def _parameters(config: ModelConfig):
    layer = _layer(config)
    if config.scan:
        stack = lambda p: _Parameter((config.layers, *p.shape), p.init)
        layers = jax.tree.map(stack, layer)
    else:
        layers = [layer] * config.layers
    params = {
        "embed": _Parameter((config.vocab, config.d), _normal(_EMBEDDING_STD)),
        "layers": layers,
        "norm": _Parameter((config.d,), "ones"),
    }
    if not config.tied:
        params["head"] = _Parameter((config.d, config.vocab), _normal(_EMBEDDING_STD))
    return params


def _dtype(config: ModelConfig):
    types = {"f32": np.float32, "bf16": jnp.bfloat16, "f16": np.float16}
    return np.dtype(types[config.dtype])


def abstract_params(config: ModelConfig):
    """The parameter tree as shapes and types: nothing is allocated."""
    dtype = _dtype(config)
    return jax.tree.map(lambda p: jax.ShapeDtypeStruct(p.shape, dtype), _parameters(config))


def init_specs(config: ModelConfig):
    """Returns the tree of initial distributions: `ones` or `normal:STD`."""
    return jax.tree.map(lambda p: p.init, _parameters(config))


def init_params(config: ModelConfig, seed: int = 0):
    """Returns the tree of initial values as NumPy arrays. A value depends on the seed and its name
    only."""
    dtype = _dtype(config)
    names = tree_names(_parameters(config))
    return jax.tree.map(
        lambda p, name: _value(p, name, seed).astype(dtype), _parameters(config), names
    )


def _value(parameter: _Parameter, name: str, seed: int):
    kind, _, std = parameter.init.partition(":")
    if kind == "ones":
        return np.ones(parameter.shape, np.float32)
    key = hashlib.sha256(f"{seed}:{name}".encode()).digest()
    generator = np.random.default_rng(np.frombuffer(key, np.uint32))
    return float(std) * generator.standard_normal(parameter.shape, np.float32)


def parameter_count(config: ModelConfig) -> int:
    return sum(math.prod(p.shape) for p in jax.tree.leaves(_parameters(config)))
