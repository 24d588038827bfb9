# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs see the arena through mappings alone, and MPI only where they need it.

A StagedDevice (test/unit/Runtime) is a CPU whose mappings are copies and whose arena the host
cannot touch, as on devices with memory of their own."""

import json

import harness
import pytest
from harness import build_directory, run
from program_file import replace_runtime

import boost_mlir

REFUSED = 3


class StagedProgram(harness.Program):
    """The program of `compiled` on a StagedDevice: the same code in another runtime."""

    def __init__(self, compiled, directory):
        self.model, self.mesh, self.ranks = compiled.model, compiled.mesh, compiled.ranks
        self.directory, self.binary = directory, directory / "train"
        replace_runtime(compiled.binary, build_directory() / "lib" / "boost-runtime-staged", self.binary)
        assert b"StagedDevice" in self.binary.read_bytes()


@pytest.fixture(scope="module", params=[("tiny", "tp=2"), ("scan", "1"), ("odd", "dp=2,tp=2")])
def pair(request, program, tmp_path_factory):
    shape, mesh = request.param
    compiled = program("cola", shape, mesh, "--verify")
    return compiled, StagedProgram(compiled, tmp_path_factory.mktemp("staged"))


def results(compiled, directory):
    """Losses, gradients, checkpoints and parameters of a run that stops and goes on, as bytes."""
    directory.mkdir()
    outputs, saved, log = (directory / name for name in ("outputs", "saved", "log"))
    compiled.launch(
        *("eval", "--inputs", compiled.model.inputs_file, "--outputs", outputs, "--gradients")
    )
    arguments = ("train", "--data", compiled.model.tokens_file, "--lr", 1e-3, "--log", log)
    arguments += ("--checkpoint", directory / "checkpoint", "--save", saved)
    compiled.launch(*arguments, "--steps", 3)
    compiled.launch(*arguments, "--steps", 5, "--resume")
    tensors = sorted(directory.glob("checkpoint/*/tensors.safetensors"))
    assert len(tensors) == 2
    losses = [record["loss"] for record in boost_mlir.read_log(log)]
    assert len(losses) == 5
    return losses, [path.read_bytes() for path in (outputs, saved, *tensors)]


def test_results_do_not_depend_on_how_the_arena_is_mapped(pair, tmp_path):
    compiled, staged = pair
    assert results(compiled, tmp_path / "cpu") == results(staged, tmp_path / "staged")


def test_verification_maps_what_it_compares(pair):
    _, staged = pair
    result = staged.launch("eval", "--inputs", staged.model.inputs_file, "--verify", "--json")
    report = json.loads([line for line in result.stdout.splitlines() if line.startswith("{")][-1])
    assert report["verified"], report["first_error"]


@pytest.mark.parametrize("mesh", ["1", "tp=2"])
def test_programs_do_not_link_mpi(program, mesh):
    libraries = run("ldd", program("cola", "tiny", mesh).binary).stdout
    assert "libopenblas" in libraries
    assert "libmpi" not in libraries and "libopen-rte" not in libraries


def test_one_rank_needs_no_mpi(program, without_mpi):
    compiled = program("cola", "tiny", "1")
    compiled.launch("eval", "--inputs", compiled.model.inputs_file)


def test_mpi_that_cannot_be_loaded_is_named(program, without_mpi):
    compiled = program("cola", "tiny", "tp=2")
    result = run(compiled.binary, "eval", "--inputs", compiled.model.inputs_file, check=False)
    assert result.returncode == REFUSED
    assert "this program needs 2 ranks, which talk through MPI" in result.stderr
    assert without_mpi in result.stderr and "install the MPI library" in result.stderr
    assert "start the ranks by torchrun" in result.stderr
    # Commands that need no other rank still work.
    assert json.loads(run(compiled.binary, "info").stdout)["mesh"]
