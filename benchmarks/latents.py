#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What bottlenecks with any function of the latent send, as a page of Markdown.

    benchmarks/latents.py > docs/benchmarks/Latents.md

Each row is a LLaMA of two layers whose seven linears of a layer are all written with that function
between their factors. Nothing is compiled to the end.
"""

import argparse
import json
import subprocess
import tempfile
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np

from boost_mlir.export import export

REPOSITORY = Path(__file__).resolve().parent.parent
MESH = "tp=4"
OPTIONS = (f"--mesh={MESH}", "--machine=a100-80gb")
PLACEMENT = "--placement=bottleneck"
BATCH, SEQUENCE, VOCABULARY, LAYERS = 4, 128, 8192, 2
WIDTH, HIDDEN, HEADS, RANK = 256, 512, 8, 64


def rms_norm(x, scale=1.0):
    return x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * scale


def layer_norm(x, scale, shift):
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) / jnp.sqrt(variance + 1e-5) * scale + shift


def norm_of_parts(latent):
    """A norm of each quarter of the latent."""
    parts = latent.reshape(*latent.shape[:-1], 4, -1)
    return rms_norm(parts).reshape(latent.shape)


def gated_by_half(latent):
    first, second = jnp.split(latent, 2, axis=-1)
    return first * jax.nn.sigmoid(second)


def with_token_before(latent):
    return latent + jnp.pad(latent, ((0, 0), (1, 0), (0, 0)))[:, :-1]


def between(function):
    """The product of two factors `a` and `b` with a function of the latent, and of other weights, between."""
    return lambda x, w: function(x @ w["a"], w) @ w["b"]


def of_latent(function):
    return between(lambda latent, _: function(latent))


#: The functions, and the shapes of the weights that they have besides `a` [in, rank] and `b` [rank, out]; `b` may
#: have others as well.
FUNCTIONS = {
    "silu": (of_latent(jax.nn.silu), {}),
    "identity": (of_latent(lambda latent: latent), {}),
    "gelu": (of_latent(jax.nn.gelu), {}),
    "gelu by erf": (of_latent(lambda latent: jax.nn.gelu(latent, approximate=False)), {}),
    "relu": (of_latent(jax.nn.relu), {}),
    "relu squared": (of_latent(lambda latent: jax.nn.relu(latent) ** 2), {}),
    "tanh": (of_latent(jnp.tanh), {}),
    "softmax": (of_latent(jax.nn.softmax), {}),
    "constant factor": (of_latent(lambda latent: 0.5 * latent), {}),
    "constant mask": (of_latent(lambda latent: latent * (jnp.arange(latent.shape[-1]) % 2)), {}),
    "learned scale, U diag(s) V": (between(lambda latent, w: latent * w["s"]), {"s": (RANK,)}),
    "bias": (between(lambda latent, w: latent + w["s"]), {"s": (RANK,)}),
    "silu of a bias": (between(lambda latent, w: jax.nn.silu(latent + w["s"])), {"s": (RANK,)}),
    "gelu beside the latent": (of_latent(lambda latent: latent + jax.nn.gelu(latent)), {}),
    "RMS norm": (between(lambda latent, w: rms_norm(latent, w["s"])), {"s": (RANK,)}),
    "layer norm": (
        between(lambda latent, w: layer_norm(latent, w["s"], w["t"])),
        {"s": (RANK,), "t": (RANK,)},
    ),
    "norm of parts": (of_latent(norm_of_parts), {}),
    "unit length": (of_latent(lambda latent: latent / jnp.linalg.norm(latent, axis=-1, keepdims=True)), {}),
    "matrix between": (between(lambda latent, w: jax.nn.gelu(latent) @ w["c"]), {"c": (RANK, RANK)}),
    "sum along the sequence": (of_latent(lambda latent: jnp.cumsum(latent, axis=1)), {}),
    "token before": (of_latent(with_token_before), {}),
    "half gates half": (of_latent(gated_by_half), {"b": (RANK // 2, None)}),
    "gate of two latents": (
        lambda x, w: (jax.nn.gelu(x @ w["a"]) * (x @ w["c"])) @ w["b"],
        {"c": (None, RANK)},
    ),
    "rank that 4 does not divide": (of_latent(jax.nn.gelu), {"a": (None, RANK - 2), "b": (RANK - 2, None)}),
}


def shapes_of(name, width, output):
    """The shapes of the weights of one linear, by name."""
    shapes = {"a": (None, RANK), "b": (RANK, None)} | FUNCTIONS[name][1]
    sizes = {"a": width, "c": width, "b": output}
    return {key: tuple(sizes[key] if size is None else size for size in shape) for key, shape in shapes.items()}


def attention(q, k, v):
    mask = jnp.tril(jnp.ones((SEQUENCE, SEQUENCE), bool))
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(WIDTH // HEADS)
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(jnp.where(mask, scores, -1e30)), v)


def make_llama(linear, shapes_of_linear, head=lambda x, w: x @ w, columns=VOCABULARY):
    """The loss of a LLaMA whose layers have these linears, and the shapes of its parameters.

    `shapes_of_linear` takes the widths of an input and an output; `columns` are those of the head's weight."""

    def loss(params, tokens, targets):
        x = params["embed"][tokens]
        for layer in params["layers"]:
            h = rms_norm(x, layer["norm"])
            q, k, v = (linear(h, layer[each]).reshape(*x.shape[:2], HEADS, -1) for each in "qkv")
            x = x + linear(attention(q, k, v).reshape(x.shape), layer["o"])
            h = rms_norm(x, layer["mlp_norm"])
            x = x + linear(jax.nn.silu(linear(h, layer["gate"])) * linear(h, layer["up"]), layer["down"])
        logits = head(rms_norm(x, params["norm"]), params["head"])
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), targets[..., None], -1))

    widths = {each: (WIDTH, WIDTH) for each in "qkvo"}
    widths |= {"gate": (WIDTH, HIDDEN), "up": (WIDTH, HIDDEN), "down": (HIDDEN, WIDTH)}
    layer = {each: shapes_of_linear(*sizes) for each, sizes in widths.items()}
    layer |= {"norm": (WIDTH,), "mlp_norm": (WIDTH,)}
    params = {"embed": (VOCABULARY, WIDTH), "head": (WIDTH, columns), "norm": (WIDTH,), "layers": [layer] * LAYERS}
    is_shape = lambda node: isinstance(node, tuple)
    return loss, jax.tree.map(lambda shape: jax.ShapeDtypeStruct(shape, np.float32), params, is_leaf=is_shape)


