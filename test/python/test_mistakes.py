# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Losses that the compiler does not support: the message has the thing, its line, and a remedy."""

import inspect
import re
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from jax import lax

from boost_mlir.export import ExportError, export

W = {"w": jax.ShapeDtypeStruct((8, 8), np.float32)}
IDS = jax.ShapeDtypeStruct((4, 8), np.int32)


def complex_rotary(p, ids):
    pairs = p["w"].reshape(8, 4, 2)
    turned = lax.complex(pairs[..., 0], pairs[..., 1]) * jnp.exp(1j * jnp.arange(4.0))
    return jnp.real(turned).sum()


def debug_print(p, ids):
    jax.debug.print("{}", p["w"].sum())
    return p["w"].sum()


def debug_callback(p, ids):
    jax.debug.callback(print, p["w"].sum())
    return p["w"].sum()


def pure_callback(p, ids):
    return jax.pure_callback(np.sum, jax.ShapeDtypeStruct((), np.float32), p["w"])


def io_callback(p, ids):
    return jax.experimental.io_callback(np.sum, jax.ShapeDtypeStruct((), np.float32), p["w"])


def fourier(p, ids):
    return jnp.abs(jnp.fft.rfft(p["w"])).sum()


def fp8(p, ids):
    return p["w"].astype(jnp.float8_e4m3fn).astype(jnp.float32).sum()


def int4(p, ids):
    return p["w"].astype(jnp.int4).astype(jnp.float32).sum()


def rbg_dropout(p, ids):
    kept = jax.random.bernoulli(jax.random.key(0, impl="rbg"), 0.9, (8, 8))
    return jnp.where(kept, p["w"], 0).sum()


def foreign_function(p, ids):
    call = jax.ffi.ffi_call("my_kernel", jax.ShapeDtypeStruct((8, 8), np.float32))
    return call(p["w"]).sum()


def singular_values(p, ids):
    return jnp.linalg.svd(p["w"], compute_uv=False).sum()


def cholesky(p, ids):
    return jnp.linalg.cholesky(p["w"]).sum()


def solve(p, ids):
    return jnp.linalg.solve(p["w"], jnp.ones(8)).sum()


def eigenvalues(p, ids):
    return jnp.linalg.eigvalsh(p["w"]).sum()


def orthogonal(p, ids):
    return jnp.linalg.qr(p["w"])[0].sum()


def pivoted(p, ids):
    return jax.scipy.linalg.qr(ids @ ids.T + 0.5, pivoting=True)[0].sum() + p["w"].sum()


def other_algorithm(p, ids):
    algorithm = lax.linalg.SvdAlgorithm.QR
    return lax.linalg.svd(ids + 0.5, algorithm=algorithm)[1].sum() + p["w"].sum()


def upper_triangle(p, ids):
    return jnp.linalg.eigvalsh(ids @ ids.T + 0.5, UPLO="U").sum() + p["w"].sum()


def in_branches(p, ids):
    positive = lambda: jnp.linalg.cholesky(p["w"]).sum()
    return lax.cond(ids[0, 0] > 0, positive, lambda: 0.0)


def in_a_scan(p, ids):
    def body(x, _):
        return x + jnp.abs(jnp.fft.rfft(p["w"])).sum(), None

    return lax.scan(body, 0.0, jnp.arange(3))[0]


#: For each loss: the text that names the mistake, and the remedy.
MISTAKES = {
    complex_rotary: ("complex64 number", r"\(a cos - b sin, b cos \+ a sin\)"),
    debug_print: ("jax.debug.print", "remove it: a compiled program calls no Python"),
    debug_callback: ("debug callback", "remove it: a compiled program calls no Python"),
    pure_callback: ("pure_callback", "remove it: a compiled program calls no Python"),
    io_callback: ("io_callback", "remove it: a compiled program calls no Python"),
    fourier: ("Fourier transform", "constant matrix of cosines and sines"),
    fp8: ("float8_e4m3fn number", "use bfloat16"),
    int4: ("type int4", "use int8"),
    rbg_dropout: ("random key of the kind 'rbg'", r"impl='threefry2x32'"),
    foreign_function: ("foreign function", "write it in jax.numpy"),
    singular_values: ("'svd' of parameters", "the gradient of a factorization is not compiled"),
    cholesky: ("'cholesky' of parameters", "the gradient of a factorization is not compiled"),
    solve: ("'lu'", "of factorizations, cholesky, qr, eigh and svd are compiled"),
    eigenvalues: ("'eigh' of parameters", "the gradient of a factorization is not compiled"),
    orthogonal: ("'qr' of parameters", "the gradient of a factorization is not compiled"),
    pivoted: ("'qr' with pivoting", "of factorizations, cholesky, qr, eigh and svd are compiled"),
    other_algorithm: ("'svd' by an algorithm of choice", "leave the algorithm out"),
    upper_triangle: ("'eigh' of upper triangles", "leave out UPLO"),
    in_branches: ("'cholesky' of parameters", "the gradient of a factorization is not compiled"),
    in_a_scan: ("Fourier transform", "constant matrix of cosines and sines"),
}


@pytest.mark.parametrize("loss", MISTAKES, ids=lambda loss: loss.__name__)
def test_the_line_the_thing_and_the_remedy_are_named(loss):
    what, remedy = MISTAKES[loss]
    with pytest.raises(ExportError) as refusal:
        export(loss, W, IDS, init="default")
    place = rf"{re.escape(Path(__file__).name)}:(\d+)"
    found = re.findall(rf"{place}[^;]*: [^;]*(?:{what})[^;]*; .*{remedy}", str(refusal.value))
    source, first = inspect.getsourcelines(loss)
    assert found and all(first < int(line) < first + len(source) for line in found)


def test_what_is_not_used_is_no_mistake():
    def loss(p, ids):
        jnp.fft.rfft(p["w"])
        return p["w"].sum()

    export(loss, W, IDS, init="default")


def test_factorizations_of_what_is_no_parameter():
    @jax.jit
    def loss(p, ids):
        left = jnp.linalg.cholesky(ids @ ids.T + jnp.eye(len(ids)))
        fixed = jnp.linalg.eigvalsh(lax.stop_gradient(p["w"]))
        return (left.sum() + fixed.sum()) * p["w"].sum()

    text = export(loss, W, IDS, init="default", ignore_custom_gradients=True)
    assert "lapack_spotrf_ffi" in text and "lapack_ssyevd_ffi" in text


def test_factorizations_of_frozen_parameters():
    def loss(p, ids):
        return jnp.linalg.svd(p["w"], compute_uv=False).sum() * p["scale"]

    params = {"w": np.eye(8, dtype=np.float32), "scale": np.float32(1)}
    assert "lapack_sgesdd_ffi" in export(loss, params, IDS, frozen={"w": True, "scale": False})


def total(p, ids):
    return p["w"].sum()


@pytest.mark.parametrize(
    "params, batch, message",
    [
        (
            W | {"step": jax.ShapeDtypeStruct((), np.int32)},
            (IDS,),
            "parameter 'step' is of type int32, and only floats are trained; have the loss close "
            "over it",
        ),
        (W | {"mask": np.ones(3, bool)}, (IDS,), "parameter 'mask' is of type bool"),
        (
            W,
            (jax.ShapeDtypeStruct(jax.export.symbolic_shape("b, 8"), np.int32),),
            r"shape \[b, 8\] has no fixed sizes.*export it once for each size",
        ),
    ],
)
def test_arguments_that_cannot_be_compiled_are_named(params, batch, message):
    with pytest.raises(ExportError, match=message):
        export(total, params, *batch, init="default")
