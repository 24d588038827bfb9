# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A compiled program against JAX: its loss, its gradients, and ten steps of training."""

import pytest
from harness import OPTIMIZER, relative_error

LOSS_TOLERANCE = 1e-5
GRADIENT_TOLERANCE = 2e-5
TRAINING_TOLERANCE = 1e-4
PARAMETER_TOLERANCE = 1e-4


def check_loss_and_gradients(compiled):
    loss, gradients = compiled.model.reference
    outputs = compiled.evaluate()
    assert float(outputs["loss"]) == pytest.approx(loss, rel=LOSS_TOLERANCE)
    assert {name for name in outputs if name.startswith("grad.")} == {
        f"grad.{name}" for name in gradients
    }
    for name, expected in gradients.items():
        assert outputs[f"grad.{name}"].shape == expected.shape
        assert relative_error(outputs[f"grad.{name}"], expected) < GRADIENT_TOLERANCE, name


def check_training(compiled):
    expected = compiled.model.training
    records, saved = compiled.train()
    assert [record["loss"] for record in records] == pytest.approx(
        expected.losses, rel=TRAINING_TOLERANCE
    )
    assert [record["grad_norm"] for record in records] == pytest.approx(
        expected.gradient_norms, rel=TRAINING_TOLERANCE
    )
    rates = [OPTIMIZER.learning_rate(step) for step in range(1, OPTIMIZER.steps + 1)]
    assert [record["lr"] for record in records] == pytest.approx(rates, rel=1e-6)
    assert set(saved) == set(expected.params)
    for name, value in expected.params.items():
        assert relative_error(saved[name], value) < PARAMETER_TOLERANCE, name
