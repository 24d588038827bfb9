# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The batch besides tokens: loss masks, positions and segments of packed documents, and the step
that dropout depends on.

The oracle makes the batches token by token in Python, and trains by optax in f64."""

import json

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from harness import ranks_of, run, tool
from safetensors.numpy import load_file

import boost_mlir
from boost_mlir import data, testing
from boost_mlir.export import export
from boost_mlir.naming import named_leaves

VOCAB, WIDTH, HEADS, RANK, LAYERS = 32, 16, 4, 4, 2
ROWS, LENGTH, STEPS, RATE = 4, 8, 10, 1e-2
EOD, PAD = 3, 5
USAGE, REFUSED = 2, 3
RANDOM = np.random.default_rng(11)
TOKENS = RANDOM.integers(0, VOCAB, 400)
# Documents of a few tokens, and padding here and there.
TOKENS[RANDOM.random(TOKENS.size) < 0.2] = EOD
TOKENS[RANDOM.random(TOKENS.size) < 0.05] = PAD
MASK = RANDOM.random(TOKENS.size) < 0.7


# A low-rank GPT.


def init():
    def normal(*shape):
        return (RANDOM.standard_normal(shape) * shape[-2] ** -0.5).astype(np.float32)

    def linear(inputs, outputs):
        return {"down": normal(inputs, RANK), "up": normal(RANK, outputs)}

    layer = lambda: {name: linear(WIDTH, WIDTH) for name in "qkvo"} | {
        "wide": linear(WIDTH, 2 * WIDTH),
        "narrow": linear(2 * WIDTH, WIDTH),
    }
    return {
        "embed": normal(VOCAB, WIDTH),
        "places": normal(LENGTH, WIDTH),
        "layers": [layer() for _ in range(LAYERS)],
        "head": normal(WIDTH, VOCAB),
    }


PARAMS = init()


def low_rank(x, w):
    return (x @ w["down"]) @ w["up"]


def norm(x):
    return x * jax.lax.rsqrt(jnp.mean(x * x, axis=-1, keepdims=True) + 1e-6)


def dropout(key, x):
    # Draws in f32, so that the f64 oracle drops the same elements.
    keep = jax.random.uniform(key, x.shape, jnp.float32) < 0.8
    return jnp.where(keep, x / 0.8, 0)


def attend(x, layer, allowed):
    q, k, v = (low_rank(x, layer[name]).reshape(ROWS, LENGTH, HEADS, -1) for name in "qkv")
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(WIDTH // HEADS)
    weights = jax.nn.softmax(jnp.where(allowed[:, None], scores, -1e30), axis=-1)
    return low_rank(jnp.einsum("bhqk,bkhd->bqhd", weights, v).reshape(x.shape), layer["o"])


def gpt(params, tokens, targets, mask, positions, segments, step):
    key = jax.random.fold_in(jax.random.key(7), step)
    allowed = (segments[:, :, None] == segments[:, None, :]) & jnp.tril(
        jnp.ones((LENGTH, LENGTH), bool)
    )
    x = params["embed"][tokens] + params["places"][positions]
    for i, layer in enumerate(params["layers"]):
        first, second = jax.random.split(jax.random.fold_in(key, i))
        x = x + dropout(first, attend(norm(x), layer, allowed))
        wide = jax.nn.gelu(low_rank(norm(x), layer["wide"]))
        x = x + dropout(second, low_rank(wide, layer["narrow"]))
    rows = jax.nn.log_softmax(norm(x) @ params["head"])
    losses = -jnp.take_along_axis(rows, targets[..., None], axis=-1)[..., 0]
    return jnp.sum(losses * mask) / jnp.maximum(jnp.sum(mask), 1)


# The oracle of batches.

MASKS = {
    "file": lambda at: MASK[at],
    "pad": lambda at: TOKENS[at] != PAD,
    "starts": lambda at: TOKENS[at - 1] != EOD,
}


def row_of(start, masks, pad=PAD):
    """Tokens, mask, positions and segments of LENGTH + 1 tokens, each by itself."""
    places = range(start, start + LENGTH + 1)
    facts = {"tokens": [], "mask": [], "positions": [], "segments": []}
    for at in places:
        before = [TOKENS[i] for i in range(start, at)]
        ends = [i for i, token in enumerate(before) if token == EOD]
        facts["tokens"].append(TOKENS[at])
        facts["mask"].append(all(MASKS[name](at) for name in masks))
        facts["positions"].append(len(before) - (ends[-1] + 1 if ends else 0))
        facts["segments"].append(0 if TOKENS[at] == pad else 1 + len(ends))
    return facts


def batch_of(number, masks=MASKS, step=None, pad=PAD):
    """All that batch `number` may feed, of LENGTH + 1 tokens."""
    windows = (TOKENS.size - 1) // LENGTH
    starts = [(number * ROWS + row) % windows * LENGTH for row in range(ROWS)]
    rows = [row_of(start, masks, pad) for start in starts]
    batch = {name: np.array([row[name] for row in rows], np.int32) for name in rows[0]}
    return batch | {"step": np.int32(number if step is None else step)}


def gpt_batch(*args, **kwargs):
    batch = batch_of(*args, **kwargs)
    tokens = batch["tokens"]
    return (
        *(tokens[:, :-1], tokens[:, 1:], batch["mask"][:, 1:].astype(bool)),
        *(batch["positions"][:, :-1], batch["segments"][:, :-1], batch["step"]),
    )


def train_by_optax(batches):
    mask = jax.tree.map(lambda leaf: True, PARAMS)
    optimizer = optax.adamw(RATE, b1=0.9, b2=0.95, eps=1e-8, weight_decay=0.1, mask=mask)
    with jax.enable_x64(True):
        params = jax.tree.map(lambda leaf: jnp.asarray(leaf, jnp.float64), PARAMS)
        state, losses = optimizer.init(params), []

        @jax.jit
        def step(params, state, batch):
            value, gradients = jax.value_and_grad(gpt)(params, *batch)
            updates, state = optimizer.update(gradients, state, params)
            return value, optax.apply_updates(params, updates), state

        for batch in batches:
            value, params, state = step(params, state, batch)
            losses.append(float(value))
        return losses, dict(named_leaves(params))


@pytest.fixture(scope="module")
def oracle():
    return train_by_optax([gpt_batch(k) for k in range(STEPS)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("documents")
    export(gpt, PARAMS, *gpt_batch(0)).save(folder / "gpt.mlir")
    data.write_tokens(folder / "noted.bin", TOKENS, eod=EOD)
    data.write_tokens(folder / "plain.bin", TOKENS)
    data.write_mask(folder / "noted.mask", MASK)
    data.write_mask(folder / "short.mask", MASK[:-1])
    (folder / "odd.mask").write_bytes(b"\1\0 " + bytes(MASK[3:].astype(np.uint8)))
    return folder


class Program:
    def __init__(self, folder, name="gpt", mesh="1", *options):
        self.folder, self.ranks = folder, ranks_of(mesh)
        self.binary = folder / "-".join([name, mesh.replace("=", ""), *options])
        if not self.binary.exists():
            module = folder / f"{name}.mlir"
            run(tool("boost-compile"), module, f"--mesh={mesh}", *options, "-o", self.binary)

    def run(self, *words, check=True):
        launcher = ["mpirun", "--oversubscribe", "-np", self.ranks] if self.ranks > 1 else []
        return run(*launcher, self.binary, *words, check=check)

    def train(self, *words, check=True, log="log.jsonl", files=("--data", "noted.bin")):
        """The steps of the log, or how the program ended if that is looked at."""
        named = {path.name: path for path in self.folder.iterdir()}
        words = [named.get(word, word) for word in (*files, *words)]
        result = self.run("train", *words, "--log", self.folder / log, check=check)
        if not check:
            return result
        records = map(json.loads, (self.folder / log).read_text().splitlines())
        return [record for record in records if "loss" in record]


CONSTANT = ("--lr", RATE, "--schedule", "constant", "--clip", 0)
ALL_MASKS = ("--mask", "noted.mask", "--mask-starts", "--pad", PAD)
MESHES = ("1", "dp=2,tp=2")


def losses_of(records):
    return [record["loss"] for record in records]


@pytest.mark.parametrize("mesh", MESHES)
def test_ten_steps_are_those_of_optax(folder, oracle, mesh):
    losses, params = oracle
    program = Program(folder, "gpt", mesh)
    end = folder / "end.safetensors"
    records = program.train(*ALL_MASKS, *CONSTANT, "--steps", STEPS, "--save", end)
    assert losses_of(records) == pytest.approx(losses, rel=1e-5)
    saved = load_file(end)
    assert saved.keys() == params.keys()
    for name, value in params.items():
        np.testing.assert_allclose(saved[name], value, atol=1e-4, err_msg=name)


@pytest.mark.parametrize("position", range(2, 6), ids=("mask", "positions", "segments", "step"))
def test_the_oracle_sees_every_feed(oracle, position):
    """The test above notices every feed."""
    batches = [list(gpt_batch(k)) for k in range(STEPS)]
    for batch in batches:
        batch[position] = batches[0][position]
    assert train_by_optax(batches)[0][-1] != pytest.approx(oracle[0][-1], rel=1e-3)


def test_the_mapping_is_told(folder):
    program = Program(folder)
    feeds = {"tokens": "inputs", "targets": "targets"}
    feeds |= {name: name for name in ("mask", "positions", "segments", "step")}
    info = json.loads(program.run("info").stdout)["batch"]
    assert {tensor["name"]: tensor["feed"] for tensor in info} == feeds
    result = program.train(*ALL_MASKS, "--steps", 1, check=False)
    header = "batch: " + ", ".join(f"'{name}' <- {feed}" for name, feed in feeds.items())
    assert header in result.stdout.splitlines()[:4]


def test_a_resumed_run_goes_on_with_its_step_and_documents(folder, oracle, tmp_path):
    words = (*ALL_MASKS, *CONSTANT, "--checkpoint", tmp_path / "run")
    whole = Program(folder).train(*ALL_MASKS, *CONSTANT, "--steps", STEPS)
    Program(folder).train(*words, "--steps", 4, log="resumed.jsonl")
    Program(folder).train(*words, "--steps", 7, "--resume", log="resumed.jsonl")
    resumed = Program(folder, "gpt", MESHES[1])
    records = resumed.train(*words, "--steps", STEPS, "--resume", log="resumed.jsonl")
    assert losses_of(records)[:7] == losses_of(whole)[:7]
    assert losses_of(records) == pytest.approx(oracle[0], rel=1e-5)
    other = ("--mask", "noted.mask", "--pad", PAD, *words[len(ALL_MASKS) :])
    result = resumed.train(*other, "--steps", STEPS, "--resume", check=False)
    assert result.returncode == 6
    assert "--mask-starts: was true, but is false" in result.stderr


def test_every_micro_batch_has_a_number_of_its_own(folder):
    program = Program(folder, "gpt", "1", "--accumulate=2")
    records = program.train(*ALL_MASKS, "--lr", 0, "--steps", 3)
    values = testing.values(gpt, PARAMS, [gpt_batch(k) for k in range(6)])
    assert losses_of(records) == pytest.approx(values.reshape(3, 2).mean(axis=1), rel=1e-5)


def test_validation_has_step_minus_one(folder):
    words = ("--val-data", "noted.bin", "--val-mask", "noted.mask", "--val-batches", 3)
    records = Program(folder).train(*ALL_MASKS, *words, "--lr", 0, "--steps", 2)
    values = testing.values(gpt, PARAMS, [gpt_batch(k, step=-1) for k in range(3)])
    assert records[-1]["val_loss"] == pytest.approx(values.mean(), rel=1e-5)


def test_the_configuration_says_where_masks_and_documents_come_from(folder):
    words = ("--val-data", "noted.bin", "--val-mask", "noted.mask", "--eod", EOD)
    Program(folder).train(*ALL_MASKS, *words, "--steps", 1, log="configured.jsonl")
    config = boost_mlir.read_configs(folder / "configured.jsonl")[0]["config"]
    noted = [str(folder / "noted.mask")]
    assert (config["mask"], config["val-mask"]) == (noted, noted)
    assert (config["mask-starts"], config["pad"], config["eod"]) == (True, PAD, EOD)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("mesh", MESHES)
def test_eval_takes_every_feed_and_verifies(folder, tmp_path, mesh):
    program = Program(folder, "gpt", mesh, "--verify")
    names = ("tokens", "targets", "mask", "positions", "segments", "step")
    inputs = tmp_path / "in.safetensors"
    boost_mlir.save(inputs, PARAMS, dict(zip(names, gpt_batch(5))))
    summary = json.loads(program.run("eval", "--inputs", inputs, "--json").stdout.splitlines()[-1])
    expected = testing.values(gpt, PARAMS, [gpt_batch(5)])[0]
    assert summary["loss"] == pytest.approx(expected, rel=1e-5)
    assert "are within their bounds" in program.run("eval", "--inputs", inputs, "--verify").stdout


# Shapes and types: a loss that has every element of the batch with a weight of its own.

KINDS = {
    "mask": ("bool", "int8", "int32", "float32", "bfloat16"),
    "loss_mask": ("float32",),
    "positions": ("int8", "int32"),
    "position_ids": ("int32",),
    "segments": ("int8", "int32"),
    "segment_ids": ("int32",),
}


@pytest.mark.parametrize("columns", (LENGTH, LENGTH + 1))
@pytest.mark.parametrize("name, dtype", [(name, dtype) for name in KINDS for dtype in KINDS[name]])
def test_beside_one_argument_of_tokens(tmp_path, name, dtype, columns):
    feed = {"loss_mask": "mask", "position_ids": "positions", "segment_ids": "segments"}.get(
        name, name
    )
    weights = np.random.default_rng(1).uniform(0.5, 1, (ROWS, columns)).astype(np.float32)

    def loss(params, batch):
        ids = jnp.sum(params["w"] * batch["ids"][:, :-1]) + jnp.sum(batch["ids"][:, 1:] * 0.5)
        return 1e-3 * ids + jnp.sum(params["w"] * weights * batch[name].astype(params["w"].dtype))

    whole = batch_of(3, masks=("pad",))
    fact = whole[feed]
    if columns == LENGTH:
        fact = fact[:, 1:] if feed == "mask" else fact[:, :-1]
    params = {"w": np.ones((), np.float32)}
    export(loss, params, {"ids": whole["tokens"], name: fact.astype(dtype)}).save(
        tmp_path / "probe.mlir"
    )
    data.write_tokens(tmp_path / "noted.bin", TOKENS, eod=EOD)
    words = () if feed == "positions" else ("--pad", PAD)
    records = Program(tmp_path, "probe").train("--lr", 0, "--steps", 4, *words)
    tokens = whole["tokens"]
    ids = tokens[:, :-1].sum() + 0.5 * tokens[:, 1:].sum()
    expected = 1e-3 * ids + np.sum(weights.astype(np.float64) * fact)
    # Every term is positive, and rounded once for each sum that it is in.
    bound = (tokens.size + fact.size) * 2.0**-24
    assert records[3]["loss"] == pytest.approx(expected, rel=bound)


# Wrong uses.

NOTED, PLAIN = ("--data", "noted.bin"), ("--data", "plain.bin")
MISTAKES = {
    "no end of documents": (
        (*PLAIN, "--pad", PAD),
        REFUSED,
        ("plain.bin does not say which token ends a document", "segments", "--eod ID", "boost-data"),
    ),
    "no mask": (NOTED, USAGE, ("takes a mask", "--mask FILE, --pad ID or --mask-starts")),
    "a mask of another length": (
        (*NOTED, "--mask", "short.mask"),
        REFUSED,
        ("short.mask has 399 bytes", "noted.bin has 400 tokens"),
    ),
    "a file that is no mask": (
        (*NOTED, "--mask", "odd.mask"),
        REFUSED,
        ("odd.mask: byte 2 is 32", "1 for tokens that count and 0"),
    ),
    "masks and files": (
        (*NOTED, "--mask", "noted.mask", "noted.mask"),
        REFUSED,
        ("1 token files, but 2 mask files",),
    ),
    "no mask file": ((*NOTED, "--mask", "none*"), REFUSED, ("no mask file matches 'none*'",)),
    "validation without a mask": (
        (*NOTED, "--mask", "noted.mask", "--val-data", "noted.bin"),
        USAGE,
        ("no --val-mask for --val-data",),
    ),
    "one id for both": (
        (*NOTED, "--pad", PAD, "--eod", PAD),
        USAGE,
        (f"--pad and --eod are both {PAD}",),
    ),
    "a number that is no id": ((*NOTED, "--pad", "x"), USAGE, ("--pad", "a whole number from 0")),
    "tokens as step": (
        (*NOTED, "--pad", PAD, "--batch", "tokens=step"),
        USAGE,
        ("'tokens' [4, 8] of i32 cannot take it", "a single integer"),
    ),
    "step as mask": (
        (*NOTED, "--pad", PAD, "--batch", "step=mask"),
        USAGE,
        ("'step' [] of i32 cannot take it", "[rows, tokens]"),
    ),
    "flags as positions": (
        (*NOTED, "--pad", PAD, "--batch", "mask=positions"),
        USAGE,
        ("'mask' [4, 8] of i1 cannot take it", "integers [rows, tokens]"),
    ),
    "two inputs": (
        (*NOTED, "--pad", PAD, "--batch", "tokens=inputs", "--batch", "positions=inputs"),
        USAGE,
        ("inputs to both 'tokens' and 'positions'",),
    ),
    "a log over the mask": (
        (*NOTED, "--mask", "noted.mask", "--log", "noted.mask"),
        USAGE,
        ("--log and --mask name the same file",),
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_named(folder, name, monkeypatch):
    monkeypatch.chdir(folder)
    words, code, says = MISTAKES[name]
    result = run(Program(folder).binary, "train", *words, "--steps", 1, check=False)
    assert result.returncode == code, result.stderr
    for part in says:
        assert part in result.stderr


def plain_loss(params, tokens, targets, seed=None):
    rows = jax.nn.log_softmax(params["embed"][tokens] @ params["head"])
    loss = -jnp.mean(jnp.take_along_axis(rows, targets[..., None], axis=-1))
    return loss if seed is None else loss * jnp.cos(seed.astype(loss.dtype))


SMALL = {name: PARAMS[name] for name in ("embed", "head")}


@pytest.mark.parametrize(
    "option, says",
    [
        (("--mask", "noted.mask"), "--mask: no batch argument of this program takes a mask"),
        (("--mask-starts",), "--mask-starts: no batch argument"),
        (("--pad", PAD), "--pad: no batch argument of this program takes a mask or segments"),
        (("--eod", EOD), "--eod: no batch argument of this program takes positions or segments"),
    ],
    ids=str,
)
def test_no_option_goes_unused(folder, option, says):
    export(plain_loss, SMALL, *gpt_batch(0)[:2]).save(folder / "plain.mlir")
    result = Program(folder, "plain").train(*option, "--steps", 1, check=False)
    assert result.returncode == USAGE
    assert says in result.stderr


def test_a_number_of_another_name_is_a_step_by_choice(folder):
    export(plain_loss, SMALL, *gpt_batch(0)[:2], np.int32(0)).save(folder / "seeded.mlir")
    program = Program(folder, "seeded")
    result = program.train("--steps", 1, check=False)
    assert result.returncode == REFUSED
    assert "'seed' [] of i32: step" in result.stderr
    records = program.train("--batch", "seed=step", "--lr", 0, "--steps", 2)
    batches = [(*gpt_batch(k)[:2], np.int32(k)) for k in range(2)]
    assert losses_of(records) == pytest.approx(testing.values(plain_loss, SMALL, batches), rel=1e-5)


def test_floats_are_refused_when_compiled(folder):
    def loss(params, x, y):
        return jnp.mean((x @ params["head"] - y) ** 2)

    x, y = np.ones((ROWS, WIDTH), np.float32), np.ones((ROWS, VOCAB), np.float32)
    export(loss, SMALL | {"embed": PARAMS["head"]}, x, y).save(folder / "floats.mlir")
    command = (tool("boost-compile"), folder / "floats.mlir", "-o", folder / "floats")
    result = run(*command, check=False)
    assert result.returncode == REFUSED and not (folder / "floats").exists()
    for name, shape in (("x", "4x16"), ("y", "4x32")):
        says = f'batch argument "{name}": it is \'tensor<{shape}xf32>\', and token files hold integers'
        assert says in result.stderr
    assert result.stderr.count("cannot fill") == 2
    assert "compile with --allow-float-batch" in result.stderr
    result = run(*command, "--allow-float-batch")
    assert "cannot fill" not in result.stderr
    result = run(folder / "floats", "train", "--data", folder / "plain.bin", "--steps", 1, check=False)
    assert result.returncode == REFUSED
    assert "'x' [4, 16] of f32: token files hold integers" in result.stderr
