# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Evaluates StableHLO and boost IR with numpy, in f64, on one rank or on a mesh.

An oracle for tests: it reads what boost-opt prints and shares no code with the
compiler. A pass is tested by its values like this:

    before = ir_eval.load("model.mlir", "--boost-import-pipeline")
    after = ir_eval.load("model.mlir", "--boost-import-pipeline", "--boost-differentiate")
    inputs = before.random_inputs("loss", seed=0)         # {boost.name: array}, global shapes
    loss = before.run("loss", inputs)["loss"]
    grads = after.run("gradient", inputs)                  # {boost.name: array}

and a partitioned program, all ranks of its mesh in this process, like this:

    spmd = ir_eval.load("model.mlir", ..., "--boost-partition")
    results = spmd.run_sharded("gradient", inputs)         # cut and put together by boost.split

`run_sharded` takes and returns global arrays. It fails when ranks that should
hold the same part of a result differ, so nothing partial goes unseen. Every
operation's result must have the shape its type says. `spmd.payload(function)`
counts the elements that each kind of collective sends per rank.

Values are lists with one array per rank; an unsharded program has one rank.
Floats are f64 whatever their type, unless `run(..., floats=np.float32)`.
"""

from __future__ import annotations

import os
import pathlib
import subprocess

import ir_ops
import ir_text
import numpy as np
from ir_collectives import COLLECTIVES, Mesh

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("BOOST_BUILD_DIR", ROOT / "build"))


def boost_opt(source, *flags) -> str:
    """What boost-opt prints for a path or for text."""
    is_text = "\n" in str(source)
    result = subprocess.run(
        [BUILD / "bin" / "boost-opt", "-" if is_text else source, *flags],
        input=str(source) if is_text else None,
        capture_output=True,
        text=True,
    )
    if result.returncode:
        raise AssertionError(f"boost-opt {' '.join(flags)} failed:\n{result.stderr[-3000:]}")
    return result.stdout


def load(source, *flags) -> "Program":
    """The program that boost-opt makes of a path or of text."""
    return Program(boost_opt(source, *flags, "--mlir-print-op-generic"))


class Function:
    """A function with the names of its arguments and results."""

    def __init__(self, op):
        self.region = op.regions[0]
        types, results = op.attributes["function_type"]
        self.arg_attrs = op.attributes.get("arg_attrs") or [{}] * len(types)
        self.result_attrs = op.attributes.get("res_attrs") or [{}] * len(results)
        self.arg_types, self.result_types = types, results
        self.arg_names = [a.get("boost.name", f"arg{i}") for i, a in enumerate(self.arg_attrs)]
        self.result_names = [
            a.get("boost.name", f"out{i}") for i, a in enumerate(self.result_attrs)
        ]

    def args_of_role(self, role):
        return [n for n, a in zip(self.arg_names, self.arg_attrs) if a.get("boost.arg") == role]


class Program:
    def __init__(self, generic_text: str):
        module = ir_text.parse(generic_text)
        self.functions, self.mesh = {}, Mesh([], [])
        for op in module.regions[0].operations:
            if op.name == "func.func":
                self.functions[op.attributes["sym_name"]] = Function(op)
            elif op.name == "shard.grid":
                shape = op.attributes["shape"]
                names = op.attributes.get("boost.axes", [str(i) for i in range(len(shape))])
                self.mesh = Mesh(shape, names)

    def random_inputs(self, name, seed=0, scale=0.5, limit=8):
        """Arrays for every argument by its type; integers are below `limit`."""
        function, random = self.functions[name], np.random.default_rng(seed)
        inputs = {}
        for arg, type in zip(function.arg_names, function.arg_types):
            if type.is_float:
                inputs[arg] = np.asarray(scale * random.standard_normal(type.shape))
            else:
                inputs[arg] = np.asarray(random.integers(0, limit, type.shape), type.numpy())
        return inputs

    def run(self, name, inputs, floats=np.float64):
        """The results by name of a function on one rank."""
        function = self.functions[name]
        values = [[inputs[arg]] for arg in function.arg_names]
        results = _Evaluation(self, Mesh([], []), floats).call(function, values)
        return {key: value[0] for key, value in zip(function.result_names, results)}

    def run_sharded(self, name, inputs, floats=np.float64):
        """The global results by name of a function on all ranks of the mesh."""
        function = self.functions[name]
        values = [
            self.mesh.cut(np.asarray(inputs[arg]), attrs.get("boost.split"))
            for arg, attrs in zip(function.arg_names, function.arg_attrs)
        ]
        results = _Evaluation(self, self.mesh, floats).call(function, values)
        return {
            key: self.mesh.join(key, value, attrs.get("boost.split"))
            for key, value, attrs in zip(function.result_names, results, function.result_attrs)
        }

    def payload(self, name):
        """{(kind, phase, region, axes): elements per rank} of the collectives of a function."""
        counts, phase = {}, "forward"
        for op in self.functions[name].region.operations:
            if op.name == "boost.phase":
                phase = op.attributes["phase"]
            if op.name not in COLLECTIVES or not op.operands:
                continue
            axes = tuple(self.mesh.names[i] for i in op.attributes["grid_axes"])
            key = (op.name.split(".")[1], phase, op.attributes.get("boost.region"), axes)
            elements = sum(int(np.prod(type.shape)) for type in op.operand_types)
            counts[key] = counts.get(key, 0) + elements
        return counts


class _Evaluation:
    """One run: which functions there are, which ranks, which floats."""

    def __init__(self, program, mesh, floats):
        self.program, self.mesh, self.floats = program, mesh, floats
        self.ranks = range(mesh.size)

    def call(self, function, arguments):
        for name, type, value in zip(function.arg_names, function.arg_types, arguments):
            for part in value:
                if np.shape(part) != type.shape:
                    raise AssertionError(
                        f"'{name}' has shape {np.shape(part)}, its type says {type.shape}"
                    )
        with np.errstate(all="ignore"):
            return self.region(function.region, arguments, {})

    def region(self, region, arguments, outer):
        values = dict(outer)
        for name, type, value in zip(region.arguments, region.types, arguments):
            values[name] = [np.asarray(part).astype(type.numpy(self.floats)) for part in value]
        for op in region.operations:
            operands = [values[name] for name in op.operands]
            if op.name in ("func.return", "stablehlo.return"):
                return operands
            results = self.operation(op, operands, values)
            for name, type, value in zip(op.results, op.result_types, results):
                values[name] = [self.checked(op, type, part) for part in value]
        raise AssertionError("a region without a return")

    def checked(self, op, type, value):
        if np.shape(value) != type.shape:
            raise AssertionError(
                f"{op.name} computes shape {np.shape(value)}, its type says {type.shape}"
            )
        return np.asarray(value).astype(type.numpy(self.floats))

    def operation(self, op, operands, values):
        if op.name == "boost.phase":
            return []
        if op.name == "func.call":
            return self.call(self.program.functions[op.attributes["callee"]], operands)
        if op.name == "stablehlo.while":
            return self.loop(op, operands, values)
        if op.name in COLLECTIVES:
            return COLLECTIVES[op.name](self.mesh, op, operands)
        if op.name not in ir_ops.OPS:
            raise NotImplementedError(f"ir_eval knows no {op.name}")
        per_rank = [
            ir_ops.OPS[op.name](op, *(value[rank] for value in operands)) for rank in self.ranks
        ]
        if len(op.results) == 1:
            return [per_rank]
        return [list(parts) for parts in zip(*per_rank)]

    def loop(self, op, state, values):
        condition, body = op.regions
        while bool(self.region(condition, state, values)[0][0]):
            state = self.region(body, state, values)
        return state
