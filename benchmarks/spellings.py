#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What losses, heads, attentions, norms and mixtures of experts send in several spellings, as a page of Markdown.

    benchmarks/spellings.py > docs/benchmarks/Spellings.md

Each row is a LLaMA of two layers, like those of `latents.py`, with one part in that spelling. Nothing
is compiled to the end.
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
#: The score of keys that are not seen.
LOW = -1e30


@dataclass(frozen=True)
class Sizes:
    """The sizes of a model. Its functions take them from the shapes of what they read."""

    width: int = latents.WIDTH
    hidden: int = latents.HIDDEN
    heads: int = latents.HEADS
    rank: int = latents.RANK
    vocabulary: int = latents.VOCABULARY
    experts: int = 4

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


def by_einsum(logits, targets):
    chosen = jax.nn.one_hot(targets, logits.shape[-1])
    return -jnp.einsum("bsv,bsv->", chosen, jax.nn.log_softmax(logits)) / targets.size


def by_logsumexp(logits, targets):
    picked = jnp.take_along_axis(logits, targets[..., None], -1)[..., 0]
    return jnp.mean(jax.nn.logsumexp(logits, axis=-1) - picked)


def by_probability(logits, targets):
    return -jnp.mean(jnp.log(jnp.take_along_axis(jax.nn.softmax(logits), targets[..., None], -1)))


def by_probability_and_number(logits, targets):
    picked = jnp.take_along_axis(jax.nn.softmax(logits), targets[..., None], -1)
    return -jnp.mean(jnp.log(picked + 1e-6))


