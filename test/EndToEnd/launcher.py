# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Starts the ranks of a program as torchrun does: by the variables that it sets, without MPI. All of
it takes place on the loopback interface."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
from pathlib import Path

from harness import environment

WAIT_SECONDS = 120


def free_port() -> int:
    """A port that is free with the one after it, where the ranks meet."""
    while True:
        with socket.socket() as first, socket.socket() as second:
            first.bind(("127.0.0.1", 0))
            port = first.getsockname()[1]
            try:
                second.bind(("127.0.0.1", port + 1))
            except (OSError, OverflowError):
                continue
            return port


class Ranks:
    """The processes of a run; `variables` are added to those of the launcher, by rank."""

    def __init__(self, program, *arguments, size=None, port=None, ranks=None, variables=None):
        self.size = size or program.ranks
        common = {
            "WORLD_SIZE": str(self.size),
            "LOCAL_WORLD_SIZE": str(self.size),
            "MASTER_ADDR": "127.0.0.1",
            "MASTER_PORT": str(port or free_port()),
        }
        self.processes = {}
        for rank in range(self.size) if ranks is None else ranks:
            own = {"RANK": str(rank), "LOCAL_RANK": str(rank)} | (variables or {}).get(rank, {})
            merged = environment() | common | own
            self.processes[rank] = subprocess.Popen(
                [str(program.binary), *map(str, arguments)],
                env={name: value for name, value in merged.items() if value is not None},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )

    def stop(self, rank):
        os.kill(self.processes[rank].pid, signal.SIGSTOP)

    def end(self):
        """Once a rank fails, ends the others as torchrun does."""
        for process in self.processes.values():
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.kill()
        for process in self.processes.values():
            process.communicate()

    def wait(self, only=None) -> tuple[int, str, str]:
        """The exit code of the first rank that fails, or 0, and what all have printed. With `only`
        that of one rank, whatever the others do."""
        watched = [self.processes[only]] if only is not None else list(self.processes.values())
        deadline = time.monotonic() + WAIT_SECONDS
        failed = None
        while failed is None and any(process.poll() is None for process in watched):
            assert time.monotonic() < deadline, "the ranks do not end"
            time.sleep(0.02)
            failed = next((p for p in watched if p.poll() not in (None, 0)), None)
        printed, errors = "", ""
        for process in self.processes.values():
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.kill()
            out, error = process.communicate()
            printed, errors = printed + out, errors + error
        codes = [process.returncode for process in watched]
        return failed.returncode if failed else max(codes), printed, errors


def launch(program, *arguments, **options) -> str:
    """Runs to the end; what is printed."""
    code, printed, errors = Ranks(program, *arguments, **options).wait()
    assert code == 0, errors
    return printed


def has_steps(log: Path) -> bool:
    return log.exists() and log.read_text().count("\n") > 2
