# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Finding the tools of a build or of a wheel, and running commands as a notebook sees them."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
from pathlib import Path


# Where scripts/wheel.sh packs the compiler, its tools and the runtimes.
_NATIVE = Path(__file__).resolve().parent / "native"

# Reports of Open MPI and torchrun that a rank failed, without the rank's message. torchrun notes
# more as well.
_LAUNCHER_REPORT = re.compile(
    r"^-{20,}\n(?:Primary job|mpirun detected|mpirun noticed).*?^-{20,}\n"
    r"|^Traceback [^\n]*\n(?: [^\n]*\n)+torch\.distributed\.\S*ChildFailedError: \n={20,}\n.*?^={20,}\n"
    r"|^[IWE]\d{4} [\d:.]+ \d+ torch/[^\n]*\n",
    re.DOTALL | re.MULTILINE,
)
# The first rank that failed, as torchrun reports it; its own exit code is 1.
_RANK_FAILURE = re.compile(r"^E\d{4} .* failed \(exitcode: (-?\d+)\) local_rank: ", re.MULTILINE)


class ToolError(RuntimeError):
    """A command failed. Its message is that of the command.

    command:   the words that were run.
    exit_code: that of the command, or of the rank of torchrun that failed first; negative if a signal
               ended it; None if it did not start.
    output:    what it wrote to standard output.
    messages:  what it wrote to standard error, with the report of the launcher.
    """

    def __init__(self, text, command=(), exit_code=None, output="", messages=""):
        super().__init__(text)
        self.command, self.exit_code = list(command), exit_code
        self.output, self.messages = output, messages


def find_tool(name: str, error: type[ToolError]) -> Path:
    """A tool of the build in BOOST_BUILD_DIR if that is set, else of the wheel, else on PATH.

    Raises `error` if it is not there."""
    if build := os.environ.get("BOOST_BUILD_DIR"):
        path = Path(build) / "bin" / name
        if path.exists():
            return path
        raise error(
            f"{path} is missing; build the project there, or set BOOST_BUILD_DIR to a folder with a build"
        )
    if (path := _NATIVE / "bin" / name).exists():
        return path
    if found := shutil.which(name):
        return Path(found)
    raise error(
        f"'{name}' is not on PATH; add the folder bin of a build to PATH, or set BOOST_BUILD_DIR to the build"
    )


def main() -> None:
    """The commands of a wheel that are tools: becomes the tool of the command's name."""
    try:
        tool = find_tool(Path(sys.argv[0]).name, ToolError)
    except ToolError as reason:
        sys.exit(f"error: {reason}")
    os.execv(tool, [str(tool), *sys.argv[1:]])


def run_command(
    command, error: type[ToolError], show_output=lambda line: True, hold_messages=False
) -> str:
    """Runs a command to its end, and returns what it wrote to standard output.

    What it writes is shown as it comes, through `sys.stdout` and `sys.stderr`, which a notebook
    shows: lines of standard output that `show_output` takes, and all of standard error; with
    `hold_messages` that comes at the end, or as the message of the error alone. Raises `error` if
    it cannot start, or if its exit code is not 0."""
    command = [str(word) for word in command]
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
        )
    except OSError as reason:
        raise error(
            f"cannot run '{command[0]}': {reason.strerror}; is it installed, and on PATH?", command
        ) from reason
    output, messages = [], []
    reader = threading.Thread(
        target=_forward, args=(process.stderr, sys.stderr, messages, lambda line: not hold_messages)
    )
    reader.start()
    with process:
        try:
            _forward(process.stdout, sys.stdout, output, show_output)
            code = process.wait()
        finally:
            # An interrupt ends the command too.
            process.terminate()
            reader.join()
    written, said = "".join(output), "".join(messages)
    if code:
        if failure := _RANK_FAILURE.search(said):
            code = int(failure[1])
        text = _LAUNCHER_REPORT.sub("", said).strip() or "there was no message"
        raise error(
            f"exit code {code} of {shlex.join(command)}\n{text}", command, code, written, said
        )
    if hold_messages:
        sys.stderr.write(said)
    return written


def _forward(pipe, stream, lines, shown):
    for line in pipe:
        lines.append(line)
        if shown(line):
            stream.write(line)
            stream.flush()
