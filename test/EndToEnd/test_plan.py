# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The plan has the numbers of the paper, and programs do what is planned."""

import json
import re
import time

import pytest
from harness import BATCH, SEQ, axis_size, run, tool

from boost_mlir import models
from boost_mlir.export import export_model

LOW_RANK = ("svd", "cola", "lax")
MESHES = [
    ("tiny", "tp=2"),
    ("tiny", "tp=4"),
    ("tiny", "dp=2,tp=2"),
    ("odd", "tp=2"),
    ("odd", "dp=2,tp=2"),
]
cases = pytest.mark.parametrize("shape, mesh", MESHES)
kinds = pytest.mark.parametrize("kind", LOW_RANK)


def collectives(plan, **wanted):
    """The collectives of one training step with the wanted fields."""
    return [
        entry
        for entry in plan["collectives"]
        if entry.get("function", "step") == "step"
        and all(entry[key] == value for key, value in wanted.items())
    ]


def elements(entries):
    return sum(entry["elements"] * entry["count"] for entry in entries)


@pytest.mark.one_in(3)
@kinds
@cases
def test_bottlenecks_send_seven_latents_per_block(program, kind, shape, mesh):
    """And forward the two statistics of its norms; backward nothing for them."""
    compiled = program(kind, shape, mesh)
    config = compiled.model.config
    tokens = BATCH * SEQ // axis_size(mesh, "dp")
    block = dict(kind="all_reduce", component="block", axis="tp")
    forward = elements(collectives(compiled.plan, phase="forward", **block))
    backward = elements(collectives(compiled.plan, phase="backward", **block))
    projections = config.layers * 7 * tokens * config.rank
    assert forward == projections + config.layers * 2 * tokens
    assert backward == projections


def block_launches(plan, phase, function="gradient"):
    return [
        entry
        for entry in plan["collectives"]
        if (entry["function"], entry["phase"], entry["component"]) == (function, phase, "block")
    ]


MERGE, GROUP = "--disable-pass=boost-merge-collectives", "--disable-pass=boost-group-linears"


@pytest.mark.one_in(5)
@kinds
@pytest.mark.parametrize("off", [[], [GROUP], [MERGE], [GROUP, MERGE]], ids=len)
def test_a_block_launches_four_all_reduces_each_way(program, kind, off):
    """With 14 T r elements and, forward, two statistics of T; never one of these alone."""
    merged, projections = MERGE not in off, 7 if off == [GROUP, MERGE] else 4
    compiled = program(kind, "tiny", "tp=4", *off)
    config, tokens = compiled.model.config, BATCH * SEQ
    counted = counters(compiled)
    for phase, statistics in (("forward", 2), ("backward", 0)):
        launches = block_launches(compiled.plan, phase)
        payload = config.layers * tokens * (7 * config.rank + statistics)
        assert elements(launches) == payload
        assert sum(counted[entry["site"]]["bytes"] for entry in launches) == 4 * payload
        count = projections + (0 if merged else statistics)
        assert sum(counted[entry["site"]]["executions"] for entry in launches) == (
            config.layers * count
        )
        alone = [entry for entry in launches if entry["elements"] == tokens]
        assert len(alone) == (0 if merged else config.layers * statistics)


NORM = "--disable-pass=boost-online-rms-norm"
# Launches of a block forward and backward, linears not grouped: the table of
# docs/Rewrites/MergeCollectives.md.
SETTINGS = ([NORM, MERGE], [NORM], [MERGE], [])
BOTTLENECKS, DENSE = [(9, 9), (6, 6), (9, 7), (4, 4)], [(2, 2)] * 4
TABLE = [(kind, {}, BOTTLENECKS) for kind in LOW_RANK]
TABLE += [("cola", dict(heads=8, kv_heads=4), BOTTLENECKS), ("full", {}, DENSE)]


@pytest.mark.parametrize("kind, overrides, expected", TABLE)
def test_launches_of_a_block_without_groups(tmp_path, kind, overrides, expected):
    source, path = tmp_path / "model.mlir", tmp_path / "plan.json"
    config = models.ModelConfig.of_size("tiny", kind, **overrides)
    source.write_text(export_model(config, BATCH, SEQ))
    for off, launches in zip(SETTINGS, expected):
        run(tool("boost-compile"), source, "--mesh=tp=4", GROUP, *off, "--emit=plan", "-o", path)
        plan = json.loads(path.read_text())
        entries = [block_launches(plan, phase) for phase in ("forward", "backward")]
        counts = [sum(entry["count"] for entry in phase) for phase in entries]
        assert counts == [config.layers * count for count in launches]


