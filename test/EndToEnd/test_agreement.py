# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranks that were started differently: every option, file and program that all must have alike, over MPI
and over TCP. The options are those of the program's own --help, which lists apart what may differ."""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from harness import CUDA, TIMEOUT_SECONDS, environment, run, tool
from launcher import free_port
from safetensors.numpy import save_file

import boost_mlir
from boost_mlir import data

# Over MPI, every option in a run of its own too.
ALL = bool(os.environ.get("BOOST_ALL_AGREEMENT"))

DONE, USAGE = 0, 2
DIFFER = "error: the ranks of a run must agree, but these differ:"

# Takes tokens, a mask and positions, so that all options of `train` have a meaning.
LOSS = """\
module @jit_loss {
  func.func public @main(%w: tensor<8xf32> {boost.arg = "param", boost.name = "w"},
      %tokens: tensor<4x5xi32> {boost.arg = "batch", boost.name = "tokens"},
      %mask: tensor<4x5xf32> {boost.arg = "batch", boost.name = "mask"},
      %positions: tensor<4x5xi32> {boost.arg = "batch", boost.name = "positions"}) -> tensor<f32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %x = stablehlo.convert %tokens : (tensor<4x5xi32>) -> tensor<4x5xf32>
    %p = stablehlo.convert %positions : (tensor<4x5xi32>) -> tensor<4x5xf32>
    %xp = stablehlo.add %x, %p : tensor<4x5xf32>
    %target = stablehlo.multiply %xp, %mask : tensor<4x5xf32>
    %sum = stablehlo.reduce(%w init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
    %guess = stablehlo.broadcast_in_dim %sum, dims = [] : (tensor<f32>) -> tensor<4x5xf32>
    %d = stablehlo.subtract %guess, %target : tensor<4x5xf32>
    %square = stablehlo.multiply %d, %d : tensor<4x5xf32>
    %loss = stablehlo.reduce(%square init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x5xf32>, tensor<f32>) -> tensor<f32>
    return %loss : tensor<f32>
  }
}
"""


@dataclass
class Folder:
    """The files of the tests: of most there are two that differ."""

    path: Path

    def __post_init__(self):
        tokens = np.arange(200, dtype=np.uint16) % 7
        for name, changed, end in (("a", 1, 6), ("b", 2, 6), ("c", 1, 5), ("d", 2, 5)):
            tokens[150] = changed
            data.write_tokens(self / f"{name}.bin", tokens, eod=end)
            mask = np.ones(200, np.uint8)
            mask[100] = changed - 1
            (self / f"{name}.mask").write_bytes(mask.tobytes())
        for name, value in (("a", 1), ("b", 2)):
            w = np.full(8, value, np.float32)
            save_file({"w": w}, self / f"foreign-{name}.st")
            boost_mlir.save(self / f"own-{name}.st", {"w": w})
            batch = {"tokens": np.ones((4, 5), np.int32), "positions": np.ones((4, 5), np.int32)}
            save_file({"w": w, "mask": np.ones((4, 5), np.float32), **batch}, self / f"inputs-{name}.st")
        (self / "loss.mlir").write_text(LOSS)
        run(tool("boost-compile"), self / "loss.mlir", "--mesh", "dp=2", "-o", self / "train", "--quiet")

    def __truediv__(self, name):
        return self.path / name


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    return Folder(tmp_path_factory.mktemp("agreement"))


def start_mpi(binaries, words, variables):
    ranks = []
    for binary, own, variable in zip(binaries, words, variables):
        exported = [f"{name}={value}" for name, value in variable.items()]
        ranks += [":", "-np", "1", "env", *exported, str(binary), *own]
    return [subprocess.Popen(["mpirun", "--oversubscribe", *ranks[1:]], env=environment(), **PIPES)]


