# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that are exported with an optimizer of optax train as JAX does with it.

The oracle is JAX in f64. The numbers of optimizers.py are those from which ten steps are
well-conditioned, and constants of theirs that matter are exact in f32.

BOOST_ALL_OPTIMIZERS=1 takes all optimizers, with all meshes, CoLA and LaX, and two layers in place
of one. A pipeline has two layers anyway, and an emulated GPU one.
"""

import dataclasses
import functools
import itertools
import json
import os
import re
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from harness import CUDA, compiler, ranks_of, relative_error, run, tool
from jax.tree_util import tree_leaves_with_path
from optimizers import LION_RATE, OPTIMIZERS, soap
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

import boost_mlir
from boost_mlir import data, models, testing
from boost_mlir.export import export
from boost_mlir.naming import named_leaves, path_name

ALL = bool(os.environ.get("BOOST_ALL_OPTIMIZERS"))
TOLERANCE = 1e-5
BATCH, SEQ, STEPS = 4, 16, 10
LAYERS = 2 if ALL else 1
# A mesh, and options of the compiler.
MESHES = {
    "one": ("1",),
    "tp": ("tp=2",),
    "searched": ("tp=2", "--placement=searched"),
    "dp-tp": ("dp=2,tp=2",),
    "zero": ("dp=2,tp=2", "--zero=1"),
    "dp-zero": ("dp=2", "--zero=1"),
    "gpu": ("1", *CUDA),
    "gpu-tp": ("tp=2", *CUDA),
    "gpu-zero": ("dp=2,tp=2", "--zero=1", *CUDA),
    "pp": ("pp=2", "--micro-batches=2"),
    "pp-tp": ("pp=2,tp=2", "--micro-batches=2", "--pipeline-schedule=zb-h1"),
}
QUICK = [
    *[("clipped", "zero", "cola"), ("multi_transform", "dp-tp", "cola"), ("lion", "one", "lax")],
    *[("muon-of-factors", "tp", "lax"), ("spectron", "pp-tp", "cola"), ("clipped", "pp-tp", "cola")],
    *[("loro", mesh, "cola") for mesh in ("searched", "pp-tp", "gpu-tp")],
    *[("alternating", "pp", "cola"), ("brake", "one", "cola"), ("adamw", "zero", "cola")],
    *[("shampoo", "zero", "cola"), ("soap", "dp-zero", "cola"), ("soap", "gpu-tp", "cola")],
]
CASES = [*itertools.product(OPTIMIZERS, MESHES, ("cola", "lax"))] if ALL else QUICK


class JaxStep(NamedTuple):
    """A step in JAX: `gradients` and `old_state` are what its update read."""

    loss: jax.Array
    gradients: object
    old_state: object
    params: object
    state: object


@dataclasses.dataclass
class Case:
    """A model that is exported with an optimizer, and what JAX makes of it in ten steps."""

    folder: object
    name: str
    kind: str
    layers: int = LAYERS

    @functools.cached_property
    def config(self):
        return models.ModelConfig.of_size("tiny", self.kind, layers=self.layers)

    @functools.cached_property
    def optimizer(self):
        return OPTIMIZERS[self.name](self.params)

    @functools.cached_property
    def params(self):
        params = models.init_params(self.config, seed=3)
        return jax.tree.map(np.asarray, params)

    @functools.cached_property
    def loss(self):
        return models.make_loss(self.config)

    @functools.cached_property
    def tokens(self):
        return np.random.default_rng(5).integers(0, self.config.vocab, 2000, dtype=np.int32)

    @functools.cached_property
    def module(self):
        batch = np.zeros((BATCH, SEQ), np.int32)
        path = self.folder / f"{self.name}.mlir"
        export(self.loss, self.params, batch, batch, optimizer=self.optimizer).save(path)
        data.write_tokens(self.folder / "tokens.bin", self.tokens)
        return path

    @functools.cached_property
    def exact(self):
        with jax.enable_x64(True):
            return self.train_in_jax(np.float64)

    @functools.cached_property
    def own_error(self):
        """The largest relative error of a tensor of JAX in f32: what ten steps make of rounding."""
        _, exact = self.exact
        _, tensors = self.train_in_jax(np.float32)
        return max(relative_error(value, exact[name]) for name, value in tensors.items())

    @functools.cached_property
    def rotations(self):
        """By tensor, what rounding in the factorizations of `soap` makes of ten steps: it rotates
        eigenvectors by their norm over the distance of the eigenvalues. Empty for other optimizers."""
        if self.name != "soap":
            return {}
        other = dataclasses.replace(self)
        other.optimizer = soap(self.params, perturb=perturbed)
        _, tensors = other.exact
        _, exact = self.exact
        return {name: error_of(name, value, exact) for name, value in tensors.items()}

    def check(self, losses, tensors):
        """Checks what a program computed in ten steps."""
        exact_losses, exact = self.exact_as(tensors) if self.name == "lion" else self.exact
        hypers = {name for name in exact if ".hyperparams." in name} - set(tensors)
        assert set(tensors) == set(exact) - hypers
        assert losses == pytest.approx(exact_losses, rel=TOLERANCE)
        for name, value in tensors.items():
            error = error_of(name, value, exact)
            bound = TOLERANCE + 2 * self.rotations.get(name, 0)
            # Exact steps of LORO magnify rounding, as far as JAX in f32 shows.
            is_magnified = self.name == "loro" and error >= bound
            assert error < (2 * self.own_error if is_magnified else bound), name

    def exact_as(self, tensors):
        """Losses and tensors of JAX in f64 for `lion`. Where gradients in f32 do not tell the sign of
        a step, it takes the sign that the program took, at fewer than one element of a thousand."""
        found = self.exact
        names, leaves = zip(*named_leaves(self.params))
        structure = jax.tree.structure(self.params)
        others = [np.zeros(leaf.shape, bool) for leaf in leaves]
        # A turned step changes the arguments of others.
        for _ in range(4):
            differ = [np.abs(tensors[name] - found[1][name]) > LION_RATE for name in names]
            if not any(map(np.any, differ)):
                break
            others = [other ^ each for other, each in zip(others, differ)]
            with jax.enable_x64(True):
                found = self.train_in_jax(np.float64, structure.unflatten(others))
        turned = sum(map(np.count_nonzero, others))
        assert turned < 1e-3 * sum(leaf.size for leaf in leaves)
        return found

    def steps_in_jax(self, dtype, other_signs=None):
        """Yields the steps. Those of `lion` have the other sign at these elements, where gradients in
        f32 do not tell it."""

        def turn(step, other, gradient, mean):
            sign = jnp.sign(argument_of_lion(gradient, mean))
            is_turned = other & is_unknown_sign(gradient, mean)
            return jnp.where(is_turned, step + 2 * LION_RATE * sign, step)

        @jax.jit
        def step(params, state, *batch):
            value, gradients = jax.value_and_grad(self.loss)(params, *batch)
            updates, new_state = self.optimizer.update(gradients, state, params)
            if other_signs is not None:
                updates = jax.tree.map(turn, updates, other_signs, gradients, state[0].mu)
            return JaxStep(value, gradients, state, optax.apply_updates(params, updates), new_state)

        params = jax.tree.map(lambda leaf: jnp.asarray(leaf, dtype), self.params)
        state = self.optimizer.init(params)
        for _, batch in zip(range(STEPS), testing.sequential_batches(self.tokens, BATCH, SEQ)):
            made = step(params, state, *batch)
            yield made
            params, state = made.params, made.state

    def train_in_jax(self, dtype, other_signs=None):
        """The losses, and parameters and states after the last step, by name."""
        steps = list(self.steps_in_jax(dtype, other_signs))
        losses = [float(step.loss) for step in steps]
        params, state = steps[-1].params, steps[-1].state
        states = {f"optimizer.{path_name(path)}": leaf for path, leaf in tree_leaves_with_path(state)}
        tensors = dict(named_leaves(params)) | states
        return losses, {name: np.asarray(value) for name, value in tensors.items()}

    def program(self, mesh, *options):
        binary = self.folder / "-".join([self.name, mesh, *options]).replace("=", "")
        if not binary.exists():
            run(compiler(*options), self.module, "--mesh", mesh, *options, "-o", binary)
        return binary

    def train(self, folder, mesh, *options, steps=STEPS, arguments=()):
        """The losses, and the tensors of the last checkpoint."""
        ranks = ranks_of(mesh)
        prefix = ["mpirun", "-np", ranks, "--oversubscribe"] if ranks > 1 else []
        log = folder / "log.jsonl"
        run(
            *(*prefix, self.program(mesh, *options), "train", "--steps", steps),
            *("--data", self.folder / "tokens.bin", "--checkpoint", folder / "run"),
            *("--log", log, *arguments),
        )
        losses = [record["loss"] for record in boost_mlir.read_log(log)]
        return losses, load_file(folder / "run" / f"step-{steps}" / "tensors.safetensors")


def argument_of_lion(gradient, mean):
    """Returns the number whose sign is the direction of a step, with the defaults of optax."""
    return 0.9 * mean + 0.1 * gradient


def is_unknown_sign(gradient, mean):
    """True where the argument of the sign is smaller than the error of a gradient in f32."""
    argument = argument_of_lion(gradient, mean)
    error = TOLERANCE * jnp.sqrt(jnp.mean(gradient**2))
    return (argument != 0) & (jnp.abs(argument) < error)


def error_of(name, value, exact):
    """The relative error of a tensor. JAX and the compiler choose the signs of eigenvectors in
    different ways: the columns of a basis are compared with the signs of the exact ones."""
    if name.endswith(".basis"):
        value = value * np.sign(np.sum(value * exact[name], axis=0))
    return relative_error(value, exact[name])


def standing_still(optimizer, after):
    """An optimizer that changes neither parameters nor its states after so many steps."""

    def update(grads, state, params):
        count, old = state
        steps, new = optimizer.update(grads, old, params)
        keep = count >= after
        steps = jax.tree.map(lambda step: jnp.where(keep, 0, step), steps)
        return steps, (count + 1, jax.tree.map(lambda *each: jnp.where(keep, *each), old, new))

    start = lambda params: (jnp.zeros((), jnp.int32), optimizer.init(params))
    return optax.GradientTransformation(start, update)


def perturbed(matrix):
    """The matrix with an error as a product and a factorization in f32 may have it: each a unit
    roundoff of its norm for every row."""
    noise = jax.random.normal(jax.random.key(1), matrix.shape, matrix.dtype)
    error = len(matrix) * np.finfo(np.float32).eps * jnp.linalg.norm(matrix, 2)
    return matrix + error / jnp.linalg.norm(noise, 2) * noise


@pytest.fixture(scope="module")
def case(tmp_path_factory):
    cache = {}

    def make(name, kind="cola", layers=LAYERS):
        key = name, kind, layers
        if key not in cache:
            cache[key] = Case(tmp_path_factory.mktemp(name), *key)
        return cache[key]

    return make


@pytest.mark.parametrize("name, mesh, kind", CASES)
def test_trains_as_in_jax(case, tmp_path, name, mesh, kind):
    layers = 2 if mesh.startswith("pp") else 1 if mesh.startswith("gpu") else LAYERS
    given = case(name, kind, layers)
    given.check(*given.train(tmp_path, *MESHES[mesh]))


@pytest.mark.parametrize("name", ["shampoo", "soap"])
def test_zero_shards_what_is_kept_of_a_matrix(case, tmp_path, name):
    """Sides and bases have other shapes than their parameters."""

    def state_bytes(*options):
        command = tool("boost-compile"), case(name).module, "--mesh=dp=2", "--emit=plan", *options
        run(*command, "-o", tmp_path / "plan.json")
        plan = json.loads((tmp_path / "plan.json").read_text())
        # With a choice of updates, sums of the gradients are kept for it.
        sums = plan["memory"]["parameters"] if "choices" in plan else 0
        return plan["memory"]["optimizer"] - sums

    assert state_bytes("--zero=1") < 0.51 * state_bytes()


def test_adamw_of_optax_is_the_built_in_one(tmp_path):
    """The same kernel on the same numbers, which f32 has exactly, gives the same bytes."""
    rate, decay, b1, b2, eps = 2**-9, 2**-3, 1 - 2**-3, 1 - 2**-6, 2**-14
    numbers = {"lr": rate, "min-lr": rate, "warmup": 0, "clip": 0, "beta1": b1, "beta2": b2}
    numbers |= {"eps": eps, "weight-decay": decay}
    optimizer = optax.adamw(
        rate, b1, b2, eps, weight_decay=decay, mask={"down": True, "up": True}
    )
    (tmp_path / "built-in").mkdir()
    given, _, _ = train_small(tmp_path, optimizer, np.float32, ("dp=2", "--zero=1"))
    options = [str(part) for name, value in numbers.items() for part in (f"--{name}", value)]
    built_in, _, _ = train_small(
        tmp_path / "built-in", None, np.float32, ("dp=2", "--zero=1"), arguments=options
    )
    for name in small_params(np.float32):
        np.testing.assert_array_equal(given[name], built_in[name])
        for ours, theirs in (("m", "mu"), ("v", "nu")):
            moment = given[f"optimizer.0.{theirs}.{name}"]
            np.testing.assert_array_equal(moment, built_in[f"adamw.{ours}.{name}"])


@pytest.mark.parametrize("name", ["clipped", "loro"])
def test_goes_on_from_a_checkpoint_to_the_same_bytes(case, tmp_path, name):
    """LORO goes on in the middle of a period."""
    given = case(name)
    mesh = MESHES["zero"]
    (tmp_path / "at-once").mkdir()
    _, expected = given.train(tmp_path / "at-once", *mesh)
    given.train(tmp_path, *mesh, steps=4)
    _, tensors = given.train(tmp_path, *mesh, arguments=("--resume",))
    assert {name: value.tobytes() for name, value in tensors.items()} == {
        name: value.tobytes() for name, value in expected.items()
    }


@pytest.mark.parametrize("name", ["clipped", "shampoo"])
def test_checkpoints_go_through_every_layout(tmp_path, name):
    """Loaded and saved by each without a changed bit, while the optimizer stands still."""
    given = Case(tmp_path, name, "cola")
    given.optimizer = standing_still(given.optimizer, after=2)
    _, expected = given.train(tmp_path, *MESHES["zero"], steps=2)
    expected.pop("optimizer.0")
    written = []
    for steps, mesh in enumerate(("tp", "dp-zero", "one", "dp-tp", "zero"), start=3):
        _, tensors = given.train(tmp_path, *MESHES[mesh], steps=steps, arguments=("--resume",))
        assert tensors.pop("optimizer.0") == steps
        written.append({name: value.tobytes() for name, value in tensors.items()})
    assert written == [{name: value.tobytes() for name, value in expected.items()}] * len(written)


@pytest.mark.parametrize("mesh", ["tp", "zero"])
def test_a_step_calls_the_update_of_its_kind(case, tmp_path, mesh):
    """And sends what the plan has for that, which is nothing in a lazy update on `tp`."""
    given = case("loro")
    given.train(tmp_path, *MESHES[mesh])
    records = boost_mlir.read_log(tmp_path / "log.jsonl")
    kinds = ["update_1" if step % 3 == 0 else "update_0" for step in range(1, STEPS + 1)]
    assert [record["chosen"] for record in records] == kinds
    plan = json.loads(run(given.program(*MESHES[mesh]), "info").stdout)["plan"]
    assert plan["choices"] == [
        {"schedule": "train", "index": "choose_update", "functions": ["update_0", "update_1"]}
    ]
    planned = {kind: 0 for kind in ("update_0", "update_1", "accumulate", "choose_update")}
    for entry in plan["collectives"]:
        if entry["function"] in planned:
            planned[entry["function"]] += entry["count"] * entry["bytes"]
    assert planned["choose_update"] == 0 < planned["update_1"] - planned["update_0"]
    if mesh == "tp":
        assert planned["update_0"] == 0
    for record in records:
        sent = planned["accumulate"] + planned[record["chosen"]]
        assert sum(record["bytes"].values()) == sent


def test_only_exact_steps_of_loro_factorize(case):
    """A GPU replays as graphs the functions that do not."""
    command = compiler(*CUDA), case("loro").module, "--mesh", *MESHES["gpu-tp"]
    text = run(*command, "--emit=runtime", "-o", "-").stdout
    found = re.findall(r"^  func\.func.* @(\w+)\(.*\n((?:    .*\n)*)", text, re.MULTILINE)
    calls = {name: body.count(" boostrt.factorize ") for name, body in found}
    assert {name for name, count in calls.items() if count} == {"update_1"}
    assert {"accumulate", "choose_update", "update_0"} < set(calls)


def test_what_gradients_choose_is_computed_in_each_step(case):
    plan = json.loads(run(case("brake").program("1"), "info").stdout)["plan"]
    assert "choices" not in plan
    assert [part["function"] for part in plan["predicted"]["parts"]] == ["step"]


def test_each_stage_chooses_its_update_by_the_same_count(case, tmp_path):
    given = case("loro", layers=2)
    given.train(tmp_path, *MESHES["pp-tp"])
    records = boost_mlir.read_log(tmp_path / "log.jsonl")
    kinds = ["update_1_0" if step % 3 == 0 else "update_0_0" for step in range(1, STEPS + 1)]
    assert [record["chosen"] for record in records] == kinds
    plan = json.loads(run(given.program(*MESHES["pp-tp"]), "info").stdout)["plan"]
    assert [choice["functions"] for choice in plan["choices"]] == [
        [f"update_0_{stage}", f"update_1_{stage}"] for stage in (0, 1)
    ]
    # A lazy update sends nothing, and an exact one no more for a pair of factors than elsewhere.
    sent = {name: 0 for choice in plan["choices"] for name in choice["functions"]}
    for entry in plan["collectives"]:
        if entry["function"] in sent:
            sent[entry["function"]] += entry["count"] * entry["elements"]
    pairs, rank = 7, given.config.rank
    for stage in (0, 1):
        assert sent[f"update_0_{stage}"] == 0
        assert 0 < sent[f"update_1_{stage}"] <= 6.2 * rank**2 * pairs


@pytest.mark.one_in(2, 1)
@pytest.mark.parametrize("mesh", ["tp", "pp"])
def test_all_kinds_of_updates_are_verified(case, tmp_path, mesh):
    given = case("loro", layers=2 if mesh == "pp" else LAYERS)
    mesh = (*MESHES[mesh], "--verify")
    _, tensors = given.train(tmp_path, *mesh, steps=3)
    binary = given.program(*mesh)
    batch = json.loads(run(binary, "info").stdout)["batch"]
    rows = next(testing.sequential_batches(given.tokens, BATCH, SEQ))
    tensors |= {entry["name"]: value for entry, value in zip(batch, rows, strict=True)}
    save_file(tensors, tmp_path / "inputs.safetensors")
    arguments = ("eval", "--verify", "--inputs", tmp_path / "inputs.safetensors", "--json")
    said = run("mpirun", "-np", 2, "--oversubscribe", binary, *arguments)
    report = json.loads(said.stdout)
    assert {"accumulate", "choose_update", "update_0", "update_1"} <= set(report["functions"])


def test_injected_numbers_are_options_and_the_rate_of_train_is_refused(case, tmp_path):
    given = case("clipped")
    binary = given.program(*MESHES["zero"])
    assert "'learning_rate' of the optimizer of the program" in run(binary, "train", "--help").stdout
    arguments = ("train", "--data", given.folder / "tokens.bin", "--steps", 1, "--lr", 0.1)
    said = run(binary, *arguments, check=False)
    assert said.returncode == 2
    assert (
        "--lr: the optimizer of this program has its own learning rate; leave it out, or give "
        "--learning-rate" in said.stderr
    )
    _, kept = given.train(tmp_path, *MESHES["zero"], steps=1, arguments=("--learning-rate", 0))
    for name, value in named_leaves(given.params):
        np.testing.assert_array_equal(kept[name], value)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", ["adamw", "clipped", "loro", "alternating", "soap"])
def test_passes_keep_the_values_of_an_optimizer(case, name):
    said = run(tool("boost-prove"), case(name).module, "--mesh=dp=2,tp=2", "--zero=1").stdout
    assert " 0 mismatches, 0 refused" in said, said


def test_passes_keep_the_values_of_updates_on_stages(case):
    said = run(tool("boost-prove"), case("loro", layers=2).module, "--mesh=pp=2,tp=2", "--zero=1").stdout
    assert " 0 mismatches, 0 refused" in said, said


def small_params(dtype):
    random = np.random.default_rng(2)
    return {
        "down": (random.standard_normal((8, 4)) / 2).astype(dtype),
        "up": (random.standard_normal((4, 8)) / 2).astype(dtype),
    }


def train_small(folder, optimizer, dtype=np.float32, mesh=("1",), edit=str, arguments=()):
    """The tensors of a program after three steps, the loss and the batches."""
    ids = np.zeros((4, 8), np.int32)

    def loss(params, tokens, targets):
        """A bottleneck, of numbers made of the batch."""
        x, y = ((part % 5).astype(dtype) / 4 for part in (tokens, targets))
        return jnp.mean((jax.nn.silu(x @ params["down"]) @ params["up"] - y) ** 2)

    exported = export(loss, small_params(dtype), tokens=ids, targets=ids, optimizer=optimizer)
    exported.save(folder / "small.mlir")
    (folder / "small.mlir").write_text(edit(exported))
    data.write_tokens(folder / "tokens.bin", np.arange(200, dtype=np.int32))
    run(tool("boost-compile"), folder / "small.mlir", "--mesh", *mesh, "-o", folder / "small")
    ranks = ranks_of(mesh[0])
    prefix = ["mpirun", "-np", ranks, "--oversubscribe"] if ranks > 1 else []
    run(
        *(*prefix, folder / "small", "train", "--steps", 3, "--data", folder / "tokens.bin"),
        *("--checkpoint", folder / "run", *arguments),
    )
    tensors = load_file(folder / "run" / "step-3" / "tensors.safetensors")
    return tensors, loss, itertools.islice(testing.sequential_batches(np.arange(200), 4, 8), 3)


def test_states_that_start_from_arrays(tmp_path):
    """A rate for every column, which belongs to both parameters, and a count that starts at 3."""

    def update(grads, state, params):
        steps = jax.tree.map(lambda grad: -grad * state["rates"][: grad.shape[1]], grads)
        return steps, {"rates": state["rates"] * 0.5, "count": state["count"] + 2}

    optimizer = optax.GradientTransformation(
        lambda params: {"rates": jnp.linspace(0.1, 0.8, 8), "count": jnp.int32(3)}, update
    )
    tensors, loss, batches = train_small(
        *(tmp_path, optimizer, np.float32, ("dp=2", "--zero=1")),
        lambda text: text.replace('kind = "rates", ', 'kind = "rates", of = ["down", "up"], '),
    )
    with safe_open(tmp_path / "run" / "step-3" / "tensors.safetensors", "numpy") as file:
        assert file.metadata()["of:optimizer.rates"] == '["down","up"]'
    params, state = small_params(np.float32), optimizer.init(None)
    for batch in batches:
        updates, state = optimizer.update(jax.grad(loss)(params, *batch), state, params)
        params = optax.apply_updates(params, updates)
    assert tensors["optimizer.count"] == 9
    assert relative_error(tensors["optimizer.rates"], state["rates"]) < TOLERANCE
    for name, value in params.items():
        assert relative_error(tensors[name], value) < TOLERANCE, name


def test_a_random_key_is_a_state(tmp_path):
    """All ranks add the same noise. The oracle is JAX in f32, which draws other numbers in f64."""
    key = jax.random.key(7)
    optimizer = optax.chain(optax.add_noise(eta=0.01, gamma=0.5, key=key), optax.sgd(0.1))
    tensors, loss, batches = train_small(tmp_path, optimizer, np.float32, ("dp=2,tp=2", "--zero=1"))
    params = small_params(np.float32)
    state = optimizer.init(params)
    for batch in batches:
        updates, state = optimizer.update(jax.grad(loss)(params, *batch), state, params)
        params = optax.apply_updates(params, updates)
    for name, value in params.items():
        assert relative_error(tensors[name], value) < TOLERANCE, name
    left, first = (jax.random.key_data(each) for each in (state[0].rng_key, key))
    np.testing.assert_array_equal(tensors["optimizer.0.rng_key"], left)
    assert np.any(left != first)


def test_narrow_parameters_are_rounded_masters(tmp_path):
    start = small_params(jnp.bfloat16)
    tensors, _, _ = train_small(tmp_path, optax.sgd(1e-3, momentum=0.9), jnp.bfloat16)
    for name, value in start.items():
        master = tensors[f"master.{name}"]
        assert master.dtype == np.float32 and np.any(master != value.astype(np.float32))
        np.testing.assert_array_equal(tensors[name], master.astype(jnp.bfloat16))
