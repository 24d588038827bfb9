# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`eval --verify` notices flipped bits in the code that commands run, if they change results."""

import itertools
import json
import platform
import re
import subprocess

import machine_code
import numpy as np
import pytest
from harness import run
from safetensors.numpy import load_file

EFFECTIVE, TRIED = 2, 200


class Trial:
    """The commands of a program, with and without a flipped bit."""

    def __init__(self, compiled, directory):
        self.compiled, self.directory = compiled, directory
        self.correct = self.results(compiled.binary)
        self.rounding = self.largest_bound()

    def command(self, binary, *arguments):
        try:
            return run(binary, *arguments, "--timeout", 20, check=False, timeout=60).returncode
        except subprocess.TimeoutExpired:
            return None

    def results(self, binary):
        """Returns the results of `eval` and `train`, or None if one of them fails."""
        model, tensors = self.compiled.model, {}
        for name, arguments in {
            "eval": ("eval", "--inputs", model.inputs_file, "--gradients", "--outputs"),
            "train": ("train", "--data", model.tokens_file, "--steps", 3, "--save"),
        }.items():
            file = self.directory / name
            file.unlink(missing_ok=True)
            if self.command(binary, *arguments, file) != 0:
                return None
            tensors |= {f"{name}.{key}": value for key, value in load_file(file).items()}
        return tensors

    def largest_bound(self):
        """What verification attributes to rounding at most, in a loss or a gradient, relative to its
        largest element."""
        table = run(self.compiled.binary, "eval", "--inputs", self.compiled.model.inputs_file, "--verify")
        rows = [line.split() for line in table.stdout.splitlines() if re.match(r"(grad\.|loss ).* ok$", line)]
        assert rows
        return max(float(row[-5]) for row in rows)

    def change(self, binary):
        """The largest error of a result, relative to its largest element; nothing without any."""
        results = self.results(binary)
        if results is None:
            return None
        return max(relative(results[name], value) for name, value in self.correct.items())

    def is_verified(self, binary):
        return self.command(binary, "eval", "--inputs", self.compiled.model.inputs_file, "--verify") == 0


def relative(actual, expected):
    if not np.isfinite(actual).all():
        return np.inf
    return float(np.max(np.abs(actual - expected)) / (np.max(np.abs(expected)) + 1e-30))


@pytest.fixture(scope="module")
def trial(program, tmp_path_factory):
    return Trial(program("cola", "tiny", "1", "--verify"), tmp_path_factory.mktemp("flips"))


def test_the_program_is_verified_without_a_flip(trial):
    assert trial.change(trial.compiled.binary) == 0
    assert trial.is_verified(trial.compiled.binary)


@pytest.mark.parametrize("pattern", [r".*_gradient(_\d+)?", r".*_step(_\d+)?", r"kernel_\d+"])
def test_flips_that_change_results_are_noticed(trial, pattern):
    symbols = machine_code.functions(trial.compiled.binary, pattern)
    assert symbols
    effective = 0
    for flip in itertools.islice(machine_code.random_flips(symbols, seed=1), TRIED):
        flipped = flip.write(trial.compiled.binary, trial.directory / "flipped")
        change = trial.change(flipped)
        if change is None or change < trial.rounding:
            continue
        assert not trial.is_verified(flipped), f"{flip} changes results by {change:.1e}"
        effective += 1
        if effective == EFFECTIVE:
            return
    pytest.fail(f"{effective} of {TRIED} flips change results, expected {EFFECTIVE}")


# Instructions of x86-64 that leave a function at once, and that never do.
RETURN, LOOP = b"\xc3", b"\xeb\xfe"
CUT_SHORT = {
    "verify": r"the function 'verify' ended after 0 of \d+ probes",
    "gradient": r"two runs of the function 'gradient' from the same inputs differ in 'loss'",
}


@pytest.mark.skipif(platform.machine() != "x86_64", reason="instructions of x86-64")
@pytest.mark.parametrize("function", CUT_SHORT)
def test_a_function_that_returns_at_once_is_noticed(trial, function):
    """Also the one that compares: without its probes nothing is."""
    name, flipped = f"boost_fn_{function}", trial.directory / "flipped"
    machine_code.replace_start(trial.compiled.binary, name, RETURN, flipped)
    command = ("eval", "--inputs", trial.compiled.model.inputs_file, "--verify", "--json")
    result = run(flipped, *command, check=False)
    report = json.loads(result.stdout)
    assert result.returncode == 1 and not report["verified"]
    assert any(re.fullmatch(CUT_SHORT[function], finding) for finding in report["findings"])


@pytest.mark.skipif(platform.machine() != "x86_64", reason="instructions of x86-64")
def test_a_function_that_does_not_end_is_ended(trial):
    flipped = trial.directory / "flipped"
    machine_code.replace_start(trial.compiled.binary, "boost_fn_gradient", LOOP, flipped)
    command = ("eval", "--inputs", trial.compiled.model.inputs_file, "--verify", "--timeout", 5)
    result = run(flipped, *command, check=False)
    assert result.returncode == 5
    assert "error: rank 0: the function 'gradient' has run for more than 5 s" in result.stderr
