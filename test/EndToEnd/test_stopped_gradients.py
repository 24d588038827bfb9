# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No gradient goes through `jax.lax.stop_gradient`, wherever a loss has it."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from checks import GRADIENT_TOLERANCE, LOSS_TOLERANCE
from harness import ranks_of, relative_error, run, tool
from jax.lax import stop_gradient
from safetensors.numpy import load_file

import boost_mlir
from boost_mlir import testing
from boost_mlir.export import export

WIDTH, WIDE, RANK, CODES = 8, 16, 4, 5


def quantized(x):
    """The absolute maximum of a token is 127, as in BitNet; with the gradient of x."""
    scale = 127 / jnp.max(jnp.abs(x), axis=-1, keepdims=True)
    return x + stop_gradient(jnp.round(x * scale) / scale - x)


def latent(params, x):
    """A bottleneck whose latent is gated by itself, but learns through one of the two."""
    z = x @ params["down"]
    return (z * stop_gradient(jax.nn.sigmoid(z))) @ params["up"]


def nearest_code(params, x):
    """A vector-quantized autoencoder: the codes move to the values, and the values to the codes."""
    distances = jnp.sum((x[..., None, :] - params["codes"]) ** 2, axis=-1)
    code = params["codes"][jnp.argmin(distances, axis=-1)]
    return jnp.mean((stop_gradient(x) - code) ** 2) + 0.25 * jnp.mean((x - stop_gradient(code)) ** 2)


def loss(params, x):
    h = x @ params["w"]
    total = jnp.mean(quantized(h) @ params["w"].T) + nearest_code(params, h) + jnp.mean(latent(params, h) ** 2)

    def step(carry, row):
        return jnp.tanh(carry * params["scale"] + stop_gradient(carry) * row), jnp.sum(carry * row)

    rows = jnp.moveaxis(h, 1, 0)
    carry, sums = jax.lax.scan(step, h[:, 0], rows)
    each = jax.checkpoint(jax.vmap(lambda row: jnp.sum(row * stop_gradient(params["scale"]))))
    branch = jax.lax.cond(jnp.sum(x) > 0, lambda v: v * stop_gradient(v), lambda v: v, carry)
    # The whole of the target is stopped: of these products x @ w learns by one.
    target = stop_gradient(h @ params["down"])
    return total + jnp.mean(sums) + jnp.mean(branch) + jnp.mean(each(carry) ** 2) + jnp.mean(target * (h @ params["down"]))


def make_arguments():
    random = np.random.default_rng(3)
    normal = lambda *shape: (0.5 * random.standard_normal(shape)).astype(np.float32)
    params = {"w": normal(WIDTH, WIDE), "down": normal(WIDE, RANK), "up": normal(RANK, WIDE)}
    params |= {"codes": normal(CODES, WIDE), "scale": normal(WIDE)}
    return params, {"x": normal(4, 6, WIDTH)}


@pytest.mark.parametrize("mesh", ["tp=1", "tp=2", "dp=2,tp=2"])
def test_gradients_are_those_of_jax(mesh, tmp_path):
    params, batch = make_arguments()
    text, inputs, outputs = (tmp_path / name for name in ("model.mlir", "inputs.safetensors", "outputs.safetensors"))
    text.write_text(export(loss, params, **batch))
    assert text.read_text().count("@boost.stop_gradient") >= 8
    boost_mlir.save(inputs, params, batch)
    run(tool("boost-compile"), text, f"--mesh={mesh}", "--allow-float-batch", "-o", tmp_path / "program")
    launcher = ("mpirun", "--oversubscribe", "-np", ranks_of(mesh)) if ranks_of(mesh) > 1 else ()
    run(*launcher, tmp_path / "program", "eval", "--inputs", inputs, "--outputs", outputs, "--gradients")
    values = load_file(outputs)
    expected, gradients = testing.value_and_grad(loss, params, *batch.values())
    assert float(values["loss"]) == pytest.approx(expected, rel=LOSS_TOLERANCE)
    for name in params:
        assert relative_error(values[f"grad.{name}"], gradients[name]) < GRADIENT_TOLERANCE, name


def test_what_only_stopped_gradients_read_has_none(tmp_path):
    def loss(params, x):
        return jnp.sum(x @ params["w"]) + jnp.sum(stop_gradient(jnp.sin(params["v"])))

    text = tmp_path / "model.mlir"
    text.write_text(export(loss, {"w": np.ones((WIDTH, 2), np.float32), "v": np.ones(3, np.float32)}, np.ones((2, WIDTH))))
    printed = run(tool("boost-compile"), text, "--allow-float-batch", "-o", tmp_path / "program").stderr
    assert "the loss does not depend on parameter 'v': its gradient is zero" in printed
