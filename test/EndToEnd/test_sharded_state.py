# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ZeRO-1: state sharded over dp, gradients scattered and parameters gathered in buckets of several
tensors. That a program trains like one whose state is not sharded is in test_placement_search.py,
what it computes in bf16 in test_mixed_precision.py."""

import collections
import itertools
import json
import math
import shutil

import pytest
from checks import check_training
from harness import CUDA, axis_size, relative_error
from safetensors.numpy import load, load_file

ZERO = "--zero=1"
# The tiny model fills several of this size, and has tensors that are larger.
BUCKET_BYTES = 40_000
BUCKETS = (ZERO, f"--bucket-bytes={BUCKET_BYTES}")
ALONE = (ZERO, "--disable-pass=boost-merge-collectives")


def launches(compiled, kind):
    """Returns the launches of gradients or parameters in a step, in order."""
    phase = "backward" if kind == "reduce_scatter" else "optimizer"
    return [
        entry
        for entry in compiled.plan["collectives"]
        if (entry["function"], entry["kind"], entry["axis"]) == ("step", kind, "dp")
        and entry["phase"] in (phase, "optimizer")
    ]


def full_bytes(compiled, entry):
    """Returns the bytes that are reduced or gathered; for a gather the plan has a rank's
    contribution."""
    return entry["bytes"] * (axis_size(compiled.mesh, "dp") if entry["kind"] == "all_gather" else 1)


def count_tensors(entries):
    return collections.Counter(
        (tensor["elements"], tensor["dtype"]) for entry in entries for tensor in entry["tensors"]
    )


@pytest.mark.parametrize("kind", ["reduce_scatter", "all_gather"])
@pytest.mark.parametrize("mesh", ["dp=2", "dp=2,tp=2"])
def test_a_bucket_is_one_launch(program, kind, mesh):
    """Equal tensors are sent, in as many launches as buckets of that size need."""
    alone = launches(program("cola", "tiny", mesh, *ALONE), kind)
    compiled = program("cola", "tiny", mesh, *BUCKETS)
    buckets = launches(compiled, kind)
    together = launches(program("cola", "tiny", mesh, ZERO), kind)
    assert count_tensors(alone) == count_tensors(buckets) == count_tensors(together)
    assert all(len(entry["tensors"]) == 1 for entry in alone)
    assert len(together) < len(buckets) < len(alone) / 2
    sizes = [full_bytes(compiled, entry) for entry in buckets]
    total = sum(sizes)
    for entry, size in zip(buckets, sizes, strict=True):
        assert size <= BUCKET_BYTES or len(entry["tensors"]) == 1
    # Two neighbors would not have fitted into one.
    assert all(a + b > BUCKET_BYTES for a, b in itertools.pairwise(sizes))
    assert len(buckets) <= 2 * math.ceil(total / BUCKET_BYTES)


@pytest.mark.parametrize(
    "kind, mesh, options",
    [
        ("full", "dp=2", ()),
        ("cola", "dp=2,tp=2", ()),
        ("lax", "dp=2", ("--micro-batches=2",)),
        ("svd", "dp=2,tp=2", ("--micro-batches=2",)),
    ],
)
def test_ten_steps_are_those_of_jax(program, kind, mesh, options):
    check_training(program(kind, "tiny", mesh, *BUCKETS, *options))


@pytest.mark.parametrize("options", [(), CUDA], ids=["cpu", "cuda"])
def test_executed_launches_are_those_of_the_plan(program, options):
    compiled = program("cola", "tiny", "dp=2", *BUCKETS, *options)
    arguments = ("train", "--data", compiled.model.tokens_file, "--steps", 4, "--json")
    report = json.loads(compiled.launch(*arguments).stdout.splitlines()[-1])
    assert report["plan_agrees"]
    planned = collections.Counter()
    for entry in compiled.plan["collectives"]:
        if entry["function"] == "step":
            planned[entry["kind"]] += entry["bytes"] * entry["count"]
    assert report["bytes_per_step"] == dict(planned)


def train_briefly(compiled, directory, *options, steps=2):
    """The tensors of the checkpoint after some steps at a constant rate."""
    checkpoint = directory / "checkpoint"
    compiled.launch(
        *("train", "--data", compiled.model.tokens_file, "--lr", 1e-3, "--min-lr", 1e-3),
        *("--eps", 1e-4, "--steps", steps, "--checkpoint", checkpoint, *options),
    )
    (last,) = directory.glob(f"checkpoint/*{steps}/tensors.safetensors")
    return last.read_bytes()


def test_gpus_train_alike_through_nccl_and_through_the_host(program, tmp_path, monkeypatch):
    """f32 sums of two terms are the same; so are those of one tensor and of a bucket."""
    compiled = program("cola", "tiny", "dp=2", *BUCKETS, *CUDA)
    check_training(compiled)
    expected = train_briefly(compiled, tmp_path / "nccl")
    monkeypatch.setenv("BOOST_CUDA_COLLECTIVES", "staged")
    assert train_briefly(compiled, tmp_path / "staged") == expected


def test_every_stage_and_mesh_goes_on_from_a_checkpoint(program, tmp_path):
    """With the parameters and the states that another has written: after one more step they are its
    own up to rounding."""
    layouts = [("dp=2", BUCKETS), ("tp=2", ()), ("dp=2,tp=2", BUCKETS), ("1", ()), ("dp=2,tp=2", ())]
    train_briefly(program("cola", "tiny", "dp=2", *BUCKETS), tmp_path / "first")
    found = []
    for number, (mesh, options) in enumerate(layouts):
        folder = tmp_path / str(number)
        shutil.copytree(tmp_path / "first", folder)
        found.append(load(train_briefly(program("cola", "tiny", mesh, *options), folder, "--resume", steps=3)))
    start = load_file(tmp_path / "first" / "checkpoint" / "step-2" / "tensors.safetensors")
    for name, expected in found[0].items():
        assert relative_error(start[name], expected) > 1e-4, name
        for tensors in found[1:]:
            assert relative_error(tensors[name], expected) < 1e-5, name


@pytest.mark.parametrize("precision", ["f32", "bf16"])
@pytest.mark.parametrize("mesh", ["dp=2", "dp=4", "dp=2,tp=2"])
def test_state_falls_by_the_ranks_that_share_it(program, precision, mesh):
    """To the byte: moments, and masters of bf16."""
    options = [] if precision == "f32" else ["--precision=bf16"]
    plain = program("cola", "tiny", mesh, *options).plan["memory"]
    shared = program("cola", "tiny", mesh, *BUCKETS, *options).plan["memory"]
    assert (plain["masters"] > 0) == (precision == "bf16")
    for part in ("optimizer", "masters"):
        assert shared[part] * axis_size(mesh, "dp") == plain[part]
    assert shared["parameters"] == plain["parameters"]
