# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The decoder and its loss: a pure function of parameters and tokens."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from .config import ModelConfig, RopeScaling


def _statistics_type(x):
    """The type of norms, softmax and loss: f32 at least."""
    return jnp.promote_types(x.dtype, jnp.float32)


def rms_norm(x, gamma, eps):
    wide = x.astype(_statistics_type(x))
    variance = jnp.mean(jnp.square(wide), axis=-1, keepdims=True)
    return (wide * jax.lax.rsqrt(variance + eps)).astype(x.dtype) * gamma


def _scaled(frequencies, scaling: RopeScaling):
    """Rotary frequencies, in radians per token, after scaling."""
    if scaling.kind == "linear":
        return frequencies / scaling.factor
    periods = scaling.original_length * frequencies / (2 * np.pi)
    kept = (periods - scaling.low_freq_factor) / (scaling.high_freq_factor - scaling.low_freq_factor)
    kept = np.clip(kept, 0, 1)
    return kept * frequencies + (1 - kept) * frequencies / scaling.factor


def rope_tables(length, head_dim, theta, scaling: RopeScaling | None = None):
    """Cosines and sines of the rotation angles: [length, 1, head_dim / 2] each."""
    half = head_dim // 2
    frequencies = theta ** (-np.arange(half) / half)
    if scaling:
        frequencies = _scaled(frequencies, scaling)
    frequencies = frequencies.astype(np.float32)
    angles = jnp.arange(length, dtype=jnp.float32)[:, None, None] * frequencies
    return jnp.cos(angles), jnp.sin(angles)


def rope(x, tables):
    """Rotates the first half of each head of x [b, s, h, head_dim] against the second."""
    cos, sin = tables
    x1, x2 = jnp.split(x.astype(_statistics_type(x)), 2, axis=-1)
    return jnp.concatenate([x1 * cos - x2 * sin, x2 * cos + x1 * sin], axis=-1).astype(x.dtype)


def attention(q, k, v):
    """Causal softmax attention; q: [b, s, h, head_dim], k, v may have fewer heads."""
    groups = q.shape[2] // k.shape[2]
    if groups > 1:
        k, v = jnp.repeat(k, groups, axis=2), jnp.repeat(v, groups, axis=2)
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k, preferred_element_type=_statistics_type(q))
    scores = scores * q.shape[-1] ** -0.5
    position = jnp.arange(q.shape[1])
    causal = position[:, None] >= position[None, :]
    scores = jnp.where(causal, scores, -jnp.inf)
    weights = jax.nn.softmax(scores, axis=-1).astype(v.dtype)
    return jnp.einsum("bhqk,bkhd->bqhd", weights, v)


def project(config: ModelConfig, x, weight, previous=None):
    """One linear of a block. Returns its output and, if factored, its latent."""
    if not config.low_rank:
        return x @ weight, None
    latent = x @ weight["down"]
    hidden = latent if previous is None else latent + previous
    if config.activates_latent:
        hidden = jax.nn.silu(hidden)
    return hidden @ weight["up"], latent


def block(config: ModelConfig, x, params, previous, tables):
    """One decoder block: its output and its latents. `previous`: those of the block before."""
    batch, sequence, _ = x.shape
    latents = {}

    def linear(name, value):
        layer, kind = name.split(".")
        output, latent = project(config, value, params[layer][kind], previous.get(name))
        if config.adds_previous_latent:
            latents[name] = latent
        return output

    y = rms_norm(x, params["attn"]["norm"], config.norm_eps)
    q = linear("attn.q", y).reshape(batch, sequence, config.heads, config.head_dim)
    k = linear("attn.k", y).reshape(batch, sequence, config.kv_heads, config.head_dim)
    v = linear("attn.v", y).reshape(batch, sequence, config.kv_heads, config.head_dim)
    attended = attention(rope(q, tables), rope(k, tables), v)
    x = x + linear("attn.o", attended.reshape(batch, sequence, -1))

    y = rms_norm(x, params["mlp"]["norm"], config.norm_eps)
    gate = linear("mlp.gate", y)
    if config.activates_gate:
        gate = jax.nn.silu(gate)
    x = x + linear("mlp.down", gate * linear("mlp.up", y))
    return x, latents


def _scan_blocks(config: ModelConfig, x, stacked, tables):
    # The carry of a scan has one type: the block before the first is a latent
    # of zeros, which adds nothing.
    latents = {}
    if config.adds_previous_latent:
        zero = jnp.zeros((*x.shape[:2], config.rank), x.dtype)
        names = [f"attn.{n}" for n in "qkvo"] + [f"mlp.{n}" for n in ("gate", "up", "down")]
        latents = {name: zero for name in names}

    def body(carry, params):
        return block(config, carry[0], params, carry[1], tables), None

    (x, _), _ = jax.lax.scan(body, (x, latents), stacked)
    return x


def forward(config: ModelConfig, params, tokens):
    """Logits [b, s, vocab], in f32 at least, for token ids [b, s]."""
    x = params["embed"][tokens]
    tables = rope_tables(
        tokens.shape[1], config.head_dim, config.rope_theta, config.rope_scaling
    )
    if config.scan:
        x = _scan_blocks(config, x, params["layers"], tables)
    else:
        latents = {}
        for layer in params["layers"]:
            x, latents = block(config, x, layer, latents, tables)
    x = rms_norm(x, params["norm"], config.norm_eps)
    head = params["embed"].T if config.tied else params["head"]
    return (x @ head).astype(_statistics_type(x))


def make_loss(config: ModelConfig):
    """`loss(params, tokens, targets)`: the mean cross entropy over all tokens."""

    def loss(params, tokens, targets):
        log_probabilities = jax.nn.log_softmax(forward(config, params, tokens), axis=-1)
        picked = jnp.take_along_axis(log_probabilities, targets[..., None], axis=-1)
        return -jnp.mean(picked)

    return loss
