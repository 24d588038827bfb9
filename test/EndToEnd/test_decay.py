# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weight decay of parameters, against optax and a mask written by hand."""

import json

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from checks import TRAINING_TOLERANCE
from harness import BATCH, SEQ, STEPS, ranks_of, run, tool
from safetensors.numpy import load_file

import boost_mlir
from boost_mlir import data, models, testing
from boost_mlir.export import export, export_model
from boost_mlir.naming import named_leaves

# At higher rates Adam makes much of rounding errors: gradients near zero move as far as others.
RATE, DECAY = 3e-3, 0.5


NUMBERS = {"b1": 0.9, "b2": 0.95, "eps": 1e-8, "weight_decay": DECAY}


def adamw_of_optax(loss, params, mask, batches, steps=STEPS, rate=RATE, numbers=NUMBERS):
    """The losses and the parameters of AdamW in f64."""
    optimizer = optax.adamw(rate, mask=mask, **numbers)
    with jax.enable_x64(True):
        params = jax.tree.map(lambda leaf: jnp.asarray(leaf, jnp.float64), params)
        state = optimizer.init(params)

        @jax.jit
        def step(params, state, batch):
            value, gradients = jax.value_and_grad(loss)(params, *batch)
            updates, state = optimizer.update(gradients, state, params)
            return value, optax.apply_updates(params, updates), state

        losses = []
        for _, batch in zip(range(steps), batches):
            value, params, state = step(params, state, batch)
            losses.append(float(value))
        return losses, {name: np.asarray(leaf) for name, leaf in named_leaves(params)}


def train(directory, text, params, tokens, mesh="1", steps=STEPS):
    """The losses and the parameters of a compiled program, and what its `info` says."""
    directory.mkdir(exist_ok=True)
    model, binary = directory / "model.mlir", directory / "program"
    start, saved = directory / "start.safetensors", directory / "end.safetensors"
    model.write_text(text)
    boost_mlir.save(start, params)
    data.write_tokens(directory / "tokens.bin", tokens)
    run(tool("boost-compile"), model, "--mesh", mesh, "-o", binary)
    launcher = ["mpirun", "--oversubscribe", "-np", ranks_of(mesh)] if ranks_of(mesh) > 1 else []
    log = directory / "log.jsonl"
    log.unlink(missing_ok=True)
    run(
        *(*launcher, binary, "train", "--data", directory / "tokens.bin", "--init", start),
        *("--steps", steps, "--lr", RATE, "--min-lr", RATE, "--clip", 0, "--weight-decay", DECAY),
        *("--log", log, "--save", saved),
    )
    info = json.loads(run(binary, "info").stdout)
    decays = {each["name"]: each["decay"] for each in info["parameters"]["tensors"]}
    return [r["loss"] for r in boost_mlir.read_log(log)], load_file(saved), decays


def walk_tokens(vocab):
    steps = np.random.default_rng(2).integers(1, 4, 1000)
    return (np.cumsum(steps) % vocab).astype(np.uint16)


FACTORS = {"down": True, "up": True}
LAYER = {
    "attn": {"norm": False, "q": FACTORS, "k": FACTORS, "v": FACTORS, "o": FACTORS},
    "mlp": {"norm": False, "gate": FACTORS, "up": FACTORS, "down": FACTORS},
}


@pytest.mark.parametrize("scan, mesh", [(False, "1"), (True, "1"), (True, "tp=2")])
def test_a_model_trains_as_optax_does_however_it_is_stacked(tmp_path, scan, mesh):
    config = models.ModelConfig.of_size("tiny", "cola", scan=scan)
    mask = {"embed": True, "head": True, "norm": False}
    mask["layers"] = LAYER if scan else [LAYER] * config.layers
    params = models.init_params(config, seed=1)
    tokens = walk_tokens(config.vocab)
    losses, saved, decays = train(
        tmp_path, export_model(config, BATCH, SEQ), params, tokens, mesh
    )
    batches = testing.sequential_batches(tokens, BATCH, SEQ)
    expected, end = adamw_of_optax(models.make_loss(config), params, mask, batches)
    assert decays == dict(named_leaves(mask))
    assert losses == pytest.approx(expected, rel=TRAINING_TOLERANCE)
    for name in end:
        if name.endswith("norm"):
            # A scale that decays is 1.5 % smaller after ten steps.
            np.testing.assert_allclose(saved[name], end[name], rtol=1.5e-3, err_msg=name)


