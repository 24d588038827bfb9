# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A 7B model on tp=4, on the emulator without its arithmetic: what four ranks call, and that it is
what the plan says. Two of its layers: the others call the same."""

import json
import re
from collections import Counter

import numpy as np
import pytest
from harness import CUDA, REPOSITORY, compiler, run

from boost_mlir import data, models
from boost_mlir.export import export_model

RANKS, STEPS = 4, 3
COLLECTIVES = ("all_reduce", "all_gather", "reduce_scatter")


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """The plan, `info` and the log of every rank. The first step runs eagerly, the second is
    recorded, and the third replayed."""
    folder = tmp_path_factory.mktemp("7b")
    model, binary, log = folder / "model.mlir", folder / "train", folder / "log"
    config = models.ModelConfig.of_size("7b", "cola", layers=2, dtype="bf16")
    model.write_text(export_model(config, 1, 4096))
    options = ("--mesh", "tp=4", *CUDA)
    run(compiler(*options), model, *options, "-o", binary)
    plan = json.loads(run(compiler(*options), model, *options, "--emit=plan").stdout)
    data.write_tokens(folder / "tokens.bin", np.arange(20000, dtype=np.uint16))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOOST_EMULATOR_SKIP", "1")
        patch.setenv("BOOST_EMULATOR_LOG", str(log))
        command = (binary, "train", "--data", folder / "tokens.bin", "--steps", STEPS, "--json")
        result = run("mpirun", "-np", RANKS, "--oversubscribe", *command)
    assert "emulated GPU:" not in result.stderr
    assert json.loads(result.stdout.splitlines()[-1])["plan_agrees"]
    info = json.loads(run(binary, "info").stdout)
    logs = [[json.loads(line) for line in open(f"{log}{rank}")] for rank in range(RANKS)]
    return plan, info, logs


def planned_calls(kind, layers, folder):
    """The calls of a step that is placed by rules."""
    model = folder / f"{kind}-{layers}.mlir"
    config = models.ModelConfig.of_size("7b", kind, layers=layers, dtype="bf16")
    model.write_text(export_model(config, 1, 4096))
    rules = f"--placement={'megatron' if kind == 'full' else 'bottleneck'}"
    options = ("--mesh", "tp=4", rules, "--target=cuda", "--emit=plan")
    plan = run(compiler(*options), model, *options)
    return json.loads(plan.stdout)["launches"]["step"]


def test_calls_of_a_block_are_those_of_the_documentation(tmp_path):
    lines = (REPOSITORY / "docs" / "GPU.md").read_text().splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if "|" in line]
    names = next(row for row in rows if row[0] == "model")
    tables = {row[0]: dict(zip(names[1:], map(int, row[1:]))) for row in rows if row[0] in models.KINDS}
    assert set(tables) == set(models.KINDS)
    for kind, table in tables.items():
        few, many = (planned_calls(kind, layers, tmp_path) for layers in (2, 3))
        added = {name: many[name] - few.get(name, 0) for name in many if name != "total"}
        assert {name: count for name, count in added.items() if count} == table, kind


def test_ranks_issue_the_same_collectives(trained):
    _, _, logs = trained
    keys = ("call", "communicator", "src_bytes", "dst_bytes")
    sequences = [[tuple(c[k] for k in keys) for c in log if "communicator" in c] for log in logs]
    assert sequences[0]
    assert all(sequence == sequences[0] for sequence in sequences)


def test_calls_are_those_of_the_plan(trained):
    plan, _, logs = trained
    planned = plan["launches"]["step"]
    tensors = Counter()
    for collective in plan["collectives"]:
        if collective["function"] == "step":
            parts = len(collective["tensors"]) if collective["kind"] == "all_reduce" else 1
            tensors[collective["kind"]] += collective["count"] * parts
    for log in logs:
        called = Counter(call["call"] for call in log)
        kernels = Counter(re.sub(r"_\d+$", "", c["name"]) for c in log if c["call"] == "kernel")
        assert called["gemm"] == STEPS * planned["gemm"]
        assert kernels["kernel"] == STEPS * planned["launch"]
        adamw = sum(n for name, n in kernels.items() if name.startswith("boost_adamw"))
        assert adamw == STEPS * planned["adamw"]
        # In bf16, so by cuDNN, a plan each way.
        assert called["cudnn"] == STEPS * (planned["attention_forward"] + planned["attention_backward"])
        for kind in COLLECTIVES:
            assert called[kind] == STEPS * tensors[kind], kind


def test_memory_is_what_the_plan_says(trained):
    """Pointers of kernels and products lie in it; whole ranges the emulator checks."""
    plan, info, logs = trained
    peak = plan["memory"]["peak"]
    assert info["arena_bytes"] == peak
    # Behind the arena are constants and a flag; what calls use while they run is inside.
    behind = 1 << 20
    for log in logs:
        pointers = [p for call in log for p in call.get("pointers", ())]
        assert max(pointers) - min(pointers) < peak + behind
        (workspace,) = {tuple(call["workspace"]) for call in log if call["call"] == "gemm"}
        begin, size = workspace
        assert size >= 32 << 20 and min(pointers) < begin <= min(pointers) + peak - size
