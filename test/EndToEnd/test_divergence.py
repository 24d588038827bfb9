# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training that diverges ends with exit code 1 and leaves nothing that is not finite."""

import inspect
import json
import re

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from boost_mlir.data import write_tokens
from boost_mlir.models import llama

TOO_FAR = ("--lr", "1e39", "--min-lr", "1e39")
# Runs go on from a checkpoint at another rate only if they say so.
ALLOWED = ("--allow", "lr", "--allow", "min-lr")


@pytest.fixture
def train(tmp_path):
    """`train(program, steps, *options)`: its exit code and errors; `--save` is given, and must
    be kept exactly if the run ended well."""

    def run(program, steps, *options, data=None):
        saved = tmp_path / "saved.safetensors"
        saved.unlink(missing_ok=True)
        files = ("--data", data or program.model.tokens_file, "--save", saved)
        result = program.launch("train", *files, "--steps", steps, *options, check=False)
        assert saved.exists() == (result.returncode == 0), result.stderr
        return result.returncode, result.stderr

    return run


def checkpoints(folder) -> list[str]:
    """The names of checkpoints, all of which hold finite numbers only."""
    for file in folder.glob("step-*/tensors.safetensors"):
        for name, values in load_file(file).items():
            assert np.isfinite(values).all(), f"{name} of {file}"
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("steps", [1, 3])
@pytest.mark.parametrize("mesh,options", [("tp=1", ()), ("tp=2", ("--accumulate", "2"))])
def test_parameters_that_are_not_finite_are_never_saved(program, train, mesh, options, steps):
    """One rank sees it after the step; two see it in the next loss, or at the end."""
    code, errors = train(program("cola", "tiny", mesh, *options), steps, *TOO_FAR)
    assert code == 1, errors
    found = re.search(r"the update of step (\d+) made '(.+)' infinite or NaN", errors)
    assert found and found.groups() == ("1", "embed"), errors


def test_one_element_of_one_rank_is_enough(program, train, tmp_path):
    """Decay at a rate of 25 turns the largest number into infinity. Its row is no token's."""
    compiled = program("cola", "tiny", "tp=2")
    write_tokens(tmp_path / "tokens.bin", np.arange(100) % 7)
    params = load_file(compiled.model.params_file)
    params["embed"][-1, -1] = np.finfo(np.float32).max
    save_file(params, tmp_path / "init.safetensors")
    options = ("--init", tmp_path / "init.safetensors", "--lr", "25", "--min-lr", "25")
    code, errors = train(compiled, 1, *options, data=tmp_path / "tokens.bin")
    assert code == 1, errors
    assert "the update of step 1 made 'embed' infinite or NaN" in errors


def test_the_last_good_checkpoint_is_named_and_resumed(program, train, tmp_path):
    compiled, folder = program("cola", "tiny", "tp=2"), tmp_path / "checkpoints"
    files = ("--checkpoint", folder, "--checkpoint-every", 1)
    assert train(compiled, 2, *files)[0] == 0
    code, errors = train(compiled, 9, *files, "--resume", *ALLOWED, *TOO_FAR)
    assert code == 1, errors
    assert "the update of step 3 made 'embed'" in errors
    assert f"continue from {folder}/step-2 with --resume" in errors
    assert checkpoints(folder) == ["step-1", "step-2"]
    assert train(compiled, 3, *files, "--resume")[0] == 0


def test_a_checkpoint_that_leads_to_divergence_is_set_aside(program, train, tmp_path):
    """1e30 is finite, but no loss of such parameters is. Until that shows, the one before stays."""
    compiled, folder = program("cola", "tiny", "tp=2"), tmp_path / "checkpoints"
    files = ("--checkpoint", folder, "--checkpoint-every", 1, "--keep-last", 1)
    assert train(compiled, 2, *files)[0] == 0
    rates = ("--lr", "1e30", "--min-lr", "1e30")
    code, errors = train(compiled, 9, *files, "--resume", *ALLOWED, *rates)
    assert code == 1, errors
    assert re.search(r"at step 4 the loss is -?(nan|inf)", errors), errors
    assert f"continue from {folder}/step-2 with --resume" in errors
    assert f"is now {folder}/diverged-3" in errors
    assert checkpoints(folder) == ["diverged-3", "step-2"]
    assert train(compiled, 5, *files, "--resume")[0] == 0
    assert checkpoints(folder) == ["diverged-3", "step-5"]


