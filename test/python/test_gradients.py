# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every differentiation rule against finite differences of the evaluated loss,
and where a function has no derivative, against JAX's choice."""

import dataclasses

import ir_eval
import jax
import jax.numpy as jnp
import numpy as np
import pytest


@dataclasses.dataclass
class Case:
    """`body` computes %y of shape `result` from parameters %a, %b, .. of `shapes`
    and integer batch arguments %i, %j, .. of `indices`, with ids below `limit`."""

    body: str
    result: str
    shapes: tuple
    indices: tuple = ()
    limit: int = 4
    positive: bool = False  # parameters in (0.3, 1.7)


def tensor(shape, element="f64"):
    return f"tensor<{shape}x{element}>" if shape else f"tensor<{element}>"


def loss_text(case):
    """The sum of %y weighted by a batch argument, so that every element counts."""
    args = [
        f'%{name}: {tensor(shape)} {{boost.arg = "param", boost.name = "{name}"}}'
        for name, shape in zip("abc", case.shapes)
    ] + [
        f'%{name}: {tensor(shape, "i32")} {{boost.arg = "batch", boost.name = "{name}"}}'
        for name, shape in zip("ijk", case.indices)
    ]
    type = tensor(case.result)
    dims = ", ".join(str(i) for i in range(len(case.result.split("x")) if case.result else 0))
    return f"""
func.func @loss({", ".join(args)},
    %w: {type} {{boost.arg = "batch", boost.name = "w"}}) -> (tensor<f64> {{boost.name = "loss"}}) {{
  {case.body}
  %weighted = stablehlo.multiply %y, %w : {type}
  %init = stablehlo.constant dense<0.0> : tensor<f64>
  %loss = stablehlo.reduce(%weighted init: %init) applies stablehlo.add across dimensions = [{dims}]
      : ({type}, tensor<f64>) -> tensor<f64>
  return %loss : tensor<f64>
}}"""


def unary(name, positive=False):
    return Case(f"%y = stablehlo.{name} %a : {tensor('3x4')}", "3x4", ("3x4",), positive=positive)


def binary(name, positive=False):
    body = f"%y = stablehlo.{name} %a, %b : {tensor('3x4')}"
    return Case(body, "3x4", ("3x4", "3x4"), positive=positive)


def power_of(exponent):
    body = f"""%e = stablehlo.constant dense<{exponent}> : {tensor("3x4")}
  %y = stablehlo.power %a, %e : {tensor("3x4")}"""
    return Case(body, "3x4", ("3x4",), positive=True)


def dot(lhs, rhs, result, numbers):
    body = f"%y = stablehlo.dot_general %a, %b, {numbers} : ({tensor(lhs)}, {tensor(rhs)}) -> {tensor(result)}"
    return Case(body, result, (lhs, rhs))


def moves(op, operand, result):
    body = f"%y = stablehlo.{op} : ({tensor(operand)}) -> {tensor(result)}"
    return Case(body, result, (operand,))


def pad(low, high, interior, result):
    body = f"""%y = stablehlo.pad %a, %b, low = {low}, high = {high}, interior = {interior}
      : ({tensor("3x4")}, tensor<f64>) -> {tensor(result)}"""
    return Case(body, result, ("3x4", ""))


def reduction(name, init, dims, result):
    body = f"""%from = stablehlo.constant dense<{init}> : tensor<f64>
  %y = stablehlo.reduce(%a init: %from) applies stablehlo.{name} across dimensions = {dims}
      : ({tensor("3x4x2")}, tensor<f64>) -> {tensor(result)}"""
    return Case(body, result, ("3x4x2",))


GATHER_ROWS = """%y = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2],
      collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>,
      slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xf64>, tensor<2x4x1xi32>) -> tensor<2x4x3xf64>"""
GATHER_WINDOWS = """%y = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2],
      start_index_map = [1, 0], index_vector_dim = 1>,
      slice_sizes = array<i64: 2, 2>}> : (tensor<5x3xf64>, tensor<4x2xi32>) -> tensor<4x2x2xf64>"""
GATHER_BATCHED = """%y = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2],
      operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2],
      index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 1>}>
      : (tensor<2x3x5xf64>, tensor<2x3x2x1xi32>) -> tensor<2x3x2xf64>"""
SPREAD_ROW = "broadcast_in_dim %a, dims = [0, 1]"

