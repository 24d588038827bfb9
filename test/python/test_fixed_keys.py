# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`export` warns of random numbers that are the same at every step, at the line that draws them."""

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


def test_what_is_not_used_is_fine():
    assert warned(unused, IDS) == []
