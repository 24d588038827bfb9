# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The axes of a mesh have whatever names the shardings of the program give them."""

import re

import numpy as np
import pytest
from checks import GRADIENT_TOLERANCE, LOSS_TOLERANCE
from harness import Model, Program, relative_error

from boost_mlir import models

ARGUMENT = re.compile(r'(%arg\d+: tensor<[^>]*> \{)([^{}]*\bname = "([^"]*)")')
LAST = {"up": "{}, {tp}", "down": "{tp}, {}"}


def sharding_of(name: str) -> str:
    """The batch along its rows, factors at the bottleneck, norms and the embedding along the
    hidden dimension, the head along the vocabulary; in terms of dp and tp."""
    if name in ("tokens", "targets"):
        return "{dp}, {}"
    if name.endswith("norm"):
        return "{tp}"
    if name in ("embed", "head"):
        return "{}, {tp}"
    return LAST[name.rsplit(".", 1)[-1]]


def with_shardings(text: str, axes: dict[str, str]) -> str:
    """The program with a sharding on every argument, over axes named so."""

    def shard(match):
        dims = sharding_of(match.group(3))
        for known, name in axes.items():
            dims = dims.replace(known, f'"{name}"')
        return f"{match.group(1)}boost.sharding = #boost.sharding<{dims}>, {match.group(2)}"

    result, count = ARGUMENT.subn(shard, text)
    assert count > 10
    return result


@pytest.fixture(scope="module", params=["cola", "svd"])
def programs(request, tmp_path_factory):
    """One program on two meshes that differ in the names of their axes, and in one of one rank."""
    compiled = []
    for mesh, axes in (
        ("dp=2,tp=2", {"dp": "dp", "tp": "tp"}),
        ("data=2,model=2,extra=1", {"dp": "data", "tp": "model"}),
    ):
        config = models.ModelConfig.of_size("tiny", request.param)
        model = Model(config, tmp_path_factory.mktemp(mesh.split("=")[0]))
        model.text_file.write_text(with_shardings(model.text_file.read_text(), axes))
        compiled.append(Program(model, mesh, "--placement=given"))
    return compiled


def test_loss_and_gradients_are_the_same(programs):
    usual, other = (program.evaluate() for program in programs)
    assert usual.keys() == other.keys()
    for name, expected in usual.items():
        np.testing.assert_array_equal(other[name], expected, err_msg=name)
    loss, gradients = programs[1].model.reference
    assert float(other["loss"]) == pytest.approx(loss, rel=LOSS_TOLERANCE)
    for name, expected in gradients.items():
        assert relative_error(other[f"grad.{name}"], expected) < GRADIENT_TOLERANCE, name


def test_training_is_the_same(programs):
    (usual, expected), (other, saved) = (program.train() for program in programs)
    assert [record["loss"] for record in other] == [record["loss"] for record in usual]
    for name, value in expected.items():
        np.testing.assert_array_equal(saved[name], value, err_msg=name)


def test_plans_differ_in_names_only(programs):
    names = {"data": "dp", "model": "tp"}
    usual, other = (
        [
            (entry["kind"], entry["axis"], entry["elements"], entry["phase"], entry["component"])
            for entry in program.plan["collectives"]
        ]
        for program in programs
    )
    renamed = [
        (kind, ",".join(names[axis] for axis in axes.split(",")), *rest)
        for kind, axes, *rest in other
    ]
    assert renamed == usual
    assert programs[1].plan["mesh"] == {"data": 2, "model": 2, "extra": 1}
