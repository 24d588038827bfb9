# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Starts the ranks of a program as torchrun does: by the variables that it sets, without MPI. All of
it takes place on the loopback interface. As a command it takes those options of torchrun that pages use."""

from __future__ import annotations

import argparse
import os
import signal
import socket
import subprocess
import sys
import time
import types
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
    """The processes of a run; `variables` are added to those of the launcher, by rank. What they print is
    kept for `wait`, unless `output` says where it goes."""

    def __init__(
        self, program, *arguments, size=None, port=None, ranks=None, variables=None, output=subprocess.PIPE
    ):
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
                stdout=output,
                stderr=output,
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

    def wait(self, only=None, seconds=WAIT_SECONDS) -> tuple[int, str, str]:
        """The exit code of the first rank that fails, or 0, and what all have printed. With `only`
        that of one rank, whatever the others do."""
        watched = [self.processes[only]] if only is not None else list(self.processes.values())
        deadline = time.monotonic() + seconds
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
            printed, errors = printed + (out or ""), errors + (error or "")
        codes = [process.returncode for process in watched]
        return failed.returncode if failed else max(codes), printed, errors


def launch(program, *arguments, **options) -> str:
    """Runs to the end; what is printed."""
    code, printed, errors = Ranks(program, *arguments, **options).wait()
    assert code == 0, errors
    return printed


def has_steps(log: Path) -> bool:
    return log.exists() and log.read_text().count("\n") > 2


REPORT = """\
E1125 08:48:00.306000 13522 torch/distributed/elastic/multiprocessing/api.py:986] failed (exitcode: {code}) \
local_rank: 0 (pid: 14204) of binary: {binary}
Traceback (most recent call last):
  File "/usr/bin/torchrun", line 8, in <module>
    sys.exit(main())
             ^^^^^^
torch.distributed.elastic.multiprocessing.errors.ChildFailedError: 
============================================================
{binary} FAILED
------------------------------------------------------------
Failures:
  <NO_OTHER_FAILURES>
============================================================"""


def torchrun() -> int:
    """As torchrun: starts the ranks, and all of them again after one has failed, up to --max-restarts times;
    hands SIGTERM on to them. Its exit code is 1 if theirs is not 0, and it reports the first that failed."""
    parser = argparse.ArgumentParser("torchrun")
    parser.add_argument("--nproc-per-node", type=int, required=True)
    parser.add_argument("--no-python", action="store_true", required=True)
    parser.add_argument("--standalone", action="store_true")
    parser.add_argument("--max-restarts", type=int, default=0)
    # With these torchrun refuses an option --log of the program, unless `--` stands before the program.
    parser.add_argument("--log-dir")
    parser.add_argument("--logs-specs")
    parser.add_argument("program")
    parser.add_argument("arguments", nargs=argparse.REMAINDER)
    options = parser.parse_args()
    program = types.SimpleNamespace(binary=options.program, ranks=options.nproc_per_node)
    port = free_port()
    for _ in range(options.max_restarts + 1):
        ranks = Ranks(program, *options.arguments, port=port, output=None)

        def hand_on(*_, ranks=ranks):
            for process in ranks.processes.values():
                process.terminate()

        signal.signal(signal.SIGTERM, hand_on)
        code = ranks.wait(seconds=3600)[0]
        if code == 0:
            return 0
    print(REPORT.format(code=code, binary=program.binary), file=sys.stderr)
    return 1


def write_torchrun(path: Path):
    """A command of that name."""
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\nexec '{sys.executable}' '{__file__}' \"$@\"\n")
    path.chmod(0o755)


if __name__ == "__main__":
    sys.exit(torchrun())
