# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Safetensors files with the checksums that compiled programs write into them.

Checksums are XXH3 of 64 bits in 16 hexadecimal digits: `xxh3:NAME` in `__metadata__` for the
bytes of a tensor, and `xxh3` for the header, taken with zeros in its own place.
"""

from __future__ import annotations

import json
import re

import ml_dtypes
import numpy as np
import xxhash
from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from ._files import open_input, replacing

SEAL = "xxh3"
_SEALED = re.compile(rb'"xxh3": *"([^"]{16})"')
_NUMBER = re.compile("([FIU])(8|16|32|64)")
_KINDS = {"F": "float", "I": "int", "U": "uint"}
_OTHERS = {"BF16": np.dtype(ml_dtypes.bfloat16), "BOOL": np.dtype(bool)}
_MOST_HEADER_BYTES = 100_000_000


class DamagedError(ValueError):
    """A file is not what was written: truncated, changed, or of another kind."""


def find_seal(text: bytes) -> str | None:
    """The checksum that a JSON text has of itself; None if it has none.

    Raises `DamagedError` if it is not that of the text."""
    found = _SEALED.search(text)
    if not found:
        return None
    start, end = found.span(1)
    if xxhash.xxh3_64_hexdigest(text[:start] + b"0" * 16 + text[end:]).encode() != found[1]:
        raise DamagedError(f"it does not have its checksum, {found[1].decode(errors='replace')}")
    return found[1].decode()


def _bytes_of(array) -> memoryview:
    return memoryview(np.ascontiguousarray(array).reshape(-1).view(np.uint8))


class TensorFile:
    """A safetensors file that is open for reading; its header has been checked."""

    def __init__(self, path):
        self.path = path
        try:
            self.seal = find_seal(_header_of(path))
        except DamagedError as error:
            raise DamagedError(f"the header of {path} is damaged: {error}; copy it again") from error
        try:
            self._file = safe_open(path, framework="numpy")
        except SafetensorError as error:
            raise DamagedError(f"{path} is not a complete safetensors file: {error}") from error
        self._metadata = self._file.metadata() or {}
        self.names = set(self._file.keys())

    def states(self) -> dict[str, tuple[str, tuple[str, ...]]]:
        """The kind of each state of an optimizer, and the parameters that it belongs to."""
        return {
            name: (kind, _owners(self._metadata.get(f"of:{name}")))
            for key, kind in self._metadata.items()
            if key.startswith("kind:") and (name := key.removeprefix("kind:"))
        }

    def shape(self, name: str) -> tuple[int, ...]:
        return tuple(self._file.get_slice(name).get_shape())

    def dtype(self, name: str) -> np.dtype | str:
        """The type of a tensor; as the file writes it if NumPy has none, such as F8_E4M3."""
        text = self._file.get_slice(name).get_dtype()
        if found := _NUMBER.fullmatch(text):
            return np.dtype(_KINDS[found[1]] + found[2])
        return _OTHERS.get(text, text)

    def read(self, name: str) -> np.ndarray:
        """A tensor, whose bytes have the checksum of the file if there is one."""
        value = self._file.get_tensor(name)
        expected = self._metadata.get(f"{SEAL}:{name}")
        if expected and xxhash.xxh3_64_hexdigest(_bytes_of(value)) != expected:
            raise DamagedError(
                f"{self.path} is damaged: the bytes of tensor '{name}' do not have their checksum, "
                f"{expected}; copy it again, or write it without checksums if you changed it"
            )
        return value


def _owners(text: str | None) -> tuple[str, ...]:
    """The parameters that metadata names: none, one, or several as a list in JSON."""
    if text is None:
        return ()
    return tuple(json.loads(text)) if text.startswith('["') else (text,)


def _header_of(path) -> bytes:
    """The JSON of a file; what is no header is left to the reader to refuse."""
    with open_input(path) as file:
        length = int.from_bytes(file.read(8), "little")
        return file.read(length) if length <= _MOST_HEADER_BYTES else b""


def write_tensors(path, tensors: dict[str, np.ndarray]) -> None:
    """Writes arrays with the checksum of each, under `path` as soon as all are written."""
    tensors = {name: np.require(value, requirements="C") for name, value in tensors.items()}
    checksums = {
        f"{SEAL}:{name}": xxhash.xxh3_64_hexdigest(_bytes_of(value))
        for name, value in tensors.items()
    }
    with replacing(path) as partial:
        save_file(tensors, partial, metadata=checksums)
