# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Optimizers for low-rank models, as pairs of functions `init` and `update` like those of optax.

    tx = optimizers.loro(1e-2, period=500)
    export(loss, params, *batch, optimizer=tx)

They are plain JAX, and train without the compiler as well. What is computed of the factors of one
linear beyond elementwise operations are products that contract their long dimension, and functions
of the r x r matrices that these give.
"""

from .adam import adamw
from .loro import loro, restarted, rewarmed
from .muon import muon
from .pairs import named_pairs
from .spectron import spectron
from .transformation import GradientTransformation

__all__ = [
    "GradientTransformation",
    "adamw",
    "loro",
    "muon",
    "named_pairs",
    "restarted",
    "rewarmed",
    "spectron",
]
