# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--precision=bf16 against JAX in mixed precision, and what masters are to a run."""

import dataclasses
import json
import os
import shutil

import jax.numpy as jnp
import numpy as np
import pytest
from harness import (
    ALL_CUDA,
    BATCH,
    CUDA,
    OPTIMIZER,
    SEQ,
    Model,
    Program,
    decay_mask,
    relative_error,
)
from safetensors.numpy import load_file, save_file

from boost_mlir import models, testing
from boost_mlir.naming import named_leaves

BF16 = "--precision=bf16"
MESHES = ["1", "tp=2", "dp=2,tp=2"]
SAMPLES = 32
UNUSABLE = 6


@pytest.fixture(scope="module")
def mixed(model):
    """The losses of JAX in mixed precision, and the bound of each."""
    return mixed_reference(model("cola"))


def mixed_reference(source, optimizer=OPTIMIZER):
    loss, decay = models.make_loss(source.config), decay_mask(source.params)

    def train(trainer, seed=0):
        batches = testing.sequential_batches(source.tokens, BATCH, SEQ)
        return trainer.train(source.params, batches, seed).losses

    losses = np.array(train(testing.MixedTrainer(loss, optimizer, decay)))
    sampler = testing.MixedTrainer(loss, optimizer, decay, stochastic=True)
    samples = [train(sampler, seed) for seed in range(SAMPLES)]
    return losses, testing.mixed_loss_bounds(losses, samples)


def losses_of(compiled, *options, optimizer=OPTIMIZER):
    records, _ = compiled.train(*options, optimizer=optimizer)
    return np.array([record["loss"] for record in records])


def check_losses(compiled, mixed, optimizer=OPTIMIZER):
    losses, bounds = mixed
    error = np.abs(losses_of(compiled, optimizer=optimizer) - losses)
    assert np.all(error <= bounds), (error, bounds)
    assert np.all(bounds < 0.01 * losses), bounds


@pytest.mark.parametrize("mesh", MESHES)
def test_ten_steps_give_the_losses_of_jax(program, mixed, mesh):
    check_losses(program("cola", "tiny", mesh, BF16), mixed)


@pytest.mark.parametrize("mesh", MESHES if ALL_CUDA else ["tp=2"])
def test_so_do_those_of_a_gpu(program, mixed, mesh):
    """On the emulator, which adds bf16 as NCCL does. BOOST_CUDA_ALL=1: on every mesh."""
    check_losses(program("cola", "tiny", mesh, BF16, *CUDA), mixed)


@pytest.mark.skipif(
    not os.environ.get("BOOST_DEMO_SIZE"), reason="takes minutes: set BOOST_DEMO_SIZE=1"
)
def test_so_do_those_of_the_demo(tmp_path):
    """At a tenth of the rate: at the tiny model's the loss rises, and roundings grow with it."""
    source = Model(models.ModelConfig.of_size("demo", "cola"), tmp_path)
    optimizer = dataclasses.replace(OPTIMIZER, lr=OPTIMIZER.lr / 10, min_lr=OPTIMIZER.min_lr / 10)
    reference = mixed_reference(source, optimizer)
    for mesh in MESHES:
        check_losses(Program(source, mesh, BF16), reference, optimizer)


@pytest.mark.parametrize("mesh", ["dp=2", "dp=2,tp=2"])
def test_so_do_those_of_sharded_state(program, mixed, mesh):
    """Gradients of bf16 are scattered and parameters of bf16 gathered in several buckets."""
    check_losses(program("cola", "tiny", mesh, BF16, "--zero=1", "--bucket-bytes=20000"), mixed)


def test_another_update_leaves_the_bounds(program, mixed):
    """They are narrow enough to see another beta1."""
    losses, bounds = mixed
    wrong = losses_of(program("cola", "tiny", "1", BF16), "--beta1=0.8")
    assert np.any(np.abs(wrong - losses) > bounds), (wrong - losses, bounds)