@pytest.mark.one_in(5)
@pytest.mark.parametrize("kind", models.KINDS)
@pytest.mark.parametrize("shape", ["tiny", "odd", "scan", "bf16"])
def test_nothing_is_copied(model, tmp_path, kind, shape):
    """Products are written into their part of a larger buffer, packed parameters never move.

    A kernel that reads and computes nothing is a copy too: under grouped-query attention, LaX
    has two in its first block, which adds gradients of latents of unequal width to those that
    come from the next block, one after the other and padded."""
    padded = 2 if (kind, shape) == ("lax", "odd") else 0
    plan, runtime = tmp_path / "plan.json", tmp_path / "runtime.mlir"
    for level, path in (("plan", plan), ("runtime", runtime)):
        options = ("--mesh=tp=2", f"--emit={level}", "-o", path)
        run(tool("boost-compile"), model(kind, shape).text_file, *options)
    for launches in json.loads(plan.read_text())["launches"].values():
        assert launches["gemm"] and "copy" not in launches
    kernels = runtime.read_text().split("func.func private @kernel")[1:]
    arithmetic = re.compile(r"math\.|arith\.(add|sub|mul|div|neg|maximum|minimum|cmp|ext|trunc)f")
    readers = [kernel for kernel in kernels if " ins(" in kernel]
    assert readers
    assert len([kernel for kernel in readers if not arithmetic.search(kernel)]) == padded


@pytest.mark.parametrize("mesh", ["1", "tp=2"])
def test_grouping_saves_products(program, mesh):
    """In a block q, k, v become one product and gate and up another: down, up and their
    gradients."""
    launches = [
        program("cola", "tiny", mesh, *off).plan["launches"]["gradient"]["gemm"]
        for off in ([], [GROUP])
    ]
    config = program("cola", "tiny", mesh).model.config
    # A bottleneck is two products, four more backward; groups of three and two save three.
    # Values are multiplied apart from queries and keys: only they are kept as they come.
    assert launches[1] - launches[0] == config.layers * (3 * 6 - 1)


def test_without_the_norm_rewrite_norms_communicate_alone(program):
    compiled = program("cola", "tiny", "tp=4", "--disable-pass=boost-online-rms-norm")
    config, tokens = compiled.model.config, BATCH * SEQ
    for phase in ("forward", "backward"):
        sizes = [entry["elements"] for entry in block_launches(compiled.plan, phase)]
        assert sizes.count(tokens) == 2 * config.layers and len(sizes) == 6 * config.layers


def test_a_full_rank_block_launches_two_all_reduces_each_way(program):
    compiled = program("full", "tiny", "tp=4")
    config = compiled.model.config
    for phase in ("forward", "backward"):
        launches = block_launches(compiled.plan, phase)
        assert len(launches) == 2 * config.layers
        assert elements(launches) == config.layers * 2 * BATCH * SEQ * config.d


def test_gradients_are_reduced_in_buckets(program):
    whole = program("cola", "tiny", "dp=2,tp=2")
    bucketed = program("cola", "tiny", "dp=2,tp=2", "--bucket-bytes=16384")
    entries = {p: collectives(p.plan, axis="dp", component="gradients") for p in (whole, bucketed)}
    assert len(entries[whole]) == 1 and len(entries[bucketed]) > 1
    assert elements(entries[whole]) == elements(entries[bucketed])
    for entry in entries[bucketed]:
        assert entry["phase"] == "backward"
        assert entry["bytes"] <= 16384 or len(entry["tensors"]) == 1


@pytest.mark.parametrize("shape", ["tiny", "bf16"])
def test_accumulated_gradients_are_reduced_once_per_update(program, shape):
    whole = program("cola", shape, "dp=2,tp=2")
    compiled = program("cola", shape, "dp=2,tp=2", "--accumulate=2")
    by_function = {
        name: [e for e in compiled.plan["collectives"] if e["function"] == name and e["axis"] == "dp"]
        for name in ("accumulate", "update")
    }
    # Every micro-batch has a loss.
    assert [(e["component"], e["elements"]) for e in by_function["accumulate"]] == [("loss", 1)]
    assert {e["component"] for e in by_function["update"]} == {"gradients"}
    gradients = collectives(whole.plan, axis="dp", phase="backward")
    assert elements(by_function["update"]) == elements(gradients)
    steps = 2
    result = compiled.launch(
        *("train", "--data", compiled.model.tokens_file, "--steps", steps, "--json")
    )
    assert json.loads(result.stdout.splitlines()[-1])["plan_agrees"]


@kinds
@cases
def test_blocks_only_reduce(program, kind, shape, mesh):
    compiled = program(kind, shape, mesh)
    assert {entry["kind"] for entry in collectives(compiled.plan, component="block")} == {"all_reduce"}


def test_one_rank_sends_nothing(program):
    assert program("cola", "tiny", "1").plan["collectives"] == []


@kinds
def test_the_binary_carries_the_plan(program, kind):
    compiled = program(kind, "tiny", "dp=2,tp=2")
    command = (tool("boost-compile"), compiled.model.text_file, *compiled.options, "--emit=plan", "-o", "-")
    assert compiled.plan == json.loads(run(*command).stdout)
    assert compiled.plan["memory"]["peak"] > 0


