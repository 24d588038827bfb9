# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes on the command line and in files: the message names the thing and a remedy.

Mistakes in a loss stand in test/python/test_mistakes.py, with the line of the loss. To add one
is to add a line."""

import re
import sys

import numpy as np
import pytest
from harness import run, tool

from boost_mlir import data
from boost_mlir.export import main as export_main

#: For `boost-compile model.mlir ...`: the text that names the mistake, and the remedy.
COMPILE = {
    ("--mesh", "fsdp=2"): ("axis 'fsdp'", "the rules know the axes 'dp' and 'tp'"),
    ("--mesh", "tp=3"): ("vocabulary that tp = 3 divides, but got 64", "tp = 1, 2 or 4 would do"),
    ("--mesh", "dp=8"): ("batch that dp = 8 divides, but got 4", "dp = 1, 2 or 4 would do"),
    ("--mesh", "tp=2,tp=2"): ("but got 'tp=2,tp=2'", "it has two axes 'tp'"),
    ("--mesh", "tp"): ("but got 'tp'", "a mesh such as 'dp=2,tp=4'"),
    ("--ranks", "0"): ("--ranks=0 is not a number of ranks", "give one from 1 to 1048576"),
    ("--ranks", "7"): ("'tokens'", "dp = 1, 2 or 4 would do"),
    ("--placement", "fancy"): ("--placement option", "expects auto, bottleneck, megatron", "got 'fancy'"),
    ("--target", "tpu"): ("'tpu'", "expects cpu or cuda"),
    ("--optimizer", "sgd"): ("--optimizer option", "expects adamw", "got 'sgd'"),
    ("--remat", "all"): ("--remat option", "expects none, low-rank or full-block", "got 'all'"),
    ("--memory-budget", "lots"): ("'lots' is not a number of bytes", "as in 72GiB or 80GB"),
    ("--memory-budget", "1KiB"): ("parameters, gradients and optimizer", "use a mesh that shards"),
    ("--machine", "cray"): ("--machine=cray is neither", "use a name in machines/"),
    ("-o", "no/such/folder/train"): ("'no/such/folder/train': No such file", "create its folder first"),
}

#: Bytes of other programs that `boost-compile` is given.
PROGRAMS = {
    "artifact": (b"\x14\x00\x00\x00jax", "byte of 0", "boost_mlir.import_artifact makes text"),
    "bytecode": (b"ML\xefR\x01", "bytecode", "boost_mlir.import_artifact turns it into text"),
    "lapack": (
        b"""func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
          %0 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {output_operand_aliases =
            [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0,
             operand_tuple_indices = []>]} : (tensor<4x4xf32>) -> tensor<4x4xf32>
          return %0 : tensor<4x4xf32>
        }""",
        "call of 'lapack_spotrf_ffi'",
        "rewrite the loss without these operations",
    ),
    "complex": (
        b"func.func @main(%a: tensor<4xcomplex<f32>>) { return }",
        "element type 'complex<f32>'",
        "rewrite the loss without these operations",
    ),
    "dynamic": (
        b"func.func @main(%a: tensor<?x4xf32>) { return }",
        "type tensor<?x4xf32> has a dynamic shape",
        "with static shapes",
    ),
    "fp8": (
        b"func.func @main(%a: tensor<4xf8E4M3FN>) { return }",
        "element type 'f8E4M3FN'",
        "rewrite the loss without these operations",
    ),
    "elided": (
        b"""func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
          %0 = stablehlo.constant dense_resource<__elided__> : tensor<4xf32>
          return %0 : tensor<4xf32>
        }""",
        "values of this constant were left out",
        "export it from JAX",
    ),
}

DATA = ("--data", "ids.bin", "--steps", "2")

#: For `train ...` of the program.
TRAIN = {
    (): ("--data is required", "train --help"),
    ("--data", "none.bin", "--steps", "2"): ("none.bin: No such file", "give the path of a file that exists"),
    ("--data", "none*.bin", "--steps", "2"): ("no token file matches 'none*.bin'", "correct the pattern"),
    ("--data", "wide.bin", "--steps", "2"): ("wide.bin: token 0 is id", "tokenized for its vocab"),
    ("--data", "text.bin", "--steps", "2"): ("text.bin is plain text", "`boost-data --input text.bin -o"),
    ("--data", "ids.txt", "--steps", "2"): ("ids.txt is ids in decimal", "open('ids.txt').read()"),
    ("--data", "uint32.bin", "--steps", "2"): ("raw integers of 32 bits", "fromfile('uint32.bin', '<u4')"),
    ("--data", "int64.bin", "--steps", "2"): ("raw integers of 64 bits", "fromfile('int64.bin', '<u8')"),
    ("--data", "ids.npz", "--steps", "2"): ("ids.npz is a .npz archive", "load('ids.npz')['arr_0']"),
    ("--data", "rows.npy", "--steps", "2"): ("array of shape (2, 400)", "load('rows.npy').reshape(-1)"),
    ("--data", "floats.npy", "--steps", "2"): ("of type '<f8'", "boost_mlir.data.write_tokens"),
    ("--data", "appended.bin", "--steps", "2"): ("promises 800 tokens of 2 bytes", "correct the header"),
    (*DATA, "--no-graph=99999999999999999999"): ("--no-graph", "takes no value"),
    ("--data", "short.bin", "--steps", "2"): ("8 tokens, but one row", "use more data"),
    (*DATA, "--steps", "two"): ("--steps", "expects a whole number from 0"),
    (*DATA, "--lr", "-1"): ("--lr", "expects a number that is not negative"),
    (*DATA, "--learning-rate", "1"): ("--learning-rate", "train --help"),
    (*DATA, "--schedule", "cos"): ("'cos'", "one of constant, linear, cosine, wsd"),
    (*DATA, "--warmup", "5"): ("--warmup 5 is longer than --steps 2", "lower --warmup or raise --steps"),
    (*DATA, "--min-lr", "5"): ("--min-lr 5 is above --lr", "lower --min-lr or raise --lr"),
    (*DATA, "--config", "none.json"): ("none.json: No such file", "give the path of a file that exists"),
    (*DATA, "--config", "bad.json"): ("bad.json", 'such as {"lr": 3e-4}', "line 1, column 8"),
    (*DATA, "--config", "unknown.json"): ("'learning_rate' is not an option", "`train --help` lists"),
    (*DATA, "--resume"): ("--resume", "requires --checkpoint"),
    (*DATA, "--val-every", "1"): ("--val-every", "requires --val-data"),
    (*DATA, "--init", "none.safetensors"): ("none.safetensors: No such file", "give the path of a file that exists"),
    (*DATA, "--batch", "token=inputs"): ("token=inputs", "it has 'tokens', 'targets'"),
    (*DATA, "--batch", "tokens=label"): ("'tokens=label'", "NAME=inputs|targets|mask"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mistakes")
    model = folder / "model.mlir"
    arguments = ["--model", "cola", "--size", "tiny", "--batch", "4", "--seq", "16"]
    assert export_main([*arguments, "-o", str(model)]) == 0
    run(tool("boost-compile"), model, "-o", folder / "train", "--quiet")
    (np.arange(800, dtype=np.uint16) % 64).tofile(folder / "ids.bin")
    np.arange(8, dtype=np.uint16).tofile(folder / "short.bin")
    ids = np.arange(800) % 64
    (ids + 64).astype(np.uint16).tofile(folder / "wide.bin")
    ids.astype(np.uint32).tofile(folder / "uint32.bin")
    ids.tofile(folder / "int64.bin")
    np.savetxt(folder / "ids.txt", ids, "%d")
    np.savez(folder / "ids.npz", ids)
    np.save(folder / "rows.npy", ids.reshape(2, 400))
    np.save(folder / "floats.npy", ids.astype(np.float64))
    data.write_tokens(folder / "appended.bin", ids)
    with open(folder / "appended.bin", "ab") as file:
        file.write(bytes(2))
    (folder / "text.bin").write_text("once upon a time there was a text\n" * 20)
    (folder / "bad.json").write_text('{"lr": }')
    (folder / "unknown.json").write_text('{"learning_rate": 1}')
    return folder


def refusal(*command):
    """Returns the message of a command that is refused."""
    result = run(*command, check=False)
    assert 0 < result.returncode < 128, result.stdout + result.stderr
    return result.stdout + result.stderr


def holds(message, what, *remedy):
    """Every row of the tables has a remedy."""
    assert remedy and all(remedy), f"expects a remedy in the row of '{what}'"
    for part in (what, *remedy):
        assert part in message, f"expected '{part}' in\n{message}"


@pytest.mark.parametrize("options", COMPILE, ids=" ".join)
def test_the_compiler_names_an_option(folder, options):
    output = () if "-o" in options else ("-o", folder / "none")
    message = refusal(tool("boost-compile"), folder / "model.mlir", *options, *output)
    holds(message, *COMPILE[options])


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_compiler_names_what_it_cannot_read(folder, name):
    text, what, remedy = PROGRAMS[name]
    program = folder / f"{name}.mlir"
    program.write_bytes(text)
    message = refusal(tool("boost-compile"), program, "-o", folder / "none")
    assert f"{name}.mlir" in message
    holds(message, what, remedy)


@pytest.mark.parametrize("options", TRAIN, ids=" ".join)
def test_the_program_names_an_option_or_a_file(folder, options, monkeypatch):
    monkeypatch.chdir(folder)
    holds(refusal(folder / "train", "train", *options), *TRAIN[options])


# The conversion in the message makes a token file, which trains as one of ids would.
CONVERTED = ["ids.txt", "uint32.bin", "int64.bin", "ids.npz", "rows.npy"]


@pytest.mark.parametrize("name", CONVERTED)
def test_the_command_of_a_refusal_converts(folder, name, monkeypatch):
    monkeypatch.chdir(folder)
    message = refusal(folder / "train", "train", "--data", name, "--steps", "2")
    command = re.search(r'python (-c) "(.*?\))"(?:\n|,|$)', message, re.MULTILINE)
    run(sys.executable, command[1], command[2])
    assert data.read_tokens("tokens.bin").tolist() == (np.arange(800) % 64).tolist()


def test_an_array_of_numpy_trains(folder, monkeypatch):
    monkeypatch.chdir(folder)
    np.save("ids.npy", np.arange(800) % 64)
    outputs = [
        run(folder / "train", "train", "--data", name, "--steps", "2").stdout for name in ("ids.bin", "ids.npy")
    ]
    losses = [re.findall(r"loss ([0-9.]+)", output) for output in outputs]
    assert losses[0] == losses[1] and losses[0]
    for output, form in zip(outputs, ("raw uint16", "NumPy int64")):
        assert f"800 tokens of {form}" in output


def test_the_program_names_its_commands(folder):
    holds(refusal(folder / "train", "evaluate"), "'evaluate'", "use train, eval or info")
