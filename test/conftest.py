# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lets every pytest suite import the package of this checkout, and JAX compile quickly."""

import collections
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "python"))

# Most functions of the oracles run once or a few times, so that compiling takes longer than running.
# Without these, it takes three times as long.
os.environ.setdefault(
    "XLA_FLAGS",
    "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true "
    "--xla_cpu_use_fusion_emitters=false",
)


def pytest_configure(config):
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
