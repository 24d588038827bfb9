# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`eval --verify` finds nothing in correct programs, and names what broken ones do wrong."""

import json
import os
import re
import shutil

import jax.numpy as jnp
import numpy as np
import pytest
from harness import run, tool
from safetensors.numpy import load_file, save_file

import boost_mlir
from boost_mlir import models
from boost_mlir.export import export
from boost_mlir.naming import named_leaves

MESHES = ["1", "tp=2", "tp=4", "dp=2,tp=2"]
SECOND = " on the second inputs"

SHAPES = ["tiny", "bf16"]
# Every model on two meshes, in f32 on one and in bf16 on the other: each mesh has both as well.
# BOOST_ALL_VERIFIED=1 takes all combinations.
CASES = [
    (kind, shape, mesh)
    for i, kind in enumerate(models.KINDS)
    for j, mesh in enumerate(MESHES)
    for k, shape in enumerate(SHAPES)
    if (i + j + 2 * k) % 4 == 0 or os.environ.get("BOOST_ALL_VERIFIED")
]


def results_of(function, inputs=""):
    """The phase of what a function without probes returned."""
    return f"the results of '{function}'{inputs}"


def names_in(report, phase):
    return {tensor["name"] for tensor in report["tensors"] if tensor["phase"] == phase}


def verify(compiled, *extra, check=True):
    """The report, and the process."""
    command = ("eval", "--inputs", compiled.model.inputs_file, "--verify", "--json", *extra)
    result = compiled.launch(*command, check=check)
    # mpirun adds its own lines where a rank fails.
    lines = [line for line in result.stdout.splitlines() if line.startswith("{")]
    return json.loads(lines[-1]) if lines else None, result


def unpacked(name):
    """The names that a packed parameter stands for: `attn.{q,k}.up` for two."""
    packed = re.fullmatch(r"(.*)\{(.*)\}(.*)", name)
    if not packed:
        return [name]
    before, parts, after = packed.groups()
    return [before + part + after for part in parts.split(",")]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("kind, shape, mesh", CASES)
def test_correct_programs_are_within_their_bounds(program, kind, shape, mesh):
    report, _ = verify(program(kind, shape, mesh, "--verify"))
    assert report["verified"], report["first_error"]
    tensors = report["tensors"]
    probed = {
        name
        for tensor in tensors
        if not tensor["phase"].startswith("the results of")
        for name in unpacked(tensor["name"])
    }
    # The functions that commands run know parameters by the names that users know.
    names = [name for name, _ in named_leaves(program(kind, shape, mesh, "--verify").model.params)]
    gradients = {f"grad.{name}" for name in names}
    # Parameters of bf16 have masters.
    prefixes = ["", "adamw.m.", "adamw.v.", *(["master."] if shape == "bf16" else [])]
    states = {prefix + name for prefix in prefixes for name in names}
    assert probed >= gradients | states
    assert report["functions"] == ["gradient", "loss", "step"] and report["input_sets"] == 2
    for inputs in ("", SECOND):
        assert names_in(report, results_of("loss", inputs)) == {"loss"}
        assert names_in(report, results_of("gradient", inputs)) == {"loss"} | gradients
        assert names_in(report, results_of("step", inputs)) == {"loss", "grad_norm"} | states
    # Operations come from the lines of the model.
    located = [tensor for tensor in tensors if "llama.py:" in tensor["location"]]
    assert len(located) > len(tensors) / 2


def shown(report):
    """What is compared, in the order of its names."""
    columns = ("name", "location", "phase", "shape", "dtype")
    return sorted({json.dumps([tensor[column] for column in columns]) for tensor in report["tensors"]})


