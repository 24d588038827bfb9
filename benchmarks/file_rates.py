# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the share of the disk's speed, or of that of the memory behind it, at which checkpoints
are saved and loaded.

A compiled program of one rank saves a checkpoint and is resumed from it; in turn with that, as many
bytes are written and synced, and read into new memory, by system calls and nothing else. Prints
the line of a table in Markdown:

    PYTHONPATH=python .venv/bin/python benchmarks/file_rates.py PROGRAM TOKENS --folder DIRECTORY
"""

import argparse
import json
import mmap
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile
import time

PART = 16 << 20


def train(program, *options):
    """The summary of a run, and the seconds of processors that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [program, "train", "--steps", "1", "--quiet", "--json", *options]
    result = subprocess.run(command, check=True, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processors = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return json.loads(result.stdout.splitlines()[-1])["checkpoints"], processors


def write_plainly(size, path):
    """Seconds to write so many bytes of memory and to sync them."""
    block = os.urandom(PART)
    start = time.monotonic()
    with open(path, "wb", buffering=0) as file:
        for begin in range(0, size, PART):
            file.write(block[: min(PART, size - begin)])
        os.fsync(file.fileno())
    elapsed = time.monotonic() - start
    path.unlink()
    return elapsed


def read_plainly(path):
    """Seconds of processors to read a file that the page cache has into new memory."""
    before = resource.getrusage(resource.RUSAGE_SELF)
    size, begin = path.stat().st_size, 0
    with open(path, "rb", buffering=0) as file, mmap.mmap(-1, size) as memory, memoryview(memory) as target:
        while begin < size:
            begin += file.readinto(target[begin : begin + PART])
    after = resource.getrusage(resource.RUSAGE_SELF)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(program, tokens, folder):
    common = ("--data", tokens, "--checkpoint", folder / "checkpoints")
    saving, _ = train(program, *common)
    file = folder / "checkpoints" / "step-1" / "tensors.safetensors"
    size = file.stat().st_size
    written = write_plainly(size, folder / "plain")
    _, loading = train(program, *common, "--resume")
    return size / 1e6, saving["seconds"], written, loading, read_plainly(file)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("tokens", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--folder", help="on the disk that is measured; default: the system's own")
    arguments = parser.parse_args()
    rows = []
    for _ in range(arguments.rounds):
        with tempfile.TemporaryDirectory(dir=arguments.folder) as directory:
            rows.append(measure(arguments.program, arguments.tokens, pathlib.Path(directory)))
    size, saved, written, loaded, read = (statistics.median(column) for column in zip(*rows))
    print(
        f"| {size:.0f} | {saved:.2f} | {written:.2f} | {written / saved:.2f} "
        f"| {loaded:.2f} | {read:.2f} | {read / loaded:.2f} |"
    )


if __name__ == "__main__":
    main()
