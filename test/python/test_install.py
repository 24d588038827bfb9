# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`pip install ./python` from a clone: the commands are there, and the clone is as it was."""

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parent.parent.parent


def run(*command, **options):
    command = [str(word) for word in command]
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, **options)
    return result


def git(folder, *words):
    result = run("git", "-C", folder, *words)
    assert result.returncode == 0, result.stderr
    return result.stdout


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """The content of a clone of the working tree, as a repository of its own."""
    if run("git", "-C", REPOSITORY, "rev-parse").returncode:
        pytest.skip("the sources are no git repository")
    folder = tmp_path_factory.mktemp("clone")
    for name in git(REPOSITORY, "ls-files", "-z", "python", ".gitignore").split("\0"):
        if name and (REPOSITORY / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes((REPOSITORY / name).read_bytes())
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    return folder


@pytest.fixture(scope="module", params=[(), ("--editable",)], ids=["copied", "editable"])
def installed(request, clone, tmp_path_factory):
    """The folder of commands of a new environment, and the state of the clone before and after."""
    environment = tmp_path_factory.mktemp("environment")
    assert run(sys.executable, "-m", "venv", environment).returncode == 0
    before = git(clone, "status", "--porcelain", "--ignored")
    pip = [environment / "bin/python", "-m", "pip", "install", "--disable-pip-version-check", "--no-deps"]
    result = run(*pip, *request.param, "./python", cwd=clone)
    if "No matching distribution found for flit_core" in result.stderr:
        pytest.skip("pip reaches no package index, from which it takes flit_core to build a package")
    assert result.returncode == 0, result.stderr
    return environment / "bin", before, git(clone, "status", "--porcelain", "--ignored")


def test_installing_leaves_nothing_in_the_tree(installed, clone):
    _, before, after = installed
    assert "python/pyproject.toml" in before
    assert after == before


def test_the_commands_are_installed(installed, tmp_path):
    commands, _, _ = installed
    # The dependencies of the suite; a link to this checkout is not followed from there.
    packages = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    env = os.environ | {"PYTHONPATH": os.pathsep.join(packages), "PYTHONDONTWRITEBYTECODE": "1"}
    (tmp_path / "text").write_text("text")
    command = [commands / "boost-data", "--input", tmp_path / "text", "-o", tmp_path / "t.bin"]
    result = run(*command, env=env)
    assert result.returncode == 0 and "4 tokens of 1 files" in result.stderr, result.stderr
    where = "import boost_mlir.models; print(boost_mlir.__file__)"
    result = run(commands / "python", "-c", where, env=env, cwd=tmp_path)
    assert result.returncode == 0 and str(REPOSITORY) not in result.stdout, result.stderr
    for name in ("boost-export", "boost-import-artifact", "boost-convert"):
        result = run(commands / name, "--help", env=env)
        assert result.returncode == 0 and "usage:" in result.stdout, result.stderr
    # The file that models factored folders comes with it.
    models = "from boost_mlir import huggingface; print(*huggingface.__path__)"
    folder = run(commands / "python", "-c", models, env=env, cwd=tmp_path).stdout.strip()
    assert (Path(folder) / "modeling_boost_low_rank_llama.py").is_file()
    # Its style sheet comes with it.
    plan = tmp_path / "plan.json"
    plan.write_text("{}")
    result = run(commands / "boost-report", plan, "-o", tmp_path / "report.html", env=env)
    assert result.returncode == 3 and "error:" in result.stderr and "Traceback" not in result.stderr
    style = "from boost_mlir import report; print(*report.__path__)"
    folder = run(commands / "python", "-c", style, env=env, cwd=tmp_path).stdout.strip()
    assert (Path(folder) / "style.css").is_file()
