# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""@step, @accumulate and @update against AdamW and norm clipping written in numpy."""

import evaluation
import numpy as np
import pytest

LOSS = """
func.func @loss(%w: tensor<3x4xf32> {boost.tensor = #boost.tensor<param "w", decay = true>},
                %x: tensor<2x3xf32> {boost.tensor = #boost.tensor<batch "x">},
                %g: tensor<4xf32> {boost.tensor = #boost.tensor<param "g", decay = false>})
    -> (tensor<f32> {boost.tensor = #boost.tensor<loss "loss">}) {
  %0 = boost.linear %x, %w : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.tanh %0 : tensor<2x4xf32>
  %2 = stablehlo.broadcast_in_dim %g, dims = [1] : (tensor<4xf32>) -> tensor<2x4xf32>
  %3 = stablehlo.multiply %1, %2 : tensor<2x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0, 1]
      : (tensor<2x4xf32>, tensor<f32>) -> tensor<f32>
  return %4 : tensor<f32>
}"""
# Numbers that f32 holds: the program takes them in it.
NUMBERS = {"beta1": 0.75, "beta2": 0.875, "eps": 2.0**-20, "weight_decay": 0.25}
HYPERS = {f"hyper.{name}": value for name, value in NUMBERS.items()}
PARAMS = ("w", "g")
DECAY = {"w": NUMBERS["weight_decay"], "g": 0.0}


def program(options=""):
    passes = ("--boost-differentiate", "--boost-add-optimizer", f"--boost-build-step={options}")
    return evaluation.load(LOSS, *passes, "--boost-raise-adamw")


def adamw(params, m, v, grads, lr, step, clip):
    """One step; returns new dictionaries and the norm before clipping."""
    norm = np.sqrt(sum(np.sum(g**2) for g in grads.values()))
    # The constant of the program is rounded to f32.
    scale = min(1.0, clip / (norm + np.float64(np.float32(1e-6)))) if clip > 0 else 1.0
    new = {}, {}, {}
    beta1, beta2, eps = (NUMBERS[name] for name in ("beta1", "beta2", "eps"))
    for name, p in params.items():
        g = scale * grads[name]
        new[1][name] = beta1 * m[name] + (1 - beta1) * g
        new[2][name] = beta2 * v[name] + (1 - beta2) * g * g
        corrected_m = new[1][name] / (1 - beta1**step)
        corrected_v = new[2][name] / (1 - beta2**step)
        direction = corrected_m / (np.sqrt(corrected_v) + eps)
        new[0][name] = p - lr * (direction + DECAY[name] * p)
    return *new, norm


def state_inputs(m, v):
    return {f"adamw.m.{n}": m[n] for n in m} | {f"adamw.v.{n}": v[n] for n in v}


def gradients(p, inputs):
    results = p.run("gradient", inputs)
    return {name: results[f"grad.{name}"] for name in PARAMS}


@pytest.mark.parametrize("clip", [0.0, 1e-2, 1e3])
def test_three_steps(clip):
    p = program()
    inputs = p.random_inputs("loss", seed=3)
    params = {name: inputs[name] for name in PARAMS}
    m = {name: np.zeros_like(value) for name, value in params.items()}
    v = dict(m)
    for step in (1, 2, 3):
        batch = {"x": inputs["x"] * step}
        hyper = HYPERS | {"hyper.lr": 0.1 / step, "hyper.step": float(step), "hyper.clip": clip}
        results = p.run("step", params | batch | hyper | state_inputs(m, v))
        grads = gradients(p, params | batch)
        params, m, v, norm = adamw(params, m, v, grads, 0.1 / step, step, clip)
        expected = params | state_inputs(m, v) | {"grad_norm": norm}
        assert set(results) == set(expected) | {"loss"}
        for name, value in expected.items():
            np.testing.assert_allclose(results[name], value, rtol=1e-12, err_msg=name)


def test_update_takes_the_mean_of_micro_batches():
    p = program("accumulate=2")
    assert "step" not in p.functions()
    inputs = p.random_inputs("loss", seed=4)
    params = {name: inputs[name] for name in PARAMS}
    m = {name: np.zeros_like(value) for name, value in params.items()}
    v = dict(m)
    sums = {f"acc.{name}": np.zeros_like(params[name]) for name in PARAMS}
    grads = {name: 0.0 for name in PARAMS}
    for factor in (1.0, -2.0):
        batch = {"x": inputs["x"] * factor}
        results = p.run("accumulate", params | batch | sums)
        assert results.pop("loss") == p.run("loss", params | batch)["loss"]
        sums = results
        for name, value in gradients(p, params | batch).items():
            grads[name] += value / 2

    hyper = HYPERS | {"hyper.lr": 0.1, "hyper.step": 1.0, "hyper.clip": 0.5}
    results = p.run("update", params | sums | hyper | state_inputs(m, v))
    params, m, v, norm = adamw(params, m, v, grads, 0.1, 1, 0.5)
    expected = params | state_inputs(m, v) | {"grad_norm": norm}
    expected |= {name: np.zeros_like(value) for name, value in sums.items()}
    assert set(results) == set(expected)
    for name, value in expected.items():
        np.testing.assert_allclose(results[name], value, rtol=1e-12, err_msg=name)


def test_no_gradient_no_division_by_zero():
    p = program()
    hyper = HYPERS | {"hyper.lr": 0.1, "hyper.step": 1.0, "hyper.clip": 1.0}
    zeros = {name: np.zeros_like(value) for name, value in p.random_inputs("step").items()}
    inputs = zeros | hyper
    results = p.run("step", inputs)
    assert results["grad_norm"] == 0.0
    assert all(np.all(np.isfinite(value)) for value in results.values())
