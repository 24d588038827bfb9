# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program that brings its update along: SGD with momentum, written by hand (sgd.mlir)."""

import json
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from checks import PARAMETER_TOLERANCE, TRAINING_TOLERANCE
from harness import CUDA, compiler, ranks_of, relative_error, run, tool
from safetensors.numpy import load_file

import boost_mlir
from boost_mlir import data, testing
from boost_mlir.export import export

UPDATE = (Path(__file__).parent / "sgd.mlir").read_text()
VOCABULARY, WIDTH, RANK, BATCH, SEQ, STEPS, RATE = 32, 16, 4, 4, 8, 6, 0.5
RANDOM = np.random.default_rng(11)
PARAMS = {
    "embed": RANDOM.standard_normal((VOCABULARY, WIDTH), np.float32) / 4,
    **{f"down{i}": RANDOM.standard_normal((WIDTH, RANK), np.float32) / 4 for i in (1, 2)},
    **{f"up{i}": RANDOM.standard_normal((RANK, WIDTH), np.float32) / 2 for i in (1, 2)},
}
TOKENS = RANDOM.integers(0, VOCABULARY, 400, dtype=np.int32)


def loss(params, tokens, targets):
    """Two bottlenecks that read one input, which are packed, and a tied head."""
    x = params["embed"][tokens]
    y = sum(jax.nn.silu(x @ params[f"down{i}"]) @ params[f"up{i}"] for i in (1, 2))
    logits = (x + y) @ params["embed"].T
    return jnp.mean(optax.softmax_cross_entropy_with_integer_labels(logits, targets))


