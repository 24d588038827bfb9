# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`train` gives every batch argument what the loss uses it for, however the batch is spelled.

The oracle is JAX: the loss of the first window of the token file, called with inputs and targets
where whoever wrote the loss puts them. The compiled program is never told.
"""

from __future__ import annotations

import dataclasses
import json
import re
import typing
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from foreign_models import PROGRAMS
from harness import ranks_of, run, tool

import boost_mlir
from boost_mlir import data, testing
from boost_mlir.export import export

VOCAB, WIDTH, ROWS, LENGTH = 24, 8, 4, 6
USAGE, REFUSED = 2, 3
RANDOM = np.random.default_rng(17)


def normal(*shape):
    return RANDOM.standard_normal(shape, np.float32)


PARAMS = {
    "embed": normal(VOCAB, WIDTH),
    "mix": normal(2, WIDTH, WIDTH),
    "head": normal(WIDTH, VOCAB),
}
TOKENS = RANDOM.integers(0, VOCAB, ROWS * LENGTH + 1)
ROW_STARTS = [row * LENGTH for row in range(ROWS)]
WINDOWS = np.stack([TOKENS[start : start + LENGTH + 1] for start in ROW_STARTS]).astype(np.int32)
INPUTS, TARGETS = WINDOWS[:, :-1], WINDOWS[:, 1:]


# Parts of the losses.


def hidden(params, x):
    for i in range(2):
        x = x + jnp.tanh(x @ params["mix"][i])
    return x


def logits_of(params, inputs):
    return hidden(params, params["embed"][inputs]) @ params["head"]


def picked(logits, targets):
    rows = jax.nn.log_softmax(logits)
    return jnp.take_along_axis(rows, targets[..., None], axis=-1)[..., 0]


def plain(params, inputs, targets):
    return -jnp.mean(picked(logits_of(params, inputs), targets))


def one_hots(params, inputs, targets):
    """No gather at all, smoothed labels."""
    x = hidden(params, jax.nn.one_hot(inputs, VOCAB) @ params["embed"])
    smooth = 0.9 * jax.nn.one_hot(targets, VOCAB) + 0.1 / VOCAB
    return -jnp.mean(jnp.sum(smooth * jax.nn.log_softmax(x @ params["head"]), axis=-1))


def selected(params, inputs, targets):
    """Log-probabilities picked by `where`, a learned scale of losses, and weights that decay."""
    x = jax.nn.log_softmax(logits_of(params, inputs))
    mine = jnp.arange(VOCAB) == targets[..., None]
    losses = -jnp.sum(jnp.where(mine, x, 0), axis=-1) * jnp.exp(-params["mix"][0, 0, 0])
    decay = sum(jnp.sum(leaf**2) for leaf in jax.tree.leaves(params))
    return jnp.array([jnp.mean(losses), 1e-3 * decay]).sum()


def masked(params, inputs, targets):
    """Ignored labels, padding that nothing attends to, a term per class."""
    keep = (inputs != 0).astype(jnp.float32)
    x = params["embed"][jnp.where(inputs == 1, 0, inputs)] * keep[..., None]
    logits = hidden(params, x) @ params["head"]
    valid = (targets >= 0) & (targets != 3)
    own = picked(logits, jnp.where(valid, targets, 0))
    share = jnp.linspace(0.5, 1.5, VOCAB)[targets]
    return -jnp.sum(jnp.where(valid, own * share, 0) * keep) / jnp.sum(valid)


def by_hand(params, inputs, targets):
    """A cross entropy that nothing recognizes, over layers and pieces of a sequence in loops."""
    x, _ = jax.lax.scan(
        lambda x, w: (x + jnp.tanh(x @ w), None), params["embed"][inputs], params["mix"]
    )

    def piece(total, at):
        logits = jax.lax.dynamic_slice_in_dim(x, at, 2, axis=1) @ params["head"]
        labels = jax.lax.dynamic_slice_in_dim(targets, at, 2, axis=1)
        own = logits[jnp.arange(ROWS)[:, None], jnp.arange(2)[None], labels]
        return total + jnp.sum(jnp.log(jnp.sum(jnp.exp(logits), axis=-1)) - own), None

    return jax.lax.scan(piece, 0.0, jnp.arange(0, LENGTH, 2))[0] / inputs.size


def mapped(params, inputs, targets):
    """One sequence at a time under `vmap`, recomputed."""
    one = jax.checkpoint(lambda x, y: -jnp.mean(picked(logits_of(params, x), y)))
    return jnp.mean(jax.vmap(one)(inputs, targets))


def looked_up_twice(params, inputs, targets):
    """The logit of the label from its own column of the head, of which all rows are summed."""
    x = hidden(params, params["embed"][inputs])
    own = jnp.sum(x * params["head"].T[targets], axis=-1)
    return jnp.mean(jax.nn.logsumexp(x @ params["head"], axis=-1) - own)


def bigram(params, inputs, targets):
    """A table of logits: nothing acts on what the inputs look up."""
    return -jnp.mean(picked((params["embed"] @ params["head"])[inputs], targets))


def coded(params, inputs, targets):
    """Inputs as numbers, targets to come near to."""
    x = jnp.sin(inputs[..., None] * jnp.arange(1.0, WIDTH + 1)) @ params["mix"][0]
    return jnp.mean((hidden(params, x) @ params["head"][:, 0] - targets / VOCAB) ** 2)


def joined(params, rows):
    return plain(params, rows[:, :-1], rows[:, 1:])


class Example(typing.NamedTuple):
    labels: object
    ids: object


@dataclasses.dataclass
class Spelling:
    """A loss as a user writes it, with its batch as the user calls it."""

    loss: Callable
    #: The batch where it belongs, in what is exported and in what JAX evaluates.
    batch: Callable = lambda inputs, targets: (inputs, targets)
    feeds: dict = dataclasses.field(default_factory=lambda: {"inputs": "inputs", "targets": "targets"})
    keywords: bool = False
    mesh: str = "1"


def in_tree(function, inputs, targets):
    """A loss of parameters and one tree."""
    return lambda params, batch: function(params, inputs(batch), targets(batch))


def by_key(function, inputs, targets):
    return in_tree(function, lambda batch: batch[inputs], lambda batch: batch[targets])


SPELLINGS = {
    "positional": Spelling(plain),
    "swapped": Spelling(
        lambda params, targets, tokens: plain(params, tokens, targets),
        lambda inputs, targets: (targets, inputs),
        {"targets": "targets", "tokens": "inputs"},
    ),
    "dictionary": Spelling(
        by_key(plain, "tokens", "targets"),
        lambda inputs, targets: ({"tokens": inputs, "targets": targets},),
        {"batch.targets": "targets", "batch.tokens": "inputs"},
        mesh="dp=2",
    ),
    "dictionary in alphabetical order": Spelling(
        by_key(masked, "input_ids", "labels"),
        lambda inputs, targets: ({"input_ids": inputs, "labels": targets},),
        {"batch.input_ids": "inputs", "batch.labels": "targets"},
    ),
    "nested": Spelling(
        in_tree(by_hand, lambda batch: batch["model"]["ids"][0], lambda batch: batch["loss"]["ids"]),
        lambda inputs, targets: ({"model": {"ids": [inputs]}, "loss": {"ids": targets}},),
        {"batch.loss.ids": "targets", "batch.model.ids.0": "inputs"},
    ),
    "tuple": Spelling(
        in_tree(one_hots, lambda batch: batch[1], lambda batch: batch[0]),
        lambda inputs, targets: ((targets, inputs),),
        {"batch.0": "targets", "batch.1": "inputs"},
    ),
    "named tuple": Spelling(
        in_tree(mapped, lambda batch: batch.ids, lambda batch: batch.labels),
        lambda inputs, targets: (Example(labels=targets, ids=inputs),),
        {"batch.labels": "targets", "batch.ids": "inputs"},
    ),
    "keywords": Spelling(
        lambda params, *, tokens, targets: selected(params, tokens, targets),
        lambda inputs, targets: {"tokens": inputs, "targets": targets},
        {"targets": "targets", "tokens": "inputs"},
        keywords=True,
    ),
    "variadic keywords": Spelling(
        lambda params, **batch: plain(params, batch["tokens"], batch["labels"]),
        lambda inputs, targets: {"tokens": inputs, "labels": targets},
        {"labels": "targets", "tokens": "inputs"},
        keywords=True,
    ),
    "names that lie": Spelling(
        lambda params, targets, inputs: plain(params, targets, inputs),
        lambda inputs, targets: (inputs, targets),
        {"targets": "inputs", "inputs": "targets"},
    ),
    "joined": Spelling(
        joined, lambda inputs, targets: (WINDOWS,), {"rows": "tokens"}
    ),
    "looked up twice": Spelling(
        by_key(looked_up_twice, "x", "next"),
        lambda inputs, targets: ({"x": inputs, "next": targets},),
        {"batch.next": "targets", "batch.x": "inputs"},
    ),
    "bigram": Spelling(
        by_key(bigram, "tokens", "labels"),
        lambda inputs, targets: ({"tokens": inputs, "labels": targets},),
        {"batch.labels": "targets", "batch.tokens": "inputs"},
    ),
    "numbers": Spelling(
        by_key(coded, "x", "next"),
        lambda inputs, targets: ({"x": inputs, "next": targets},),
        {"batch.next": "targets", "batch.x": "inputs"},
    ),
}


def export_spelling(spelling):
    batch = spelling.batch(INPUTS, TARGETS)
    if spelling.keywords:
        return export(spelling.loss, PARAMS, **batch)
    return export(spelling.loss, PARAMS, *batch)


class Compiled:
    def __init__(self, directory, text, mesh="1"):
        self.ranks, self.log = ranks_of(mesh), directory / "log.jsonl"
        self.binary, self.tokens = directory / "program", directory / "tokens.bin"
        self.params = directory / "params.safetensors"
        (directory / "loss.mlir").write_text(text)
        data.write_tokens(self.tokens, TOKENS)
        boost_mlir.save(self.params, PARAMS)
        run(tool("boost-compile"), directory / "loss.mlir", "--mesh", mesh, "-o", self.binary)

    def info(self):
        batch = json.loads(run(self.binary, "info").stdout)["batch"]
        return {tensor["name"]: tensor["feed"] for tensor in batch}

    def train(self, *extra, check=True):
        launcher = ["mpirun", "--oversubscribe", "-np", self.ranks] if self.ranks > 1 else []
        return run(
            *(*launcher, self.binary, "train", "--data", self.tokens, "--init", self.params),
            *("--steps", 1, "--lr", 0, "--json", "--log", self.log, *extra),
            check=check,
        )

    def loss(self):
        return boost_mlir.read_log(self.log)[0]["loss"]


def jax_loss(spelling, inputs, targets):
    batch = spelling.batch(inputs, targets)
    if spelling.keywords:
        names = list(batch)
        loss = lambda params, *values: spelling.loss(params, **dict(zip(names, values)))
        return testing.values(loss, PARAMS, [tuple(batch.values())])[0]
    return testing.values(spelling.loss, PARAMS, [batch])[0]


@pytest.mark.parametrize("name", SPELLINGS)
def test_every_spelling_trains_on_the_right_window(tmp_path, name):
    spelling = SPELLINGS[name]
    compiled = Compiled(tmp_path, export_spelling(spelling), spelling.mesh)
    assert compiled.info() == spelling.feeds
    result = compiled.train()
    assert compiled.loss() == pytest.approx(jax_loss(spelling, INPUTS, TARGETS), rel=1e-5)
    if name != "joined":
        swapped = jax_loss(spelling, TARGETS, INPUTS)
        assert compiled.loss() != pytest.approx(swapped, rel=1e-3), "the test cannot tell"
    order = list(spelling.feeds.items())
    header = "batch: " + ", ".join(f"'{name}' <- {feed}" for name, feed in order)
    assert header in result.stdout.splitlines()[:4]
    assert json.loads(result.stdout.splitlines()[-1])["batch"] == spelling.feeds


# Losses with two readings.


def skip_gram(params, left, right):
    """Both look up rows, and nothing tells them apart."""
    both = params["embed"][left] * params["head"].T[right]
    return jnp.mean(jax.nn.softplus(-jnp.sum(both, axis=-1)))


def segments(params, ids, types):
    """Both are inputs, and the targets come from one of them."""
    x = params["embed"][ids[:, :-1]] + params["head"].T[types[:, :-1]]
    return -jnp.mean(picked(hidden(params, x) @ params["head"], ids[:, 1:]))


def two_labels(params, first, second):
    logits = hidden(params, params["embed"][:LENGTH]) @ params["head"]
    return -jnp.mean(picked(logits[None] + jnp.zeros((ROWS, 1, 1)), first)) - jnp.mean(
        picked(jnp.tanh(logits)[None] + jnp.zeros((ROWS, 1, 1)), second)
    )


def counted(params, a, b):
    """Numbers, and only their difference meets a parameter."""
    return jnp.mean((params["embed"][0, 0] + (a - b)) ** 2)


AMBIGUOUS = {"skip-gram": skip_gram, "segments": segments, "numbers": counted, "labels": two_labels}


@pytest.mark.parametrize("name", AMBIGUOUS)
def test_two_readings_are_refused_with_both(tmp_path, name):
    loss = AMBIGUOUS[name]
    compiled = Compiled(tmp_path, export(loss, PARAMS, INPUTS, TARGETS))
    first, second = compiled.info()
    assert compiled.info() == {first: None, second: None}
    result = compiled.train(check=False)
    assert result.returncode == REFUSED
    assert f"'{first}' <- inputs, '{second}' <- targets" in result.stderr
    assert f"'{first}' <- targets, '{second}' <- inputs" in result.stderr
    assert f"--batch '{first}=inputs'" in result.stderr

    for options, batch in (
        ([f"{first}=inputs"], (INPUTS, TARGETS)),
        ([f"{second}=inputs"], (TARGETS, INPUTS)),
        ([f"{first}=targets", f"{second}=inputs"], (TARGETS, INPUTS)),
    ):
        compiled.train(*(word for option in options for word in ("--batch", option)))
        assert compiled.loss() == pytest.approx(
            testing.values(loss, PARAMS, [batch])[0], rel=1e-5
        )


def test_a_program_with_two_readings_evaluates(tmp_path):
    compiled = Compiled(tmp_path, export(skip_gram, PARAMS, INPUTS, TARGETS))
    inputs = tmp_path / "in.safetensors"
    boost_mlir.save(inputs, PARAMS, {"left": INPUTS, "right": TARGETS})
    result = run(compiled.binary, "eval", "--inputs", inputs, "--json")
    value = json.loads(result.stdout.splitlines()[-1])["loss"]
    assert value == pytest.approx(testing.values(skip_gram, PARAMS, [(INPUTS, TARGETS)])[0], rel=1e-5)


def test_a_third_argument_of_no_known_name_is_refused(tmp_path):
    """An argument with one possible role gets it all the same, and one choice determines the
    rest."""

    def loss(params, which, tokens, targets):
        return -jnp.sum(picked(logits_of(params, tokens), targets) * which) / jnp.sum(which)

    ones = np.ones((ROWS, LENGTH), np.int32)
    compiled = Compiled(tmp_path, export(loss, PARAMS, ones, INPUTS, TARGETS))
    assert compiled.info() == {"which": None, "tokens": "inputs", "targets": None}
    result = compiled.train(check=False)
    assert result.returncode == REFUSED
    for name in ("which", "targets"):
        assert f"'{name}' [4, 6] of i32: targets, mask, positions, segments" in result.stderr
    assert "'tokens'" not in result.stderr
    assert "--batch 'which=...'" in result.stderr
    result = compiled.train("--batch", "which=mask", "--pad", VOCAB)
    header = "batch: 'which' <- mask, 'tokens' <- inputs, 'targets' <- targets"
    assert header in result.stdout.splitlines()[:4]


# The command line.


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """A program whose argument has a name of many words."""
    text = export(plain, PARAMS, INPUTS, TARGETS, batch_names=["x=y", "targets"])
    return Compiled(tmp_path_factory.mktemp("options"), text)


def test_the_command_line_goes_before_the_program(compiled):
    for words, reading in ((["x=y=targets"], (TARGETS, INPUTS)), (["x=y=inputs"], (INPUTS, TARGETS))):
        result = compiled.train("--batch", *words)
        assert compiled.loss() == pytest.approx(
            testing.values(plain, PARAMS, [reading])[0], rel=1e-5
        )
        assert f"batch: 'x=y' <- {words[0].rpartition('=')[2]}," in result.stdout


@pytest.mark.parametrize(
    "options, message",
    [
        (["tokens=inputs"], r"tokens=inputs .*no batch argument.* 'x=y', 'targets'"),
        (["embed=inputs"], r"no batch argument.* 'x=y', 'targets'"),
        (["targets=labels"], r"NAME=inputs\|targets\|mask\|positions\|segments\|step\|key, but got 'targets=labels'"),
        (["targets=tokens"], r"NAME=inputs\|targets\|mask\|positions\|segments\|step\|key, but got 'targets=tokens'"),
        (["targets"], r"NAME=inputs\|targets\|mask\|positions\|segments\|step\|key, but got 'targets'"),
        (["=inputs"], r"NAME=inputs\|targets\|mask\|positions\|segments\|step\|key, but got '=inputs'"),
        ([""], r"NAME=inputs\|targets"),
        (["x=y=inputs", "targets=inputs"], r"inputs to both 'x=y' and 'targets'"),
        (["targets=inputs", "targets=targets"], r"given twice for 'targets'"),
    ],
    ids=str,
)
def test_a_wrong_option_is_a_usage_error(compiled, options, message):
    words = [word for option in options for word in ("--batch", option)]
    result = compiled.train(*words, check=False)
    assert result.returncode == USAGE, result.stderr
    assert re.search(message, result.stderr), result.stderr


def test_the_only_argument_needs_no_choice(tmp_path):
    compiled = Compiled(tmp_path, export(joined, PARAMS, WINDOWS))
    result = compiled.train("--batch", "rows=inputs", check=False)
    assert result.returncode == USAGE
    assert "'rows' is the only batch argument of tokens" in result.stderr


# Models of other people's designs.


def feeds_in(text, directory):
    (directory / "loss.mlir").write_text(text)
    imported = run(tool("boost-opt"), directory / "loss.mlir", "--boost-import-pipeline").stdout
    arguments = re.findall(r'#boost\.tensor<batch "([^"]*)"([^>]*)>', imported.splitlines()[1])
    feeds = {name: re.search(r"feed = +(\w+)", fields) for name, fields in arguments}
    return {name: feed and feed[1] for name, feed in feeds.items()}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", PROGRAMS)
def test_foreign_models_in_either_order(tmp_path, name):
    program = PROGRAMS[name]()
    expected = dict.fromkeys(program.batch)
    if {"tokens", "targets"} <= program.batch.keys():
        known = {"tokens": "inputs", "targets": "targets", "segments": "segments"}
        expected |= {name: feed for name, feed in known.items() if name in expected}
    for names in (list(program.batch), list(reversed(program.batch))):
        def loss(params, *values):
            batch = dict(zip(names, values))
            return program.loss(params, *(batch[name] for name in program.batch))

        values = [program.batch[name] for name in names]
        text = export(loss, program.params, *values, batch_names=names)
        assert feeds_in(text, tmp_path) == expected
