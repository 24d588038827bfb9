# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Locations are for people: a program without them has the same code and needs the same memory."""

import json

import pytest
from harness import run, tool
from machine_code import functions

OPTIONS = ("--mesh", "tp=2", "--remat=low-rank")


def without_locations(value):
    """JSON of a plan, but for where things come from."""
    if isinstance(value, dict):
        return {
            key: without_locations(each) for key, each in value.items() if key != "location"
        }
    if isinstance(value, list):
        return [without_locations(each) for each in value]
    return value


@pytest.fixture(scope="module")
def sources(model, tmp_path_factory):
    """CoLA tiny as it is exported, and with every location unknown."""
    exported = model("cola").text_file
    stripped = tmp_path_factory.mktemp("stripped") / "stripped.mlir"
    run(tool("boost-opt"), exported, "--strip-debuginfo", "--mlir-print-debuginfo", "-o", stripped)
    assert "loc(unknown)" in stripped.read_text()
    assert 'loc("' not in stripped.read_text()
    return exported, stripped


def compile_object(source, directory):
    """The bytes of every function of the program, and its plan."""
    code, plan = directory / "program.o", directory / "plan.json"
    run(tool("boost-compile"), source, *OPTIONS, "--emit=object", "-o", code)
    run(tool("boost-compile"), source, *OPTIONS, "--emit=plan", "-o", plan)
    data = code.read_bytes()
    symbols = functions(code)
    texts = {each.name: data[each.offset : each.offset + each.size] for each in symbols}
    return texts, json.loads(plan.read_text())


def test_code_and_memory_do_not_depend_on_locations(sources, tmp_path):
    results = []
    for name, source in zip(("exported", "stripped"), sources):
        (tmp_path / name).mkdir()
        results.append(compile_object(source, tmp_path / name))
    (code, plan), (stripped_code, stripped_plan) = results
    assert "boost_fn_step" in code and len(code) > 20
    assert list(stripped_code) == list(code)
    for name, text in code.items():
        assert stripped_code[name] == text, name
    assert plan["memory"]["recomputed"] > 0
    assert without_locations(stripped_plan) == without_locations(plan)
