# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A key of random numbers as a batch argument is fed with the key of the step.

The oracle is JAX: dropout by `jax.random.key(n)` in batch n, trained in f64."""

import json

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from harness import ranks_of, run, tool
from safetensors.numpy import load_file

import boost_mlir
from boost_mlir import data, testing
from boost_mlir.export import export

# As many rows as a key has words: its words are no rows all the same.
VOCAB, WIDTH, RANK, LAYERS, ROWS, LENGTH = 32, 16, 4, 2, 2, 8
STEPS, RATE = 8, 1e-2
USAGE, REFUSED, UNSUPPORTED = 2, 3, 4
RANDOM = np.random.default_rng(23)
TOKENS = RANDOM.integers(0, VOCAB, 200)
BATCHES = testing.sequential_batches(TOKENS, ROWS, LENGTH)
BATCHES = [next(BATCHES) for _ in range(2 * STEPS)]
IDS = np.zeros((ROWS, LENGTH), np.int32)


def normal(*shape):
    return (RANDOM.standard_normal(shape) * shape[0] ** -0.5).astype(np.float32)


PARAMS = {
    "embed": normal(VOCAB, WIDTH),
    "layers": [{"down": normal(WIDTH, RANK), "up": normal(RANK, WIDTH)} for _ in range(LAYERS)],
    "head": normal(WIDTH, VOCAB),
}


def dropout(key, x, shape=None):
    # Draws in f32, so that the f64 oracle drops the same elements.
    keep = jax.random.uniform(key, shape or x.shape, jnp.float32) < 0.8
    return jnp.where(keep, x / 0.8, 0)


def cross_entropy(x, params, targets):
    rows = jax.nn.log_softmax(x @ params["head"])
    return -jnp.mean(jnp.take_along_axis(rows, targets[..., None], axis=-1))


def loss(params, tokens, targets, key, shape=None):
    x = params["embed"][tokens]
    for i, layer in enumerate(params["layers"]):
        inner = jax.nn.silu(x @ layer["down"]) @ layer["up"]
        x = x + dropout(jax.random.fold_in(key, i), inner, shape)
    return cross_entropy(x, params, targets)


def key_of(number):
    return jax.random.key(number)


def batches_of(numbers):
    return [(*BATCHES[number], key_of(number)) for number in numbers]


def train_by_jax(batches):
    optimizer = testing.AdamW(steps=len(batches), lr=RATE, min_lr=RATE)
    return testing.train(loss, PARAMS, optimizer, batches, decay=True)


@pytest.fixture(scope="module")
def oracle():
    return train_by_jax(batches_of(range(STEPS)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("keys")
    export(loss, PARAMS, IDS, IDS, key_of(0)).save(folder / "loss.mlir")
    data.write_tokens(folder / "tokens.bin", TOKENS)
    return folder


class Program:
    def __init__(self, folder, mesh="1", *options, module="loss.mlir"):
        self.folder, self.ranks = folder, ranks_of(mesh)
        self.binary = folder / "-".join([module, mesh.replace("=", ""), *options])
        if not self.binary.exists():
            run(tool("boost-compile"), folder / module, f"--mesh={mesh}", *options, "-o", self.binary)

    def run(self, *words, check=True):
        launcher = ["mpirun", "--oversubscribe", "-np", self.ranks] if self.ranks > 1 else []
        return run(*launcher, self.binary, *words, check=check)

    def train(self, *words, steps, lr=RATE, check=True):
        log = self.folder / "log.jsonl"
        if "--resume" not in words:
            log.unlink(missing_ok=True)
        result = self.run(
            *("train", "--data", self.folder / "tokens.bin", "--log", log, "--steps", steps),
            *("--lr", lr, "--schedule", "constant", "--clip", 0, *words),
            check=check,
        )
        return boost_mlir.read_log(log) if check else result

    def feeds(self):
        info = json.loads(self.run("info").stdout)["batch"]
        return {tensor["name"]: tensor["feed"] for tensor in info}


def losses_of(records):
    return [record["loss"] for record in records]


@pytest.mark.parametrize("mesh", ["1", "tp=2", "dp=2", "dp=2,tp=2"])
def test_steps_are_those_of_jax(folder, oracle, mesh):
    end = folder / "end.safetensors"
    records = Program(folder, mesh).train("--save", end, steps=STEPS)
    assert losses_of(records) == pytest.approx(oracle.losses, rel=1e-5)
    saved = load_file(end)
    for name, value in oracle.params.items():
        np.testing.assert_allclose(saved[name], value, atol=1e-4, err_msg=name)


def test_the_oracle_sees_the_key(oracle):
    same = [(*BATCHES[n], key_of(0)) for n in range(STEPS)]
    assert train_by_jax(same).losses[1:] != pytest.approx(oracle.losses[1:], rel=1e-3)


def test_recomputed_dropout_is_the_same(folder, oracle):
    records = Program(folder, "tp=2", "--remat=full-block").train(steps=STEPS)
    assert losses_of(records) == pytest.approx(oracle.losses, rel=1e-5)


def test_a_resumed_run_goes_on_with_its_keys(folder, oracle, tmp_path):
    words = ("--checkpoint", tmp_path / "run")
    Program(folder).train(*words, steps=3)
    records = Program(folder, "dp=2,tp=2").train(*words, "--resume", steps=STEPS)
    assert losses_of(records) == pytest.approx(oracle.losses, rel=1e-5)


def test_every_accumulated_batch_has_a_key_of_its_own(folder):
    records = Program(folder, "1", "--accumulate=2").train(steps=3, lr=0)
    values = testing.values(loss, PARAMS, batches_of(range(6)))
    assert losses_of(records) == pytest.approx(values.reshape(3, 2).mean(axis=1), rel=1e-5)


def test_validation_has_the_key_of_minus_one(folder):
    words = ("--val-data", folder / "tokens.bin", "--val-batches", 3)
    records = Program(folder).train(*words, steps=2, lr=0)
    values = testing.values(loss, PARAMS, [(*BATCHES[n], key_of(-1)) for n in range(3)])
    assert records[-1]["val_loss"] == pytest.approx(values.mean(), rel=1e-5)


# Parts of a batch.


def test_parts_of_a_batch_draw_what_no_sequence_has_alone(folder):
    """One mask for all sequences is that of each part."""
    shared = lambda *args: loss(*args, shape=(LENGTH, WIDTH))
    export(shared, PARAMS, IDS, IDS, key_of(0), batch_names=["tokens", "targets", "key"]).save(
        folder / "shared.mlir"
    )
    program = Program(folder, "1", "--micro-batches=2", module="shared.mlir")
    values = testing.values(shared, PARAMS, batches_of(range(4)))
    assert losses_of(program.train(steps=4, lr=0)) == pytest.approx(values, rel=1e-5)


def test_masks_of_sequences_are_not_drawn_in_parts(folder):
    result = run(
        *(tool("boost-compile"), folder / "loss.mlir", "--micro-batches=2", "-o", folder / "none"),
        check=False,
    )
    assert result.returncode == UNSUPPORTED
    assert "test_dropout_keys.py" in result.stderr
    assert "depends on which sequence of the batch it is computed for" in result.stderr
    assert "give --accumulate=2" in result.stderr


# Spellings.


def by_key(params, batch):
    return loss(params, batch["ids"], batch["labels"], batch["dropout_rng"])


def by_scan(params, tokens, targets, rng):
    """The key goes through a loop, and is divided there."""
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *params["layers"])

    def layer(carry, w):
        x, rng = carry
        rng, own = jax.random.split(rng)
        return (x + dropout(own, jax.nn.silu(x @ w["down"]) @ w["up"]), rng), None

    (x, _), _ = jax.lax.scan(layer, (params["embed"][tokens], rng), stacked)
    return cross_entropy(x, params, targets)


def unused(params, tokens, targets, key):
    return cross_entropy(params["embed"][tokens], params, targets)


def typed(tokens, targets, key):
    return tokens, targets, key


def words(tokens, targets, key):
    return tokens, targets, jax.random.key_data(key)


def tree(tokens, targets, key):
    return ({"ids": tokens, "labels": targets, "dropout_rng": key},)


#: For each spelling: the loss, its batch, and the name of the key.
SPELLINGS = {
    "typed": (loss, typed, "key"),
    "words": (loss, words, "key"),
    "tree": (by_key, tree, "batch.dropout_rng"),
    "loop": (by_scan, words, "rng"),
    "unused": (unused, words, "key"),
}


@pytest.mark.parametrize("name", SPELLINGS)
def test_a_key_is_recognized_by_its_use(folder, name):
    function, batch, key = SPELLINGS[name]
    module = f"{name}.mlir"
    export(function, PARAMS, *batch(IDS, IDS, key_of(0))).save(folder / module)
    program = Program(folder, "dp=2", module=module)
    assert program.feeds()[key] == "key"
    losses = losses_of(program.train(steps=2, lr=0))
    batches = [batch(*each) for each in batches_of(range(2))]
    assert losses == pytest.approx(testing.values(function, PARAMS, batches), rel=1e-5)


def test_the_key_is_told(folder):
    result = Program(folder).train(steps=1, check=False)
    header = "batch: 'tokens' <- inputs, 'targets' <- targets, 'key' <- key"
    assert header in result.stdout.splitlines()[:4]


def hashed(params, tokens, targets, words):
    """Two words that are no key of `jax.random`."""
    scale = 1 + (words[1] % 3).astype(jnp.float32) + words[0].astype(jnp.float32)
    return cross_entropy(params["embed"][tokens], params, targets) * scale


@pytest.mark.parametrize("mesh", ["1", "dp=2"])
def test_other_words_are_a_key_by_choice(folder, mesh):
    export(hashed, PARAMS, IDS, IDS, jax.ShapeDtypeStruct((2,), np.uint32)).save(folder / "hashed.mlir")
    program = Program(folder, mesh, module="hashed.mlir")
    assert program.feeds()["words"] is None
    result = program.train(steps=1, check=False)
    assert result.returncode == REFUSED
    assert "'words' [2] of i32: key" in result.stderr
    assert "--batch 'words=...'" in result.stderr
    records = program.train("--batch", "words=key", steps=4, lr=0)
    words = [np.array([0, n], np.uint32) for n in range(4)]
    values = testing.values(hashed, PARAMS, [(*BATCHES[n], words[n]) for n in range(4)])
    assert losses_of(records) == pytest.approx(values, rel=1e-5)


@pytest.mark.parametrize(
    "choice, says",
    [
        ("tokens=key", "'tokens' [2, 8] of i32 cannot take it; it takes the two words of a key"),
        ("key=step", "'key' [2] of i32 cannot take it; it takes a single integer"),
        ("key=inputs", "'key' [2] of i32 cannot take it; it takes integers [rows, tokens]"),
    ],
)
def test_wrong_choices_are_named(folder, choice, says):
    result = Program(folder).train("--batch", choice, steps=1, check=False)
    assert result.returncode == USAGE
    assert says in result.stderr


# Evaluation.


@pytest.mark.parametrize("mesh", ["1", "dp=2,tp=2"])
def test_eval_takes_a_key(folder, mesh):
    program = Program(folder, mesh, "--verify")
    inputs = folder / "in.safetensors"
    tokens, targets = BATCHES[0]
    boost_mlir.save(inputs, PARAMS, {"tokens": tokens, "targets": targets, "key": key_of(11)})
    result = program.run("eval", "--inputs", inputs, "--json")
    expected = testing.values(loss, PARAMS, [(tokens, targets, key_of(11))])[0]
    assert json.loads(result.stdout.splitlines()[-1])["loss"] == pytest.approx(expected, rel=1e-5)
    assert "are within their bounds" in program.run("eval", "--inputs", inputs, "--verify").stdout


def test_a_typed_key_draws_no_remark(folder):
    """JAX writes a sharding constraint that shards nothing beside it."""
    result = run(tool("boost-compile"), folder / "loss.mlir", "-o", folder / "quiet", "--quiet")
    assert result.stderr == ""
