# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A batch that is computed in parts trains as JAX trains on all of it."""

import json
import shutil

import jax
import numpy as np
import optax
import pytest
from checks import GRADIENT_TOLERANCE, LOSS_TOLERANCE, check_training
from foreign_models import PROGRAMS
from harness import BATCH, CUDA, SEQ, evaluate, relative_error, run, tool

import boost_mlir
from boost_mlir import testing
from boost_mlir.export import export


@pytest.mark.parametrize(
    "kind, shape, mesh, number",
    [
        ("full", "tiny", "dp=2,tp=2", 2),
        ("svd", "tiny", "1", 2),
        ("cola", "odd", "1", 4),
        ("lax", "tiny", "tp=2", 4),
    ],
)
def test_ten_steps_give_the_losses_of_jax(program, kind, shape, mesh, number):
    compiled = program(kind, shape, mesh, f"--micro-batches={number}")
    assert compiled.info["schedules"]["train"]["micro_batches"] == number
    check_training(compiled)


def test_parts_of_a_batch_are_accumulated_with_others(program):
    """Two batches a step, each in two parts: what two batches at once give."""
    split = program("cola", "tiny", "1", "--accumulate=2", "--micro-batches=2")
    plain = program("cola", "tiny", "1", "--accumulate=2")
    records, _ = split.train()
    expected, _ = plain.train()
    for name in ("loss", "grad_norm"):
        assert [r[name] for r in records] == pytest.approx([r[name] for r in expected], rel=1e-5)


def test_gpus_compute_what_jax_computes(program):
    check_training(program("svd", "tiny", "tp=2", "--micro-batches=2", *CUDA))


