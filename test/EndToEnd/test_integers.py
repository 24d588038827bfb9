# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Integers of every width at the ends of their range, through boost-eval and through a compiled
program, against JAX, bit by bit.

Results are taken apart into bytes, each the factor of a probe: the gradient of a probe is a byte.
Inputs come in as bytes too. So every width gets through files and through f32 without loss."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from harness import run, tool
from jax import lax
from safetensors.numpy import load_file, save_file

from boost_mlir.export import export

TYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
# Ends, powers of two with their neighbors, and what a double cannot tell from its neighbor.
NUMBERS = [0, 1, 2, 3, 5, 7, 100, 127, 128, 255, 32767, 65535, 2**31 - 1, 2**31, 2**32 - 1, 2**53]
NUMBERS += [2**53 + 1, 2**60 + 2**36 + 1, 2**62 + 1, 2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1]
NUMBERS += [-n for n in NUMBERS]
FLOATS = [0.0, -0.9, 1.5, -2.5, 127.6, 255.9, 300.0, -1e5, 2.0**31, 2.0**53 + 2, -(2.0**63)]
FLOATS += [2.0**63, 2.0**64, 1e300, -1e300, np.inf, -np.inf, np.nan]


def numbers(dtype):
    """All of them that the type has."""
    info = np.iinfo(dtype)
    kept = {n for n in NUMBERS if info.min <= n <= info.max} | {info.min, info.max}
    return np.array(sorted(kept), dtype)


def pairs(dtype):
    """Every number beside every other."""
    x = numbers(dtype)
    return np.repeat(x, len(x)), np.tile(x, len(x))


def scatter_at(x, places, updates):
    numbers = lax.ScatterDimensionNumbers((), (0,), (0,))
    mode = lax.GatherScatterMode.FILL_OR_DROP
    return lax.scatter(x, places[:, None], updates, numbers, mode=mode)


def gather_at(x, places):
    numbers = lax.GatherDimensionNumbers((), (0,), (0,))
    return lax.gather(x, places[:, None], numbers, (1,), mode=lax.GatherScatterMode.CLIP)


def elementwise(x, y):
    """Operations on pairs."""
    signed = jnp.issubdtype(x.dtype, jnp.signedinteger)
    yield from (lax.neg(x), lax.bitwise_not(x), lax.population_count(x), lax.clz(x), lax.sign(x))
    if signed:
        yield lax.abs(x)
    for function in (lax.add, lax.sub, lax.mul, lax.div, lax.rem, lax.max, lax.min):
        yield function(x, y)
    for function in (lax.bitwise_and, lax.bitwise_or, lax.bitwise_xor):
        yield function(x, y)
    for function in (lax.shift_left, lax.shift_right_logical, lax.shift_right_arithmetic):
        yield function(x, y)
    for function in (lax.eq, lax.ne, lax.lt, lax.le, lax.gt, lax.ge):
        yield function(x, y)
    yield lax.select(x < y, x, y)
    yield lax.clamp(y, x, jnp.flip(y))
    for name in [*TYPES, "float32", "float64", "bfloat16", "float16", "bool"]:
        yield x.astype(name)


def of_whole_tensors(x):
    """Operations on the numbers in order."""
    for function in (lax.cummin, lax.cummax, lax.cumsum, lax.cumprod):
        yield from (function(x), function(x, reverse=True))
    for function in (jnp.sum, jnp.prod, jnp.max, jnp.min, jnp.argmin, jnp.argmax):
        yield function(x)
    for reduce in (jnp.bitwise_and, jnp.bitwise_or, jnp.bitwise_xor):
        yield reduce.reduce(x)
    yield lax.sort(x[::-1])
    yield from lax.sort((x[::-1] * x, x), num_keys=1)
    yield from lax.top_k(x * x[::-1], 3)
    yield lax.dot_general(x, x, (((0,), (0,)), ((), ())))
    yield lax.dot_general(x, x, (((), ()), ((), ())), preferred_element_type=jnp.int64)
    yield lax.iota(x.dtype, 5) - x[0]
    yield gather_at(x, x)
    yield scatter_at(jnp.zeros_like(x), x, x)
    for place in range(len(x)):
        yield lax.dynamic_slice(x, (x[place],), (2,))
        yield lax.dynamic_update_slice(x, x[:2], (x[place],))


def to_bytes(leaf):
    """Every byte as an f32."""
    if leaf.dtype == jnp.bool_:
        leaf = leaf.astype(jnp.uint8)
    return jnp.ravel(lax.bitcast_convert_type(leaf, jnp.uint8)).astype(jnp.float32)


def from_bytes(leaf, dtype):
    width = np.dtype(dtype).itemsize
    return lax.bitcast_convert_type(leaf.reshape((-1, width) if width > 1 else -1), dtype)


def results_of(dtype, batch):
    x, y, ordered = (from_bytes(batch[name], dtype) for name in ("x", "y", "ordered"))
    floats = from_bytes(batch["floats"], "float64")
    parts = [to_bytes(r) for r in elementwise(x, y)]
    parts += [to_bytes(r) for r in of_whole_tensors(ordered)]
    parts.append(to_bytes(floats.astype(dtype)))
    return jnp.concatenate(parts)


class Program:
    """The loss of a type, its batch, and what JAX computes."""

    def __init__(self, dtype, directory):
        x, y = pairs(dtype)
        values = {"x": x, "y": y, "ordered": numbers(dtype), "floats": np.array(FLOATS)}
        self.batch = {name: value.view(np.uint8) for name, value in values.items()}
        self.directory, self.text = directory, directory / "loss.mlir"
        self.inputs, self.outputs = directory / "in.safetensors", directory / "out.safetensors"
        with jax.enable_x64(True):
            self.expected = np.asarray(jax.jit(lambda b: results_of(dtype, b))(self.batch))
            probe = np.ones_like(self.expected)

            def loss(params, batch):
                return jnp.sum(params["probe"] * results_of(dtype, batch))

            self.text.write_text(export(loss, {"probe": probe}, self.batch))
        named = {f"batch.{name}": value for name, value in self.batch.items()}
        save_file(named | {"probe": probe}, self.inputs)

    def check(self):
        actual = load_file(self.outputs)["grad.probe"]
        wrong = np.flatnonzero(actual != self.expected)
        assert wrong.size == 0, f"bytes {wrong[:20]} of {actual.size}"


@pytest.fixture(scope="module")
def program(tmp_path_factory):
    made = {}

    def make(dtype):
        if dtype not in made:
            made[dtype] = Program(dtype, tmp_path_factory.mktemp(dtype))
        return made[dtype]

    return make


@pytest.mark.one_in(2)
@pytest.mark.parametrize("dtype", TYPES)
def test_evaluator_is_exact(program, dtype):
    case = program(dtype)
    gradient = case.directory / "gradient.mlir"
    run(
        *(tool("boost-opt"), case.text, "-o", gradient),
        *("--boost-import-pipeline", "--boost-differentiate-pipeline"),
    )
    run(
        *(tool("boost-eval"), gradient, "--function", "gradient", "--rounding", "typed"),
        *("--inputs", case.inputs, "--outputs", case.outputs),
    )
    case.check()


@pytest.mark.one_in(2, 1)
@pytest.mark.parametrize("dtype", TYPES)
def test_program_is_exact(program, dtype):
    case = program(dtype)
    binary = case.directory / "program"
    run(tool("boost-compile"), case.text, "-o", binary)
    run(binary, "eval", "--inputs", case.inputs, "--outputs", case.outputs, "--gradients")
    case.check()
