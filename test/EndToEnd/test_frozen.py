# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adapters of a frozen model train as optax trains them, and nothing else moves."""

import json

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from checks import TRAINING_TOLERANCE
from harness import BATCH, CUDA, SEQ, STEPS, compiler, ranks_of, relative_error, run
from safetensors.numpy import load_file

import boost_mlir
from boost_mlir import data, testing
from boost_mlir.export import ExportError, export
from boost_mlir.naming import named_leaves

VOCAB, WIDTH, HEADS, HIDDEN, RANK, LAYERS = 32, 16, 2, 48, 4, 2
RATE = 3e-3
# Ten steps of Adam in f32 against f64, of the size that a parameter has.
PARAMETER_TOLERANCE = 1e-4
SHAPES = {"q": (WIDTH, WIDTH), "v": (WIDTH, WIDTH), "up": (WIDTH, HIDDEN), "down": (HIDDEN, WIDTH)}
TOKENS = (np.cumsum(np.random.default_rng(2).integers(1, 4, 1000)) % VOCAB).astype(np.uint16)


def normal(seed, *shape):
    return (0.2 * np.random.default_rng(seed).standard_normal(shape)).astype(np.float32)


def base_params():
    layers = [
        {name: normal(10 * layer + i, *shape) for i, (name, shape) in enumerate(SHAPES.items())}
        for layer in range(LAYERS)
    ]
    return {"embed": normal(90, VOCAB, WIDTH), "head": normal(91, WIDTH, VOCAB), "layers": layers}


def lora_params():
    return [
        {
            name: {"a": normal(40 + 10 * layer + i, rows, RANK), "b": normal(7 * i + layer, RANK, columns)}
            for i, (name, (rows, columns)) in enumerate(SHAPES.items())
        }
        for layer in range(LAYERS)
    ]


def lora(x, w, adapter):
    return x @ w + (x @ adapter["a"]) @ adapter["b"]


def dora(x, w, adapter):
    """The columns of the weight have norms of their own, which are trained."""
    whole = w + adapter["a"] @ adapter["b"]
    return x @ (adapter["m"] * whole / jnp.linalg.norm(whole, axis=0))


