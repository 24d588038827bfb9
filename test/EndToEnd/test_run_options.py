# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Options of a training run: schedules, several files of data, random order, validation."""

import json
import re

import numpy as np
import optax
import pytest
from harness import ranks_of, run, tool
from safetensors.numpy import load_file, save_file

import boost_mlir
from boost_mlir import data

STEPS, PEAK, FLOOR, WARMUP = 12, 1e-2, 2e-3, 3
ROWS, LENGTH = 2, 4

# w times the sum of the tokens: the loss tells which windows a batch has.
LOSS = """\
module @jit_loss {
  func.func public @main(%w: tensor<1xf32> {boost.arg = "param", boost.name = "w"},
      %tokens: tensor<2x5xi32> {boost.arg = "batch", boost.name = "tokens"}) -> tensor<f32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %x = stablehlo.convert %tokens : (tensor<2x5xi32>) -> tensor<2x5xf32>
    %v = stablehlo.broadcast_in_dim %w, dims = [1] : (tensor<1xf32>) -> tensor<2x5xf32>
    %d = stablehlo.multiply %x, %v : tensor<2x5xf32>
    %loss = stablehlo.reduce(%d init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x5xf32>, tensor<f32>) -> tensor<f32>
    return %loss : tensor<f32>
  }
}
"""


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """The program for a mesh, as the command that starts it."""
    folder, cache = tmp_path_factory.mktemp("run-options"), {}
    (folder / "loss.mlir").write_text(LOSS)

    def make(mesh="dp=1"):
        if mesh not in cache:
            binary = folder / mesh.replace("=", "-")
            run(tool("boost-compile"), folder / "loss.mlir", "--mesh", mesh, "-o", binary, "--quiet")
            ranks = ranks_of(mesh)
            cache[mesh] = (*(("mpirun", "-np", ranks, "--oversubscribe") if ranks > 1 else ()), binary)
        return cache[mesh]

    return make


@pytest.fixture
def files(tmp_path):
    """Three files of tokens: no two windows of LENGTH + 1 tokens have the same sum."""
    start, paths = 0, []
    for i, windows in enumerate((5, 3, 4)):
        path = tmp_path / f"part_{i}.bin"
        # The tokens that are left over are no window.
        count = windows * LENGTH + 3
        data.write_tokens(path, np.arange(start, start + count, dtype=np.uint16))
        start += count
        paths.append(path)
    return paths


def train(programs, *options, mesh="dp=1", check=True):
    return run(*programs(mesh), "train", "--lr", 0, *options, check=check)


def windows_of(paths):
    """Returns the documented windows: those of each file at every LENGTH tokens."""
    windows = []
    for path in paths:
        tokens = data.read_tokens(path).astype(np.int64)
        windows += [tokens[i : i + LENGTH + 1] for i in range(0, len(tokens) - LENGTH, LENGTH)]
    return windows


def sums_of(log):
    return [round(record["loss"]) for record in boost_mlir.read_log(log)]


SCHEDULES = {
    "constant": optax.constant_schedule(PEAK),
    "linear": optax.linear_schedule(PEAK, FLOOR, STEPS - WARMUP),
    "cosine": optax.cosine_decay_schedule(PEAK, STEPS - WARMUP, alpha=FLOOR / PEAK),
    "wsd": optax.join_schedules(
        [optax.constant_schedule(PEAK), optax.linear_schedule(PEAK, FLOOR, 4)], [STEPS - WARMUP - 4]
    ),
}


@pytest.mark.parametrize("name", SCHEDULES)
def test_schedules_are_those_of_optax(programs, files, tmp_path, name):
    """Step n of a program, counted from 1, has the rate of optax at n."""
    expected = optax.join_schedules(
        [optax.linear_schedule(0, PEAK, WARMUP), SCHEDULES[name]], [WARMUP]
    )
    options = ["--schedule", name, "--lr", PEAK, "--warmup", WARMUP]
    options += [] if name == "constant" else ["--min-lr", FLOOR]
    options += ["--decay-steps", 4] if name == "wsd" else []
    log = tmp_path / "log.jsonl"
    run(*programs(), "train", "--data", files[0], "--steps", STEPS, "--log", log, *options)
    rates = [record["lr"] for record in boost_mlir.read_log(log)]
    assert rates == pytest.approx([float(expected(n)) for n in range(1, STEPS + 1)], rel=1e-6)


