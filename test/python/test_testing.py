# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The oracle itself: batches, learning rates, AdamW by hand."""

import itertools

import jax.numpy as jnp
import numpy as np
import pytest

from boost_mlir import testing


def test_batches_are_consecutive_windows_that_wrap():
    batches = testing.sequential_batches(np.arange(10), batch=2, seq=3)
    starts = [x[:, 0].tolist() for x, _ in itertools.islice(batches, 3)]
    assert starts == [[0, 3], [6, 0], [3, 6]]


def test_targets_are_one_token_further():
    tokens, targets = next(testing.sequential_batches(np.arange(100), batch=2, seq=5))
    assert np.array_equal(targets, tokens + 1) and tokens.dtype == np.int32


def test_a_file_without_a_window_is_refused():
    with pytest.raises(ValueError, match="hold no window of 4 tokens"):
        next(testing.sequential_batches(np.arange(4), 1, 4))


def test_learning_rate_warms_up_and_decays():
    schedule = testing.AdamW(steps=10, lr=1.0, min_lr=0.1, warmup=2)
    rates = [schedule.learning_rate(step) for step in range(1, 11)]
    assert rates[:2] == [0.5, 1.0]
    assert all(a > b for a, b in zip(rates[1:], rates[2:]))
    assert rates[-1] == pytest.approx(0.1)


def test_first_step_of_adamw_by_hand():
    # With g = (3, 4) the norm is 5 and clipping to 1 leaves (0.6, 0.8); the
    # first step of Adam has size lr whatever the gradient; what is said to decays.
    optimizer = testing.AdamW(steps=1, lr=0.1, min_lr=0.1, clip=1.0, weight_decay=0.5)
    loss = lambda p, x: 3.0 * p["w"][0, 0] + 4.0 * p["b"][0]
    params = {"w": np.full((1, 1), 2.0), "b": np.full(1, 2.0)}
    decay = {"w": True, "b": False}
    run = testing.train(loss, params, optimizer, [(jnp.zeros(1),)], decay)
    assert run.losses == [14.0] and run.gradient_norms == [5.0]
    assert run.params["w"][0, 0] == pytest.approx(2.0 - 0.1 * (1 + 0.5 * 2.0), rel=1e-6)
    assert run.params["b"][0] == pytest.approx(1.9, rel=1e-6)


def test_oracle_computes_in_f64():
    value, gradients = testing.value_and_grad(
        lambda p, x: jnp.sum(p["w"] / 3), {"w": np.ones(2, np.float32)}, 0
    )
    assert value == 2 / 3 and gradients["w"].dtype == np.float64
