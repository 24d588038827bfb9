# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device code of whole models: it assembles for every architecture, without spills and with
16-byte accesses. What it computes, test/unit/Target runs under emulation."""

import re
import sys

import pytest
from harness import REPOSITORY, build_directory, run, tool

from boost_mlir import models
from boost_mlir.export import export_model

sys.path.insert(0, str(REPOSITORY / "scripts"))
import kernel_table  # noqa: E402

ARCHITECTURES = ["sm_80", "sm_90"]
KINDS = ["full", "svd", "cola", "lax"]
# Size, overrides, batch, sequence, mesh.
CASES = {
    "tiny": ("tiny", {}, 4, 16, "tp=2"),
    "bf16": ("tiny", dict(dtype="bf16"), 4, 16, "tp=2"),
    "odd": ("tiny", dict(layers=3, d=96, heads=6, kv_heads=2, rank=20, d_ff=248), 4, 16, "dp=2,tp=2"),
    "7B": ("7B", dict(layers=2), 1, 4096, "tp=4"),
}


@pytest.fixture(scope="module")
def toolkit():
    cache = (build_directory() / "CMakeCache.txt").read_text()
    found = re.search(r"^BOOST_MLIR_CUDA_TOOLKIT:\w+=(.*)$", cache, re.M)
    assert found and not found[1].endswith("NOTFOUND"), "run scripts/setup.sh"
    return found[1]


def unescape(text: str) -> str:
    """A string of MLIR: a backslash before two hexadecimal digits, a quote or a backslash."""

    def character(match):
        return chr(int(match[1], 16)) if len(match[1]) == 2 else match[1]

    return re.sub(r'\\([0-9A-F]{2}|["\\])', character, text)


@pytest.fixture(scope="module", params=[(kind, case) for case in CASES for kind in KINDS], ids="-".join)
def device_code(request, tmp_path_factory):
    """The PTX of every architecture, and the kernels."""
    kind, case = request.param
    size, overrides, batch, seq, mesh = CASES[case]
    folder = tmp_path_factory.mktemp("device")
    model, runtime = folder / "model.mlir", folder / "runtime.mlir"
    config = models.ModelConfig.of_size(size, kind, **overrides)
    model.write_text(export_model(config, batch, seq))
    run(tool("boost-compile"), model, "--mesh", mesh, "--target=cuda", "--emit=runtime", "-o", runtime)
    kernels = kernel_table.read_kernels(tool("boost-opt"), runtime.read_text())
    pipeline = f"--boost-device-code-pipeline=format=isa chips={','.join(ARCHITECTURES)}"
    text = run(tool("boost-opt"), runtime, pipeline).stdout
    objects = re.findall(r'chip = "(\w+)".*?assembly = "((?:[^"\\]|\\.)*)"', text)
    return {chip: unescape(ptx).rstrip("\0") for chip, ptx in objects}, kernels


@pytest.mark.one_in(2)
def test_kernels_assemble_without_spills(device_code, toolkit, tmp_path):
    code, kernels = device_code
    names = {kernel.name for kernel in kernels}
    assert sorted(code) == ARCHITECTURES and kernels
    for chip, ptx in code.items():
        assert set(re.findall(r"\.visible \.entry (\w+)\(", ptx)) == names
        source = tmp_path / f"{chip}.ptx"
        source.write_text(ptx)
        output = run(f"{toolkit}/bin/ptxas", "-v", f"-arch={chip}", source, "-o", tmp_path / "cubin")
        spilled = re.findall(r"(\d+) bytes spill stores, (\d+) bytes spill loads", output.stderr)
        assert len(spilled) == len(kernels)
        assert set(spilled) == {("0", "0")}


def vectors(kernel):
    """The buffers that a kernel may go through 16 bytes at a time, those that it reads and those that
    it writes; none if it is not eligible. That is a kernel

    * whose buffers with rows as long as those of its largest one have rows of a multiple of 16
      bytes, at addresses that are known to be such multiples in every launch (where rows of bf16
      and f32 meet, of the narrower type): others go through narrower vectors, or elements;
    * that computes no sine, cosine or the like, which are libdevice's, and reads no element
      whose place it computes.

    Every input of as many elements as the largest is read so; one with fewer may be repeated
    along its rows. A result of a warp or of a block is one element, and so may one of a row be."""
    largest = max(kernel.buffers, key=lambda buffer: (buffer.elements, buffer.is_read_only))
    rows = [buffer for buffer in kernel.buffers if buffer.row and buffer.row == largest.row]
    narrowest = min((kernel_table.BYTES[buffer.element] for buffer in rows), default=0)
    lanes = min(8, 16 // narrowest) if narrowest else 0
    special = re.search(r"math\.(sin|cos|tan|atan2|cbrt|powf|a?sinh|a?cosh|atanh)\b", kernel.body)
    computed = set(re.findall(r"(%\w+) = arith\.index_cast", kernel.body))
    places = re.findall(r"memref\.load %\w+\[(.*?)\]", kernel.body)
    gathers = any(computed & set(place.split(", ")) for place in places)
    if not rows or special or gathers or kernel.form == "rows":
        return [], []
    if not all(buffer.has_wide_rows and buffer.row % lanes == 0 for buffer in rows):
        return [], []
    read = [buffer for buffer in rows if buffer.is_read_only and buffer.elements == largest.elements]
    written = [buffer for buffer in rows if not buffer.is_read_only]
    if kernel.form == "row":
        written = [buffer for buffer in written if buffer.elements == largest.elements]
    return read, written if kernel.form not in ("warp", "block") else []


def bodies(ptx):
    """The code of every kernel, by name."""
    return {body.split("(")[0]: body for body in re.split(r"\.visible \.entry ", ptx)[1:]}


WIDE = r"\.global(?:\.\w+)*\.v(?:4\.[bf]32|2\.[bf]64)"


def test_eligible_kernels_move_16_bytes_at_once(device_code, request):
    """Every load and store of such a buffer, counted in the PTX. Of large models all kernels are
    eligible but those of the rotary embedding's sines and cosines and those of single numbers."""
    code, kernels = device_code
    eligible = {kernel.name: vectors(kernel) for kernel in kernels}
    for ptx in code.values():
        for name, body in bodies(ptx).items():
            read, written = eligible[name]
            loads, stores = (len(re.findall(access + WIDE, body)) for access in ("ld", "st"))
            assert loads >= len(read), f"{name} reads {[str(b) for b in read]}"
            assert stores >= len(written), f"{name} writes {[str(b) for b in written]}"
    if "7B" in request.node.callspec.id:
        others = [kernel for kernel in kernels if not any(eligible[kernel.name])]
        assert sum(any(buffer.elements > 1 for buffer in kernel.buffers) for kernel in others) == 2


