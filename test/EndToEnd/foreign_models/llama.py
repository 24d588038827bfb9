# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Decoders with RMS norms, each spelled as another code base spells it."""

import functools

import jax
import jax.numpy as jnp

from .common import (
    HEAD,
    HEADS,
    HIDDEN,
    LAYERS,
    RANK,
    VOCAB,
    WIDTH,
    Program,
    mean_token_loss,
    program,
    raises,
    stacked,
)

KV_HEADS = HEADS // 2
LLAMA = ("attention", "embedding", "linear", "rms_norm", "cross_entropy")


def half_rotary(x, base=10000.0):
    """The first half of a head is turned with the second, as LLaMA in JAX does it."""
    frequencies = 1.0 / base ** (jnp.arange(0, HEAD, 2, dtype=jnp.float32) / HEAD)
    angles = jnp.outer(jnp.arange(x.shape[1]), frequencies)
    angles = jnp.concatenate([angles, angles], axis=-1)[None, :, None, :]
    first, second = jnp.split(x, 2, axis=-1)
    return x * jnp.cos(angles) + jnp.concatenate([-second, first], axis=-1) * jnp.sin(angles)


def rms_norm_power(x, gamma):
    return gamma * x * jnp.power(jnp.mean(x**2, axis=-1, keepdims=True) + 1e-6, -0.5)


