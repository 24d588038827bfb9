# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decoders with layer norms and biases: GPT-2, GPT-J, BLOOM, OPT."""

import jax
import jax.numpy as jnp
import numpy as np

from .common import (
    HEAD,
    HEADS,
    HIDDEN,
    LAYERS,
    RANK,
    SEQ,
    VOCAB,
    WIDTH,
    Program,
    causal,
    mean_token_loss,
    program,
    raises,
    stacked,
)

GPT = ("attention", "embedding", "linear", "layer_norm", "cross_entropy")


def layer_norm(p, x):
    mean = x.mean(-1, keepdims=True)
    variance = jnp.square(x - mean).mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(variance + 1e-5) * p["g"] + p["b"]


def dense(p, x):
    return x @ p["w"] + p["b"]


def norm_params(v):
    return {"g": v.scale(WIDTH), "b": v.bias(WIDTH)}


def dense_params(v, rows, columns):
    return {"w": v.normal(rows, columns), "b": v.bias(columns)}


def block_params(v):
    return {
        "ln1": norm_params(v),
        "qkv": dense_params(v, WIDTH, 3 * WIDTH),
        "out": dense_params(v, WIDTH, WIDTH),
        "ln2": norm_params(v),
        "up": dense_params(v, WIDTH, HIDDEN),
        "down": dense_params(v, HIDDEN, WIDTH),
    }


def gpt2_attention(p, x):
    """One product for queries, keys and values, split and then cut into heads."""
    q, k, v = jnp.split(dense(p["qkv"], x), 3, axis=-1)
    q, k, v = (t.reshape(*t.shape[:2], HEADS, HEAD).transpose(0, 2, 1, 3) for t in (q, k, v))
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(HEAD)
    scores = jnp.where(causal(x.shape[1]), scores, jnp.finfo(scores.dtype).min)
    heads = jax.nn.softmax(scores, axis=-1) @ v
    return dense(p["out"], heads.transpose(0, 2, 1, 3).reshape(x.shape))


def gpt2_block(p, x):
    x = x + gpt2_attention(p, layer_norm(p["ln1"], x))
    return x + dense(p["down"], jax.nn.gelu(dense(p["up"], layer_norm(p["ln2"], x))))


@program(meshes=("1", "tp=2", "dp=2"))
def gpt2(v):
    """Learned positions, a fused product for q, k, v, gelu by tanh, the table as the head."""

    def loss(params, tokens, targets):
        x = params["wte"][tokens] + params["wpe"][: tokens.shape[1]]
        for block in params["blocks"]:
            x = gpt2_block(block, x)
        return mean_token_loss(layer_norm(params["ln"], x) @ params["wte"].T, targets)

    params = {
        "wte": v.normal(VOCAB, WIDTH, std=0.3),
        "wpe": v.normal(SEQ + 2, WIDTH, std=0.3),
        "blocks": [block_params(v) for _ in range(LAYERS)],
        "ln": norm_params(v),
    }
    return Program(loss, params, v.tokens(), raises(*GPT))


@program
def gpt2_scan_remat(v):
    """GPT-2's blocks as one scan over stacked parameters, each recomputed in the backward pass."""

    def loss(params, tokens, targets):
        x = params["wte"][tokens] + params["wpe"]
        block = jax.checkpoint(lambda x, p: (gpt2_block(p, x), None))
        x, _ = jax.lax.scan(block, x, params["blocks"])
        return mean_token_loss(layer_norm(params["ln"], x) @ params["wte"].T, targets)

    params = {
        "wte": v.normal(VOCAB, WIDTH, std=0.3),
        "wpe": v.normal(SEQ, WIDTH, std=0.3),
        "blocks": stacked([block_params(v) for _ in range(LAYERS)]),
        "ln": norm_params(v),
    }
    return Program(loss, params, v.tokens(), raises(*GPT))


def alibi(length):
    """A penalty per head that grows with the distance."""
    slopes = 2.0 ** (-8.0 / HEADS * jnp.arange(1, HEADS + 1))
    distance = jnp.arange(length)[None, :] - jnp.arange(length)[:, None]
    return slopes[:, None, None] * distance


