# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lets every pytest suite import the package of this checkout, and JAX compile quickly."""

import collections
import fcntl
import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))

# Most functions of the oracles run once or a few times, so that compiling takes longer than running.
# Without these, it takes three times as long.
os.environ.setdefault(
    "XLA_FLAGS",
    "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true "
    "--xla_cpu_use_fusion_emitters=false",
)


# Processes of a session take what one of them has compiled.
COMPILATION_CACHE = {
    "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
    "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
}


def is_worker(config):
    return hasattr(config, "workerinput")


def pytest_configure(config):
    if not is_worker(config) and "JAX_COMPILATION_CACHE_DIR" not in os.environ:
        folder = tempfile.mkdtemp(prefix="jax-cache-")
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
        os.environ.update(COMPILATION_CACHE, JAX_COMPILATION_CACHE_DIR=folder)
    config.addinivalue_line(
        "markers",
        "one_in(n, first=0): of the cases of a test the suite takes every n-th, beginning with this one; "
        "BOOST_ALL_CASES=1 takes all of them, as every other variable does that asks for more cases",
    )


def pytest_collection_modifyitems(config, items):
    if any(name.startswith("BOOST_ALL_") or name == "BOOST_CUDA_ALL" for name in os.environ):
        return
    counts, taken, left = collections.Counter(), [], []
    for item in items:
        mark = item.get_closest_marker("one_in")
        place = item.nodeid.partition("[")[0]
        number = counts[place]
        counts[place] += 1
        is_taken = not mark or number % mark.args[0] == (*mark.args, 0)[1]
        (taken if is_taken else left).append(item)
    if left:
        config.hook.pytest_deselected(items=left)
        items[:] = taken


@pytest.fixture(scope="session")
def made_once(pytestconfig, tmp_path_factory):
    """`made_once(name, make)`: the folder that `make(folder)` fills, once for all processes of a session."""
    root = tmp_path_factory.getbasetemp()
    if is_worker(pytestconfig):
        root = root.parent

    def get(name, make):
        folder, is_made = root / name, root / f"{name}.made"
        with open(root / f"{name}.lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not is_made.exists():
                folder.mkdir(exist_ok=True)
                make(folder)
                is_made.touch()
        return folder

    return get
