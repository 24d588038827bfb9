# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The blocks of code of a page, and what runs them."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

from harness import REPOSITORY, run

#: Beginnings of a line of a shell. Blocks without a language have no such lines: they are only
#: shown.
COMMANDS = (
    r"(?:\w+=\S+ )*(?:boost-\w+|mpirun|torchrun|srun|python3?|pip|apt-get|cmake|ninja|lit|pytest|chromium|kill|tar|"
    r"export|printf|#!|(?:\./|scripts/|benchmarks/|build/)\S+)(?= |$|/)"
)
#: Languages whose blocks a reader runs.
RUN = ("sh", "console", "python")


@dataclasses.dataclass(frozen=True)
class Block:
    """One fenced block: its language, empty for what is only shown, its text and its line in the page."""

    language: str
    text: str
    line: int

    @property
    def commands(self) -> str:
        """The text after the prompts of a console, else all of it."""
        if self.language != "console":
            return self.text
        return "".join(line[2:] + "\n" for line in self.text.splitlines() if line.startswith("$ "))

    @property
    def shown(self) -> list[str]:
        """The lines of a console that are no commands; of another block all."""
        lines = self.text.splitlines()
        return [line for line in lines if self.language != "console" or not line.startswith("$ ")]


def all_blocks(page: str) -> list[Block]:
    text = (REPOSITORY / page).read_text()
    found = re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
    return [Block(each[1], each[2], text[: each.start()].count("\n") + 1) for each in found]


def all_pages() -> list[str]:
    """Those that people write, by their paths in the repository."""
    top = [*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").rglob("*.md"), *(REPOSITORY / "python").rglob("*.md")]
    pages = (str(path.relative_to(REPOSITORY)) for path in top)
    return sorted(page for page in pages if not page.startswith("docs/generated/"))


def spans(page: str) -> list[str]:
    """Returns the code in the text and in the tables of a page, of one line each."""
    text = re.sub(r"^```.*?^```$", "", (REPOSITORY / page).read_text(), flags=re.DOTALL | re.MULTILINE)
    return [" ".join(each.split()) for each in re.findall(r"(?<!`)`([^`]+)`(?!`)", text)]


class Page:
    """A page that is followed: `blocks` are those to be run, `left` those that have not been."""

    def __init__(self, name: str, not_run: tuple[str, ...]):
        self.name, self.names = name, {}
        blocks = [block for block in all_blocks(name) if block.language in RUN]
        self.blocks = [block for block in blocks if not block.commands.startswith(not_run)]
        self.left = list(self.blocks)

    def shown(self, part: str) -> list[str]:
        """The lines of the one block without a language that has this in it."""
        (block,) = (each for each in all_blocks(self.name) if not each.language and part in each.text)
        return block.text.splitlines()

    def run(self, block: Block, change=lambda text: text) -> str:
        """Runs a block, after `change` of its text: a cell in `names`, or commands, each of which has to
        succeed. What commands print."""
        self.left.remove(block)
        text = change(block.commands)
        if block.language != "python":
            return shell(text)
        # With a file of its own, from which JAX shows lines.
        source = Path(f"cell{block.line}.py")
        source.write_text(text)
        exec(compile(text, str(source), "exec"), self.names)
        return ""

    def run_all(self, change=lambda text: text) -> str:
        return "".join([self.run(block, change) for block in self.blocks])


def shell(commands: str) -> str:
    result = run("bash", "-e", "-c", commands)
    return result.stdout + result.stderr


#: Numbers of long runs, and those of a short one, in a shell and in Python.
SHORTER = {
    r"--steps \d+": "--steps 6",
    r"--warmup \d+": "--warmup 2",
    r"--val-every \d+": "--val-every 3",
    r"\bsteps=\d+": "steps=6",
}


def shorter(text: str) -> str:
    for pattern, short in SHORTER.items():
        text = re.sub(pattern, short, text)
    return text
