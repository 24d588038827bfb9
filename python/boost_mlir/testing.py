# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX as the oracle of a compiled program: loss, gradients, AdamW training.

The oracle computes in f64, so that what a comparison finds is the error of the
program alone. A compiled loss is compared like this:

    write_inputs("in.safetensors", params, {"tokens": tokens, "targets": targets})
    # ./train eval --inputs in.safetensors --outputs out.safetensors --gradients
    value, gradients = value_and_grad(loss, params, tokens, targets)
"""

from __future__ import annotations

import dataclasses
import math

import jax
import jax.numpy as jnp
import numpy as np
from safetensors.numpy import save_file

from .naming import named_leaves


def _widen(tree):
    return jax.tree.map(lambda leaf: jnp.asarray(leaf, jnp.float64), tree)


def value_and_grad(loss, params, *batch):
    """The loss and the named gradients of `loss(params, *batch)`, in f64."""
    with jax.enable_x64(True):
        value, gradients = jax.jit(jax.value_and_grad(loss))(_widen(params), *batch)
        return float(value), {name: np.asarray(leaf) for name, leaf in named_leaves(gradients)}


def values(loss, params, batches):
    """`loss(params, *batch)` of several batches of one shape, in f64."""
    with jax.enable_x64(True):
        function, wide = jax.jit(loss), _widen(params)
        return np.array([float(function(wide, *batch)) for batch in batches])


@dataclasses.dataclass(frozen=True)
class AdamW:
    """AdamW as the compiled programs run it: linear warm-up, cosine decay to
    `min_lr`, clipping by the global norm as PyTorch does it, decoupled decay of
    the parameters that `decay` says."""

    steps: int
    lr: float
    min_lr: float = 0.0
    warmup: int = 0
    clip: float = 0.0
    beta1: float = 0.9
    beta2: float = 0.95
    eps: float = 1e-8
    weight_decay: float = 0.1

    def learning_rate(self, step: int) -> float:
        """The rate of a step, counted from 1."""
        if step <= self.warmup:
            return self.lr * step / self.warmup
        progress = (step - self.warmup) / max(self.steps - self.warmup, 1)
        return self.min_lr + (self.lr - self.min_lr) * 0.5 * (1.0 + math.cos(math.pi * progress))

    def update(self, step, lr, params, m, v, gradients, decay):
        """One step on pytrees; returns parameters, moments and the norm before clipping.

        decay: a pytree like `params` of booleans, or one for all of them."""
        norm = jnp.sqrt(sum(jnp.sum(jnp.square(g)) for g in jax.tree.leaves(gradients)))
        scale = jnp.minimum(1.0, self.clip / (norm + 1e-6)) if self.clip > 0 else 1.0
        g = jax.tree.map(lambda x: scale * x, gradients)
        m = jax.tree.map(lambda a, b: self.beta1 * a + (1 - self.beta1) * b, m, g)
        v = jax.tree.map(lambda a, b: self.beta2 * a + (1 - self.beta2) * b * b, v, g)

        def apply(p, a, b, decays):
            direction = (a / (1 - self.beta1**step)) / (
                jnp.sqrt(b / (1 - self.beta2**step)) + self.eps
            )
            return p - lr * (direction + (self.weight_decay * p if decays else 0.0))

        if isinstance(decay, bool):
            decay = jax.tree.map(lambda _: decay, params)
        return jax.tree.map(apply, params, m, v, decay), m, v, norm


@dataclasses.dataclass(frozen=True)
class TrainingRun:
    losses: list[float]
    gradient_norms: list[float]
    params: dict[str, np.ndarray]


def train(loss, params, optimizer: AdamW, batches, decay) -> TrainingRun:
    """`optimizer.steps` steps over `batches`, an iterable of tuples of batch arguments.

    decay: a pytree like `params` that says which of them decay, or one boolean for all.
    What a program does is in its `info`; the oracle is told, so that it can disagree."""

    @jax.jit
    def one_step(step, lr, params, m, v, batch):
        value, gradients = jax.value_and_grad(loss)(params, *batch)
        return value, optimizer.update(step, lr, params, m, v, gradients, decay)

    losses, norms = [], []
    with jax.enable_x64(True):
        params = _widen(params)
        m = jax.tree.map(jnp.zeros_like, params)
        v = jax.tree.map(jnp.zeros_like, params)
        for step, batch in zip(range(1, optimizer.steps + 1), batches):
            value, (params, m, v, norm) = one_step(
                float(step), optimizer.learning_rate(step), params, m, v, batch
            )
            losses.append(float(value))
            norms.append(float(norm))
        named = {name: np.asarray(leaf) for name, leaf in named_leaves(params)}
    return TrainingRun(losses, norms, named)


def sequential_batches(tokens, batch: int, seq: int):
    """The batches of `train`: row i of step k is window k * batch + i of the
    file, modulo the windows there are; targets are the tokens one further."""
    tokens = np.asarray(tokens, np.int32)
    windows = (tokens.size - 1) // seq
    if windows < 1:
        raise ValueError(f"{tokens.size} tokens hold no window of {seq} tokens and their targets")
    next_window = 0
    while True:
        starts = [(next_window + row) % windows * seq for row in range(batch)]
        next_window += batch
        rows = np.stack([tokens[start : start + seq + 1] for start in starts])
        yield rows[:, :-1], rows[:, 1:]


def write_inputs(path, params, batch=None):
    """A safetensors file of parameters and batch under their names, for `eval --inputs`
    and, without a batch, for `train --init`."""
    tensors = {name: np.require(leaf, requirements="C") for name, leaf in named_leaves(params)}
    tensors.update(
        {name: np.require(value, requirements="C") for name, value in (batch or {}).items()}
    )
    save_file(tensors, path)
