# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The corners of StableHLO, and the choices that its specification leaves open (docs/StableHLO.md):
small programs in text with the results they must have, through boost-eval and through a compiled
program.

To add a case is to add an entry to CASES: operations on the inputs %a, %b, .. that compute %y."""

import dataclasses

import numpy as np
import pytest
from harness import evaluate, run, tool
from safetensors.numpy import load_file, save_file

NAN, INF = np.nan, np.inf
TYPES = {np.dtype(np.float32): "f32", np.dtype(np.int32): "i32"}


@dataclasses.dataclass(frozen=True)
class Case:
    body: str
    inputs: tuple
    expected: np.ndarray


def f(*elements):
    return np.array(elements, np.float32)


def i(*elements):
    return np.array(elements, np.int64).astype(np.int32)


def type_of(array, element=None):
    shape = "x".join(map(str, array.shape))
    return f"tensor<{shape}{'x' if shape else ''}{element or TYPES[array.dtype]}>"


def case(body, *inputs, y):
    return Case(body, inputs, np.asarray(y))


def binary(name, a, b, y, element="i32", result=None):
    """An operation on vectors of another element type, whose bits or values are given."""
    count, result = len(a), result or element
    given, wanted = f"tensor<{count}x{element}>", f"tensor<{count}x{result}>"
    types = given if result == element else f"({given}, {given}) -> {wanted}"
    return case(
        f"""{as_element("a", "%a", count, element)}
  {as_element("b", "%b", count, element)}
  %r = stablehlo.{name} %a_, %b_ : {types}
  {back_to_i32("%r", count, result)}""",
        *(i(*a), i(*b)),
        y=i(*y),
    )


def as_element(name, value, count, element):
    to = f"tensor<{count}x{element}>"
    how = "bitcast_convert" if element == "ui32" else "convert"
    return f"%{name}_ = stablehlo.{how} {value} : (tensor<{count}xi32>) -> {to}"


def back_to_i32(value, count, element):
    how = "bitcast_convert" if element == "ui32" else "convert"
    return f"%y = stablehlo.{how} {value} : (tensor<{count}x{element}>) -> tensor<{count}xi32>"


def compare(direction, kind, a, b, y):
    return case(
        f"""%p = stablehlo.compare {direction}, %a, %b, {kind}
      : (tensor<{len(a)}xf32>, tensor<{len(a)}xf32>) -> tensor<{len(a)}xi1>
  %y = stablehlo.convert %p : (tensor<{len(a)}xi1>) -> tensor<{len(a)}xi32>""",
        *(f(*a), f(*b)),
        y=i(*y),
    )


def convert(a, y, element, source="f32"):
    count = len(a)
    return case(
        f"""%n = stablehlo.convert %a : (tensor<{count}x{source}>) -> tensor<{count}x{element}>
  %y = stablehlo.convert %n : (tensor<{count}x{element}>) -> tensor<{count}x{source}>""",
        *(f(*a) if source == "f32" else i(*a),),
        y=f(*y) if source == "f32" else i(*y),
    )


MAX, MIN = (1 << 31) - 1, -(1 << 31)
TABLE = np.arange(12, dtype=np.float32).reshape(4, 3)
REPLACE = "^bb0(%o: tensor<f32>, %n: tensor<f32>): stablehlo.return %n : tensor<f32>"
ADD = """^bb0(%o: tensor<f32>, %n: tensor<f32>):
    %s = stablehlo.add %o, %n : tensor<f32>
    stablehlo.return %s : tensor<f32>"""
GATHER_ROWS = """%y = "stablehlo.gather"(%a, %b) <{dimension_numbers = #stablehlo.gather<
      offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>,
      slice_sizes = array<i64: 1, 3>}> : (tensor<4x3xf32>, tensor<3xi32>) -> tensor<3x3xf32>"""


def scatter(body, numbers, table, places, updates):
    types = ", ".join(map(type_of, (table, places, updates)))
    return f"""%y = "stablehlo.scatter"(%a, %b, %c) <{{scatter_dimension_numbers =
      #stablehlo.scatter<{numbers}>}}> ({{
  {body}
  }}) : ({types}) -> {type_of(table)}"""


WINDOWS = "update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1"
ROWS = f"inserted_window_dims = [0], {WINDOWS}"
UPDATES = f(*range(100, 109)).reshape(3, 3)
LINE = f(0, 0, 0, 0)
SORT_TOTAL = """%y = "stablehlo.sort"(%a) <{dimension = -1 : i64, is_stable = true}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %p = stablehlo.compare LT, %l, %r, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<8xf32>) -> tensor<8xf32>"""
NEGATIVE_NAN = np.array([0xFFC00000], np.uint32).view(np.float32)[0]

CASES = {
    # Places outside: a gather clamps them, a scatter skips, element by element.
    "gather_clamps": case(GATHER_ROWS, TABLE, i(-1, 9, MIN), y=TABLE[[0, 3, 0]]),
    "scatter_skips_rows": case(
        scatter(REPLACE, ROWS, TABLE, i(-1, 4, 2), UPDATES),
        *(TABLE, i(-1, 4, 2), UPDATES),
        y=np.vstack([TABLE[:2], UPDATES[2:], TABLE[3:]]),
    ),
    "scatter_skips_elements": case(
        scatter(ADD, WINDOWS, LINE, i(-1, 3), f(1, 2, 3, 4).reshape(2, 2)),
        *(LINE, i(-1, 3), f(1, 2, 3, 4).reshape(2, 2)),
        y=f(2, 0, 0, 3),
    ),
    "scatter_in_order": case(
        scatter(REPLACE, ROWS, TABLE, i(1, 1, 1), UPDATES),
        *(TABLE, i(1, 1, 1), UPDATES),
        y=np.vstack([TABLE[:1], UPDATES[2:], TABLE[2:]]),
    ),
    "scatter_adds_up": case(
        scatter(ADD, ROWS, TABLE, i(1, 1, 1), UPDATES),
        *(TABLE, i(1, 1, 1), UPDATES),
        y=np.vstack([TABLE[:1], TABLE[1:2] + UPDATES.sum(0), TABLE[2:]]),
    ),
    "dynamic_slice_clamps": case(
        """%r = stablehlo.slice %b [0:1] : (tensor<2xi32>) -> tensor<1xi32>
  %c = stablehlo.slice %b [1:2] : (tensor<2xi32>) -> tensor<1xi32>
  %i = stablehlo.reshape %r : (tensor<1xi32>) -> tensor<i32>
  %j = stablehlo.reshape %c : (tensor<1xi32>) -> tensor<i32>
  %y = stablehlo.dynamic_slice %a, %i, %j, sizes = [2, 2]
      : (tensor<4x3xf32>, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>""",
        *(TABLE, i(MAX, MIN)),
        y=TABLE[2:4, 0:2],
    ),
    # An unsigned place is never negative.
    "dynamic_slice_unsigned": case(
        """%u = stablehlo.bitcast_convert %b : (tensor<1xi32>) -> tensor<1xui32>
  %i = stablehlo.reshape %u : (tensor<1xui32>) -> tensor<ui32>
  %z = stablehlo.constant dense<0> : tensor<ui32>
  %y = stablehlo.dynamic_slice %a, %i, %z, sizes = [1, 3]
      : (tensor<4x3xf32>, tensor<ui32>, tensor<ui32>) -> tensor<1x3xf32>""",
        *(TABLE, i(-1)),
        y=TABLE[3:],
    ),
    "dynamic_update_clamps": case(
        """%r = stablehlo.reshape %b : (tensor<1xi32>) -> tensor<i32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %y = stablehlo.dynamic_update_slice %a, %c, %r, %z
      : (tensor<4x3xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x3xf32>""",
        *(TABLE, i(9), UPDATES[:2]),
        y=np.vstack([TABLE[:2], UPDATES[:2]]),
    ),
    # Integers: no division is undefined, overflow wraps, shifts may be too far.
    "divide_truncates": binary("divide", (7, -7, 7, -7), (2, 2, -2, -2), (3, -3, -3, 3)),
    "divide_by_zero": binary("divide", (7, -7, 0), (0, 0, 0), (-1, -1, -1)),
    "divide_overflows": binary("divide", (MIN, MAX), (-1, -1), (MIN, -MAX)),
    "divide_unsigned": binary("divide", (-1, -2, 9), (2, 3, 0), (MAX, 0x55555554, -1), "ui32"),
    "remainder_sign": binary("remainder", (7, -7, 7, -7), (4, 4, -4, -4), (3, -3, 3, -3)),
    "remainder_of_zero": binary("remainder", (7, MIN, MIN), (0, 0, -1), (7, MIN, 0)),
    "remainder_unsigned": binary("remainder", (-1, 7), (10, 0), (5, 7), "ui32"),
    "add_wraps": binary("add", (MAX, MIN), (1, -1), (MIN, MAX)),
    "multiply_wraps_8": binary("multiply", (100, -128), (3, -1), (44, -128), "i8"),
    # To a negative power only 1 and -1 are not 0.
    "power_integers": binary(
        "power", (3, -3, 0, 7, -2, 10), (4, 3, 0, 0, 31, 10), (81, -27, 1, 1, MIN, 1410065408)
    ),
    "power_negative": binary("power", (1, -1, -1, 2, 0), (-5, -5, -4, -1, -1), (1, -1, 1, 0, 0)),
    "power_unsigned": binary("power", (-1, 3), (2, -1), (1, -1431655765), "ui32"),
    "power_8": binary("power", (5, -2, 3), (4, 7, -1), (113, -128, 0), "i8"),
    "maximum_unsigned": binary("maximum", (-1, 5), (1, 7), (-1, 7), "ui32"),
    "minimum_signed": binary("minimum", (-1, 5), (1, 7), (-1, 5)),
    "compare_unsigned": binary("compare LT,", (-1, 5), (1, 7), (0, 1), "ui32", "i1"),
    "compare_signed": binary("compare LT,", (-1, 5), (1, 7), (1, 1), "i32", "i1"),
    "shift_left_far": binary("shift_left", (1, 1, 1), (31, 32, -1), (MIN, 0, 0)),
    "shift_logical_far": binary("shift_right_logical", (-1, -1, -8), (31, 32, 1), (1, 0, MAX - 3)),
    "shift_arithmetic_far": binary("shift_right_arithmetic", (-8, -8, 8), (1, 99, 32), (-4, -1, 0)),
    # Booleans: a sum is OR, a product AND, and they are 0 and 1 as numbers.
    "add_booleans": binary("add", (1, 1, 0), (1, 0, 0), (1, 1, 0), "i1"),
    "multiply_booleans": binary("multiply", (1, 1, 0), (1, 0, 0), (1, 0, 0), "i1"),
    "maximum_booleans": binary("maximum", (1, 1, 0), (1, 0, 0), (1, 1, 0), "i1"),
    "minimum_booleans": binary("minimum", (1, 1, 0), (1, 0, 0), (1, 0, 0), "i1"),
    "not_boolean": case(
        """%p = stablehlo.convert %a : (tensor<3xi32>) -> tensor<3xi1>
  %n = stablehlo.not %p : tensor<3xi1>
  %y = stablehlo.convert %n : (tensor<3xi1>) -> tensor<3xi32>""",
        *(i(0, 1, -2),),
        y=i(1, 0, 0),
    ),
    "not_integer": case("%y = stablehlo.not %a : tensor<2xi32>", i(0, 5), y=i(-1, -6)),
    # Conversions saturate, NaN becomes 0, anything but zero is true.
    "float_to_int": convert(
        (1.9, -1.9, 3e9, -3e9, INF, -INF), (1, -1, 2**31, MIN, 2**31, MIN), "i32"
    ),
    "nan_to_int": convert((NAN,), (0,), "i32"),
    "float_to_int8": convert((200, -200, 127.9), (127, -128, 127), "i8"),
    "float_to_unsigned": convert((300, -5, 254.5), (255, 0, 254), "ui8"),
    "float_to_bool": convert((0.5, -0.0, NAN, 2), (1, 0, 1, 1), "i1"),
    "float_to_bfloat16": convert((1.00390625, 1.01171875, -1.00390625), (1, 1.015625, -1), "bf16"),
    "float_to_float16": convert((65520, 65519, 2e-8, 1 / 3), (INF, 65504, 0, 0.33325195), "f16"),
    "int_to_float": convert((16777217, 16777219, MIN), (16777216, 16777220, MIN), "f32", "i32"),
    "int_to_int8": convert((300, -129, 128), (44, 127, -128), "i8", "i32"),
    # Floats: NaN wins, -0 is below +0, comparisons are quiet or total.
    "maximum_nan": case(
        "%y = stablehlo.maximum %a, %b : tensor<4xf32>",
        *(f(NAN, 1, -0.0, 0), f(1, NAN, 0, -0.0)),
        y=f(NAN, NAN, 0, 0),
    ),
    "minimum_zeros": case(
        "%y = stablehlo.minimum %a, %b : tensor<3xf32>",
        *(f(-0.0, 0, NAN), f(0, -0.0, 1)),
        y=f(-0.0, -0.0, NAN),
    ),
    "compare_nan": compare("NE", "FLOAT", (NAN, 1, 0), (NAN, 1, -0.0), (1, 0, 0)),
    "compare_nan_less": compare("LT", "FLOAT", (NAN, 1), (1, NAN), (0, 0)),
    "compare_total": compare(
        "LT",
        "TOTALORDER",
        (-0.0, 0.0, NEGATIVE_NAN, INF, -INF, 1, -2),
        (0.0, -0.0, -INF, NAN, NEGATIVE_NAN, 2, -1),
        (1, 0, 1, 1, 0, 1, 1),
    ),
    "sort_total": case(
        SORT_TOTAL,
        *(f(NAN, 1, -0.0, INF, 0.0, -INF, -1, 2),),
        y=f(-INF, -1, -0.0, 0.0, 1, 2, INF, NAN),
    ),
    "reduce_max_nan": case(
        """%low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %y = stablehlo.reduce(%a init: %low) applies stablehlo.maximum across dimensions = [1]
      : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>""",
        *(f(1, NAN, 2, -INF, -3, -INF).reshape(2, 3),),
        y=f(NAN, -3),
    ),
    "clamp_nan": case(
        """%lo = stablehlo.constant dense<-1.0> : tensor<f32>
  %hi = stablehlo.constant dense<1.0> : tensor<f32>
  %y = stablehlo.clamp %lo, %a, %hi : (tensor<f32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>""",
        *(f(NAN, -INF, INF, 0.5),),
        y=f(NAN, -1, 1, 0.5),
    ),
    # The upper bound wins where the bounds cross.
    "clamp_crossing": case(
        """%lo = stablehlo.constant dense<3> : tensor<i32>
  %hi = stablehlo.constant dense<1> : tensor<i32>
  %y = stablehlo.clamp %lo, %a, %hi : (tensor<i32>, tensor<3xi32>, tensor<i32>) -> tensor<3xi32>""",
        *(i(0, 2, 9),),
        y=i(1, 1, 1),
    ),
    "sign": case(
        "%y = stablehlo.sign %a : tensor<4xf32>", f(-0.0, NAN, -INF, 3), y=f(-0.0, NAN, -1, 1)
    ),
    "round_even": case(
        "%y = stablehlo.round_nearest_even %a : tensor<5xf32>",
        *(f(0.5, 1.5, -2.5, -0.4, INF),),
        y=f(0, 2, -2, -0.0, INF),
    ),
    "round_away": case(
        "%y = stablehlo.round_nearest_afz %a : tensor<4xf32>",
        *(f(0.5, -2.5, 0.49999997, -0.4),),
        y=f(1, -3, 0, -0.0),
    ),
    # Rounded, then too large or too small; NaN stays.
    "reduce_precision": case(
        "%y = stablehlo.reduce_precision %a, format = e5m2 : tensor<7xf32>",
        *(f(1.125, 1.375, 61440, 57344, 1e-5, NAN, -1e9),),
        y=f(1, 1.5, INF, 57344, 0, NAN, -INF),
    ),
    "rounding_pair_stays": case(
        """%n = stablehlo.convert %a : (tensor<2xf32>) -> tensor<2xbf16>
  %y = stablehlo.convert %n : (tensor<2xbf16>) -> tensor<2xf32>""",
        *(f(1.001, 1.01),),
        y=f(1, 1.0078125),
    ),
    # Shapes.
    "select_scalar": case(
        """%z = stablehlo.constant dense<0> : tensor<i32>
  %s = stablehlo.reshape %c : (tensor<1xi32>) -> tensor<i32>
  %p = stablehlo.compare NE, %s, %z : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %y = stablehlo.select %p, %a, %b : tensor<i1>, tensor<3xf32>""",
        *(f(1, 2, 3), f(4, 5, 6), i(0)),
        y=f(4, 5, 6),
    ),
    "pad_interior_then_edges": case(
        """%v = stablehlo.constant dense<9.0> : tensor<f32>
  %y = stablehlo.pad %a, %v, low = [-1], high = [2], interior = [2]
      : (tensor<3xf32>, tensor<f32>) -> tensor<8xf32>""",
        *(f(1, 2, 3),),
        y=f(9, 9, 2, 9, 9, 3, 9, 9),
    ),
    "pad_cuts_all": case(
        """%v = stablehlo.constant dense<9.0> : tensor<f32>
  %y = stablehlo.pad %a, %v, low = [-3], high = [2], interior = [0]
      : (tensor<2xf32>, tensor<f32>) -> tensor<1xf32>""",
        *(f(1, 2),),
        y=f(9),
    ),
    "broadcast_unordered": case(
        "%y = stablehlo.broadcast_in_dim %a, dims = [1, 0] : (tensor<2x1xf32>) -> tensor<3x2xf32>",
        *(f(1, 2).reshape(2, 1),),
        y=f(1, 2, 1, 2, 1, 2).reshape(3, 2),
    ),
    # Constants: hexadecimal, a string of bytes, uniform, and the bits of a NaN.
    "constants": case(
        """%h = stablehlo.constant dense<[0xFF800000, 0x3F800000]> : tensor<2xf32>
  %s = stablehlo.constant dense<"0x0000C03F000000C0"> : tensor<2xf32>
  %z = stablehlo.concatenate %h, %s, %a, dim = 0
      : (tensor<2xf32>, tensor<2xf32>, tensor<1xf32>) -> tensor<5xf32>
  %u = stablehlo.constant dense<1.0> : tensor<5xf32>
  %y = stablehlo.multiply %z, %u : tensor<5xf32>""",
        *(f(5),),
        y=f(-INF, 1, 1.5, -2, 5),
    ),
    "nan_payload": case(
        """%n = stablehlo.constant dense<0x7FC12345> : tensor<1xf32>
  %b = stablehlo.bitcast_convert %n : (tensor<1xf32>) -> tensor<1xi32>
  %y = stablehlo.add %b, %a : tensor<1xi32>""",
        *(i(0),),
        y=i(0x7FC12345),
    ),
    # The comparator of a sort sees pairs: left and right of the first input, then the second.
    "sort_pairs": case(
        """%s:2 = "stablehlo.sort"(%a, %b) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%l: tensor<i32>, %r: tensor<i32>, %m: tensor<f32>, %n: tensor<f32>):
    %p = stablehlo.compare GT, %m, %n : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<4xi32>, tensor<4xf32>) -> (tensor<4xi32>, tensor<4xf32>)
  %y = stablehlo.add %s#0, %c : tensor<4xi32>""",
        *(i(1, 2, 3, 4), f(0, 7, 7, 9), i(0, 0, 0, 0)),
        y=i(4, 2, 3, 1),
    ),
}


