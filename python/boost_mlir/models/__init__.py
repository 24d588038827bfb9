# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Full-rank and low-rank LLaMA decoders in plain, single-device JAX."""

from .config import DTYPES, KINDS, ROPE_SCALINGS, SIZES, ModelConfig, RopeScaling
from .factors import factor
from .init import abstract_params, init_params, init_specs, parameter_count
from .llama import forward, make_loss

__all__ = [
    "DTYPES",
    "KINDS",
    "ROPE_SCALINGS",
    "SIZES",
    "ModelConfig",
    "RopeScaling",
    "abstract_params",
    "factor",
    "forward",
    "init_params",
    "init_specs",
    "make_loss",
    "parameter_count",
]
