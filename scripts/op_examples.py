#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the descriptions of operations and attributes: all operations have one, and the
examples in them verify.

    scripts/op_examples.py BOOST_OPT

An example is a block of MLIR. It is functions, or attributes, one a line, or operations of a
function; there, values that the example only reads are given, with the types that it reads
them as. The mesh `@mesh` has two axes of two ranks. Needs llvm-tblgen on the path. Exit code
1 if something is wrong.
"""

import bisect
import itertools
import json
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

INCLUDE = Path(__file__).resolve().parent.parent / "include"
ATTRIBUTES = ["Boost/IR/BoostAttrs"]
OPERATIONS = [
    "Boost/IR/BoostChoice",
    "Boost/IR/BoostOps",
    "Boost/IR/BoostStopGradient",
    "BoostRT/IR/BoostRTOps",
    "BoostRT/IR/BoostRTFactorization",
    "StableHLO/IR/StableHLOOps",
    "StableHLO/IR/StableHLOFactorization",
    "StableHLO/IR/CHLO",
    "StableHLO/IR/SDY",
]
BLOCK = re.compile(r"```mlir\n(.*?)```", re.DOTALL)
MESH = 'shard.grid @mesh(shape = 2x2) {boost.axes = ["dp", "tp"]}\n'


def read_records(file):
    """Returns TableGen's records of a file below `Dialect`."""
    tblgen = Path(shutil.which("llvm-tblgen")).resolve()
    llvm_include = tblgen.parent.parent / "include"
    path = INCLUDE / "boost-mlir" / "Dialect" / f"{file}.td"
    command = [tblgen, "-I", INCLUDE, "-I", llvm_include, "--dump-json", path]
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return json.loads(output)


def read_operations():
    """The name and the description of every operation."""
    for file in OPERATIONS:
        records = read_records(file)
        for name in records["!instanceof"]["Op"]:
            op = records[name]
            prefix = records[op["opDialect"]["def"]]["name"]
            yield f"{prefix}.{op['opName']}", op["description"].strip()


def read_attributes():
    """Returns every attribute with a description; enumerations have none."""
    for file in ATTRIBUTES:
        records = read_records(file)
        for name in records["!instanceof"]["AttrDef"]:
            attribute = records[name]
            prefix = records[attribute["dialect"]["def"]]["name"]
            if attribute["description"]:
                yield f"#{prefix}.{attribute['mnemonic']}", attribute["description"].strip()


class Example:
    """A block of a description, and what has to be around it."""

    def __init__(self, of, text):
        self.of = of
        lines = textwrap.dedent(text).splitlines()
        if all(line.startswith("#") for line in lines):
            text = "".join(f'"example.use"() {{attribute = {line}}} : () -> ()\n' for line in lines)
        self.text = text
        self.types = {}
        defined = re.findall(r"^\s*(%[^=]*?) =", text, re.MULTILINE)
        names = {n for line in defined for n in re.findall(r"%\w+", line)}
        names |= set(re.findall(r"(%\w+):", text))
        read = dict.fromkeys(re.findall(r"%\w+", text))
        self.given = [] if "func.func" in text else [n for n in read if n not in names]

    def program(self):
        """Definitions follow uses, which is allowed in a region that is a graph."""
        if "func.func" in self.text:
            return self.text
        values = "".join(
            f'{name} = "example.value"() : () -> {self.types.get(name, "none")}\n'
            for name in self.given
        )
        return f"{MESH}{self.text}{values}"


def parse(tool, examples):
    """Returns the tool's errors for each example; empty if it verifies."""
    command = [tool, "-", "--allow-unregistered-dialect", "--split-input-file"]
    programs = [example.program().rstrip() + "\n" for example in examples]
    text = "// -----\n".join(programs)
    result = subprocess.run(command, input=text, text=True, capture_output=True)
    lines = itertools.accumulate(program.count("\n") + 1 for program in programs)
    ends, messages = list(lines), [""] * len(examples)
    for error in re.split(r"(?=^<stdin>:\d+:\d+: error)", result.stderr, flags=re.MULTILINE)[1:]:
        line = int(error.split(":")[1])
        messages[bisect.bisect_left(ends, line)] += error
    if (result.returncode != 0) != any(messages):
        raise SystemExit(f"error: {tool} exits with {result.returncode}\n{result.stderr}")
    return messages


def check(tool, examples):
    """Returns the errors of each example once the types of the given values are known."""
    messages = parse(tool, examples)
    learnt = [k for k, message in enumerate(messages) if learn_type(examples[k], message)]
    if learnt:
        for k, message in zip(learnt, check(tool, [examples[k] for k in learnt])):
            messages[k] = message
    return messages


def learn_type(example, message):
    """Reads from an error what type a given value has; whether it says so."""
    found = re.search(r"definition of SSA value '(%\w+)#0' has type 'none'", message)
    used = re.search(r"previously used here with type '(.*)'", message)
    if not found or not used or found[1] in example.types:
        return False
    example.types[found[1]] = used[1]
    return True


def main():
    (tool,) = sys.argv[1:]
    operations, attributes = list(read_operations()), list(read_attributes())
    wrong = [f"{op}: has no description" for op, description in operations if not description]
    examples = [
        Example(name, block)
        for name, description in operations + attributes
        for block in BLOCK.findall(description)
    ]
    wrong += [
        f"{example.of}: the example is wrong\n{message}"
        for example, message in zip(examples, check(tool, examples))
        if message
    ]
    print("\n".join(wrong))
    print(
        f"{len(operations)} operations, {len(attributes)} attributes, "
        f"{len(examples)} examples, {len(wrong)} wrong"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