def values_text(case):
    """A function that returns the result."""
    args = ", ".join(
        f'%{name}: {type_of(value)} {{boost.arg = "batch", boost.name = "{name}"}}'
        for name, value in zip("abc", case.inputs)
    )
    result = type_of(case.expected)
    return f"""func.func @values({args}) -> ({result} {{boost.tensor = #boost.tensor<output "y">}}) {{
  {case.body}
  return %y : {result}
}}
"""


WHOLE = "%total = stablehlo.multiply %y, %probe : T"
# Integers as two floats of 16 bits each.
HALVES = """%width = stablehlo.constant dense<16> : tensor<Nxi32>
  %mask = stablehlo.constant dense<65535> : tensor<Nxi32>
  %upper = stablehlo.shift_right_arithmetic %y, %width : tensor<Nxi32>
  %lower = stablehlo.and %y, %mask : tensor<Nxi32>
  %upper_float = stablehlo.convert %upper : (tensor<Nxi32>) -> T
  %lower_float = stablehlo.convert %lower : (tensor<Nxi32>) -> T
  %upper_term = stablehlo.multiply %upper_float, %probe : T
  %lower_term = stablehlo.multiply %lower_float, %probe_low : T
  %total = stablehlo.add %upper_term, %lower_term : T"""


class Term:
    """A case as a function of its inputs and of probes: the gradient of a probe is the result."""

    def __init__(self, name, case):
        self.name, self.case = name, case
        self.batch = {f"{name}.{letter}": value for letter, value in zip("abc", case.inputs)}
        is_integer = case.expected.dtype == np.int32
        probes = ("probe", "probe_low") if is_integer else ("probe",)
        self.params = {
            f"{name}.{probe}": np.ones(case.expected.shape, np.float32) for probe in probes
        }
        self.inputs = self.batch | self.params

    def function(self):
        args = ", ".join(
            f"%{name.split('.')[1]}: {type_of(value)}" for name, value in self.inputs.items()
        )
        floats = type_of(self.case.expected, "f32")
        dims = ", ".join(str(dim) for dim in range(self.case.expected.ndim))
        product = HALVES if self.case.expected.dtype == np.int32 else WHOLE
        product = product.replace("N", "x".join(map(str, self.case.expected.shape)))
        return f"""func.func private @{self.name}({args}) -> tensor<f32> {{
  {self.case.body}
  {product.replace("T", floats)}
  %start = stablehlo.constant dense<0.0> : tensor<f32>
  %loss = stablehlo.reduce(%total init: %start) applies stablehlo.add across dimensions = [{dims}]
      : ({floats}, tensor<f32>) -> tensor<f32>
  return %loss : tensor<f32>
}}
"""

    def arguments(self):
        return [
            f'%{name.replace(".", "_")}: {type_of(value)} {{boost.name = "{name}", '
            f'boost.arg = "{"param" if name in self.params else "batch"}"}}'
            for name, value in self.inputs.items()
        ]

    def call(self):
        names = ", ".join(f"%{name.replace('.', '_')}" for name in self.inputs)
        types = ", ".join(map(type_of, self.inputs.values()))
        return f"%{self.name} = call @{self.name}({names}) : ({types}) -> tensor<f32>"

    def result(self, outputs):
        value = outputs[f"grad.{self.name}.probe"]
        if self.case.expected.dtype != np.int32:
            return value
        low = outputs[f"grad.{self.name}.probe_low"]
        return (value.astype(np.int64) * 65536 + low.astype(np.int64)).astype(np.int32)


