# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The file of a compiled program: a runtime, and behind it a shared library with the code
(runtime/include/boost-runtime/ProgramFile.h)."""

from __future__ import annotations

import struct
from pathlib import Path

MARK = b"boost-mlir code\0"
PLACE = struct.Struct("<16sQQ")


def code_of(contents: bytes) -> slice:
    """Where in the file of a program its code is."""
    _, offset, size = PLACE.unpack_from(contents, contents.index(MARK))
    return slice(offset, offset + size)


def replace_runtime(program: Path, runtime: Path, output: Path) -> None:
    """Writes a program with the code of `program` and another runtime."""
    contents, head = program.read_bytes(), bytearray(runtime.read_bytes())
    code = contents[code_of(contents)]
    PLACE.pack_into(head, head.index(MARK), MARK, len(head), len(code))
    output.write_bytes(head + code)
    output.chmod(0o755)
