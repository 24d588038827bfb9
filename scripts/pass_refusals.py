#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that a pass that reports an error fails.

    scripts/pass_refusals.py BOOST_OPT

With --verify-diagnostics boost-opt succeeds when the errors are those expected, whether or not the
pass failed, and a pipeline would go on after an error. So the parts of the lit tests that expect
errors of a pass run here once more, one by one and without that option: each must fail.
"""

import pathlib
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

TESTS = pathlib.Path(__file__).parents[1] / "test"
RUN = re.compile(r"^// RUN: boost-opt %s (.*?)(?:[|>].*)?$", re.MULTILINE)
DIAGNOSTICS = re.compile(r"--?verify-diagnostics")
SPLIT = re.compile(r"--?split-input-file")
EXPECTED = re.compile(r"// *expected-.*")


def refusals():
    """The place, the options and the program of every part that expects an error of a pass."""
    for file in sorted(TESTS.rglob("*.mlir")):
        text = file.read_text()
        for run in RUN.findall(text.replace("\\\n// RUN:", "")):
            options = shlex.split(run)
            if not any(map(DIAGNOSTICS.fullmatch, options)) or "%" in run:
                continue
            is_split = any(map(SPLIT.fullmatch, options))
            passes = [o for o in options if not DIAGNOSTICS.fullmatch(o) and not SPLIT.fullmatch(o)]
            if all(option.startswith("--allow-") for option in passes):
                continue
            line = 1
            for part in text.split("// -----\n") if is_split else [text]:
                if "expected-error" in part:
                    yield f"{file.relative_to(TESTS)}:{line}", passes, EXPECTED.sub("//", part)
                line += part.count("\n") + 1


def main():
    boost_opt = sys.argv[1]

    def fails(refusal):
        place, passes, part = refusal
        command = [boost_opt, "-", *passes, "-o", "/dev/null"]
        code = subprocess.run(command, input=part, capture_output=True, text=True).returncode
        if code != 1:
            print(f"{place}: expects a failure of {shlex.join(passes)}, but it exits with {code}")
        return code == 1

    with ThreadPoolExecutor() as pool:
        failed = list(pool.map(fails, refusals()))
    print(f"{sum(failed)} of {len(failed)} refusals fail")
    sys.exit(not all(failed))


if __name__ == "__main__":
    main()
