# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command that makes a report."""

import os
import re
import sys

import report_page
from report_files import ROOT, run


def test_the_command_needs_the_standard_library_alone(folder, tmp_path):
    """`python -S -I` has no packages."""
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT / 'python')!r}); "
        "from boost_mlir.report.__main__ import main; sys.exit(main(sys.argv[1:]))"
    )
    run(sys.executable, "-I", "-S", "-c", code, folder / "tp.json", "-o", tmp_path / "r.html")
    report_page.parse((tmp_path / "r.html").read_text())


def test_a_pipe_is_written_and_stays(folder):
    """As /dev/stdout is, which root could replace by a file."""
    text = run(
        *(sys.executable, "-m", "boost_mlir.report", folder / "tp.json", "-o", "/dev/stdout")
    )
    report_page.parse(text)
    assert os.path.islink("/dev/stdout")


def test_the_screenshots_of_the_docs_are_there_and_small():
    document = (ROOT / "docs" / "Report.md").read_text()
    pictures = [ROOT / "docs" / name for name in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", document)]
    assert len(pictures) == 2
    for picture in pictures:
        data = picture.read_bytes()
        assert data[:8] == b"\x89PNG\r\n\x1a\n" or data[8:12] == b"WEBP"
        assert len(data) < 150_000