@pytest.mark.parametrize(
    "options, says",
    [
        (("--schedule", "exponential"), "--schedule"),
        (("--schedule", "constant", "--min-lr", 0), "--schedule constant stays at --lr"),
        (("--decay-steps", 2), "--decay-steps is of --schedule wsd"),
        (("--schedule", "wsd", "--decay-steps", 8, "--warmup", 5), "together longer than --steps 12"),
        (("--schedule", "wsd", "--decay-steps", 0), "--decay-steps"),
        (("--val-every", 2), "--val-data"),
        (("--val-data", "nowhere_*.bin"), "no token file matches 'nowhere_*.bin'"),
        (("--val-data", "nowhere.bin"), "nowhere.bin"),
        (("--val-data", ""), "expects a path, but got an empty one"),
    ],
)
def test_mistakes(programs, files, options, says):
    result = train(programs, "--data", files[0], "--steps", STEPS, *options, check=False)
    assert result.returncode in (2, 3)
    assert says in result.stderr


def test_a_schedule_is_of_a_run(programs, files, tmp_path):
    common = ["--data", files[0], "--checkpoint", tmp_path / "ck"]
    train(programs, *common, "--steps", 4, "--schedule", "wsd", "--shuffle")
    again = train(programs, *common, "--steps", 8, "--resume", check=False)
    assert again.returncode == 6
    assert "--schedule: was wsd, but is cosine" in again.stderr
    assert "--shuffle: was true, but is false" in again.stderr
    # The use of wsd: to go on, with the decay at another end.
    train(programs, *common, "--steps", 30, "--resume", "--schedule", "wsd", "--shuffle")


@pytest.mark.parametrize("given", ["files", "pattern", "twice"])
def test_files_follow_one_another(programs, files, tmp_path, given):
    log, weight = tmp_path / "log.jsonl", tmp_path / "one.safetensors"
    save_file({"w": np.ones(1, np.float32)}, weight)
    paths = {"files": files, "pattern": [tmp_path / "part_*.bin"]}.get(given)
    options = ["--data", *paths] if paths else [each for path in files for each in ("--data", path)]
    result = train(programs, *options, "--steps", 6, "--init", weight, "--log", log)
    sums = [window.sum() for window in windows_of(files)]
    assert len(sums) == 12
    assert sums_of(log) == [sums[i] + sums[i + 1] for i in range(0, 12, 2)]
    assert f"data: 3 files from {files[0]} to {files[2]}, 57 tokens" in result.stdout


def test_a_file_that_is_too_short_is_named(programs, files, tmp_path):
    data.write_tokens(tmp_path / "part_3.bin", np.arange(LENGTH, dtype=np.uint16))
    result = train(programs, "--data", tmp_path / "part_*.bin", "--steps", 1, check=False)
    assert result.returncode == 3
    assert "part_3.bin has 4 tokens, but one row of a batch needs 5" in result.stderr


def test_other_files_are_other_data(programs, files, tmp_path):
    common = ["--steps", 4, "--checkpoint", tmp_path / "ck"]
    train(programs, *common, "--data", *files)
    again = train(programs, *common, "--data", *files[::-1], "--resume", check=False)
    assert again.returncode == 6
    assert "--data: was 57 tokens in 3 files with the checksum" in again.stderr


def shuffled(programs, files, folder, *options, mesh="dp=1", steps=18):
    log, weight = folder / "log.jsonl", folder / "one.safetensors"
    save_file({"w": np.ones(1, np.float32)}, weight)
    train(
        *(programs, "--data", *files, "--steps", steps, "--log", log, "--shuffle", *options),
        *(() if "--resume" in options else ("--init", weight)),
        mesh=mesh,
    )
    return sums_of(log)


def test_random_order_has_every_window_once_an_epoch(programs, files, tmp_path):
    """Six batches are an epoch of twelve windows; their sums tell what is in them."""
    batches = shuffled(programs, files, tmp_path)
    sums = {int(window.sum()) for window in windows_of(files)}
    epochs = [batches[i : i + 6] for i in (0, 6, 12)]
    for epoch in epochs:
        assert sum(epoch) == sum(sums)
        assert all(any(total - each in sums for each in sums) for total in epoch)
    assert len({tuple(epoch) for epoch in epochs}) == 3
    assert shuffled(programs, files, tmp_path, "--seed", 1) != batches


def test_random_order_is_that_of_the_seed_alone(programs, files, tmp_path):
    batches = shuffled(programs, files, tmp_path)
    assert shuffled(programs, files, tmp_path, mesh="dp=2") == batches
    checkpoint = ("--checkpoint", tmp_path / "ck")
    shuffled(programs, files, tmp_path, *checkpoint, steps=7)
    assert shuffled(programs, files, tmp_path, *checkpoint, "--resume") == batches


