# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models as packages make them: recognized, sharded without gathers, trained as by optax."""

import json
import re
from collections import Counter

import jax
import numpy as np
import optax
import pytest
from foreign_models import PROGRAMS
from foreign_models.common import BATCH, HEAD, LAYERS, RANK, SEQ, VOCAB
from harness import REPOSITORY, ranks_of, relative_error, run, tool
from safetensors.numpy import load_file

import boost_mlir
from boost_mlir import data, testing
from boost_mlir.export import export
from boost_mlir.naming import named_leaves

#: The operations of each of two layers, and of the ends.
COUNTS = {
    "linen_gpt": dict(
        attention=2, bottleneck=12, cross_entropy=1, embedding=2, layer_norm=5, linear=1
    ),
    "nnx_llama": dict(
        attention=2, bottleneck=14, cross_entropy=1, embedding=1, linear=1, rms_norm=5
    ),
    "equinox_gpt": dict(
        attention=2, bottleneck=12, cross_entropy=1, embedding=2, layer_norm=5, linear=1
    ),
    "hugging_face_llama": dict(
        attention=2, bottleneck=14, cross_entropy=1, embedding=1, linear=1, rms_norm=5
    ),
    "haiku_gpt": dict(
        attention=2, bottleneck=12, cross_entropy=1, embedding=1, layer_norm=5, linear=1
    ),
}
RAISED = re.compile(r"= boost\.(\w+) ")
RAISE = ("--boost-import-pipeline", "--boost-raise-pipeline")


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    directory, cache = tmp_path_factory.mktemp("packages"), {}

    def make(name):
        if name not in cache:
            program = PROGRAMS[name]()
            text = directory / f"{name}.mlir"
            text.write_text(export(program.loss, program.params, *program.batch.values()))
            cache[name] = program, text
        return cache[name]

    return make


@pytest.mark.parametrize("name", COUNTS)
def test_all_parts_are_recognized(exported, name):
    _, text = exported(name)
    raised = run(tool("boost-opt"), text, *RAISE).stdout
    assert Counter(RAISED.findall(raised)) == COUNTS[name]
    assert "stablehlo.dot_general" not in raised


KINDS = "bottleneck", "attention", "layer_norm", "rms_norm", "embedding", "linear", "cross_entropy"


def test_the_page_has_these_counts():
    page = (REPOSITORY / "docs/HowTo/ExportALoss.md").read_text()
    rows = re.findall(r"\| `(\w+)` \|([ \d|]+)\|\n", page)
    assert {name: list(map(int, row.split("|"))) for name, row in rows} == {
        name: [counts.get(kind, 0) for kind in KINDS] for name, counts in COUNTS.items()
    }


@pytest.mark.parametrize("name", COUNTS)
def test_raising_twice_changes_nothing(exported, tmp_path, name):
    _, text = exported(name)
    once, twice = tmp_path / "once.mlir", tmp_path / "twice.mlir"
    run(tool("boost-opt"), text, *RAISE, "-o", once)
    run(tool("boost-opt"), once, RAISE[1], "-o", twice)
    assert twice.read_text() == once.read_text()


def plan_of(text, mesh, *options):
    command = (tool("boost-compile"), text, "--mesh", mesh, "--placement=bottleneck")
    return json.loads(run(*command, "--emit=plan", *options).stdout)


def block_collectives(text, mesh, *options):
    """Kind, phase and elements of those of a training step in the layers."""
    return [
        (entry["kind"], entry["phase"], entry["elements"] * entry["count"])
        for entry in plan_of(text, mesh, *options)["collectives"]
        if entry["function"] == "gradient" and entry["component"] == "block"
    ]


@pytest.mark.parametrize("mesh", ["tp=2", "tp=4"])
@pytest.mark.parametrize("name", COUNTS)
def test_blocks_send_latents_and_statistics_only(exported, name, mesh):
    """Six or seven latents for each token of each layer, both ways; forward the statistics of
    two norms, and of a layer norm what gamma and beta give to each latent that reads it."""
    found = block_collectives(exported(name)[1], mesh)
    assert {kind for kind, _, _ in found} == {"all_reduce"}
    tokens, sums = BATCH * SEQ, Counter()
    for _, phase, elements in found:
        sums[phase] += elements
    if "rms_norm" in COUNTS[name]:
        latents, statistics, vectors = 7 * RANK, 2, 0
    else:
        latents, statistics, vectors = 6 * RANK, 4, 2 * 4 * RANK
    assert sums["forward"] == LAYERS * (tokens * (latents + statistics) + vectors)
    assert sums["backward"] == LAYERS * tokens * latents


MERGE, GROUP = "--disable-pass=boost-merge-collectives", "--disable-pass=boost-group-linears"


@pytest.mark.parametrize("mesh", ["tp=2", "tp=4"])
@pytest.mark.parametrize("name", COUNTS)
def test_bottlenecks_of_one_input_are_one(exported, name, mesh):
    """q, k and v, and gate and up, also where weights have a row per output: packed, they are
    fewer products and fewer sums, and are never moved."""
    text, gated = exported(name)[1], "rms_norm" in COUNTS[name]
    grouped, apart = plan_of(text, mesh, MERGE), plan_of(text, mesh, MERGE, GROUP)
    members = COUNTS[name]["bottleneck"] // LAYERS
    saved = 2 + gated
    assert apart["recognized"]["groups"] == LAYERS * members
    assert grouped["recognized"]["groups"] == LAYERS * (members - saved)
    for phase in ("forward", "backward"):
        launches = [
            sum(
                entry["count"]
                for entry in plan["collectives"]
                if (entry["function"], entry["phase"], entry["component"])
                == ("gradient", phase, "block")
            )
            for plan in (grouped, apart)
        ]
        assert launches[1] - launches[0] >= LAYERS * saved
    gemms = [plan["launches"]["gradient"]["gemm"] for plan in (grouped, apart)]
    assert gemms[1] - gemms[0] >= LAYERS * 4 * saved
    if gated:  # Gradients of biases read those of queries, keys and values one by one.
        assert "copy" not in grouped["launches"]["gradient"]