# Stages show what one rank shows: unrolled, tied and stacked parameters, and two chunks on each stage.
PIPELINES = [
    ("cola", "tiny", "pp=2", "1f1b", 4),
    ("svd", "tied", "pp=2,tp=2", "zb-h1", 2),
    ("full", "scan", "dp=2,pp=2", "gpipe", 2),
    ("svd", "deep", "pp=2", "interleaved", 2),
]
if os.environ.get("BOOST_ALL_VERIFIED"):
    PIPELINES = [
        (kind, shape, mesh, schedule, 2)
        for kind in models.KINDS
        for shape in ("tiny", "tied", "scan", "bf16")
        for mesh in ("pp=2", "pp=2,tp=2", "dp=2,pp=2")
        for schedule in ("1f1b", "zb-h1")
    ]


@pytest.mark.one_in(6)
@pytest.mark.parametrize("kind, shape, mesh, schedule, number", PIPELINES)
def test_pipeline_stages_are_within_their_bounds(program, kind, shape, mesh, schedule, number):
    chunks = ("--pipeline-chunks=2",) if schedule == "interleaved" else ()
    compiled = program(
        *(kind, shape, mesh, "--verify", f"--micro-batches={number}"),
        *(f"--pipeline-schedule={schedule}", *chunks),
    )
    report, _ = verify(compiled)
    assert report["verified"], report["first_error"]
    assert report["functions"] == ["accumulate", "gradient", "loss", "update"] and report["input_sets"] == 2
    assert {tensor["held"].partition("of stage ")[2] for tensor in report["tensors"]} >= {"0", "1"}
    # Interpreting the reference again takes long.
    if mesh == "pp=2":
        return
    alone, _ = verify(program(kind, shape, mesh.replace("pp=2", "pp=1"), "--verify", f"--micro-batches={number}"))
    assert shown(report) == shown(alone)
    assert report["loss"] == pytest.approx(alone["loss"], rel=1e-2 if shape == "bf16" else 1e-5)