def test_what_has_which_type(program):
    """Parameters, payloads and gradients are bf16; masters and moments f32."""
    compiled, count = program("cola", "tiny", "tp=2", BF16), 0
    for tensor in compiled.info["parameters"]["tensors"]:
        assert tensor["dtype"] == "bf16", tensor["name"]
        count += tensor["bytes_per_rank"] // 2
    memory = compiled.plan["memory"]
    wide = program("cola", "tiny", "tp=2").plan["memory"]
    # Tensors are aligned.
    assert memory["masters"] == pytest.approx(4 * count, rel=0.02)
    assert wide["masters"] == 0 and wide["optimizer"] == memory["optimizer"]
    assert memory["kept"] < 0.75 * wide["kept"]
    assert compiled.info["optimizer"]["master_weights"] is True
    assert program("cola", "tiny", "tp=2").info["optimizer"]["master_weights"] is False

    def sent(name, *options):
        plan = program("cola", "tiny", name, *options).plan
        forward = [c for c in plan["collectives"] if c["phase"] == "forward"]
        return sum(c["bytes"] * c["count"] for c in forward if c["function"] == "step")

    # Products travel in bf16, the statistics of norms in f32.
    assert 0.5 < sent("tp=2", BF16) / sent("tp=2") < 0.6


@pytest.mark.one_in(2, 1)
@pytest.mark.parametrize(
    "mesh, options", [("1", ()), ("dp=2,tp=2", ()), ("tp=2", ("--accumulate=2",))]
)
def test_mixed_programs_verify(program, mesh, options):
    compiled = program("cola", "tiny", mesh, BF16, "--verify", *options)
    result = compiled.launch("eval", "--inputs", compiled.model.inputs_file, "--verify", "--json")
    report = json.loads([line for line in result.stdout.splitlines() if line.startswith("{")][-1])
    assert report["verified"], report["first_error"]
    names = {tensor["name"] for tensor in report["tensors"]}
    assert {"master.embed", "embed", "grad.embed"} <= names


def start(compiled, directory, *options):
    """The tensors of the checkpoint after a step with a rate of zero, and what `--save` gives."""
    shutil.rmtree(directory, ignore_errors=True)
    saved = compiled.directory / "start.safetensors"
    compiled.launch(
        *("train", "--data", compiled.model.tokens_file, "--steps", 1, "--lr", 0, "--seed", 7),
        *("--checkpoint", directory, "--save", saved, *options),
    )
    return load_file(directory / "step-1" / "tensors.safetensors"), load_file(saved)


def check_masters(checkpoint, saved, expected):
    for name, value in expected.items():
        master = checkpoint[f"master.{name}"]
        assert master.dtype == np.float32 and np.array_equal(master, value), name
        copy = checkpoint[name]
        assert copy.dtype == jnp.bfloat16 and np.array_equal(copy, value.astype(copy.dtype)), name
        assert np.array_equal(saved[name], copy), name
    assert set(saved) == set(expected)


@pytest.mark.parametrize(
    "shape, mesh, options", [("tiny", "1", (BF16,)), ("bf16", "1", ()), ("tiny", "tp=2", (BF16,))]
)
def test_masters_start_as_their_parameters(program, tmp_path, shape, mesh, options):
    """By rule, and from a file of f32 exactly; from one of bf16 as it is there."""
    compiled = program("cola", shape, mesh, *options)
    wide = program("cola", "tiny", "1")
    wide.launch(
        *("train", "--data", wide.model.tokens_file, "--steps", 1, "--lr", 0, "--seed", 7),
        *("--save", tmp_path / "wide.safetensors"),
    )
    drawn = load_file(tmp_path / "wide.safetensors")
    check_masters(*start(compiled, tmp_path / "ck"), drawn)
    other = {name: np.asarray(leaf) for name, leaf in named_leaves(wide.model.params)}
    save_file(other, tmp_path / "f32.safetensors")
    given = start(compiled, tmp_path / "ck", "--init", tmp_path / "f32.safetensors")
    check_masters(*given, other)
    narrow = {name: value.astype(jnp.bfloat16) for name, value in other.items()}
    save_file(narrow, tmp_path / "bf16.safetensors")
    given = start(compiled, tmp_path / "ck", "--init", tmp_path / "bf16.safetensors")
    check_masters(*given, {name: value.astype(np.float32) for name, value in narrow.items()})


