# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Linears with computed weights send what plain ones send, and compute what JAX computes."""

import os
import sys

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
import weights  # noqa: E402

#: Of the page's rows.
QUICK = ["magnitude, DoRA", "x w + (x a) b, LoRA", "x (0.5 a b)", "padded head"]
SHOWN = weights.NAMES if os.environ.get("BOOST_ALL_WEIGHTS") else QUICK
PAGE = (REPOSITORY / "docs/benchmarks/Weights.md").read_text()
#: The placement under which a model with all spellings is compiled.
PLACEMENTS = {"x w": "megatron", "(x a) b": "bottleneck"}
WIDTH = 12


@pytest.mark.parametrize("name", SHOWN)
def test_the_page_shows_what_is_predicted_now(name, tmp_path):
    plain, plan = (
        weights.measure(each, tool("boost-compile"), tmp_path) for each in (weights.plain_of(name), name)
    )
    assert weights.row(name, plan, plain) in PAGE, "remedy: benchmarks/weights.py > docs/benchmarks/Weights.md"


def test_spellings_send_what_plain_ones_send():
    rows = {cells[1].strip(): cells for cells in (line.split("|") for line in PAGE.splitlines()) if len(cells) == 10}
    for name in weights.NAMES:
        linears, bottlenecks, sent = (float(rows[name][column]) for column in (2, 3, 4))
        full = 15 if weights.plain_of(name) == "x w" else 1
        assert (linears, bottlenecks) == (full, 14 if full == 1 or name in weights.ADAPTERS else 0), name
        plain = float(rows[weights.plain_of(name)][4])
        assert (sent <= 1.05 * plain) == (name not in weights.REASONS), name


def normal(random, shape, scale=0.5):
    return (scale * random.standard_normal(shape)).astype(np.float32)


def make_model(plain):
    """A sum over all spellings beside a plain one, and arrays for the parameters and the batch. Ranks are small, so
    that factors are multiplied one by one as in the table."""
    random = np.random.default_rng(11)
    names = [name for name in weights.WEIGHTS if weights.plain_of(name) == plain]

    def loss(params, x, y):
        h = latents.rms_norm(x)
        outputs = [weights.WEIGHTS[name][1](h, params[name]) for name in names]
        head = params["heads"]
        heads = [(function(h, head[name]) ** 2).mean() for name, (function, _) in weights.HEADS.items()]
        return jnp.mean((sum(outputs) - y) ** 2) + sum(heads)

    small = lambda shape: tuple(4 if size == weights.RANK else size for size in shape)
    shapes = {name: weights.shapes_at(weights.WEIGHTS[name][2])(WIDTH, WIDTH) for name in names}
    params = {
        name: {key: normal(random, small(shape)) for key, shape in shapes_of_name.items()}
        for name, shapes_of_name in shapes.items()
    }
    columns = {"padded head": WIDTH - weights.PADDING}
    params["heads"] = {name: normal(random, (WIDTH, columns.get(name, WIDTH))) for name in weights.HEADS}
    batch = {"x": normal(random, (4, 6, WIDTH)), "y": normal(random, (4, 6, WIDTH))}
    return loss, params, batch


@pytest.mark.parametrize("mesh", ["tp=1", "tp=2", "dp=2,tp=2"])
@pytest.mark.parametrize("plain", PLACEMENTS)
def test_values_are_those_of_jax(plain, mesh, tmp_path):
    loss, params, batch = make_model(plain)
    text, inputs, outputs = (tmp_path / name for name in ("model.mlir", "inputs.safetensors", "outputs.safetensors"))
    text.write_text(export(loss, params, *batch.values()))
    boost_mlir.save(inputs, params, batch)
    options = (f"--placement={PLACEMENTS[plain]}",) if "tp=2" in mesh else ()
    run(tool("boost-compile"), text, f"--mesh={mesh}", *options, "--allow-float-batch", "-o", tmp_path / "program")
    launcher = ("mpirun", "--oversubscribe", "-np", ranks_of(mesh)) if ranks_of(mesh) > 1 else ()
    run(*launcher, tmp_path / "program", "eval", "--inputs", inputs, "--outputs", outputs, "--gradients")
    values = load_file(outputs)
    expected, gradients = testing.value_and_grad(loss, params, *batch.values())
    assert float(values["loss"]) == pytest.approx(expected, rel=LOSS_TOLERANCE)
    for name, _ in named_leaves(params):
        assert relative_error(values[f"grad.{name}"], gradients[name]) < GRADIENT_TOLERANCE, name
