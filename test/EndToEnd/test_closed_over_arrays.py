# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays that a loss closes over, in every type and spelling, and stored programs that run.

JAX writes an array of more than some 100 elements as hexadecimal digits."""

import re

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np
import pytest
from harness import relative_error, run, tool
from jax import export as jax_export
from safetensors.numpy import load_file, save_file

from boost_mlir.export import export
from boost_mlir.import_artifact import import_artifact

RANDOM = np.random.default_rng(2)
SIZE = 300
READ = {
    "bool": RANDOM.integers(0, 2, SIZE).astype(bool),
    **{
        name: RANDOM.integers(np.iinfo(name).min, np.iinfo(name).max, SIZE, name, endpoint=True)
        for name in ("int8", "uint8", "int16", "uint16", "int32", "uint32")
    },
    **{
        name: RANDOM.standard_normal(SIZE).astype(name)
        for name in ("float16", ml_dtypes.bfloat16, "float32")
    },
}
REFUSED = {
    "complex64": "complex<f32>",
    **{name: "i" + name[3:] for name in ("int2", "int4")},
    **{name: "ui" + name[4:] for name in ("uint2", "uint4")},
    "float4_e2m1fn": "f4E2M1FN",
    **{
        f"float8_{kind.lower()}": f"f8{kind}"
        for kind in ("E3M4", "E4M3", "E4M3B11FNUZ", "E4M3FN", "E4M3FNUZ", "E5M2", "E5M2FNUZ", "E8M0FNU")
    },
}


def evaluate(text, values, folder):
    """The outputs of a program that is compiled from `text`."""
    model, binary = folder / "loss.mlir", folder / "program"
    inputs, outputs = folder / "in.safetensors", folder / "out.safetensors"
    model.write_text(text)
    save_file(values, inputs)
    run(tool("boost-compile"), model, "--mesh", "1", "--allow-float-batch", "-o", binary)
    run(binary, "eval", "--inputs", inputs, "--outputs", outputs, "--gradients")
    return load_file(outputs)


def test_arrays_of_every_type_that_is_read(tmp_path):
    def loss(params):
        return sum(jnp.sum(params[str(name)] * array.astype(jnp.float32)) for name, array in READ.items())

    arrays = {str(name): array.astype(np.float32) for name, array in READ.items()}
    params = {name: np.ones(SIZE, np.float32) for name in arrays}
    text = export(loss, params)
    assert text.count('dense<"0x') == len(READ)
    results = evaluate(text, params, tmp_path)
    for name, array in arrays.items():
        assert np.array_equal(results[f"grad.{name}"], array), name


@pytest.mark.parametrize("name", REFUSED)
def test_arrays_of_other_types_are_refused_by_name(tmp_path, name):
    dtype = getattr(ml_dtypes, name, name)
    array = (np.arange(SIZE) % 2).astype(dtype)
    text = jax.jit(lambda x: jnp.sum(x * jnp.asarray(array).real.astype(jnp.float32)))
    text = text.lower(jax.ShapeDtypeStruct((SIZE,), np.float32)).as_text()
    assert 'dense<"0x' in text
    (tmp_path / "loss.mlir").write_text(text)
    result = run(tool("boost-compile"), tmp_path / "loss.mlir", "-o", tmp_path / "out", check=False)
    assert result.returncode == 3
    assert f"element type '{REFUSED[name]}' is not supported" in result.stderr


MASK = np.tril(np.ones((16, 17), bool))


def of_bytes(array):
    return np.ascontiguousarray(array).astype(np.uint8).tobytes().hex().upper()


def of_bits(array):
    return np.packbits(array, bitorder="little").tobytes().hex().upper()


@pytest.mark.parametrize("digits", [of_bytes, of_bits])
@pytest.mark.parametrize("is_resource", [False, True], ids=["dense", "resource"])
def test_a_mask_in_every_spelling(tmp_path, digits, is_resource):
    text = export(lambda params: jnp.sum(jnp.where(MASK, params, 0.0)), np.ones(MASK.shape, np.float32))
    written = re.compile(r'dense<"0x[0-9A-F]+"> : tensor<16x17xi1>')
    assert len(written.findall(text)) == 1
    spelled = "dense_resource<mask>" if is_resource else f'dense<"0x{digits(MASK)}">'
    text = written.sub(f"{spelled} : tensor<16x17xi1>", text)
    if is_resource:
        text += f'{{-# dialect_resources: {{ builtin: {{ mask: "0x01000000{digits(MASK)}" }} }} #-}}\n'
    results = evaluate(text, {"params": np.ones(MASK.shape, np.float32)}, tmp_path)
    assert results["loss"] == MASK.sum()
    assert np.array_equal(results["grad.params"], MASK)


def test_a_program_for_several_platforms_is_that_for_cpus(tmp_path):
    def loss(params, x):
        key = jax.random.key(0)
        hidden = jnp.where(jax.random.bernoulli(key, 0.5, x.shape), x, 0.0) @ params["w"]
        layer = lambda h: jax.lax.platform_dependent(h, cpu=jnp.tanh, cuda=jnp.cos)
        return jnp.mean(jax.lax.fori_loop(0, 2, lambda _, h: layer(h), hidden) ** 2)

    params = {"w": RANDOM.standard_normal((8, 8)).astype(np.float32)}
    x = RANDOM.standard_normal((4, 8)).astype(np.float32)
    exported = jax_export.export(jax.jit(loss), platforms=("cuda", "cpu"))(params, x)
    text = import_artifact(bytes(exported.serialize()), init="default")
    results = evaluate(text, {"x": x} | params, tmp_path)
    # In f64 other random bits are drawn.
    value, gradients = jax.value_and_grad(loss)(params, x)
    assert results["loss"] == pytest.approx(float(value), rel=1e-5)
    assert relative_error(results["grad.w"], gradients["w"]) < 1e-5
