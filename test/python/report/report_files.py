# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes files for reports, and reports of files."""

import json
import math
import os
import pathlib
import subprocess
import sys

import report_page

from boost_mlir.report.__main__ import main

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(os.environ.get("BOOST_BUILD_DIR", ROOT / "build"))
STEPS = 120
OPTIONS = {
    "ranks": ["--ranks=2"],
    "tp": ["--mesh=tp=2"],
    "given": ["--mesh=tp=2", "--placement=bottleneck"],
    "accumulate": ["--mesh=tp=2", "--accumulate=3"],
    "many": ["--mesh=tp=2", "--accumulate=12"],
    "bf16": ["--mesh=tp=2", "--precision=bf16", "--remat=low-rank", "--machine=a100-80gb"],
    "dp-tp": ["--mesh=dp=2,tp=2", "--zero=1"],
    "one": [],
}


def environment():
    return os.environ | {
        "PATH": f"{BUILD / 'bin'}:{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "python"),
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    }


def run(*command, cwd=None):
    result = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=environment(),
        timeout=600,
    )
    assert result.returncode == 0, f"{command}\n{result.stdout}\n{result.stderr}"
    return result.stdout


def report(*arguments, tmp_path):
    """The page of these files, parsed."""
    out = tmp_path / "report.html"
    assert main([*map(str, arguments), "-o", str(out)]) == 0
    return report_page.parse(out.read_text())


def added(elements, attribute="data-seconds"):
    return math.fsum(float(element.attributes[attribute]) for element in elements)


def percent(element, attribute):
    return float(element.attributes[attribute].removesuffix("%")) / 100


def write_log(tmp_path, records, end="\n"):
    path = tmp_path / "log.jsonl"
    path.write_text("\n".join(map(json.dumps, records)) + end)
    return path


def refuse(tmp_path, capsys, *arguments):
    """The message with which the command ends, and no page."""
    out = tmp_path / "never.html"
    assert main([*map(str, arguments), "-o", str(out)]) == 3
    assert not list(tmp_path.glob("never*"))
    error = capsys.readouterr().err
    assert error.startswith("error: ") and error.count("\n") == 1
    return error
