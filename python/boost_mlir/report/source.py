# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where a plan comes from: a JSON file, what `info` prints, or a compiled program."""

from __future__ import annotations

import json

from .._files import read_input
from .errors import ReportError
from .fields import Field
from .plan import REMEDY, Plan, read_plan

_ELF = b"\x7fELF"
# How the manifest of a program begins, which ends with a NUL (lib/Target/Object.cpp).
_MANIFEST = b'{"format":1,"name":'


def load_plan(path) -> Plan:
    """The plan in a file. A program is read, not run. Raises ReportError or OSError."""
    data = read_input(path)
    value = _find_manifest(path, data) if data.startswith(_ELF) else _parse(data)
    if value is None:
        raise ReportError(
            f"{path}: expects a plan in JSON, but this is "
            f"{'none' if data.strip() else 'an empty file'}; {REMEDY}"
        )
    document = Field(value, str(path), REMEDY)
    # The output of `info` and the manifest contain the plan.
    if isinstance(value, dict) and "plan" in value and "collectives" not in value:
        document = document["plan"]
    return read_plan(document)


def _parse(data: bytes):
    """The JSON value that `data` is, None if it is none."""
    try:
        return json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        return None


def _find_manifest(path, data: bytes):
    start = -1
    while (start := data.find(_MANIFEST, start + 1)) >= 0:
        value = _parse(data[start : data.find(b"\0", start)])
        if isinstance(value, dict) and "plan" in value:
            return value
    raise ReportError(
        f"{path}: expects a plan or a program of boost-compile, but this program has no plan; {REMEDY}"
    )
