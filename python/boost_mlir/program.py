# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`boost-compile` and compiled programs from Python.

    program = boost_mlir.compile(loss, params, (tokens, targets), mesh="tp=2")
    result = boost_mlir.run(program, "train", data="tokens.bin", steps=100, lr=2e-3)
    result.losses
"""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
import tempfile
import weakref
from pathlib import Path

from ._tools import ToolError, find_tool, run_command
from ._values import Exported
from .export import export
from .logs import read_configs, read_log

# The commands that print a summary with --json.
_SUMMARIZING = ("train", "eval")
# Launchers by name: the words that start so many ranks.
_LAUNCHERS = {
    "mpirun": lambda ranks: ["mpirun", "-np", ranks],
    "torchrun": lambda ranks: ["torchrun", "--standalone", "--nproc-per-node", ranks, "--no-python", "--"],
}
# For one that is not there.
_OTHER_LAUNCHER = {
    "mpirun": "install Open MPI, or pass launcher='torchrun', which comes with PyTorch and needs no MPI",
    "torchrun": "it comes with PyTorch (pip install torch); launcher='mpirun' needs Open MPI",
}


class CompileError(ToolError):
    """`boost-compile` refused a program; `exit_code` and `messages` are those of the tool."""


class RunError(ToolError):
    """A compiled program ended with an error; `exit_code` is one of docs/HowTo/RunAProgram.md."""


class Program:
    """A compiled program: the executable that `boost-compile` wrote.

    path: where it is. Any program will do, also one that was compiled in a shell.
    """

    def __init__(self, path):
        self.path = Path(path).absolute()

    def __repr__(self):
        return f"Program({str(self.path)!r})"

    def info(self) -> dict:
        """The content of the program: parameters, batch, mesh, ranks, memory and the plan."""
        return json.loads(run_command([self.path, "info"], RunError, lambda line: False))


@dataclasses.dataclass(frozen=True)
class Result:
    """The results of a program that ended without an error.

    command: the words that were run.
    output:  what it printed.
    summary: what `train` and `eval` sum up with `--json`; empty for other commands.
    records: one dictionary per step of `train`, from its log: `step loss lr grad_norm` and more.
    config:  the options of `train` in effect, as `--config` takes them; empty for other commands.
    """

    command: list[str]
    output: str
    summary: dict
    records: list[dict]
    config: dict

    @property
    def losses(self) -> list[float]:
        """The loss of each step of `train`."""
        return [record["loss"] for record in self.records]

    @property
    def loss(self) -> float | None:
        """That of `eval`, or of the last step of `train`."""
        return self.summary.get("loss", self.summary.get("final_loss"))

    def __repr__(self):
        return f"Result({self.command!r}, loss={self.loss})"


def compile(
    loss_or_path,
    params=None,
    batch=None,
    *,
    mesh=None,
    ranks=None,
    target="cpu",
    options=(),
    output=None,
) -> Program:
    """Compiles a loss to a program, by `boost-compile`.

    loss_or_path: the path of a module; what `export` returned, as is needed for its options
                  (`init`, `names`, `decay`); or a function `loss(params, *batch) -> scalar`.
    params:       of a function, as `export` takes them: arrays, from which training starts.
    batch:        of a function, arrays or shapes: a tuple of the arguments behind `params`, or a
                  dictionary of those that it takes by keyword.
    mesh:         its axes, as in "dp=2,tp=4"; by default one rank.
    ranks:        in place of `mesh`: how many ranks, of which the compiler makes the mesh.
    target:       "cpu" or "cuda".
    options:      further words for `boost-compile`, as they are: ["--precision=bf16", "--explain"].
    output:       the program. A function or a module in memory is written beside it, as
                  `OUTPUT.mlir` and `OUTPUT.init.safetensors`. By default all is in a folder that
                  is removed with the last reference to the `Program`.

    Warnings and remarks of the compiler are shown on `sys.stderr`. Raises `CompileError` if it refuses, and
    `export.ExportError` if a function cannot be exported.
    """
    exported = _exported(loss_or_path, params, batch)
    folder = None
    if output is None:
        folder = tempfile.mkdtemp(prefix="boost-mlir-")
        output = Path(folder) / "program"
    program = Program(output)
    if folder:
        weakref.finalize(program, shutil.rmtree, folder, ignore_errors=True)
    module = loss_or_path
    if exported is not None:
        module = program.path.with_name(f"{program.path.name}.mlir")
        exported.save(module)
    words = [module, "-o", program.path, f"--target={target}"]
    words += [] if mesh is None else [f"--mesh={mesh}"]
    words += [] if ranks is None else [f"--ranks={ranks}"]
    compiler = find_tool("boost-compile", CompileError)
    run_command([compiler, *words, *options], CompileError, hold_messages=True)
    return program


def run(program, command="train", *, ranks=None, launcher=None, **flags) -> Result:
    """Runs a command of a compiled program, on its ranks.

    program:  a `Program`, or the path of one.
    command:  "train" or "eval".
    ranks:    how many; by default those that it was compiled for.
    launcher: what starts the ranks: "mpirun", "torchrun", or the words of another one, with the number of
              ranks; [] starts the program alone. By default "mpirun", and nothing for one rank.
    flags:    the options of the command, `_` for `-`: `min_lr=1e-4` is `--min-lr=1e-4`,
              `resume=True` is `--resume`, a list repeats the option, None and False leave it out.

    What the program prints is shown as it comes; `quiet=True` silences `train`. An interrupt
    ends the program. Raises `RunError` if it ends with another exit code than 0.
    """
    if not isinstance(program, Program):
        program = Program(program)
    launcher = _launcher(program, ranks, launcher)
    with tempfile.TemporaryDirectory(prefix="boost-mlir-") as folder:
        if command == "train":
            flags.setdefault("log", Path(folder) / "log.jsonl")
        if command in _SUMMARIZING:
            flags["json"] = True
        words = [str(word) for word in (*launcher, program.path, command, *_words(flags))]
        text = run_command(words, RunError, lambda line: not line.startswith("{"))
        records, config = [], {}
        if flags.get("log"):
            records = read_log(flags["log"])
            starts = read_configs(flags["log"])
            config = starts[-1]["config"] if starts else {}
    summary = _summary(text) if command in _SUMMARIZING else {}
    return Result(words, text, summary, records, config)


def _launcher(program, ranks, launcher) -> list:
    """The words that start the ranks."""
    if launcher is not None and not isinstance(launcher, str):
        return list(launcher)
    if launcher is not None and launcher not in _LAUNCHERS:
        names = " or ".join(f"'{name}'" for name in _LAUNCHERS)
        raise ValueError(f"launcher expects {names}, or a list of words, but got '{launcher}'")
    count = program.info()["ranks"] if ranks is None else ranks
    if launcher is None and count == 1:
        return []
    name = launcher or "mpirun"
    if not shutil.which(name):
        raise RunError(f"'{name}', which starts the {count} ranks, is not on PATH; {_OTHER_LAUNCHER[name]}")
    return _LAUNCHERS[name](count)


def _exported(loss_or_path, params, batch) -> Exported | None:
    """The module in memory; None for the path of one."""
    if callable(loss_or_path):
        if isinstance(batch, dict):
            return export(loss_or_path, params, **batch)
        return export(loss_or_path, params, *(batch or ()))
    if params is not None or batch is not None:
        raise TypeError("'params' and 'batch' are those of a function; a module has its own")
    return loss_or_path if isinstance(loss_or_path, Exported) else None


def _words(flags) -> list[str]:
    words = []
    for name, value in flags.items():
        option = "--" + name.replace("_", "-")
        for each in value if isinstance(value, (list, tuple)) else [value]:
            if each is True:
                words.append(option)
            elif each is not None and each is not False:
                words.append(f"{option}={os.fspath(each) if isinstance(each, os.PathLike) else each}")
    return words


def _summary(text) -> dict:
    """The last line of the output, which is JSON."""
    lines = text.rstrip().splitlines()
    return json.loads(lines[-1]) if lines and lines[-1].startswith("{") else {}
