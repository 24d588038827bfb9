# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models that are no causal decoders: BERT, T5 and a vision transformer."""

import jax
import jax.numpy as jnp
import numpy as np

from .common import (
    BATCH,
    HEAD,
    HEADS,
    HIDDEN,
    LAYERS,
    SEQ,
    VOCAB,
    WIDTH,
    Program,
    mean_token_loss,
    program,
    raises,
)
from .gpt import dense, dense_params, layer_norm, norm_params

ENCODER = ("attention", "embedding", "linear", "cross_entropy")


@program
def bert(v):
    """Post-norm, gelu by erf, padding masked away, a loss of the masked tokens only."""

    def block(p, x, mask):
        q, k, u = (dense(p[name], x).reshape(*x.shape[:2], HEADS, HEAD) for name in "qkv")
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(HEAD)
        scores = scores + (1.0 - mask[:, None, None, :]) * -1e9
        heads = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores, axis=-1), u)
        x = layer_norm(p["ln1"], x + dense(p["out"], heads.reshape(x.shape)))
        y = dense(p["down"], jax.nn.gelu(dense(p["up"], x), approximate=False))
        return layer_norm(p["ln2"], x + y)

    def loss(params, tokens, segments, targets):
        mask = (tokens != 0).astype(jnp.float32)
        x = params["word"][tokens] + params["segment"][segments] + params["position"]
        x = layer_norm(params["ln"], x)
        for p in params["blocks"]:
            x = block(p, x, mask)
        x = layer_norm(params["head_ln"], jax.nn.gelu(dense(params["head"], x), approximate=False))
        log_probs = jax.nn.log_softmax(x @ params["word"].T + params["bias"])
        chosen = targets >= 0
        labels = jnp.where(chosen, targets, 0)
        picked = jnp.take_along_axis(log_probs, labels[..., None], axis=-1).squeeze(-1)
        return -jnp.where(chosen, picked, 0).sum() / chosen.sum()

    def block_params():
        square = {name: dense_params(v, WIDTH, WIDTH) for name in ("q", "k", "v", "out")}
        mlp = {"up": dense_params(v, WIDTH, HIDDEN), "down": dense_params(v, HIDDEN, WIDTH)}
        return {"ln1": norm_params(v), "ln2": norm_params(v), **square, **mlp}

    params = {
        "word": v.normal(VOCAB, WIDTH, std=0.3),
        "segment": v.normal(2, WIDTH, std=0.3),
        "position": v.normal(SEQ, WIDTH, std=0.3),
        "ln": norm_params(v),
        "blocks": [block_params() for _ in range(LAYERS)],
        "head": dense_params(v, WIDTH, WIDTH),
        "head_ln": norm_params(v),
        "bias": v.bias(VOCAB),
    }
    tokens, targets = v.ids(BATCH, SEQ), v.ids(BATCH, SEQ)
    tokens[:, -1] = 0
    targets[:, ::2] = -100
    batch = {"tokens": tokens, "segments": v.ids(BATCH, SEQ, limit=2), "targets": targets}
    return Program(loss, params, batch, raises("layer_norm", *ENCODER))


def relative_buckets(length, buckets=8, limit=16):
    """T5's buckets of distances: exact when near, logarithmic when far."""
    positions = np.arange(length)
    distance = positions[None, :] - positions[:, None]
    sign = (distance > 0) * (buckets // 2)
    distance, half, near = np.abs(distance), buckets // 2, buckets // 4
    far = near + np.log(np.maximum(distance, 1) / near) / np.log(limit / near) * (half - near)
    return sign + np.where(distance < near, distance, np.minimum(far.astype(int), half - 1))


@program
def t5(v):
    """No positions but a learned bias per bucket of distances, RMS norms, relu, no scale."""

    def norm(x, weight):
        return weight * (x * jax.lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-6))

    def loss(params, tokens, targets):
        x = params["embed"][tokens]
        buckets = jnp.asarray(relative_buckets(x.shape[1]), jnp.int32)
        bias = jnp.transpose(params["relative"][buckets], (2, 0, 1))[None]
        for p in params["blocks"]:
            y = norm(x, p["norm1"])
            q, k, u = (jnp.reshape(y @ p[name], (*x.shape[:2], HEADS, HEAD)) for name in "qkv")
            scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) + bias
            heads = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), u)
            x = x + heads.reshape(x.shape) @ p["out"]
            x = x + jax.nn.relu(norm(x, p["norm2"]) @ p["up"]) @ p["down"]
        logits = norm(x, params["norm"]) * WIDTH**-0.5 @ params["embed"].T
        return mean_token_loss(logits, targets)

    def block_params():
        square = {name: v.normal(WIDTH, WIDTH, std=0.2) for name in ("q", "k", "v", "out")}
        norms = {"norm1": v.scale(WIDTH), "norm2": v.scale(WIDTH)}
        return {**square, **norms, "up": v.normal(WIDTH, HIDDEN), "down": v.normal(HIDDEN, WIDTH)}

    params = {
        "embed": v.normal(VOCAB, WIDTH, std=1.0),
        "relative": v.normal(8, HEADS, std=0.5),
        "blocks": [block_params() for _ in range(LAYERS)],
        "norm": v.scale(WIDTH),
    }
    return Program(loss, params, v.tokens(), raises("rms_norm", *ENCODER))


@program(meshes=("1", "tp=2", "dp=2"))
def vit(v):
    """Patches of an image, a class token, label smoothing."""
    classes, patch, side = 10, 2, 4

    def loss(params, images, labels):
        b = images.shape[0]
        n = side // patch
        patches = images.reshape(b, n, patch, n, patch, 3).swapaxes(2, 3).reshape(b, n * n, -1)
        x = dense(params["patch"], patches)
        token = jnp.broadcast_to(params["class"], (b, 1, WIDTH))
        x = jnp.concatenate([token, x], axis=1) + params["position"]
        for p in params["blocks"]:
            y = layer_norm(p["ln1"], x)
            qkv = (y @ p["qkv"]).reshape(*x.shape[:2], 3, HEADS, HEAD)
            heads = jax.nn.dot_product_attention(qkv[:, :, 0], qkv[:, :, 1], qkv[:, :, 2])
            x = x + dense(p["out"], heads.reshape(x.shape))
            x = x + dense(p["down"], jax.nn.gelu(dense(p["up"], layer_norm(p["ln2"], x))))
        logits = dense(params["head"], layer_norm(params["ln"], x)[:, 0])
        smooth = 0.9 * jax.nn.one_hot(labels, classes) + 0.1 / classes
        return -jnp.mean(jnp.sum(smooth * jax.nn.log_softmax(logits), axis=-1))

    def block_params():
        heads = {"qkv": v.normal(WIDTH, 3 * WIDTH), "out": dense_params(v, WIDTH, WIDTH)}
        mlp = {"up": dense_params(v, WIDTH, HIDDEN), "down": dense_params(v, HIDDEN, WIDTH)}
        return {"ln1": norm_params(v), "ln2": norm_params(v), **heads, **mlp}

    params = {
        "patch": dense_params(v, patch * patch * 3, WIDTH),
        "class": v.bias(1, 1, WIDTH),
        "position": v.bias((side // patch) ** 2 + 1, WIDTH),
        "blocks": [block_params() for _ in range(LAYERS)],
        "ln": norm_params(v),
        "head": dense_params(v, WIDTH, classes),
    }
    batch = {"images": v.normal(BATCH, side, side, 3), "labels": v.ids(BATCH, limit=classes)}
    raised = raises("attention", "cross_entropy", "layer_norm", "linear")
    return Program(loss, params, batch, raised)
