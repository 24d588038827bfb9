# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bad input: a message that names the thing, the exit code of its kind, no crash."""

import os
import re

import numpy as np
import pytest
from harness import BATCH, SEQ, run, tool
from safetensors.numpy import load_file, save_file

from boost_mlir import data

FAILED, USAGE, REFUSED, INFEASIBLE = 1, 2, 3, 4


def refused(result, code, *patterns):
    """The process ended with the code and said each of the patterns."""
    said = result.stdout + result.stderr
    assert result.returncode == code, said
    for pattern in patterns:
        assert re.search(pattern, said), f"no {pattern!r} in:\n{said}"
    for crash in ("Stack dump", "Segmentation fault", "Assertion", "terminate called"):
        assert crash not in said, said


def compile_model(path, *options):
    return run(tool("boost-compile"), path, *options, "-o", path.with_suffix(".out"), check=False)


@pytest.fixture(scope="module")
def compiled(program):
    return program("cola", "tiny", "tp=2")


# The compiler.


@pytest.mark.parametrize("part", [0.3, 0.6, 0.95])
def test_truncated_module(model, tmp_path, part):
    text = model("cola").text_file.read_text()
    path = tmp_path / "truncated.mlir"
    path.write_text(text[: int(part * len(text))])
    refused(compile_model(path, "--mesh", "1"), REFUSED, r"truncated\.mlir:\d+:\d+: error: ")
    assert not path.with_suffix(".out").exists()


def test_missing_module(tmp_path):
    refused(compile_model(tmp_path / "none.mlir", "--mesh", "1"), REFUSED, r"none\.mlir")


UNSUPPORTED = """\
module @jit_loss {
  func.func public @main(%w: tensor<4x4xf32>, %x: tensor<4xi32>) -> tensor<f32> {
    %0 = "stablehlo.fft"(%w) {fft_length = array<i64: 4>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = stablehlo.custom_call @my_kernel(%0) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %cst = stablehlo.constant dense<0.0> : tensor<f32>
    %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x4xf32>, tensor<f32>) -> tensor<f32>
    return %2 : tensor<f32>
  }
}
"""


def test_unsupported_operations_are_listed_together(tmp_path):
    path = tmp_path / "unsupported.mlir"
    path.write_text(UNSUPPORTED)
    refused(
        compile_model(path, "--mesh", "1"),
        REFUSED,
        r"unsupported\.mlir:3:\d+: error: .*fft",
        r"unsupported\.mlir:4:\d+: error: .*(custom_call|my_kernel)",
    )


def test_mesh_that_does_not_divide_the_heads(model):
    """The hidden size allows 8, the 4 heads do not; the message shows a line of the model."""
    refused(
        compile_model(model("cola").text_file, "--mesh", "tp=8"),
        INFEASIBLE,
        r"llama\.py:\d+:\d+: error: expects a number of attention heads that tp = 8 divides.* 4",
        r"note: tp = 1, 2 or 4 would do",
    )


def test_mesh_that_does_not_divide_the_hidden_size(model):
    refused(
        compile_model(model("cola").text_file, "--mesh", "tp=3"),
        INFEASIBLE,
        r"llama\.py:\d+:\d+: error: expects a hidden size that tp = 3 divides, but got 64 in 'embed'",
        r"note: tp = 1, 2 or 4 would do",
    )


def test_mesh_that_does_not_divide_the_batch(model):
    refused(
        compile_model(model("cola").text_file, "--mesh", "dp=3"),
        INFEASIBLE,
        r"error: ",
        r"\b3\b",
        r"\b4\b",
    )


@pytest.mark.parametrize("mesh", ["tp", "tp=0", "tp=-2", "tp=x", "2x2", "tp=2,tp=2", ""])
def test_mesh_that_is_none(model, mesh):
    refused(compile_model(model("cola").text_file, f"--mesh={mesh}"), USAGE, r"mesh")


# The program.


def test_wrong_number_of_ranks(compiled):
    result = compiled.launch(
        "eval", "--inputs", compiled.model.inputs_file, "--outputs", "x", ranks=3, check=False
    )
    refused(result, USAGE, r"\b3\b", r"mpirun -np 2")


# Rank 0, which speaks, comes last; a launcher ends all ranks as soon as one fails.
LATE_SPEAKER = 'test "$OMPI_COMM_WORLD_RANK" != 0 || sleep 2; exec "$@"'