def sgd_of_optax(momentum, accumulate=1):
    """The losses, and the parameters after each step, in f64."""
    optimizer = optax.sgd(RATE, momentum=momentum)
    batches = testing.sequential_batches(TOKENS, BATCH * accumulate, SEQ)
    with jax.enable_x64(True):
        params = jax.tree.map(lambda leaf: jnp.asarray(leaf, jnp.float64), PARAMS)
        state, losses, ends = optimizer.init(params), [], []
        for _, batch in zip(range(STEPS), batches):
            value, gradients = jax.value_and_grad(loss)(params, *batch)
            updates, state = optimizer.update(gradients, state, params)
            params = optax.apply_updates(params, updates)
            losses.append(float(value))
            ends.append({name: np.asarray(leaf) for name, leaf in params.items()})
        return losses, ends


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The module, tokens, and a batch with its parameters."""
    folder = tmp_path_factory.mktemp("sgd")
    batch = np.zeros((BATCH, SEQ), np.int32)
    text = str(export(loss, PARAMS, tokens=batch, targets=batch))
    end = text.rindex("}")
    (folder / "model.mlir").write_text(text[:end] + UPDATE + text[end:])
    data.write_tokens(folder / "tokens.bin", TOKENS)
    boost_mlir.save(folder / "start.safetensors", PARAMS)
    tokens, targets = next(testing.sequential_batches(TOKENS, BATCH, SEQ))
    boost_mlir.save(folder / "inputs.safetensors", PARAMS | {"tokens": tokens, "targets": targets})
    return folder


def compile_program(folder, mesh, *options):
    name = "-".join([mesh, *options]).replace("=", "").replace(",", "-")
    binary = folder / name
    if not binary.exists():
        run(compiler(*options), folder / "model.mlir", "--mesh", mesh, *options, "-o", binary)
    return binary


def launch(binary, mesh, *arguments, check=True):
    ranks = ranks_of(mesh)
    prefix = ["mpirun", "-np", ranks, "--oversubscribe"] if ranks > 1 else []
    return run(*prefix, binary, *arguments, check=check)


def train(folder, binary, mesh, *options):
    return launch(
        *(binary, mesh, "train", "--data", folder / "tokens.bin", "--steps", STEPS),
        *("--init", folder / "start.safetensors", "--lr", RATE, "--min-lr", RATE, *options),
    )


@pytest.mark.parametrize(
    "mesh, options",
    [
        ("1", ()),
        ("tp=2", ()),
        ("dp=2", ("--zero=1",)),
        ("dp=2", ("--zero=1", "--accumulate=2")),
        ("tp=2", CUDA),
    ],
    ids=["one", "tp", "zero", "accumulate", "cuda"],
)
def test_trains_as_sgd_of_optax(folder, tmp_path, mesh, options):
    binary = compile_program(folder, mesh, *options)
    log, saved = tmp_path / "log.jsonl", tmp_path / "end.safetensors"
    train(folder, binary, mesh, "--momentum", 0.75, "--log", log, "--save", saved)
    losses, ends = sgd_of_optax(0.75, accumulate=2 if "--accumulate=2" in options else 1)
    records = boost_mlir.read_log(log)
    assert [record["loss"] for record in records] == pytest.approx(losses, rel=TRAINING_TOLERANCE)
    for name, value in load_file(saved).items():
        assert relative_error(value, ends[-1][name]) < PARAMETER_TOLERANCE, name
    assert json.loads(log.read_text().splitlines()[0])["config"]["momentum"] == 0.75


def test_help_lists_the_hyper_parameters_of_the_program(folder):
    said = run(compile_program(folder, "1"), "train", "--help").stdout
    assert "--momentum" in said and "Share of the last step that is taken again" in said
    assert "default 0.9" in said
    assert "--beta1" not in said and "--weight-decay" not in said


def test_a_value_that_the_option_does_not_take_is_refused(folder):
    binary = compile_program(folder, "1")
    arguments = ("train", "--data", folder / "tokens.bin", "--steps", 1, "--momentum", 1)
    said = run(binary, *arguments, check=False)
    assert said.returncode == 2 and "--momentum: expects a number in [0, 1)" in said.stderr


@pytest.mark.parametrize("mesh", ["1", "tp=2"])
def test_goes_on_from_a_checkpoint(folder, tmp_path, mesh):
    """With the default of the program; another momentum is another run."""
    binary = compile_program(folder, mesh)
    options = ("--checkpoint", tmp_path / "run")
    launch(
        *(binary, mesh, "train", "--data", folder / "tokens.bin", "--steps", 3, "--lr", RATE),
        *("--min-lr", RATE, "--init", folder / "start.safetensors", *options),
    )
    other = launch(
        *(binary, mesh, "train", "--data", folder / "tokens.bin", "--steps", STEPS, "--lr", RATE),
        *("--min-lr", RATE, *options, "--resume", "--momentum", 0.5),
        check=False,
    )
    assert other.returncode == 6 and "--momentum: was 0.9, but is 0.5" in other.stderr
    saved = tmp_path / "end.safetensors"
    train(folder, binary, mesh, *options, "--resume", "--save", saved)
    _, ends = sgd_of_optax(0.9)
    for name, value in load_file(saved).items():
        assert relative_error(value, ends[-1][name]) < PARAMETER_TOLERANCE, name


@pytest.mark.parametrize(
    "mesh, options", [("1", ()), ("dp=2", ("--zero=1", "--accumulate=2")), ("tp=2", CUDA)]
)
def test_verifies(folder, mesh, options):
    binary = compile_program(folder, mesh, "--verify", *options)
    said = launch(binary, mesh, "eval", "--inputs", folder / "inputs.safetensors", "--verify", "--json")
    report = json.loads(said.stdout)
    assert report["input_sets"] == 2 and report["verified"]


@pytest.mark.parametrize("options", [(), ("--accumulate=2", "--zero=1")], ids=["step", "accumulate"])
def test_passes_keep_its_values(folder, options):
    said = run(tool("boost-prove"), folder / "model.mlir", "--mesh=dp=2,tp=2", *options).stdout
    assert " 0 mismatches, 0 refused" in said, said