VOCAB, WIDTH, HEADS = 24, 16, 2


def normal(*shape, scale=0.2):
    return (scale * np.random.default_rng(sum(shape)).standard_normal(shape)).astype(np.float32)


def gpt(params, tokens, targets):
    """A block with biases of several ranks: on heads, on scores, in a stack."""
    x = params["embed"][tokens] + params["positions"][: tokens.shape[1]]
    for layer in range(2):
        scale, shift = params["norm"]["scale"][layer], params["norm"]["shift"][layer]
        y = jax.nn.standardize(x) * (1 + scale) + shift
        q, k, v = (
            jnp.einsum("bsd,dhk->bshk", y, params[name]["kernel"]) + params[name]["bias"]
            for name in ("query", "key", "value")
        )
        scores = jnp.einsum("bqhk,bthk->bhqt", q, k) + params["relative"]
        mask = jnp.tril(jnp.ones((x.shape[1], x.shape[1]), bool))
        weights = jax.nn.softmax(jnp.where(mask, scores, -1e9))
        out = jnp.einsum("bhqt,bthk->bqhk", weights, v)
        x = x + params["gain"] * jnp.einsum("bqhk,hkd->bqd", out, params["out"])
    logits = x @ params["embed"].T
    picked = jnp.take_along_axis(jax.nn.log_softmax(logits), targets[..., None], axis=-1)
    return -jnp.mean(picked)


def project(seed):
    kernel = normal(WIDTH, HEADS, WIDTH // HEADS) * (1 + seed)
    return {"kernel": kernel, "bias": normal(HEADS, WIDTH // HEADS, scale=0.1)}


GPT = {
    "embed": normal(VOCAB, WIDTH),
    "gain": np.float32(0.7),
    "key": project(1),
    "norm": {"scale": normal(2, WIDTH, scale=0.1), "shift": normal(2, WIDTH, scale=0.1)},
    "out": normal(HEADS, WIDTH // HEADS, WIDTH),
    "positions": normal(SEQ + 4, WIDTH),
    "query": project(0),
    "relative": normal(HEADS, SEQ, SEQ, scale=0.1),
    "value": project(2),
}
PROJECTION = {"kernel": True, "bias": False}
GPT_MASK = {
    "embed": True,
    "gain": False,
    "key": PROJECTION,
    "norm": {"scale": False, "shift": False},
    "out": True,
    "positions": True,
    "query": PROJECTION,
    "relative": False,
    "value": PROJECTION,
}


@pytest.mark.parametrize("given", [False, True], ids=["default", "given"])
def test_biases_and_scales_of_any_rank_do_not_decay_unless_told(tmp_path, given):
    """Tests a program without attributes, and one with the opposite ones."""
    mask = jax.tree.map(lambda decays: not decays, GPT_MASK) if given else GPT_MASK
    ids = jax.ShapeDtypeStruct((BATCH, SEQ), np.int32)
    text = export(gpt, GPT, ids, ids, decay=mask if given else None)
    tokens = walk_tokens(VOCAB)
    losses, saved, decays = train(tmp_path, text, GPT, tokens)
    batches = testing.sequential_batches(tokens, BATCH, SEQ)
    expected, end = adamw_of_optax(gpt, GPT, mask, batches)
    assert decays == dict(named_leaves(mask))
    assert losses == pytest.approx(expected, rel=TRAINING_TOLERANCE)