@pytest.mark.parametrize(
    "ranks, command, patterns",
    [
        (3, "eval", [r"\b3\b", r"mpirun -np 2"]),
        (2, "evaluate", [r"error: 'evaluate' is not a command", r"usage: "]),
    ],
)
def test_message_of_a_late_rank_is_not_lost(compiled, ranks, command, patterns):
    result = run(
        *("mpirun", "-np", ranks, "--oversubscribe", "sh", "-c", LATE_SPEAKER, "sh"),
        *(compiled.binary, command, "--inputs", compiled.model.inputs_file, "--outputs", "x"),
        check=False,
    )
    refused(result, USAGE, *patterns)


def test_one_rank_instead_of_two(compiled):
    result = compiled.launch(
        "eval", "--inputs", compiled.model.inputs_file, "--outputs", "x", ranks=1, check=False
    )
    refused(result, USAGE, r"\b1\b", r"mpirun -np 2")


def evaluate_with(compiled, path, change):
    tensors = load_file(compiled.model.inputs_file)
    change(tensors)
    save_file(tensors, path)
    return compiled.launch(
        "eval", "--inputs", path, "--outputs", path.with_suffix(".out"), check=False
    )


def test_missing_tensor(compiled, tmp_path):
    change = lambda tensors: tensors.pop("layers.1.mlp.down.up")
    refused(
        evaluate_with(compiled, tmp_path / "in.safetensors", change),
        REFUSED,
        r"layers\.1\.mlp\.down\.up",
        r"in\.safetensors",
    )


def test_tensor_of_another_shape(compiled, tmp_path):
    change = lambda tensors: tensors.update(norm=np.ones(63, np.float32))
    refused(
        evaluate_with(compiled, tmp_path / "in.safetensors", change),
        REFUSED,
        r"'norm'",
        r"\b63\b",
        r"\b64\b",
    )


def test_tensor_of_another_type(compiled, tmp_path):
    change = lambda tensors: tensors.update(tokens=tensors["tokens"].astype(np.float64))
    refused(
        evaluate_with(compiled, tmp_path / "in.safetensors", change),
        REFUSED,
        r"'tokens'",
        r"(?i)f64",
        r"(?i)i32",
    )


@pytest.mark.parametrize("token", [64, -1])
@pytest.mark.parametrize("name", ["tokens", "targets"])
def test_token_beyond_the_vocabulary_in_eval(compiled, tmp_path, name, token):
    def change(tensors):
        tensors[name][1, 3] = token

    result = evaluate_with(compiled, tmp_path / "in.safetensors", change)
    refused(result, REFUSED, rf"'?{name}'?", rf"(?<!\d){token}\b", r"\b6[34]\b")


def test_damaged_safetensors(compiled, tmp_path):
    path = tmp_path / "in.safetensors"
    path.write_bytes(compiled.model.inputs_file.read_bytes()[:1000])
    refused(
        compiled.launch("eval", "--inputs", path, "--outputs", "x", check=False),
        REFUSED,
        r"in\.safetensors",
    )


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_loss_that_is_not_finite_fails(compiled, tmp_path, form):
    """The loss is printed and written all the same."""
    tensors = load_file(compiled.model.inputs_file)
    tensors["embed"][:] = np.nan
    save_file(tensors, tmp_path / "nan.safetensors")
    command = ("eval", "--inputs", tmp_path / "nan.safetensors", "--outputs", tmp_path / "out", *form)
    result = compiled.launch(*command, check=False)
    refused(result, FAILED, r"error: the loss of these inputs is -?nan, which is not finite")
    assert ("loss" in result.stdout) and np.isnan(load_file(tmp_path / "out")["loss"])


def damage(compiled, path, old, new):
    """The program with another text in its manifest."""
    code = compiled.binary.read_bytes()
    assert len(old) == len(new) and code.count(old) > 0
    path.write_bytes(code.replace(old, new))
    path.chmod(0o755)
    return path


def verify_damaged(compiled, binary):
    launcher = ["mpirun", "-np", compiled.ranks, "--oversubscribe"]
    command = ("eval", "--inputs", compiled.model.inputs_file, "--verify")
    return run(*launcher, binary, *command, check=False)


def test_reference_without_a_tensor(program, tmp_path):
    """Only the first rank reads it; the other is waiting in a collective by then."""
    compiled = program("cola", "tiny", "tp=2", "--verify")
    name = rb'tensor<metric \"grad_norm\"'
    binary = damage(compiled, tmp_path / "damaged", name, name.replace(b"norm", b"mron"))
    result = verify_damaged(compiled, binary)
    refused(result, REFUSED, r"error: .*'value\.0\.result\.grad_norm' .* is missing")


