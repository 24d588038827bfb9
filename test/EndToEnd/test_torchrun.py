# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranks that torchrun or a launcher like it starts, by RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT:
they talk over TCP and compute what they do under MPI. launcher.py stands in for torchrun, which comes
with PyTorch."""

import os
import signal
import socket
import subprocess
from pathlib import Path

import pytest
from harness import CUDA, environment
from launcher import WAIT_SECONDS, free_port, has_steps, launch, write_torchrun

USAGE, TIMED_OUT = 2, 5


def training(compiled, directory, *options, steps=3):
    """Arguments of a run, and the file that it saves."""
    directory.mkdir(exist_ok=True)
    arguments = ("train", "--data", compiled.model.tokens_file, "--lr", 1e-3, "--min-lr", 1e-3)
    arguments += ("--steps", steps, "--save", directory / "saved", *options)
    return arguments, directory / "saved"


def results(compiled, directory, launched):
    """Loss and gradients of a batch and the parameters after some steps, as bytes."""
    arguments, saved = training(compiled, directory)
    outputs = directory / "outputs"
    launched("eval", "--inputs", compiled.model.inputs_file, "--outputs", outputs, "--gradients")
    launched(*arguments)
    return outputs.read_bytes(), saved.read_bytes()


@pytest.mark.parametrize("mesh", ["tp=2", "dp=2,tp=2"])
def test_programs_compute_what_they_do_under_mpi(program, tmp_path, mesh):
    compiled = program("cola", "tiny", mesh)
    expected = results(compiled, tmp_path / "mpi", compiled.launch)
    assert results(compiled, tmp_path / "tcp", lambda *a: launch(compiled, *a)) == expected


@pytest.mark.one_in(2)
@pytest.mark.parametrize("collectives", ["nccl", "staged"])
def test_gpus_compute_what_they_do_under_mpi(program, tmp_path, monkeypatch, collectives):
    monkeypatch.setenv("BOOST_CUDA_COLLECTIVES", collectives)
    compiled = program("cola", "tiny", "tp=2", *CUDA)
    expected = results(compiled, tmp_path / "mpi", compiled.launch)
    assert results(compiled, tmp_path / "tcp", lambda *a: launch(compiled, *a)) == expected


def test_no_library_of_mpi_is_needed(program, tmp_path, without_mpi):
    compiled = program("cola", "tiny", "tp=2")
    arguments, saved = training(compiled, tmp_path, steps=1)
    launch(compiled, *arguments)
    assert saved.exists()


def test_a_run_goes_on_under_the_other_launcher(program, tmp_path):
    compiled = program("cola", "tiny", "dp=2,tp=2")
    arguments, saved = training(compiled, tmp_path / "alone", steps=4)
    compiled.launch(*arguments)
    folder = ("--checkpoint", tmp_path / "checkpoint")
    launch(compiled, *training(compiled, tmp_path / "first", *folder, steps=2)[0])
    arguments, continued = training(compiled, tmp_path / "second", *folder, "--resume", steps=4)
    compiled.launch(*arguments)
    assert continued.read_bytes() == saved.read_bytes()


def test_ranks_that_torchrun_starts_again_go_on(program, tmp_path):
    """After a rank was killed all of them are started again, at the same port, and continue with --resume."""
    compiled = program("cola", "tiny", "dp=2,tp=2")
    arguments, saved = training(compiled, tmp_path / "alone", steps=40)
    launch(compiled, *arguments)
    log = tmp_path / "log"
    folder = ("--checkpoint", tmp_path / "checkpoint", "--checkpoint-every", 1, "--resume", "--log", log)
    arguments, continued = training(compiled, tmp_path / "again", *folder, steps=40)
    write_torchrun(tmp_path / "bin" / "torchrun")
    words = (tmp_path / "bin/torchrun", "--nproc-per-node", 4, "--no-python", "--max-restarts", 1, "--")
    words = [str(word) for word in (*words, compiled.binary, *arguments)]
    run = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=environment())
    while not has_steps(log):
        assert run.poll() is None
    ranks = [process for process in children(run.pid) if executable(process) == str(compiled.binary)]
    os.kill(ranks[2], signal.SIGKILL)
    printed, _ = run.communicate(timeout=WAIT_SECONDS)
    assert run.returncode == 0 and "resumed after step" in printed
    assert continued.read_bytes() == saved.read_bytes()


def children(parent) -> list[int]:
    return [int(word) for word in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]


def executable(process) -> str:
    return os.readlink(f"/proc/{process}/exe")


@pytest.fixture
def endless(start_ranks, program, tmp_path):
    """`endless(mesh, *options)`: ranks that train without end, past their first step."""

    def run(mesh, *options):
        compiled, log = program("cola", "tiny", mesh), tmp_path / "log"
        arguments = ("--quiet", "--steps", 10**8, "--data", compiled.model.tokens_file, "--log", log)
        ranks = start_ranks(compiled, "train", *arguments, *options)
        while not has_steps(log):
            assert all(process.poll() is None for process in ranks.processes.values())
        return ranks

    return run


def only_error(errors) -> str:
    (line,) = [line for line in errors.splitlines() if line.startswith("error: ")]
    return line


def test_a_stopped_rank_is_named(endless):
    ranks = endless("dp=2,tp=2", "--timeout", "2")
    ranks.stop(2)
    code, _, errors = ranks.wait()
    assert code == TIMED_OUT
    assert only_error(errors).startswith("error: rank 2 is stopped (SIGSTOP); rank"), errors


def test_a_dead_rank_is_named_soon(endless):
    """Where the launcher lets the others live, and long before the limit: its connections are closed."""
    ranks = endless("tp=2", "--timeout", "600")
    ranks.processes[1].kill()
    code, _, errors = ranks.wait(only=0)
    assert code == TIMED_OUT
    expected = "error: rank 1 is missing: stopped, gone or out of reach; rank 0 has waited more than 15 s"
    assert only_error(errors).startswith(expected), errors


def test_a_rank_that_never_comes_is_named(start_ranks, program):
    compiled = program("cola", "tiny", "dp=2,tp=2")
    arguments = ("eval", "--inputs", compiled.model.inputs_file, "--timeout", "5")
    code, _, errors = start_ranks(compiled, *arguments, ranks=[0, 1]).wait()
    assert code == TIMED_OUT
    expected = "error: ranks 2 and 3 are missing: not come within 5 s to 127.0.0.1:"
    assert only_error(errors).startswith(expected), errors
    code, _, errors = start_ranks(compiled, *arguments, ranks=[1]).wait()
    assert code == TIMED_OUT
    expected = "error: rank 0 is missing: rank 1 could not reach it within 5 s at 127.0.0.1:"
    assert only_error(errors).startswith(expected), errors


ERRORS = {
    "a missing variable": (
        {"MASTER_ADDR": None, "MASTER_PORT": None},
        "the environment has RANK, WORLD_SIZE, but not MASTER_ADDR, MASTER_PORT; start the ranks by",
    ),
    "another number of ranks": (
        {"WORLD_SIZE": "3"},
        "for 2 ranks (mesh tp=2), but 3 were started; run `torchrun --nproc-per-node 2 --no-python ",
    ),
    "one rank": ({"WORLD_SIZE": "1"}, "but 1 was started"),
    "no port": ({"MASTER_PORT": "http"}, "MASTER_PORT expects a port from 1 to 65535, but is 'http'"),
    "the last port": ({"MASTER_PORT": "65535"}, "set BOOST_MASTER_PORT to a free port, on all ranks"),
    "a wrong port": ({"BOOST_MASTER_PORT": "0"}, "BOOST_MASTER_PORT expects a port from 1 to 65535, but is '0'"),
    "a rank below zero": ({"RANK": "-1"}, "RANK expects a rank from 0 to 1, but is '-1'"),
    "no rank": ({"RANK": "first"}, "RANK expects a rank from 0 to 1, but is 'first'"),
}


@pytest.mark.parametrize("variables,message", ERRORS.values(), ids=ERRORS)
def test_wrong_variables(start_ranks, program, variables, message):
    """On all ranks, but for those that each has of its own; one tells."""
    compiled = program("cola", "tiny", "tp=2")
    arguments = ("eval", "--inputs", compiled.model.inputs_file, "--timeout", "60")
    wrong = {1: variables} if "RANK" in variables else {0: variables, 1: variables}
    code, _, errors = start_ranks(compiled, *arguments, variables=wrong).wait()
    assert code == USAGE, errors
    assert message in only_error(errors), errors


def test_a_port_that_is_taken(start_ranks, program):
    compiled = program("cola", "tiny", "tp=2")
    arguments = ("eval", "--inputs", compiled.model.inputs_file, "--timeout", "20")
    port = free_port()
    with socket.socket() as other:
        other.bind(("127.0.0.1", port + 1))
        other.listen()
        code, _, errors = start_ranks(compiled, *arguments, port=port).wait()
        assert code == USAGE
        assert f"cannot listen at 127.0.0.1:{port + 1}, where the ranks meet: Address" in only_error(errors)
        # MASTER_PORT itself may be taken, as torchrun does.
        elsewhere = {"BOOST_MASTER_PORT": str(free_port())}
        options = dict(port=port + 1, variables={0: elsewhere, 1: elsewhere})
        assert start_ranks(compiled, *arguments, **options).wait()[0] == 0


def test_ranks_that_do_not_belong_together(start_ranks, program):
    compiled, other = program("cola", "tiny", "tp=2"), program("lax", "tiny", "tp=2")
    arguments = ("eval", "--inputs", compiled.model.inputs_file, "--timeout", "60")
    port = free_port()
    start_ranks(compiled, *arguments, ranks=[0], port=port)
    code, _, errors = start_ranks(other, *arguments, ranks=[1], port=port).wait()
    assert code == USAGE
    assert only_error(errors).startswith(f"error: cannot join the run at 127.0.0.1:{port + 1}: rank 1 runs another")
    four, port = program("cola", "tiny", "dp=2,tp=2"), free_port()
    run = start_ranks(four, *arguments, ranks=[0, 1], port=port)
    # Two processes claim the same rank, whichever comes second.
    run.processes[2] = start_ranks(four, *arguments, ranks=[1], port=port).processes[1]
    code, _, errors = run.wait()
    assert code == USAGE
    assert "two processes say that they are rank 1" in errors, errors
