# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranks that wait in vain end the program, and a signal to mpirun ends it with a checkpoint."""

import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
from harness import environment

WAIT_SECONDS = 120


def ranks_of(launcher) -> list[int]:
    children = Path(f"/proc/{launcher.pid}/task/{launcher.pid}/children")
    return [int(pid) for pid in children.read_text().split()]


def wait_until(condition):
    deadline = time.monotonic() + WAIT_SECONDS
    while not condition():
        assert time.monotonic() < deadline, "the program did not start to train"
        time.sleep(0.1)


@pytest.fixture
def training(program, tmp_path):
    """`training(*options)`: a launcher whose ranks train without end, past their first step."""
    compiled, log, launchers = program("cola", "tiny", "tp=2"), tmp_path / "log.jsonl", []

    def start(*options):
        command = ["mpirun", "-np", "2", compiled.binary, "train", "--quiet"]
        command += ["--data", compiled.model.tokens_file, "--steps", "100000000", "--log", log]
        launcher = subprocess.Popen(
            [*map(str, command), *options],
            env=environment(),
            stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        launchers.append((launcher, []))
        wait_until(lambda: log.exists() and log.read_text().count("\n") > 1)
        launchers[-1][1].extend(ranks_of(launcher))
        return launchers[-1]

    yield start
    for launcher, ranks in launchers:
        if launcher.poll() is None:
            for pid in [*ranks, launcher.pid]:
                os.kill(pid, signal.SIGKILL)
            launcher.wait()


def test_a_stopped_rank_ends_the_program(training):
    launcher, ranks = training("--timeout", "2")
    os.kill(ranks[1], signal.SIGSTOP)
    errors = launcher.communicate(timeout=WAIT_SECONDS)[1]
    assert launcher.returncode == 5, errors
    assert re.search(
        r"error: rank 0 waited more than 2 s in \w+ over tp at site \d+ of step "
        r"\((forward|backward|optimizer), \w+, .+\): another rank is stuck or gone",
        errors,
    ), errors


def test_a_pause_shorter_than_the_limit_is_survived(training):
    launcher, ranks = training("--timeout", "600")
    os.kill(ranks[1], signal.SIGSTOP)
    time.sleep(3)
    os.kill(ranks[1], signal.SIGCONT)
    time.sleep(1)
    assert launcher.poll() is None


def test_a_signal_to_mpirun_leaves_a_checkpoint(training, tmp_path):
    """Of those that mpirun takes, SIGUSR1 is the one that it only passes on."""
    launcher, _ = training("--checkpoint", tmp_path / "checkpoints")
    launcher.send_signal(signal.SIGUSR1)
    errors = launcher.communicate(timeout=WAIT_SECONDS)[1]
    assert launcher.returncode == 75, errors
    assert len(list(tmp_path.glob("checkpoints/step-*/state.json"))) == 1
    assert "stopped by a signal after step" in errors