def test_ids_of_a_random_order_are_checked_in_all_files(model, tmp_path):
    """A batch of the first steps may come from anywhere."""
    cola = model("cola")
    binary = tmp_path / "train"
    run(tool("boost-compile"), cola.text_file, "-o", binary, "--quiet")
    tokens = np.zeros(100_000, np.uint16)
    tokens[60_000] = 60_000
    data.write_tokens(tmp_path / "late.bin", tokens)
    common = (binary, "train", "--data", tmp_path / "late.bin", "--steps", 1)
    run(*common)
    result = run(*common, "--shuffle", check=False)
    assert result.returncode == 3
    assert "is id 60000" in result.stderr


def test_validation_loss_is_that_of_eval(program, tmp_path):
    """The mean over all batches that the data fills, of the parameters after the step."""
    compiled = program("cola", "tiny", "tp=2")
    info = compiled.info
    rows, length = info["batch"][0]["shape"]
    count = 3
    tokens = np.random.default_rng(7).integers(0, 64, rows * length * count + 5).astype(np.uint16)
    val, log, saved = (tmp_path / name for name in ("val.bin", "log.jsonl", "end.safetensors"))
    data.write_tokens(val, tokens)
    result = compiled.launch(
        *("train", "--data", compiled.model.tokens_file, "--steps", 4, "--lr", 1e-2, "--json"),
        *("--val-data", val, "--val-every", 3, "--log", log, "--save", saved),
    )
    records = boost_mlir.read_log(log)
    assert [record["step"] for record in records if "val_loss" in record] == [3, 4]
    names = {each["name"]: each["feed"] for each in info["batch"]}
    losses = []
    for batch in range(count):
        starts = (batch * rows + np.arange(rows)) * length
        windows = np.stack([tokens[start : start + length + 1] for start in starts]).astype(np.int32)
        fed = {"inputs": windows[:, :-1], "targets": windows[:, 1:], "tokens": windows}
        inputs = {**load_file(saved), **{name: fed[feed] for name, feed in names.items()}}
        save_file(
            {name: np.ascontiguousarray(array) for name, array in inputs.items()},
            tmp_path / "inputs.safetensors",
        )
        report = compiled.launch("eval", "--inputs", tmp_path / "inputs.safetensors", "--json")
        losses.append(json.loads(report.stdout.splitlines()[-1])["loss"])
    assert records[-1]["val_loss"] == pytest.approx(np.mean(losses), rel=1e-6)
    summary = json.loads(result.stdout.splitlines()[-1])
    assert summary["val_loss"] == records[-1]["val_loss"]
    assert summary["plan_agrees"]
    assert records[2]["val_loss"] != records[3]["val_loss"]


def test_validation_changes_nothing(program, tmp_path):
    compiled = program("cola", "tiny", "tp=2")
    saved = []
    for options in ((), ("--val-data", compiled.model.tokens_file, "--val-every", 1, "--val-batches", 2)):
        saved.append(tmp_path / f"{len(saved)}.safetensors")
        compiled.launch(
            *("train", "--data", compiled.model.tokens_file, "--steps", 3, "--save", saved[-1]),
            *options,
        )
    assert saved[0].read_bytes() == saved[1].read_bytes()


def test_too_little_to_validate_on(programs, files, tmp_path):
    data.write_tokens(tmp_path / "few.bin", np.arange(LENGTH + 1, dtype=np.uint16))
    result = train(
        *(programs, "--data", files[0], "--steps", 1, "--val-data", tmp_path / "few.bin"), check=False
    )
    assert result.returncode == 3
    assert "not enough for a batch" in result.stderr
    # One batch is enough.
    data.write_tokens(tmp_path / "few.bin", np.arange(ROWS * LENGTH + 1, dtype=np.uint16))
    train(programs, "--data", files[0], "--steps", 1, "--val-data", tmp_path / "few.bin")


def test_a_config_file_is_the_same_as_options(programs, files, tmp_path):
    config, logs = tmp_path / "run.json", [tmp_path / f"{name}.jsonl" for name in "ab"]
    options = {"steps": 6, "lr": 3e-4, "schedule": "wsd", "decay-steps": 2, "seed": 3}
    config.write_text(
        json.dumps({**options, "shuffle": True, "no-init-file": False, "data": [str(f) for f in files]})
    )
    flags = [each for name, value in options.items() for each in (f"--{name}", value)]
    run(*programs(), "train", "--config", config, "--log", logs[0])
    run(*programs(), "train", *flags, "--shuffle", "--data", *files, "--log", logs[1])
    results = [[(each["loss"], each["lr"]) for each in boost_mlir.read_log(log)] for log in logs]
    assert len(results[0]) == 6
    assert results[0] == results[1]


def test_the_command_line_goes_before_the_config_file(programs, files, tmp_path):
    config, log = tmp_path / "run.json", tmp_path / "log.jsonl"
    config.write_text(
        json.dumps({"steps": 6, "lr": 1.0, "schedule": "constant", "data": "nowhere.bin"})
    )
    run(
        *(*programs(), "train", f"--config={config}", "--lr=0.25", "--steps", 2, "--data", files[0]),
        *("--log", log),
    )
    assert [record["lr"] for record in boost_mlir.read_log(log)] == [0.25, 0.25]


