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
    for td in (ROOT / "include").rglob("*Passes.td"):
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
    tests = (path for path in (ROOT / "test").rglob("*") if path.suffix in (".mlir", ".test"))
    files = (path.read_text() for path in tests)
    runs = "\n".join(line for text in files for line in text.splitlines() if "RUN:" in line)
    # A flag, or a name in a textual pipeline.
    untested = [f for f in project_flags() if not re.search(rf"(?<!\w){f}\b", runs)]
    assert not untested, f"no lit test runs {sorted(untested)}"


def test_every_pass_has_a_description():
    for td in (ROOT / "include").rglob("*Passes.td"):
        for name, body in re.findall(r"def (\w+) : Pass<(.*?)\n}", td.read_text(), re.S):
            assert "let description" in body, f"{td.name}: {name} has no description"


def test_every_pass_before_lowering_says_what_it_does_to_arithmetic():
    """boost-prove holds each pass of the pipeline to this line."""
    for folder in ("Dialect/Boost", "Dialect/StableHLO", "Conversion/StableHLOToBoost"):
        for td in (ROOT / "include" / "boost-mlir" / folder).rglob("*Passes.td"):
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


INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)


def folders_page():
    """The two tables of docs/Folders.md: for each folder, in order, the folders it may include."""
    tables, rows = [], None
    for line in (ROOT / "docs" / "Folders.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else None
        if cells == ["folder", "what it contains", "may include"]:
            tables.append(rows := {})
        elif cells and cells[0].startswith("`"):
            rows[cells[0].strip("`")] = set(re.findall(r"`([^`]+)`", cells[2]))
    return tables


def folder_of(path, folders):
    """The folder of the page that a path below lib/ or include/boost-mlir/ is in."""
    return next((name for name in folders if path.startswith(name + "/")), None)


def included_folders(roots, folders, prefix):
    """{folder: folders that its sources include}, and includes by a path that leaves the folder."""
    used, outside = {name: set() for name in folders}, []
    for root in roots:
        for path in root.rglob("*"):
            if path.suffix not in (".cpp", ".h", ".cuh", ".cu", ".def"):
                continue
            inside = path.relative_to(root).as_posix()
            folder = folder_of(inside, folders)
            if folder is None:
                assert "/" not in inside, f"docs/Folders.md does not name the folder of {inside}"
                continue
            for name in INCLUDE.findall(path.read_text()):
                if name.startswith("..") and not (path.parent / name).resolve().is_relative_to(root / folder):
                    outside.append(f"{inside}: {name}")
                if name.startswith(prefix):
                    used[folder].add(folder_of(name.removeprefix(prefix), folders))
    return {name: names - {name, None} for name, names in used.items()}, outside


def test_folders_include_what_their_page_says():
    compiler, runtime = folders_page()
    roots = (ROOT / "lib", ROOT / "include" / "boost-mlir")
    for allowed, used in (
        (compiler, included_folders(roots, compiler, "boost-mlir/")),
        (runtime, included_folders([ROOT / "runtime" / "lib"], runtime, "")),
    ):
        assert used == (allowed, [])


def test_folders_include_only_those_above():
    for table in folders_page():
        names = list(table)
        for i, (name, allowed) in enumerate(table.items()):
            assert allowed <= set(names[:i]), f"docs/Folders.md: {name} includes a folder below it"


def test_the_compiler_includes_named_headers_of_the_runtime():
    page = (ROOT / "docs" / "Folders.md").read_text()
    named = set(re.findall(r"`(boost-runtime/[^`]+)`", page))
    used = set()
    for root in (ROOT / "lib", ROOT / "include"):
        for path in [*root.rglob("*.cpp"), *root.rglob("*.h")]:
            used |= {name for name in INCLUDE.findall(path.read_text()) if name.startswith("boost-runtime/")}
    assert used == named
    for path in (ROOT / "runtime").rglob("*"):
        if path.suffix in (".cpp", ".h", ".cuh", ".cu"):
            text = path.read_text()
            assert not re.search(r'#include ["<](boost-mlir|mlir|llvm)/', text), path
