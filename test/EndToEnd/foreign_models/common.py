# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs' sizes, random values, and how a program is described."""

from __future__ import annotations

import dataclasses
import functools
import zlib
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np

VOCAB, WIDTH, HEADS, HIDDEN, RANK = 24, 16, 4, 32, 4
HEAD = WIDTH // HEADS
BATCH, SEQ, LAYERS = 4, 6, 2


@dataclasses.dataclass(frozen=True)
class Program:
    """A loss with its values and what the compiler makes of it."""

    loss: Callable
    params: object
    batch: dict[str, np.ndarray]
    #: Operations of `boost` that stand for what the loss spells out, and no others.
    raised: frozenset[str]
    #: The loss in a form that JAX differentiates exactly, if it does not do so with `loss`.
    oracle: Callable | None = None
    #: True if it rounds to bf16, and so is only as exact as JAX's own program.
    bf16: bool = False


class Values:
    """Random values of one program: the same in every run, others in every program."""

    def __init__(self, name: str):
        self._random = np.random.default_rng(zlib.crc32(name.encode()))

    def normal(self, *shape, std=None):
        """By default such that a product keeps the size of what it is given."""
        if std is None:
            std = shape[-2] ** -0.5 if len(shape) > 1 else 1.0
        return (std * self._random.standard_normal(shape)).astype(np.float32)

    def scale(self, *shape):
        return 1 + self.normal(*shape, std=0.1)

    def bias(self, *shape):
        return self.normal(*shape, std=0.1)

    def ids(self, *shape, limit=VOCAB):
        return self._random.integers(0, limit, shape, dtype=np.int32)

    def tokens(self):
        return {"tokens": self.ids(BATCH, SEQ), "targets": self.ids(BATCH, SEQ)}


#: Every program by its name, as a function that makes it.
PROGRAMS: dict[str, Callable[[], Program]] = {}
#: The meshes that each of them runs on.
MESHES: dict[str, tuple[str, ...]] = {}


def program(make: Callable[[Values], Program] | None = None, *, meshes=("1", "tp=2")):
    """Enters a program under the name of the function that makes it."""
    if make is None:
        return functools.partial(program, meshes=meshes)
    PROGRAMS[make.__name__] = lambda: make(Values(make.__name__))
    MESHES[make.__name__] = meshes
    return make


def raises(*names: str) -> frozenset[str]:
    return frozenset(f"boost.{name}" for name in names)


def stacked(layers):
    """Parameters of equal layers as one tree with a leading dimension, for `lax.scan`."""
    return jax.tree.map(lambda *leaves: np.stack(leaves), *layers)


def causal(length):
    return jnp.tril(jnp.ones((length, length), bool))


def mean_token_loss(logits, targets):
    picked = jnp.take_along_axis(jax.nn.log_softmax(logits), targets[..., None], axis=-1)
    return -jnp.mean(picked)