@pytest.mark.parametrize(
    "text, says",
    [
        ("{", "expects a JSON object"),
        ("[1]", "expects a JSON object such as"),
        ('{"learning_rate": 1}', "'learning_rate' is not an option of train"),
        ('{"config": "other.json"}', "'config' is not an option of train"),
        ('{"lr": null}', "expects a number, a string, true, false or an array of them for 'lr'"),
        ('{"lr": {"peak": 1}}', "for 'lr', but got {\"peak\":1}"),
        ('{"lr": "fast"}', "--lr"),
        ('{"steps": 1.5}', "expects a whole number"),
        ('{"lr": 1, "lr": 2}', "given twice"),
        ('{"save": ""}', "expects a path, but got an empty one"),
    ],
)
def test_config_files_that_are_refused(programs, files, tmp_path, text, says):
    config = tmp_path / "run.json"
    config.write_text(text)
    result = run(
        *(*programs(), "train", "--config", config, "--data", files[0]), check=False
    )
    assert result.returncode == 2
    assert says in result.stderr


def test_a_config_file_that_is_not_there(programs, tmp_path):
    result = run(*programs(), "train", "--config", tmp_path / "none.json", check=False)
    assert result.returncode == 2
    assert "none.json: No such file" in result.stderr


def test_the_log_and_checkpoints_repeat_the_configuration(programs, files, tmp_path):
    """After the file and the command line; as a file it gives the same run."""
    config, logs = tmp_path / "run.json", [tmp_path / f"{name}.jsonl" for name in "ab"]
    config.write_text(json.dumps({"steps": 6, "lr": 1.0, "schedule": "wsd", "shuffle": True}))
    given = ("--config", config, "--lr", 1e-3, "--beta2", 0.9, "--data", *files)
    run(*programs(), "train", *given, "--log", logs[0], "--checkpoint", tmp_path / "ck")
    (start,) = boost_mlir.read_configs(logs[0])
    assert logs[0].read_text().startswith('{"config":')
    info = json.loads(run(*programs(), "info").stdout)
    assert (start["first_step"], start["program"], start["mesh"]) == (1, info["hash"], "dp=1")
    expected = {"steps": 6, "lr": 1e-3, "schedule": "wsd", "shuffle": True, "beta1": 0.9, "beta2": 0.9}
    expected |= {"min-lr": 1e-4, "decay-steps": 1, "data": [str(file) for file in files]}
    assert expected.items() <= start["config"].items()
    state = json.loads((tmp_path / "ck" / "step-6" / "state.json").read_text())
    assert state["config"] == start["config"]

    changed = {"log": str(logs[1]), "checkpoint": str(tmp_path / "other")}
    config.write_text(json.dumps(start["config"] | changed))
    run(*programs(), "train", "--config", config)
    (again,) = boost_mlir.read_configs(logs[1])
    assert again["config"] == start["config"] | changed
    losses = [[(each["loss"], each["lr"]) for each in boost_mlir.read_log(log)] for log in logs]
    assert len(losses[0]) == 6 and losses[0] == losses[1]


def test_the_configuration_has_every_option(programs, files, tmp_path):
    """Tests runs which together have all options of `train --help` in effect."""
    options = set(re.findall(r"^ +(?:-\w,)?--([a-z0-9-]+)", run(*programs(), "train", "--help").stdout, re.M))
    assert {"help", "config", "data", "lr", "weight-decay", "timeout"} <= options
    init = tmp_path / "init.safetensors"
    common = ("--data", files[0], "--steps", 1, "--save", init)
    runs = [
        ("--val-data", files[1], "--val-every", 1, "--val-batches", 1),
        ("--init", init, "--schedule", "wsd"),
        ("--checkpoint", tmp_path / "ck", "--checkpoint-every", 1, "--keep-every", 1),
        ("--checkpoint", tmp_path / "ck", "--resume", "--allow", "data"),
        ("--tensorboard", tmp_path / "events"),
        ("--trace", "1:2", "--trace-file", tmp_path / "trace.json"),
    ]
    seen = set()
    for i, each in enumerate(runs):
        log = tmp_path / f"{i}.jsonl"
        run(*programs(), "train", *common, *each, "--log", log)
        seen |= set(boost_mlir.read_configs(log)[0]["config"])
    # This program has one batch argument, which takes no --batch and no mask (test_documents.py).
    documents = {"mask", "val-mask", "pad", "eod"}
    assert seen == options - {"help", "config", "batch"} - documents
