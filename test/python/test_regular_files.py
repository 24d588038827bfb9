# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Devices, pipes and folders in place of the files that the package reads: an error at once."""

import os
import signal

import numpy as np
import pytest

import boost_mlir
from boost_mlir import data, import_artifact
from boost_mlir._files import NotRegularError
from boost_mlir.report import __main__ as report
from boost_mlir.report.log import load_log
from boost_mlir.report.source import load_plan

KINDS = ("device", "pipe", "folder")


@pytest.fixture(autouse=True)
def deadline():
    """Nothing waits for a pipe."""
    signal.alarm(20)
    yield
    signal.alarm(0)


@pytest.fixture
def other(tmp_path, request):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    return "/dev/zero" if request.param == "device" else tmp_path / request.param


# Words of a command, with FILE for an irregular file and GOOD for a file.
COMMANDS = {
    "report": (report.main, ["FILE", "-o", "OUT"]),
    "artifact": (import_artifact.main, ["FILE", "-o", "OUT"]),
    "names": (import_artifact.main, ["GOOD", "--names", "FILE", "-o", "OUT"]),
    "tokenizer": (data.main, ["--input", "GOOD", "--tokenizer", "FILE", "-o", "OUT"]),
}


@pytest.mark.parametrize("other", KINDS, indirect=True)
@pytest.mark.parametrize("command", COMMANDS)
def test_commands(command, other, tmp_path, capsys):
    main, words = COMMANDS[command]
    good = tmp_path / "good.txt"
    good.write_text("module {}")
    names = {"FILE": str(other), "GOOD": str(good), "OUT": str(tmp_path / "out")}
    assert main([names.get(word, word) for word in words]) == 3
    said = capsys.readouterr().err
    assert "not a regular file" in said and str(other) in said, said
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("other", KINDS, indirect=True)
@pytest.mark.parametrize(
    "read", [data.read_tokens, boost_mlir.read_log, boost_mlir.read_configs, load_log, load_plan]
)
def test_functions(read, other):
    with pytest.raises(NotRegularError, match="not a regular file"):
        read(other)


@pytest.mark.parametrize("other", ["device", "pipe"], indirect=True)
def test_parameters(other):
    """A folder may hold checkpoints."""
    with pytest.raises(NotRegularError, match="not a regular file"):
        boost_mlir.load(other, like={"a": np.zeros(3, np.float32)})


@pytest.mark.parametrize("other", ["device", "pipe"], indirect=True)
def test_input_of_data(other, tmp_path, capsys):
    """Folders are searched."""
    assert data.main(["--input", str(other), "-o", str(tmp_path / "out")]) == 3
    assert "is neither a file nor a directory" in capsys.readouterr().err
