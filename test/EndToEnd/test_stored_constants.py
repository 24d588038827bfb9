# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Large arrays that a loss closes over are in a file beside the program, and not in the program."""

import json
import shutil

import jax
import jax.numpy as jnp
import jsonschema
import numpy as np
import optax
import pytest
from checks import GRADIENT_TOLERANCE, LOSS_TOLERANCE, TRAINING_TOLERANCE
from harness import BATCH, CUDA, REPOSITORY, SEQ, STEPS, compiler, ranks_of, relative_error, run, tool
from safetensors.numpy import load_file, save_file

import boost_mlir
from boost_mlir import data, testing
from boost_mlir.export import export
from boost_mlir.naming import named_leaves
from boost_mlir.report.source import load_plan

VOCAB, WIDTH, RANK, LAYERS = 128, 128, 4, 2
RATE = 3e-3
# Ten steps of Adam in f32 against f64, of the size that a parameter has.
PARAMETER_TOLERANCE = 1e-4
TOKENS = (np.cumsum(np.random.default_rng(2).integers(1, 4, 1000)) % VOCAB).astype(np.uint16)
THRESHOLD = 64 * 1024


def normal(seed, *shape):
    return (0.1 * np.random.default_rng(seed).standard_normal(shape)).astype(np.float32)


def make_base(width=WIDTH):
    """What the loss closes over; the scales stay in the program, as they are small."""
    layers = [
        {
            "up": normal(2 * i, width, 2 * width),
            "down": normal(2 * i + 1, 2 * width, width),
            "scale": 1 + normal(30 + i, width),
        }
        for i in range(LAYERS)
    ]
    return {"table": normal(90, VOCAB, width), "head": normal(91, width, VOCAB), "layers": layers}


def make_adapters(width=WIDTH):
    shapes = {"up": (width, 2 * width), "down": (2 * width, width)}
    return [
        {
            name: {"a": normal(40 + 10 * i, rows, RANK), "b": normal(60 + 7 * i, RANK, columns)}
            for name, (rows, columns) in shapes.items()
        }
        for i in range(LAYERS)
    ]


def make_loss(base):
    def loss(adapters, tokens, targets):
        project = lambda x, w, own: x @ w + (x @ own["a"]) @ own["b"]
        x = jnp.asarray(base["table"])[tokens]
        for weights, own in zip(base["layers"], adapters):
            hidden = project(x * weights["scale"], weights["up"], own["up"])
            x = x + project(jax.nn.silu(hidden), weights["down"], own["down"])
        logp = jax.nn.log_softmax(x @ base["head"])
        return -jnp.mean(jnp.take_along_axis(logp, targets[..., None], axis=-1))

    return loss


def large_leaves(base):
    return [leaf for _, leaf in named_leaves(base) if leaf.nbytes >= THRESHOLD]


class Adapted:
    """A loss over adapters, with a base that it closes over, and what JAX makes of it in f64."""

    def __init__(self, folder, width=WIDTH):
        self.folder, self.base, self.params = folder, make_base(width), make_adapters(width)
        self.loss = make_loss(self.base)
        batch = np.zeros((BATCH, SEQ), np.int32)
        export(self.loss, self.params, tokens=batch, targets=batch).save(folder / "model.mlir")
        data.write_tokens(folder / "tokens.bin", TOKENS)
        self.batch = next(testing.sequential_batches(TOKENS, BATCH, SEQ))
        named = dict(zip(("tokens", "targets"), self.batch))
        boost_mlir.save(folder / "inputs.safetensors", self.params, named)

    def compile(self, mesh, *options):
        name = "-".join([mesh, *options]).replace("=", "").replace(",", "-")
        binary = self.folder / name
        if not binary.exists():
            run(compiler(*options), self.folder / "model.mlir", "--mesh", mesh, *options, "-o", binary)
        return binary

    def launch(self, mesh, *arguments, options=(), check=True):
        ranks = ranks_of(mesh)
        prefix = ["mpirun", "-np", ranks, "--oversubscribe"] if ranks > 1 else []
        return run(*prefix, self.compile(mesh, *options), *arguments, check=check)

    def train(self, mesh, *arguments, options=(), steps=STEPS):
        return self.launch(
            *(mesh, "train", "--data", self.folder / "tokens.bin", "--steps", steps),
            *("--weight-decay", 0, "--clip", 0, "--lr", RATE, "--min-lr", RATE, *arguments),
            options=options,
        )

    def info(self, mesh, *options):
        return json.loads(run(self.compile(mesh, *options), "info").stdout)

    def expected(self):
        optimizer = optax.adamw(RATE, b1=0.9, b2=0.95, eps=1e-8, weight_decay=0)
        with jax.enable_x64(True):
            wide = lambda tree: jax.tree.map(lambda leaf: jnp.asarray(leaf, jnp.float64), tree)
            loss, params = make_loss(wide(self.base)), wide(self.params)
            state, losses = optimizer.init(params), []
            step = jax.jit(jax.value_and_grad(loss))
            for _, batch in zip(range(STEPS), testing.sequential_batches(TOKENS, BATCH, SEQ)):
                value, gradients = step(params, *batch)
                updates, state = optimizer.update(gradients, state, params)
                params = optax.apply_updates(params, updates)
                losses.append(float(value))
            return losses, dict(named_leaves(jax.tree.map(np.asarray, params)))