@program(meshes=("1", "tp=2", "dp=2"))
def llama_einsum(v):
    """Weights with a head dimension; grouped queries by repeating keys and values."""

    def block(p, x):
        y = rms_norm_power(x, p["norm1"])
        q = half_rotary(jnp.einsum("btd,dhk->bthk", y, p["q"]))
        k = half_rotary(jnp.einsum("btd,dhk->bthk", y, p["k"]))
        u = jnp.einsum("btd,dhk->bthk", y, p["v"])
        k, u = (jnp.repeat(t, HEADS // KV_HEADS, axis=2) for t in (k, u))
        scores = jnp.einsum("bqhk,bshk->bhqs", q, k) / HEAD**0.5
        length = x.shape[1]
        mask = jnp.arange(length)[:, None] >= jnp.arange(length)[None, :]
        scores = scores + jnp.where(mask, 0.0, -1e10)
        heads = jnp.einsum("bhqs,bshk->bqhk", jax.nn.softmax(scores, axis=-1), u)
        x = x + jnp.einsum("bqhk,hkd->bqd", heads, p["out"])
        y = rms_norm_power(x, p["norm2"])
        return x + (jax.nn.silu(y @ p["gate"]) * (y @ p["up"])) @ p["down"]

    def loss(params, tokens, targets):
        x = params["embed"].at[tokens].get(mode="clip")
        for p in params["blocks"]:
            x = block(p, x)
        logits = jnp.einsum("btd,dv->btv", rms_norm_power(x, params["norm"]), params["head"])
        onehot = jax.nn.one_hot(targets, VOCAB)
        return jnp.mean(jax.nn.logsumexp(logits, -1) - jnp.einsum("btv,btv->bt", logits, onehot))

    def block_params():
        return {
            "norm1": v.scale(WIDTH),
            "q": v.normal(WIDTH, HEADS * HEAD).reshape(WIDTH, HEADS, HEAD),
            "k": v.normal(WIDTH, KV_HEADS * HEAD).reshape(WIDTH, KV_HEADS, HEAD),
            "v": v.normal(WIDTH, KV_HEADS * HEAD).reshape(WIDTH, KV_HEADS, HEAD),
            "out": v.normal(WIDTH, WIDTH).reshape(HEADS, HEAD, WIDTH),
            "norm2": v.scale(WIDTH),
            **mlp_params(v),
        }

    return Program(
        loss, decoder_params(v, block_params), v.tokens(), raises(*LLAMA)
    )


def mlp_params(v):
    return {
        "gate": v.normal(WIDTH, HIDDEN),
        "up": v.normal(WIDTH, HIDDEN),
        "down": v.normal(HIDDEN, WIDTH),
    }


def decoder_params(v, block_params, layers=LAYERS):
    return {
        "embed": v.normal(VOCAB, WIDTH, std=0.5),
        "blocks": [block_params() for _ in range(layers)],
        "norm": v.scale(WIDTH),
        "head": v.normal(WIDTH, VOCAB),
    }


def square_params(v, kv_heads=HEADS):
    return {
        "norm1": v.scale(WIDTH),
        "q": v.normal(WIDTH, WIDTH),
        "k": v.normal(WIDTH, kv_heads * HEAD),
        "v": v.normal(WIDTH, kv_heads * HEAD),
        "out": v.normal(WIDTH, WIDTH),
        "norm2": v.scale(WIDTH),
        **mlp_params(v),
    }


def flax_rms_norm(x, scale, dtype=jnp.float32):
    """Statistics in f32, as flax.linen.RMSNorm computes them."""
    wide = jnp.asarray(x, jnp.promote_types(dtype, jnp.result_type(x)))
    mean2 = jnp.mean(jax.lax.square(wide), axis=-1, keepdims=True)
    y = wide * (jax.lax.rsqrt(mean2 + 1e-6) * scale.reshape((1,) * (x.ndim - 1) + (-1,)))
    return y.astype(x.dtype)


def library_attention(p, x, norm):
    y = norm(x, p["norm1"])
    q, k, u = (jnp.reshape(y @ p[name], (*x.shape[:2], -1, HEAD)) for name in "qkv")
    heads = jax.nn.dot_product_attention(
        half_rotary(q).astype(x.dtype), half_rotary(k).astype(x.dtype), u, is_causal=True
    )
    return x + heads.reshape(x.shape) @ p["out"]


def swiglu(p, x, norm):
    y = norm(x, p["norm2"])
    return x + (jax.nn.swish(y @ p["gate"]) * (y @ p["up"])) @ p["down"]


@program
def llama_library_attention(v):
    """`jax.nn.dot_product_attention` with fewer heads of keys and values."""

    def loss(params, tokens, targets):
        x = params["embed"][tokens]
        for p in params["blocks"]:
            x = swiglu(p, library_attention(p, x, flax_rms_norm), flax_rms_norm)
        return mean_token_loss(flax_rms_norm(x, params["norm"]) @ params["head"], targets)

    params = decoder_params(v, lambda: square_params(v, KV_HEADS))
    return Program(loss, params, v.tokens(), raises(*LLAMA))


@program
def llama_bf16_mixed(v):
    """f32 parameters cast to bf16 where they are read, f32 norms and loss."""

    def loss(params, tokens, targets, dtype=jnp.bfloat16):
        cast = functools.partial(jax.tree.map, lambda leaf: leaf.astype(dtype))
        x = cast(params["embed"])[tokens]
        for p in params["blocks"]:
            p = {name: leaf if "norm" in name else cast(leaf) for name, leaf in p.items()}
            x = swiglu(p, library_attention(p, x, flax_rms_norm), flax_rms_norm)
        logits = flax_rms_norm(x, params["norm"]) @ cast(params["head"])
        return mean_token_loss(logits.astype(jnp.float32), targets)

    params = decoder_params(v, lambda: square_params(v, KV_HEADS))
    return Program(
        lambda params, tokens, targets: loss(params, tokens, targets),
        params,
        v.tokens(),
        raises(*LLAMA),
        oracle=functools.partial(loss, dtype=jnp.float32),
        bf16=True,
    )


@program
def llama_scan(v):
    """Stacked layers scanned two at a time, with the hidden states of all of them kept."""

    def loss(params, tokens, targets):
        def block(x, p):
            x = swiglu(p, library_attention(p, x, rms_norm_power), rms_norm_power)
            return x, x.mean()

        x, means = jax.lax.scan(block, params["embed"][tokens], params["blocks"], unroll=2)
        logits = rms_norm_power(x, params["norm"]) @ params["head"]
        return mean_token_loss(logits, targets) + 0.01 * jnp.sum(means**2)

    params = decoder_params(v, lambda: square_params(v), layers=3)
    params["blocks"] = stacked(params["blocks"])
    return Program(loss, params, v.tokens(), raises(*LLAMA))


@program
def gemma2(v):
    """Norms of queries and keys, softcaps by tanh, norms on both sides, a scaled embedding."""

    def norm(x, gamma):
        scale = jax.lax.rsqrt(jnp.mean(jnp.square(x), axis=-1, keepdims=True) + 1e-6)
        return x * scale * (1 + gamma)

    def softcap(x, cap):
        return cap * jnp.tanh(x / cap)

    def attention(p, x):
        q, k, u = (jnp.reshape(x @ p[name], (*x.shape[:2], HEADS, HEAD)) for name in "qkv")
        q, k = half_rotary(norm(q, p["q_norm"])), half_rotary(norm(k, p["k_norm"]))
        scores = softcap(jnp.einsum("bqhd,bkhd->bhqk", q * HEAD**-0.5, k), 5.0)
        length = x.shape[1]
        mask = jnp.tri(length, dtype=bool)[None, None, :, :]
        scores = jnp.where(mask, scores, -2.3819763e38)
        heads = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores, axis=-1), u)
        return heads.reshape(x.shape) @ p["out"]

    def loss(params, tokens, targets):
        x = params["embed"][tokens] * jnp.sqrt(WIDTH)
        for p in params["blocks"]:
            x = x + norm(attention(p, norm(x, p["norm1"])), p["post1"])
            y = norm(x, p["norm2"])
            y = (jax.nn.gelu(y @ p["gate"], approximate=True) * (y @ p["up"])) @ p["down"]
            x = x + norm(y, p["post2"])
        logits = softcap(norm(x, params["norm"]) @ params["embed"].T, 10.0)
        return mean_token_loss(logits, targets)

    def block_params():
        extra = {"post1": v.bias(WIDTH), "post2": v.bias(WIDTH)}
        extra |= {"q_norm": v.bias(HEAD), "k_norm": v.bias(HEAD)}
        zero_based = {"norm1": v.bias(WIDTH), "norm2": v.bias(WIDTH)}
        return square_params(v) | zero_based | extra

    params = decoder_params(v, block_params)
    del params["head"]
    params["norm"] = v.bias(WIDTH)
    return Program(loss, params, v.tokens(), raises(*LLAMA))