CASES = {
    **{
        name: unary(name)
        for name in (
            "abs",
            "ceil",
            "cosine",
            "exponential",
            "exponential_minus_one",
            "floor",
            "logistic",
            "negate",
            "sign",
            "sine",
            "tanh",
        )
    },
    **{name: unary(name, positive=True) for name in ("log", "log_plus_one", "rsqrt", "sqrt")},
    **{name: binary(name) for name in ("add", "subtract", "multiply", "maximum", "minimum")},
    **{name: binary(name, positive=True) for name in ("divide", "power", "remainder")},
    "power_0": power_of(0.0),
    "power_1": power_of(1.0),
    "power_2": power_of(2.0),
    "power_m1.5": power_of(-1.5),
    "square": Case("%y = stablehlo.multiply %a, %a : tensor<3xf64>", "3", ("3",)),
    "twice": Case("%y = stablehlo.add %a, %a : tensor<3xf64>", "3", ("3",)),
    "convert": Case(
        """%n = stablehlo.convert %i : (tensor<3xi32>) -> tensor<3xf64>
  %y = stablehlo.multiply %a, %n : tensor<3xf64>""",
        "3",
        ("3",),
        ("3",),
    ),
    "select": Case(
        """%p = stablehlo.compare LT, %i, %j : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi1>
  %y = stablehlo.select %p, %a, %b : tensor<3x4xi1>, tensor<3x4xf64>""",
        "3x4",
        ("3x4",) * 2,
        ("3x4",) * 2,
    ),
    "select_scalar": Case(
        """%p = stablehlo.compare LT, %i, %j : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %y = stablehlo.select %p, %a, %b : tensor<i1>, tensor<3x4xf64>""",
        "3x4",
        ("3x4",) * 2,
        ("",) * 2,
    ),
    "clamp": Case(
        """%lo = stablehlo.constant dense<-0.2> : tensor<f64>
  %hi = stablehlo.constant dense<0.4> : tensor<f64>
  %y = stablehlo.clamp %lo, %a, %hi : (tensor<f64>, tensor<3x4xf64>, tensor<f64>) -> tensor<3x4xf64>""",
        "3x4",
        ("3x4",),
    ),
    "clamp_bounds": Case(
        """%hi = stablehlo.constant dense<9.0> : tensor<f64>
  %y = stablehlo.clamp %b, %a, %hi : (tensor<f64>, tensor<3x4xf64>, tensor<f64>) -> tensor<3x4xf64>""",
        "3x4",
        ("3x4", ""),
    ),
    "clamp_tensors": Case(
        """%hi = stablehlo.exponential %c : tensor<3x4xf64>
  %exp = stablehlo.exponential %b : tensor<3x4xf64>
  %lo = stablehlo.negate %exp : tensor<3x4xf64>
  %y = stablehlo.clamp %lo, %a, %hi : tensor<3x4xf64>""",
        "3x4",
        ("3x4",) * 3,
    ),
    # Contractions: plain, both sides transposed, batches out of order, several contracting.
    "dot": dot("3x4", "4x5", "3x5", "contracting_dims = [1] x [0]"),
    "dot_transposed": dot("4x3", "5x4", "3x5", "contracting_dims = [0] x [1]"),
    "dot_weight": dot("2x3x4", "4x5", "2x3x5", "contracting_dims = [2] x [0]"),
    "dot_batched": dot(
        "2x3x4x5",
        "2x6x4x5",
        "2x4x3x6",
        "batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3]",
    ),
    "dot_batches_out_of_order": dot(
        "2x3x4x5",
        "3x5x2x6",
        "3x2x4x6",
        "batching_dims = [1, 0] x [0, 2], contracting_dims = [3] x [1]",
    ),
    "dot_two_contracting": dot("2x3x4", "4x5x2", "3x5", "contracting_dims = [0, 2] x [2, 0]"),
    "dot_outer": dot("3", "4", "3x4", "contracting_dims = [] x []"),
    "dot_scalar": dot("3", "3", "", "contracting_dims = [0] x [0]"),
    # Data movement.
    "broadcast": moves("broadcast_in_dim %a, dims = [0, 2]", "3x4", "3x2x4"),
    "broadcast_scalar": moves("broadcast_in_dim %a, dims = []", "", "3x4"),
    "broadcast_ones": moves("broadcast_in_dim %a, dims = [0, 1, 2]", "3x1x1", "3x4x2"),
    "broadcast_transposing": moves("broadcast_in_dim %a, dims = [2, 0]", "3x4", "4x2x3"),
    "reshape": moves("reshape %a", "3x4", "2x6"),
    "transpose": moves("transpose %a, dims = [2, 0, 1]", "2x3x4", "4x2x3"),
    "reverse": Case("%y = stablehlo.reverse %a, dims = [1] : tensor<3x4xf64>", "3x4", ("3x4",)),
    "slice": moves("slice %a [1:3, 0:6:2]", "3x7", "2x3"),
    "concatenate": Case(
        """%y = stablehlo.concatenate %a, %b, %a, dim = 1
      : (tensor<3x2xf64>, tensor<3x1xf64>, tensor<3x2xf64>) -> tensor<3x5xf64>""",
        "3x5",
        ("3x2", "3x1"),
    ),
    "pad": pad("[1, 0]", "[0, 2]", "[0, 1]", "4x9"),
    "pad_negative": pad("[-1, 1]", "[1, -2]", "[0, 1]", "3x6"),
    "barrier": Case(
        """%z, %y = stablehlo.optimization_barrier %a, %b : tensor<3xf64>, tensor<3xf64>""",
        "3",
        ("3", "3"),
    ),
    # Reductions.
    "reduce_add": reduction("add", "0.0", "[1]", "3x2"),
    "reduce_max": reduction("maximum", "0xFFF0000000000000", "[0, 2]", "4"),
    "reduce_min": reduction("minimum", "0x7FF0000000000000", "[1]", "3x2"),
    "reduce_init": Case(
        """%y = stablehlo.reduce(%a init: %b) applies stablehlo.add across dimensions = [0]
      : (tensor<3x4xf64>, tensor<f64>) -> tensor<4xf64>""",
        "4",
        ("3x4", ""),
    ),
    # Computed places; ids also outside.
    "gather_rows": Case(GATHER_ROWS, "2x4x3", ("5x3",), ("2x4x1",), limit=7),
    "gather_windows": Case(GATHER_WINDOWS, "4x2x2", ("5x3",), ("4x2",), limit=6),
    "gather_batched": Case(GATHER_BATCHED, "2x3x2", ("2x3x5",), ("2x3x2x1",)),
    "dynamic_slice": Case(
        """%y = stablehlo.dynamic_slice %a, %i, %j, sizes = [2, 3]
      : (tensor<4x5xf64>, tensor<i32>, tensor<i32>) -> tensor<2x3xf64>""",
        "2x3",
        ("4x5",),
        ("", ""),
    ),
    "dynamic_update_slice": Case(
        """%y = stablehlo.dynamic_update_slice %a, %b, %i, %j
      : (tensor<4x5xf64>, tensor<2x3xf64>, tensor<i32>, tensor<i32>) -> tensor<4x5xf64>""",
        "4x5",
        ("4x5", "2x3"),
        ("", ""),
    ),
    # boost.
    "linear": Case(
        "%y = boost.linear %a, %b : (tensor<2x3x4xf64>, tensor<4x5xf64>) -> tensor<2x3x5xf64>",
        "2x3x5",
        ("2x3x4", "4x5"),
    ),
    "linear_transposed": Case(
        "%y = boost.linear %a, %b transposed : (tensor<2x3x4xf64>, tensor<5x4xf64>) -> tensor<2x3x5xf64>",
        "2x3x5",
        ("2x3x4", "5x4"),
    ),
    "attention": Case(
        """%y, %lse = boost.attention %a, %b, %c causal {scale = 0.5 : f64}
      : (tensor<2x5x4x3xf64>, tensor<2x5x2x3xf64>, tensor<2x5x2x3xf64>)
      -> (tensor<2x5x4x3xf64>, tensor<2x4x5xf64>)""",
        "2x5x4x3",
        ("2x5x4x3", "2x5x2x3", "2x5x2x3"),
    ),
    "attention_full": Case(
        """%y, %lse = boost.attention %a, %b, %c {scale = 0.5 : f64}
      : (tensor<1x4x2x3xf64>, tensor<1x4x2x3xf64>, tensor<1x4x2x3xf64>)
      -> (tensor<1x4x2x3xf64>, tensor<1x2x4xf64>)""",
        "1x4x2x3",
        ("1x4x2x3",) * 3,
    ),
    "embedding": Case(
        "%y = boost.embedding %a, %i : (tensor<5x3xf64>, tensor<2x4xi32>) -> tensor<2x4x3xf64>",
        "2x4x3",
        ("5x3",),
        ("2x4",),
    ),
    "cross_entropy": Case(
        """%y, %lse = boost.cross_entropy %a, %i
      : (tensor<2x3x5xf64>, tensor<2x3xi32>) -> (tensor<2x3xf64>, tensor<2x3xf64>)""",
        "2x3",
        ("2x3x5",),
        ("2x3",),
    ),
    "cross_entropy_lse": Case(
        """%ce, %lse = boost.cross_entropy %a, %i
      : (tensor<2x3x5xf64>, tensor<2x3xi32>) -> (tensor<2x3xf64>, tensor<2x3xf64>)
  %square = stablehlo.multiply %lse, %lse : tensor<2x3xf64>
  %y = stablehlo.add %ce, %square : tensor<2x3xf64>""",
        "2x3",
        ("2x3x5",),
        ("2x3",),
    ),
    "sum_of_squares": Case(
        "%y = boost.sum_of_squares %a, %b : (tensor<3x4xf64>, tensor<2xf64>) -> tensor<f64>",
        "",
        ("3x4", "2"),
    ),
}


