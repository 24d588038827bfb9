# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Messages that pages quote are those of the sources."""

import functools
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCES = ("lib", "runtime/lib", "tools", "python/boost_mlir")
# A message has a piece of this length that is fixed, so that others are not taken for it.
FIXED = 10


def quoted(page: str) -> list[str]:
    """Returns the code in the first column of the tables."""
    cells = re.findall(r"^\| (`.*?`) \| ", page, re.MULTILINE)
    return [message for cell in cells for message in re.findall(r"`([^`]+)`", cell)]


def pieces(message: str) -> list[str]:
    """Returns the fixed parts of a message."""
    return [piece for piece in re.split(r"\s*\.\.\.\s*", message) if re.search(r"\w", piece)]


@functools.cache
def texts() -> dict[Path, str]:
    """The sources, with literals that follow one another as one, and without comments."""
    found = [path for folder in SOURCES for path in (ROOT / folder).rglob("*")]
    files = [path for path in found if path.suffix in (".cpp", ".h", ".py")]
    codes = {path: re.sub(r"^\s*(//|#).*$", "", path.read_text(), flags=re.MULTILINE) for path in files}
    joined = {path: re.sub(r'(?<!\\)"\s*f?"', "", code) for path, code in codes.items()}
    return {path: text.replace('\\"', '"').replace("\\n", "\n") for path, text in joined.items()}


def sources_of(message: str) -> list[Path]:
    return [path for path, text in texts().items() if all(piece in text for piece in pieces(message))]


LOST_NODE = (ROOT / "docs/HowTo/SeveralNodes.md").read_text().split("## When a node is lost")[1]
MESSAGES = quoted((ROOT / "docs/Messages.md").read_text()) + quoted(LOST_NODE)


def test_all_stages_have_messages():
    page = (ROOT / "docs/Messages.md").read_text()
    sections = dict(re.findall(r"^## (\w+)\n(.*?)(?=^## |\Z)", page, re.MULTILINE | re.DOTALL))
    assert list(sections) == ["Export", "Compile", "Placement", "Memory", "Run", "Checkpoint"]
    assert all(len(quoted(text)) >= 4 for text in sections.values())
    rows = re.findall(r"^\| (?!message|it says)(.*) \|$", page, re.MULTILINE)
    for row in rows:
        assert row.count(" | ") == 1 and row.endswith((".", "`")), f"expects a message and a remedy: {row}"


@pytest.mark.parametrize("message", MESSAGES)
def test_a_quoted_message_is_in_the_sources(message):
    assert max(map(len, pieces(message))) >= FIXED, "too little of it is fixed"
    assert sources_of(message), "no source has it: quote what the program says now, or remove it"


@pytest.mark.parametrize("message", ["this message is nowhere ...", "the loss must return ... --keep-last"])
def test_a_message_that_is_nowhere_is_found_out(message):
    assert not sources_of(message)