def make_model(name):
    """The model with this function of its latents."""
    return make_llama(FUNCTIONS[name][0], lambda *widths: shapes_of(name, *widths))


def plan(model, compiler, folder, *options) -> dict:
    """The plan of a model at four ranks."""
    ids = jax.ShapeDtypeStruct((BATCH, SEQUENCE), np.int32)
    file = Path(folder) / "model.mlir"
    file.write_text(export(*model, ids, ids, init="default"))
    command = [compiler, file, *OPTIONS, *options, "--emit=plan"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def measure(name, compiler, folder) -> dict:
    """The plan of the model with this function."""
    return plan(make_model(name), compiler, folder, PLACEMENT)


def sent(plan):
    """Bytes that a rank sends in a step."""
    functions = plan["predicted"]["functions"]
    return sum(
        part["count"] * functions[part["function"]]["classes"].get("collective", {}).get("network_bytes", 0)
        for part in plan["predicted"]["parts"]
    )


def row(name, plan) -> str:
    recognized = plan["recognized"]["bottlenecks"]
    step = plan["predicted"]["seconds"]
    memory = plan["memory"]["peak"]
    return f"| {name} | {recognized} | {sent(plan) / 1e6:.2f} | {memory / 1e6:.1f} | {1e6 * step:.0f} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--compiler", default=REPOSITORY / "build" / "bin" / "boost-compile")
    options = parser.parse_args()
    print("# Functions of a latent\n")
    print(f"What `boost-compile MODEL {' '.join((*OPTIONS, PLACEMENT))}`")
    print("predicts for a LLaMA of two layers (14 linears) with each function between the factors of all linears,")
    print("by `benchmarks/latents.py`. `boost.bottleneck` has the first two; the others are linears that are marked")
    print("as factors ([Placement](../Placement.md#functions-of-latents)). A gate of two latents has a third factor.\n")
    print("| function | bottlenecks | MB sent by a rank | MB of memory | µs a step |")
    print("|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name in FUNCTIONS:
            print(row(name, measure(name, options.compiler, folder)), flush=True)


if __name__ == "__main__":
    main()