@program
def bloom(v):
    """ALiBi instead of positions, a norm behind the embedding, a fused product by heads."""

    def attention(p, x):
        qkv = dense(p["qkv"], x).reshape(*x.shape[:2], HEADS, 3, HEAD)
        scores = jnp.einsum("bqhd,bkhd->bhqk", qkv[..., 0, :], qkv[..., 1, :]) * HEAD**-0.5
        scores = scores + alibi(x.shape[1])
        scores = jnp.where(causal(x.shape[1]), scores, -1e9)
        heads = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores, axis=-1), qkv[..., 2, :])
        return dense(p["out"], heads.reshape(x.shape))

    def loss(params, tokens, targets):
        x = layer_norm(params["ln_in"], params["embed"][tokens])
        for p in params["blocks"]:
            x = x + attention(p, layer_norm(p["ln1"], x))
            x = x + dense(p["down"], jax.nn.gelu(dense(p["up"], layer_norm(p["ln2"], x))))
        return mean_token_loss(layer_norm(params["ln"], x) @ params["embed"].T, targets)

    params = {
        "embed": v.normal(VOCAB, WIDTH, std=0.3),
        "ln_in": norm_params(v),
        "blocks": [block_params(v) for _ in range(LAYERS)],
        "ln": norm_params(v),
    }
    return Program(loss, params, v.tokens(), raises(*GPT))


def interleaved_rotary(x, base=10000.0):
    """Pairs of neighbors are turned, as GPT-J does it."""
    frequencies = base ** (-jnp.arange(0, HEAD, 2) / HEAD)
    angles = jnp.arange(x.shape[1])[:, None] * frequencies
    sin, cos = (jnp.repeat(f(angles), 2, axis=-1)[:, None, :] for f in (jnp.sin, jnp.cos))
    turned = jnp.stack([-x[..., 1::2], x[..., ::2]], axis=-1).reshape(x.shape)
    return x * cos + turned * sin


@program
def gptj(v):
    """Attention and MLP read the same norm, side by side; rotary positions in pairs."""

    def block(p, x):
        y = layer_norm(p["ln"], x)
        q, k, u = (jnp.reshape(y @ p[name], (*x.shape[:2], HEADS, HEAD)) for name in "qkv")
        q, k = interleaved_rotary(q), interleaved_rotary(k)
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / jnp.sqrt(HEAD)
        scores = jnp.where(causal(x.shape[1])[None, None], scores, -jnp.inf)
        heads = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), u)
        mlp = dense(p["down"], jax.nn.gelu(dense(p["up"], y)))
        return x + heads.reshape(x.shape) @ p["out"] + mlp

    def loss(params, tokens, targets):
        x = jnp.take(params["embed"], tokens, axis=0)
        for p in params["blocks"]:
            x = block(p, x)
        return mean_token_loss(dense(params["head"], layer_norm(params["ln"], x)), targets)

    def gptj_block():
        square = {name: v.normal(WIDTH, WIDTH) for name in ("q", "k", "v", "out")}
        mlp = {"up": dense_params(v, WIDTH, HIDDEN), "down": dense_params(v, HIDDEN, WIDTH)}
        return {"ln": norm_params(v), **square, **mlp}

    params = {
        "embed": v.normal(VOCAB, WIDTH, std=0.5),
        "blocks": [gptj_block() for _ in range(LAYERS)],
        "ln": norm_params(v),
        "head": dense_params(v, WIDTH, VOCAB),
    }
    return Program(loss, params, v.tokens(), raises(*GPT))


@program
def low_rank_gpt(v):
    """Every matrix of GPT-2 as two factors; gelu between those of the MLP."""

    def factors(p, x):
        return x @ p["a"] @ p["b"]

    def block(p, x):
        y = layer_norm(p["ln1"], x)
        q, k, u = (factors(p[name], y).reshape(*x.shape[:2], HEADS, HEAD) for name in "qkv")
        x = x + factors(
            p["out"], jax.nn.dot_product_attention(q, k, u, is_causal=True).reshape(x.shape)
        )
        y = layer_norm(p["ln2"], x)
        return x + factors(p["down"], jax.nn.gelu(factors(p["up"], y), approximate=False))

    def loss(params, tokens, targets):
        x = params["wte"][tokens] + params["wpe"][: tokens.shape[1]]
        for p in params["blocks"]:
            x = block(p, x)
        return mean_token_loss(layer_norm(params["ln"], x) @ params["head"], targets)

    def low_rank(rows, columns):
        return {"a": v.normal(rows, RANK), "b": v.normal(RANK, columns)}

    def low_rank_block():
        square = {name: low_rank(WIDTH, WIDTH) for name in ("q", "k", "v", "out")}
        mlp = {"up": low_rank(WIDTH, HIDDEN), "down": low_rank(HIDDEN, WIDTH)}
        return {"ln1": norm_params(v), "ln2": norm_params(v), **square, **mlp}

    params = {
        "wte": v.normal(VOCAB, WIDTH, std=0.3),
        "wpe": v.normal(SEQ, WIDTH, std=0.3),
        "blocks": [low_rank_block() for _ in range(LAYERS)],
        "ln": norm_params(v),
        "head": v.normal(WIDTH, VOCAB),
    }
    return Program(loss, params, v.tokens(), raises("bottleneck", *GPT))
