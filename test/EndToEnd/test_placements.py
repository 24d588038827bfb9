# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Placements by name compute what JAX computes, and send what their closed forms say."""

import json

import pytest
from checks import check_loss_and_gradients, check_training

CASES = [
    ("cola", "tp=2", "vanilla"),
    ("lax", "tp=4", "vanilla"),
    ("svd", "dp=2,tp=2", "megatron"),
    ("cola", "tp=4", "megatron"),
    ("cola", "tp=2", "sequence"),
    ("lax", "dp=2,tp=2", "sequence"),
    ("svd", "tp=4", "gathered"),
    ("full", "tp=2", "vocabulary-embedding"),
    ("cola", "dp=2,tp=2", "hidden-head"),
]


@pytest.mark.parametrize("kind, mesh, placement", CASES)
def test_loss_and_gradients_are_those_of_jax(program, kind, mesh, placement):
    check_loss_and_gradients(program(kind, "tiny", mesh, f"--placement={placement}"))


@pytest.mark.parametrize("placement", ["vanilla", "megatron", "sequence"])
def test_ten_steps_give_the_losses_of_jax(program, placement):
    check_training(program("cola", "tiny", "tp=2", f"--placement={placement}"))


def count_elements(compiled, phase):
    """What blocks put into collectives of @gradient per token and layer, as counted by the program."""
    arguments = ("eval", "--inputs", compiled.model.inputs_file, "--gradients", "--json")
    report = json.loads(compiled.launch(*arguments).stdout.splitlines()[-1])
    assert report["plan_agrees"]
    counted = {entry["site"]: entry for entry in report["collectives"]}
    sums = {}
    for entry in compiled.plan["collectives"]:
        if (entry["function"], entry["phase"], entry["region"]) == ("gradient", phase, "block"):
            assert counted[entry["site"]]["bytes"] == entry["count"] * entry["bytes"]
            sums[entry["kind"]] = sums.get(entry["kind"], 0) + entry["elements"] * entry["count"]
    config, tokens = compiled.model.config, compiled.model.batch[0].size
    return {kind: elements / (tokens * config.layers) for kind, elements in sums.items()}


def test_programs_count_the_closed_forms(program):
    """Per token, of the hidden size d, that of the MLP f and the rank r."""
    vanilla = program("cola", "tiny", "tp=2", "--placement=vanilla")
    config = vanilla.model.config
    d, f, r = config.d, config.d_ff, config.rank
    assert count_elements(vanilla, "forward") == {"all_reduce": 5 * d + 2 * f}
    assert count_elements(vanilla, "backward") == {"all_reduce": 3 * d + f + 2}
    bottleneck = program("cola", "tiny", "tp=2", "--placement=bottleneck")
    assert count_elements(bottleneck, "forward") == {"all_reduce": 7 * r + 2}
    assert count_elements(bottleneck, "backward") == {"all_reduce": 7 * r}
