# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Spellings of losses, heads, attentions, norms and mixtures send what plain ones send, and compute what JAX computes."""

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

sys.path.insert(0, str(REPOSITORY / "benchmarks"))
import latents  # noqa: E402
import spellings  # noqa: E402

ROWS = [(table, name) for table in spellings.TABLES for name in spellings.TABLES[table]]
#: Of the page's rows, which are many.
SOME = [("Losses", "a token under vmap"), ("Heads", "tied, x (e p)'"), ("Attentions", "learned sinks as a score")]
SOME += [("Norms", "row times column"), ("Experts", "einsum, experts first")]
SHOWN = ROWS if os.environ.get("BOOST_ALL_SPELLINGS") else SOME
PAGE = (REPOSITORY / "docs/benchmarks/Spellings.md").read_text()


@pytest.mark.parametrize("table, name", SHOWN)
def test_the_page_shows_what_is_predicted_now(table, name, tmp_path):
    plain = next(iter(spellings.TABLES[table]))
    expected, plan = (spellings.measure(table, each, tool("boost-compile"), tmp_path) for each in (plain, name))
    assert spellings.row(name, plan, expected) in PAGE, "remedy: benchmarks/spellings.py > docs/benchmarks/Spellings.md"


def cells_of(name):
    return [cell.strip() for cell in next(line for line in PAGE.splitlines() if line.startswith(f"| {name} |")).split("|")]


@pytest.mark.parametrize("table, name", ROWS)
def test_spellings_send_what_plain_ones_send(table, name):
    cells = cells_of(name)
    assert (float(cells[8].removesuffix(" %")) <= 5) == (name not in spellings.REASONS)


def normal(random, shape, scale=0.5):
    return (scale * random.standard_normal(shape)).astype(np.float32)


def make_model():
    """The sum of all losses, of a loss of each head and of one of all attentions, norms and mixtures, and arrays for the
    parameters and the batch."""
    random = np.random.default_rng(13)
    sizes = spellings.Sizes(width=16, hidden=24, heads=4, rank=4, vocabulary=24)

    def loss(params, tokens, targets):
        total = 0.0
        for name, (embed, head, _) in spellings.HEADS.items():
            w = params["heads"][name]
            logits = head(latents.rms_norm(embed(tokens, w)), w)
            total += spellings.by_gather(logits, targets)
        for spelling in spellings.LOSSES.values():
            total += spelling(jnp.tanh(logits), targets)
        wide = params["heads"]["tied, (x p') e'"]["embed"][tokens] @ params["widen"]
        x = latents.rms_norm(wide)
        outputs = sum(norm(wide, params["norm"]) for norm in spellings.NORMS.values())
        for name, (attend, _) in attentions.items():
            w = params["attentions"][name]
            outputs += spellings.low_rank(attend(x, w, tokens, sizes.heads), w["o"])
        for name, (mixture, _) in spellings.MIXTURES.items():
            outputs += mixture(x, params["mixtures"][name])
        return total + jnp.mean((outputs - x) ** 2)

    attentions = {name: spellings.attention_of(name) for name in [*spellings.ATTENTIONS, spellings.LATENT]}
    shapes = {
        "heads": {name: shapes(sizes) for name, (_, _, shapes) in spellings.HEADS.items()},
        "attentions": {name: shapes(sizes) for name, (_, shapes) in attentions.items()},
        "mixtures": {name: shapes(sizes) for name, (_, shapes) in spellings.MIXTURES.items()},
        "widen": (sizes.rank, sizes.width),
        "norm": (sizes.width,),
    }
    is_shape = lambda node: isinstance(node, tuple)
    params = jax.tree.map(lambda shape: normal(random, shape), shapes, is_leaf=is_shape)
    ids = lambda: random.integers(0, 8, (4, 8), dtype=np.int32)
    return loss, params, {"tokens": ids(), "targets": ids()}


@pytest.fixture(scope="module")
def reference(tmp_path_factory):
    """The exported model, a file of its inputs, and what JAX computes."""
    loss, params, batch = make_model()
    folder = tmp_path_factory.mktemp("spellings")
    text, inputs = folder / "model.mlir", folder / "inputs.safetensors"
    text.write_text(export(loss, params, *batch.values()))
    boost_mlir.save(inputs, params, batch)
    return text, inputs, *testing.value_and_grad(loss, params, *batch.values())


@pytest.mark.parametrize("mesh", ["tp=1", "tp=2", "dp=2,tp=2"])
def test_values_are_those_of_jax(mesh, reference, tmp_path):
    text, inputs, expected, gradients = reference
    outputs = tmp_path / "outputs.safetensors"
    options = (spellings.PLACEMENT,) if "tp=2" in mesh else ()
    run(tool("boost-compile"), text, f"--mesh={mesh}", *options, "-o", tmp_path / "program")
    launcher = ("mpirun", "--oversubscribe", "-np", ranks_of(mesh)) if ranks_of(mesh) > 1 else ()
    run(*launcher, tmp_path / "program", "eval", "--inputs", inputs, "--outputs", outputs, "--gradients")
    values = load_file(outputs)
    assert float(values["loss"]) == pytest.approx(expected, rel=LOSS_TOLERANCE)
    for name, gradient in gradients.items():
        assert relative_error(values[f"grad.{name}"], gradient) < GRADIENT_TOLERANCE, name