def loss_text(terms):
    lines = [term.call() for term in terms]
    lines.append("%sum0 = stablehlo.constant dense<0.0> : tensor<f32>")
    for i, term in enumerate(terms):
        lines.append(f"%sum{i + 1} = stablehlo.add %sum{i}, %{term.name} : tensor<f32>")
    lines.append(f"return %sum{len(terms)} : tensor<f32>")
    arguments = ", ".join(argument for term in terms for argument in term.arguments())
    loss = f'func.func @loss({arguments}) -> tensor<f32> {{\n  '
    functions = "\n".join(term.function() for term in terms)
    return loss + "\n  ".join(lines) + "\n}\n" + functions


def check(actual, expected):
    expected = np.asarray(expected)
    if expected.dtype == np.int32:
        np.testing.assert_array_equal(actual, expected)
        return
    np.testing.assert_allclose(actual, expected, rtol=1e-6)
    zeros = expected == 0
    np.testing.assert_array_equal(np.signbit(actual[zeros]), np.signbit(expected[zeros]))


def save(tensors, path):
    save_file({name: np.require(value, requirements="C") for name, value in tensors.items()}, path)


@pytest.mark.parametrize("name", CASES)
def test_evaluator(tmp_path, name):
    case = CASES[name]
    text, given, outputs = (tmp_path / n for n in ("p.mlir", "in.safetensors", "out.safetensors"))
    text.write_text(values_text(case))
    save(dict(zip("abc", case.inputs)), given)
    run(
        *(tool("boost-eval"), text, "--function", "values", "--rounding", "typed"),
        *("--inputs", given, "--outputs", outputs),
    )
    check(load_file(outputs)["y"], case.expected)


@pytest.fixture(scope="module")
def outputs(tmp_path_factory):
    """Those of one program that holds all cases."""
    directory = tmp_path_factory.mktemp("semantics")
    text, binary = directory / "loss.mlir", directory / "program"
    given, outputs = directory / "in.safetensors", directory / "out.safetensors"
    terms = [Term(name, case) for name, case in CASES.items()]
    text.write_text(loss_text(terms))
    save({name: value for term in terms for name, value in term.inputs.items()}, given)
    run(tool("boost-compile"), text, "--allow-float-batch", "-o", binary)
    return evaluate(binary, given, outputs)


@pytest.mark.parametrize("name", CASES)
def test_program(outputs, name):
    check(Term(name, CASES[name]).result(outputs), CASES[name].expected)
