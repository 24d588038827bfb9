# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers are found in every model, however it is written, and no pass loses them."""

import collections
import itertools
import json
import re

import pytest
from foreign_models import PROGRAMS
from harness import run, tool

from boost_mlir import models
from boost_mlir.export import export, export_model

LAYER = re.compile(r"boost\.layer = #boost\.layer<class = (\d+), index = (\d+)>")
PASSES = [f"--boost-{stage}-pipeline" for stage in ("import", "raise", "structure")]


def found_layers(directory, text):
    """The class of every layer, in order."""
    source = directory / "model.mlir"
    source.write_text(text)
    graph = run(tool("boost-opt"), source, *PASSES).stdout
    classes = {int(index): int(kind) for kind, index in LAYER.findall(graph)}
    assert sorted(classes) == list(range(len(classes)))
    return [classes[index] for index in sorted(classes)]


# The first block of LaX has no latent to add to, and the last one none to hand on.
MODELS = {
    ("full", False): [0] * 4,
    ("svd", False): [0] * 4,
    ("cola", False): [0] * 4,
    ("lax", False): [0, 1, 1, 2],
    ("full", True): [0] * 4,
    ("svd", True): [0] * 4,
    ("cola", True): [0] * 4,
    ("lax", True): [0, 1, 1, 2],
}


@pytest.mark.parametrize("kind, scan", MODELS)
def test_layers_of_the_models(tmp_path, kind, scan):
    config = models.ModelConfig.of_size("tiny", kind, layers=4, scan=scan)
    assert found_layers(tmp_path, export_model(config, 4, 16)) == MODELS[kind, scan]


def test_the_plan_counts_by_layers(tmp_path):
    """The class of every layer, and the layer of every collective of a block."""
    source, plan = tmp_path / "model.mlir", tmp_path / "plan.json"
    config = models.ModelConfig.of_size("tiny", "lax", layers=4)
    source.write_text(export_model(config, 4, 16))
    run(tool("boost-compile"), source, "--mesh=tp=2", "--emit=plan", "-o", plan)
    plan = json.loads(plan.read_text())
    assert plan["layers"] == MODELS["lax", False]
    for phase, order in ("forward", [0, 1, 2, 3]), ("backward", [3, 2, 1, 0]):
        layers = [
            entry["layer"]
            for entry in plan["collectives"]
            if (entry["function"], entry["phase"], entry["component"]) == ("gradient", phase, "block")
        ]
        assert layers == [layer for layer in order for _ in range(4)]
    assert {e["layer"] for e in plan["collectives"] if e["component"] == "head"} == {None}


FOREIGN = dict.fromkeys(PROGRAMS, [0] * 2) | {
    "attention_over_steps": [0] * 3,
    "stochastic_depth": [0] * 3,
    # The counter that each iteration chooses by is a constant of its layer.
    "every_other_layer": [0, 1, 2],
    # A statistic of every layer's input is gathered: of none behind the first, of all in the last.
    "llama_scan": [0, 1, 2],
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_layers_of_foreign_programs(tmp_path, name):
    program = PROGRAMS[name]()
    text = export(program.loss, program.params, *program.batch.values())
    assert found_layers(tmp_path, text) == FOREIGN[name]


STAGES = {
    "import": "",
    "raise": "",
    "structure": "",
    "place": "=mesh=dp=2,tp=2",
    "decompose": "",
    "differentiate": "",
    "partition": "",
    "collectives": "",
    "rematerialize": "=mode=low-rank",
    "lower": "",
}
OPERATION = re.compile(r"    (?:((?:%\w+(?::\d+)?(?:, )?)+) = )?\"?([\w.]+)")


class Operation:
    """One line of a function's body."""

    def __init__(self, line):
        results, self.name = OPERATION.match(line).groups()
        self.results = re.findall(r"%\w+", results or "")
        self.operands = re.findall(r"%\w+", line.split(self.name, 1)[1])
        layer = LAYER.search(line)
        self.layer = int(layer[2]) if layer else None
        self.line = line.strip()


def functions(text):
    """The operations of every function."""
    bodies = re.split(r"^  func\.func .*@(\w+)\(.*$", text, flags=re.MULTILINE)[1:]
    return {
        name: [Operation(line) for line in body.split("\n") if OPERATION.match(line)]
        for name, body in zip(bodies[::2], bodies[1::2])
    }


def lost_between_values(operations):
    """Without a layer, though all readers and an operand are of one layer."""
    producers = {result: op for op in operations for result in op.results}
    readers = collections.defaultdict(set)
    for op in operations:
        for operand in op.operands:
            if operand in producers:
                readers[producers[operand]].add(op.layer)
    for op in operations:
        operands = {producers[name].layer for name in op.operands if name in producers}
        if op.layer is None and "constant" not in op.name and len(readers[op]) == 1:
            if readers[op] & operands - {None}:
                yield op.line


def lost_between_calls(operations):
    """Runs of calls without a layer between calls of one and the same layer."""
    calls = [op for op in operations if op.name.startswith("boostrt.")]
    runs = [(layer, list(run)) for layer, run in itertools.groupby(calls, lambda op: op.layer)]
    for (before, _), (layer, run), (after, _) in zip(runs, runs[1:], runs[2:]):
        if layer is None and before == after:
            yield run[0].line


@pytest.mark.one_in(3)
@pytest.mark.parametrize("scan", [False, True])
@pytest.mark.parametrize("kind", models.KINDS)
def test_no_pass_loses_a_layer(tmp_path, kind, scan):
    layers = 3
    config = models.ModelConfig.of_size("tiny", kind, layers=layers, scan=scan)
    before, after = tmp_path / "before.mlir", tmp_path / "after.mlir"
    before.write_text(export_model(config, 4, 16))
    for stage, options in STAGES.items():
        run(tool("boost-opt"), before, f"--boost-{stage}-pipeline{options}", "-o", after)
        before, after = after, before
        for name, operations in functions(before.read_text()).items():
            assert not list(lost_between_values(operations)), (stage, name)
            found = {op.layer for op in operations} - {None}
            is_model = stage not in ("import", "raise") and not name.startswith("kernel_")
            assert found == (set(range(layers)) if is_model else set()), (stage, name)
    for name in ("gradient", "step"):
        # Between the forward and the backward pass of the last layer is the head.
        assert len(list(lost_between_calls(functions(before.read_text())[name]))) == 1
