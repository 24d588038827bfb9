# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""All ranks of a mesh together compute what one rank does, and what JAX does."""

import functools

import evaluation
import model_programs
import numpy as np
import pytest

IMPORT = ("--boost-import-pipeline", "--boost-raise-pipeline")
DIFFERENTIATE = (
    "--boost-decompose-bottleneck",
    "--boost-decompose-layer-norm",
    "--boost-decompose-rms-norm",
    "--canonicalize",
    "--cse",
    "--boost-differentiate",
)
STEP = "--boost-build-step"
OPTIMIZE = ("--boost-add-optimizer", STEP, "--boost-raise-adamw", "--canonicalize", "--cse")
ACCUMULATE = ("--boost-add-optimizer", f"{STEP}=accumulate=2", "--boost-raise-adamw", "--canonicalize", "--cse")
PARTITION = ("--boost-propagate-shardings", "--boost-partition", "--canonicalize", "--cse")

# The odd sizes divide by 2 but not by 4.
CASES = [
    (kind, size, mesh)
    for kind in ("full", "svd", "cola", "lax")
    for size, meshes in (("tiny", ("tp=2", "tp=4", "dp=2,tp=2")), ("odd", ("tp=2", "dp=2,tp=2")))
    for mesh in meshes
]
PLACEMENTS = [
    ("cola", "replicated", "dp=4"),
    ("cola", "replicated", "dp=2,tp=2"),
    ("full", "megatron", "dp=2,tp=2"),
    *(
        (kind, placement, mesh)
        for kind in ("svd", "cola", "lax")
        for placement, mesh in (
            ("vanilla", "tp=4"),
            ("megatron", "tp=2"),
            ("sequence", "dp=2,tp=2"),
            ("gathered", "tp=2"),
            ("vocabulary-embedding", "tp=2"),
            ("hidden-head", "dp=2,tp=2"),
        )
    ),
]


def partitioned(model, mesh, placement="bottleneck", optimize=OPTIMIZE):
    place = f"--boost-place=mesh={mesh} placement={placement}"
    return evaluation.load(model.text, *IMPORT, place, *DIFFERENTIATE, *optimize, *PARTITION)


def training_inputs(model):
    """Inputs of every function: random states beside the model's parameters and batch."""
    random = np.random.default_rng(5)
    numbers = {"lr": 1e-2, "step": 3.0, "clip": 0.1}
    numbers |= {"beta1": 0.9, "beta2": 0.95, "eps": 1e-8, "weight_decay": 0.1}
    inputs = dict(model.inputs) | {f"hyper.{name}": value for name, value in numbers.items()}
    for name, value in model.inputs.items():
        if name not in ("tokens", "targets"):
            for state in ("adamw.m", "adamw.v", "acc"):
                inputs[f"{state}.{name}"] = 1e-2 * random.random(value.shape)
    return inputs


def assert_close(actual, expected, bound):
    assert set(actual) == set(expected)
    for name, value in expected.items():
        error = np.linalg.norm(actual[name] - value)
        assert error <= bound * max(np.linalg.norm(value), 1e-3), f"{name}: {error}"


@functools.cache
def reference(kind, size="tiny", **overrides):
    """A model, inputs of its step, and what JAX and the whole program make of them."""
    overrides |= model_programs.ODD if size == "odd" else {}
    model = model_programs.make_model(kind, **overrides)
    program = evaluation.load(model.text, *IMPORT, *DIFFERENTIATE, *OPTIMIZE)
    inputs = training_inputs(model)
    loss, gradients = model.value_and_grad()
    gradient = {"loss": loss} | {f"grad.{name}": value for name, value in gradients.items()}
    return model, inputs, gradient, program.run("step", inputs)


def check(mesh, placement, *which, **overrides):
    model, inputs, gradient, step = reference(*which, **overrides)
    program = partitioned(model, mesh, placement)
    loss = program.run("loss", inputs)["loss"]
    np.testing.assert_allclose(loss, gradient["loss"], rtol=1e-12)
    assert_close(program.run("gradient", inputs), gradient, 1e-10)
    assert_close(program.run("step", inputs), step, 1e-10)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind, size, mesh", CASES)
def test_partitioned_training_step(kind, size, mesh):
    check(mesh, "megatron" if kind == "full" else "bottleneck", kind, size)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind, placement, mesh", PLACEMENTS)
def test_other_placements(kind, placement, mesh):
    check(mesh, placement, kind)


def test_tied_embedding():
    check("tp=2", "bottleneck", "cola", tied=True)


def test_accumulation():
    model, inputs = reference("svd")[:2]
    whole = evaluation.load(model.text, *IMPORT, *DIFFERENTIATE, *ACCUMULATE)
    program = partitioned(model, "dp=2,tp=2", optimize=ACCUMULATE)
    for name in ("accumulate", "update"):
        assert_close(program.run(name, inputs), whole.run(name, inputs), 1e-10)


def test_scanned_layers():
    check("dp=2,tp=2", "bottleneck", "cola", scan=True)


@pytest.mark.parametrize("kind", ["svd", "cola", "lax"])
@pytest.mark.parametrize("mesh, replicas", [("tp=2", 1), ("tp=4", 1), ("dp=2,tp=2", 2)])
def test_block_sends_seven_latents_and_two_norms(kind, mesh, replicas):
    model = reference(kind)[0]
    payload = partitioned(model, mesh).payload("step")
    tokens = model_programs.BATCH * model_programs.SEQ // replicas
    elements = model.config.layers * tokens * (7 * model.config.rank + 2)
    in_blocks = {key: count for key, count in payload.items() if key[2] == "block"}
    assert in_blocks == {
        ("all_reduce", "forward", "block", ("tp",)): elements,
        ("all_reduce", "backward", "block", ("tp",)): elements,
    }
