# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The formulas of every plan reproduce the published times of the released programs."""

import importlib.util
import json

import pytest
from harness import REPOSITORY

spec = importlib.util.spec_from_file_location(
    "published_times", REPOSITORY / "benchmarks" / "published_times.py"
)
published_times = importlib.util.module_from_spec(spec)
spec.loader.exec_module(published_times)


def errors_on(machine):
    return published_times.deviations(
        published_times.compare(machine, published_times.read_programs())
    )


def test_published_times_are_reproduced():
    comparison = published_times.compare("a100-80gb", published_times.read_programs())
    errors = published_times.deviations(comparison)
    assert len(errors) == 15
    assert published_times.rms(errors) <= 0.08
    assert max(map(abs, errors)) <= 0.15
    for model, systems in comparison.items():
        orders = (published_times.ranking(systems, which) for which in (0, 1))
        assert len(set(map(tuple, orders))) == 1, model


@pytest.mark.parametrize("changed", ["ideal", "pair", "eager"])
def test_calibration_matters(tmp_path, changed):
    """Peaks alone, pairs as fast as whole nodes, or fused kernels predict worse."""
    described = json.loads((REPOSITORY / "machines" / "a100-80gb.json").read_text())
    if changed == "ideal":
        for section in ("contraction", "attention"):
            del described[section]
    elif changed == "pair":
        described["links"] = [link for link in described["links"] if link["name"] != "pair"]
    else:
        del described["eager"]
    machine = tmp_path / "machine.json"
    machine.write_text(json.dumps(described))
    assert published_times.rms(errors_on(machine)) > 0.08


def test_volumes_of_a_block():
    """Elements per token that the lists of the 7B model all-reduce are those of the paper."""
    evaluate, programs = published_times.evaluate, published_times.read_programs()["programs"]
    symbols = dict(T=1, d=4096, f=11008, r=1024)
    sent = {
        (system, entry["name"].split(", ")[-1]): evaluate(entry["all_reduce"], symbols)
        for system, program in programs.items()
        for entry in program["block"]
        if "all_reduce" in entry and "statistics" not in entry["name"]
    }
    assert sent == {
        ("full", "forward"): 8192,
        ("full", "backward"): 8192,
        ("vanilla", "forward"): 42496,
        ("vanilla", "backward"): 23296,
        ("boost", "forward"): 7168,
        ("boost", "backward"): 7168,
    }
