# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The range of releases of JAX that are supported, and the suite of `export` at both ends of it."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import jax
import numpy as np
import pytest

from boost_mlir import _jax_versions
from boost_mlir.export import ExportError, export

REPOSITORY = Path(__file__).resolve().parent.parent.parent
# Texts as they are written, and programs that are compiled from them and held to JAX.
SUITE = [
    *(f"test/python/test_{name}.py" for name in ("export", "fixed_keys", "import_artifact")),
    *(f"test/python/test_{name}.py" for name in ("load_save", "models", "testing")),
    *(f"test/EndToEnd/test_{name}.py" for name in ("closed_over_arrays", "own_losses")),
]


def dependencies():
    with open(REPOSITORY / "python" / "pyproject.toml", "rb") as file:
        return tomllib.load(file)["project"]["dependencies"]


def test_the_package_requires_the_releases_that_export_knows():
    assert [each for each in dependencies() if each.startswith("jax")] == [_jax_versions.REQUIREMENT]


@pytest.mark.parametrize("version", ["0.9.2", "0.11.0", "0.12.0.1", "1.0.0"])
def test_other_releases_are_refused(monkeypatch, version):
    monkeypatch.setattr(jax, "__version__", version)
    monkeypatch.setattr(jax, "__version_info__", tuple(map(int, version.split("."))))
    with pytest.raises(ExportError, match=f"JAX {version} is installed.*pip install 'jax>=0.10,<0.11'"):
        export(lambda params: params.sum(), np.ones(2, np.float32))


@pytest.mark.skipif("BOOST_ALL_JAX" not in os.environ, reason="BOOST_ALL_JAX is not set")
@pytest.mark.parametrize("end", ["oldest", "newest"])
def test_the_suite_passes_at_both_ends(tmp_path, end):
    jax_requirement = f"jax=={_jax_versions.OLDEST}" if end == "oldest" else _jax_versions.REQUIREMENT
    others = [each for each in dependencies() if not each.startswith("jax")]
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    python = tmp_path / "venv" / "bin" / "python"
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, jax_requirement, *others, "pytest>=8"], check=True)
    show = "import jax; print('JAX', jax.__version__)"
    subprocess.run([python, "-c", show], check=True)
    pytest_ = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *SUITE]
    subprocess.run(pytest_, check=True, cwd=REPOSITORY)