@pytest.mark.parametrize("device_code", [(kind, "7B") for kind in KINDS], ids="-".join, indirect=True)
def test_no_kernel_of_large_models_leaves_the_gpu_idle(device_code):
    """None is the work of few threads for long, and none is written loops."""
    _, kernels = device_code
    for kernel in kernels:
        assert kernel.form != "rows", kernel.name
        assert kernel.bytes_of_a_thread <= 1024, kernel_table.row(kernel)


def test_tables_of_the_documentation_are_those_of_the_models(tmp_path):
    """Made by scripts/kernel_table.py, of 7B in bf16 on tp=4 with 4096 tokens, placed by rules."""
    page = (REPOSITORY / "docs" / "benchmarks" / "GPUKernels.md").read_text()
    for kind in KINDS:
        model, runtime = tmp_path / f"{kind}.mlir", tmp_path / f"{kind}.runtime.mlir"
        config = models.ModelConfig.of_size("7b", kind, layers=2, dtype="bf16")
        model.write_text(export_model(config, 1, 4096))
        rules = f"--placement={'megatron' if kind == 'full' else 'bottleneck'}"
        options = ("--mesh=tp=4", rules, "--target=cuda", "--emit=runtime", "-o", runtime)
        run(tool("boost-compile"), model, *options)
        kernels = kernel_table.read_kernels(tool("boost-opt"), runtime.read_text())
        assert f"## {kind}\n\n{kernel_table.table(kernels)}" in page, "make the page again"
