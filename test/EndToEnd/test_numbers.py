# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loss, gradients and training of compiled programs equal JAX's, on every mesh."""

import numpy as np
import pytest
from harness import OPTIMIZER, relative_error

from boost_mlir import models

LOSS_TOLERANCE = 1e-5
GRADIENT_TOLERANCE = 2e-5
TRAINING_TOLERANCE = 1e-4
PARAMETER_TOLERANCE = 1e-4

MESHES = {
    "tiny": ["1", "tp=2", "tp=4", "dp=2,tp=2"],
    "odd": ["1", "tp=2", "dp=2,tp=2"],
}
CASES = [
    (kind, shape, mesh)
    for kind in models.KINDS
    for shape, meshes in MESHES.items()
    for mesh in meshes
]
FORMS = [
    ("cola", "scan", "tp=2"),
    ("lax", "scan", "1"),
    ("cola", "tied", "1"),
    ("cola", "tied", "tp=2"),
]
every_case = pytest.mark.parametrize("kind, shape, mesh", CASES + FORMS)


@every_case
def test_loss_and_gradients_are_those_of_jax(program, kind, shape, mesh):
    compiled = program(kind, shape, mesh)
    loss, gradients = compiled.model.reference
    outputs = compiled.evaluate()
    assert float(outputs["loss"]) == pytest.approx(loss, rel=LOSS_TOLERANCE)
    assert {name for name in outputs if name.startswith("grad.")} == {
        f"grad.{name}" for name in gradients
    }
    for name, expected in gradients.items():
        assert outputs[f"grad.{name}"].shape == expected.shape
        assert relative_error(outputs[f"grad.{name}"], expected) < GRADIENT_TOLERANCE, name


@every_case
def test_ten_steps_give_the_losses_of_jax(program, kind, shape, mesh):
    compiled = program(kind, shape, mesh)
    expected = compiled.model.training
    records, saved = compiled.train()
    assert [record["loss"] for record in records] == pytest.approx(
        expected.losses, rel=TRAINING_TOLERANCE
    )
    assert [record["grad_norm"] for record in records] == pytest.approx(
        expected.gradient_norms, rel=1e-3
    )
    rates = [OPTIMIZER.learning_rate(step) for step in range(1, OPTIMIZER.steps + 1)]
    assert [record["lr"] for record in records] == pytest.approx(rates, rel=1e-6)
    assert set(saved) == set(expected.params)
    for name, value in expected.params.items():
        assert relative_error(saved[name], value) < PARAMETER_TOLERANCE, name


@pytest.mark.parametrize("mesh", ["dp=2", "dp=4"])
def test_replicated_placement_is_data_parallelism(program, mesh):
    compiled = program("cola", "tiny", mesh, "--placement=replicated")
    loss, gradients = compiled.model.reference
    outputs = compiled.evaluate()
    assert float(outputs["loss"]) == pytest.approx(loss, rel=LOSS_TOLERANCE)
    for name, expected in gradients.items():
        assert relative_error(outputs[f"grad.{name}"], expected) < GRADIENT_TOLERANCE, name
    records, _ = compiled.train()
    losses = [record["loss"] for record in records]
    assert losses == pytest.approx(compiled.model.training.losses, rel=TRAINING_TOLERANCE)


def test_every_layout_starts_from_the_same_values(program, tmp_path):
    """Without --init the values come from the seed and the names alone."""
    seen = []
    for mesh in ("1", "tp=2", "dp=2,tp=2"):
        compiled = program("cola", "tiny", mesh)
        saved = tmp_path / f"{mesh}.safetensors"
        arguments = (
            "train",
            "--data",
            compiled.model.tokens_file,
            "--steps",
            0,
            "--seed",
            7,
            "--save",
            saved,
        )
        compiled.launch(*arguments)
        seen.append(saved.read_bytes())
    assert seen[0] == seen[1] == seen[2]


def test_the_same_seed_gives_the_same_bytes(program):
    compiled = program("cola", "tiny", "tp=2")
    (first, params), (second, same) = compiled.train(), compiled.train()
    assert [record["loss"] for record in first] == [record["loss"] for record in second]
    assert all(np.array_equal(params[name], same[name]) for name in params)
