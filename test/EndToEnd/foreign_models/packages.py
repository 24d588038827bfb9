# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Low-rank decoders made of the layers of Flax, Equinox and Haiku, with losses of optax."""

import equinox as eqx
import flax.linen as nn
import haiku as hk
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx

from .common import HEAD, HEADS, HIDDEN, LAYERS, RANK, SEQ, VOCAB, WIDTH, Program, program, raises

GPT = ("attention", "bottleneck", "cross_entropy", "embedding", "layer_norm", "linear")
LLAMA = ("attention", "bottleneck", "cross_entropy", "embedding", "linear", "rms_norm")
#: Heads of the LLaMAs, whose queries are wider than the residual stream.
QUERY_HEADS, KV_HEADS = 2 * HEADS, HEADS
MESHES = ("1", "tp=2", "tp=4")


def perturbed(v, params):
    """Values of the size that training gives: no scale is one and no bias is zero."""
    return jax.tree.map(lambda leaf: leaf + v.normal(*leaf.shape, std=0.05), params)


def rotary(x):
    angles = jnp.outer(jnp.arange(x.shape[1]), 1e4 ** (-jnp.arange(0, HEAD, 2) / HEAD))
    cos, sin = jnp.cos(angles)[:, None], jnp.sin(angles)[:, None]
    first, second = jnp.split(x, 2, axis=-1)
    return jnp.concatenate([first * cos - second * sin, second * cos + first * sin], axis=-1)


class LinenLowRank(nn.Module):
    features: int

    @nn.compact
    def __call__(self, x):
        return nn.Dense(self.features)(nn.Dense(RANK, use_bias=False)(x))


class LinenBlock(nn.Module):
    @nn.compact
    def __call__(self, x):
        y = nn.LayerNorm()(x)
        q, k, u = (LinenLowRank(WIDTH)(y).reshape(*x.shape[:2], HEADS, HEAD) for _ in range(3))
        mask = nn.make_causal_mask(jnp.ones(x.shape[:2]))
        heads = nn.dot_product_attention(q, k, u, mask=mask)
        x = x + LinenLowRank(WIDTH)(heads.reshape(x.shape))
        y = nn.gelu(LinenLowRank(HIDDEN)(nn.LayerNorm()(x)))
        return x + LinenLowRank(WIDTH)(y)


class LinenGPT(nn.Module):
    @nn.compact
    def __call__(self, tokens):
        embed = nn.Embed(VOCAB, WIDTH)
        x = embed(tokens) + nn.Embed(SEQ, WIDTH)(jnp.arange(tokens.shape[1]))
        for _ in range(LAYERS):
            x = LinenBlock()(x)
        return embed.attend(nn.LayerNorm()(x))


@program(meshes=MESHES)
def linen_gpt(v):
    """flax.linen: `Embed`, `LayerNorm`, `Dense` with biases, its attention, a tied head."""
    model = LinenGPT()

    def loss(params, tokens, targets):
        logits = model.apply(params, tokens)
        return optax.softmax_cross_entropy_with_integer_labels(logits, targets).mean()

    batch = v.tokens()
    params = perturbed(v, model.init(jax.random.key(0), batch["tokens"]))
    return Program(loss, params, batch, raises(*GPT))


class NnxLowRank(nnx.Module):
    def __init__(self, rows, columns, rngs):
        self.down = nnx.Linear(rows, RANK, use_bias=False, rngs=rngs)
        self.up = nnx.Linear(RANK, columns, use_bias=False, rngs=rngs)

    def __call__(self, x):
        return self.up(self.down(x))


class NnxBlock(nnx.Module):
    def __init__(self, rngs):
        self.norm1, self.norm2 = (nnx.RMSNorm(WIDTH, rngs=rngs) for _ in range(2))
        self.q = NnxLowRank(WIDTH, QUERY_HEADS * HEAD, rngs)
        self.out = NnxLowRank(QUERY_HEADS * HEAD, WIDTH, rngs)
        self.k, self.v = (NnxLowRank(WIDTH, KV_HEADS * HEAD, rngs) for _ in range(2))
        self.gate, self.up = (NnxLowRank(WIDTH, HIDDEN, rngs) for _ in range(2))
        self.down = NnxLowRank(HIDDEN, WIDTH, rngs)

    def __call__(self, x):
        y = self.norm1(x)
        q, k, u = (f(y).reshape(*x.shape[:2], -1, HEAD) for f in (self.q, self.k, self.v))
        heads = jax.nn.dot_product_attention(rotary(q), rotary(k), u, is_causal=True)
        x = x + self.out(heads.reshape(*x.shape[:2], -1))
        y = self.norm2(x)
        return x + self.down(nnx.silu(self.gate(y)) * self.up(y))


class NnxLlama(nnx.Module):
    def __init__(self, rngs):
        self.embed = nnx.Embed(VOCAB, WIDTH, rngs=rngs)
        self.blocks = nnx.List([NnxBlock(rngs) for _ in range(LAYERS)])
        self.norm = nnx.RMSNorm(WIDTH, rngs=rngs)
        self.head = nnx.Linear(WIDTH, VOCAB, use_bias=False, rngs=rngs)

    def __call__(self, tokens):
        x = self.embed(tokens)
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


