#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What losses, heads and attentions send in several spellings, as a page of Markdown.

    benchmarks/spellings.py > docs/benchmarks/Spellings.md

Each row is a LLaMA of two layers with bottlenecks, like those of `latents.py`, with one part in that
spelling. Nothing is compiled to the end.
"""

import argparse
import tempfile
from dataclasses import dataclass

import jax
import jax.numpy as jnp
import latents
import numpy as np
from latents import LAYERS, rms_norm

PLACEMENT = "--placement=bottleneck"


@dataclass(frozen=True)
class Sizes:
    """The sizes of a model. Its functions take them from the shapes of what they read."""

    width: int = latents.WIDTH
    hidden: int = latents.HIDDEN
    heads: int = latents.HEADS
    rank: int = latents.RANK
    vocabulary: int = latents.VOCABULARY

    @property
    def head(self):
        return self.width // self.heads

    def factors(self, width, output):
        return {"a": (width, self.rank), "b": (self.rank, output)}


def low_rank(x, w):
    return (x @ w["a"]) @ w["b"]


# Losses: of logits [batch, sequence, vocabulary] and targets.


def by_gather(logits, targets):
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), targets[..., None], -1))


def token_loss(logits, target):
    return -jax.nn.log_softmax(logits)[target]


def by_vmap(logits, targets):
    rows = logits.reshape(-1, logits.shape[-1])
    return jnp.mean(jax.vmap(token_loss)(rows, targets.reshape(-1)))


def by_vectorize(logits, targets):
    return jnp.mean(jnp.vectorize(token_loss, signature="(v),()->()")(logits, targets))


def by_map(logits, targets):
    return jnp.mean(jax.lax.map(lambda sequence: by_gather(*sequence), (logits, targets)))


def by_one_hot(logits, targets):
    return -jnp.mean(jnp.sum(jax.nn.one_hot(targets, logits.shape[-1]) * jax.nn.log_softmax(logits), -1))


def by_logsumexp(logits, targets):
    picked = jnp.take_along_axis(logits, targets[..., None], -1)[..., 0]
    return jnp.mean(jax.nn.logsumexp(logits, axis=-1) - picked)


LOSSES = {
    "log-softmax, target picked": by_gather,
    "a token under vmap": by_vmap,
    "a token under jnp.vectorize": by_vectorize,
    "a sequence in lax.map": by_map,
    "one-hot target": by_one_hot,
    "log-sum-exp less the target": by_logsumexp,
}

# Heads, and the embeddings that they are tied to.


def tied(sizes):
    return {"embed": (sizes.vocabulary, sizes.rank), "project": (sizes.rank, sizes.width)}


def tied_and_down(sizes):
    return tied(sizes) | {"down": (sizes.width, sizes.rank)}


def embed(ids, w):
    return w["embed"][ids] @ w["project"]


#: By name, the embedding of ids, the head, and the shapes of their weights.
HEADS = {
    "factors of its own": (
        embed,
        lambda x, w: low_rank(x, w["head"]),
        lambda sizes: tied(sizes) | {"head": sizes.factors(sizes.width, sizes.vocabulary)},
    ),
    "tied, (x p') e'": (embed, lambda x, w: (x @ w["project"].T) @ w["embed"].T, tied),
    "tied, x (e p)'": (
        lambda ids, w: (w["embed"] @ w["project"])[ids],
        lambda x, w: x @ (w["embed"] @ w["project"]).T,
        tied,
    ),
    "tied table, gelu between": (embed, lambda x, w: jax.nn.gelu(x @ w["down"]) @ w["embed"].T, tied_and_down),
    "tied table, norms and a bias": (
        lambda ids, w: rms_norm(w["embed"][ids]) @ w["project"],
        lambda x, w: rms_norm(x @ w["down"]) @ w["embed"].T + w["bias"],
        lambda sizes: tied_and_down(sizes) | {"bias": (sizes.vocabulary,)},
    ),
}
FULL_HEAD = (
    lambda ids, w: w["embed"][ids],
    lambda x, w: x @ w["head"],
    lambda sizes: {"embed": (sizes.vocabulary, sizes.width), "head": (sizes.width, sizes.vocabulary)},
)

# Attentions: of queries, keys and values [batch, sequence, heads, head size].


def scores_of(q, k):
    return jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(q.shape[-1])


def causal(q):
    return jnp.tril(jnp.ones((q.shape[1], q.shape[1]), bool))


def weigh(weights, v):
    return jnp.einsum("bhqk,bkhd->bqhd", weights, v)


def by_where(q, k, v):
    return weigh(jax.nn.softmax(jnp.where(causal(q), scores_of(q, k), -1e30)), v)


def self_attention(x, w, heads):
    q, k, v = (low_rank(x, w[each]).reshape(*x.shape[:2], heads, -1) for each in "qkv")
    return by_where(q, k, v).reshape(x.shape)


# Models.


def make_model(loss=by_gather, head=FULL_HEAD):
    """The loss of a LLaMA with these parts, and the shapes of its parameters."""
    sizes = Sizes()
    embedding, logits, shapes_of_ends = head

    def model(params, tokens, targets):
        x = embedding(tokens, params)
        for layer in params["layers"]:
            x = x + low_rank(self_attention(rms_norm(x, layer["norm"]), layer, sizes.heads), layer["o"])
            h = rms_norm(x, layer["mlp_norm"])
            x = x + low_rank(jax.nn.silu(low_rank(h, layer["gate"])) * low_rank(h, layer["up"]), layer["down"])
        return loss(logits(rms_norm(x, params["norm"]), params), targets)

    layer = {each: sizes.factors(sizes.width, sizes.width) for each in "qkvo"}
    layer |= {each: sizes.factors(sizes.width, sizes.hidden) for each in ("gate", "up")}
    layer |= {"down": sizes.factors(sizes.hidden, sizes.width), "norm": (sizes.width,), "mlp_norm": (sizes.width,)}
    shapes = shapes_of_ends(sizes) | {"norm": (sizes.width,), "layers": [layer] * LAYERS}
    is_shape = lambda node: isinstance(node, tuple)
    return model, jax.tree.map(lambda shape: jax.ShapeDtypeStruct(shape, np.float32), shapes, is_leaf=is_shape)


#: By title, the spellings of a part of the model, the plain one first.
TABLES = {
    "Losses": {name: lambda loss=loss: make_model(loss=loss) for name, loss in LOSSES.items()},
    "Heads": {name: lambda head=head: make_model(head=head) for name, head in HEADS.items()},
}
#: Why a spelling sends more than 5 % more than the plain one.
REASONS = {}


def measure(table, name, compiler, folder) -> dict:
    """The plan of the model with this spelling."""
    return latents.plan(TABLES[table][name](), compiler, folder, PLACEMENT)


def row(name, plan, plain) -> str:
    """A line of a table; `plain` is the plan of its first spelling."""
    recognized = plan["recognized"]
    counts = [recognized[kind] for kind in ("bottlenecks", "linears", "attentions", "cross_entropies")]
    counts.append(sum(product["count"] for product in recognized["other_products"]))
    more = f"{100 * (latents.sent(plan) / latents.sent(plain) - 1):.1f} %"
    memory, step = plan["memory"]["peak"], plan["predicted"]["seconds"]
    return (
        f"| {name} | {' | '.join(map(str, counts))} | {latents.sent(plan) / 1e6:.2f} | {more} "
        f"| {memory / 1e6:.1f} | {1e6 * step:.0f} | {REASONS.get(name, '')} |"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--compiler", default=latents.REPOSITORY / "build" / "bin" / "boost-compile")
    options = parser.parse_args()
    print("# Spellings\n")
    print(f"What `boost-compile MODEL {' '.join((*latents.OPTIONS, PLACEMENT))}` predicts for")
    print("a LLaMA of two layers with bottlenecks, of which one part is written in each way, by `benchmarks/spellings.py`.")
    print("More is sent than with the first row of a table, or less. Other products are those of no known operation.")
    for table, spellings in TABLES.items():
        print(f"\n## {table}\n")
        print("| spelling | bottlenecks | linears | attentions | cross entropies | other products ", end="")
        print("| MB sent by a rank | more | MB of memory | µs a step | |")
        print("|---" * 11 + "|")
        with tempfile.TemporaryDirectory() as folder:
            plain = None
            for name in spellings:
                plan = measure(table, name, options.compiler, folder)
                plain = plain or plan
                print(row(name, plan, plain), flush=True)


if __name__ == "__main__":
    main()
