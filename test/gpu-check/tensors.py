# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files of safetensors, read and compared with nothing but Python."""

import array
import json
import math

WIDTHS = {"F64": 8, "F32": 4, "BF16": 2, "F16": 2}


def _values(dtype: str, data: bytes):
    if dtype == "BF16":
        widened = bytearray(2 * len(data))
        widened[2::4], widened[3::4] = data[0::2], data[1::2]
        return array.array("f", bytes(widened))
    if dtype == "F16":
        return memoryview(data).cast("e")
    return array.array({"F64": "d", "F32": "f"}[dtype], data)


def read(path) -> dict:
    """The float tensors by name, flat."""
    with open(path, "rb") as file:
        header = json.loads(file.read(int.from_bytes(file.read(8), "little")))
        data = file.read()
    return {
        name: _values(entry["dtype"], data[slice(*entry["data_offsets"])])
        for name, entry in header.items()
        if name != "__metadata__" and entry["dtype"] in WIDTHS
    }


def relative_error(actual, expected) -> float:
    """The norm of the difference over the norm of what was expected; infinite if sizes differ."""
    if len(actual) != len(expected):
        return math.inf
    difference = math.sqrt(math.fsum((a - e) ** 2 for a, e in zip(actual, expected)))
    norm = math.sqrt(math.fsum(e * e for e in expected))
    if difference == 0:
        return 0.0
    return difference / norm if norm else math.inf
