# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random programs through the whole compiler: the ranks of the binary against the
reference evaluator, tensor by tensor, within the bound that `--verify` derives.

The programs are those of `boost-prove --random`; BOOST_RANDOM_PROGRAMS and
BOOST_RANDOM_SEED choose how many and which (scripts/prove.sh sets them).
"""

import os
import re

import pytest
from harness import ALL_CUDA, CUDA, compiler, ranks_of, run, tool

COUNT = int(os.environ.get("BOOST_RANDOM_PROGRAMS", 25))
FIRST_SEED = int(os.environ.get("BOOST_RANDOM_SEED", 1))


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """A folder of the programs, each with the mesh in its first line."""
    folder = tmp_path_factory.mktemp("random")
    run(
        tool("boost-prove"),
        f"--random={COUNT}",
        f"--seed={FIRST_SEED}",
        f"--write-programs={folder}",
    )
    return folder


SEEDS = range(FIRST_SEED, FIRST_SEED + COUNT)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", SEEDS)
def test_binary_computes_what_the_program_says(programs, seed, tmp_path):
    check(programs, seed, tmp_path)


# For a GPU, on the emulator; BOOST_CUDA_ALL=1: all of them.
@pytest.mark.parametrize("seed", SEEDS if ALL_CUDA else SEEDS[:2])
def test_those_of_a_gpu_as_well(programs, seed, tmp_path):
    check(programs, seed, tmp_path, *CUDA)


def check(programs, seed, tmp_path, *target):
    program = programs / f"random-{seed}.mlir"
    # The first line says how the program is proven: its mesh and what is left out.
    line = program.read_text().partition("\n")[0]
    mesh = re.search(r"--mesh=(\S+)", line).group(1)
    switches = re.findall(r"--(?:disable-pass|remat)=\S+", line)
    inputs, binary = tmp_path / "inputs.safetensors", tmp_path / "train"
    run(
        tool("boost-eval"),
        program,
        "--function=main",
        f"--inputs=random:{seed}",
        f"--save-inputs={inputs}",
    )
    options = ("--placement=given", f"--mesh={mesh}", *switches, *target, "--verify")
    run(compiler(*options), program, "--allow-float-batch", *options, "-o", binary)
    ranks = ranks_of(mesh)
    launcher = ["mpirun", "-np", ranks, "--oversubscribe"] if ranks > 1 else []
    run(*launcher, binary, "eval", "--inputs", inputs, "--verify")