@pytest.mark.parametrize(
    "mesh,options", [("tp=1", ()), ("tp=2", ("--accumulate", "2")), ("pp=2", ("--accumulate", "2"))]
)
def test_the_rows_and_the_first_tensor_are_named(program, train, tmp_path, mesh, options):
    """A weight that is too large makes a latent that silu turns into NaN, in the micro-batch with a token."""
    compiled = program("cola", "tiny", mesh, "--verify", *options)
    params = load_file(compiled.model.params_file)
    # Other tokens have 0 in the dimension that the weight reads.
    params["embed"][:, 3] = 0
    params["embed"][60, 3] = 1
    params["layers.0.attn.q.down"][3, 2] = np.finfo(np.float32).max
    params["layers.0.attn.norm"][3] = -4
    save_file(params, tmp_path / "init.safetensors")
    tokens = np.arange(200) % 50
    tokens[70 if options else 20] = 60
    write_tokens(tmp_path / "tokens.bin", tokens)
    rest = ("--init", tmp_path / "init.safetensors", "--log", tmp_path / "log.jsonl", "--find-non-finite")
    code, errors = train(compiled, 5, *rest, "--lr", 0, "--min-lr", 0, data=tmp_path / "tokens.bin")
    assert code == 1, errors
    rows = [64, 80, 96, 112] if options else [0, 16, 32, 48]
    assert re.search(r"training diverged: at step 1 the loss is -?nan", errors), errors
    listed = ", ".join(map(str, rows))
    assert f"the rows of step 1 begin at these tokens: {tmp_path}/tokens.bin: {listed};" in errors
    where = (" of micro-batch 1" if options else "") + (" on pipeline stage 0" if mesh == "pp=2" else "")
    text = r"the first tensor with a NaN or \+infinity is '(\w+)' at .*llama.py:(\d+) \(forward\)" + where + "; "
    found = re.search(text, errors)
    # The bottleneck, of which the activation is a part, has a line of this function.
    lines, start = inspect.getsourcelines(llama.project)
    assert found and found[1] == "multiply" and start <= int(found[2]) < start + len(lines), errors
    (noted,) = (line["diverged"] for line in map(json.loads, open(tmp_path / "log.jsonl")) if "diverged" in line)
    assert noted == {"at_step": 1, "rows": [{"file": f"{tmp_path}/tokens.bin", "token": row} for row in rows]}


@pytest.mark.parametrize("mesh", ["pp=2", "dp=2,pp=2"])
@pytest.mark.parametrize("layer", [0, 1])
def test_the_first_tensor_of_a_pipeline_is_named(program, train, tmp_path, mesh, layer):
    """By the stage that computes it and the micro-batch; all stages end with the same exit code."""
    compiled = program("cola", "tiny", mesh, "--verify", "--accumulate", "2")
    params = load_file(compiled.model.params_file)
    params[f"layers.{layer}.attn.q.down"][:, 2] = np.finfo(np.float32).max
    save_file(params, tmp_path / "init.safetensors")
    rest = ("--init", tmp_path / "init.safetensors", "--find-non-finite", "--lr", 0, "--min-lr", 0)
    code, errors = train(compiled, 5, *rest)
    assert code == 1, errors
    assert re.search(r"training diverged: at step 1 the loss is -?(nan|inf)", errors), errors
    place = rf"at .*llama.py:\d+ \(forward\) of micro-batch 0 on pipeline stage {layer}; lower --lr"
    assert re.search(rf"the first tensor with a NaN or \+infinity is '.*' {place}", errors), errors


def test_an_update_is_looked_into_as_well(program, train):
    compiled = program("cola", "tiny", "tp=2", "--verify")
    code, errors = train(compiled, 3, *TOO_FAR, "--find-non-finite")
    assert code == 1 and "the update of step 1 made 'embed' infinite or NaN" in errors, errors
    assert re.search(r"the first tensor with a NaN or \+infinity is '.*' at .* \(optimizer\)", errors), errors


def test_a_program_without_probes_cannot_look(program, train):
    code, errors = train(program("cola", "tiny", "tp=2"), 1, "--find-non-finite")
    assert code == 2
    assert "--find-non-finite needs a program whose tensors can be probed; compile it again with" in errors
    _, errors = train(program("cola", "tiny", "tp=2"), 3, *TOO_FAR)
    assert "; --find-non-finite names the first tensor of a step that is not finite; lower --lr" in errors


@pytest.mark.one_in(2, 1)
@pytest.mark.parametrize("mesh,options,per_step", [("tp=2", (), 64), ("dp=2", ("--accumulate", "2"), 128)])
def test_a_spike_is_reported_with_its_rows(program, train, tmp_path, mesh, options, per_step):
    """A model that has learned one token meets rows of others once; the run goes on."""
    compiled, log = program("cola", "tiny", mesh, *options), tmp_path / "log.jsonl"
    before, last = 100, 105
    tokens = np.full(last * per_step + 100, 3)
    begin = before * per_step
    tokens[begin + 1 : begin + per_step] = 4 + np.arange(per_step - 1) % 40
    write_tokens(tmp_path / "tokens.bin", tokens)
    rates = ("--lr", "1e-2", "--log", log)
    code, errors = train(compiled, last, *rates, data=tmp_path / "tokens.bin")
    assert code == 0, errors
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    steps = [line for line in lines if "step" in line]
    assert [line["tokens"] for line in steps] == [per_step] * last
    found = [line["spike"] for line in lines if "spike" in line]
    assert [spike["at_step"] for spike in found] == [before + 1]
    losses = [line["loss"] for line in steps[:before]]
    # The upper one of the two in the middle.
    assert found[0]["loss"]["median"] == pytest.approx(sorted(losses)[before // 2])
    assert found[0]["loss"]["value"] == steps[before]["loss"]
    starts = [row["token"] for row in found[0]["rows"]]
    assert min(starts) == begin and max(starts) < begin + per_step
    assert f"warning: at step {before + 1} the loss is {found[0]['loss']['value']:.3g}"[:40] in errors
    assert f"the rows of step {before + 1} begin at these tokens: {tmp_path}/tokens.bin: {begin}" in errors
    assert "lower --lr, lengthen --warmup" in errors
    code, errors = train(compiled, last, *rates, "--spike", 0, data=tmp_path / "tokens.bin")
    assert (code, errors) == (0, "")
