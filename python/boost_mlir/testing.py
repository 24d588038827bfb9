# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX as the oracle of a compiled program: loss, gradients, AdamW training.

The oracle computes in f64, so that what a comparison finds is the error of the
program alone. A compiled loss is compared like this:

    boost_mlir.save("in.safetensors", params, {"tokens": tokens, "targets": targets})
    # ./train eval --inputs in.safetensors --outputs out.safetensors --gradients
    value, gradients = value_and_grad(loss, params, tokens, targets)
"""

from __future__ import annotations

import dataclasses
import math

import jax
import jax.numpy as jnp
import numpy as np

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


def _round_to_bf16(value, key=None):
    """The nearest bf16 number; with a key, that above or below at random, so that the mean
    is `value`."""
    if key is None:
        return value.astype(jnp.bfloat16)
    bits = jax.lax.bitcast_convert_type(value, jnp.uint32)
    bits += jax.random.randint(key, value.shape, 0, 1 << 16).astype(jnp.uint32)
    kept = jax.lax.bitcast_convert_type(bits & jnp.uint32(0xFFFF0000), jnp.float32)
    return kept.astype(jnp.bfloat16)


class MixedTrainer:
    """`train` in mixed precision: `loss` gets bf16 copies of f32 masters, which AdamW updates
    in f32. It must take its statistics, its softmax and its mean in f32, as those of
    `boost_mlir.models` do. The step is compiled once for all runs.

    stochastic: round the copies up or down at random."""

    def __init__(self, loss, optimizer: AdamW, decay, stochastic=False):
        def one_step(key, step, lr, masters, m, v, batch):
            leaves, tree = jax.tree.flatten(masters)
            keys = jax.random.split(key, len(leaves)) if stochastic else [None] * len(leaves)
            copies = jax.tree.unflatten(tree, map(_round_to_bf16, leaves, keys))
            value, gradients = jax.value_and_grad(loss)(copies, *batch)
            wide = jax.tree.map(lambda g: g.astype(jnp.float32), gradients)
            return value, optimizer.update(step, lr, masters, m, v, wide, decay)

        self.optimizer, self.one_step = optimizer, jax.jit(one_step)

    def train(self, params, batches, seed=0) -> TrainingRun:
        """The parameters that are returned are the masters. `seed` is of the roundings."""
        losses, norms = [], []
        masters = jax.tree.map(lambda leaf: jnp.asarray(leaf, jnp.float32), params)
        m = jax.tree.map(jnp.zeros_like, masters)
        v = jax.tree.map(jnp.zeros_like, masters)
        keys = jax.random.split(jax.random.key(seed), self.optimizer.steps)
        for step, batch in zip(range(1, self.optimizer.steps + 1), batches):
            value, (masters, m, v, norm) = self.one_step(
                *(keys[step - 1], float(step), self.optimizer.learning_rate(step)),
                *(masters, m, v, batch),
            )
            losses.append(float(value))
            norms.append(float(norm))
        named = {name: np.asarray(leaf) for name, leaf in named_leaves(masters)}
        return TrainingRun(losses, norms, named)


def _student_quantile(freedom: int, probability: float) -> float:
    """Returns the bound that a variable with Student's distribution of an even number of degrees of
    freedom exceeds, on either side, with this probability."""

    def inside(quantile):
        cosine2 = freedom / (freedom + quantile**2)
        terms = [1.0]
        for i in range(2, freedom, 2):
            terms.append(terms[-1] * cosine2 * (i - 1) / i)
        return math.sqrt(1 - cosine2) * sum(terms)

    low, high = 0.0, 1e6
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if 1 - inside(middle) > probability else (low, middle)
    return high


def mixed_loss_bounds(losses, samples, false_alarms=1e-6):
    """How far a program of mixed precision may be from `losses`, step by step.

    samples: losses of runs that differ from that one in the rounding of the copies, which is
    random (`stochastic` of `MixedTrainer`). A rounding of a weight disturbs a product as much as one
    of its input or result, of which a program has about as many. So the losses of a right
    program are off by about as much as those of the samples: by more than the bound with the
    probability `false_alarms`, by Student's distribution. No number in it is chosen."""
    errors = np.asarray(samples) - np.asarray(losses)
    return _student_quantile(len(samples), false_alarms) * np.sqrt(np.mean(errors**2, axis=0))


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
