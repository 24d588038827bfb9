# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models and programs are made once per session, whatever asks for them."""

import os

import pytest

import harness
import launcher
from boost_mlir import models

# Every process of the tests inherits these: ranks that wait for others leave the cores to them, and
# Open MPI does not look for networks, which takes half of the time of a short run.
os.environ.setdefault("OMPI_MCA_mpi_yield_when_idle", "1")
os.environ.setdefault("OMPI_MCA_pml", "ob1")
os.environ.setdefault("OMPI_MCA_btl", "self,vader")


@pytest.fixture(scope="session")
def model(tmp_path_factory):
    """`model(kind, shape)`: an exported model with its reference."""
    root, cache = tmp_path_factory.mktemp("models"), {}

    def make(kind, shape="tiny", **overrides):
        key = (kind, shape, *overrides.items())
        if key not in cache:
            config = models.ModelConfig.of_size("tiny", kind, **harness.SHAPES[shape], **overrides)
            cache[key] = harness.Model(config, root / "-".join(map(str, key)))
        return cache[key]

    return make


@pytest.fixture(scope="session")
def program(model):
    """`program(kind, shape, mesh, *options)`: that model compiled."""
    cache = {}

    def make(kind, shape, mesh, *options):
        key = (kind, shape, mesh, *options)
        if key not in cache:
            cache[key] = harness.Program(model(kind, shape), mesh, *options)
        return cache[key]

    return make


@pytest.fixture
def start_ranks():
    """`start_ranks(program, *arguments)`: Ranks over TCP that do not outlive the test."""
    runs = []

    def make(*arguments, **options):
        runs.append(launcher.Ranks(*arguments, **options))
        return runs[-1]

    yield make
    for run in runs:
        run.end()


@pytest.fixture
def without_mpi(monkeypatch, tmp_path):
    """A machine whose libmpi cannot be loaded."""
    plugin = harness.build_directory() / "runtime" / "boost_runtime_mpi.so"
    names = [line.split()[0] for line in harness.run("ldd", plugin).stdout.splitlines() if "libmpi" in line]
    assert names
    for name in names:
        (tmp_path / name).write_bytes(b"")
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    return names[0]
