# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that are nested, repeated or sized beyond all use: a message and the exit code of
refused input from every tool that reads them, no crash, and nothing written."""

import re

import pytest
from harness import run, tool

REFUSED = 3
ATTRIBUTE = "module attributes {{x.y = {}}} {{}}"


def attribute(opening, inner, closing):
    return lambda n: ATTRIBUTE.format(opening * n + inner + closing * n)


def affine(inner):
    return lambda n: ATTRIBUTE.format(f"affine_map<(d0)[s0] -> ({inner(n)})>")


def location(opening, inner, closing):
    return lambda n: f"module {{}} loc({opening * n}{inner}{closing * n})"


def aliases(first, again, use):
    def make(n):
        lines = [first] + [again.format(i, i - 1) for i in range(1, n + 1)]
        return "\n".join([*lines, use.format(n)])

    return make


def branches(n):
    branch, end = '"stablehlo.if"(%a) ({', "stablehlo.return}, {stablehlo.return}) : (tensor<i1>) -> ()\n"
    return f"func.func @f(%a: tensor<i1>) {{ {branch * n} {end * n} return }}"


def loops(n):
    head = "%r{0} = stablehlo.while(%x{0} = %a) : tensor<i1> cond {{ stablehlo.return %x{0} : tensor<i1> }} do {{"
    opened = "\n".join(head.format(i) for i in range(n))
    return f"func.func @f(%a: tensor<i1>) {{ {opened} {'stablehlo.return %a : tensor<i1> }' * n} return }}"


# Every way of MLIR's grammar to stand inside of itself, by depth.
NESTS = {
    "array": attribute("[", "", "]"),
    "dictionary": attribute("{a = ", "1", "}"),
    "dense": attribute("dense<[", "1", "]> : tensor<1xi32>"),
    "dense brackets": lambda n: ATTRIBUTE.format(f"dense<{'[' * n}1{']' * n}> : tensor<1xi32>"),
    "sparse": lambda n: ATTRIBUTE.format(f"sparse<{'[' * n}0{']' * n}, 1> : tensor<1xi32>"),
    "tuple": attribute("tuple<", "i32", ">"),
    "complex": attribute("complex<", "i32", ">"),
    "vector": attribute("vector<1x", "i32", ">"),
    "tensor": attribute("tensor<1x", "i32", ">"),
    "encoding": attribute("tensor<1xi32, ", "1", ">"),
    "memref": attribute("memref<1x", "i32", ">"),
    "inputs": attribute("(", "i32", ") -> i32"),
    "results": attribute("() -> (", "i32", ")"),
    "distinct": lambda n: ATTRIBUTE.format(
        "".join(f"distinct[{i}]<" for i in range(n)) + "1" + ">" * n
    ),
    "opaque attribute": attribute("#x<", "", ">"),
    "opaque type": attribute("!x<", "", ">"),
    "dialect attribute": lambda n: ATTRIBUTE.format(f"#x.y<{'[({<' * n}{'>})]' * n}>"),
    "affine parentheses": affine(lambda n: "(" * n + "d0" + ")" * n),
    "affine minus": affine(lambda n: "-" * n + "d0"),
    "affine sum": affine(lambda n: "d0 + " * n + "s0"),
    "affine division": affine(lambda n: "d0" + " floordiv 3" * n),
    "call sites": location('callsite("a" at ', '"b"', ")"),
    "callees": location("callsite(", '"b"', ' at "a")'),
    "fused": location("fused[", '"b"', "]"),
    "fused attribute": lambda n: f'module {{}} loc(fused<{"[" * n}{"]" * n}>["b"])',
    "names": location('"a"(', '"b"', ")"),
    "properties": lambda n: f'"x.y"() <{"{a = " * n}1{"}" * n}> : () -> ()',
    "regions": lambda n: '"x.y"() ({' * n + "}) : () -> ()" * n,
    "modules": lambda n: "module {" * n + "}" * n,
    "branches": branches,
    "loops": loops,
    "attribute aliases": aliases("#a0 = [1]", "#a{0} = [#a{1}]", ATTRIBUTE.replace("= {}", "= #a{0}")),
    "type aliases": aliases("!a0 = i32", "!a{0} = tuple<!a{1}>", ATTRIBUTE.replace("= {}", "= !a{0}")),
    "typed aliases": aliases(
        "!a0 = i32", "!a{0} =\n() ->\n(!a{1})", ATTRIBUTE.replace("= {}", "= !a{0}")
    ),
    "location aliases": aliases(
        '#a0 = loc("a")', "#a{0} = loc(callsite(#a{1} at #a0))", "module {{}} loc(#a{0})"
    ),
    "resources": lambda n: f"module {{}} {{-# dialect_resources: {'{a: ' * n}{'}' * n} #-}}",
    "operands": lambda n: f'"x.y"({"(" * n}{")" * n}) : () -> ()',
    "never closed": lambda n: "[({<" * n,
    "behind a comment": lambda n: f'// "\n"x.y"() {{a = "\\"//", b = {"[" * n}{"]" * n}}} : () -> ()',
    "beside comparisons": lambda n: ATTRIBUTE.format(
        f"[affine_set<(d0) : (d0 >= 0, d0 <= 5)>, {'[' * n}{']' * n}]"
    ),
}


def crashed(result):
    said = result.stderr[-2000:]
    return result.returncode < 0 or "Stack dump" in said or "Assertion" in said


@pytest.mark.parametrize("kind", NESTS)
def test_nesting_is_bounded(kind, tmp_path):
    for depth in (100, 240, 100_000):
        path = tmp_path / f"{depth}.mlir"
        path.write_text(NESTS[kind](depth))
        result = run(
            *(tool("boost-opt"), path, "-o", tmp_path / "out", "--allow-unregistered-dialect"),
            *("--canonicalize", "--mlir-print-debuginfo"),
            check=False,
        )
        assert not crashed(result), (depth, result.returncode, result.stderr[-500:])
    # The last one is refused before it is parsed, whatever else is wrong with it.
    assert result.returncode == 1
    assert re.search(r"100000\.mlir:\d+:\d+: error: expects .* at most 512 ", result.stderr)


@pytest.mark.parametrize("name", ["boost-compile", "boost-eval", "boost-prove"])
@pytest.mark.parametrize("kind", ["array", "regions", "loops", "location aliases"])
def test_every_tool_is_safe(name, kind, tmp_path):
    for depth in (240, 100_000):
        path, output = tmp_path / f"{depth}.mlir", tmp_path / "out"
        path.write_text(NESTS[kind](depth))
        options = ["--emit=plan", "-o", output] if name == "boost-compile" else []
        result = run(tool(name), path, *options, check=False)
        assert result.returncode == REFUSED and not crashed(result), (depth, result.stderr[-500:])
        assert not output.exists()
    assert "error: expects brackets nested at most 512 deep, but got more" in result.stderr


def test_aliases_that_double(tmp_path):
    path = tmp_path / "doubled.mlir"
    text = aliases("#a0 = [1]", "#a{0} = [#a{1}, #a{1}]", ATTRIBUTE.replace("= {}", "= #a{0}"))
    path.write_text(text(64))
    result = run(tool("boost-opt"), path, check=False)
    assert result.returncode == 1
    assert "expects an alias of at most 16777216 tokens" in result.stderr


def test_bytecode_is_refused(tmp_path):
    text, bytecode = tmp_path / "in.mlir", tmp_path / "in.mlirbc"
    text.write_text("module {}")
    run(tool("boost-opt"), text, "--emit-bytecode", "-o", bytecode)
    for name in ("boost-opt", "boost-compile", "boost-eval", "boost-prove"):
        output = ["-o", tmp_path / "out"] if name == "boost-compile" else []
        result = run(tool(name), bytecode, *output, check=False)
        assert result.returncode in (1, REFUSED)
        assert "expects a program as text, but got bytecode" in result.stderr
        assert "python -m boost_mlir.import_artifact" in result.stderr


def loss(body, functions=""):
    return f"""\
