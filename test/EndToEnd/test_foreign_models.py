# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that were not written for this compiler: they are recognized, partitioned, and right."""

import functools
import re

import jax
import numpy as np
import pytest
from checks import PARAMETER_TOLERANCE, TRAINING_TOLERANCE
from foreign_models import MESHES, PROGRAMS
from harness import (
    ALL_CUDA,
    ALL_CASES,
    ALL_PIPELINES,
    CUDA,
    OPTIMIZER,
    compiler,
    own_loss_error,
    ranks_of,
    relative_error,
    run,
    tool,
)
from safetensors.numpy import load_file

import boost_mlir
from boost_mlir import data, testing
from boost_mlir.export import export
from boost_mlir.naming import named_leaves

LOSS_TOLERANCE = 1e-5
GRADIENT_TOLERANCE = 2e-5
RAISED = re.compile(
    r"boost\.(?:linear|bottleneck|layer_norm|rms_norm|attention|embedding|cross_entropy)\b"
)


class Case:
    """A program as files, with what JAX makes of it."""

    def __init__(self, name, directory):
        self.program = PROGRAMS[name]()
        self.text = directory / f"{name}.mlir"
        self.inputs = directory / f"{name}.safetensors"
        program, batch = self.program, self.program.batch.values()
        self.text.write_text(export(program.loss, program.params, *batch))
        boost_mlir.save(self.inputs, program.params, program.batch)
        oracle = program.oracle or program.loss
        self.loss, self.gradients = testing.value_and_grad(oracle, program.params, *batch)
        self.tolerance = 2 * self.own_error() if program.bf16 else GRADIENT_TOLERANCE
        self.loss_tolerance = (
            2 * own_loss_error(program.loss, oracle, program.params, tuple(batch))
            if program.bf16
            else LOSS_TOLERANCE
        )

    @property
    def tokens(self):
        """Tokens of the vocabulary to train with."""
        most = int(max(part.max() for part in self.program.batch.values()))
        return np.random.default_rng(6).integers(0, most + 1, 1000, dtype=np.int32)

    @functools.cached_property
    def training(self):
        batches = testing.sequential_batches(self.tokens, *self.program.batch["tokens"].shape)
        return testing.train(self.program.loss, self.program.params, OPTIMIZER, batches, decay=False)

    def own_error(self):
        """The worst relative error of a gradient of JAX's own program, roundings and all."""
        program = self.program
        own = jax.grad(program.loss)(program.params, *program.batch.values())
        return max(relative_error(leaf, self.gradients[name]) for name, leaf in named_leaves(own))


@pytest.fixture(scope="module")
def case(tmp_path_factory):
    directory, cache = tmp_path_factory.mktemp("foreign"), {}

    def make(name):
        if name not in cache:
            cache[name] = Case(name, directory)
        return cache[name]

    return make


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_spelled_out_is_recognized(case, name):
    passes = ("--boost-import-pipeline", "--boost-raise-pipeline")
    raised = run(tool("boost-opt"), case(name).text, *passes).stdout
    assert set(RAISED.findall(raised)) == case(name).program.raised


def total_norm(gradients):
    return np.linalg.norm([np.linalg.norm(gradient) for gradient in gradients.values()])


def meshes_of(name):
    """What is right on several ranks is right on one; BOOST_ALL_CASES=1 takes that as well."""
    several = tuple(mesh for mesh in MESHES[name] if mesh != "1")
    return MESHES[name] if ALL_CASES else several or MESHES[name]


CASES = [(name, mesh) for name in PROGRAMS for mesh in meshes_of(name)]
USUAL_CUDA = [("t5", "1"), ("palm", "tp=2"), ("attention_over_steps", "dp=2")]
ALL_OF_CUDA = sorted({*CASES, *((name, "dp=2") for name in PROGRAMS)})


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name, mesh", CASES)
def test_loss_and_gradients_are_those_of_jax(case, tmp_path, name, mesh):
    check_loss_and_gradients(case(name), tmp_path, mesh)