@pytest.mark.parametrize("mesh", ["tp=2", "dp=2,tp=2"])
def test_plans_name_every_collective(program, mesh):
    for entry in program("cola", "tiny", mesh).plan["collectives"]:
        assert entry["kind"] in (
            "all_reduce",
            "reduce_scatter",
            "all_gather",
            "all_to_all",
            "send_recv",
        )
        assert entry["phase"] in ("forward", "backward", "optimizer")
        assert entry["component"] in ("block", "embedding", "head", "loss", "gradients", "optimizer")
        assert entry["axis"] in ("dp", "tp") or set(entry["axis"].split(",")) <= {"dp", "tp"}
        assert entry["bytes"] == entry["elements"] * {"f32": 4, "i32": 4}[entry["dtype"]]
        assert entry["count"] >= 1 and "location" in entry
        assert sum(tensor["elements"] for tensor in entry["tensors"]) == entry["elements"]
        assert {tensor["dtype"] for tensor in entry["tensors"]} == {entry["dtype"]}


def test_one_launch_of_several_types_says_so(program):
    """The statistic of a bf16 model is f32, and travels with bf16 latents."""
    compiled = program("cola", "bf16", "tp=2")
    sizes = {"f32": 4, "bf16": 2}
    mixed = [entry for entry in compiled.plan["collectives"] if entry["dtype"] == "mixed"]
    assert mixed
    for entry in mixed:
        assert {tensor["dtype"] for tensor in entry["tensors"]} == {"f32", "bf16"}
        assert entry["bytes"] == sum(t["elements"] * sizes[t["dtype"]] for t in entry["tensors"])


def test_rounded_gradients_are_gradients(program):
    """The gradient of a bf16 norm is summed in f32, reduced, and rounded."""
    plan = program("cola", "bf16", "dp=2,tp=2").plan
    assert {e["component"] for e in collectives(plan, axis="dp")} == {"loss", "gradients"}


def test_launches_are_counted(program):
    plan = program("cola", "tiny", "tp=2").plan
    launches = plan["launches"]["step"]
    assert launches["all_reduce"] == len(collectives(plan, kind="all_reduce"))
    assert launches["total"] == sum(count for name, count in launches.items() if name != "total")


def counters(compiled):
    """Returns the counts of each collective in one run of @gradient, by site."""
    result = compiled.launch(
        *("eval", "--inputs", compiled.model.inputs_file, "--gradients", "--json")
    )
    report = json.loads(result.stdout.splitlines()[-1])
    assert report["plan_agrees"] and "differ from the plan" not in result.stderr
    return {entry["site"]: entry for entry in report["collectives"]}


@kinds
@pytest.mark.parametrize("mesh", ["1", "tp=2", "dp=2,tp=2"])
def test_what_runs_is_what_was_planned(program, kind, mesh):
    """The binary counts the collectives that it executes, and their bytes."""
    compiled = program(kind, "tiny", mesh)
    planned = [e for e in compiled.plan["collectives"] if e["function"] == "gradient"]
    counted = counters(compiled)
    assert len(counted) == len(planned)
    for entry in planned:
        executed = counted[entry["site"]]
        assert executed["executions"] == entry["count"]
        assert executed["bytes"] == entry["count"] * entry["bytes"]


@pytest.mark.parametrize("mesh", ["1", "dp=2,tp=2"])
def test_training_sends_what_was_planned(program, mesh):
    compiled = program("cola", "tiny", mesh)
    steps = 3
    result = compiled.launch(
        *("train", "--data", compiled.model.tokens_file, "--steps", steps, "--json")
    )
    summary = json.loads(result.stdout.splitlines()[-1])
    assert summary["plan_agrees"] and summary["ranks"] == compiled.ranks
    planned = collectives(compiled.plan, kind="all_reduce")
    bytes_per_step = sum(entry["count"] * entry["bytes"] for entry in planned)
    assert summary["all_reduce_bytes_per_step"] == bytes_per_step


def test_seven_billion_parameters_are_planned_within_a_minute(tmp_path):
    config = models.ModelConfig.of_size("7b", "cola")
    path, plan_path = tmp_path / "cola7b.mlir", tmp_path / "plan.json"
    path.write_text(export_model(config, batch=4, seq=4096))
    start = time.monotonic()
    run(tool("boost-compile"), path, "--mesh", "tp=4", "--emit=plan", "-o", plan_path)
    assert time.monotonic() - start < 60
    plan = json.loads(plan_path.read_text())
    forward = collectives(plan, kind="all_reduce", phase="forward", component="block")
    tokens = 4 * 4096
    assert elements(forward) == config.layers * (7 * tokens * config.rank + 2 * tokens)
