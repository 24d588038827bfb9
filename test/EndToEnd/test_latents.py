# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bottlenecks with any function of the latent send what those with silu send, and compute what JAX computes."""

import os
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from checks import GRADIENT_TOLERANCE, LOSS_TOLERANCE
from harness import REPOSITORY, ranks_of, relative_error, run, tool
from safetensors.numpy import load_file

import boost_mlir
from boost_mlir import testing
from boost_mlir.export import export
from boost_mlir.naming import named_leaves

sys.path.insert(0, str(REPOSITORY / "benchmarks"))
import latents  # noqa: E402

ALL = bool(os.environ.get("BOOST_ALL_LATENTS"))
#: Of the page's rows; a function with two latents sends more than one with one.
SHOWN = list(latents.FUNCTIONS) if ALL else ["gelu", "layer norm", "rank that 4 does not divide"]
MORE, LESS = {"gate of two latents": 1.5}, {"half gates half": 0.75}
PAGE = (REPOSITORY / "docs/benchmarks/Latents.md").read_text()
WIDTH = 12


@pytest.mark.parametrize("name", SHOWN)
def test_the_page_shows_what_is_predicted_now(name, tmp_path):
    plan = latents.measure(name, tool("boost-compile"), tmp_path)
    assert latents.row(name, plan) in PAGE, "remedy: benchmarks/latents.py > docs/benchmarks/Latents.md"


def test_all_functions_send_as_much():
    rows = {cells[1].strip(): cells for cells in (line.split("|") for line in PAGE.splitlines()) if len(cells) == 7}
    sent = {name: float(rows[name][3]) for name in latents.FUNCTIONS}
    for name in latents.FUNCTIONS:
        assert rows[name][2].strip() == "14", name
        assert sent[name] <= 1.05 * MORE.get(name, 1) * sent["silu"], name


def test_a_rank_that_the_mesh_does_not_divide_is_no_obstacle(tmp_path):
    ids = jax.ShapeDtypeStruct((latents.BATCH, latents.SEQUENCE), np.int32)
    text = tmp_path / "model.mlir"
    text.write_text(export(*latents.make_model("rank that 4 does not divide"), ids, ids, init="default"))
    result = run(tool("boost-compile"), text, "--mesh=tp=4", "--emit=summary")
    assert "placement    --mesh=tp=4 --placement=bottleneck\n" in result.stdout
    assert "is impossible" not in result.stderr


def normal(random, shape, scale=0.5):
    return (scale * random.standard_normal(shape)).astype(np.float32)


def make_model():
    """A sum over all functions, and arrays for the parameters and the batch. Sizes are small, and parts of a latent
    have two elements at least, since the norm of one is nearly constant."""
    random = np.random.default_rng(11)

    def loss(params, x, y):
        h = latents.rms_norm(x)
        outputs = [linear(h, params[name]) for name, (linear, _) in latents.FUNCTIONS.items()]
        return jnp.mean((sum(outputs) - y) ** 2)

    small = lambda shape: tuple({latents.RANK: 8, latents.RANK // 2: 4, latents.RANK - 2: 7}.get(n, n) for n in shape)
    params = {
        name: {
            key: normal(random, small(shape))
            for key, shape in latents.shapes_of(name, WIDTH, WIDTH).items()
        }
        for name in latents.FUNCTIONS
    }
    batch = {"x": normal(random, (4, 6, WIDTH)), "y": normal(random, (4, 6, WIDTH))}
    return loss, params, batch


@pytest.mark.parametrize("mesh", ["tp=1", "tp=2", "dp=2,tp=2"])
def test_values_are_those_of_jax(mesh, tmp_path):
    loss, params, batch = make_model()
    text, inputs, outputs = (tmp_path / name for name in ("model.mlir", "inputs.safetensors", "outputs.safetensors"))
    text.write_text(export(loss, params, *batch.values()))
    boost_mlir.save(inputs, params, batch)
    options = ("--placement=bottleneck",) if "tp=2" in mesh else ()
    run(tool("boost-compile"), text, f"--mesh={mesh}", *options, "--allow-float-batch", "-o", tmp_path / "program")
    launcher = ("mpirun", "--oversubscribe", "-np", ranks_of(mesh)) if ranks_of(mesh) > 1 else ()
    run(*launcher, tmp_path / "program", "eval", "--inputs", inputs, "--outputs", outputs, "--gradients")
    values = load_file(outputs)
    expected, gradients = testing.value_and_grad(loss, params, *batch.values())
    assert float(values["loss"]) == pytest.approx(expected, rel=LOSS_TOLERANCE)
    for name, _ in named_leaves(params):
        assert relative_error(values[f"grad.{name}"], gradients[name]) < GRADIENT_TOLERANCE, name