# A mean over tokens, over the steps of a scan, of squares, over classes of images.
@pytest.mark.parametrize("name", ["gpt2_scan_remat", "t5", "attention_over_steps", "vit"])
def test_programs_of_others(tmp_path, name):
    """`eval` takes the exported batch; loss and gradients are those of all of it."""
    program = PROGRAMS[name]()
    batch = list(program.batch.values())
    expected_loss, expected = testing.value_and_grad(program.loss, program.params, *batch)
    file, binary = tmp_path / "model.mlir", tmp_path / "train"
    file.write_text(export(program.loss, program.params, *batch))
    run(tool("boost-compile"), file, "--micro-batches=2", "--allow-float-batch", "-o", binary)
    inputs = tmp_path / "inputs.safetensors"
    boost_mlir.save(inputs, program.params, program.batch)
    values = evaluate(binary, inputs, tmp_path / "outputs.safetensors")
    assert values["loss"] == pytest.approx(expected_loss, rel=LOSS_TOLERANCE)
    for key, value in expected.items():
        assert relative_error(values[f"grad.{key}"], value) < GRADIENT_TOLERANCE, key
    # One of the parts is no batch of this program.
    halves = {key: value[: len(value) // 2] for key, value in program.batch.items()}
    boost_mlir.save(inputs, program.params, halves)
    result = run(binary, "eval", "--inputs", inputs, check=False)
    assert result.returncode == 3 and "write it as the model was exported" in result.stderr


def test_ranks_evaluate_the_exported_batch(program):
    """Shards of gradients are means, each by itself; `info` lists what is taken."""
    plain, split = program("cola", "tiny", "1"), program("cola", "tiny", "dp=2,tp=2", "--micro-batches=2")
    expected, values = plain.evaluate(), split.evaluate()
    assert values.keys() == expected.keys()
    for name, value in expected.items():
        assert relative_error(values[name], value) < GRADIENT_TOLERANCE, name
    result = split.launch("eval", "--inputs", split.model.inputs_file, "--json")
    assert json.loads(result.stdout)["plan_agrees"]
    listed = {each["name"]: (each["shape"], each.get("micro_batches")) for each in split.info["batch"]}
    assert listed == {"tokens": ([BATCH, SEQ], 2), "targets": ([BATCH, SEQ], 2)}


def test_a_mean_over_some_tokens_is_refused_at_its_line(tmp_path):
    """How many tokens count is known only when all parts of the batch have been read."""
    program = PROGRAMS["haiku_gpt"]()
    file = tmp_path / "model.mlir"
    file.write_text(export(program.loss, program.params, *program.batch.values()))
    result = run(
        tool("boost-compile"), file, "--micro-batches=2", "--emit=graph", "-o", "/dev/null", check=False
    )
    assert result.returncode == 4
    assert "packages.py" in result.stderr and "expects a loss that is a mean over the sequences" in result.stderr
    assert "give --accumulate=2, which takes the mean of their losses" in result.stderr


def test_a_run_goes_on_with_another_number(program, tmp_path):
    """Checkpoints do not depend on it: neither is the order of the data, nor the state."""
    plain, split = program("cola", "tiny", "1"), program("cola", "tiny", "1", "--micro-batches=2")
    expected, _ = plain.train()
    checkpoints = ("--checkpoint", tmp_path, "--checkpoint-every", 4)
    plain.train(*checkpoints)
    for later in (8, 10):
        shutil.rmtree(tmp_path / f"step-{later}")
    records, _ = split.train(*checkpoints, "--resume")
    assert [record["step"] for record in records] == [5, 6, 7, 8, 9, 10]
    assert [r["loss"] for r in records] == pytest.approx(
        [r["loss"] for r in expected[4:]], rel=1e-5
    )


@pytest.mark.parametrize("order", [(), ("--shuffle",)])
def test_epochs_are_those_of_the_batch(program, tmp_path, order):
    """Tests 7 windows, which neither batches nor parts of them divide; validation uses one
    batch."""
    plain, split = program("cola", "tiny", "1"), program("cola", "tiny", "1", "--micro-batches=2")
    tokens = tmp_path / "tokens.bin"
    boost_mlir.data.write_tokens(tokens, plain.model.tokens[: 7 * SEQ + 1])
    losses = []
    for compiled in (plain, split):
        log = tmp_path / "log.jsonl"
        log.unlink(missing_ok=True)
        compiled.launch(
            *("train", "--data", tokens, "--steps", 6, "--lr", 1e-3, "--log", log, *order),
            *("--val-data", tokens, "--val-every", 3),
        )
        records = [json.loads(line) for line in log.read_text().splitlines()]
        losses.append([r[key] for r in records for key in ("loss", "val_loss") if key in r])
    assert len(losses[0]) == 8
    assert losses[1] == pytest.approx(losses[0], rel=1e-5)


def test_a_split_program_verifies_itself(program):
    compiled = program("cola", "tiny", "tp=2", "--micro-batches=2", "--verify")
    result = compiled.launch("eval", "--verify", "--inputs", compiled.model.inputs_file)
    assert "verified" in result.stdout + result.stderr


def test_memory_is_what_it_saves(program):
    peaks = [
        program("cola", "tiny", "1", f"--micro-batches={number}").plan["memory"]["kept"]
        for number in (1, 2, BATCH)
    ]
    assert peaks[0] > 1.8 * peaks[1] > 3 * peaks[2]


def test_parts_of_a_batch_have_its_number(tmp_path):
    """A loss that grows with the step: were parts counted, it would grow faster."""

    def loss(params, tokens, targets, step):
        logits = params["embed"][tokens] @ params["head"]
        losses = optax.softmax_cross_entropy_with_integer_labels(logits, targets)
        return losses.mean() * (1 + 0.5 * step)

    keys = jax.random.split(jax.random.key(0))
    params = {"embed": jax.random.normal(keys[0], (32, 8)), "head": jax.random.normal(keys[1], (8, 32))}
    rows = np.zeros((BATCH, SEQ), np.int32)
    file, tokens = tmp_path / "model.mlir", tmp_path / "tokens.bin"
    file.write_text(export(loss, params, rows, rows, np.int32(0), init="default"))
    boost_mlir.data.write_tokens(tokens, np.random.default_rng(1).integers(0, 32, 500).astype(np.uint16))
    losses = []
    for number in (1, 2):
        binary, log = tmp_path / f"train{number}", tmp_path / f"{number}.jsonl"
        run(tool("boost-compile"), file, f"--micro-batches={number}", "-o", binary)
        run(binary, "train", "--data", tokens, "--steps", 3, "--lr", 1e-3, "--log", log)
        losses.append([record["loss"] for record in boost_mlir.read_log(log)])
    assert losses[1] == pytest.approx(losses[0], rel=1e-5)
    assert losses[0][2] > 1.9 * losses[0][0]