@pytest.fixture(scope="module")
def adapted(tmp_path_factory):
    return Adapted(tmp_path_factory.mktemp("adapted"))


PIPELINE = ("--pipeline-schedule=1f1b", "--micro-batches=2")
CASES = {
    "one": ("1", ()),
    "tp": ("tp=2", ()),
    "dp-tp-zero": ("dp=2,tp=2", ("--zero=1",)),
    "pp": ("pp=2", PIPELINE),
    "cuda": ("tp=2", CUDA),
}


@pytest.mark.parametrize("mesh, options", CASES.values(), ids=CASES)
def test_adapters_over_a_closed_over_base_train_as_by_optax(adapted, tmp_path, mesh, options):
    log, saved = tmp_path / "log.jsonl", tmp_path / "end.safetensors"
    printed = adapted.train(mesh, "--log", log, "--save", saved, options=options).stdout
    count = sum(leaf.size for leaf in large_leaves(adapted.base))
    assert f"constants: {count} numbers of {adapted.compile(mesh, *options).name}.constants" in printed
    losses, adapters = adapted.expected()
    assert [r["loss"] for r in boost_mlir.read_log(log)] == pytest.approx(losses, rel=TRAINING_TOLERANCE)
    end = load_file(saved)
    assert set(end) == set(adapters)
    for name, value in adapters.items():
        assert relative_error(end[name], value) < PARAMETER_TOLERANCE, name


@pytest.mark.parametrize("mesh, options", CASES.values(), ids=CASES)
def test_loss_and_gradients(adapted, tmp_path, mesh, options):
    outputs = tmp_path / "out.safetensors"
    inputs = adapted.folder / "inputs.safetensors"
    adapted.launch(mesh, "eval", "--inputs", inputs, "--outputs", outputs, "--gradients", options=options)
    value, gradients = testing.value_and_grad(adapted.loss, adapted.params, *adapted.batch)
    results = load_file(outputs)
    assert float(results["loss"]) == pytest.approx(value, rel=LOSS_TOLERANCE)
    assert set(results) == {"loss", *(f"grad.{name}" for name in gradients)}
    for name, expected in gradients.items():
        assert relative_error(results[f"grad.{name}"], expected) < GRADIENT_TOLERANCE, name


def test_the_size_of_the_program_does_not_depend_on_them(adapted, tmp_path):
    large = Adapted(tmp_path, width=4 * WIDTH)
    sizes = [each.compile("1").stat().st_size for each in (adapted, large)]
    stored = [each.compile("1").with_name("1.constants.safetensors").stat().st_size for each in (adapted, large)]
    assert stored[1] - stored[0] > 8e6
    assert abs(sizes[1] - sizes[0]) < 2e4


def test_the_file_has_every_large_array_once(adapted):
    stored = load_file(adapted.compile("1").with_name("1.constants.safetensors"))
    expected = sorted(leaf.tobytes() for leaf in large_leaves(adapted.base))
    assert sorted(value.tobytes() for value in stored.values()) == expected
    info = adapted.info("1")["constants"]
    assert info["file"] == "1.constants.safetensors"
    assert {each["name"]: each["shape"] for each in info["tensors"]} == {
        name: list(value.shape) for name, value in stored.items()
    }


