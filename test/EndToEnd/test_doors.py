# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Devices, pipes and folders in place of the files that tools and programs read: a message, and no
wait for an end that never comes."""

import os
import subprocess
import time

import pytest
from harness import run, tool


REFUSED, USAGE = 3, 2
LOSS = """\
module {
  func.func public @main(%w: tensor<f32>) -> tensor<f32> {
    return %w : tensor<f32>
  }
}
"""


@pytest.fixture
def others(tmp_path):
    """Paths that are no regular files."""
    pipe, folder = tmp_path / "pipe", tmp_path / "folder"
    os.mkfifo(pipe)
    folder.mkdir()
    return {"device": "/dev/zero", "pipe": pipe, "folder": folder}


KINDS = ("device", "pipe", "folder")


def refused(code, *command, said="regular file", limit=20):
    start = time.monotonic()
    result = run("timeout", limit, *command, check=False)
    text = result.stdout + result.stderr
    assert result.returncode == code, (result.returncode, text[-2000:])
    assert said in text, text[-2000:]
    assert time.monotonic() - start < limit


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["boost-compile", "boost-eval", "boost-opt", "boost-prove"])
def test_programs_of_tools(name, kind, others, tmp_path):
    output = ["-o", tmp_path / "out"] if name in ("boost-compile", "boost-opt") else []
    refused(1 if name == "boost-opt" else REFUSED, tool(name), others[kind], *output)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("kind", KINDS)
def test_other_inputs_of_tools(kind, others, tmp_path):
    model, path = tmp_path / "model.mlir", others[kind]
    model.write_text(LOSS)
    compiler = [tool("boost-compile"), model, "-o", tmp_path / "out"]
    refused(USAGE, *compiler, f"--machine={path}")
    refused(REFUSED, tool("boost-compile"), path, "--price", "-o", tmp_path / "out")
    refused(REFUSED, tool("boost-eval"), model, "--function=main", "--inputs", path)
    refused(REFUSED, tool("boost-eval"), model, path, "--compare", "--function=main")


@pytest.mark.parametrize("kind", KINDS)
def test_inputs_of_programs(kind, others, program):
    compiled, path = program("cola", "tiny", "1"), others[kind]
    train = [compiled.binary, "train", "--steps", 1]
    data = ["--data", compiled.model.tokens_file]
    refused(REFUSED, *train, "--data", path)
    refused(REFUSED, *train, *data, "--val-data", path)
    refused(REFUSED, *train, *data, "--init", path)
    refused(USAGE, *train, *data, "--config", path)
    refused(REFUSED, compiled.binary, "eval", "--inputs", path)


def test_standard_input(tmp_path):
    """Reads a pipe, up to a stated limit."""
    for name in ("boost-opt", "boost-eval", "boost-compile"):
        arguments = {
            "boost-opt": ["-"],
            "boost-eval": ["-", "--function=main"],
            "boost-compile": ["-", "--emit=plan", "-o", tmp_path / "plan"],
        }[name]
        for text in (LOSS, ""):
            result = subprocess.run(
                [tool(name), *arguments], input=text, text=True, capture_output=True, timeout=60
            )
            assert (result.returncode == 0) == (text == LOSS or name == "boost-opt"), result.stderr
    whole = subprocess.run(
        [tool("boost-opt")], input=LOSS, text=True, capture_output=True, timeout=60
    )
    assert "func.func public @main" in whole.stdout
    with open("/dev/zero", "rb") as zeros:
        result = subprocess.run(
            [tool("boost-opt")], stdin=zeros, text=True, capture_output=True, timeout=60
        )
    assert result.returncode == 1
    assert "expects at most 1073741824 bytes on standard input, but got more" in result.stderr


@pytest.mark.parametrize("value", ["%15", "%r", "%a-b", "%_$.x"])
@pytest.mark.parametrize("number", [2**31, 2**32 - 1, 2**27, 70_000])
def test_numbers_of_results(value, number, tmp_path):
    """The parser makes room for all results up to the one that is named."""
    path = tmp_path / "program.mlir"
    path.write_text(f'func.func @f() {{ "x.y"({value} #{number}) : (i32) -> () return }}')
    result = run(tool("boost-opt"), "--allow-unregistered-dialect", path, check=False)
    assert result.returncode == 1
    assert f"expects the number of a result of an operation, but got {number}" in result.stderr


def test_many_results(tmp_path):
    """Each value may have as many as fit, and together no more than the text has bytes."""
    path = tmp_path / "program.mlir"
    types = ", ".join(["i1"] * 300)
    path.write_text(
        f'func.func @f() {{ %a:300 = "x.y"() : () -> ({types}) "x.z"(%a#299, %a#0) : (i1, i1) -> () return }}'
    )
    run(tool("boost-opt"), "--allow-unregistered-dialect", path)
    uses = " ".join(f'"x.y"(%v{i}#900) : (i1) -> ()' for i in range(1000))
    path.write_text(f"func.func @f() {{ {uses} return }}")
    result = run(tool("boost-opt"), "--allow-unregistered-dialect", path, check=False)
    assert result.returncode == 1 and "no operation of this text has so many" in result.stderr


def write_arguments(path, count, unused=True):
    """A loss of so many parameters: the first one, or the sum of all."""
    arguments = ", ".join(f"%a{i}: tensor<f32>" for i in range(count))
    adds, result = [], "%a0"
    for i in range(1, 1 if unused else count):
        adds.append(f"%s{i} = stablehlo.add {result}, %a{i} : tensor<f32>")
        result = f"%s{i}"
    head, end = f"func.func @main({arguments}) -> tensor<f32> {{", f"return {result} : tensor<f32> }}"
    path.write_text("\n".join([head, *adds, end]))
    return path


@pytest.mark.parametrize("unused", [False, True])
def test_many_arguments(unused, tmp_path):
    """Four times as many take four times as long, up to code, and no remark shows a line of megabytes."""

    def compile_with(count):
        path = write_arguments(tmp_path / f"{count}.mlir", count, unused)
        before = os.times().children_user
        result = run(tool("boost-compile"), path, "--emit=object", "-o", tmp_path / "program.o")
        assert len(result.stderr) < 400 * count
        return os.times().children_user - before

    assert compile_with(800) < 6 * compile_with(200)


def test_too_many_arguments(tmp_path):
    path = write_arguments(tmp_path / "program.mlir", 100_000)
    command = [tool("boost-compile"), path, "-o", tmp_path / "program"]
    refused(REFUSED, *command, said="expects at most 32768 arguments of the loss, but got 100000")
