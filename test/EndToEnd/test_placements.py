# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Placements by name compute what JAX computes, and send what their closed forms say."""

import itertools
import json
import os

import pytest
from checks import check_loss_and_gradients, check_training
from harness import Model, axis_size, run, tool

from boost_mlir import models

NAMES = (
    "bottleneck",
    "megatron",
    "vanilla",
    "sequence",
    "gathered",
    "vocabulary-embedding",
    "hidden-head",
    "replicated",
    "searched",
)
MESHES = ("tp=2", "tp=4", "dp=2,tp=2")

# Every placement on every mesh, with three of the models; state is sharded on the mesh with dp for
# every other placement. BOOST_ALL_PLACEMENTS=1 takes all combinations.
DIAGONAL = [
    (models.KINDS[(i + j) % 4], mesh, name, int(j == 2 and i % 2 == 0))
    for i, name in enumerate(NAMES)
    for j, mesh in enumerate(MESHES)
]
ALL = [
    (kind, mesh, name, zero)
    for kind, mesh, name in itertools.product(models.KINDS, MESHES, NAMES)
    for zero in range(1 + mesh.startswith("dp"))
]
CASES = ALL if os.environ.get("BOOST_ALL_PLACEMENTS") else DIAGONAL


def placed(program, kind, mesh, name, zero):
    sharded = ("--zero=1", "--bucket-bytes=40000") if zero else ()
    return program(kind, "tiny", mesh, f"--placement={name}", *sharded)


@pytest.mark.one_in(2, 1)
@pytest.mark.parametrize("kind, mesh, name, zero", CASES)
def test_loss_and_gradients_are_those_of_jax(program, kind, mesh, name, zero):
    check_loss_and_gradients(placed(program, kind, mesh, name, zero))


# That the step of each computes what the loss of one rank does, test_prove_models.py proves; those
# whose state is sharded are all trained.
TRAINED = [("cola", "tp=2", name, 0) for name in ("vanilla", "megatron", "sequence")]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind, mesh, name, zero", TRAINED + [case for case in CASES if case[3]])
def test_ten_steps_give_the_losses_of_jax(program, kind, mesh, name, zero):
    check_training(placed(program, kind, mesh, name, zero))


@pytest.mark.parametrize("kind, mesh, name, zero", [case for case in CASES if case[3]])
def test_state_falls_by_dp(program, kind, mesh, name, zero):
    """To the byte: in the plan, and in the binary's own table of where a rank holds what."""
    sharded, plain = (placed(program, kind, mesh, name, each) for each in (1, 0))
    ranks = axis_size(mesh, "dp")
    assert planned_state_bytes(sharded) * ranks == planned_state_bytes(plain)
    assert state_bytes(sharded) * ranks == state_bytes(plain)


def planned_state_bytes(compiled):
    return compiled.plan["memory"]["optimizer"]


def state_bytes(compiled):
    """Returns the bytes of the moments on a rank, by the manifest in the binary."""
    content = compiled.binary.read_bytes()
    start = content.index(b'{"format":')
    tensors = json.loads(content[start : content.index(b"\0", start)])["tensors"]
    assert all(tensor["offset"] >= 0 for tensor in tensors)
    return sum(tensor["bytes"] for tensor in tensors if tensor["role"] == "state")


def closed_forms(name, config):
    """Returns the elements of complete tensors that a block sends per token, by pass and kind."""
    d, f, r = config.d, config.d_ff, config.rank
    both = {
        "bottleneck": ({"all_reduce": 7 * r + 2}, {"all_reduce": 7 * r}),
        "megatron": (
            {"all_reduce": 2 * d + 2 * f, "all_gather": 3 * r, "reduce_scatter": r},
            {"all_reduce": 2 * d + f + 2, "all_gather": r, "reduce_scatter": 3 * r},
        ),
        "vanilla": ({"all_reduce": 5 * d + 2 * f}, {"all_reduce": 3 * d + f + 2}),
        "sequence": (
            {"reduce_scatter": 7 * r + 2, "all_gather": 7 * r},
            {"reduce_scatter": 7 * r, "all_gather": 7 * r + 2},
        ),
        "gathered": ({"all_reduce": 4 * r + 2, "all_gather": d}, {"all_reduce": 7 * r}),
    }
    return both.get(name, both["bottleneck"])


# A network beside which all else is free, and one that is free: neither changes what is sent.
EXTREMES = {"dear": (1e15, 1e5), "free": (1e6, 1e15)}


