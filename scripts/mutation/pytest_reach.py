# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A pytest plugin: which mutations each test reaches. It writes BOOST_MUTATION_REPORT.

Models and programs are compiled once per session and then shared: what compiling them reaches counts
for the first test that asks for them."""

import json
import os
from pathlib import Path

import pytest

REPORT = Path(os.environ["BOOST_MUTATION_REPORT"])
results: dict[str, list] = {}


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item, nextitem):
    marks = REPORT.parent / f"python-{len(results)}"
    results[item.nodeid] = [item.nodeid, 0.0, True, str(marks)]
    os.environ["BOOST_MUTANT_REACHED"] = str(marks)
    try:
        return (yield)
    finally:
        del os.environ["BOOST_MUTANT_REACHED"]


def pytest_runtest_logreport(report):
    entry = results[report.nodeid]
    entry[1] += report.duration
    entry[2] &= not report.failed


def pytest_sessionfinish():
    REPORT.write_text(json.dumps(list(results.values())))
