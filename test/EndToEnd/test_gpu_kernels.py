# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device code of whole models: it assembles for every architecture, without spills and with
16-byte accesses. What it computes, test/unit/Target runs under emulation."""

import re

import pytest
from harness import build_directory, run, tool

from boost_mlir import models
from boost_mlir.export import export_model

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
    """The PTX of every architecture, and the names of the kernels."""
    kind, case = request.param
    size, overrides, batch, seq, mesh = CASES[case]
    folder = tmp_path_factory.mktemp("device")
    model, runtime = folder / "model.mlir", folder / "runtime.mlir"
    config = models.ModelConfig.of_size(size, kind, **overrides)
    model.write_text(export_model(config, batch, seq))
    run(tool("boost-compile"), model, "--mesh", mesh, "--emit=runtime", "-o", runtime)
    kernels = set(re.findall(r"func\.func private @(kernel_\d+)", runtime.read_text()))
    pipeline = f"--boost-device-code-pipeline=format=isa chips={','.join(ARCHITECTURES)}"
    text = run(tool("boost-opt"), runtime, pipeline).stdout
    objects = re.findall(r'chip = "(\w+)".*?assembly = "((?:[^"\\]|\\.)*)"', text)
    return {chip: unescape(ptx).rstrip("\0") for chip, ptx in objects}, kernels


def test_kernels_assemble_without_spills(device_code, toolkit, tmp_path):
    code, kernels = device_code
    assert sorted(code) == ARCHITECTURES and kernels
    for chip, ptx in code.items():
        assert set(re.findall(r"\.visible \.entry (\w+)\(", ptx)) == kernels
        source = tmp_path / f"{chip}.ptx"
        source.write_text(ptx)
        output = run(f"{toolkit}/bin/ptxas", "-v", f"-arch={chip}", source, "-o", tmp_path / "cubin")
        spilled = re.findall(r"(\d+) bytes spill stores, (\d+) bytes spill loads", output.stderr)
        assert len(spilled) == len(kernels)
        assert set(spilled) == {("0", "0")}


@pytest.mark.parametrize("device_code", [(kind, "7B") for kind in KINDS], ids="-".join, indirect=True)
def test_large_models_move_16_bytes_at_once(device_code):
    """Rows of small ones may be shorter."""
    code, kernels = device_code
    for ptx in code.values():
        bodies = re.split(r"\.visible \.entry ", ptx)[1:]
        wide = [body for body in bodies if re.search(r"ld\.global(\.nc)?\.v[24]\.b(32|64)", body)]
        assert len(wide) >= 0.8 * len(kernels)
