# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs on the stages of a pipeline compute what JAX computes on one device."""

import json

import pytest
from checks import check_loss_and_gradients, check_training
from harness import ALL_PIPELINES, CUDA, run, tool

SCHEDULES = ["gpipe", "1f1b", "zb-h1"]


def order(schedule, number):
    return f"--pipeline-schedule={schedule}", f"--micro-batches={number}"


# Every model, mesh and schedule once; all of them together with BOOST_ALL_PIPELINES.
CASES = [
    ("cola", "tiny", "pp=2", order("1f1b", 4)),
    ("svd", "tied", "pp=2,tp=2", order("zb-h1", 2)),
    ("lax", "odd", "pp=3", order("gpipe", 2)),
    ("full", "scan", "dp=2,pp=2,tp=2", order("1f1b", 2)),
    ("svd", "deep", "pp=2", ("--pipeline-chunks=2", *order("interleaved", 4))),
    ("cola", "deep", "pp=4", order("zb-h1", 4)),
    ("cola", "tiny", "dp=2,pp=2", ("--zero=1", *order("1f1b", 2))),
]
if ALL_PIPELINES:
    KINDS = ("full", "svd", "cola", "lax")
    CASES = [
        (kind, shape, mesh, order(schedule, number))
        for kind in KINDS
        for shape in ("tiny", "scan", "tied", "deep")
        for mesh in ("pp=2", "pp=2,tp=2", "dp=2,pp=2", "dp=2,pp=2,tp=2")
        for schedule in SCHEDULES
        for number in (1, 2)
    ]
    # Four layers are enough for four stages, and for two with two chunks each.
    CASES += [
        (kind, "deep", mesh, (*chunks, *order(schedule, number)))
        for kind in KINDS
        for mesh, schedule, *chunks in [
            *(("pp=4", schedule) for schedule in SCHEDULES),
            ("pp=2", "interleaved", "--pipeline-chunks=2"),
            ("pp=2,tp=2", "interleaved", "--pipeline-chunks=2"),
        ]
        for number in (2, 4)
    ]


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind, shape, mesh, options", CASES)
def test_models_train_as_in_jax(program, kind, shape, mesh, options):
    compiled = program(kind, shape, mesh, *options)
    check_training(compiled)
    check_loss_and_gradients(compiled)
    result = compiled.launch("eval", "--inputs", compiled.model.inputs_file, "--json")
    assert json.loads(result.stdout)["plan_agrees"]


ON_GPUS = [("cola", "tiny", "pp=2", order("zb-h1", 2))]
if ALL_PIPELINES:
    ON_GPUS = [
        (kind, shape, mesh, options)
        for kind in KINDS
        for shape, mesh, options in [
            ("tiny", "pp=2", order("zb-h1", 2)),
            ("scan", "pp=2,tp=2", order("1f1b", 2)),
            ("tied", "dp=2,pp=2", order("gpipe", 2)),
            ("deep", "pp=2", ("--pipeline-chunks=2", *order("interleaved", 4))),
        ]
    ]


@pytest.mark.parametrize("kind, shape, mesh, options", ON_GPUS)
def test_gpus_compute_what_jax_computes(program, kind, shape, mesh, options):
    check_training(program(kind, shape, mesh, *options, *CUDA))


def test_ranks_over_tcp_compute_the_same(program, start_ranks, tmp_path):
    """The bytes of a run over MPI; a rank that stops is named within the limit."""
    compiled = program("cola", "tiny", "pp=2,tp=2", *order("1f1b", 4))
    arguments = ["train", "--data", compiled.model.tokens_file, "--steps", 5, "--lr", 1e-3]
    compiled.launch(*arguments, "--save", tmp_path / "mpi.safetensors")
    assert start_ranks(compiled, *arguments, "--save", tmp_path / "tcp.safetensors").wait()[0] == 0
    assert (tmp_path / "mpi.safetensors").read_bytes() == (tmp_path / "tcp.safetensors").read_bytes()


def train(compiled, folder, steps, *options):
    """The bytes of the parameters after this step, of a run that keeps its state in a folder."""
    saved = folder / f"saved-{compiled.directory.name}-{steps}.safetensors"
    compiled.launch(
        *("train", "--data", compiled.model.tokens_file, "--init", compiled.model.params_file),
        *("--steps", steps, "--lr", 1e-3, "--schedule", "constant", "--seed", 0),
        *("--checkpoint", folder / "run", "--save", saved, *options),
    )
    return saved.read_bytes()