@pytest.fixture(scope="module", params=[None, *EXTREMES])
def priced(request, tmp_path_factory):
    """Options for a machine."""
    if request.param is None:
        return ()
    compute, bandwidth = EXTREMES[request.param]
    file = tmp_path_factory.mktemp("machines") / f"{request.param}.json"
    file.write_text(
        json.dumps(
            {
                "name": request.param,
                "source": "No real machine.",
                "peak_flops": {"f32": compute},
                "memory_bandwidth": compute / 100,
                "memory_bytes": 1e18,
                "launch_seconds": 0,
                "links": [{"name": "all", "ranks": 64, "bandwidth": bandwidth, "latency": 0}],
            }
        )
    )
    return (f"--machine={file}",)


RULES = NAMES[:7]


@pytest.fixture(scope="module")
def wide(tmp_path_factory):
    """A model in which no two sizes are equal."""
    config = models.ModelConfig.of_size("tiny", "cola", vocab=48)
    return Model(config, tmp_path_factory.mktemp("wide"))


@pytest.mark.parametrize("name", RULES)
def test_plans_send_the_closed_forms_on_any_machine(wide, priced, name):
    """Per token, of the hidden size d, that of the MLP f, the rank r and the vocabulary v. Prices
    decide of a vocabulary-parallel head how gradients reach the stream."""
    out, ranks, config = wide.directory / f"{name}.plan.json", 4, wide.config
    command = (tool("boost-compile"), wide.text_file, f"--mesh=tp={ranks}", f"--placement={name}")
    run(*command, *priced, "--emit=plan", "-o", out)
    plan = json.loads(out.read_text())
    for phase, expected in zip(("forward", "backward"), closed_forms(name, config)):
        assert sent(plan, wide, phase, "block", ranks) == expected, (phase, priced)
    d, v = config.d, config.vocab
    embedding = {"vocabulary-embedding": [{"reduce_scatter": d}, {"all_gather": d}]}
    assert [
        sent(plan, wide, phase, "embedding", ranks) for phase in ("forward", "backward")
    ] == embedding.get(name, [{}, {}])
    if name in ("megatron", "vanilla") or (priced and name != "hidden-head"):
        return
    heads = {"hidden-head": [{"reduce_scatter": v}, {"all_gather": v}]}
    parallel = [{"all_gather": d}, {"reduce_scatter": d}]
    for phase, expected in zip(("forward", "backward"), heads.get(name, parallel)):
        # The norm in front of it sums one number each way.
        counted = sent(plan, wide, phase, "head", ranks)
        assert counted == expected | {"all_reduce": 1}, phase


def sent(plan, model, phase, component, ranks):
    """Elements per token, and per layer of a block, by kind of collective; of complete tensors."""
    sums = {}
    for entry in plan["collectives"]:
        where = (entry["function"], entry["phase"], entry["component"])
        is_counted = component != "block" or entry["layer"] is not None
        if where == ("gradient", phase, component) and is_counted:
            whole = ranks if entry["kind"] in ("all_gather", "all_to_all") else 1
            sums[entry["kind"]] = sums.get(entry["kind"], 0) + entry["elements"] * whole
    divisor = model.batch[0].size * (model.config.layers if component == "block" else 1)
    return {kind: elements / divisor for kind, elements in sums.items()}


@pytest.mark.parametrize("mesh, name", [("tp=2", name) for name in RULES] + [("tp=4", "sequence")])
def test_programs_count_the_closed_forms(program, mesh, name):
    compiled = program("cola", "tiny", mesh, f"--placement={name}")
    arguments = ("eval", "--inputs", compiled.model.inputs_file, "--gradients", "--json")
    report = json.loads(compiled.launch(*arguments).stdout.splitlines()[-1])
    assert report["plan_agrees"]
    counted = {entry["site"]: entry for entry in report["collectives"]}
    for entry in compiled.plan["collectives"]:
        if entry["function"] == "gradient":
            assert counted[entry["site"]]["bytes"] == entry["count"] * entry["bytes"]
    ranks = axis_size(mesh, "tp")
    forms = closed_forms(name, compiled.model.config)
    for phase, expected in zip(("forward", "backward"), forms):
        assert sent(compiled.plan, compiled.model, phase, "block", ranks) == expected


def test_a_replicated_first_factor_gathers_its_gradient_once(program):
    """A step gathers the gradients of q, k and v once per layer, and not the tokens."""
    compiled = program("cola", "tiny", "tp=2", "--placement=gathered")
    config = compiled.model.config
    gathered = [
        tensor["elements"]
        for entry in compiled.plan["collectives"]
        if (entry["function"], entry["kind"], entry["layer"]) == ("gradient", "all_gather", None)
        and entry["phase"] == "backward"
        for tensor in entry["tensors"]
    ]
    assert gathered == [config.d * 3 * config.rank / 2] * config.layers