LOSSES = {
    "log-softmax, target picked": by_gather,
    "a token under vmap": by_vmap,
    "a token under jnp.vectorize": by_vectorize,
    "a sequence in lax.map": by_map,
    "one-hot target": by_one_hot,
    "one-hot target, einsum": by_einsum,
    "log-sum-exp less the target": by_logsumexp,
    "logarithm of a probability": by_probability,
    "of a probability plus 1e-6": by_probability_and_number,
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

# Attentions: of queries, keys and values [batch, sequence, heads, head size], the weights of the layer and the ids.


def scores_of(q, k):
    return jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(q.shape[-1])


def causal(q):
    return jnp.tril(jnp.ones((q.shape[1], q.shape[1]), bool))


def same_document(ids):
    """Whether two tokens are in one document: another one begins with each token 0."""
    document = jnp.cumsum(ids == 0, axis=1)
    return document[:, None, :, None] == document[:, None, None, :]


def masked(scores, mask):
    return jnp.where(mask, scores, LOW)


def weigh(weights, v):
    return jnp.einsum("bhqk,bkhd->bqhd", weights, v)


def by_where(q, k, v, w, ids):
    return weigh(jax.nn.softmax(masked(scores_of(q, k), causal(q))), v)


def by_softmax_where(q, k, v, w, ids):
    return weigh(jax.nn.softmax(scores_of(q, k), where=causal(q)), v)


def by_factor(q, k, v, w, ids):
    scores = scores_of(q, k)
    terms = jnp.exp(scores - scores.max(-1, keepdims=True)) * causal(q)
    return weigh(terms / terms.sum(-1, keepdims=True), v)


def by_addition(q, k, v, w, ids):
    """With an array of numpy that is 0 or minus infinity."""
    hidden = np.triu(np.full((q.shape[1], q.shape[1]), -np.inf, np.float32), 1)
    return weigh(jax.nn.softmax(scores_of(q, k) + hidden), v)


def by_product_and_sum(q, k, v, w, ids):
    """As GPT-2 has it, with a mask in numbers."""
    mask = np.tril(np.ones((q.shape[1], q.shape[1]), np.float32))
    return weigh(jax.nn.softmax(scores_of(q, k) * mask - 1e10 * (1 - mask)), v)


def by_comparison(q, k, v, w, ids):
    """As nanoGPT has it, with a mask in numbers that is compared with 0."""
    mask = jnp.tril(jnp.ones((q.shape[1], q.shape[1])))
    return weigh(jax.nn.softmax(jnp.where(mask == 0, -jnp.inf, scores_of(q, k))), v)


def window(q):
    """Whether a key is near and not after the query."""
    distance = jnp.arange(q.shape[1])[:, None] - jnp.arange(q.shape[1])
    return (distance >= 0) & (distance < q.shape[1] // 4)


def by_window(q, k, v, w, ids):
    return weigh(jax.nn.softmax(masked(scores_of(q, k), window(q))), v)


def by_added_window(q, k, v, w, ids):
    return weigh(jax.nn.softmax(scores_of(q, k) + jnp.where(window(q), 0.0, -1e9)), v)


def by_numbers(q, k, v, w, ids):
    """As Flax models of `transformers` have it: a bias where a mask in numbers is above 0."""
    ones = jnp.ones((q.shape[1], q.shape[1]), bool)
    mask = (jnp.tril(ones) & jnp.triu(ones, 1 - q.shape[1] // 4)).astype(jnp.float32)
    bias = jax.lax.select(mask > 0, jnp.zeros_like(mask), jnp.full_like(mask, jnp.finfo(jnp.float32).min))
    return weigh(jax.nn.softmax(scores_of(q, k) + bias), v)


def by_function(q, k, v, w, ids):
    return jax.nn.dot_product_attention(q, k, v, is_causal=True)


def packed(q, k, v, w, ids):
    return weigh(jax.nn.softmax(masked(scores_of(q, k), same_document(ids) & causal(q))), v)


def packed_where(q, k, v, w, ids):
    return weigh(jax.nn.softmax(masked(scores_of(q, k), causal(q)), where=same_document(ids)), v)


def with_sink(q, k, v, sink):
    """With a further term of the sum."""
    scores = masked(scores_of(q, k), causal(q))
    top = jnp.maximum(scores.max(-1, keepdims=True), sink)
    terms = jnp.exp(scores - top)
    return weigh(terms / (terms.sum(-1, keepdims=True) + jnp.exp(sink - top)), v)


def sink_as_score(q, k, v, w, ids):
    """As gpt-oss has it: one more score, whose weight is dropped."""
    scores = masked(scores_of(q, k), causal(q))
    sink = jnp.broadcast_to(w["sink"][:, None, None], (*scores.shape[:3], 1))
    return weigh(jax.nn.softmax(jnp.concatenate([scores, sink], -1))[..., :-1], v)


def differential(q, k, v, w, ids):
    """The difference of two softmaxes; each has a half of the heads of queries and keys."""
    halves = zip(jnp.split(q, 2, -1), jnp.split(k, 2, -1), strict=True)
    first, second = (jax.nn.softmax(masked(scores_of(*half), causal(q))) for half in halves)
    return weigh(first - w["lambda"] * second, v)


def local_blocks(q, k, v, w, ids):
    """Each of four blocks of queries sees its own keys and those of the block before."""
    count = q.shape[1] // 4
    blocks = lambda x: x.reshape(x.shape[0], 4, count, *x.shape[2:])
    before = lambda x: jnp.pad(x, ((0, 0), (1, 0), (0, 0), (0, 0), (0, 0)))[:, :-1]
    q, k, v = (blocks(x) for x in (q, k, v))
    k, v = (jnp.concatenate([before(x), x], 2) for x in (k, v))
    distance = jnp.arange(count)[:, None] + count - jnp.arange(2 * count)
    exists = (jnp.arange(4)[:, None, None] > 0) | (jnp.arange(2 * count) >= count)
    mask = (distance >= 0) & (distance < count) & exists
    weights = jax.nn.softmax(masked(jnp.einsum("bnqhd,bnkhd->bnhqk", q, k) / np.sqrt(q.shape[-1]), mask[:, None]))
    return jnp.einsum("bnhqk,bnkhd->bnqhd", weights, v).reshape(*ids.shape, *v.shape[3:])


#: By name, the attention, the sizes of heads of queries and keys, and of values, in halves of a head of the plain one,
#: and the shapes of its own weights.
ATTENTIONS = {
    "mask by where": (by_where, (2, 2), {}),
    "softmax(where=)": (by_softmax_where, (2, 2), {}),
    "mask as a factor": (by_factor, (2, 2), {}),
    "an array of numpy is added": (by_addition, (2, 2), {}),
    "scores times mask, less the rest": (by_product_and_sum, (2, 2), {}),
    "where a mask in numbers is 0": (by_comparison, (2, 2), {}),
    "a window by where": (by_window, (2, 2), {}),
    "a window is added": (by_added_window, (2, 2), {}),
    "a window in numbers is added": (by_numbers, (2, 2), {}),
    "jax.nn.dot_product_attention": (by_function, (2, 2), {}),
    "packed documents": (packed, (2, 2), {}),
    "packed documents, softmax(where=)": (packed_where, (2, 2), {}),
    "softmax plus one": (lambda q, k, v, w, ids: with_sink(q, k, v, 0.0), (2, 2), {}),
    "learned sinks in the sum": (
        lambda q, k, v, w, ids: with_sink(q, k, v, w["sink"][:, None, None]),
        (2, 2),
        {"sink": lambda sizes: (sizes.heads,)},
    ),
    "learned sinks as a score": (sink_as_score, (2, 2), {"sink": lambda sizes: (sizes.heads,)}),
    "values of half the size": (by_where, (2, 1), {}),
    "values of twice the size": (by_where, (2, 4), {}),
    "difference of two softmaxes": (differential, (2, 2), {"lambda": lambda sizes: ()}),
    "local blocks": (local_blocks, (2, 2), {}),
}


def rotate(x):
    """Rotates the halves of heads by the position."""
    first, second = jnp.split(x, 2, -1)
    angle = jnp.arange(x.shape[1])[:, None, None] / 10.0 ** jnp.arange(first.shape[-1])
    return jnp.concatenate(
        [first * jnp.cos(angle) - second * jnp.sin(angle), second * jnp.cos(angle) + first * jnp.sin(angle)], -1
    )


def latent_attention(x, w, heads):
    """DeepSeek's MLA: keys and values of one latent, beside which all heads share a rotated part of the keys. It is
    half as large as the other one, and so is that of the queries."""
    split = lambda y: y.reshape(*x.shape[:2], heads, -1)
    q = split(low_rank(x, w["q"]))
    size = q.shape[-1] // 3
    rank = w["kv"]["b"].shape[0]
    latent, shared = jnp.split(x @ w["kv"]["a"], [rank], -1)
    k, v = jnp.split(split(rms_norm(latent) @ w["kv"]["b"]), 2, -1)
    shared = jnp.broadcast_to(rotate(shared[:, :, None]), (*k.shape[:3], size))
    q = jnp.concatenate([q[..., : 2 * size], rotate(q[..., 2 * size :])], -1)
    return by_where(q, jnp.concatenate([k, shared], -1), v, w, None).reshape(x.shape)


LATENT = "latent keys and values, MLA"


def attention_of(name):
    """An attention of the input of a layer, its weights and ids, before the output projection, and a function of the
    sizes: the shapes of the weights."""
    if name == LATENT:

        def shapes_of_latent(sizes):
            kv = {"a": (sizes.width, sizes.rank + sizes.head // 2), "b": (sizes.rank, 2 * sizes.width)}
            return {"q": sizes.factors(sizes.width, 3 * sizes.width // 2), "kv": kv, "o": sizes.factors(*[sizes.width] * 2)}

        return lambda x, w, ids, heads: latent_attention(x, w, heads), shapes_of_latent

    function, (size, value_size), own = ATTENTIONS[name]

    def attend(x, w, ids, heads):
        q, k, v = (low_rank(x, w[each]).reshape(*x.shape[:2], heads, -1) for each in "qkv")
        return function(q, k, v, w, ids).reshape(*x.shape[:2], -1)

    def shapes(sizes):
        widths = {"q": size, "k": size, "v": value_size}
        weights = {each: sizes.factors(sizes.width, half * sizes.width // 2) for each, half in widths.items()}
        weights |= {key: shape(sizes) for key, shape in own.items()}
        return weights | {"o": sizes.factors(value_size * sizes.width // 2, sizes.width)}

    return attend, shapes


# Mixtures of experts: of the input of the second part of a layer and its weights. Two experts of each token count.


def gated(x, gate, up, down):
    return (jax.nn.silu(x @ gate) * (x @ up)) @ down


def choose(x, w):
    """The weights of the experts for each token."""
    scores = x @ w["router"]
    second = jnp.sort(scores, -1)[..., -2, None]
    return jax.nn.softmax(masked(scores, scores >= second))


def one_by_one(x, w):
    chosen = choose(x, w)
    experts = zip(w["gate"], w["up"], w["down"], strict=True)
    return sum(gated(x, *expert) * chosen[..., i, None] for i, expert in enumerate(experts))


def before_down(x, w):
    """As above, but what an expert counts goes to its hidden values."""
    chosen = choose(x, w)
    experts = zip(w["gate"], w["up"], w["down"], strict=True)
    return sum(
        (jax.nn.silu(x @ gate) * (x @ up) * chosen[..., i, None]) @ down
        for i, (gate, up, down) in enumerate(experts)
    )


def experts_last(x, w):
    hidden = jax.nn.silu(jnp.einsum("btd,edf->btef", x, w["gate"])) * jnp.einsum("btd,edf->btef", x, w["up"])
    return jnp.einsum("btef,efd->btd", hidden * choose(x, w)[..., None], w["down"])


def experts_first(x, w):
    hidden = jax.nn.silu(jnp.einsum("btd,edf->ebtf", x, w["gate"])) * jnp.einsum("btd,edf->ebtf", x, w["up"])
    return jnp.einsum("ebtd,bte->btd", jnp.einsum("ebtf,efd->ebtd", hidden, w["down"]), choose(x, w))


def mapped(x, w):
    outputs = jax.vmap(gated, in_axes=(None, 0, 0, 0))(x, w["gate"], w["up"], w["down"])
    return jnp.einsum("ebtd,bte->btd", outputs, choose(x, w))


def dispatched(x, w):
    """One-hot products bring tokens to places of their experts, and back (GShard)."""
    chosen = choose(x, w)
    places = jax.nn.one_hot(jnp.cumsum(chosen > 0, axis=1) - 1, x.shape[1] // 2) * (chosen > 0)[..., None]
    tokens = jnp.einsum("btec,btd->becd", places, x)
    hidden = jax.nn.silu(jnp.einsum("becd,edf->becf", tokens, w["gate"]))
    hidden *= jnp.einsum("becd,edf->becf", tokens, w["up"])
    return jnp.einsum("becd,btec->btd", jnp.einsum("becf,efd->becd", hidden, w["down"]), places * chosen[..., None])


def shapes_of_expert(sizes):
    return {"gate": (sizes.width, sizes.hidden), "up": (sizes.width, sizes.hidden), "down": (sizes.hidden, sizes.width)}


def shapes_of_experts(sizes):
    shapes = {each: (sizes.experts, *shape) for each, shape in shapes_of_expert(sizes).items()}
    return shapes | {"router": (sizes.width, sizes.experts)}


def mlp(x, w):
    return low_rank(jax.nn.silu(low_rank(x, w["gate"])) * low_rank(x, w["up"]), w["down"])


def shapes_of_mlp(sizes):
    shapes = {each: sizes.factors(sizes.width, sizes.hidden) for each in ("gate", "up")}
    return shapes | {"down": sizes.factors(sizes.hidden, sizes.width)}


#: By name, what is added to the stream, and the shapes of its weights.
MIXTURES = {
    "one expert": (lambda x, w: gated(x, w["gate"], w["up"], w["down"]), shapes_of_expert),
    "an expert after another": (one_by_one, shapes_of_experts),
    "weighed before down": (before_down, shapes_of_experts),
    "einsum, experts last": (experts_last, shapes_of_experts),
    "einsum, experts first": (experts_first, shapes_of_experts),
    "an expert under vmap": (mapped, shapes_of_experts),
    "tokens dispatched": (dispatched, shapes_of_experts),
}

# Norms: of x, with a learned scale.


def norm_of(squares):
    """The norm whose mean of squares is `squares(x)`, with a last dimension of 1."""
    return lambda x, scale: x * jax.lax.rsqrt(squares(x) + 1e-6) * scale


def by_division(x, scale):
    return scale * (x / jnp.sqrt(jnp.mean(x**2, -1, keepdims=True) + 1e-6))


NORMS = {
    "mean of squares": rms_norm,
    "divided by the root": by_division,
    "einsum of squares": norm_of(lambda x: jnp.einsum("bsd,bsd->bs", x, x)[..., None] / x.shape[-1]),
    "row times column": norm_of(lambda x: (x[..., None, :] @ x[..., None])[..., 0] / x.shape[-1]),
    "jnp.vdot under vmap": norm_of(lambda x: jax.vmap(jax.vmap(jnp.vdot))(x, x)[..., None] / x.shape[-1]),
    "square of jnp.linalg.norm": norm_of(lambda x: jnp.linalg.norm(x, axis=-1, keepdims=True) ** 2 / x.shape[-1]),
}

# Models.


def make_model(
    loss=by_gather, head=FULL_HEAD, attention="mask by where", mixture=(mlp, shapes_of_mlp), norm=rms_norm
):
    """The loss of a LLaMA with these parts, and the shapes of its parameters."""
    sizes = Sizes()
    embedding, logits, shapes_of_ends = head
    attend, shapes_of_attention = attention_of(attention)
    second, shapes_of_second = mixture

    def model(params, tokens, targets):
        x = embedding(tokens, params)
        for layer in params["layers"]:
            h = norm(x, layer["norm"])
            x = x + low_rank(attend(h, layer, tokens, sizes.heads), layer["o"])
            x = x + second(norm(x, layer["mlp_norm"]), layer["mlp"])
        return loss(logits(norm(x, params["norm"]), params), targets)

    layer = shapes_of_attention(sizes) | {"mlp": shapes_of_second(sizes)}
    layer |= {"norm": (sizes.width,), "mlp_norm": (sizes.width,)}
    shapes = shapes_of_ends(sizes) | {"norm": (sizes.width,), "layers": [layer] * LAYERS}
    is_shape = lambda node: isinstance(node, tuple)
    return model, jax.tree.map(lambda shape: jax.ShapeDtypeStruct(shape, np.float32), shapes, is_leaf=is_shape)


#: By title, the spellings of a part of the model, the plain one first.
TABLES = {
    "Losses": {name: lambda loss=loss: make_model(loss=loss) for name, loss in LOSSES.items()},
    "Heads": {name: lambda head=head: make_model(head=head) for name, head in HEADS.items()},
    "Attentions": {name: lambda name=name: make_model(attention=name) for name in [*ATTENTIONS, LATENT]},
    "Norms": {name: lambda norm=norm: make_model(norm=norm) for name, norm in NORMS.items()},
    "Experts": {name: lambda mixture=mixture: make_model(mixture=mixture) for name, mixture in MIXTURES.items()},
}
#: Why a spelling sends more than 5 % more than the plain one.
REASONS: dict[str, str] = {}


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
    print(f"What `boost-compile MODEL {' '.join((*latents.OPTIONS, PLACEMENT))}` predicts for a LLaMA of two")
    print("layers with bottlenecks, of which one part is written in each way, by `benchmarks/spellings.py`.")
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