def start_tcp(binaries, words, variables):
    port = str(free_port())
    common = {"WORLD_SIZE": "2", "LOCAL_WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
    return [
        subprocess.Popen(
            [str(binary), *own],
            env=environment() | common | {"RANK": str(rank), "LOCAL_RANK": str(rank)} | variable,
            **PIPES,
        )
        for rank, (binary, own, variable) in enumerate(zip(binaries, words, variables))
    ]


PIPES = dict(stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
STARTS = {"mpi": start_mpi, "tcp": start_tcp}
over = pytest.mark.parametrize("launcher", STARTS)


def start(launcher, binaries, words, variables=({}, {})):
    """The exit codes and what two ranks print, which end by themselves."""
    words = [[str(word) for word in own] for own in words]
    processes = STARTS[launcher](binaries, words, variables)
    outputs = [process.communicate(timeout=TIMEOUT_SECONDS)[0] for process in processes]
    return {process.returncode for process in processes}, "".join(outputs)


def start_failing(binaries, words):
    """The exit code and what rank 1 prints, over TCP; rank 0 waits in vain, and is ended."""
    words = [[str(word) for word in own] for own in words]
    waiting, failing = start_tcp(binaries, words, ({}, {}))
    printed = failing.communicate(timeout=TIMEOUT_SECONDS)[0]
    waiting.kill()
    waiting.communicate()
    return failing.returncode, printed


def refused(launcher, binaries, words, variables=({}, {})) -> list[str]:
    """The lines that say what differs."""
    codes, printed = start(launcher, binaries, words, variables)
    assert codes == {USAGE}, printed
    assert printed.count("error: ") == 1, printed
    lines = printed[printed.index(DIFFER) :].splitlines()[1:]
    end = lines.index("start all ranks with the same program, options and files")
    assert all(" on rank 0, but " in line and line.endswith(" on rank 1") for line in lines[:end]), lines
    return lines[:end]


def named(lines, name) -> bool:
    return any(line.startswith(f"  {name}: ") for line in lines)


def options_of(program, command) -> tuple[set[str], set[str]]:
    """All options of a command, and those that may differ between ranks."""
    text = run(program, command, "--help").stdout
    everything, apart = text, text.partition("May differ between ranks:")[2]
    find = re.compile(r"^ +(?:-\w,)?--([a-z0-9-]+)", re.M).findall
    return set(find(everything)) - {"help"}, set(find(apart))


# Arguments of rank 0 and rank 1. None is nothing, True the option without a value. None of the
# files is read before the ranks have compared.
GIVEN = {
    "train": {
        "steps": (8, 9),
        "seed": (None, 1),
        "lr": (1e-3, 1e-2),
        "schedule": ("cosine", "wsd"),
        "min-lr": (1e-5, 2e-5),
        "warmup": (None, 1),
        "decay-steps": (None, 2),
        "clip": (None, 2),
        "beta1": (None, 0.8),
        "beta2": (None, 0.8),
        "eps": (1e-8, 1e-7),
        "weight-decay": (0.1, 0),
        "shuffle": (None, True),
        "batch": (None, "positions=segments"),
        "eod": (None, 3),
        "pad": (4, 5),
        "mask-starts": (None, True),
        "mask": (None, "m"),
        "val-data": (None, "v"),
        "val-mask": (None, "v"),
        "val-every": (None, 1),
        "val-batches": (None, 1),
        "init": (None, "i"),
        "no-init-file": (True, None),
        "trace": ("2:4", "2:5"),
        "find-non-finite": (True, None),
        "save": (None, "s"),
        "checkpoint": (None, "c"),
        "checkpoint-every": (None, 2),
        "keep-last": (None, 1),
        "keep-every": (None, 2),
        "resume": (None, True),
        "allow": (None, "lr"),
        "no-graph": (None, True),
    },
    "eval": {
        "outputs": ("o", None),
        "gradients": (True, None),
        "verify": (None, True),
        "keep": (None, "k"),
        "no-graph": (None, True),
    },
    "eval --verify": {"reference": (None, "r"), "keep": ("k", None)},
}
# Options whose files are compared, by content_cases().
CONTENT = {"train": {"data", "mask", "val-data", "val-mask", "init"}, "eval": {"inputs"}}
# An option that needs others, which both ranks are given then.
NEEDS = {
    **{name: ["--val-data", "v"] for name in ("val-mask", "val-every", "val-batches")},
    **{name: ["--checkpoint", "c"] for name in ("checkpoint-every", "keep-last", "keep-every", "resume")},
    "allow": ["--checkpoint", "c", "--resume"],
    "decay-steps": ["--schedule", "wsd", "--steps", 50],
    "keep": ["--verify"],
}
BASE = {"train": ["train", "--data", "x"], "eval": ["eval", "--inputs", "x"]}
BASE["eval --verify"] = [*BASE["eval"], "--verify"]


def words_of(options, rank):
    words = []
    for name, values in options.items():
        if values[rank] is not None:
            words += [f"--{name}"] if values[rank] is True else [f"--{name}", values[rank]]
    return words


def test_every_option_is_in_a_table(files):
    """An option that is added has to be compared, and to be tried here, or it may differ."""
    for command in ("train", "eval"):
        options, own = options_of(files / "train", command)
        compared = set(GIVEN[command]) | CONTENT[command]
        compared |= set(GIVEN["eval --verify"]) if command == "eval" else set()
        assert options == compared | own
        assert not compared & own


@over
@pytest.mark.parametrize("command", GIVEN)
def test_options_that_differ_are_refused(files, launcher, command):
    """All of a command at once, of which each has to be named."""
    options = GIVEN[command]
    words = [[*BASE[command], *words_of(options, rank)] for rank in (0, 1)]
    lines = refused(launcher, [files / "train"] * 2, words)
    assert [name for name in options if not named(lines, f"--{name}")] == []
    assert len(lines) == len(options)


SINGLE = [(command, name) for command, options in GIVEN.items() for name in options]


@pytest.mark.parametrize("launcher", [*(["mpi"] if ALL else []), "tcp"])
@pytest.mark.parametrize("command, name", SINGLE, ids=map(" --".join, SINGLE))
def test_one_option_that_differs_is_refused(files, launcher, command, name):
    needed = list(NEEDS.get(name, []))
    # Twice is no option.
    needed = [] if command == "eval --verify" else needed
    steps = [] if command != "train" or name == "steps" or "--steps" in needed else ["--steps", 8]
    words = [
        [*BASE[command], *needed, *steps, *words_of({name: GIVEN[command][name]}, rank)] for rank in (0, 1)
    ]
    assert named(refused(launcher, [files / "train"] * 2, words), f"--{name}")


def fed(files, **changed):
    """A command that reads files of every kind, some of them others."""
    names = {"data": "a.bin", "mask": "a.mask", "val-data": "a.bin", "val-mask": "a.mask"} | changed
    options = [word for name, file in names.items() for word in (f"--{name}", files / file)]
    return ["train", "--steps", 2, "--timeout", 60, *options]


# In files of the same kind: the option, the file of rank 1, and what is named. The end of documents
# comes with the header of a file.
DATA = [
    ("data", "b.bin", "--data"),
    ("data", "c.bin", "--eod"),
    ("mask", "b.mask", "--mask"),
    ("val-data", "b.bin", "--val-data"),
    ("val-data", "c.bin", "--eod of --val-data"),
    ("val-mask", "b.mask", "--val-mask"),
]


def content_cases(files, launcher):
    """The commands of both ranks, and all that is named."""
    if launcher == "tcp" or ALL:
        for name, file, label in DATA:
            yield fed(files), fed(files, **{name: file}), {label}
        start = [[*fed(files), "--init", files / f"own-{name}.st"] for name in "ab"]
        yield *start, {"--init"}
    changed = {name: "d.bin" if "data" in name else file for name, file, _ in DATA}
    yield fed(files), fed(files, **changed), {label for *_, label in DATA}
    start = [[*fed(files), "--init", files / f"foreign-{name}.st"] for name in "ab"]
    yield *start, {"--init"}
    inputs = [["eval", "--inputs", files / f"inputs-{name}.st"] for name in "ab"]
    yield *inputs, {"--inputs"}


@over
def test_files_that_differ_are_refused(files, launcher):
    assert {name for name, *_ in DATA} == CONTENT["train"] - {"init"}
    for *words, expected in content_cases(files, launcher):
        lines = refused(launcher, [files / "train"] * 2, words)
        assert {line.split(": ")[0].strip() for line in lines} == expected


@over
def test_the_same_files_elsewhere_are_taken(files, launcher, tmp_path):
    """Only their content counts."""
    words = []
    for rank in ("0", "1"):
        folder = shutil.copytree(files.path, tmp_path / rank)
        words.append(["train", "--data", folder / "a.bin", "--mask", folder / "a.mask", "--init"])
        words[-1] += [folder / "foreign-a.st", "--steps", 2]
    codes, printed = start(launcher, [files / "train"] * 2, words)
    assert codes == {DONE}, printed


@over
def test_what_may_differ_changes_nothing(files, launcher, tmp_path):
    (tmp_path / "config.json").write_text('{"lr": 0.01, "warmup": 1}')
    own = {
        "log": (None, tmp_path / "1.jsonl"),
        "tensorboard": (tmp_path / "events", None),
        "trace-file": (tmp_path / "0.json", tmp_path / "1.json"),
        "spike": (0, 10),
        "config": (tmp_path / "config.json", None),
        "quiet": (None, True),
        "json": (None, True),
        "timeout": (60, 70),
    }
    assert set(own) == options_of(files / "train", "train")[1]
    assert {"json", "timeout"} == options_of(files / "train", "eval")[1]
    options = ["train", "--data", files / "a.bin", "--mask", files / "a.mask", "--steps", 4, "--save"]
    rate = ["--lr", 0.01, "--warmup", 1]
    saved = [tmp_path / name for name in ("alike.st", "different.st")]
    both = [[*options, saved[0], *rate]] * 2
    # The same values from the file, from the command line, and from a default.
    different = [
        [*options, saved[1], "--trace", "2:3", *words_of(own, 0), "--seed", "0"],
        [*options, saved[1], "--trace", "2:3", *words_of(own, 1), *rate, "--min-lr", "1e-3"],
    ]
    for words in (both, different):
        codes, printed = start(launcher, [files / "train"] * 2, words)
        assert codes == {DONE}, printed
    assert saved[0].read_bytes() == saved[1].read_bytes()
    assert (tmp_path / "0.json").exists() and not (tmp_path / "1.json").exists()
    # Options in a file are compared as options.
    different[1][different[1].index("--lr") + 1] = 0.02
    lines = refused(launcher, [files / "train"] * 2, different)
    assert named(lines, "--lr") and not named(lines, "--warmup")


@over
def test_programs_that_differ_are_refused(files, launcher, tmp_path):
    """Another version of the program, which has the same plan, and one whose ranks have other groups."""
    version, mesh = tmp_path / "version", tmp_path / "mesh"
    shutil.copy(files / "train", version)
    with version.open("ab") as file:
        file.write(b"\0")
    run(tool("boost-compile"), files / "loss.mlir", "--mesh", "dp=2,tp=1", "-o", mesh, "--quiet")
    words = ["eval", "--inputs", files / "inputs-a.st", "--timeout", 60]
    for other in (version, mesh):
        binaries = [files / "train", other]
        if launcher == "mpi":
            (line,) = refused(launcher, binaries, [words] * 2)
            assert line.startswith("  the program: ")
        else:
            # Rank 0 goes on waiting for one that belongs to it.
            code, printed = start_failing(binaries, [words] * 2)
            assert code == USAGE
            assert "rank 1 runs another program than rank 0, or another version of it" in printed
    commands = [words, ["train", "--data", files / "a.bin", "--mask", files / "a.mask", "--steps", 1]]
    assert "  the command: eval on rank 0, but train on rank 1" in refused(
        launcher, [files / "train"] * 2, commands
    )


@over
def test_checkpoints_that_differ_are_refused(files, launcher, tmp_path):
    def words_of_run(name, *options):
        data = ["train", "--data", files / "a.bin", "--mask", files / "a.mask"]
        return [*data, "--checkpoint", tmp_path / name, "--checkpoint-every", 2, *options]

    for name, seed in (("one", 0), ("two", 9)):
        codes, printed = start("tcp", [files / "train"] * 2, [words_of_run(name, "--steps", 4, "--seed", seed)] * 2)
        assert codes == {DONE}, printed
    shutil.copytree(tmp_path / "one", tmp_path / "copy")
    shutil.copytree(tmp_path / "one", tmp_path / "older")
    shutil.rmtree(tmp_path / "older" / "step-4")
    resumed = ["--steps", 6, "--resume"]

    def compare(first, second):
        words = [words_of_run(first, *resumed), words_of_run(second, *resumed)]
        return refused(launcher, [files / "train"] * 2, words)

    seed, tensors = compare("one", "two")
    assert seed == "  checkpoint step-4, --seed: 0 on rank 0, but 9 on rank 1"
    assert tensors.startswith("  checkpoint step-4, its tensors: ")
    newest = "  the newest checkpoint of --checkpoint: "
    assert compare("one", "older") == [newest + "step-4 on rank 0, but step-2 on rank 1"]
    assert compare("older", "one") == [newest + "step-2 on rank 0, but step-4 on rank 1"]
    assert compare("one", "nowhere") == [newest + "step-4 on rank 0, but none on rank 1"]
    # One folder under two names.
    words = [words_of_run(name, *resumed) for name in ("one", "copy")]
    codes, printed = start(launcher, [files / "train"] * 2, words)
    assert codes == {DONE} and "resumed after step 4" in printed


def test_a_mistake_of_one_rank_is_told(files):
    """Rank 0 waits for the ranks that have not come, and the rank that fails says why."""
    words = ["eval", "--inputs", files / "inputs-a.st", "--timeout", 60]
    code, printed = start_failing([files / "train"] * 2, (words, [*words, "--bogus"]))
    assert code == USAGE
    assert "error: rank 1: The following argument was not expected: --bogus" in printed


@over
def test_gpus_use_the_same_collectives(program, launcher):
    compiled = program("cola", "tiny", "tp=2", *CUDA)
    words = ["eval", "--inputs", compiled.model.inputs_file, "--timeout", 60]
    for chosen in ({"BOOST_CUDA_COLLECTIVES": "staged"}, {"BOOST_CUDA_COLLECTIVES": "magic"}):
        (line,) = refused(
            launcher, [compiled.binary] * 2, [words] * 2, ({"BOOST_CUDA_COLLECTIVES": "nccl"}, chosen)
        )
        assert line == f"  BOOST_CUDA_COLLECTIVES: nccl on rank 0, but {chosen['BOOST_CUDA_COLLECTIVES']} on rank 1"
