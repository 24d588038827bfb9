# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX functions operation by operation, through boost-eval and through a compiled program.

A family of cases of operations.py becomes one loss: the sum of every result of every case times a
probe. The gradient of a probe is the result, element by element; the gradient of an input that the
case wants differentiated is compared as well."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from harness import evaluate, run, tool
from jax import lax
from operations import FAMILIES
from safetensors.numpy import load_file, save_file

from boost_mlir.export import export


def to_floats(leaf):
    """A result as f32 without loss: integers of 32 bits in two halves."""
    if jnp.issubdtype(leaf.dtype, jnp.floating) or leaf.dtype.itemsize < 4:
        return [leaf.astype(jnp.float32)]
    bits = lax.bitcast_convert_type(leaf, jnp.uint32)
    return [(bits >> 16).astype(jnp.float32), (bits & 0xFFFF).astype(jnp.float32)]


def results_of(case, inputs):
    """The results as a list of f32 tensors of rank at least 1."""
    leaves = jax.tree.leaves(case.function(*inputs))
    return [jnp.atleast_1d(part) for leaf in leaves for part in to_floats(leaf)]


def compiled(function):
    """A function as JAX compiles it for users. Without the fusion emitters, which other tests do
    without, XLA takes large unsigned indices for negative ones."""
    return jax.jit(function, compiler_options={"xla_cpu_use_fusion_emitters": True})


class Family:
    """The loss of a family, its arguments, and what JAX makes of them."""

    def __init__(self, cases):
        self.cases = cases
        self.params, self.batch, self.expected = {}, {}, {}
        random = np.random.default_rng(11)
        for name, case in cases.items():
            wanted = {}
            for i, value in enumerate(case.inputs):
                trained = case.grad and value.dtype == np.float32
                (wanted if trained else self.batch)[f"{name}_{i}"] = np.asarray(value)
            results = compiled(lambda *inputs, case=case: results_of(case, inputs))(*case.inputs)
            self.params[name] = {
                "probes": [random.uniform(0.5, 1, r.shape).astype(np.float32) for r in results],
                "inputs": wanted,
            }
            for i, result in enumerate(results):
                self.expected[f"{name}.probes.{i}"] = (case, np.asarray(result))
        gradients = compiled(jax.grad(self.loss))(self.params, self.batch)
        for name, tree in gradients.items():
            for key, value in tree["inputs"].items():
                self.expected[f"{name}.inputs.{key}"] = (cases[name], np.asarray(value))

    def loss(self, params, batch):
        total = jnp.float32(0)
        for name, case in self.cases.items():
            inputs = params[name]["inputs"] | batch
            given = [inputs[f"{name}_{i}"] for i in range(len(case.inputs))]
            for probe, result in zip(params[name]["probes"], results_of(case, given)):
                total += jnp.sum(probe * result)
        return total

    def write(self, directory):
        text, inputs = directory / "loss.mlir", directory / "in.safetensors"
        text.write_text(export(self.loss, self.params, self.batch))
        tensors = {f"batch.{name}": value for name, value in self.batch.items()}
        for name, tree in self.params.items():
            tensors |= {f"{name}.probes.{i}": value for i, value in enumerate(tree["probes"])}
            tensors |= {f"{name}.inputs.{key}": value for key, value in tree["inputs"].items()}
        dense = {name: np.require(value, requirements="C") for name, value in tensors.items()}
        save_file(dense, inputs)
        return text, inputs

    def check(self, outputs):
        wrong = []
        for name, (case, expected) in self.expected.items():
            message = difference(outputs[f"grad.{name}"], expected, case.bound)
            if message:
                wrong.append(f"{name}: {message}")
        assert not wrong, "\n".join(wrong)


def difference(actual, expected, bound):
    """Returns the difference, or None. NaN is NaN, and infinities have their sign."""
    actual, expected = np.asarray(actual, np.float64), np.asarray(expected, np.float64)
    finite = np.isfinite(expected)
    scale = max(1.0, float(np.max(np.abs(expected[finite]), initial=0)))
    with np.errstate(invalid="ignore"):
        close = np.abs(actual - expected) <= bound * scale
    same = np.where(finite, close, actual == expected)
    same |= np.isnan(actual) & np.isnan(expected)
    if same.all():
        return None
    return f"expected {expected[~same][:4]}, but got {actual[~same][:4]}"


@pytest.fixture(scope="module")
def family(tmp_path_factory):
    cache = {}

    def make(name):
        if name not in cache:
            directory = tmp_path_factory.mktemp(name)
            made = Family(FAMILIES[name])
            cache[name] = (made, directory, *made.write(directory))
        return cache[name]

    return make


@pytest.mark.one_in(2, 1)
@pytest.mark.parametrize("name", FAMILIES)
def test_evaluator_agrees_with_jax(family, name):
    cases, directory, text, inputs = family(name)
    gradient, outputs = directory / "gradient.mlir", directory / "evaluated.safetensors"
    run(
        *(tool("boost-opt"), text, "-o", gradient),
        *("--boost-import-pipeline", "--boost-differentiate-pipeline"),
    )
    run(
        *(tool("boost-eval"), gradient, "--function", "gradient", "--rounding", "typed"),
        *("--inputs", inputs, "--outputs", outputs),
    )
    cases.check(load_file(outputs))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", FAMILIES)
def test_program_agrees_with_jax(family, name):
    cases, directory, text, inputs = family(name)
    binary, outputs = directory / "program", directory / "computed.safetensors"
    run(tool("boost-compile"), text, "--allow-float-batch", "-o", binary)
    cases.check(evaluate(binary, inputs, outputs))