def finite_differences(program, inputs, name, step=1e-6):
    gradient = np.zeros(inputs[name].shape)
    for place in np.ndindex(gradient.shape):
        sides = []
        for sign in (1, -1):
            moved = inputs[name].copy()
            moved[place] += sign * step
            sides.append(program.run("loss", {**inputs, name: moved})["loss"])
        gradient[place] = (sides[0] - sides[1]) / (2 * step)
    return gradient


@pytest.mark.parametrize("name", CASES)
def test_rule_against_finite_differences(name):
    case = CASES[name]
    program = ir_eval.load(loss_text(case), "--boost-differentiate")
    inputs = program.random_inputs("loss", seed=7, limit=case.limit)
    if case.positive:
        random = np.random.default_rng(8)
        inputs |= {
            key: random.uniform(0.3, 1.7, inputs[key].shape) for key in "ab" if key in inputs
        }
    results = program.run("gradient", inputs)
    assert results["loss"] == program.run("loss", inputs)["loss"]
    for parameter in program.functions["loss"].args_of_role("param"):
        expected = finite_differences(program, inputs, parameter)
        actual = results[f"grad.{parameter}"]
        np.testing.assert_allclose(actual, expected, rtol=2e-7, atol=2e-8, err_msg=parameter)


TIED = np.array([[0.0, 1.0, 1.0, -2.0], [3.0, 3.0, 3.0, 1.0], [0.0, 0.0, 5.0, -0.0]])
OTHER = np.array([[0.0, 2.0, 1.0, -2.0], [3.0, 1.0, 3.0, 1.0], [1.0, 0.0, 4.0, 0.0]])
WEIGHTS = np.arange(1.0, 13.0).reshape(3, 4)

