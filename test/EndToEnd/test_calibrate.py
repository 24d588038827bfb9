# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A measured machine can be named, and predicts more time for more work."""

import json
import os
import subprocess

import harness
import pytest
from harness import REPOSITORY, run, tool

PROGRAM = REPOSITORY / "test" / "Tools" / "Inputs" / "tiny.mlir"


@pytest.fixture(scope="module", params=[1, 2])
def machine(request, tmp_path_factory):
    ranks = request.param
    path = tmp_path_factory.mktemp("machine") / f"ranks{ranks}.json"
    result = run(tool("boost-compile"), "--calibrate", f"--mesh={ranks}", "-o", path)
    assert result.stdout == ""
    return ranks, path


def prices(machine, operations):
    path = machine.parent / "operations.json"
    path.write_text(json.dumps({"operations": operations}))
    result = run(tool("boost-compile"), "--price", f"--machine={machine}", path)
    return [entry["seconds"] for entry in json.loads(result.stdout)["operations"]]


def test_rates_are_those_of_a_computer(machine):
    ranks, path = machine
    described = json.loads(path.read_text())
    assert described["name"] == path.stem
    # From a slow core beside other work to the largest servers.
    for rate in described["peak_flops"].values():
        assert 1e8 < rate < 1e14
    assert described["peak_flops"]["f32"] > described["peak_flops"]["f64"] / 2
    assert 1e8 < described["memory_bandwidth"] < 1e13
    assert 0 <= described["launch_seconds"] < 1e-2
    assert 0 < described["attention"]["backward"] <= 1
    (link,) = described["links"]
    if ranks > 1:
        assert link["ranks"] == ranks
        assert 1e-8 < link["latency"] < 1
        assert 1e6 < link["bandwidth"] < 1e12
    # Ranks share what the machine has.
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    assert described["memory_bytes"] == pytest.approx(memory / ranks)


def test_more_work_takes_more_time(machine):
    ranks, path = machine

    def sizes(kind, key, values, **fields):
        return [{"name": str(v), "kind": kind, key: v, **fields} for v in values]

    work = [
        sizes("contraction", "k", [1, 64, 4096], m=256, n=256, element_type="f32"),
        sizes("memory", "bytes", [1e3, 1e6, 1e9]),
        sizes("all_reduce", "bytes", [1e3, 1e6, 1e9], ranks=2),
    ]
    for operations in work:
        seconds = prices(path, operations)
        assert seconds == sorted(seconds)
        assert 0 < 2 * seconds[0] < seconds[-1] < 1e3


def test_plans_take_it(machine):
    ranks, path = machine
    options = (f"--mesh={ranks}", "--emit=plan", f"--machine={path}")
    plan = run(tool("boost-compile"), PROGRAM, *options)
    predicted = json.loads(plan.stdout)["predicted"]
    assert predicted["machine"] == path.stem
    assert 0 < predicted["seconds"] < 1


def test_what_is_missing_is_named(tmp_path):
    """Without the launcher there is no measuring on several ranks, and no file."""
    path = tmp_path / "machine.json"
    command = (tool("boost-compile"), "--calibrate", "--mesh=2", "-o", path)
    nowhere = os.environ | {"PATH": "/nonexistent"}
    result = subprocess.run(command, env=nowhere, capture_output=True, text=True, timeout=60)
    assert result.returncode == 1
    assert "error: --calibrate on 2 ranks needs mpirun" in result.stderr
    assert not path.exists()


def test_a_gpu_is_measured_by_what_programs_call(tmp_path):
    """On the emulator all of it runs, and what it says is no speed of a GPU."""
    result = run(tool("boost-test-calibrate-cuda"), "mine", check=False)
    assert result.returncode == 3
    assert "all measurements ran, but on an emulated GPU" in result.stderr
    assert result.stdout == ""


def test_without_a_gpu_nothing_is_written(tmp_path, monkeypatch):
    without = {k: v for k, v in harness.environment().items() if k != "BOOST_CUDA_EMULATOR"}
    monkeypatch.setattr(harness, "environment", lambda: without | {"LD_LIBRARY_PATH": str(tmp_path)})
    (tmp_path / "libcuda.so.1").write_bytes(b"")
    out = tmp_path / "mine.json"
    result = run(tool("boost-compile"), "--calibrate", "--target=cuda", "-o", out, check=False)
    assert result.returncode == 1
    assert "the NVIDIA driver cannot be opened" in result.stderr
    assert not out.exists()
