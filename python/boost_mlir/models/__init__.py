# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Full-rank and low-rank LLaMA decoders in plain, single-device JAX."""

from .config import DTYPES, KINDS, SIZES, ModelConfig
from .init import abstract_params, init_params, init_specs, parameter_count
from .llama import forward, make_loss

__all__ = [
    "DTYPES",
    "KINDS",
    "SIZES",
    "ModelConfig",
    "abstract_params",
    "forward",
    "init_params",
    "init_specs",
    "make_loss",
    "parameter_count",
]
