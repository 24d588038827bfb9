# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The structure of the repository: a flag leads to its file, docs are fresh, code is formatted."""

import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("BOOST_BUILD_DIR", ROOT / "build"))


def project_flags():
    """Pass flags of boost-opt that this project defines, without pipelines."""
    declared = set()
    for td in (ROOT / "include").rglob("Passes.td"):
        declared |= set(re.findall(r'Pass<\s*"([a-z0-9-]+)"', td.read_text()))
    return declared


def test_every_pass_is_registered():
    text = subprocess.run(
        [BUILD / "bin" / "boost-opt", "--help"], capture_output=True, text=True, check=True
    ).stdout
    missing = {flag for flag in project_flags() if f"--{flag} " not in text}
    assert not missing, f"declared in TableGen, unknown to boost-opt: {sorted(missing)}"


def test_every_pass_flag_names_its_file():
    files = {p.stem.lower() for p in (ROOT / "lib").rglob("*.cpp")}
    flags = project_flags()
    assert len(flags) > 10
    lost = []
    for flag in flags:
        stem = re.sub(r"^(boost|boostrt)-|^convert-", "", flag).replace("-", "")
        if stem not in files:
            lost.append(flag)
    assert not lost, f"no lib/**/<Flag>.cpp for {sorted(lost)}"


def test_every_pass_has_tests():
    """Each pass flag stands in at least one RUN line of the lit suite."""
    files = (path.read_text() for path in (ROOT / "test").rglob("*.mlir"))
    runs = "\n".join(line for text in files for line in text.splitlines() if "RUN:" in line)
    # A flag, or a name in a textual pipeline.
    untested = [f for f in project_flags() if not re.search(rf"(?<!\w){f}\b", runs)]
    assert not untested, f"no lit test runs {sorted(untested)}"


def test_every_pass_has_a_description():
    for td in (ROOT / "include").rglob("Passes.td"):
        for name, body in re.findall(r"def (\w+) : Pass<(.*?)\n}", td.read_text(), re.S):
            assert "let description" in body, f"{td.name}: {name} has no description"


def test_every_pass_before_lowering_says_what_it_does_to_arithmetic():
    """boost-prove holds each pass of the pipeline to this line."""
    for folder in ("Dialect/Boost", "Dialect/StableHLO", "Conversion/StableHLOToBoost"):
        for td in (ROOT / "include" / "boost-mlir" / folder).rglob("Passes.td"):
            for name, body in re.findall(r"def (\w+)\s*:\s*\w*Pass<(.*?)\n}", td.read_text(), re.S):
                assert re.search(
                    r"Arithmetic:\s+(exact|reassociating|approximate \([0-9.e-]+\)|not preserved \()", body
                ), f"{td}: the description of {name} has no line 'Arithmetic: ...'"


def test_generated_docs_are_fresh():
    result = subprocess.run(
        [ROOT / "scripts" / "docs.sh", "--check"], capture_output=True, text=True
    )
    assert result.returncode == 0, result.stdout[-2000:] + result.stderr


def test_sources_are_formatted():
    result = subprocess.run(
        [ROOT / "scripts" / "format.sh", "--check"], capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr[-2000:] + "\nremedy: scripts/format.sh"
