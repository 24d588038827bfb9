# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs as boost-opt makes them, evaluated by boost-eval in f64.

A pass is tested by its values like this:

    before = evaluation.load("model.mlir", "--boost-import-pipeline")
    after = evaluation.load("model.mlir", "--boost-import-pipeline", "--boost-differentiate")
    inputs = before.random_inputs("loss", seed=0)          # {name: array}, global shapes
    loss = before.run("loss", inputs)["loss"]
    grads = after.run("gradient", inputs)                  # {name: array}

A partitioned program is run on all ranks of its mesh: inputs are sharded and results
joined as `boost.sharding` says, and copies on different ranks must agree.
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import tempfile

import numpy as np
from jax._src.interpreters import mlir as jax_mlir
from jaxlib.mlir import ir
from safetensors.numpy import load_file, save_file

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("BOOST_BUILD_DIR", ROOT / "build"))
COLLECTIVES = {
    "boost.all_gather",
    "boost.all_reduce",
    "boost.reduce_scatter",
    "shard.all_slice",
    "shard.all_to_all",
}


def _run(tool, *arguments, text=None) -> str:
    result = subprocess.run(
        [BUILD / "bin" / tool, *map(str, arguments)], input=text, capture_output=True, text=True
    )
    if result.returncode:
        raise AssertionError(
            f"{tool} {' '.join(map(str, arguments))} failed:\n{result.stderr[-3000:]}"
        )
    return result.stdout


def boost_opt(source, *flags) -> str:
    """Returns boost-opt's output for a path or for text."""
    is_text = "\n" in str(source)
    return _run("boost-opt", "-" if is_text else source, *flags, text=source if is_text else None)


def load(source, *flags) -> "Program":
    """The program that boost-opt makes of a path or of text."""
    return Program(boost_opt(source, *flags))


class Program:
    def __init__(self, text: str):
        self.text = text

    def _evaluate(self, function, directory, *arguments):
        path = pathlib.Path(directory, "program.mlir")
        path.write_text(self.text)
        _run("boost-eval", path, f"--function={function}", *arguments)

    def random_inputs(self, function, seed=0):
        """Values for every argument by its name."""
        with tempfile.TemporaryDirectory() as directory:
            path = pathlib.Path(directory, "inputs.safetensors")
            self._evaluate(function, directory, f"--inputs=random:{seed}", f"--save-inputs={path}")
            return load_file(path)

    def run(self, function, inputs):
        """The results of a function by name, as global arrays."""
        with tempfile.TemporaryDirectory() as directory:
            files = [pathlib.Path(directory, f"{name}.safetensors") for name in ("in", "out")]
            arrays = {name: np.array(value, order="C") for name, value in inputs.items()}
            save_file(arrays, files[0])
            self._evaluate(function, directory, f"--inputs={files[0]}", f"--outputs={files[1]}")
            return load_file(files[1])

    def functions(self):
        """The names of the functions."""
        return [name for name, _ in self._read_functions()]

    def payload(self, function):
        """{(kind, phase, component, axes): elements per rank} of the collectives of a function."""
        return dict(self._read_functions())[function]

    def _read_functions(self):
        generic = boost_opt(self.text, "--mlir-print-op-generic")
        with jax_mlir.make_ir_context() as context:
            context.allow_unregistered_dialects = True
            module = ir.Module.parse(generic)
            operations = list(module.body.operations)
            axes = []
            for op in operations:
                if op.operation.name == "shard.grid":
                    names = op.operation.attributes["boost.axes"]
                    axes = [ir.StringAttr(name).value for name in names]
            return [
                (ir.StringAttr(op.operation.attributes["sym_name"]).value, _payload(op, axes))
                for op in operations
                if op.operation.name == "func.func"
            ]


def _payload(function, axes):
    counts, phase = {}, "forward"
    for op in function.regions[0].blocks[0].operations:
        op = op.operation
        if op.name == "boost.phase":
            phase = str(op.attributes["phase"]).split()[-1].rstrip(">")
        if op.name not in COLLECTIVES:
            continue
        component = op.attributes["boost.component"] if "boost.component" in op.attributes else None
        used = tuple(axes[i] for i in ir.DenseI16ArrayAttr(op.attributes["grid_axes"]))
        key = (op.name.split(".")[1], phase, component and ir.StringAttr(component).value, used)
        elements = sum(
            int(np.prod(ir.RankedTensorType(operand.type).shape, dtype=int))
            for operand in op.operands
        )
        counts[key] = counts.get(key, 0) + elements
    return counts
