# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranks that wait in vain end the program, and a signal to mpirun ends it with a checkpoint."""

import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
from harness import CUDA, environment

WAIT_SECONDS = 120


def children_of(pid) -> list[int]:
    try:
        return [int(c) for c in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def rank_of(pid) -> int | None:
    """Its rank, once the process runs the program."""
    try:
        entries = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return None
    ranks = [int(entry.split(b"=")[1]) for entry in entries if entry.startswith(b"PMIX_RANK=")]
    return ranks[0] if ranks else None


def find_error(printed) -> str:
    """The one error."""
    found = [line for line in printed.splitlines() if line.startswith("error: ")]
    assert len(found) == 1, printed
    return found[0]


def wait_until(condition, what):
    deadline = time.monotonic() + WAIT_SECONDS
    while not (value := condition()):
        assert time.monotonic() < deadline, f"waited in vain for {what}"
        time.sleep(0.002)
    return value


class Run:
    """A launcher, and the processes of its ranks."""

    def __init__(self, program, *arguments, codes=None):
        """With `codes`, a rank may die without an end of the others, and the exit code of each goes
        to the file of its number there: then the launcher does not pass it on."""
        self.binary, self.size = Path(program.binary).resolve(), program.ranks
        launch = ["mpirun", "-np", str(self.size), "--oversubscribe"]
        if codes:
            codes.mkdir()
            script = f'"$0" "$@"; echo $? > {codes}/$PMIX_RANK'
            launch += ["--enable-recovery", "sh", "-c", script]
        launch.append(str(self.binary))
        self.launcher = subprocess.Popen(
            [*launch, *map(str, arguments)],
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )

    def find_ranks(self) -> dict[int, int]:
        """The processes that run the program by now."""
        found = {}
        children = children_of(self.launcher.pid)
        for pid in [*children, *(child for pid in children for child in children_of(pid))]:
            try:
                if Path(f"/proc/{pid}/exe").resolve() == self.binary:
                    found[rank_of(pid)] = pid
            except OSError:
                pass
        return found

    def all_ranks(self) -> dict[int, int]:
        complete = lambda: len(ranks := self.find_ranks()) == self.size and ranks  # noqa: E731
        return wait_until(complete, "the ranks")

    def stop(self, rank):
        os.kill(self.all_ranks()[rank], signal.SIGSTOP)

    def end(self, code):
        """The one error that is printed; no process is left."""
        ranks = self.all_ranks().values()
        errors = self.launcher.communicate(timeout=WAIT_SECONDS)[1]
        assert self.launcher.returncode == code, errors
        wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in ranks), "their end")
        return find_error(errors)

    def kill(self):
        for pid in [*self.find_ranks().values(), self.launcher.pid]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.launcher.communicate()


@pytest.fixture
def start():
    """`start(program, *arguments)`: a Run that does not outlive the test."""
    runs = []

    def make(program, *arguments, **options):
        runs.append(Run(program, *arguments, **options))
        return runs[-1]

    yield make
    for run in runs:
        if run.launcher.poll() is None:
            run.kill()


@pytest.fixture
def training(start, program, tmp_path):
    """`training(mesh, *options)`: ranks that train without end, past their first step."""

    def run(mesh, *options, compiled_with=(), codes=None):
        compiled = program("cola", "tiny", mesh, *compiled_with)
        log = tmp_path / "log.jsonl"
        files = ("--data", compiled.model.tokens_file, "--log", log)
        arguments = ("train", "--quiet", "--steps", 10**8, *files, *options)
        run = start(compiled, *arguments, codes=codes)
        wait_until(lambda: log.exists() and log.read_text().count("\n") > 2, "a step")
        return run

    return run


def test_a_stopped_rank_ends_the_program(training):
    run = training("tp=2", "--timeout", "2")
    run.stop(1)
    assert re.fullmatch(
        r"error: rank 1 is stopped \(SIGSTOP\); rank 0 has waited more than 2 s in \w+ over tp at "
        r"site \d+ of step \((forward|backward|optimizer), \w+, .+\); if ranks only need longer, "
        r"raise --timeout",
        run.end(code=5),
    )


@pytest.mark.one_in(2)
@pytest.mark.parametrize("collectives", ["nccl", "staged"])
def test_a_stopped_rank_of_a_gpu_ends_the_program(training, monkeypatch, collectives):
    """The rank may be missing in NCCL, while the others wait for their GPUs, or on the host. The
    emulator computes a step while the rank waits for it: that is to end within the limit."""
    monkeypatch.setenv("BOOST_CUDA_COLLECTIVES", collectives)
    run = training("tp=2", "--timeout", "15", compiled_with=CUDA)
    run.stop(1)
    error = run.end(code=5)
    expected = "error: rank 1 is stopped (SIGSTOP); rank 0 has waited more than 15 s in"
    assert error.startswith(expected), error