def test_ranks_have_the_shards_that_their_readers_need(adapted):
    """Weights of products are divided. The table that is looked up is whole, as that of a model is."""
    shards = {mesh: adapted.info(mesh) for mesh in ("1", "tp=2")}
    bytes_of = {
        mesh: {each["name"]: each["bytes_per_rank"] for each in info["constants"]["tensors"]}
        for mesh, info in shards.items()
    }
    table, *weights = bytes_of["1"]
    assert bytes_of["tp=2"][table] == bytes_of["1"][table] == adapted.base["table"].nbytes
    for name in weights:
        assert bytes_of["tp=2"][name] == bytes_of["1"][name] // 2, name
    for mesh, info in shards.items():
        assert info["plan"]["memory"]["constants"] == sum(bytes_of[mesh].values())
        assert info["plan"]["recognized"]["parameters"] == sum(
            leaf.size for _, leaf in named_leaves(adapted.params)
        )


def test_the_plan_and_the_summary_count_them(adapted):
    source = adapted.folder / "model.mlir"
    options = ("--mesh=tp=2", "--emit=summary", "--explain")
    printed = run(compiler(), source, *options)
    held = adapted.info("tp=2")["plan"]["memory"]["constants"]
    assert f"{held / 1e3:.0f} kB constants" in printed.stdout
    assert f"constants  {held:15d} bytes" in printed.stderr
    plan = adapted.info("tp=2")["plan"]
    jsonschema.validate(plan, json.loads((REPOSITORY / "docs" / "plan.schema.json").read_text()))
    assert load_plan(adapted.compile("tp=2")).memory.categories["constants"] == held


def test_a_stage_has_those_that_it_reads(adapted):
    tensors = adapted.info("pp=2", *PIPELINE)["constants"]["tensors"]
    stages = {tuple(each["stages"]) for each in tensors}
    assert stages == {(0,), (1,)}


def copied(adapted, folder):
    """A copy of the program of one rank with its constants; their path."""
    folder.mkdir(exist_ok=True)
    for name in ("1", "1.constants.safetensors"):
        shutil.copy(adapted.compile("1").with_name(name), folder / name)
    return folder / "1", folder / "1.constants.safetensors"


def evaluate(binary, adapted):
    return run(binary, "eval", "--inputs", adapted.folder / "inputs.safetensors", check=False)


def test_the_program_moves_with_its_file(adapted, tmp_path):
    binary, _ = copied(adapted, tmp_path)
    whole = evaluate(adapted.compile("1"), adapted)
    assert whole.returncode == 0
    renamed = binary.rename(tmp_path / "renamed")
    assert evaluate(renamed, adapted).stdout == whole.stdout


def missing(path, adapted):
    path.unlink()
    return f"from {path}, but there is no such file; copy it"


def truncated(path, adapted):
    path.write_bytes(path.read_bytes()[:-64])
    return f"{path} is truncated"


def damaged(path, adapted):
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    return "is damaged: the bytes of tensor 'constant."


def of_another_program(path, adapted):
    other = path.parent / "other"
    text = (adapted.folder / "model.mlir").read_text()
    # The digit of a weight.
    place = text.index('dense<"0x') + 200
    digit = "1" if text[place] != "1" else "2"
    (path.parent / "other.mlir").write_text(text[:place] + digit + text[place + 1 :])
    run(compiler(), path.parent / "other.mlir", "--quiet", "-o", other)
    shutil.move(path.parent / "other.constants.safetensors", path)
    return f"{path} holds other constants than those of this program"


@pytest.mark.parametrize("harm", [missing, truncated, damaged, of_another_program])
def test_a_wrong_file_is_refused(adapted, tmp_path, harm):
    binary, path = copied(adapted, tmp_path)
    message = harm(path, adapted)
    commands = [
        ("eval", "--inputs", adapted.folder / "inputs.safetensors"),
        ("train", "--data", adapted.folder / "tokens.bin", "--steps", 1),
    ]
    for command in commands:
        result = run(binary, *command, check=False)
        assert result.returncode == 3
        assert message in result.stderr


def test_no_output_replaces_the_file(adapted, tmp_path):
    binary, path = copied(adapted, tmp_path)
    data_file = ("--data", adapted.folder / "tokens.bin")
    for option in ("--save", "--log"):
        result = run(binary, "train", *data_file, "--steps", 1, option, path, check=False)
        assert result.returncode == 2 and "name the same file" in result.stderr


