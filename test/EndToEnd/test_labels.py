# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Labels that are computed, ignored or out of range, in every spelling of a cross entropy.

Every combination has a head of its own, so that its gradient shows nothing but its own error."""

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from harness import ranks_of, relative_error, run, tool
from safetensors.numpy import load_file

import boost_mlir
from boost_mlir import testing
from boost_mlir.export import export

BATCH, SEQ, HIDDEN, VOCABULARY = 4, 6, 8, 16
IGNORED = -100
RANDOM = np.random.default_rng(7)


def picked_log_softmax(logits, labels):
    log_softmax = jax.nn.log_softmax(logits)
    return -jnp.take_along_axis(log_softmax, labels[..., None], axis=-1)[..., 0]


def picked_logit(logits, labels):
    picked = jnp.take_along_axis(logits, labels[..., None], axis=-1)[..., 0]
    return jax.nn.logsumexp(logits, axis=-1) - picked


def indexed_log_softmax(logits, labels):
    rows, columns = jnp.indices(labels.shape, sparse=True)
    return -jax.nn.log_softmax(logits)[rows, columns, labels]


def clipped_logit(logits, labels):
    rows, columns = jnp.indices(labels.shape, sparse=True)
    picked = logits.at[rows, columns, labels].get(mode="clip")
    return jax.nn.logsumexp(logits, axis=-1) - picked


def one_hot_log_softmax(logits, labels):
    return -jnp.sum(jax.nn.one_hot(labels, VOCABULARY) * jax.nn.log_softmax(logits), axis=-1)


def one_hot_logit(logits, labels):
    picked = jnp.einsum("bsv,bsv->bs", logits, jax.nn.one_hot(labels, VOCABULARY))
    return jax.nn.logsumexp(logits, axis=-1) - picked


SPELLINGS = [
    picked_log_softmax,
    picked_logit,
    indexed_log_softmax,
    clipped_logit,
    one_hot_log_softmax,
    one_hot_logit,
]


# Labels of a batch that holds IGNORED where there is nothing to learn.
def as_given(labels, tokens):
    return labels


def replaced(labels, tokens):
    return jnp.where(labels == IGNORED, 0, labels)


def clipped(labels, tokens):
    return jax.lax.clamp(jnp.int32(2), labels, jnp.int32(VOCABULARY - 3))


# Labels that are made from the tokens.
def shifted(labels, tokens):
    return jnp.roll(tokens, -1, axis=1).at[:, -1].set(-1)


def marked(labels, tokens):
    return jnp.where(tokens % 3 == 0, IGNORED, tokens)


def too_large(labels, tokens):
    return tokens + 5


LABELS = [as_given, replaced, clipped, shifted, marked, too_large]


# Indexing promises labels in range: JAX reads the nearest and has no gradient for it.
HEADS = {
    f"{spell.__name__}.{make.__name__}": (spell, make)
    for spell, make in itertools.product(SPELLINGS, LABELS)
    if (spell, make) != (indexed_log_softmax, too_large)
}


def loss(params, tokens, labels):
    """The means over the labels that are not ignored."""
    total = 0.0
    for name, (spell, make) in HEADS.items():
        made = make(labels, tokens)
        losses = spell(params["embed"][tokens] @ params["heads"][name], made)
        # Labels that are too large count, unless they make a NaN.
        counts = (made >= 0) & (losses == losses)
        total += jnp.sum(jnp.where(counts, losses, 0)) / jnp.sum(counts)
    return total


TOKENS = RANDOM.integers(0, VOCABULARY, (BATCH, SEQ), dtype=np.int32)
IS_IGNORED = RANDOM.random((BATCH, SEQ)) < 0.4
BATCH_VALUES = {
    "tokens": TOKENS,
    "labels": np.where(IS_IGNORED, IGNORED, np.roll(TOKENS, -1, axis=1)).astype(np.int32),
}
PARAMS = {
    "embed": RANDOM.standard_normal((VOCABULARY, HIDDEN), np.float32),
    "heads": {name: RANDOM.standard_normal((HIDDEN, VOCABULARY), np.float32) for name in HEADS},
}


@pytest.fixture(scope="module", params=[BATCH, 1], ids="batch={}".format)
def files(request, tmp_path_factory):
    """The program, its inputs, and the batch in them. JAX gathers otherwise from one sequence."""
    directory = tmp_path_factory.mktemp("labels")
    text, inputs = directory / "loss.mlir", directory / "in.safetensors"
    batch = {name: value[: request.param] for name, value in BATCH_VALUES.items()}
    text.write_text(export(loss, PARAMS, *batch.values()))
    boost_mlir.save(inputs, PARAMS, batch)
    return text, inputs, batch


def test_all_are_raised(files):
    raised = run(tool("boost-opt"), files[0], "--boost-import-pipeline", "--boost-raise-pipeline")
    assert raised.stdout.count("boost.cross_entropy") == len(HEADS)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("ranks", [1, 4])
def test_loss_and_gradients_are_those_of_jax(files, tmp_path, ranks):
    text, inputs, batch = files
    # One sequence is not divided.
    mesh = "dp=2,tp=2" if ranks == 4 and len(batch["tokens"]) > 1 else f"tp={ranks}"
    binary, outputs = tmp_path / "program", tmp_path / "out.safetensors"
    run(tool("boost-compile"), text, "--mesh", mesh, "-o", binary)
    launcher = ["mpirun", "--oversubscribe", "-np", ranks_of(mesh)] if ranks_of(mesh) > 1 else []
    run(*launcher, binary, "eval", "--inputs", inputs, "--outputs", outputs, "--gradients")

    value, gradients = testing.value_and_grad(loss, PARAMS, *batch.values())
    results = load_file(outputs)
    wrong = {
        name: relative_error(results[f"grad.{name}"], expected)
        for name, expected in gradients.items()
        if not relative_error(results[f"grad.{name}"], expected) < 2e-5
    }
    assert not wrong
    assert float(results["loss"]) == pytest.approx(value, rel=1e-5)