@pytest.mark.parametrize("mesh", ["tp=2", "tp=4"])
def test_one_head_of_keys_is_whole_on_every_rank(exported, mesh):
    """It is computed there from the latent. Backward, the sum of its gradient over the query
    heads of all ranks goes with that of the latent of the queries."""
    found = block_collectives(exported("palm_low_rank")[1], mesh)
    assert {kind for kind, _, _ in found} == {"all_reduce"}
    sums = Counter()
    for _, phase, elements in found:
        sums[phase] += elements
    rest = 5 * RANK  # of queries, out, gate, up and down
    assert sums["forward"] == LAYERS * BATCH * SEQ * (rest + 2 * (HEAD - 1) + 2)
    assert sums["backward"] == LAYERS * BATCH * SEQ * (rest + 2 * HEAD)


def test_a_layer_norm_before_the_product_communicates_alone(exported):
    off = "--disable-pass=boost-online-layer-norm"
    text = exported("linen_gpt")[1]
    backward = sum(
        elements for _, phase, elements in block_collectives(text, "tp=4", off)
        if phase == "backward"
    )
    assert backward > LAYERS * BATCH * SEQ * 6 * RANK


STEPS = 20
RATE, DECAY = 1e-2, 0.1


def train_by_optax(program, batches):
    """Losses and parameters of AdamW with the defaults of `train`, in f64; vectors do not decay."""
    mask = jax.tree.map(lambda leaf: leaf.ndim > 1, program.params)
    optimizer = optax.adamw(RATE, b1=0.9, b2=0.95, eps=1e-8, weight_decay=DECAY, mask=mask)
    with jax.enable_x64(True):
        params = jax.tree.map(lambda leaf: jax.numpy.asarray(leaf, np.float64), program.params)
        state, losses = optimizer.init(params), []

        @jax.jit
        def step(params, state, batch):
            value, gradients = jax.value_and_grad(program.loss)(params, *batch)
            updates, state = optimizer.update(gradients, state, params)
            return value, optax.apply_updates(params, updates), state

        for _, batch in zip(range(STEPS), batches):
            value, params, state = step(params, state, batch)
            losses.append(float(value))
    return losses, params


#: On two ranks without any option, and layer norms whose statistics travel with latents on four.
RUNS = [(name, "tp=2", ()) for name in COUNTS]
RUNS.append(("linen_gpt", "tp=4", ("--placement=bottleneck",)))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name, mesh, options", RUNS)
def test_twenty_steps_from_the_exported_arrays_are_those_of_optax(exported, tmp_path, name, mesh, options):
    program, _ = exported(name)
    tokens = np.cumsum(np.random.default_rng(2).integers(1, 4, 2000)) % VOCAB
    data.write_tokens(tmp_path / "tokens.bin", tokens.astype(np.uint16))
    export(program.loss, program.params, *program.batch.values()).save(tmp_path / "model.mlir")
    compiling = (tmp_path / "model.mlir", "--mesh", mesh, *options)
    run(tool("boost-compile"), *compiling, "-o", tmp_path / "train")
    run(
        *("mpirun", "--oversubscribe", "-np", ranks_of(mesh), tmp_path / "train", "train"),
        *("--data", tmp_path / "tokens.bin", "--steps", STEPS, "--lr", RATE, "--min-lr", RATE),
        *("--clip", 0, "--log", tmp_path / "log.jsonl", "--save", tmp_path / "end.safetensors"),
    )
    losses = [record["loss"] for record in boost_mlir.read_log(tmp_path / "log.jsonl")]
    batches = testing.sequential_batches(tokens.astype(np.uint16), BATCH, SEQ)
    expected, params = train_by_optax(program, batches)
    assert losses == pytest.approx(expected, rel=1e-5)
    saved, leaves = load_file(tmp_path / "end.safetensors"), dict(named_leaves(params))
    assert {name: value.shape for name, value in saved.items()} == {
        name: leaf.shape for name, leaf in leaves.items()
    }
    if "layer_norm" in COUNTS[name]:
        return  # A bias of keys, which a softmax does not see, is moved by rounding.
    for leaf, value in leaves.items():
        assert relative_error(saved[leaf], np.asarray(value)) < 1e-4, leaf


def test_grouping_changes_no_initial_value(tmp_path):
    """A draw depends on a name and an index, in any order in memory."""
    program = PROGRAMS["hugging_face_llama"]()
    shapes = jax.tree.map(lambda leaf: jax.ShapeDtypeStruct(leaf.shape, leaf.dtype), program.params)
    exported = export(program.loss, shapes, *program.batch.values(), init="default")
    exported.save(tmp_path / "model.mlir")
    data.write_tokens(tmp_path / "tokens.bin", np.arange(500, dtype=np.uint16) % VOCAB)
    saved = []
    for options in ([], [GROUP]):
        binary, end = tmp_path / "train", tmp_path / "end.safetensors"
        run(tool("boost-compile"), tmp_path / "model.mlir", "--mesh=1", *options, "-o", binary)
        run(
            *(binary, "train", "--data", tmp_path / "tokens.bin", "--steps", 1, "--lr", 0),
            *("--seed", 7, "--save", end),
        )
        saved.append({name: value.tobytes() for name, value in load_file(end).items()})
    assert saved[0] == saved[1]
