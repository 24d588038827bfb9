# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans are of the documented form, and the parts of a predicted step add up."""

import copy
import functools
import json
import subprocess

import jsonschema
import pytest
from harness import REPOSITORY, tool

OPTIONS = [
    [],
    ["--mesh=tp=2"],
    ["--mesh=dp=2,tp=2", "--machine=a100-80gb"],
    ["--mesh=tp=2", "--accumulate=3"],
    ["--mesh=tp=2", "--precision=bf16", "--remat=low-rank"],
    ["--mesh=dp=2", "--placement=replicated", "--verify"],
]


@functools.cache
def validator():
    schema = json.loads((REPOSITORY / "docs" / "plan.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.fixture(scope="module", params=OPTIONS, ids=" ".join)
def plan(request):
    command = [tool("boost-compile"), REPOSITORY / "test/Tools/Inputs/tiny.mlir"]
    result = subprocess.run(
        [*command, "--emit=plan", *request.param], capture_output=True, check=True, timeout=300
    )
    return json.loads(result.stdout)


def added(numbers):
    """In the given order, as the compiler adds them; `sum` compensates for rounding."""
    return functools.reduce(lambda total, number: total + number, numbers, 0.0)


def test_plans_are_of_the_documented_form(plan):
    validator().validate(plan)


@pytest.mark.parametrize(
    "damage",
    [
        lambda plan: plan.pop("memory"),
        lambda plan: plan.update(extra=1),
        lambda plan: plan["memory"].update(peak=-1),
        lambda plan: plan["predicted"].update(seconds="long"),
        lambda plan: plan["predicted"]["parts"][0].pop("count"),
    ],
)
def test_the_form_refuses_others(plan, damage):
    damaged = copy.deepcopy(plan)
    damage(damaged)
    assert not validator().is_valid(damaged)


def test_the_parts_of_a_step_add_up(plan):
    predicted = plan["predicted"]
    functions = predicted["functions"]
    for function in functions.values():
        classes = function["classes"].values()
        assert function["seconds"] == added(entry["seconds"] for entry in classes) > 0
    for part in predicted["parts"]:
        assert part["seconds"] == part["count"] * functions[part["function"]]["seconds"]
    assert predicted["seconds"] == added(part["seconds"] for part in predicted["parts"]) > 0


def test_collectives_are_priced_one_by_one(plan):
    names = [entry["name"] for entry in plan["collectives"]]
    assert len(set(names)) == len(names)
    for name, function in plan["predicted"]["functions"].items():
        own = [entry for entry in plan["collectives"] if entry["function"] == name]
        classes = function["classes"]
        assert len(own) == classes.get("collective", {"calls": 0})["calls"]
        if own:
            assert classes["collective"]["seconds"] == added(entry["seconds"] for entry in own)


def test_a_step_is_its_micro_batches_and_one_update():
    command = [tool("boost-compile"), REPOSITORY / "test/Tools/Inputs/tiny.mlir", "--emit=plan"]

    def parts(*options):
        output = subprocess.run([*command, *options], capture_output=True, check=True).stdout
        predicted = json.loads(output)["predicted"]
        return [(part["function"], part["count"]) for part in predicted["parts"]]

    assert parts() == [("step", 1)]
    assert parts("--accumulate=3") == [("accumulate", 3), ("update", 1)]
