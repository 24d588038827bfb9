# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The hyper-parameters of a program are options of its runs: one program takes any, as optax does."""

import json
import re

import pytest
from checks import PARAMETER_TOLERANCE, TRAINING_TOLERANCE
from harness import BATCH, CUDA, SEQ, STEPS, relative_error
from safetensors.numpy import load_file
from test_decay import LAYER, RATE, adamw_of_optax

import boost_mlir
from boost_mlir import models, testing

USAGE = 2
# Names in optax, and the options; by default those of `train`.
OPTIONS = {"b1": "--beta1", "b2": "--beta2", "eps": "--eps", "weight_decay": "--weight-decay"}
DEFAULTS = {"b1": 0.9, "b2": 0.95, "eps": 1e-8, "weight_decay": 0.1}
NUMBERS = {
    "default": {},
    "all": {"b1": 0.5, "b2": 0.8, "eps": 1e-3, "weight_decay": 0.5},
    "none": {"b1": 0.0, "b2": 0.999, "eps": 1e-5, "weight_decay": 0.0},
}
MASK = {"embed": True, "head": True, "norm": False}


def train(compiled, *options, check=True):
    return compiled.launch(
        *("train", "--data", compiled.model.tokens_file, "--init", compiled.model.params_file),
        *("--steps", STEPS, "--lr", RATE, "--min-lr", RATE, "--clip", 0, *options),
        check=check,
    )


# What each is by default.
SHOWN = {"clip": 1, "beta1": 0.9, "beta2": 0.95, "eps": 1e-8, "weight-decay": 0.1}


def test_options_are_those_of_the_program(program, tmp_path):
    """The program has them, with the values that each takes: in `info`, the help, the configuration and the identity."""
    compiled = program("cola", "tiny", "tp=2")
    hypers = compiled.info["hyper_parameters"]
    assert {name: hyper["default"] for name, hyper in hypers.items()} == SHOWN
    assert hypers["beta2"]["values"] == "in [0, 1)" and hypers["eps"]["values"] == "above 0"
    text = " ".join(compiled.launch("train", "--help").stdout.split())
    for name, hyper in hypers.items():
        (default,) = re.findall(rf"--{name} X {re.escape(hyper['help'])}; default (\S+)", text)
        assert float(default) == SHOWN[name]

    config, log, checkpoint = (tmp_path / name for name in ("config.json", "log.jsonl", "ck"))
    config.write_text(json.dumps({"weight-decay": 0.5, "beta1": 0.25}))
    train(compiled, "--config", config, "--beta1", 0.5, "--log", log, "--checkpoint", checkpoint)
    expected = SHOWN | {"clip": 0, "weight-decay": 0.5, "beta1": 0.5}
    (state,) = checkpoint.glob("step-*/state.json")
    for found in (boost_mlir.read_configs(log)[0]["config"], json.loads(state.read_text())["run"]):
        assert {name: found[name] for name in SHOWN} == expected


@pytest.mark.one_in(5)
@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("target", [(), CUDA], ids=["cpu", "cuda"])
@pytest.mark.parametrize("accumulate", [1, 2])
def test_one_program_trains_with_any_numbers(program, tmp_path, target, accumulate, name):
    if accumulate > 1 and (target or name != "all"):
        pytest.skip("the update alone is the same function on every target")
    options = [] if accumulate == 1 else [f"--accumulate={accumulate}"]
    compiled = program("cola", "tiny", "tp=2", *target, *options)
    numbers = DEFAULTS | NUMBERS[name]
    log, saved = tmp_path / "log.jsonl", tmp_path / "end.safetensors"
    words = [each for key, value in NUMBERS[name].items() for each in (OPTIONS[key], value)]
    train(compiled, "--log", log, "--save", saved, *words)

    source = compiled.model
    mask = MASK | {"layers": [LAYER] * source.config.layers}
    loss = models.make_loss(source.config)
    batches = testing.sequential_batches(source.tokens, BATCH * accumulate, SEQ)
    expected, end = adamw_of_optax(loss, source.params, mask, batches, numbers=numbers)
    losses = [record["loss"] for record in boost_mlir.read_log(log)]
    assert losses == pytest.approx(expected, rel=TRAINING_TOLERANCE)
    for key, value in load_file(saved).items():
        assert relative_error(value, end[key]) < PARAMETER_TOLERANCE, key


@pytest.mark.parametrize(
    "options, says",
    [
        (("--beta1", 1), "--beta1: expects a number in [0, 1) as an f32, but got 1"),
        (("--beta2", -0.1), "--beta2: expects a number in [0, 1) as an f32, but got -0.1"),
        # It is 1 in f32, in which updates are computed.
        (("--beta2", "0.9999999999"), "in [0, 1) as an f32, but got 0.9999999999"),
        (("--beta1", "nan"), "in [0, 1) as an f32, but got nan"),
        (("--eps", "1e-300"), "--eps: expects a number above 0 as an f32, but got 1e-300"),
        (("--eps", 0), "--eps: expects a number above 0"),
        (("--weight-decay", "inf"), "--weight-decay: expects a number that is not negative"),
        (("--weight-decay", -1), "--weight-decay: expects a number that is not negative"),
        (("--momentum", 0.9), "--momentum"),
    ],
)
def test_numbers_that_are_refused(program, options, says):
    result = train(program("cola", "tiny", "tp=2"), *options, check=False)
    assert result.returncode == USAGE
    assert says in result.stderr


def test_other_numbers_are_another_run(program, tmp_path):
    compiled, checkpoint = program("cola", "tiny", "tp=2"), ("--checkpoint", tmp_path / "ck")
    train(compiled, *checkpoint, "--beta2", 0.9)
    result = train(compiled, *checkpoint, "--resume", "--weight-decay", 0.2, check=False)
    assert result.returncode == 6
    assert "--beta2: was 0.9, but is 0.95" in result.stderr
    assert "--weight-decay: was 0.1, but is 0.2" in result.stderr
    assert "with --allow beta2 --allow weight-decay\n" in result.stderr
    train(compiled, *checkpoint, "--resume", "--beta2", 0.9)
