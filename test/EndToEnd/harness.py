# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models with their JAX reference, and the compiler and its programs as processes."""

from __future__ import annotations

import dataclasses
import functools
import json
import os
import subprocess
from pathlib import Path

import jax
import numpy as np
from safetensors.numpy import load_file

import boost_mlir
from boost_mlir import data, models, testing
from boost_mlir.export import export_model
from boost_mlir.naming import named_leaves, tree_names

REPOSITORY = Path(__file__).resolve().parent.parent.parent
BATCH, SEQ, STEPS = 4, 16, 10
TIMEOUT_SECONDS = 300

# Shapes: overrides of the size `tiny`.
SHAPES = {
    "tiny": {},
    "shallow": dict(layers=1),
    "odd": dict(layers=3, d=96, heads=6, kv_heads=2, rank=20, d_ff=248),
    "deep": dict(layers=4),
    "scan": dict(scan=True),
    "tied": dict(tied=True),
    "bf16": dict(dtype="bf16"),
    "odd-bf16": dict(layers=3, d=96, heads=6, kv_heads=2, rank=20, d_ff=248, dtype="bf16"),
    "f16": dict(dtype="f16"),
}


def build_directory() -> Path:
    return Path(os.environ.get("BOOST_BUILD_DIR", REPOSITORY / "build"))


def tool(name: str) -> Path:
    path = build_directory() / "bin" / name
    if not path.exists():
        raise FileNotFoundError(f"{path} is missing: build the project or set BOOST_BUILD_DIR")
    return path


def compiler(*options) -> Path:
    """boost-compile, or the compiler of the tests if options name the emulator or a broken pass."""
    of_tests = any(str(option).startswith(("--emulatable", "--insert-pass")) for option in options)
    return tool("boost-test-compile" if of_tests else "boost-compile")


def ranks_of(mesh: str) -> int:
    return int(np.prod([int(axis.split("=")[-1]) for axis in mesh.split(",")]))


def axis_size(mesh: str, axis: str) -> int:
    sizes = dict(part.split("=") for part in mesh.split(",") if "=" in part)
    return int(sizes.get(axis, 1))


def emulator() -> Path:
    """The GPU of programs that are compiled by boost-test-compile --target=cuda --emulatable."""
    return build_directory() / "test" / "lib" / "libboost_cuda_emulator.so"


# How programs are compiled for it, and whether every program is, not a few.
CUDA = ("--target=cuda", "--emulatable")
ALL_CUDA = bool(os.environ.get("BOOST_CUDA_ALL"))
# Whether all models are tried on all pipelines, not a few.
ALL_PIPELINES = bool(os.environ.get("BOOST_ALL_PIPELINES"))
# This says whether every model is tried on every mesh, not on some by turns.
ALL_CASES = bool(os.environ.get("BOOST_ALL_CASES"))


def environment() -> dict[str, str]:
    """One thread per rank, because ranks share the cores."""
    return os.environ | {
        "BOOST_CUDA_EMULATOR": str(emulator()),
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    }


def run(*command, check=True, timeout=TIMEOUT_SECONDS) -> subprocess.CompletedProcess:
    """Runs a command to its end."""
    result = subprocess.run(
        [str(part) for part in command],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=timeout,
        stdin=subprocess.DEVNULL,
    )
    if check and result.returncode:
        line = " ".join(map(str, command))
        raise AssertionError(
            f"exit code {result.returncode} of: {line}\n{result.stdout}\n{result.stderr}"
        )
    return result


def evaluate(binary, inputs, outputs) -> dict:
    """Loss and gradients of a program of one rank, which fails if the loss is not finite."""
    result = run(
        *(binary, "eval", "--inputs", inputs, "--outputs", outputs, "--gradients"), check=False
    )
    values = load_file(outputs)
    assert result.returncode == (0 if np.isfinite(values["loss"]) else 1), result.stderr
    return values


def own_loss_error(loss, exact, params, batch) -> float:
    """A bound on the relative error of JAX's own loss, of which `exact` is the f64 form.

    The loss is the mean over sequences, so its error is at most the root mean square of those
    of single sequences, which unlike it does not become small when they happen to cancel."""
    rows = [[part[i : i + 1] for part in batch] for i in range(len(batch[0]))]
    own = np.array([float(loss(params, *row)) for row in rows])
    reference = testing.values(exact, params, rows)
    return np.sqrt(np.mean((own - reference) ** 2)) / np.mean(reference)


def decay_mask(params):
    """Which parameters of the package's models decay: all but the scales of the norms."""
    return jax.tree.map(lambda name: not name.endswith("norm"), tree_names(params))