def test_failed_verification_leaves_no_files(program, tmp_path, monkeypatch):
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    compiled = program("cola", "tiny", "tp=2", "--verify")
    binary = damage(compiled, tmp_path / "damaged", b"func.func @verify(", b"func.func @virefy(")
    refused(verify_damaged(compiled, binary), REFUSED, r"boost-eval' could not evaluate")
    assert not list(folder.glob("boost-*"))


def train_on(compiled, path, *extra):
    return compiled.launch("train", "--data", path, "--steps", 2, "--seed", 0, *extra, check=False)


@pytest.mark.parametrize("format", data.FORMATS)
def test_token_beyond_the_vocabulary_in_training(compiled, tmp_path, format):
    tokens = compiled.model.tokens.copy()
    tokens[10] = 64
    data.write_tokens(tmp_path / "tokens.bin", tokens, format)
    result = train_on(compiled, tmp_path / "tokens.bin")
    refused(result, REFUSED, r"tokens\.bin", r"\b64\b")


def test_token_file_without_a_window(compiled, tmp_path):
    data.write_tokens(tmp_path / "tokens.bin", np.zeros(SEQ, np.uint16))
    refused(
        train_on(compiled, tmp_path / "tokens.bin"),
        REFUSED,
        r"tokens\.bin",
        rf"\b{SEQ + 1}\b|\b{BATCH}\b",
    )


def test_damaged_token_file(compiled, tmp_path):
    path = tmp_path / "tokens.bin"
    path.write_bytes(data.llmc_header(1000) + bytes(100))
    refused(train_on(compiled, path), REFUSED, r"tokens\.bin", r"1000")


def test_missing_token_file(compiled, tmp_path):
    refused(train_on(compiled, tmp_path / "none.bin"), REFUSED, r"none\.bin")


@pytest.mark.parametrize(
    "options, message",
    [
        (["--log", "DATA"], r"error: --log and --data name the same file"),
        (["--log", "INIT", "--init", "INIT"], r"error: --log and --init name the same file"),
        (["--log", "new", "--save", "./new"], r"error: --log and --save name the same file"),
        (["--save", "DATA"], r"error: --save and --data name the same file"),
    ],
)
def test_files_that_would_be_lost(compiled, tmp_path, options, message):
    tokens, link = tmp_path / "tokens.bin", tmp_path / "link.bin"
    data.write_tokens(tokens, compiled.model.tokens)
    link.symlink_to(tokens)
    params = tmp_path / "params.safetensors"
    params.write_bytes(compiled.model.params_file.read_bytes())
    before = tokens.read_bytes(), params.read_bytes()
    names = {"DATA": link, "INIT": params, "new": tmp_path / "new", "./new": f"{tmp_path}/./new"}
    result = train_on(compiled, tokens, *(names.get(option, option) for option in options))
    refused(result, USAGE, message)
    assert (tokens.read_bytes(), params.read_bytes()) == before


def test_the_name_of_an_open_file_is_not_replaced(program, tmp_path):
    """/dev/stdout leads to a regular file here. Root could put another one in its place."""
    compiled = program("cola", "tiny", "1")
    words = f'"{compiled.binary}" train --data "{compiled.model.tokens_file}" --steps 0 --save /dev/stdout'
    result = run("sh", "-c", f'exec {words} > "{tmp_path}/out"', check=False)
    refused(result, REFUSED, r"error: cannot write /dev/stdout: it is not a regular file")
    assert os.path.islink("/dev/stdout")


def test_output_that_cannot_be_written(compiled):
    """A device that is always full."""
    command = f'exec "{compiled.binary}" info > /dev/full'
    refused(run("sh", "-c", command, check=False), REFUSED, r"error: cannot write standard output")
    command = (
        f'mpirun -np 2 sh -c \'exec "{compiled.binary}" eval --json '
        f'--inputs "{compiled.model.inputs_file}" > /dev/full\''
    )
    refused(run("sh", "-c", command, check=False), REFUSED, r"error: cannot write standard output")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["dance"],
        ["train"],
        ["train", "--steps", "x"],
        ["eval", "--inputs"],
        ["train", "--speed", "9"],
    ],
    ids=" ".join,
)
def test_usage(compiled, arguments):
    refused(compiled.launch(*arguments, check=False), USAGE, r"error: ", r"--help")
