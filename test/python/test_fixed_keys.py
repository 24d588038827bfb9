# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`export` warns of random numbers that should change at every step, at the line that draws them."""

import inspect
import warnings

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from boost_mlir.export import ExportWarning, export

PARAMS = {"w": np.ones((4, 4), np.float32)}
IDS, STEP = np.ones((2, 4), np.int32), np.int32(1)
GLOBAL = jax.random.key(1)


def dropout(key, x):
    return jnp.where(jax.random.bernoulli(key, 0.9, x.shape), x, 0)  # the line


def literal(params, ids):
    return jnp.sum(dropout(jax.random.key(0), ids @ params["w"]))


def old_key(params, ids):
    return jnp.sum(dropout(jax.random.PRNGKey(3), ids @ params["w"]))


def closed_over(params, ids):
    return jnp.sum(jax.checkpoint(lambda x: dropout(GLOBAL, x))(ids @ params["w"]))


def mapped(params, ids):
    return jnp.sum(jax.vmap(dropout)(jax.random.split(jax.random.key(0), 2), ids @ params["w"]))


def branch(params, ids):
    x = ids @ params["w"]
    return jnp.sum(jax.lax.cond(ids[0, 0] > 0, lambda: dropout(GLOBAL, x), lambda: x))


def looped(params, ids, key=GLOBAL):
    def body(carry, _):
        x, key = carry
        key, own = jax.random.split(key)
        return (dropout(own, x @ params["w"]), key), None

    return jnp.sum(jax.lax.scan(body, (ids * 1.0, key), None, length=2)[0][0])


def folded(params, ids, step):
    return jnp.sum(dropout(jax.random.fold_in(GLOBAL, step), ids @ params["w"]))


def looped_from_step(params, ids, step):
    return looped(params, ids, jax.random.fold_in(GLOBAL, step))


def seeded(params, ids, step):
    return jnp.sum(dropout(jax.random.key(step), ids @ params["w"]))


def unused(params, ids):
    jax.random.normal(jax.random.key(0), (3,))
    return jnp.sum(ids @ params["w"])


def warned(loss, *batch):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        export(loss, PARAMS, *batch)
    return [warning for warning in caught if warning.category is ExportWarning]


@pytest.mark.parametrize("loss", (literal, old_key, closed_over, mapped, branch, looped))
def test_a_fixed_key_is_named_once_at_its_line(loss):
    (warning,) = warned(loss, IDS)
    source, first = inspect.getsourcelines(dropout)
    line = first + next(i for i, text in enumerate(source) if "# the line" in text)
    assert f"test_fixed_keys.py:{line}:" in str(warning.message)
    assert "same at every step" in str(warning.message)
    assert "jax.random.fold_in(key, step)" in str(warning.message)
    # Python shows the line that exports.
    assert warning.filename == __file__


@pytest.mark.parametrize("loss", (folded, looped_from_step, seeded))
def test_a_key_of_an_argument_is_fine(loss):
    assert warned(loss, IDS, STEP) == []


@pytest.mark.parametrize("key", (jax.random.key(0), jax.random.PRNGKey(0)), ids=("typed", "words"))
def test_a_key_as_an_argument_is_fine(key):
    assert warned(looped, IDS, key) == []


def noisy(params, ids):
    hidden = ids @ params["w"]
    return jnp.sum((hidden + 0.1 * jax.random.normal(GLOBAL, hidden.shape)) ** 2)


def thinned(params, ids):
    keep = jax.random.uniform(GLOBAL, params["w"].shape) < 0.5
    return jnp.sum(ids @ (keep.astype(np.float32) * params["w"]))


def learned_rate(params, ids):
    hidden = ids @ params["w"]
    return jnp.sum(jnp.where(jax.random.uniform(GLOBAL, hidden.shape) < params["w"][0], hidden, 0))


def shuffled(params, ids):
    return jnp.sum((ids @ params["w"])[:, jax.random.permutation(GLOBAL, 4)] * jnp.arange(4))


@pytest.mark.parametrize("loss", (noisy, thinned, learned_rate, shuffled))
def test_noise_masks_and_places_are_named(loss):
    source, first = inspect.getsourcelines(loss)
    line = first + next(i for i, text in enumerate(source) if "GLOBAL" in text)
    (warning,) = warned(loss, IDS)
    assert f"test_fixed_keys.py:{line}:" in str(warning.message)


def vera(params, ids):
    """Frozen random factors with learned scales between them."""
    down, up = (jax.random.normal(key, (4, 4)) for key in jax.random.split(GLOBAL))
    return jnp.sum(((ids @ down) * params["w"][0]) @ (up * params["w"][1, :, None]))


def frozen_weights(params, ids):
    base = jax.random.uniform(GLOBAL, (4, 4), minval=-1)
    layer = lambda x, _: (jnp.tanh(x @ (base + params["w"] @ params["w"].T)), None)
    return jnp.sum(jax.lax.scan(layer, ids * 1.0, None, length=2)[0])


def random_features(params, ids):
    one, other = jax.random.split(GLOBAL)
    phase = jax.random.uniform(other, (4,), maxval=2 * np.pi)
    return jnp.sum(jnp.cos(ids @ jax.random.normal(one, (4, 4)) + phase) @ params["w"])


@pytest.mark.parametrize("loss", (vera, frozen_weights, random_features))
def test_fixed_random_factors_are_fine(loss):
    assert warned(loss, IDS) == []


def test_what_is_not_used_is_fine():
    assert warned(unused, IDS) == []