@dataclasses.dataclass
class Model:
    """One configuration: exported text, values, and what JAX makes of them."""

    config: models.ModelConfig
    directory: Path

    def __post_init__(self):
        self.directory.mkdir(parents=True, exist_ok=True)
        self.text_file.write_text(export_model(self.config, BATCH, SEQ))
        self.params = models.init_params(self.config, seed=1)
        # Tokens with an order that can be learned: a walk with small steps.
        steps = np.random.default_rng(2).integers(1, 4, 1000)
        self.tokens = (np.cumsum(steps) % self.config.vocab).astype(np.uint16)
        data.write_tokens(self.tokens_file, self.tokens)
        self.batch = next(testing.sequential_batches(self.tokens[500:], BATCH, SEQ))
        named = dict(zip(("tokens", "targets"), self.batch))
        boost_mlir.save(self.inputs_file, self.params, named)
        boost_mlir.save(self.params_file, self.params)

    text_file = property(lambda self: self.directory / "model.mlir")
    tokens_file = property(lambda self: self.directory / "tokens.bin")
    inputs_file = property(lambda self: self.directory / "inputs.safetensors")
    params_file = property(lambda self: self.directory / "params.safetensors")

    @functools.cached_property
    def reference(self):
        """The loss and the gradients of the batch."""
        return testing.value_and_grad(models.make_loss(self.config), self.params, *self.batch)

    @functools.cached_property
    def own_precision_errors(self) -> tuple[float, float]:
        """How far JAX in the model's own type is from f64: the loss at most, the worst gradient.

        Of the loss that is estimated from more sequences than the batch has: of four the root mean
        square may be a third of what it is of many."""
        loss = models.make_loss(self.config)
        sequences = next(testing.sequential_batches(self.tokens, 32, SEQ))
        _, gradients = self.reference
        own = jax.grad(loss)(self.params, *self.batch)
        errors = [relative_error(leaf, gradients[name]) for name, leaf in named_leaves(own)]
        return own_loss_error(loss, loss, self.params, sequences), max(errors)

    @functools.cached_property
    def training(self) -> testing.TrainingRun:
        batches = testing.sequential_batches(self.tokens, BATCH, SEQ)
        loss = models.make_loss(self.config)
        return testing.train(loss, self.params, OPTIMIZER, batches, decay_mask(self.params))


OPTIMIZER = testing.AdamW(steps=STEPS, lr=3e-3, min_lr=3e-4, warmup=3, clip=1.0)


class Program:
    """A model compiled for a mesh."""

    def __init__(self, model: Model, mesh: str, *options: str):
        self.model, self.mesh, self.ranks = model, mesh, ranks_of(mesh)
        name = "-".join([mesh, *options]).replace("=", "").replace(",", "-")
        self.directory = model.directory / name
        self.directory.mkdir(parents=True, exist_ok=True)
        self.options = ("--mesh", mesh, *options)
        self.binary = self.directory / "train"
        run(compiler(*options), model.text_file, *self.options, "-o", self.binary)

    def launch(self, *arguments, ranks=None, check=True):
        ranks = ranks or self.ranks
        prefix = ["mpirun", "-np", ranks, "--oversubscribe"] if ranks > 1 else []
        return run(*prefix, self.binary, *arguments, check=check)

    def evaluate(self, inputs=None, gradients=True):
        """The outputs of `eval` by name."""
        outputs = self.directory / "outputs.safetensors"
        outputs.unlink(missing_ok=True)
        flags = ["--gradients"] if gradients else []
        self.launch(
            "eval", "--inputs", inputs or self.model.inputs_file, "--outputs", outputs, *flags
        )
        return load_file(outputs)

    def train(self, *extra, optimizer=OPTIMIZER):
        """The step records of the log and the saved parameters."""
        log, saved = self.directory / "log.jsonl", self.directory / "saved.safetensors"
        log.unlink(missing_ok=True)
        o = optimizer
        self.launch(
            *("train", "--data", self.model.tokens_file, "--init", self.model.params_file),
            *("--steps", o.steps, "--lr", o.lr, "--min-lr", o.min_lr, "--warmup", o.warmup),
            *("--clip", o.clip, "--seed", 0, "--log", log, "--save", saved, *extra),
        )
        return boost_mlir.read_log(log), load_file(saved)

    @functools.cached_property
    def info(self) -> dict:
        return json.loads(run(self.binary, "info").stdout)

    plan = property(lambda self: self.info["plan"])


def relative_error(actual, expected) -> float:
    """The norm of the difference over the norm of what was expected; 0 without a difference."""
    difference = np.linalg.norm((np.asarray(actual, np.float64) - expected).ravel())
    if difference == 0:
        return 0.0
    return float(difference / np.linalg.norm(np.asarray(expected).ravel()))
