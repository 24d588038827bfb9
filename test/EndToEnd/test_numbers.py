# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loss, gradients and training of compiled programs equal JAX's, on every mesh."""

import shutil

import numpy as np
import pytest
from checks import (
    GRADIENT_TOLERANCE,
    LOSS_TOLERANCE,
    PARAMETER_TOLERANCE,
    TRAINING_TOLERANCE,
    check_loss_and_gradients,
    check_training,
)
from harness import ALL_CASES, BATCH, OPTIMIZER, SEQ, decay_mask, relative_error
from safetensors.numpy import load_file

from boost_mlir import models, testing
from boost_mlir.naming import named_leaves

MESHES = {
    "tiny": ["1", "tp=2", "tp=4", "dp=2,tp=2"],
    "odd": ["1", "tp=2", "dp=2,tp=2"],
}
# Every model on every mesh, in one of the two shapes by turns; BOOST_ALL_CASES=1 takes both.
CASES = [
    (kind, shape, mesh)
    for i, kind in enumerate(models.KINDS)
    for j, mesh in enumerate(MESHES["tiny"])
    for k, (shape, meshes) in enumerate(MESHES.items())
    if mesh in meshes and (mesh not in MESHES["odd"] or (i + j + k) % 2 == 0 or ALL_CASES)
]
FORMS = [
    ("cola", "scan", "tp=2"),
    ("lax", "scan", "1"),
    ("cola", "tied", "1"),
    ("cola", "tied", "tp=2"),
]
every_case = pytest.mark.parametrize("kind, shape, mesh", CASES + FORMS)


def without(*passes):
    return [f"--disable-pass={name}" for name in passes]


@pytest.mark.one_in(2, 1)
@every_case
def test_loss_and_gradients_are_those_of_jax(program, kind, shape, mesh):
    check_loss_and_gradients(program(kind, shape, mesh))


@pytest.mark.one_in(4)
@every_case
def test_ten_steps_give_the_losses_of_jax(program, kind, shape, mesh):
    check_training(program(kind, shape, mesh))


@pytest.mark.one_in(4, 1)
@pytest.mark.parametrize("mesh", ["1", "tp=2"])
@pytest.mark.parametrize("kind", models.KINDS)
def test_bf16_is_as_exact_as_jax_in_bf16(program, kind, mesh):
    """The bounds are twice the errors of JAX's own bf16 program against f64."""
    compiled = program(kind, "bf16", mesh)
    loss, gradients = compiled.model.reference
    loss_bound, gradient_bound = compiled.model.own_precision_errors
    outputs = compiled.evaluate()
    assert float(outputs["loss"]) == pytest.approx(loss, rel=2 * loss_bound)
    for name, expected in gradients.items():
        assert relative_error(outputs[f"grad.{name}"], expected) < 2 * gradient_bound, name


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
    layouts = [("1",), ("tp=2",), ("dp=2,tp=2",), ("tp=2", *without("boost-group-linears"))]
    for layout in layouts:
        compiled = program("cola", "tiny", *layout)
        saved = tmp_path / "start.safetensors"
        # A step with a rate of zero leaves the parameters as they are.
        compiled.launch(
            *("train", "--data", compiled.model.tokens_file, "--steps", 1, "--lr", 0),
            *("--seed", 7, "--save", saved),
        )
        values = load_file(saved)
        seen.append({name: values[name].tobytes() for name in sorted(values)})
    assert all(values == seen[0] for values in seen)


def test_checkpoints_hold_what_users_know(program, tmp_path):
    """A program that packs parameters is continued by one that does not."""
    packed = program("cola", "tiny", "tp=2")
    plain = program("cola", "tiny", "tp=2", *without("boost-group-linears"))
    checkpoints = ("--checkpoint", tmp_path, "--checkpoint-every", 4)
    packed.train(*checkpoints)
    for later in (8, 10):
        shutil.rmtree(tmp_path / f"step-{later}")
    records, saved = plain.train(*checkpoints, "--resume")
    assert [record["step"] for record in records] == [5, 6, 7, 8, 9, 10]
    for name, value in packed.model.training.params.items():
        assert relative_error(saved[name], value) < PARAMETER_TOLERANCE, name


def test_initial_values_follow_the_exported_distributions(program, tmp_path):
    compiled = program("cola", "tiny", "tp=2")
    saved = tmp_path / "start.safetensors"
    compiled.launch(
        *("train", "--data", compiled.model.tokens_file, "--steps", 1, "--lr", 0, "--save", saved)
    )
    values = load_file(saved)
    for name, spec in named_leaves(models.init_specs(compiled.model.config)):
        if spec == "ones":
            assert np.all(values[name] == 1), name
        else:
            std = float(spec.split(":")[1])
            # Four standard errors of a standard deviation over n values.
            bound = 4 / np.sqrt(2 * values[name].size)
            assert np.std(values[name]) == pytest.approx(std, rel=bound), name
            assert abs(np.mean(values[name])) < 4 * std / np.sqrt(values[name].size), name


def test_the_same_seed_gives_the_same_bytes(program):
    compiled = program("cola", "tiny", "tp=2")
    (first, params), (second, same) = compiled.train(), compiled.train()
    assert [record["loss"] for record in first] == [record["loss"] for record in second]
    assert all(np.array_equal(params[name], same[name]) for name in params)


def test_a_resumed_run_ends_where_an_uninterrupted_one_ends(program, tmp_path):
    compiled = program("cola", "tiny", "tp=2")
    _, expected = compiled.train()
    checkpoints = ("--checkpoint", tmp_path, "--checkpoint-every", 4)
    compiled.train(*checkpoints)
    for later in (8, 10):
        shutil.rmtree(tmp_path / f"step-{later}")
    records, resumed = compiled.train(*checkpoints, "--resume")
    assert [record["step"] for record in records] == [5, 6, 7, 8, 9, 10]
    assert all(np.array_equal(expected[name], resumed[name]) for name in expected)


@pytest.mark.parametrize("mesh", ["1", "dp=2,tp=2"])
def test_gradient_accumulation_averages_over_the_micro_batches(program, mesh):
    compiled = program("cola", "tiny", mesh, "--accumulate=2")
    model = compiled.model

    def merged(batches):
        while True:
            pair = [next(batches), next(batches)]
            yield tuple(np.concatenate(parts) for parts in zip(*pair))

    batches = merged(testing.sequential_batches(model.tokens, BATCH, SEQ))
    loss, decay = models.make_loss(model.config), decay_mask(model.params)
    expected = testing.train(loss, model.params, OPTIMIZER, batches, decay)
    records, _ = compiled.train()
    losses = [record["loss"] for record in records]
    assert losses == pytest.approx(expected.losses, rel=TRAINING_TOLERANCE)
