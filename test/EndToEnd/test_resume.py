# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A checkpoint goes on in any program of its run, and in no other."""

import shutil

import harness
import pytest

from boost_mlir.export import export_model

UNUSABLE = 6


def train(compiled, directory, *options, check=True):
    return compiled.launch(
        *("train", "--data", compiled.model.tokens_file, "--steps", 3, "--lr", 1e-3),
        *("--checkpoint", directory, *options),
        check=check,
    )


@pytest.fixture(scope="module")
def checkpoint(program, tmp_path_factory):
    directory = tmp_path_factory.mktemp("checkpoint")
    train(program("cola", "tiny", "tp=2"), directory)
    return directory


@pytest.mark.parametrize(
    "mesh, options",
    [
        ("1", []),
        ("dp=2,tp=2", []),
        ("tp=2", ["--placement", "replicated"]),
        ("tp=2", ["--remat", "full-block", "--disable-pass", "boost-group-linears"]),
    ],
)
def test_programs_of_one_run_have_one_hash(program, checkpoint, mesh, options):
    compiled = program("cola", "tiny", mesh, *options)
    assert compiled.info["hash"] == program("cola", "tiny", "tp=2").info["hash"]
    assert len(compiled.info["hash"]) == 32
    result = train(compiled, checkpoint, "--resume")
    assert "resumed after step 3" in result.stdout
    assert "changes" not in result.stderr


@pytest.mark.parametrize(
    "kind, options, names",
    [
        ("cola", ["--accumulate", "2"], ["accumulate"]),
        ("cola", ["--precision", "bf16"], ["precision", "master-weights"]),
        # Tensors of the same names and shapes.
        ("lax", [], ["program"]),
    ],
)
def test_programs_of_other_runs_are_refused(program, checkpoint, kind, options, names):
    compiled = program(kind, "tiny", "tp=2", *options)
    result = train(compiled, checkpoint, "--resume", check=False)
    assert result.returncode == UNUSABLE, result.stderr
    assert f"{checkpoint}/step-3 is of another run:" in result.stderr
    remedy = "".join(f" --allow {name}" for name in names)
    assert f"take it all the same with{remedy}\n" in result.stderr, result.stderr


def test_another_batch_is_allowed_only_by_name(program, checkpoint, tmp_path):
    """The program and its batch differ, the parameters do not."""
    compiled = program("cola", "tiny", "tp=2")
    longer = tmp_path / "longer.mlir"
    longer.write_text(export_model(compiled.model.config, 2 * harness.BATCH, harness.SEQ))
    binary = tmp_path / "train"
    harness.run(harness.tool("boost-compile"), longer, "--mesh", "1", "-o", binary)
    shutil.copytree(checkpoint, tmp_path / "ck")
    command = [binary, "train", "--data", compiled.model.tokens_file, "--steps", 5, "--lr", 1e-3]
    command += ["--checkpoint", tmp_path / "ck", "--resume"]
    result = harness.run(*command, check=False)
    assert result.returncode == UNUSABLE
    shapes = rf"[{harness.BATCH}, {harness.SEQ}]", rf"[{2 * harness.BATCH}, {harness.SEQ}]"
    assert all(shape in result.stderr for shape in shapes), result.stderr
    assert harness.run(*command, "--allow", "program", check=False).returncode == UNUSABLE
    result = harness.run(*command, "--allow", "program", "--allow", "batch")
    assert "resumed after step 3" in result.stdout
