#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that every pass has tests where its flag leads.

    scripts/pass_tests.py

The tests of the pass `boost-NAME` (or `boostrt-NAME`, or `NAME`) of
include/boost-mlir/FOLDER/*Passes.td are in test/FOLDER/NAME. One of them must run the pass.
If the description says that the pass fails or refuses something, a test must expect an
error. Exit code 1 if something is missing.
"""

import re
import sys
from pathlib import Path

from pass_examples import INCLUDE, read_passes

TESTS = INCLUDE.parent / "test"
REFUSES = re.compile(r"(?<!ever )\b(Fails|fails|Refuses|refuses)\b")


def read_runs(text):
    """The RUN lines of a test, each with what it is continued by."""
    lines = re.findall(r"RUN: *(.*)", text)
    return "\n".join(lines).replace("\\\n", " ")


def check(flag, definition, folder):
    """Returns the tests that one pass lacks."""
    tests = folder / re.sub("^boost(rt)?-", "", flag)
    texts = [f.read_text() for f in tests.glob("*") if f.suffix in (".mlir", ".test")]
    if not texts:
        return [f"{flag}: expects tests in {tests.relative_to(TESTS.parent)}"]
    missing = []
    if not any(re.search(rf"\b{flag}\b", read_runs(text)) for text in texts):
        missing.append(f"{flag}: expects a test that runs it")
    refusal = re.compile(r"expected-error|\bnot boost-opt\b")
    if REFUSES.search(" ".join(definition.split())) and not any(refusal.search(text) for text in texts):
        missing.append(f"{flag}: expects a test of what it refuses")
    return missing


def main():
    missing, count = [], 0
    for file in sorted(INCLUDE.rglob("*Passes.td")):
        folder = TESTS / file.parent.relative_to(INCLUDE / "boost-mlir")
        for flag, definition in read_passes(file):
            missing += check(flag, definition, folder)
            count += 1
    print("\n".join(missing))
    print(f"{count} passes, {len(missing)} lacks")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