# The pass that is inserted into the program of one rank, the mesh that it needs, and the first
# tensor that is wrong.
BROKEN = {
    "drop-all-reduce": ("tp=2", "test-boost-drop-all-reduce", "dot_general layers.0.attn.{q,k,v}.down"),
    "scale-gradient": (
        "1",
        "test-boost-scale-gradient{parameter=layers.1.mlp.down.down}",
        "layers.1.mlp.down.down",
    ),
    # The functions with probes are right; parameters are packed.
    "scale-gradient-of-step": (
        "1",
        "test-boost-scale-gradient{function=step parameter=layers.0.attn.{q,k,v}.down}",
        "layers.0.attn.q.down",
    ),
    "swap-shards": ("tp=2", "test-boost-swap-shards", None),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_passes_are_named(program, case):
    mesh, broken, name = BROKEN[case]
    insertion = f"--insert-pass=after:rematerialize:{broken}"
    compiled = program("cola", "tiny", mesh, "--verify", insertion)
    report, result = verify(compiled, check=False)
    assert result.returncode == 1
    assert not report["verified"]
    first = report["first_error"]
    assert first["error"] > 10 * first["bound"]
    assert "llama.py:" in first["location"]
    assert name is None or first["name"] == name
    # All before it are right, and it is the first that is not.
    oks = [tensor["ok"] for tensor in report["tensors"]]
    assert oks.index(False) == report["tensors"].index(first)


# The gradient on each stage, with probes and without, or what the update reads.
@pytest.mark.one_in(2)
@pytest.mark.parametrize("stage, function, prefix", [(0, "", "grad."), (1, "", "grad."), (1, "update", "")])
def test_broken_gradients_of_a_stage_are_named(program, stage, function, prefix):
    name = f"layers.{stage}.mlp.down.down"
    options = f"function={function} parameter={name}" if function else f"parameter={name}"
    insertion = f"--insert-pass=after:rematerialize:test-boost-scale-gradient{{{options}}}"
    compiled = program("cola", "tiny", "pp=2", "--verify", "--micro-batches=2", insertion)
    report, result = verify(compiled, check=False)
    assert result.returncode == 1 and not report["verified"]
    first = report["first_error"]
    assert first["name"] == prefix + name and first["held"] == f"of stage {stage}"
    assert first["error"] > 10 * first["bound"]


# Results may be right all the same, or depend on what the memory holds.
BROKEN_MEMORY = {
    "unwritten": (
        "function=loss",
        "two runs of the function 'loss' from the same inputs differ in 'loss'",
    ),
    "overwritten": (
        "function=gradient overwrite",
        "the function 'gradient' changed its input 'head'",
    ),
}


@pytest.mark.parametrize("case", BROKEN_MEMORY)
def test_wrong_use_of_memory_is_found(program, case):
    options, finding = BROKEN_MEMORY[case]
    broken = f"test-boost-break-memory{{{options}}}"
    compiled = program("cola", "tiny", "1", "--verify", f"--insert-pass=after:lower:{broken}")
    report, result = verify(compiled, check=False)
    assert result.returncode == 1 and not report["verified"]
    assert finding in report["findings"]
    # Nothing else is wrong with an input that is lost at the end.
    assert case == "unwritten" or report["first_error"] is None


def test_a_wrong_factor_is_found_in_bf16(program):
    """Elements of the gradient may be off by far more than 1 %, but not all of them alike."""
    parameter = "layers.1.mlp.down"
    broken = f"test-boost-scale-gradient{{parameter={parameter}}}"
    compiled = program(
        "full", "bf16", "1", "--verify", f"--insert-pass=after:rematerialize:{broken}"
    )
    report, _ = verify(compiled, check=False)
    first = report["first_error"]
    assert first["name"] == f"adamw.m.{parameter}"
    assert first["error"] < first["bound"]
    assert first["gain"] == pytest.approx(0.01, abs=first["gain_bound"] / 2)


def test_the_table_names_the_first_wrong_tensor(program):
    _, broken, name = BROKEN["drop-all-reduce"]
    compiled = program(
        "cola", "tiny", "tp=2", "--verify", f"--insert-pass=after:rematerialize:{broken}"
    )
    command = ("eval", "--inputs", compiled.model.inputs_file, "--verify")
    result = compiled.launch(*command, check=False)
    assert "OUT OF BOUND" in result.stdout
    assert f"the first tensor out of its bounds is '{name}'" in result.stderr


def test_the_table_of_a_correct_program(program):
    compiled = program("cola", "tiny", "tp=2", "--verify")
    result = compiled.launch("eval", "--inputs", compiled.model.inputs_file, "--verify")
    lines = result.stdout.splitlines()
    columns = ["tensor", "location", "type", "error", "bound", "gain", "bound", "ratio"]
    assert lines[0].split() == columns
    assert re.fullmatch(
        r"verified: 3 functions on 2 sets of inputs, \d{3} tensors are within their bounds", lines[-1]
    )
    assert any("f32[4, 16, 16]" in line and line.endswith(" ok") for line in lines)


def test_the_files_can_be_kept(program, tmp_path):
    compiled = program("cola", "tiny", "1", "--verify")
    verify(compiled, "--keep", tmp_path / "kept")
    kept = {path.name for path in (tmp_path / "kept").iterdir()}
    files = {"inputs.safetensors", "inputs-2.safetensors", "reference.safetensors"}
    assert kept == {"program.mlir", *files}


def test_what_was_kept_needs_no_evaluator(program, tmp_path, monkeypatch):
    """On a machine without the compiler, say; for the same program and inputs alone."""
    compiled, kept = program("cola", "tiny", "1", "--verify"), tmp_path / "kept"
    evaluated, _ = verify(compiled, "--keep", kept)
    monkeypatch.setenv("BOOST_EVAL", str(tmp_path / "missing"))
    compared, _ = verify(compiled, "--reference", kept)
    assert compared == evaluated

    def refused():
        command = ("eval", "--inputs", compiled.model.inputs_file, "--verify", "--reference", kept)
        result = compiled.launch(*command, check=False)
        assert result.returncode == 2
        return result.stderr

    other = bytearray((kept / "inputs.safetensors").read_bytes())
    other[-1] ^= 1
    (kept / "inputs.safetensors").write_bytes(other)
    assert "inputs.safetensors' is not what this run has for it" in refused()
    (kept / "program.mlir").unlink()
    assert "cannot open file" in refused()


ACCUMULATING = ["accumulate", "gradient", "loss", "update"]


def test_accumulating_programs_verify_every_function(program):
    compiled = program("cola", "tiny", "dp=2,tp=2", "--accumulate=2", "--verify")
    report, _ = verify(compiled)
    assert report["verified"], report["first_error"]
    assert report["functions"] == ACCUMULATING
    assert report["loss"] == float(compiled.evaluate()["loss"])
    names = [name for name, _ in named_leaves(compiled.model.params)]
    for inputs in ("", SECOND):
        sums = names_in(report, results_of("accumulate", inputs))
        assert sums == {"loss"} | {f"acc.{name}" for name in names}
        assert names_in(report, results_of("update", inputs)) >= {"grad_norm", *names}
    # Ranks hold terms of the sums.
    held = {tensor["held"] for tensor in report["tensors"] if tensor["name"] == "acc.embed"}
    assert held == {"partial over dp"}


# Each function is scaled alone; all others, and the one with probes, are right. The update
# reads sums, of which a mean may be scaled too.
ALONE = {
    "gradient": ((), "grad.layers.1.mlp.down.down"),
    "step": ((), "layers.1.mlp.down.down"),
    "update": (("--accumulate=2",), "layers.1.mlp.down.down"),
}


@pytest.mark.parametrize("function", ALONE)
def test_each_function_is_verified(program, function):
    options, name = ALONE[function]
    broken = f"test-boost-scale-gradient{{function={function} parameter=layers.1.mlp.down.down}}"
    insertion = f"--insert-pass=after:rematerialize:{broken}"
    compiled = program("cola", "tiny", "1", "--verify", *options, insertion)
    report, result = verify(compiled, check=False)
    assert result.returncode == 1 and not report["verified"]
    assert report["first_error"]["name"] == name
    assert report["first_error"]["phase"] == results_of(function)
    wrong = {tensor["phase"] for tensor in report["tensors"] if not tensor["ok"]}
    assert results_of(function, SECOND) in wrong
    assert wrong <= {results_of(function), *(results_of(f, SECOND) for f in report["functions"])}


def test_what_is_not_finite_is_not_verified(program, tmp_path):
    """A NaN is as far from a NaN as from any number."""
    compiled = program("cola", "tiny", "tp=2", "--verify")
    tensors = load_file(compiled.model.inputs_file)
    tensors["embed"][:] = np.nan
    save_file(tensors, tmp_path / "nan.safetensors")
    result = compiled.launch(
        "eval", "--inputs", tmp_path / "nan.safetensors", "--verify", check=False
    )
    assert result.returncode == 3, result.stdout + result.stderr
    assert re.search(r"error: the loss of these inputs is -?nan", result.stderr)
    assert "verified" not in result.stdout


def test_results_that_are_not_finite_are_named(tmp_path):
    """The loss is finite, its gradient is not: a root has an infinite slope at 0."""

    def loss(params, ids):
        return jnp.mean(jnp.sqrt(params["table"][ids]))

    params = {"table": np.array([0, 1, 4, 9], np.float32)}
    ids = np.array([[0, 1, 2, 3], [3, 2, 1, 1]], np.int32)
    model, binary, inputs = (tmp_path / name for name in ("loss.mlir", "program", "in.safetensors"))
    export(loss, params, ids).save(model)
    boost_mlir.save(inputs, params, {"ids": ids})
    run(tool("boost-compile"), model, "--mesh", "dp=2", "--verify", "-o", binary)
    launcher = ("mpirun", "-np", 2, "--oversubscribe")
    result = run(*launcher, binary, "eval", "--inputs", inputs, "--verify", check=False)
    assert result.returncode == 3
    message = "error: the reference of 'grad.table' (the results of 'gradient') is not finite"
    assert result.stderr.count(message) == 1
    assert "verified" not in result.stdout


def test_second_inputs_that_show_nothing_are_left_out(tmp_path):
    """Every id is taken one place earlier the second time, where its logarithm is none."""

    def loss(params, ids):
        return jnp.mean(jnp.log(params["table"][ids] + params["offset"]))

    params = {
        "table": np.array([3, 1], np.float32),
        "offset": np.array([[-2, 0], [-2, 0]], np.float32),
    }
    ids = np.array([[0, 1], [0, 1]], np.int32)
    model, binary, inputs = (tmp_path / name for name in ("loss.mlir", "program", "in.safetensors"))
    model.write_text(export(loss, params, ids))
    boost_mlir.save(inputs, params, {"ids": ids})
    run(tool("boost-compile"), model, "--mesh", "dp=2", "--verify", "-o", binary)
    launcher = ("mpirun", "-np", 2, "--oversubscribe")
    result = run(*launcher, binary, "eval", "--inputs", inputs, "--verify", "--json")
    assert result.stderr.count("warning: the loss of the second inputs") == 1
    reports = [json.loads(line) for line in result.stdout.splitlines() if line.startswith("{")]
    assert len(reports) == 1, "one rank speaks"
    assert reports[0]["verified"]
    assert not any(SECOND in tensor["phase"] for tensor in reports[0]["tensors"])


def test_programs_without_probes_say_how_to_get_them(program):
    compiled = program("cola", "tiny", "1")
    _, result = verify(compiled, check=False)
    assert result.returncode == 2
    assert "compile it again with boost-compile --verify" in result.stderr


def test_a_missing_evaluator_is_named(program, monkeypatch):
    compiled = program("cola", "tiny", "1", "--verify")
    monkeypatch.setenv("BOOST_EVAL", "/nowhere/boost-eval")
    _, result = verify(compiled, check=False)
    assert result.returncode == 2
    assert "BOOST_EVAL names '/nowhere/boost-eval'" in result.stderr


def test_the_evaluator_may_lie_elsewhere(program, monkeypatch, tmp_path):
    compiled = program("cola", "tiny", "1", "--verify")
    monkeypatch.setenv("BOOST_EVAL", str(shutil.copy(tool("boost-eval"), tmp_path / "moved")))
    report, _ = verify(compiled)
    assert report["verified"]


@pytest.mark.parametrize("found_by", ["BOOST_EVAL", "PATH"])
def test_another_evaluator_is_not_run(program, monkeypatch, tmp_path, found_by):
    """It would be the judge."""
    impostor, trace = tmp_path / "boost-eval", tmp_path / "was-run"
    impostor.write_text(f'#!/bin/sh\ntouch "{trace}"\n"{tool("boost-eval")}" "$@"\n')
    impostor.chmod(0o755)
    compiled = program("cola", "tiny", "1", "--verify")
    if found_by == "BOOST_EVAL":
        monkeypatch.setenv("BOOST_EVAL", str(impostor))
        binary = compiled.binary
    else:
        # The compiler is not where it was.
        binary = tmp_path / "moved"
        folder = str(tool("boost-eval").parent).encode()
        code = compiled.binary.read_bytes()
        assert folder in code
        binary.write_bytes(code.replace(folder, folder[:-1] + b"_"))
        binary.chmod(0o755)
        monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    command = ("eval", "--inputs", compiled.model.inputs_file, "--verify")
    result = run(binary, *command, check=False)
    assert result.returncode == 2
    assert re.search(r"needs the boost-eval .* build [0-9a-f]{32}, but found", result.stderr)
    assert f"'{impostor}' of build " in result.stderr
    assert "compile the program again" in result.stderr
    assert not trace.exists()


def test_a_plain_evaluation_looks_at_nothing(program):
    """The loss of a program with probes is that of one without, to the bit."""
    with_probes, without = (program("cola", "tiny", "tp=2", *o) for o in (("--verify",), ()))
    assert with_probes.evaluate()["loss"] == without.evaluate()["loss"]
