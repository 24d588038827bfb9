# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whatever is switched on or off, a program computes what JAX computes.

There are four rewrites, four forms of recomputation, four models and four meshes: 1024
combinations. The ordinary run takes 16, an orthogonal array: every combination of the rewrites
is among them, and of any two of the other choices, every pair. BOOST_ALL_SWITCHES=1 takes all.
The step of each is also compared by the reference evaluator with that of the plain pipeline.
"""

import hashlib
import itertools
import os
import shutil

import pytest
from checks import check_loss_and_gradients, check_training
from harness import BATCH, Program, run, tool
from safetensors.numpy import load_file

from boost_mlir import models
from boost_mlir.export import export_model

SMALL = {"d": 16, "layers": 2, "heads": 4, "d_ff": 24, "vocab": 16}
REWRITES = (
    "boost-group-linears",
    "boost-online-rms-norm",
    "boost-simplify-collectives",
    "boost-merge-collectives",
)
RECOMPUTATIONS = (
    "--disable-pass=boost-rematerialize",
    "--remat=none",
    "--remat=low-rank",
    "--remat=full-block",
)
MESHES = ("1", "tp=2", "tp=4", "dp=2,tp=2")


def times(a, b):
    """The product in the field of four elements, of which addition is `^`."""
    return (a + b - 2) % 3 + 1 if a and b else 0


def case(kind, mesh, recomputation, left_out):
    """Returns the case of these numbers; the bits of `left_out` select rewrites."""
    off = (name for bit, name in enumerate(REWRITES) if left_out >> bit & 1)
    options = [*(f"--disable-pass={name}" for name in off), RECOMPUTATIONS[recomputation]]
    return models.KINDS[kind], MESHES[mesh], options


def orthogonal_array():
    """Lines of the plane over that field: any two of its directions make a pair once."""
    return [
        case(i, j, i ^ j, (i ^ times(2, j)) << 2 | (i ^ times(3, j)))
        for i, j in itertools.product(range(4), repeat=2)
    ]


def all_cases():
    return [case(*choice) for choice in itertools.product(range(4), range(4), range(4), range(16))]


CASES = all_cases() if os.environ.get("BOOST_ALL_SWITCHES") else orthogonal_array()


def choices_of(kind, mesh, options):
    """The value of every choice of a case."""
    chosen = {name: f"--disable-pass={name}" in options for name in REWRITES}
    return chosen | {"model": kind, "mesh": mesh, "recomputation": options[-1]}


def test_the_ordinary_run_has_every_pair_of_choices():
    everything = [choices_of(*case) for case in all_cases()]
    ordinary = [choices_of(*case) for case in orthogonal_array()]
    for first, second in itertools.combinations(everything[0], 2):
        pairs = {(row[first], row[second]) for row in everything}
        assert {(row[first], row[second]) for row in ordinary} == pairs
    assert len({tuple(row[name] for name in REWRITES) for row in ordinary}) == 16


@pytest.fixture(scope="module")
def small_step(tmp_path_factory):
    """`small_step(kind, mesh, options)`: the IR of one rank of a model small enough to evaluate."""
    directory, made = tmp_path_factory.mktemp("steps"), {}

    def make(kind, mesh, options):
        source = directory / f"{kind}.mlir"
        if not source.exists():
            config = models.ModelConfig.of_size("tiny", kind, **SMALL)
            source.write_text(export_model(config, BATCH, seq=4))
        key = (kind, mesh, *options)
        if key not in made:
            made[key] = directory / f"{len(made)}.spmd.mlir"
            command = (source, "--mesh", mesh, *options, "--emit=spmd", "-o", made[key])
            run(tool("boost-compile"), *command)
        return made[key]

    return make


@pytest.mark.one_in(4)
@pytest.mark.parametrize("kind, mesh, options", CASES)
def test_the_step_is_that_of_the_plain_pipeline(small_step, kind, mesh, options):
    """All results of a step, in f64, within 1e-12."""
    plain = small_step(*case(models.KINDS.index(kind), MESHES.index(mesh), 0, left_out=0b1111))
    step = small_step(kind, mesh, options)
    run(tool("boost-eval"), "--compare", "--function=step", plain, step)


@pytest.fixture(scope="module")
def proven():
    """Programs, as one rank's IR, that have passed."""
    return set()


@pytest.fixture(scope="module")
def starts():
    """Initial parameters by kind of model, as bytes."""
    return {}


def initial_values(compiled):
    """The parameters before the first step: one step with a rate of zero leaves them."""
    saved = compiled.directory / "start.safetensors"
    compiled.launch(
        *("train", "--data", compiled.model.tokens_file, "--steps", 1, "--lr", 0),
        *("--seed", 7, "--save", saved),
    )
    return {name: value.tobytes() for name, value in load_file(saved).items()}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind, mesh, options", CASES)
def test_switches_do_not_change_values(model, proven, starts, tmp_path, kind, mesh, options):
    """Loss, gradients and ten steps are those of JAX; initial values the same bytes."""
    source, spmd = model(kind).text_file, tmp_path / "spmd.mlir"
    run(tool("boost-compile"), source, "--mesh", mesh, *options, "--emit=spmd", "-o", spmd)
    digest = hashlib.sha256(kind.encode() + spmd.read_bytes()).digest()
    if digest in proven:
        return
    compiled = Program(model(kind), mesh, *options)
    check_loss_and_gradients(compiled)
    check_training(compiled)
    start = initial_values(compiled)
    assert starts.setdefault(kind, start) == start
    proven.add(digest)
    shutil.rmtree(compiled.directory)
