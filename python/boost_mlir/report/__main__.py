# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The command `python -m boost_mlir.report`, also installed as `boost-report`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .._files import writing
from .errors import ReportError
from .log import load_log
from .page import make_page
from .source import load_plan
from .trace import load_trace


def _parser():
    parser = argparse.ArgumentParser(
        prog="python -m boost_mlir.report",
        description="Make a page, one HTML file, about a compiled program and its training.",
    )
    parser.add_argument(
        "plan", help="from boost-compile --emit=plan or the program's info; or the program itself"
    )
    parser.add_argument("log", nargs="?", help="from train --log")
    parser.add_argument("--trace", metavar="FILE", help="from train --trace")
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="the page to write")
    parser.add_argument("--title", help="heading of the page (the name of the plan's file)")
    return parser


def main(argv=None) -> int:
    options = _parser().parse_args(argv)
    inputs = [Path(path) for path in (options.plan, options.log, options.trace) if path is not None]
    if Path(options.output).resolve() in [path.resolve() for path in inputs]:
        print(f"error: {options.output} is an input; give the page another name", file=sys.stderr)
        return 2
    try:
        plan = load_plan(options.plan)
        log = load_log(options.log) if options.log is not None else None
        trace = load_trace(options.trace, plan) if options.trace is not None else None
        page = make_page(options.title or Path(options.plan).name, plan, log, trace)
        with writing(options.output) as file:
            file.write(page.encode("utf-8"))
    except (ReportError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 3
    for note in log.notes if log else ():
        print(f"warning: {options.log}: {note}", file=sys.stderr)
    print(f"{options.output}: {len(page):,} characters", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
