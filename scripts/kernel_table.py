#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists the kernels of programs for GPUs: their form, how they are launched, and what they move.

    scripts/kernel_table.py BUILD_DIRECTORY NAME=RUNTIME.mlir...

A file is what boost-compile --target=cuda --emit=runtime writes. Prints a table in Markdown for
each: the page docs/benchmarks/GPUKernels.md has those of the four models.
"""

import math
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HEADER = """\
| kernel | form | blocks | threads | reads | writes | MB | bytes of a thread | launches |
|---|---|---|---|---|---|---|---|---|
"""
FUNCTION = re.compile(
    r"gpu\.func @(\w+)\((.*?)\)(?: workgroup\(.*?\))? kernel attributes \{(.*?)\} \{\n(.*?)gpu\.return", re.S
)
ARGUMENT = re.compile(r"memref<((?:\d+x)*)(\w+)(?:, strided<\[(.*?)\].*?>)?>[^%]*")
BYTES = {"i1": 1, "i8": 1, "bf16": 2, "f16": 2, "i16": 2, "f32": 4, "i32": 4, "f64": 8, "i64": 8, "ui32": 4}


@dataclass
class Buffer:
    shape: list
    strides: list
    element: str
    is_read_only: bool
    is_aligned: bool

    @property
    def elements(self):
        return math.prod(self.shape)

    @property
    def bytes(self):
        return self.elements * BYTES[self.element]

    @property
    def row(self):
        """Elements that lie side by side; none in a buffer of one."""
        return next((size for size, stride in zip(self.shape, self.strides) if stride == 1), 0)

    @property
    def has_wide_rows(self):
        """Returns True if rows are multiples of 16 bytes, at addresses that are known to be aligned
        to them."""
        distances = [self.row, *(stride for stride in self.strides if stride != 1)]
        return self.is_aligned and all(each * BYTES[self.element] % 16 == 0 for each in distances)

    def __str__(self):
        return "x".join([*map(str, self.shape), self.element])


@dataclass
class Kernel:
    name: str
    form: str
    blocks: int
    threads: int
    buffers: list
    body: str
    launches: int = 0

    @property
    def bytes(self):
        return sum(buffer.bytes for buffer in self.buffers)

    @property
    def bytes_of_a_thread(self):
        """Returns the bytes moved per thread: a kernel with few threads and many bytes for each is
        slow."""
        return self.bytes // (self.blocks * self.threads)


def read_kernels(tool, runtime):
    """The kernels of a program at the runtime level, in its order."""
    text = subprocess.run(
        [tool, "-", "--convert-kernels-to-gpu", "--mlir-print-local-scope"],
        input=runtime,
        text=True,
        capture_output=True,
        check=True,
    ).stdout
    kernels = []
    for name, arguments, attributes, body in FUNCTION.findall(text):
        described = re.search(rf"llvm\.mlir\.global internal constant @{name}\(\).*?\n  \}}", text, re.S)
        _, threads, _ = re.findall(r"llvm\.mlir\.constant\((\d+) : i64\)", described[0])
        buffers = [read_buffer(match) for match in ARGUMENT.finditer(arguments)]
        blocks = re.search(r"known_grid_size = array<i32: (\d+)", attributes)[1]
        form = re.search(r'form = "(\w+)"', attributes)[1]
        launches = len(re.findall(rf"boostrt\.launch @{name}\[", step_of(runtime)))
        kernels.append(Kernel(name, form, int(blocks), int(threads), buffers, body, launches))
    return kernels


def read_buffer(match):
    shape = [int(size) for size in match[1].split("x")[:-1]]
    strides = [math.prod(shape[dim + 1 :]) for dim in range(len(shape))]
    if match[3]:
        strides = [int(stride) for stride in match[3].split(",")]
    return Buffer(shape, strides, match[2], "llvm.readonly" in match[0], "llvm.align = 16" in match[0])


def step_of(runtime):
    """The function that trains."""
    start = runtime.index("func.func @step(")
    return runtime[start : runtime.index("\n  }", start)]


def row(kernel):
    reads = ", ".join(str(b) for b in kernel.buffers if b.is_read_only)
    writes = ", ".join(str(b) for b in kernel.buffers if not b.is_read_only)
    cells = [kernel.name, kernel.form, f"{kernel.blocks:,}", kernel.threads, reads, writes]
    cells += [f"{kernel.bytes / 1e6:.2f}", f"{kernel.bytes_of_a_thread:,}", kernel.launches]
    return "| " + " | ".join(str(cell) for cell in cells) + " |\n"


def table(kernels):
    """The kernels of the step, those that move the most first."""
    used = [kernel for kernel in kernels if kernel.launches]
    used.sort(key=lambda kernel: (-kernel.bytes, kernel.form, row(kernel)))
    return HEADER + "".join(map(row, used))


def main(build, *files):
    for name, file in (each.split("=", 1) for each in files):
        kernels = read_kernels(Path(build) / "bin" / "boost-opt", Path(file).read_text())
        print(f"## {name}\n\n{table(kernels)}")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
