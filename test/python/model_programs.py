# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The models of `boost_mlir.models` in f64, as programs to compile and as JAX oracles.

The models compute norms, softmax and loss in f32. Here f32 stands for f64, so that
a program and its oracle differ by f64 rounding only and a comparison can be tight.
"""

from __future__ import annotations

import contextlib
import dataclasses
from unittest import mock

import jax
import jax.numpy as jnp
import numpy as np
from boost_mlir import export, models, testing
from boost_mlir.models import llama

BATCH, SEQ = 4, 8
ODD = {"layers": 3, "d": 96, "heads": 6, "kv_heads": 2, "rank": 20, "d_ff": 248}


class _WideNumpy:
    """jax.numpy with f64 under the name float32."""

    float32 = jnp.float64

    def __getattr__(self, name):
        return getattr(jnp, name)


@contextlib.contextmanager
def _wide():
    with jax.enable_x64(True), mock.patch.object(llama, "jnp", _WideNumpy()):
        yield


@dataclasses.dataclass
class Model:
    """A model, its StableHLO text, and inputs for it by name."""

    config: models.ModelConfig
    text: str
    inputs: dict

    def value_and_grad(self):
        """JAX's loss and its gradients by name."""
        names = [name for name in self.inputs if name not in ("tokens", "targets")]
        structure = jax.tree.structure(models.abstract_params(self.config))
        params = jax.tree.unflatten(structure, [self.inputs[name] for name in names])
        with _wide():
            return testing.value_and_grad(
                models.make_loss(self.config), params, self.inputs["tokens"], self.inputs["targets"]
            )


def make_model(kind, seed=0, **overrides) -> Model:
    """A tiny model of a kind with random parameters, tokens and targets."""
    config = models.ModelConfig.of_size("tiny", kind, **overrides)
    random = np.random.default_rng(seed)
    abstract = models.abstract_params(config)
    params = jax.tree.map(
        lambda leaf: random.standard_normal(leaf.shape) * leaf.shape[-1] ** -0.25, abstract
    )
    inputs = dict(export.named_leaves(params))
    for name in ("tokens", "targets"):
        inputs[name] = random.integers(0, config.vocab, (BATCH, SEQ)).astype(np.int32)
    with _wide():
        wide = jax.tree.map(lambda leaf: jax.ShapeDtypeStruct(leaf.shape, np.float64), abstract)
        ids = jax.ShapeDtypeStruct((BATCH, SEQ), np.int32)
        text = export.export(
            models.make_loss(config), wide, ids, ids, init="default", locations=False
        )
    return Model(config, text, inputs)