# A term of the loss from every layer, layers of two kinds, a bias that all layers share, two of
# libraries; all of them with BOOST_ALL_PIPELINES.
PIPELINES = ["llama_scan", "every_other_layer", "t5", "linen_gpt", "equinox_gpt"]


@pytest.mark.parametrize("name", PROGRAMS if ALL_PIPELINES else PIPELINES)
def test_those_of_a_pipeline_as_well(case, tmp_path, name):
    check_loss_and_gradients(case(name), tmp_path, "pp=2")


STAGES = [
    (name, mesh, schedule)
    for name in PIPELINES
    for mesh in ("pp=2", "pp=2,tp=2", "dp=2,pp=2", "dp=2,pp=2,tp=2")
    for schedule in ("gpipe", "1f1b", "zb-h1")
]


@pytest.mark.parametrize("name, mesh, schedule", STAGES if ALL_PIPELINES else STAGES[-1:])
def test_stages_train_as_jax_does(case, tmp_path, name, mesh, schedule):
    """Ten steps. One loss has a term that is no mean over sequences and cannot be split."""
    model, binary = case(name), tmp_path / "program"
    micro_batches = 1 if name == "llama_scan" else 2
    options = ("--pipeline-schedule", schedule, "--micro-batches", micro_batches)
    check_loss_and_gradients(model, tmp_path, mesh, *options)
    expected = model.training
    tokens, log, saved = (tmp_path / file for file in ("tokens", "log", "saved"))
    data.write_tokens(tokens, model.tokens)
    o = OPTIMIZER
    run(
        *("mpirun", "--oversubscribe", "-np", ranks_of(mesh), binary, "train", "--data", tokens),
        *("--init", model.inputs, "--log", log, "--save", saved, "--seed", 0, "--weight-decay", 0),
        *("--steps", o.steps, "--lr", o.lr, "--min-lr", o.min_lr, "--warmup", o.warmup, "--clip", o.clip),
    )
    losses = [record["loss"] for record in boost_mlir.read_log(log)]
    assert losses == pytest.approx(expected.losses, rel=TRAINING_TOLERANCE)
    parameters = load_file(saved)
    assert set(parameters) == set(expected.params)
    total = total_norm(model.gradients)
    for leaf, value in expected.params.items():
        # AdamW makes steps of full length of gradients that are zero but for rounding.
        if np.linalg.norm(model.gradients[leaf]) > 1e-12 * total:
            assert relative_error(parameters[leaf], value) < PARAMETER_TOLERANCE, leaf


# For a GPU, on the emulator; BOOST_CUDA_ALL=1: all of them.
@pytest.mark.parametrize("name, mesh", ALL_OF_CUDA if ALL_CUDA else USUAL_CUDA)
def test_those_of_a_gpu_as_well(case, tmp_path, name, mesh):
    check_loss_and_gradients(case(name), tmp_path, mesh, *CUDA)


def check_loss_and_gradients(model, folder, mesh, *options):
    binary, outputs = folder / "program", folder / "out.safetensors"
    run(compiler(*options), model.text, "--mesh", mesh, "--allow-float-batch", *options, "-o", binary)
    launcher = ["mpirun", "--oversubscribe", "-np", ranks_of(mesh)] if ranks_of(mesh) > 1 else []
    run(*launcher, binary, "eval", "--inputs", model.inputs, "--outputs", outputs, "--gradients")

    results = load_file(outputs)
    assert float(results["loss"]) == pytest.approx(model.loss, rel=model.loss_tolerance)
    total = total_norm(model.gradients)
    for leaf, expected in model.gradients.items():
        actual = results[f"grad.{leaf}"]
        if np.linalg.norm(expected) < 1e-12 * total:
            # Zero, as of a bias of keys, which a softmax does not see: rounding is all there is.
            assert np.linalg.norm(actual) < 1e-6 * total, leaf
        else:
            assert relative_error(actual, expected) < model.tolerance, leaf
