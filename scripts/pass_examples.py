#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the examples in the descriptions of passes.

    scripts/pass_examples.py BOOST_OPT [FILE.td...]

Without files all of them under include/ are checked. An example is a block of MLIR
with a line `// becomes` in it. What precedes that line goes through the pass of the
description, and what follows it must be the result, but for the names of values and for
line breaks. A line `// boost-opt --PASS="..."` gives the pass options. A block without
`// becomes`, but with `// error: MESSAGE` lines, must be refused with these messages.
Every pass needs an example. Exit code 1 if one is wrong; the difference is printed.
"""

import difflib
import re
import subprocess
import sys
from pathlib import Path

INCLUDE = Path(__file__).resolve().parent.parent / "include"
PASS = re.compile(r'^def \w+\s*:\s*\w*Pass<"([\w-]+)"', re.MULTILINE)
BLOCK = re.compile(r"```mlir\n(.*?)```", re.DOTALL)
SEPARATOR = re.compile(r"^\s*// becomes\s*$", re.MULTILINE)
OPTIONS = re.compile(r'^\s*// boost-opt --([\w-]+)="(.*)"$', re.MULTILINE)
ERROR = re.compile(r"^\s*// +error: (.*(?:\n\s*//   +.*)*)", re.MULTILINE)


def read_passes(file):
    """The flag of every pass that is defined in a file, with its definition."""
    text = Path(file).read_text()
    starts = [*PASS.finditer(text)]
    ends = [match.start() for match in starts[1:]] + [len(text)]
    return [(match[1], text[match.start() : end]) for match, end in zip(starts, ends)]


def run(tool, text, *options):
    return subprocess.run([tool, "-", *options], input=text, text=True, capture_output=True)


def get_option(flag, example):
    """How boost-opt is asked to run the pass on this example."""
    given = OPTIONS.search(example)
    if given is None:
        return f"--{flag}"
    if given[1] != flag:
        raise ValueError(f"expects the options of --{flag}, but got those of --{given[1]}")
    return f"--{flag}={given[2]}"


def normal_form(tool, text):
    """As the tool prints it: values numbered, attributes in order."""
    printed = run(tool, text, "--mlir-print-local-scope")
    if printed.returncode:
        raise ValueError(printed.stderr)
    return printed.stdout.splitlines()


def transform(tool, flag, before, after):
    """Returns the error of an example of a transformation; empty if there is none."""
    result = run(tool, before, get_option(flag, before))
    if result.returncode:
        return result.stderr
    actual, expected = normal_form(tool, result.stdout), normal_form(tool, after)
    return "\n".join(difflib.unified_diff(expected, actual, "described", "result", lineterm=""))


def refuse(tool, flag, text):
    """Returns the error of an example of a refusal; empty if there is none."""
    messages = [" ".join(re.sub(r"\n\s*//", " ", m).split()) for m in ERROR.findall(text)]
    result = run(tool, text, get_option(flag, text))
    said = " ".join(result.stderr.split())
    missing = [message for message in messages if message not in said]
    if result.returncode == 0 or missing:
        return f"expected: {missing}\n{result.stderr}"
    return ""


def check(tool, flag, definition):
    """Messages about one pass, and how many examples it has."""
    wrong, count = [], 0
    for block in BLOCK.findall(definition):
        parts = SEPARATOR.split(block)
        try:
            if len(parts) == 2:
                message = transform(tool, flag, *parts)
            elif ERROR.search(block):
                message = refuse(tool, flag, block)
            else:
                message = "it has neither '// becomes' nor '// error:'"
        except ValueError as error:
            message = str(error)
        count += 1
        if message:
            wrong.append(f"{flag}: the example is wrong\n{message}")
    if count == 0:
        wrong.append(f"{flag}: has no example")
    return wrong, count


def main():
    tool, *files = sys.argv[1:]
    wrong, count = [], 0
    for file in files or sorted(INCLUDE.rglob("*Passes.td")):
        for flag, definition in read_passes(file):
            messages, examples = check(tool, flag, definition)
            wrong += messages
            count += examples
    print("\n".join(wrong))
    print(f"{count} examples, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