@program(meshes=("1", "tp=2", "tp=4"))
def palm(v):
    """Attention and MLP side by side, one head of keys and values, z-loss, a masked mean."""

    def block(p, x):
        y = rms_norm_power(x, p["norm1"])
        q = jnp.reshape(y @ p["q"], (*x.shape[:2], HEADS, HEAD))
        k, u = y @ p["k"], y @ p["v"]
        scores = jnp.einsum("bqhd,bkd->bhqk", q, k) * HEAD**-0.5
        length = x.shape[1]
        scores = jnp.where(jnp.triu(jnp.ones((length, length), bool), k=1), -1e9, scores)
        heads = jnp.einsum("bhqk,bkd->bqhd", jax.nn.softmax(scores), u)
        mlp = (jax.nn.silu(y @ p["gate"]) * (y @ p["up"])) @ p["down"]
        return x + heads.reshape(x.shape) @ p["out"] + mlp

    def loss(params, tokens, targets):
        x = params["embed"][tokens]
        for p in params["blocks"]:
            x = block(p, x)
        logits = rms_norm_power(x, params["norm"]) @ params["head"]
        z = jax.nn.logsumexp(logits, axis=-1)
        picked = jnp.take_along_axis(logits, targets[..., None], axis=-1)[..., 0]
        losses = z - picked + 1e-2 * z**2
        weights = (targets != 0).astype(jnp.float32)
        return jnp.sum(jnp.where(targets != 0, losses, 0.0)) / jnp.maximum(weights.sum(), 1)

    def block_params():
        block = square_params(v, 1)
        del block["norm2"]
        return block

    params = decoder_params(v, block_params)
    return Program(loss, params, v.tokens(), raises(*LLAMA))