def test_resumes_from_a_checkpoint_without_constants(adapted, tmp_path):
    whole, parts = tmp_path / "whole.safetensors", tmp_path / "parts.safetensors"
    adapted.train("1", "--save", whole)
    checkpoint = ("--checkpoint", tmp_path / "run")
    adapted.train("tp=2", *checkpoint, steps=STEPS // 2)
    files = [*(tmp_path / "run").rglob("*.safetensors")]
    names = {name for file in files for name in load_file(file)}
    assert files and not any(name.startswith("constant") for name in names)
    adapted.train("1", *checkpoint, "--resume", "--save", parts)
    one, other = load_file(whole), load_file(parts)
    for name in one:
        assert relative_error(other[name], one[name]) < PARAMETER_TOLERANCE, name


@pytest.mark.parametrize("mesh, options", [("tp=2", ()), ("1", ("--precision=bf16",))], ids=["f32", "bf16"])
def test_verifies_itself(adapted, mesh, options):
    inputs = ("eval", "--inputs", adapted.folder / "inputs.safetensors", "--verify")
    adapted.launch(mesh, *inputs, options=("--verify", *options))
    # The reference is part of the program, and does not have the values either.
    size = adapted.compile(mesh, "--verify", *options).stat().st_size
    assert abs(size - adapted.compile(mesh, *options).stat().st_size) < 2e5


def test_weights_are_loaded_in_the_type_of_the_products(adapted):
    types = [each["dtype"] for each in adapted.info("1", "--precision=bf16")["constants"]["tensors"]]
    assert types.count("bf16") >= 2 * LAYERS - 1


def test_every_pass_is_proven_on_them(tmp_path):
    table = normal(3, 128, 128)
    loss = lambda params, x: jnp.sum(jnp.tanh(params["w"] @ table)[x] ** 2)
    text = export(loss, {"w": normal(4, 4, 128)}, np.zeros(2, np.int32))
    (tmp_path / "loss.mlir").write_text(str(text))
    run(tool("boost-prove"), tmp_path / "loss.mlir", "--mesh=1", "--mesh=tp=2")


def test_integers_and_masks(tmp_path):
    """Stored in their own types; a mask that is recognized is not stored."""
    random = np.random.default_rng(7)
    order = random.permutation(20000).astype(np.int32)
    mask = random.integers(0, 2, 80000).astype(bool).reshape(4, 20000)
    causal = np.tril(np.ones((300, 300), bool))

    def loss(params, x):
        picked = jnp.where(mask, params["w"][order][None], 0.0)
        q, k, v = (x @ params[name] for name in "qkv")
        scores = jnp.where(causal, jnp.einsum("bqd,bkd->bqk", q, k) / np.sqrt(8), -1e9)
        return jnp.mean(picked**2) + jnp.mean((jax.nn.softmax(scores) @ v) ** 2)

    params = {"w": random.standard_normal(20000).astype(np.float32)}
    params |= {name: 10 * normal(i, 8, 8) for i, name in enumerate("qkv")}
    x = 10 * normal(9, 2, 300, 8)
    binary = tmp_path / "program"
    (tmp_path / "loss.mlir").write_text(str(export(loss, params, x)))
    run(tool("boost-compile"), tmp_path / "loss.mlir", "--allow-float-batch", "-o", binary)
    stored = load_file(tmp_path / "program.constants.safetensors")
    found = {str(value.dtype): value for value in stored.values()}
    assert len(stored) == len(found) == 2
    assert np.array_equal(found["int32"].ravel(), order)
    assert np.array_equal(found["bool"].reshape(mask.shape), mask)
    save_file(params | {"x": x}, tmp_path / "in.safetensors")
    outputs = tmp_path / "out.safetensors"
    run(binary, "eval", "--inputs", tmp_path / "in.safetensors", "--outputs", outputs, "--gradients")
    results = load_file(outputs)
    value, gradients = testing.value_and_grad(loss, params, x)
    assert float(results["loss"]) == pytest.approx(value, rel=LOSS_TOLERANCE)
    for name, expected in gradients.items():
        assert relative_error(results[f"grad.{name}"], expected) < GRADIENT_TOLERANCE, name


def test_from_python(tmp_path):
    base = normal(1, 128, 128)
    loss = lambda params, tokens: jnp.mean((params["w"][tokens] @ base) ** 2)
    shape = jax.ShapeDtypeStruct((BATCH, SEQ), np.int32)
    program = boost_mlir.compile(loss, {"w": normal(2, VOCAB, 128)}, (shape,))
    assert [each["name"] for each in program.info()["constants"]["tensors"]] == ["constant.0"]
    assert program.path.with_name("program.constants.safetensors").exists()
