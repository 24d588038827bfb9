# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Losses of a given shape and size, as StableHLO text.

Every shape is a function of the number of operations (or of arguments) in its
forward pass. Values depend on the parameters, so that the gradient is as large,
and stay of moderate size however long the program is.

    PYTHONPATH=benchmarks python -m shapes chain 1000 > chain.mlir
"""

import sys

T = "tensor<8x16xf32>"


class Program:
    """The lines of a loss; values are named by number."""

    def __init__(self, parameters, kind=T):
        self.lines = []
        self.count = 0
        self.kind = kind
        self.arguments = [f'%p{i}: {kind} {{boost.arg = "param", boost.name = "p{i}"}}'
                          for i in range(parameters)]

    def add(self, text):
        """One operation; the name of its result."""
        self.count += 1
        name = f"%v{self.count}"
        self.lines.append(f"    {name} = {text}")
        return name

    def unary(self, op, x):
        return self.add(f"stablehlo.{op} {x} : {self.kind}")

    def binary(self, op, x, y):
        return self.add(f"stablehlo.{op} {x}, {y} : {self.kind}")

    def constant(self, value, kind=None):
        return self.add(f"stablehlo.constant dense<{value}> : {kind or self.kind}")

    def text(self, result):
        """The loss is the sum of `result`."""
        zero = self.constant("0.0", "tensor<f32>")
        rank = self.kind.count("x")
        dims = ", ".join(str(d) for d in range(rank))
        total = self.add(f"stablehlo.reduce({result} init: {zero}) applies stablehlo.add across "
                         f"dimensions = [{dims}] : ({self.kind}, tensor<f32>) -> tensor<f32>")
        body = "\n".join(self.lines)
        return (f"func.func public @main({', '.join(self.arguments)}) -> tensor<f32> {{\n"
                f"{body}\n    return {total} : tensor<f32>\n}}\n")


def sum_of(program, values):
    """A balanced tree of additions."""
    while len(values) > 1:
        pairs = [program.binary("add", a, b) for a, b in zip(values[::2], values[1::2])]
        values = pairs + values[len(pairs) * 2:]
    return values[0]


def chain(n):
    """One sine after another."""
    p = Program(1)
    x = "%p0"
    for _ in range(n):
        x = p.unary("sine", x)
    return p.text(x)


def mixed_chain(n):
    """Cheap and expensive functions of the value before and of a second parameter."""
    p = Program(2)
    half = p.constant("0.5")
    steps = [lambda x: p.unary("sine", x), lambda x: p.binary("add", x, "%p1"),
             lambda x: p.unary("tanh", x), lambda x: p.binary("multiply", x, half),
             lambda x: p.unary("logistic", x), lambda x: p.binary("subtract", "%p1", x),
             lambda x: p.unary("negate", x), lambda x: p.binary("maximum", x, half)]
    x = "%p0"
    for i in range(n):
        x = steps[i % len(steps)](x)
    return p.text(x)


def select_chain(n):
    """Comparisons, selections and conversions to bf16 and back."""
    p = Program(2)
    narrow, flag = p.kind.replace("f32", "bf16"), p.kind.replace("f32", "i1")
    x = "%p0"
    for _ in range(n // 5):
        y = p.unary("cosine", x)
        c = p.add(f"stablehlo.compare LT, {x}, %p1, FLOAT : ({p.kind}, {p.kind}) -> {flag}")
        s = p.add(f"stablehlo.select {c}, {y}, %p1 : {flag}, {p.kind}")
        b = p.add(f"stablehlo.convert {s} : ({p.kind}) -> {narrow}")
        x = p.add(f"stablehlo.convert {b} : ({narrow}) -> {p.kind}")
    return p.text(x)


def tree(n):
    """A balanced sum of distinct functions of one parameter."""
    p = Program(1)
    leaves = []
    for i in range(n // 3):
        scale = p.constant(f"{1.0 + i / n:.6f}")
        leaves.append(p.binary("multiply", "%p0", scale))
    return p.text(p.unary("sine", sum_of(p, leaves)))


def deep_tree(n):
    """A balanced tree of products of sines."""
    p = Program(2)
    values = ["%p0", "%p1"]
    level = [p.binary("add", "%p0", p.constant(f"{i / n:.6f}")) for i in range(n // 4)]
    while len(level) > 1:
        pairs = [p.unary("sine", p.binary("multiply", a, b))
                 for a, b in zip(level[::2], level[1::2])]
        level = pairs + level[len(pairs) * 2:]
    return p.text(p.binary("add", level[0], values[1]))


def fan_out(n):
    """One value that n / 3 others read; they are summed one after another."""
    p = Program(1)
    shared = p.unary("sine", "%p0")
    total = shared
    for i in range(n // 3):
        scaled = p.binary("multiply", shared, p.constant(f"{i / n:.6f}"))
        total = p.binary("add", total, p.unary("cosine", scaled))
    return p.text(total)


def skip_chain(n):
    """Each value reads the two before it."""
    p = Program(2)
    half = p.constant("0.5")
    a, b = "%p0", "%p1"
    for _ in range(n // 3):
        a, b = b, p.unary("sine", p.binary("multiply", half, p.binary("add", a, b)))
    return p.text(b)


def reductions(n):
    """Sums over rows that are broadcast again."""
    p = Program(1)
    zero = p.constant("0.0", "tensor<f32>")
    x = "%p0"
    for _ in range(n // 4):
        s = p.unary("sine", x)
        r = p.add(f"stablehlo.reduce({s} init: {zero}) applies stablehlo.add across dimensions = [1]"
                  f" : ({p.kind}, tensor<f32>) -> tensor<8xf32>")
        b = p.add(f"stablehlo.broadcast_in_dim {r}, dims = [0] : (tensor<8xf32>) -> {p.kind}")
        x = p.binary("subtract", x, b)
    return p.text(x)


def products(n):
    """Products with one square parameter."""
    p = Program(2, "tensor<8x8xf32>")
    x = "%p0"
    for _ in range(n // 2):
        d = p.add(f"stablehlo.dot_general {x}, %p1, contracting_dims = [1] x [0]"
                  f" : ({p.kind}, {p.kind}) -> {p.kind}")
        x = p.unary("tanh", d)
    return p.text(x)


def transposes(n):
    """Transposes between sines."""
    p = Program(1, "tensor<8x8xf32>")
    x = "%p0"
    for _ in range(n // 2):
        t = p.add(f"stablehlo.transpose {x}, dims = [1, 0] : ({p.kind}) -> {p.kind}")
        x = p.binary("add", p.unary("sine", t), "%p0") if p.count % 3 else p.unary("sine", t)
    return p.text(x)


def slices(n):
    """Halves that change places."""
    p = Program(1, "tensor<16xf32>")
    half = "tensor<8xf32>"
    x = "%p0"
    for _ in range(n // 4):
        a = p.add(f"stablehlo.slice {x} [0:8] : ({p.kind}) -> {half}")
        b = p.add(f"stablehlo.slice {x} [8:16] : ({p.kind}) -> {half}")
        c = p.add(f"stablehlo.concatenate {b}, {a}, dim = 0 : ({half}, {half}) -> {p.kind}")
        x = p.unary("sine", c)
    return p.text(x)


def join(n):
    """Pieces that are computed apart and joined."""
    p = Program(1, "tensor<4xf32>")
    pieces = [p.unary("sine", p.binary("multiply", "%p0", p.constant(f"{1.0 + i / n:.6f}")))
              for i in range(n // 3)]
    whole = f"tensor<{4 * len(pieces)}xf32>"
    joined = p.add(f"stablehlo.concatenate {', '.join(pieces)}, dim = 0 : "
                   f"({', '.join([p.kind] * len(pieces))}) -> {whole}")
    p.kind = whole
    return p.text(p.unary("cosine", joined))


def arguments(n):
    """A balanced sum of n parameters."""
    p = Program(n, "tensor<4xf32>")
    return p.text(p.unary("sine", sum_of(p, [f"%p{i}" for i in range(n)])))


def argument_chain(n):
    """A function of n parameters, one after another."""
    p = Program(n, "tensor<4xf32>")
    x = "%p0"
    for i in range(1, n):
        x = p.unary("sine", p.binary("add", x, f"%p{i}"))
    return p.text(x)


OPERATIONS = {"chain": chain, "mixed-chain": mixed_chain, "select-chain": select_chain,
              "skip-chain": skip_chain, "tree": tree, "deep-tree": deep_tree, "fan-out": fan_out,
              "reductions": reductions, "products": products, "transposes": transposes,
              "slices": slices, "join": join}
ARGUMENTS = {"arguments": arguments, "argument-chain": argument_chain}
SHAPES = {**OPERATIONS, **ARGUMENTS}

if __name__ == "__main__":
    print(SHAPES[sys.argv[1]](int(sys.argv[2])), end="")