@pytest.mark.one_in(2, 1)
@pytest.mark.parametrize("collectives", ["nccl", "staged"])
def test_a_dead_rank_of_a_gpu_ends_the_program(training, tmp_path, monkeypatch, collectives):
    """Where the launcher lets the others live, as one that has lost a node may."""
    monkeypatch.setenv("BOOST_CUDA_COLLECTIVES", collectives)
    codes = tmp_path / "codes"
    run = training("tp=2", "--timeout", "10", compiled_with=CUDA, codes=codes)
    os.kill(run.all_ranks()[1], signal.SIGKILL)
    error = find_error(run.launcher.communicate(timeout=WAIT_SECONDS)[1])
    expected = "error: rank 1 is missing: stopped, gone or out of reach; rank 0 has waited more than 10 s"
    assert error.startswith(expected), error
    assert (codes / "0").read_text() == "5\n"


def test_one_rank_names_the_one_that_three_wait_for(training):
    """Not those that wait, wherever each of them does and whoever came there first."""
    run = training("dp=2,tp=2", "--timeout", "2")
    run.stop(2)
    error = run.end(code=5)
    assert error.startswith("error: rank 2 is stopped (SIGSTOP); rank"), error
    places = error.split(";")[1]
    waiting = re.findall(r"ranks? ([\d, and-]+?) (?:has|have|in)\b", places)
    assert sorted(re.findall(r"\d+", " ".join(waiting))) == ["0", "1", "3"], error


@pytest.mark.parametrize("rank", [0, 1])
def test_a_rank_stopped_while_a_checkpoint_is_written(training, tmp_path, rank):
    folder = tmp_path / "checkpoints"
    run = training("tp=2", "--timeout", "2", "--checkpoint", folder, "--checkpoint-every", "1")
    process = run.all_ranks()[rank]
    wait_until(lambda: list(folder.glob(".step-*.tmp/*")), "a checkpoint")
    os.kill(process, signal.SIGSTOP)
    error = run.end(code=5)
    assert error.startswith(f"error: rank {rank} is stopped (SIGSTOP); rank {1 - rank} "), error


def test_a_rank_stopped_while_mpi_starts(start, program):
    compiled = program("cola", "tiny", "tp=2")
    run = start(compiled, "eval", "--inputs", compiled.model.inputs_file, "--timeout", "2")
    process = wait_until(lambda: run.find_ranks().get(1), "rank 1")
    os.kill(process, signal.SIGSTOP)
    error = run.end(code=5)
    assert error.startswith("error: rank 1 is stopped (SIGSTOP); rank 0 has waited "), error
    assert "in the start of MPI while starting" in error, error


def test_work_of_one_rank_that_gets_on_may_last(start, program):
    """Rank 0 alone evaluates the reference, for longer than the others may wait."""
    compiled = program("cola", "tiny", "tp=2", "--verify")
    arguments = ("eval", "--verify", "--inputs", compiled.model.inputs_file, "--timeout", "2")
    run = start(compiled, *arguments)
    evaluators = lambda: children_of(run.find_ranks().get(0))  # noqa: E731
    evaluator = wait_until(evaluators, "the evaluator")[0]
    os.kill(evaluator, signal.SIGSTOP)
    time.sleep(6)
    assert run.launcher.poll() is None
    os.kill(evaluator, signal.SIGCONT)
    errors = run.launcher.communicate(timeout=WAIT_SECONDS)[1]
    assert run.launcher.returncode == 0, errors


def test_a_pause_shorter_than_the_limit_is_survived(training):
    run = training("tp=2", "--timeout", "600")
    run.stop(1)
    time.sleep(3)
    os.kill(run.all_ranks()[1], signal.SIGCONT)
    time.sleep(1)
    assert run.launcher.poll() is None


def test_a_pause_of_all_ranks_is_survived(training, tmp_path):
    """As when a terminal suspends the run: no rank is missing to another."""
    run = training("tp=2", "--timeout", "2")
    for sent in (signal.SIGSTOP, signal.SIGCONT):
        for process in run.all_ranks().values():
            os.kill(process, sent)
        time.sleep(5)
    assert run.launcher.poll() is None


def test_a_signal_to_mpirun_leaves_a_checkpoint(training, tmp_path):
    """SIGUSR1 is the only signal that mpirun just passes on."""
    run = training("tp=2", "--checkpoint", tmp_path / "checkpoints")
    run.launcher.send_signal(signal.SIGUSR1)
    errors = run.launcher.communicate(timeout=WAIT_SECONDS)[1]
    assert run.launcher.returncode == 75, errors
    assert len(list(tmp_path.glob("checkpoints/step-*/state.json"))) == 1
    assert "stopped by a signal after step" in errors