KINKS = {
    "abs": (unary("abs"), lambda a: jnp.abs(a)),
    "maximum": (binary("maximum"), jax.lax.max),
    "minimum": (binary("minimum"), jax.lax.min),
    "clamp": (
        Case(
            """%lo = stablehlo.constant dense<0.0> : tensor<f64>
  %hi = stablehlo.constant dense<3.0> : tensor<f64>
  %y = stablehlo.clamp %lo, %a, %hi : (tensor<f64>, tensor<3x4xf64>, tensor<f64>) -> tensor<3x4xf64>""",
            "3x4",
            ("3x4",),
        ),
        lambda a: jax.lax.clamp(0.0, a, 3.0),
    ),
    "square_at_zero": (power_of(2.0), lambda a: jax.lax.pow(a, jnp.full_like(a, 2.0))),
    "reduce_max": (
        Case(
            """%from = stablehlo.constant dense<0xFFF0000000000000> : tensor<f64>
  %y = stablehlo.reduce(%a init: %from) applies stablehlo.maximum across dimensions = [1]
      : (tensor<3x4xf64>, tensor<f64>) -> tensor<3xf64>""",
            "3",
            ("3x4",),
        ),
        lambda a: jnp.max(a, axis=1),
    ),
}


@pytest.mark.parametrize("name", KINKS)
def test_choice_where_there_is_no_derivative_is_jax_s(name):
    case, function = KINKS[name]
    program = ir_eval.load(loss_text(case), "--boost-differentiate")
    weights = WEIGHTS if case.result == "3x4" else WEIGHTS[:, 0]
    inputs = dict(zip("ab", (TIED, OTHER)[: len(case.shapes)]))
    with jax.enable_x64(True):
        loss = lambda *args: jnp.sum(weights * function(*args))
        expected = jax.grad(loss, argnums=tuple(range(len(inputs))))(
            *map(jnp.asarray, inputs.values())
        )
    results = program.run("gradient", inputs | {"w": weights})
    for key, value in zip(inputs, expected):
        np.testing.assert_array_equal(results[f"grad.{key}"], value, err_msg=key)