def tensors_after(directory, step):
    return load_file(directory / f"step-{step}" / "tensors.safetensors")


def test_a_run_is_resumed_exactly(program, tmp_path):
    compiled = program("cola", "tiny", "tp=2", BF16)
    checkpoints = ("--checkpoint", tmp_path, "--checkpoint-every", 4)
    _, expected = compiled.train(*checkpoints)
    last = tensors_after(tmp_path, 10)
    for later in (8, 10):
        shutil.rmtree(tmp_path / f"step-{later}")
    records, resumed = compiled.train(*checkpoints, "--resume")
    assert [record["step"] for record in records] == [5, 6, 7, 8, 9, 10]
    assert all(np.array_equal(expected[name], resumed[name]) for name in expected)
    again = tensors_after(tmp_path, 10)
    assert set(last) == set(again) and any(name.startswith("master.") for name in last)
    assert all(np.array_equal(last[name], again[name]) for name in last)


@pytest.mark.parametrize(
    "mesh, options", [("dp=2,tp=2", ()), ("1", ("--disable-pass", "boost-group-linears"))]
)
def test_masters_are_sharded_anew(program, tmp_path, mesh, options):
    """Another layout goes on from them, and ends where the first one does, within the
    rounding of ten steps in bf16."""
    first = program("cola", "tiny", "tp=2", BF16)
    other = program("cola", "tiny", mesh, BF16, *options)
    checkpoints = ("--checkpoint", tmp_path, "--checkpoint-every", 9)
    first.train(*checkpoints)
    before, expected = tensors_after(tmp_path, 9), tensors_after(tmp_path, 10)
    shutil.rmtree(tmp_path / "step-10")
    records, _ = other.train(*checkpoints, "--resume")
    assert [record["step"] for record in records] == [10]
    after = tensors_after(tmp_path, 10)
    assert set(after) == set(expected)
    for name in (name for name in after if name.startswith("master.")):
        moved = expected[name] - before[name]
        assert relative_error(after[name] - before[name], moved) < 0.2, name


def test_masters_are_part_of_what_a_run_is(program, tmp_path):
    compiled = program("cola", "bf16", "1")
    start(compiled, tmp_path)
    without = program("cola", "bf16", "1", "--master-weights=false")
    arguments = ("train", "--data", without.model.tokens_file, "--steps", 2, "--lr", 0, "--seed", 7)
    result = without.launch(*arguments, "--checkpoint", tmp_path, "--resume", check=False)
    assert result.returncode == UNUSABLE
    assert "--master-weights of boost-compile: was true, but is false" in result.stderr
    assert "--allow master-weights" in result.stderr
    result = program("cola", "tiny", "1").launch(
        *arguments, "--checkpoint", tmp_path, "--resume", "--allow", "program", check=False
    )
    assert result.returncode == UNUSABLE
    assert "the types of the tensors: was param bf16; state f32, but is param f32; state f32" in (
        result.stderr
    )


@pytest.mark.parametrize("shape", ["bf16", "f16"])
def test_small_updates_add_up_in_the_masters(program, model, tmp_path, shape):
    """Norm scales start at 1, where the rate is less than half a unit in the last place of
    bf16 and ten of them are more."""
    ends = {}
    for option in ("true", "false"):
        compiled = program("cola", shape, "1", f"--master-weights={option}")
        compiled.launch(
            *("train", "--data", compiled.model.tokens_file, "--steps", 10, "--lr", 1e-3),
            *("--min-lr", 1e-3, "--save", tmp_path / f"{option}.safetensors"),
        )
        ends[option] = load_file(tmp_path / f"{option}.safetensors")
    scale = next(name for name in ends["true"] if name.endswith("norm"))
    moved = {option: np.mean(end[scale].astype(np.float32) != 1) for option, end in ends.items()}
    assert moved["true"] > 0.5, moved
    if shape == "bf16":
        assert moved["false"] < 0.1, moved