@program(meshes=MESHES)
def nnx_llama(v):
    """flax.nnx: `RMSNorm`, `Linear`, grouped queries, a masked mean of one-hot labels."""
    graph, params = nnx.split(NnxLlama(nnx.Rngs(0)), nnx.Param)

    def loss(params, tokens, targets):
        logits = nnx.merge(graph, params)(tokens)
        losses = optax.softmax_cross_entropy(logits, jax.nn.one_hot(targets, VOCAB))
        mask = targets != 0
        return jnp.sum(losses * mask) / jnp.sum(mask)

    return Program(loss, perturbed(v, params), v.tokens(), raises(*LLAMA))


def repeat_kv(x):
    """`repeat_kv` of Hugging Face's models, of heads before positions."""
    shape = (*x.shape[:2], QUERY_HEADS // KV_HEADS, *x.shape[2:])
    return jnp.broadcast_to(x[:, :, None], shape).reshape(x.shape[0], -1, *x.shape[2:])


def merged_matmul(a, b):
    """`torch.matmul` of four dimensions, as a product of three."""
    product = jax.lax.batch_matmul(*(t.reshape(-1, *t.shape[2:]) for t in (a, b)))
    return product.reshape(*a.shape[:3], b.shape[3])


@program(meshes=MESHES)
def hugging_face_llama(v):
    """LlamaForCausalLM as an exporter of PyTorch writes it: `x @ W.T`, repeated keys, merged
    batches, a mask that is added, norms with their weight first, labels to be ignored."""

    def linear(p, x):
        return x @ p["a"].T @ p["b"].T

    def norm(weight, x):
        return weight * (x * jax.lax.rsqrt(jnp.mean(x**2, axis=-1, keepdims=True) + 1e-6))

    def block(p, x):
        y, length = norm(p["norm1"], x), x.shape[1]
        q, k, u = (linear(p[name], y).reshape(*x.shape[:2], -1, HEAD) for name in "qkv")
        q, k, u = (t.transpose(0, 2, 1, 3) for t in (rotary(q), rotary(k), u))
        k, u = repeat_kv(k), repeat_kv(u)
        lowest = jnp.finfo(x.dtype).min
        mask = jnp.triu(jnp.full((length, length), lowest), k=1)[None, None]
        scores = merged_matmul(q, k.transpose(0, 1, 3, 2)) * HEAD**-0.5 + mask
        heads = merged_matmul(jax.nn.softmax(scores, axis=-1), u)
        x = x + linear(p["out"], heads.transpose(0, 2, 1, 3).reshape(*x.shape[:2], -1))
        y = norm(p["norm2"], x)
        return x + linear(p["down"], jax.nn.silu(linear(p["gate"], y)) * linear(p["up"], y))

    def loss(params, tokens, targets):
        x = params["embed"][tokens]
        for p in params["blocks"]:
            x = block(p, x)
        logits = norm(params["norm"], x) @ params["head"].T
        log_probs = jax.nn.log_softmax(logits.reshape(-1, VOCAB))
        labels, kept = targets.reshape(-1), targets.reshape(-1) != -100
        picked = jnp.take_along_axis(log_probs, jnp.where(kept, labels, 0)[:, None], axis=1)
        return -jnp.sum(jnp.where(kept, picked[:, 0], 0)) / jnp.sum(kept)

    def factors(rows, columns):
        return {"a": v.normal(RANK, rows), "b": v.normal(columns, RANK)}

    def block_params():
        return {
            "norm1": v.scale(WIDTH),
            "norm2": v.scale(WIDTH),
            "q": factors(WIDTH, QUERY_HEADS * HEAD),
            "k": factors(WIDTH, KV_HEADS * HEAD),
            "v": factors(WIDTH, KV_HEADS * HEAD),
            "out": factors(QUERY_HEADS * HEAD, WIDTH),
            "gate": factors(WIDTH, HIDDEN),
            "up": factors(WIDTH, HIDDEN),
            "down": factors(HIDDEN, WIDTH),
        }

    params = {
        "embed": v.normal(VOCAB, WIDTH, std=0.5),
        "blocks": [block_params() for _ in range(LAYERS)],
        "norm": v.scale(WIDTH),
        "head": v.normal(VOCAB, WIDTH, std=0.25),
    }
    return Program(loss, params, v.tokens(), raises(*LLAMA))


class EquinoxLowRank(eqx.Module):
    down: eqx.nn.Linear
    up: eqx.nn.Linear

    def __init__(self, rows, columns, key):
        first, second = jax.random.split(key)
        self.down = eqx.nn.Linear(rows, RANK, use_bias=False, key=first)
        self.up = eqx.nn.Linear(RANK, columns, key=second)

    def __call__(self, x):
        return self.up(self.down(x))


class EquinoxBlock(eqx.Module):
    norm1: eqx.nn.LayerNorm
    norm2: eqx.nn.LayerNorm
    square: list[EquinoxLowRank]
    up: EquinoxLowRank
    down: EquinoxLowRank

    def __init__(self, key):
        keys = jax.random.split(key, 6)
        self.norm1, self.norm2 = eqx.nn.LayerNorm(WIDTH), eqx.nn.LayerNorm(WIDTH)
        self.square = [EquinoxLowRank(WIDTH, WIDTH, key) for key in keys[:4]]
        self.up = EquinoxLowRank(WIDTH, HIDDEN, keys[4])
        self.down = EquinoxLowRank(HIDDEN, WIDTH, keys[5])

    def __call__(self, x):
        """Computes one sequence; all layers are mapped over its positions."""
        y = jax.vmap(self.norm1)(x)
        *qkv, out = self.square
        q, k, u = (jax.vmap(f)(y).reshape(-1, HEADS, HEAD) for f in qkv)
        mask = jnp.tril(jnp.ones((len(x), len(x)), bool))
        attend = eqx.nn._attention.dot_product_attention
        heads = jax.vmap(attend, in_axes=(1, 1, 1, None), out_axes=1)(q, k, u, mask)
        x = x + jax.vmap(out)(heads.reshape(x.shape))
        y = jax.vmap(self.norm2)(x)
        return x + jax.vmap(lambda y: self.down(jax.nn.gelu(self.up(y))))(y)


class EquinoxGPT(eqx.Module):
    tokens: eqx.nn.Embedding
    positions: eqx.nn.Embedding
    blocks: list[EquinoxBlock]
    norm: eqx.nn.LayerNorm
    head: eqx.nn.Linear

    def __init__(self, key):
        keys = jax.random.split(key, LAYERS + 3)
        self.tokens = eqx.nn.Embedding(VOCAB, WIDTH, key=keys[0])
        self.positions = eqx.nn.Embedding(SEQ, WIDTH, key=keys[1])
        self.blocks = [EquinoxBlock(key) for key in keys[3:]]
        self.norm = eqx.nn.LayerNorm(WIDTH)
        self.head = eqx.nn.Linear(WIDTH, VOCAB, use_bias=False, key=keys[2])

    def __call__(self, tokens):
        x = jax.vmap(self.tokens)(tokens) + jax.vmap(self.positions)(jnp.arange(len(tokens)))
        for block in self.blocks:
            x = block(x)
        return jax.vmap(self.head)(jax.vmap(self.norm)(x))


@program(meshes=MESHES)
def equinox_gpt(v):
    """Equinox: every layer of one vector, mapped over positions and sequences."""
    params, static = eqx.partition(EquinoxGPT(jax.random.key(0)), eqx.is_inexact_array)

    def loss(params, tokens, targets):
        logits = jax.vmap(eqx.combine(params, static))(tokens)
        labels = optax.smooth_labels(jax.nn.one_hot(targets, VOCAB), 0.1)
        return jnp.mean(optax.softmax_cross_entropy(logits, labels))

    return Program(loss, perturbed(v, params), v.tokens(), raises(*GPT))


def haiku_low_rank(columns):
    return hk.Sequential([hk.Linear(RANK, with_bias=False), hk.Linear(columns)])


def haiku_block(x):
    norm = [hk.LayerNorm(-1, create_scale=True, create_offset=True) for _ in range(2)]
    y = norm[0](x)
    q, k, u = (haiku_low_rank(WIDTH)(y).reshape(*x.shape[:2], HEADS, HEAD) for _ in range(3))
    # As in `hk.MultiHeadAttention`.
    scores = jnp.einsum("...thd,...Thd->...htT", q, k) / np.sqrt(HEAD)
    mask = jnp.tril(jnp.ones((1, 1, x.shape[1], x.shape[1])))
    weights = jax.nn.softmax(jnp.where(mask, scores, -1e30))
    heads = jnp.einsum("...htT,...Thd->...thd", weights, u)
    x = x + haiku_low_rank(WIDTH)(heads.reshape(x.shape))
    return x + haiku_low_rank(WIDTH)(jax.nn.gelu(haiku_low_rank(HIDDEN)(norm[1](x))))


@hk.without_apply_rng
@hk.transform
def haiku_model(tokens):
    x = hk.Embed(VOCAB, WIDTH)(tokens)
    x = x + hk.get_parameter("positions", [SEQ, WIDTH], init=hk.initializers.TruncatedNormal())
    for _ in range(LAYERS):
        x = haiku_block(x)
    norm = hk.LayerNorm(-1, create_scale=True, create_offset=True)
    return hk.Linear(VOCAB, with_bias=False)(norm(x))


@program(meshes=MESHES)
def haiku_gpt(v):
    """Haiku: `LayerNorm` of a variance, `Linear` with biases, a z-loss, ignored labels."""

    def loss(params, tokens, targets):
        logits = haiku_model.apply(params, tokens)
        losses = optax.softmax_cross_entropy_with_integer_labels(logits, targets)
        losses = losses + 1e-3 * jax.nn.logsumexp(logits, axis=-1) ** 2
        return jnp.mean(losses, where=targets != 0)

    batch = v.tokens()
    params = perturbed(v, haiku_model.init(jax.random.key(0), batch["tokens"]))
    return Program(loss, params, batch, raises(*GPT))