module {{ func.func public @main(%a: tensor<f32>) -> tensor<f32> {{
{body} return %r : tensor<f32> }}
{functions} }}
"""


def private(name, body):
    return f"func.func private @{name}(%a: tensor<f32>) -> tensor<f32> {{ {body} return %r : tensor<f32> }}"


def call(name, operand="%a", result="%r"):
    return f"{result} = func.call @{name}({operand}) : (tensor<f32>) -> tensor<f32>\n"


def doubling_calls(depth):
    """Two calls of the next function in each."""
    bodies = [call(f"f{i + 1}", "%a", "%b") + call(f"f{i + 1}", "%b") for i in range(depth)]
    bodies.append("%r = stablehlo.negate %a : tensor<f32>")
    return loss(call("f0"), "\n".join(private(f"f{i}", body) for i, body in enumerate(bodies)))


def chained_calls(depth):
    bodies = [call(f"f{i + 1}") for i in range(depth)]
    bodies.append("%r = stablehlo.negate %a : tensor<f32>")
    return loss(call("f0"), "\n".join(private(f"f{i}", body) for i, body in enumerate(bodies)))


def branch(condition, inner, result="%r"):
    """`inner` in both branches of a case, whose result is `result`."""
    region = f"{{ {inner} stablehlo.return %c : tensor<f32> }}"
    return f'{result} = "stablehlo.case"({condition}) ({region}, {region}) : (tensor<i32>) -> tensor<f32>\n'


def nested_regions_by_calls(depth):
    index = "%i = stablehlo.constant dense<0> : tensor<i32>\n"
    bodies = [index + branch("%i", call(f"f{i + 1}", "%a", "%c")) for i in range(depth)]
    bodies.append("%r = stablehlo.negate %a : tensor<f32>")
    return loss(call("f0"), "\n".join(private(f"f{i}", body) for i, body in enumerate(bodies)))


def nested_loops(depth, trips):
    def level(i, value):
        """Text of a loop that begins with a value, and the name of its result."""
        if i == depth:
            return f"%n = stablehlo.negate {value} : tensor<f32>", "%n"
        inner, result = level(i + 1, f"%x{i}")
        return (
            f"""
        %w{i}:2 = stablehlo.while(%k{i} = %zero, %x{i} = {value}) : tensor<i32>, tensor<f32>
        cond {{
          %p{i} = stablehlo.compare LT, %k{i}, %trips : (tensor<i32>, tensor<i32>) -> tensor<i1>
          stablehlo.return %p{i} : tensor<i1>
        }} do {{
          {inner}
          %s{i} = stablehlo.add %k{i}, %one : tensor<i32>
          stablehlo.return %s{i}, {result} : tensor<i32>, tensor<f32>
        }}""",
            f"%w{i}#1",
        )

    text, result = level(0, "%a")
    numbers = {"zero": 0, "one": 1, "trips": trips}
    constants = [
        f"%{name} = stablehlo.constant dense<{number}> : tensor<i32>"
        for name, number in numbers.items()
    ]
    return loss("\n".join([*constants, text, f"%r = stablehlo.negate {result} : tensor<f32>"]))


RESOURCE = """\
module {{ func.func public @main(%a: tensor<8xf32>) -> tensor<f32> {{
  %c = stablehlo.constant dense_resource<foo> : tensor<8x{type}>
  %f = stablehlo.convert %c : (tensor<8x{type}>) -> tensor<8xf32>
  %m = stablehlo.multiply %f, %a : tensor<8xf32>
  %s = stablehlo.constant dense<0.0> : tensor<f32>
  %r = stablehlo.reduce(%m init: %s) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32> }} }}
{{-# dialect_resources: {{ builtin: {{ {name}: "0x{alignment}{data}" }} }} #-}}
"""


def resource(name="foo", alignment="04000000", bytes=32, type="f32"):
    return RESOURCE.format(name=name, alignment=alignment, data="00" * bytes, type=type)


def shaped(body, argument="tensor<4xf32>"):
    return f"""\
module {{ func.func public @main(%a: {argument}) -> tensor<f32> {{
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  {body}
  return %z : tensor<f32> }} }}
"""


HUGE = 2**62
PROGRAMS = {
    "calls 2^30 times": (doubling_calls(30), r"expects at most 1000000 operations once calls are inlined, but got \d{10}"),
    "calls 2^100 times": (doubling_calls(100), r"operations once calls are inlined, but got 18446744073709551615"),
    "calls in a chain": (chained_calls(20_000), r"expects at most 512 calls inside of each other"),
    "regions by calls": (nested_regions_by_calls(400), r"expects at most (1000000 operations|512 regions)"),
    "recursion": (loss(call("f"), private("f", call("g")) + private("g", call("f"))), r"calls itself"),
    "loops in loops": (nested_loops(4, 1000), r"expects at most 1000000 operations once loops are unrolled"),
    "short resource": (resource(bytes=4), r"expects 32 bytes in the resource 'foo', but got 4"),
    "long resource": (resource(bytes=36), r"expects 32 bytes in the resource 'foo', but got 36"),
    "empty resource": (resource(bytes=0), r"expects 32 bytes in the resource 'foo', but got 0"),
    "missing resource": (resource(name="bar"), r"values of this constant were left out"),
    "alignment 1": (resource(alignment="01000000"), r"aligned to a multiple of 4 bytes, but got 1"),
    "alignment 0": (resource(alignment="00000000"), r"a power of two of at most 4096, but got 0"),
    "alignment 3": (resource(alignment="03000000"), r"a power of two of at most 4096, but got 3"),
    "alignment 2^31": (resource(alignment="00000080"), r"of at most 4096, but got 2147483648"),
    "short hex": (
        shaped('%c = stablehlo.constant dense<"0x00000000"> : tensor<8xf64>'), r"error: .*data size"
    ),
    "elements beyond 2^63": (shaped("", f"tensor<{HUGE}x{HUGE}xf32>"), r"has more than 2\^53 bytes"),
    "bytes beyond 2^63": (shaped("", f"tensor<{HUGE}xf32>"), r"has more than 2\^53 bytes"),
    "size beyond 2^64": (shaped("", "tensor<99999999999999999999xf32>"), r"has more than 2\^53 bytes"),
    "nothing times much": (shaped("", f"tensor<0x{HUGE}x{HUGE}xf32>"), r"has more than 2\^53 bytes"),
    "broadcast": (
        shaped(f"%b = stablehlo.broadcast_in_dim %a, dims = [0] : (tensor<4xf32>) -> tensor<4x{HUGE}xf32>"),
        r"has more than 2\^53 bytes",
    ),
    "iota": (shaped(f"%b = stablehlo.iota dim = 0 : tensor<{HUGE}xi64>"), r"has more than 2\^53 bytes"),
    "pad": (
        shaped(
            f"%b = stablehlo.pad %a, %z, low = [{2**63 - 1}], high = [0], interior = [0]"
            f" : (tensor<4xf32>, tensor<f32>) -> tensor<{2**63 - 1}xf32>"
        ),
        r"has more than 2\^53 bytes",
    ),
    "pad between": (
        shaped(
            f"%b = stablehlo.pad %a, %z, low = [0], high = [0], interior = [{2**62}]"
            " : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>"
        ),
        r"expects a result of fewer than 2\^63 elements in dimension 0",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_is_refused(name, tmp_path):
    text, message = PROGRAMS[name]
    path, output = tmp_path / "program.mlir", tmp_path / "out"
    path.write_text(text)
    for emit in ("binary", "plan"):
        result = run(tool("boost-compile"), path, f"--emit={emit}", "-o", output, check=False)
        assert result.returncode == REFUSED and not crashed(result), result.stderr[-2000:]
        assert re.search(r"program\.mlir:\d+:\d+: error: ", result.stderr), result.stderr[-2000:]
        assert re.search(message, result.stderr), result.stderr[-2000:]
        assert list(tmp_path.iterdir()) == [path]


def test_good_resource_compiles(tmp_path):
    path = tmp_path / "program.mlir"
    path.write_text(resource())
    run(tool("boost-compile"), path, "-o", tmp_path / "program")