def make_loss(project):
    def loss(params, tokens, targets):
        base = params["base"]
        x = base["embed"][tokens]
        batch, seq, _ = x.shape
        mask = jnp.tril(jnp.ones((seq, seq), bool))
        for weights, adapters in zip(base["layers"], params["adapters"]):
            product = lambda y, name: project(y, weights[name], adapters[name])
            heads = lambda y: y.reshape(batch, seq, HEADS, WIDTH // HEADS)
            q, v = heads(product(x, "q")), heads(product(x, "v"))
            scores = jnp.einsum("bqhd,bkhd->bhqk", q, heads(x)) / np.sqrt(WIDTH // HEADS)
            scores = jax.nn.softmax(jnp.where(mask, scores, -1e9))
            x = x + jnp.einsum("bhqk,bkhd->bqhd", scores, v).reshape(x.shape)
            x = x + product(jax.nn.silu(product(x, "up")), "down")
        logp = jax.nn.log_softmax(x @ base["head"])
        return -jnp.mean(jnp.take_along_axis(logp, targets[..., None], axis=-1))

    return loss


def dora_params():
    with_norms = lora_params()
    for layer in with_norms:
        for i, (name, adapter) in enumerate(layer.items()):
            adapter["m"] = 1 + normal(70 + i, SHAPES[name][1])
    return with_norms


MODELS = {"lora": (lora, lora_params), "dora": (dora, dora_params)}


def is_base(name):
    return name.startswith("base.")


class Adapted:
    """A model with adapters: its module, and what optax makes of it in f64."""

    def __init__(self, kind, folder):
        project, adapters = MODELS[kind]
        self.folder, self.loss = folder, make_loss(project)
        self.params = {"base": base_params(), "adapters": adapters()}
        batch = np.zeros((BATCH, SEQ), np.int32)
        text = export(self.loss, self.params, tokens=batch, targets=batch, frozen=is_base)
        text.save(folder / "model.mlir")
        boost_mlir.save(folder / "start.safetensors", self.params)
        data.write_tokens(folder / "tokens.bin", TOKENS)

    def expected(self):
        optimizer = optax.adamw(RATE, b1=0.9, b2=0.95, eps=1e-8, weight_decay=0)
        with jax.enable_x64(True):
            params = jax.tree.map(lambda leaf: jnp.asarray(leaf, jnp.float64), self.params)
            base, adapters = params["base"], params["adapters"]
            state, losses = optimizer.init(adapters), []
            of_adapters = lambda own, *batch: self.loss({"base": base, "adapters": own}, *batch)
            step = jax.jit(jax.value_and_grad(of_adapters))
            for _, batch in zip(range(STEPS), testing.sequential_batches(TOKENS, BATCH, SEQ)):
                value, gradients = step(adapters, *batch)
                updates, state = optimizer.update(gradients, state, adapters)
                adapters = optax.apply_updates(adapters, updates)
                losses.append(float(value))
        return losses, {name: np.asarray(leaf) for name, leaf in named_leaves({"adapters": adapters})}

    def compile(self, mesh, *options):
        name = "-".join([mesh, *options]).replace("=", "").replace(",", "-")
        binary = self.folder / name
        if not binary.exists():
            run(compiler(*options), self.folder / "model.mlir", "--mesh", mesh, *options, "-o", binary)
        return binary

    def train(self, mesh, *arguments, options=(), steps=STEPS):
        ranks = ranks_of(mesh)
        prefix = ["mpirun", "-np", ranks, "--oversubscribe"] if ranks > 1 else []
        return run(
            *(*prefix, self.compile(mesh, *options), "train", "--data", self.folder / "tokens.bin"),
            *("--init", self.folder / "start.safetensors", "--steps", steps, "--weight-decay", 0),
            *("--clip", 0, "--lr", RATE, "--min-lr", RATE, *arguments),
        )


@pytest.fixture(scope="module")
def adapted(tmp_path_factory):
    made = {}

    def get(kind):
        if kind not in made:
            made[kind] = Adapted(kind, tmp_path_factory.mktemp(kind))
        return made[kind]

    return get


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "kind, mesh, options",
    [
        ("lora", "1", ()),
        ("lora", "tp=2", ()),
        ("lora", "dp=2", ("--zero=1", "--accumulate=2")),
        ("lora", "tp=2", CUDA),
        ("dora", "1", ()),
        ("dora", "tp=2", ()),
    ],
    ids=["lora", "lora-tp", "lora-zero", "lora-cuda", "dora", "dora-tp"],
)
def test_adapters_train_as_by_optax(adapted, tmp_path, kind, mesh, options):
    model, log, saved = adapted(kind), tmp_path / "log.jsonl", tmp_path / "end.safetensors"
    printed = model.train(mesh, "--log", log, "--save", saved, options=options)
    assert "frozen)" in printed.stdout + printed.stderr
    end = load_file(saved)
    for name, value in named_leaves(model.params):
        if is_base(name):
            assert end[name].tobytes() == value.tobytes(), f"{name} has moved"
    if "--accumulate=2" in options:
        assert any(relative_error(end[n], v) > 0 for n, v in named_leaves(model.params) if not is_base(n))
        return
    losses, adapters = model.expected()
    assert [r["loss"] for r in boost_mlir.read_log(log)] == pytest.approx(losses, rel=TRAINING_TOLERANCE)
    for name, value in adapters.items():
        assert relative_error(end[name], value) < PARAMETER_TOLERANCE, name


def test_the_optimizer_holds_the_adapters_only(adapted):
    model = adapted("lora")
    plan = json.loads(run(compiler(), model.folder / "model.mlir", "--emit=plan").stdout)
    trained = sum(leaf.nbytes for name, leaf in named_leaves(model.params) if not is_base(name))
    memory = plan["memory"]
    # Two moments, and every named tensor begins at a multiple of 64 bytes.
    assert 2 * trained <= memory["optimizer"] <= 2 * trained + 64 * 2 * 2 * LAYERS * len(SHAPES)
    whole = sum(leaf.nbytes for _, leaf in named_leaves(model.params))
    assert memory["parameters"] >= whole
    info = json.loads(run(model.compile("1"), "info").stdout)
    frozen = {each["name"]: each["frozen"] for each in info["parameters"]["tensors"]}
    assert frozen == {name: is_base(name) for name, _ in named_leaves(model.params)}


def test_resumes_from_a_checkpoint_of_another_mesh(adapted, tmp_path):
    model, whole, parts = adapted("lora"), tmp_path / "whole.safetensors", tmp_path / "parts.safetensors"
    model.train("1", "--save", whole)
    checkpoint = ("--checkpoint", tmp_path / "run")
    model.train("tp=2", *checkpoint, steps=STEPS // 2)
    model.train("1", *checkpoint, "--resume", "--save", parts)
    one, other = load_file(whole), load_file(parts)
    for name in one:
        assert relative_error(other[name], one[name]) < PARAMETER_TOLERANCE, name
        if is_base(name):
            assert one[name].tobytes() == other[name].tobytes()


def test_verifies_itself(adapted):
    model = adapted("lora")
    binary = model.compile("tp=2", "--verify")
    prefix = ("mpirun", "-np", 2, "--oversubscribe")
    tokens, targets = next(testing.sequential_batches(TOKENS, BATCH, SEQ))
    inputs = model.folder / "inputs.safetensors"
    boost_mlir.save(inputs, model.params | {"tokens": tokens, "targets": targets})
    run(*prefix, binary, "eval", "--inputs", inputs, "--verify")


def small_loss(params, x):
    return jnp.sum((x @ params["w"] + x @ params["v"]) ** 2)


SMALL = {"w": normal(1, 4, 3), "v": normal(2, 4, 3)}
X = np.zeros((2, 4), np.float32)


def test_a_stopped_parameter_is_frozen():
    def stopped(params, x):
        return small_loss(params | {"w": jax.lax.stop_gradient(params["w"])}, x)

    text = str(export(stopped, SMALL, X))
    assert text.count('boost.arg = "frozen"') == 1
    by_name = str(export(small_loss, SMALL, X, frozen=lambda name: name == "w"))
    by_tree = str(export(small_loss, SMALL, X, frozen={"w": True, "v": False}))
    for other in (by_name, by_tree):
        assert 'boost.arg = "frozen"' in other


def test_a_parameter_that_is_stopped_in_one_place_only_is_trained():
    def partly(params, x):
        return small_loss(params, x) + jnp.sum(x @ jax.lax.stop_gradient(params["w"]))

    assert 'boost.arg = "frozen"' not in str(export(partly, SMALL, X))


@pytest.mark.parametrize(
    "frozen, message",
    [
        (lambda name: True, "all parameters are frozen"),
        (lambda name: 1, "'frozen' of parameter 'v' is 1; use True or False"),
        ({"w": True}, "'frozen' must be a tree of the same structure"),
    ],
)
def test_what_freezes_nothing_sensible_is_refused(frozen, message):
    with pytest.raises(ExportError, match=message):
        export(small_loss, SMALL, X, frozen=frozen)
