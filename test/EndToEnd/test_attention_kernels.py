# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Machine code of the runtime's kernels of attention: tensor cores and asynchronous copies of 16
bytes in the loops over tiles, nothing in local memory, and no atomic additions. What the kernels
compute, test/unit/CUDARuntime runs under emulation."""

import re
import shutil
import sysconfig
from pathlib import Path

import pytest
from harness import build_directory, run

TYPES = {"bf16": "HMMA.16816.F32.BF16", "f16": "HMMA.16816.F32"}
# Products that a step of each kernel computes with its tile.
PRODUCTS = {"forward": 2, "backward_queries": 3, "backward_keys": 4}
# The columns that kernels are made for, and the rows of a step, forward and backward.
STEPS = {32: (64, 64), 64: (64, 64), 96: (64, 32), 128: (64, 32)}


def disassembler():
    """nvdisasm of PyPI, which scripts/setup.sh installs, or of a CUDA toolkit."""
    installed = sorted(Path(sysconfig.get_path("purelib")).glob("nvidia/*/bin/nvdisasm"))
    found = [*installed, *filter(None, [shutil.which("nvdisasm")])]
    return found[0] if found else pytest.skip("needs nvdisasm; run scripts/setup.sh")


@pytest.fixture(scope="module", params=["sm_80", "sm_90"])
def kernels(request):
    """The instructions of every kernel, as (address, text), and the addresses of labels."""
    image = build_directory() / f"runtime/lib/cuda/kernels/boost_runtime_kernels.{request.param}.cubin"
    text = run(disassembler(), "-c", image).stdout
    return {
        part.split(":")[0]: parse(part) for part in re.split(r"^\.text\.(?=\w+:)", text, flags=re.M)[1:]
    }


def parse(text):
    """Reads one kernel. A label has the address of the next instruction."""
    code, labels, pending = [], {}, []
    for line in text.splitlines():
        if label := re.match(r"\.(L_x_\w+):", line):
            pending.append(label[1])
        elif instruction := re.match(r"\s+/\*([0-9a-f]{4,})\*/\s+(.*?)\s*;", line):
            address = int(instruction[1], 16)
            labels.update(dict.fromkeys(pending, address))
            pending = []
            code.append((address, instruction[2]))
    return code, labels


def operation(text):
    """An instruction's name, without its predicate and operands."""
    return re.sub(r"^@\S+\s+", "", text).split()[0]


def find_step(kernel, product):
    """The operations of the loop that multiplies most on tensor cores, of those that hold no other
    that multiplies: from a label to the branch back to it."""
    code, labels = kernel
    loops = []
    for text, end in ((text, address) for address, text in code):
        jump = re.search(r"\bBRA\b.*\.(L_x_\w+)", text)
        if jump and labels[jump[1]] < end:
            operations = [operation(t) for at, t in code if labels[jump[1]] <= at <= end]
            if product in operations:
                loops.append((labels[jump[1]], end, operations))
    inner = [
        operations
        for begin, end, operations in loops
        if not any((b, e) != (begin, end) and begin <= b and e <= end for b, e, _ in loops)
    ]
    return max(inner, key=lambda operations: operations.count(product), default=[])


@pytest.mark.parametrize("columns", STEPS)
@pytest.mark.parametrize("element", TYPES)
@pytest.mark.parametrize("name", PRODUCTS)
def test_steps_multiply_on_tensor_cores(kernels, name, element, columns):
    step = find_step(kernels[f"boost_attention_{name}_matrix{columns}_{element}"], TYPES[element])
    # A warp has 16 rows; an instruction multiplies 16 x 8 x 16 numbers.
    others = STEPS[columns][name != "forward"]
    assert step.count(TYPES[element]) >= PRODUCTS[name] * (others // 8) * (columns // 16)
    assert {op for op in step if op.startswith("LDGSTS")} == {"LDGSTS.E.BYPASS.128"}
    assert any(op.startswith("LDSM.16") for op in step)
    # Scores and probabilities never pass through shared memory.
    if name != "backward_keys":
        assert not [op for op in step if op.startswith(("STS", "ST.", "LDS."))]


def test_no_kernel_uses_local_memory_or_adds_in_any_order(kernels):
    attention = {name: kernel for name, kernel in kernels.items() if "attention" in name}
    assert len(attention) == 8 * len(PRODUCTS) + 4 * 4 + 2
    for name, (code, _) in attention.items():
        used = {operation(text).split(".")[0] for _, text in code}
        assert not used & {"STL", "LDL", "RED", "REDG", "ATOM", "ATOMG", "ATOMS"}, name


def test_kernels_without_tensor_cores_are_told_apart(kernels):
    for name in PRODUCTS:
        assert not find_step(kernels[f"boost_attention_{name}_bf16"], TYPES["bf16"])
