# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every differentiation rule against JAX, in f64.

The cases are those of `test/unit/Rules/Cases`, where the same rules are held to finite
differences; each has its function in `gradient_oracles`. Where a function has no
derivative, JAX's choice is expected."""

import dataclasses
import re

import evaluation
import jax
import jax.numpy as jnp
import numpy as np
import pytest
from gradient_oracles import NO_GRADIENT, ORACLES

FILES = sorted((evaluation.ROOT / "test" / "unit" / "Rules" / "Cases").glob("*.mlir"))
FUNCTION = re.compile(
    r"func\.func @(\w+)\((.*?)\)\s*-> (.*?) \{\n(.*?)  return (.*?) : [^\n]*\n\}", re.S
)
ARGUMENT = re.compile(r"%(\w+): tensor<([^>]*)>(?: \{([^}]*)\})?")


@dataclasses.dataclass
class Tensor:
    name: str
    type: str
    attributes: str = ""

    @property
    def shape(self):
        return tuple(int(size) for size in self.type.split("x")[:-1])

    @property
    def element(self):
        return self.type.split("x")[-1]

    @property
    def is_float(self):
        return "f" in self.element

    def draw(self, random):
        if self.element == "i1":
            return random.integers(0, 2, self.shape).astype(bool)
        if not self.is_float:
            limit = re.search(r"boost\.id_limit = (\d+)", self.attributes)
            dtype = np.int64 if self.element == "i64" else np.int32
            return random.integers(0, int(limit[1]) if limit else 2, self.shape).astype(dtype)
        values = np.asarray(0.5 * random.standard_normal(self.shape))
        return abs(values) + 0.3 if "test.positive" in self.attributes else values


@dataclasses.dataclass
class Case:
    arguments: list
    results: list
    body: str

    def text(self):
        """@loss: the floating-point results, each weighted by a batch argument, summed up."""
        roles = [(a, "param" if a.is_float else "batch") for a in self.arguments]
        roles += [(weight, "batch") for weight in self.weights()]
        arguments = ",\n    ".join(
            f'%{a.name}: tensor<{a.type}> {{boost.tensor = #boost.tensor<{role} "{a.name}">}}'
            for a, role in roles
        )
        lines, total = [self.body], "%start"
        for i, (weight, result) in enumerate(zip(self.weights(), self.float_results())):
            wide = "x".join([*map(str, result.shape), "f64"])
            dims = ", ".join(map(str, range(len(result.shape))))
            own = f"tensor<{result.type}>"
            lines.append(
                f"""  %weighted{i} = stablehlo.multiply {result.name}, %{weight.name} : {own}
  %wide{i} = stablehlo.convert %weighted{i} : ({own}) -> tensor<{wide}>
  %sum{i} = stablehlo.reduce(%wide{i} init: %start) applies stablehlo.add
      across dimensions = [{dims}] : (tensor<{wide}>, tensor<f64>) -> tensor<f64>
  %total{i} = stablehlo.add {total}, %sum{i} : tensor<f64>"""
            )
            total = f"%total{i}"
        body = "\n".join(lines)
        return f"""func.func @loss({arguments}) -> (tensor<f64> {{boost.tensor = #boost.tensor<loss "loss">}}) {{
  %start = stablehlo.constant dense<0.0> : tensor<f64>
{body}
  return {total} : tensor<f64>
}}"""

    def float_results(self):
        return [result for result in self.results if result.is_float]

    def weights(self):
        return [Tensor(f"weight{i}", r.type) for i, r in enumerate(self.float_results())]

    def inputs(self, seed):
        random = np.random.default_rng(seed)
        return {a.name: a.draw(random) for a in self.arguments + self.weights()}

    def value_and_grad(self, function, inputs):
        """JAX's loss and gradients, in f64 whatever the case's types."""
        floats = [a.name for a in self.arguments if a.is_float]
        weights = [inputs[weight.name] for weight in self.weights()]

        def loss(parameters):
            values = {name: jnp.asarray(value) for name, value in inputs.items()} | parameters
            results = function(*(values[a.name] for a in self.arguments))
            results = results if isinstance(results, tuple) else (results,)
            kept = [r for r, result in zip(results, self.results) if result.is_float]
            return sum(jnp.sum(w * r) for w, r in zip(weights, kept))

        with jax.enable_x64(True):
            parameters = {name: jnp.asarray(inputs[name]) for name in floats}
            return jax.tree.map(np.asarray, jax.jit(jax.value_and_grad(loss))(parameters))


def read_cases():
    cases = {}
    for path in FILES:
        for name, arguments, results, body, returned in FUNCTION.findall(path.read_text()):
            types = re.findall(r"tensor<([^>]*)>", results)
            names = [value.strip() for value in returned.split(",")]
            cases[name] = Case(
                [Tensor(*groups) for groups in ARGUMENT.findall(arguments)],
                [Tensor(*pair) for pair in zip(names, types)],
                body.rstrip(),
            )
    return cases


CASES = read_cases()
DIFFERENTIATE = (
    "--boost-decompose-bottleneck",
    "--boost-decompose-layer-norm",
    "--boost-decompose-rms-norm",
    "--boost-differentiate",
)


def check(name, inputs, bound):
    case = CASES[name]
    results = evaluation.load(case.text(), *DIFFERENTIATE).run("gradient", inputs)
    loss, gradients = case.value_and_grad(ORACLES[name], inputs)
    for key, expected in {"loss": loss, **gradients}.items():
        actual = results[key if key == "loss" else f"grad.{key}"]
        error = np.max(np.abs(actual - expected), initial=0)
        assert error <= bound * max(1, np.max(np.abs(expected), initial=0)), f"{key}: {error}"


def test_every_case_has_an_oracle():
    read = sum(path.read_text().count("func.func @") for path in FILES)
    assert len(CASES) == read
    assert set(CASES) == set(ORACLES) | NO_GRADIENT
    assert not set(ORACLES) & NO_GRADIENT


@pytest.mark.parametrize("name", ORACLES)
def test_gradient_is_jax_s(name):
    check(name, CASES[name].inputs(seed=7), 1e-12)


TIED = {
    **dict.fromkeys(("abs", "sign", "maximum", "minimum", "power_2"), (-1.0, 0.0, -0.0, 1.0, 2.0)),
    "clamp": (-1.0, -0.2, 0.0, 0.4, 1.0),
    **dict.fromkeys(("reduce_max", "reduce_min"), (0.0, 1.0)),
}


@pytest.mark.parametrize("name", TIED)
def test_choice_where_there_is_no_derivative_is_jax_s(name):
    inputs, random = CASES[name].inputs(seed=8), np.random.default_rng(9)
    for argument in CASES[name].arguments:
        inputs[argument.name] = random.choice(TIED[name], argument.shape)
    check(name, inputs, 1e-15)
