#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What linears send whose weights the loss computes, beside plain spellings, as a page of Markdown.

    benchmarks/weights.py > docs/benchmarks/Weights.md

Each row is the LLaMA of `latents.py` with all seven linears of a layer, or its head, in one spelling.
Nothing is compiled to the end.
"""

import argparse
import tempfile

import jax
import jax.numpy as jnp
import latents
import numpy as np
from latents import RANK, VOCABULARY


def checkerboard(weight):
    rows, columns = (jax.lax.broadcasted_iota(np.int32, weight.shape, dim) for dim in (0, 1))
    return weight * ((rows + columns) % 2)


def unit_columns(weight):
    return weight / jnp.linalg.norm(weight, axis=0)


def unit_rows(weight):
    return weight / jnp.linalg.norm(weight, axis=1, keepdims=True)


def straight_through(weight, quantized):
    """The quantized weight, with the gradient of the weight itself."""
    return weight + jax.lax.stop_gradient(quantized - weight)


def ternary(weight):
    """The weights of BitNet: -1, 0 or 1, times the mean of all."""
    scale = jnp.mean(jnp.abs(weight)) + 1e-5
    return straight_through(weight, jnp.clip(jnp.round(weight / scale), -1, 1) * scale)


def eight_bits(weight):
    scale = jnp.max(jnp.abs(weight), axis=0) / 127
    return straight_through(weight, jnp.round(weight / scale) * scale)


def spectral_norm(weight):
    """An estimate of the first singular value, by an iteration from a constant vector."""
    image = weight @ np.full(weight.shape[1], weight.shape[1] ** -0.5, weight.dtype)
    return jax.lax.stop_gradient(jnp.linalg.norm(image @ weight) / jnp.linalg.norm(image))


#: The shapes of the weights of a linear, by its widths.
FULL = {"w": lambda width, output: (width, output)}
FACTORS = {"a": lambda width, _: (width, RANK), "b": lambda _, output: (RANK, output)}
COLUMN = {"s": lambda _, output: (output,)}
ROW = {"s": lambda width, _: (width, 1)}
MIDDLE = {"s": lambda *_: (RANK,)}

#: The plain spellings, the shapes of their weights, and the placement that is made for each.
PLAIN = {
    "x w": (lambda x, w: x @ w["w"], FULL, "megatron"),
    "(x a) b": (lambda x, w: (x @ w["a"]) @ w["b"], FACTORS, "bottleneck"),
}


def of(plain, function, more=None):
    """A weight that is a function of those of a plain spelling, and perhaps of more."""
    return plain, lambda x, w: x @ function(w), PLAIN[plain][1] | (more or {})


#: The spellings: the plain one that each is compared with, and as above.
WEIGHTS = {
    "constant factor": of("x w", lambda w: 0.5 * w["w"]),
    "constant mask": of("x w", lambda w: checkerboard(w["w"])),
    "tanh": of("x w", lambda w: jnp.tanh(w["w"])),
    "scale of columns": of("x w", lambda w: w["w"] * w["s"], COLUMN),
    "scale of rows": of("x w", lambda w: w["s"] * w["w"], ROW),
    "weight norm": of("x w", lambda w: w["s"] * unit_columns(w["w"]), COLUMN),
    "norm of rows": of("x w", lambda w: unit_rows(w["w"])),
    "ternary, BitNet": of("x w", lambda w: ternary(w["w"])),
    "eight bits a column": of("x w", lambda w: eight_bits(w["w"])),
    "x (w + a b), LoRA": of("x w", lambda w: w["w"] + w["a"] @ w["b"], FACTORS),
    "spectral norm": of("x w", lambda w: w["w"] / spectral_norm(w["w"])),
    "magnitude, DoRA": of("x w", lambda w: w["s"] * unit_columns(w["w"] + w["a"] @ w["b"]), FACTORS | COLUMN),
    "masked and low rank, SLTrain": of("x w", lambda w: checkerboard(w["w"]) + w["a"] @ w["b"], FACTORS),
    "x w + (x a) b, LoRA": ("x w", lambda x, w: x @ w["w"] + (x @ w["a"]) @ w["b"], FULL | FACTORS),
    "scaled latent and result, VeRA": (
        "x w",
        lambda x, w: x @ w["w"] + ((x @ w["a"]) * w["s"]) @ w["b"] * w["t"],
        FULL | FACTORS | MIDDLE | {"t": COLUMN["s"]},
    ),
    "x (a b)": of("(x a) b", lambda w: w["a"] @ w["b"]),
    "x (0.5 a b)": of("(x a) b", lambda w: 0.5 * (w["a"] @ w["b"])),
    "x (a diag(s) b)": of("(x a) b", lambda w: (w["a"] * w["s"]) @ w["b"], MIDDLE),
    "x (b' a')'": of("(x a) b", lambda w: (w["b"].T @ w["a"].T).T),
    "weight norm of a b": of("(x a) b", lambda w: unit_columns(w["a"] @ w["b"])),
}
#: The heads, in a model with factors, and the columns of their weight.
PADDING = 5
HEADS = {
    "scaled head": (lambda x, w: x @ (0.5 * w), VOCABULARY),
    "head of unit columns": (lambda x, w: x @ unit_columns(w), VOCABULARY),
    "padded head": (lambda x, w: x @ jnp.pad(w, ((0, 0), (0, PADDING))), VOCABULARY - PADDING),
}
NAMES = [*WEIGHTS, *HEADS]

#: Spellings that add a bottleneck to a linear.
ADAPTERS = ("x w + (x a) b, LoRA", "scaled latent and result, VeRA")

LATENT_IS_SENT = "an adapter sends its latent, or the gradient of it"
FACTOR_IS_READ = "one factor is read whole by all ranks, which add up its gradients"
#: Why a spelling sends more than the plain one.
REASONS = {name: LATENT_IS_SENT for name in ADAPTERS} | {
    "x (w + a b), LoRA": FACTOR_IS_READ,
    "magnitude, DoRA": FACTOR_IS_READ,
    "masked and low rank, SLTrain": FACTOR_IS_READ,
    "weight norm of a b": "the norm reads the product, for which the first factors are gathered",
    "padded head": "the ranks do not divide the columns of the stored matrix: it is stored in shards of rows, and exchanged",
}


def shapes_at(shapes):
    return lambda width, output: {key: shape(width, output) for key, shape in shapes.items()}


def plain_of(name):
    """The spelling that another one is compared with."""
    return WEIGHTS[name][0] if name in WEIGHTS else "(x a) b"


def measure(name, compiler, folder) -> dict:
    """The plan of the model in this spelling, a plain one, or with this head."""
    plain = name if name in PLAIN else plain_of(name)
    linear, shapes, placement = PLAIN[plain]
    if name in WEIGHTS:
        _, linear, shapes = WEIGHTS[name]
    model = latents.make_llama(linear, shapes_at(shapes), *HEADS.get(name, ()))
    return latents.plan(model, compiler, folder, f"--placement={placement}")


def row(name, plan, plain=None) -> str:
    """A line of the table; `plain` is the plan of the plain spelling, if this is another one."""
    recognized = plan["recognized"]
    more = f"{100 * (latents.sent(plan) / latents.sent(plain) - 1):.1f} %" if plain else ""
    memory, step = plan["memory"]["peak"], plan["predicted"]["seconds"]
    return (
        f"| {name} | {recognized['linears']} | {recognized['bottlenecks']} | {latents.sent(plan) / 1e6:.2f} | {more} "
        f"| {memory / 1e6:.1f} | {1e6 * step:.0f} | {REASONS.get(name, '')} |"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--compiler", default=latents.REPOSITORY / "build" / "bin" / "boost-compile")
    options = parser.parse_args()
    print("# Computed weights\n")
    print(f"What `boost-compile MODEL {' '.join(latents.OPTIONS)}` predicts for a LLaMA of two layers")
    print("(14 linears and a head) with each spelling of all linears or of the head, by `benchmarks/weights.py`:")
    print("those beside `x w` with `--placement=megatron`, those beside `(x a) b` with `--placement=bottleneck`.")
    print("Why spellings send more or take longer is below.\n")
    with tempfile.TemporaryDirectory() as folder:
        for plain in PLAIN:
            print("| weight | linears | bottlenecks | MB sent by a rank | more | MB of memory | µs a step | |")
            print("|---|---|---|---|---|---|---|---|")
            expected = measure(plain, options.compiler, folder)
            print(row(plain, expected))
            for name in NAMES:
                if plain_of(name) == plain:
                    print(row(name, measure(name, options.compiler, folder), expected), flush=True)
            print()
    print("What makes a spelling send more does not grow with the number of tokens, of which there are 512 here, but for")
    print("the latents of adapters.")
    print("A step takes longer by what computes the weights and their gradients on shards: here kernels of a few")
    print("µs, which take the time of their launches. Bottlenecks with computed factors are not merged into groups.")


if __name__ == "__main__":
    main()
