# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Time and memory of the compiler grow with the program, not with its square.

Nothing is asserted about seconds: CPU time and memory of a program are compared with those of one
a quarter of its size, less what the compiler takes for the smallest. Linear is 4, quadratic 16.
`benchmarks/compile_time.py --shapes` measures more, and larger ones.
"""

import re
import sys

import pytest
from harness import REPOSITORY, run, tool

sys.path.insert(0, str(REPOSITORY / "benchmarks"))
import shapes  # noqa: E402

# An exponent of 1.5.
MOST_GROWTH = 8


def write(path, shape, size):
    path.write_text(shapes.SHAPES[shape](size))
    return path


# A process starts with the peak memory of the one that it is a copy of, which has to be small.
MEASURE = """
import os, sys
pid = os.fork()
if not pid:
    os.execv(sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(pid, 0)
assert status == 0
print(usage.ru_utime, usage.ru_maxrss)
"""


def compile_shape(directory, shape, size):
    """CPU seconds and peak bytes of the compiler, from text to plan."""
    model = write(directory / f"{shape}-{size}.mlir", shape, size)
    command = [tool("boost-compile"), model, "--emit=plan", "-o", directory / "plan.json"]
    usage = run(sys.executable, "-S", "-c", MEASURE, *command).stdout.split()
    return float(usage[0]), int(usage[1]) * 1024


@pytest.mark.parametrize(
    "shape, size",
    [
        ("chain", 500),
        ("tree", 1000),
        ("deep-tree", 500),
        ("fan-out", 500),
        ("join", 900),
        ("arguments", 1500),
    ],
)
def test_growth(tmp_path, shape, size):
    least = compile_shape(tmp_path, shape, 20)
    small = compile_shape(tmp_path, shape, size)
    large = compile_shape(tmp_path, shape, 4 * size)
    for what, base, a, b in zip(("CPU time", "memory"), least, small, large):
        growth = (b - base) / max(a - base, 0.02 * base)
        assert growth < MOST_GROWTH, f"{what} of {shape}: {a} for {size}, {b} for {4 * size}"


@pytest.mark.parametrize("shape", ["chain", "mixed-chain", "tree", "fan-out"])
def test_kernels_are_of_bounded_size(tmp_path, shape):
    model = write(tmp_path / "model.mlir", shape, 600)
    runtime = run(tool("boost-compile"), model, "--emit=runtime", "-o", "-").stdout
    bodies = re.findall(r"linalg\.generic \{.*?linalg\.yield", runtime, re.DOTALL)
    assert bodies and max(body.count(" = ") for body in bodies) < 80
    kernels = re.findall(r"func\.func private @kernel_\d+\((.*)\)", runtime)
    assert kernels and max(kernel.count("memref") for kernel in kernels) <= 12


@pytest.mark.parametrize("shape", ["chain", "select-chain", "deep-tree", "fan-out"])
def test_values_of_split_kernels(tmp_path, shape):
    """Every tensor of the step against the reference evaluator, within the derived bound."""
    model = write(tmp_path / "model.mlir", shape, 240)
    inputs, binary = tmp_path / "inputs.safetensors", tmp_path / "train"
    arguments = ["--function=main", "--inputs=random:1", f"--save-inputs={inputs}"]
    run(tool("boost-eval"), model, *arguments)
    run(tool("boost-compile"), model, "--verify", "-o", binary)
    run(binary, "eval", "--inputs", inputs, "--verify")
