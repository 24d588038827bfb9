# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/gpu_check.sh on the emulator, with a program like those that it packs, and that it fails
where something is wrong."""

import json
import subprocess
import sys
import tarfile

import pytest
from harness import REPOSITORY, environment, run

PROGRAM = "cola-shallow-1"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The packed files, as they are on another machine."""
    root = tmp_path_factory.mktemp("gpu-check")
    sources = [REPOSITORY / "python", REPOSITORY / "test" / "EndToEnd"]
    command = [sys.executable, REPOSITORY / "test/gpu-check/pack.py", root / "a.tar.xz"]
    paths = {"PYTHONPATH": ":".join(map(str, sources))}
    subprocess.run([*command, "--sample"], env=environment() | paths, check=True)
    with tarfile.open(root / "a.tar.xz") as archive:
        archive.extractall(root)
    return root / "boost-gpu-check"


def check(folder, *parts):
    """The exit code, and the verdict and the text of every check."""
    command = ["bash", folder / "gpu_check.sh", *parts]
    result = subprocess.run(command, env=environment(), capture_output=True, text=True)
    report = json.loads((folder / "results.json").read_text())
    lines = result.stdout.splitlines()
    assert [f"{c['verdict']} {c['check']}: {c['text']}" for c in report["checks"]] == lines[:-1]
    return result.returncode, {c["check"]: (c["verdict"], c["text"]) for c in report["checks"]}


def test_programs_need_nothing_of_this_machine(folder):
    """No MLIR, MPI or BLAS, and none of NVIDIA's libraries, which are opened where they are."""
    usual = {"linux-vdso", "ld-linux-x86-64", "libc", "libm", "libgcc_s", "libstdc++"}
    for program in (folder / "programs").glob("*/check"):
        lines = run("ldd", program).stdout.splitlines()
        assert {line.split()[0].rpartition("/")[2].partition(".so")[0] for line in lines} <= usual
    assert not [path for path in folder.rglob("*") if ".so" in path.suffixes]


def test_values(folder):
    code, checks = check(folder, "values")
    assert code == 0
    for name in ("kernels", "verify", "gradients", "graph"):
        verdict, text = checks.pop(f"{name} {PROGRAM}")
        assert verdict == "pass", text
    assert checks.pop("machine") == ("pass", "an emulated GPU, driver for CUDA 13.0")
    # Sanitizers are for GPUs.
    assert {verdict for verdict, _ in checks.values()} == {"skip"}


def test_speed_of_the_emulator_is_not_reported(folder):
    code, checks = check(folder, "attention", "steps", "calls", "frameworks")
    assert code == 0
    assert checks[f"step {PROGRAM}"][0] == "pass"
    attention = [check for name, check in checks.items() if name.startswith("attention 1 x 64")]
    assert [verdict for verdict, _ in attention] == ["pass"] and "cuDNN" in attention[0][1]
    report = json.loads((folder / "results.json").read_text())
    (step,) = [c["details"] for c in report["checks"] if c["check"] == f"step {PROGRAM}"]
    assert step["seconds_graph"] is None and step["seconds_eager"] is None
    assert all(call["seconds"] is None for call in step["calls"])
    # Every kernel that the step launches has a class and bytes.
    launches = [call for call in step["calls"] if call["call"] == "launch"]
    assert launches and all(call["bytes"] > 0 for call in launches)
    classes = {call["class"] for call in launches}
    assert classes >= {"elementwise", "broadcast", "row reduction", "column reduction"}


def end_of(data, tensor):
    """Returns the end of the tensor's bytes in a file of safetensors."""
    begin = 8 + int.from_bytes(data[:8], "little")
    return begin + json.loads(data[8:begin])[tensor]["data_offsets"][1]


def flip(path, tensor):
    """Changes an exponent of a tensor, or of the last bytes, and returns what puts it right."""
    before = path.read_bytes()
    data = bytearray(before)
    data[(end_of(data, tensor) if tensor else len(data)) - 2] ^= 0x40
    path.write_bytes(data)
    return lambda: path.write_bytes(before)


WRONG = {
    "kernels": ("trace", None),
    "gradients": ("expected.safetensors", "loss"),
    "verify": ("reference/reference.safetensors", "value.0.result.loss"),
}


def test_what_is_wrong_fails(folder):
    restore = [flip(folder / "programs" / PROGRAM / file, at) for file, at in WRONG.values()]
    code, checks = check(folder, "values")
    for function in restore:
        function()
    assert code == 1
    assert {name: checks[f"{name} {PROGRAM}"][0] for name in WRONG} == dict.fromkeys(WRONG, "fail")
    assert checks[f"graph {PROGRAM}"][0] == "pass"


def test_other_frameworks_are_timed(folder):
    """Here JAX, on the CPU; nothing is reported of it."""
    model = {"kind": "cola", "size": "tiny", "batch": 2, "seq": 16, "overrides": {"d_ff": 48}}
    command = [sys.executable, folder / "frameworks.py", "jax", json.dumps(model)]
    result = subprocess.run(command, env=environment(), capture_output=True, text=True, check=True)
    assert json.loads(result.stdout)["seconds"] > 0
