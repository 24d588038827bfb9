# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Losses with branches, loops over time, composites and barriers."""

import functools

import jax
import jax.numpy as jnp
import numpy as np

from .common import (
    BATCH,
    HIDDEN,
    LAYERS,
    SEQ,
    VOCAB,
    WIDTH,
    Program,
    mean_token_loss,
    program,
    raises,
    stacked,
)


@program
def stochastic_depth(v):
    """Layers that the batch switches off, and an activation that it chooses."""
    # Some inputs are zero, where the second one is infinite and the third one is steep.
    activations = (jax.nn.softplus, lambda x: jnp.log(x * x), lambda x: jnp.sqrt(jnp.abs(x)))

    def block(p, x, choice):
        y = x @ p["up"] * (jnp.arange(HIDDEN) % 4 > 0)
        return x + jax.lax.switch(choice, activations, y) @ p["down"]

    def loss(params, tokens, targets, keep, choice):
        x = params["embed"][tokens]
        for i, p in enumerate(params["blocks"]):
            x = jax.lax.cond(keep[i] > 0, functools.partial(block, p), lambda x, _: x, x, choice)
        return mean_token_loss(x @ params["head"], targets)

    params = {
        "embed": v.normal(VOCAB, WIDTH),
        "blocks": [
            {"up": v.normal(WIDTH, HIDDEN), "down": v.normal(HIDDEN, WIDTH)} for _ in range(3)
        ],
        "head": v.normal(WIDTH, VOCAB),
    }
    choices = {"keep": np.array([1, 0, 1], np.int32), "choice": np.int32(0)}
    return Program(
        loss, params, v.tokens() | choices, raises("embedding", "linear", "cross_entropy")
    )


@program
def every_other_layer(v):
    """A scan whose body chooses by its counter, and knows the choice when unrolled."""

    def body(x, inputs):
        p, index = inputs
        y = x @ p["up"]
        y = jax.lax.cond(index % 2 == 0, jax.nn.silu, jnp.tanh, y)
        return x + y @ p["down"], None

    def loss(params, tokens, targets):
        x = params["embed"][tokens]
        x, _ = jax.lax.scan(body, x, (params["blocks"], jnp.arange(3)), reverse=True)
        return mean_token_loss(jax.lax.optimization_barrier(x) @ params["head"], targets)

    blocks = [{"up": v.normal(WIDTH, HIDDEN), "down": v.normal(HIDDEN, WIDTH)} for _ in range(3)]
    params = {
        "embed": v.normal(VOCAB, WIDTH),
        "blocks": stacked(blocks),
        "head": v.normal(WIDTH, VOCAB),
    }
    return Program(loss, params, v.tokens(), raises("embedding", "linear", "cross_entropy"))


def gru_cell(state, x, p):
    gates = jax.nn.sigmoid(x @ p["x"] + state @ p["h"])
    reset, update = jnp.split(gates, 2, axis=-1)
    candidate = jnp.tanh(x @ p["cx"] + (reset * state) @ p["ch"])
    return update * state + (1 - update) * candidate


@program
def bidirectional_gru(v):
    """Scans over time in both directions inside of one over layers, cells as composites."""

    def run(cell, p, x, reverse):
        def step(state, x):
            state = cell(state, x, p)
            return state, state

        start = jnp.zeros((x.shape[1], WIDTH // 2))
        return jax.lax.scan(step, start, x, reverse=reverse)[1]

    def loss(cell, params, tokens, targets):
        def layer(x, p):
            both = [run(cell, p["forward"], x, False), run(cell, p["backward"], x, True)]
            return jnp.concatenate(both, axis=-1) + x, None

        x = params["embed"][tokens].swapaxes(0, 1)
        x, _ = jax.lax.scan(layer, x, params["layers"])
        return mean_token_loss(x.swapaxes(0, 1) @ params["head"], targets)

    def cell_params():
        half = WIDTH // 2
        gates = {"x": v.normal(WIDTH, WIDTH), "h": v.normal(half, WIDTH)}
        return gates | {"cx": v.normal(WIDTH, half), "ch": v.normal(half, half)}

    layers = [{"forward": cell_params(), "backward": cell_params()} for _ in range(LAYERS)]
    params = {
        "embed": v.normal(VOCAB, WIDTH),
        "layers": stacked(layers),
        "head": v.normal(WIDTH, VOCAB),
    }
    composite = jax.lax.composite(gru_cell, name="example.gru_cell")
    return Program(
        lambda params, tokens, targets: loss(composite, params, tokens, targets),
        params,
        v.tokens(),
        raises("embedding", "linear", "cross_entropy"),
        # JAX has no gradient of composites.
        oracle=functools.partial(loss, gru_cell),
    )


@program(meshes=("1", "tp=2", "dp=2"))
def attention_over_steps(v):
    """`lax.fori_loop` over iterations of one shared block, as a universal transformer."""

    def loss(params, x, y):
        def step(i, x):
            scores = jnp.einsum("btd,de,bse->bts", x, params["score"], x) / np.sqrt(WIDTH)
            mixed = jnp.einsum("bts,bsd->btd", jax.nn.softmax(scores), x)
            return x + jnp.tanh(mixed @ params["mix"] + params["time"][i])

        return jnp.mean(jnp.square(jax.lax.fori_loop(0, 3, step, x @ params["mix"]) - y))

    params = {
        "score": v.normal(WIDTH, WIDTH),
        "mix": v.normal(WIDTH, WIDTH),
        "time": v.bias(3, WIDTH),
    }
    batch = {"x": v.normal(BATCH, SEQ, WIDTH), "y": v.normal(BATCH, SEQ, WIDTH)}
    return Program(loss, params, batch, raises("attention", "linear"))
