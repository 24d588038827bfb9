# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The machine code of a compiled program: where its functions lie, and with a bit flipped."""

from __future__ import annotations

import dataclasses
import random
import re
import struct
from pathlib import Path

from program_file import MARK, code_of

# Generated symbols: the functions of a program and the kernels that they call.
GENERATED = r"boost_(fn|part)_\w+|kernel_\d+"
# The function of --verify, which no other command runs.
PROBED = r"boost_(fn|part)_verify\w*"


@dataclasses.dataclass(frozen=True)
class Symbol:
    """A function and the bytes of the file that hold it."""

    name: str
    offset: int
    size: int


def _sections(data):
    """Headers of an ELF file of 64 bits: type, address, offset, size, link, entry size."""
    (table,) = struct.unpack_from("<Q", data, 0x28)
    entry_size, count = struct.unpack_from("<HH", data, 0x3A)
    for i in range(count):
        fields = struct.unpack_from("<IIQQQQIIQQ", data, table + i * entry_size)
        yield fields[1], fields[3], fields[4], fields[5], fields[6], fields[9]


def functions(binary: Path, pattern: str = GENERATED, without: str = PROBED) -> list[Symbol]:
    """The functions of a program or an object file whose whole names match, in the order of the file."""
    data = binary.read_bytes()
    code = code_of(data) if MARK in data else slice(0, len(data))
    data = data[code]
    assert data[:6] == b"\x7fELF\x02\x01", f"{binary} has no little-endian ELF file of 64 bits"
    sections = list(_sections(data))
    found = []
    for kind, _, start, size, link, entry_size in sections:
        if kind != 2:  # SHT_SYMTAB
            continue
        names = sections[link][2]
        for at in range(start, start + size, entry_size):
            name, info, _, section, address, length = struct.unpack_from("<IBBHQQ", data, at)
            if info & 15 != 2 or not length:  # STT_FUNC
                continue
            end = data.index(b"\0", names + name)
            text = data[names + name : end].decode()
            if re.fullmatch(pattern, text) and not re.fullmatch(without, text):
                _, base, offset, *_ = sections[section]
                found.append(Symbol(text, code.start + offset + address - base, length))
    return sorted(set(found), key=lambda symbol: symbol.offset)


def write(code: bytes, path: Path) -> Path:
    """A program of these bytes."""
    path.unlink(missing_ok=True)
    path.write_bytes(code)
    path.chmod(0o755)
    return path


def replace_start(binary: Path, function: str, instructions: bytes, path: Path) -> Path:
    """The program with other instructions at the start of a function, in another file."""
    (symbol,) = functions(binary, re.escape(function), without="")
    code = bytearray(binary.read_bytes())
    code[symbol.offset : symbol.offset + len(instructions)] = instructions
    return write(code, path)


@dataclasses.dataclass(frozen=True)
class Flip:
    """One bit of a function."""

    symbol: Symbol
    byte: int
    bit: int

    def write(self, binary: Path, path: Path) -> Path:
        """The program with that bit flipped, in another file."""
        code = bytearray(binary.read_bytes())
        code[self.symbol.offset + self.byte] ^= 1 << self.bit
        return write(code, path)

    def __str__(self):
        return f"{self.symbol.name}+{self.byte:#x} bit {self.bit}"


def random_flips(symbols: list[Symbol], seed: int):
    """Without end; every bit is as likely as any other."""
    rng = random.Random(seed)
    while True:
        byte = rng.randrange(sum(symbol.size for symbol in symbols))
        for symbol in symbols:
            if byte < symbol.size:
                yield Flip(symbol, byte, rng.randrange(8))
                break
            byte -= symbol.size