@program(meshes=("1", "tp=2", "tp=4"))
def palm_low_rank(v):
    """PaLM's attention with queries, keys and values of two factors, by heads before positions."""

    def factors(p, x):
        return x @ p["a"] @ p["b"]

    def block(p, x):
        y = rms_norm_power(x, p["norm1"])
        q = factors(p["q"], y).reshape(*x.shape[:2], HEADS, HEAD).transpose(0, 2, 1, 3)
        k, u = factors(p["k"], y), factors(p["v"], y)
        scores = jnp.einsum("bhqd,bkd->bhqk", q, k) * HEAD**-0.5
        length = x.shape[1]
        scores = jnp.where(jnp.tri(length, dtype=bool), scores, -1e9)
        heads = jnp.einsum("bhqk,bkd->bhqd", jax.nn.softmax(scores), u).transpose(0, 2, 1, 3)
        x = x + factors(p["out"], heads.reshape(x.shape))
        y = rms_norm_power(x, p["norm2"])
        return x + factors(p["down"], jax.nn.silu(factors(p["gate"], y)) * factors(p["up"], y))

    def loss(params, tokens, targets):
        x = params["embed"][tokens]
        for p in params["blocks"]:
            x = block(p, x)
        return mean_token_loss(rms_norm_power(x, params["norm"]) @ params["head"], targets)

    def low_rank(rows, columns, rank=RANK):
        return {"a": v.normal(rows, rank), "b": v.normal(rank, columns)}

    def block_params():
        keys = {name: low_rank(WIDTH, HEAD, HEAD - 1) for name in "kv"}
        square = {name: low_rank(WIDTH, WIDTH) for name in ("q", "out")}
        mlp = {"gate": low_rank(WIDTH, HIDDEN), "up": low_rank(WIDTH, HIDDEN)}
        norms = {"norm1": v.scale(WIDTH), "norm2": v.scale(WIDTH)}
        return {**keys, **square, **mlp, **norms, "down": low_rank(HIDDEN, WIDTH)}

    raised = raises("bottleneck", *LLAMA)
    return Program(loss, decoder_params(v, block_params), v.tokens(), raised)


@program(meshes=("1", "tp=2", "dp=2"))
def cola_scan_remat(v):
    """Two factors with silu between, in a rematerialized scan."""

    def factors(p, x):
        return jax.nn.silu(x @ p["a"]) @ p["b"]

    def block(x, p):
        y = flax_rms_norm(x, p["norm1"])
        q, k, u = (factors(p[name], y).reshape(*x.shape[:2], HEADS, HEAD) for name in "qkv")
        heads = jax.nn.dot_product_attention(half_rotary(q), half_rotary(k), u, is_causal=True)
        x = x + factors(p["out"], heads.reshape(x.shape))
        y = flax_rms_norm(x, p["norm2"])
        x = x + factors(p["down"], jax.nn.silu(factors(p["gate"], y)) * factors(p["up"], y))
        return x, None

    def loss(params, tokens, targets):
        policy = jax.checkpoint_policies.nothing_saveable
        x, _ = jax.lax.scan(
            jax.checkpoint(block, policy=policy), params["embed"][tokens], params["blocks"]
        )
        return mean_token_loss(flax_rms_norm(x, params["norm"]) @ params["head"], targets)

    def low_rank(rows, columns):
        return {"a": v.normal(rows, RANK), "b": v.normal(RANK, columns)}

    def block_params():
        square = {name: low_rank(WIDTH, WIDTH) for name in ("q", "k", "v", "out")}
        mlp = {"gate": low_rank(WIDTH, HIDDEN), "up": low_rank(WIDTH, HIDDEN)}
        norms = {"norm1": v.scale(WIDTH), "norm2": v.scale(WIDTH)}
        return {**square, **mlp, **norms, "down": low_rank(HIDDEN, WIDTH)}

    params = decoder_params(v, block_params)
    params["blocks"] = stacked(params["blocks"])
    return Program(loss, params, v.tokens(), raises("bottleneck", *LLAMA))
