# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Paths may hold any character, and programs have the permissions that users expect."""

import os
import shutil
import stat

import pytest
from harness import build_directory, run, tool

# Characters with a meaning to a shell, a response file or a linker.
ODD_NAMES = ["with space", "it's", 'a"b', "back\\slash", "$HOME", "semi;colon & (more)", "@at", "-dash"]


def compile_in(root, model, output, *options):
    return run(root / "bin" / "boost-compile", model.text_file, "-o", output, *options)


@pytest.fixture(scope="module")
def installation(tmp_path_factory):
    """A copy of what boost-compile needs, in a folder with all the odd names."""
    root = tmp_path_factory.mktemp("installation").joinpath(*ODD_NAMES)
    build = build_directory()
    for folder in ("bin", "lib"):
        (root / folder).mkdir(parents=True)
    shutil.copy(tool("boost-compile"), root / "bin")
    shutil.copytree(build / "share", root / "share")
    shutil.copy(build / "lib" / "boost-runtime-cpu", root / "lib")
    return root


@pytest.mark.parametrize("options", [(), ("--mesh", "tp=2", "--memory-budget", "100MB")])
def test_a_compiler_in_an_odd_folder(installation, model, tmp_path, options):
    binary = tmp_path / "train"
    compile_in(installation, model("cola"), binary, *options)
    run(binary, "info")


def test_a_machine_in_an_odd_folder(installation, model, tmp_path):
    machine = installation / "share" / "boost-mlir" / "machines" / "a100-80gb.json"
    run(tool("boost-compile"), model("cola").text_file, "--machine", machine, "-o", tmp_path / "train")


def test_a_program_in_an_odd_folder(model, tmp_path):
    binary = tmp_path.joinpath(*ODD_NAMES, " ".join(ODD_NAMES))
    binary.parent.mkdir(parents=True)
    run(tool("boost-compile"), model("cola").text_file, "-o", binary)
    # Nothing else is left beside it.
    assert list(binary.parent.iterdir()) == [binary]
    run(binary, "info")


@pytest.mark.parametrize("umask, mode", [(0o022, 0o755), (0o077, 0o700)])
def test_permissions_follow_the_umask(model, tmp_path, umask, mode):
    binary = tmp_path / "train"
    old = os.umask(umask)
    try:
        run(tool("boost-compile"), model("cola").text_file, "-o", binary)
    finally:
        os.umask(old)
    assert stat.S_IMODE(binary.stat().st_mode) == mode