@pytest.mark.parametrize("shape", ["tied", "tiny", "scan"])
def test_checkpoints_do_not_depend_on_the_pipeline(program, tmp_path, shape):
    """What one layout has written, all others read: a tied parameter on two stages, stacked ones that
    stages have rows of, states, bytes."""
    layouts = [("pp=2", order("1f1b", 2)), ("1", ("--micro-batches=2",)), ("pp=2,tp=2", order("gpipe", 2))]
    programs = [program("cola", shape, mesh, *options) for mesh, options in layouts]
    first = train(programs[0], tmp_path, 3)
    for compiled in programs[1:]:
        assert train(compiled, tmp_path, 3, "--resume") == first
    expected = train(programs[0], tmp_path / "other", 5)
    assert train(programs[0], tmp_path, 5, "--resume") == expected


def test_a_stage_has_memory_for_its_layers_only(program):
    """Slots of 1F1B are p - s at stage s, those of GPipe m; parameters are divided."""
    whole = program("cola", "deep", "1", "--accumulate=8").plan["memory"]
    for schedule, slots in (("1f1b", [4, 3, 2, 1]), ("gpipe", [8, 8, 8, 8])):
        compiled = program("cola", "deep", "pp=4", f"--pipeline-schedule={schedule}", "--accumulate=8")
        manifest = compiled.info
        stages = manifest["pipeline"]["stages"]
        assert [stage["stash"]["slots"] for stage in stages] == slots
        memory = compiled.plan["memory"]
        assert [each["peak"] for each in memory["stages"]] == [each["arena_bytes"] for each in stages]
        assert max(each["peak"] for each in memory["stages"]) == memory["peak"]
        assert sum(each["parameters"] for each in memory["stages"]) < 1.1 * whole["parameters"]
        assert max(each["parameters"] for each in memory["stages"]) < 0.5 * whole["parameters"]


def test_stacked_parameters_are_divided_like_those_of_single_layers(program):
    """A scan takes the memory of unrolled layers, and its files have whole parameters."""
    scan, unrolled = (program("cola", shape, "pp=2", *order("1f1b", 2)) for shape in ("scan", "tiny"))
    for one, other in zip(scan.plan["memory"]["stages"], unrolled.plan["memory"]["stages"]):
        assert one["parameters"] == other["parameters"] and one["peak"] < 1.05 * other["peak"]
    [norm] = [each for each in scan.info["parameters"]["tensors"] if each["name"] == "layers.attn.norm"]
    rows = [{"stage": stage, "first": stage, "count": 1, "bytes_per_rank": 256} for stage in range(2)]
    assert norm["rows"] == rows and norm["shape"] == [2, 64] and norm["stages"] == [0, 1]


def test_gradients_alone_need_no_more_slots_than_training(program):
    stages = program("cola", "deep", "pp=4", *order("1f1b", 4)).info["pipeline"]["stages"]
    assert [stage["stash"]["slots"] for stage in stages] == [4, 3, 2, 1]


def test_what_stages_send_is_planned(program, tmp_path):
    """The bytes that a rank of the first stage counts are those of the plan: also of a tied parameter."""
    for kind, shape, mesh, options in [
        ("svd", "tied", "pp=2,tp=2", order("zb-h1", 2)),
        ("cola", "deep", "pp=4", order("1f1b", 4)),
    ]:
        compiled = program(kind, shape, mesh, *options)
        planned = {}
        for sent in compiled.plan["sends"]:
            if sent["from"] == 0:
                totals = planned.setdefault(sent["schedule"], {"executions": 0, "bytes": 0})
                totals["executions"] += sent["count"]
                totals["bytes"] += sent["bytes"]
        data = ("--data", compiled.model.tokens_file, "--steps", 3, "--lr", 1e-3, "--json")
        trained = json.loads(compiled.launch("train", *data).stdout.splitlines()[-1])
        assert trained["bytes_per_step"]["send"] == planned["train"]["bytes"] > 0
        read = json.loads(compiled.launch("eval", "--inputs", compiled.model.inputs_file, "--json").stdout)
        assert read["totals"]["send"] == planned["gradients"]


def test_a_pipeline_with_too_few_layers_is_refused(model, tmp_path):
    text = model("cola", "tiny").text_file
    command = [tool("boost-compile"), text, "-o", tmp_path / "train"]
    result = run(*command, "--mesh=pp=4", check=False)
    assert result.returncode == 3
    assert "expects at least one layer for each of 4 parts of the pipeline, but found 2" in result.stderr
    result = run(*command, "--mesh=pp=2", "--pipeline-layout=1,2", check=False)
    assert "whose sum is 2, the number of layers, but got 1, 2" in result.stderr
