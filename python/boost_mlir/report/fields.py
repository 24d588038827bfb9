# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fields of a JSON document, each checked where it is read."""

from __future__ import annotations

import json
from collections.abc import Iterator

from .errors import ReportError

_LARGEST_INTEGER = 2**63 - 1
# Sums, quotients and powers of amounts stay finite within these bounds.
LARGEST_AMOUNT, SMALLEST_AMOUNT = 1e100, 1e-100


def _shorten(value) -> str:
    try:
        text = json.dumps(value)
    except RecursionError:
        return "a value that is nested too deeply"
    return text if len(text) <= 40 else text[:37] + "..."


class Field:
    """A value of a document with the way to it, as in `memory.largest[0].bytes`.

    Reading one that is of another kind raises ReportError, with `remedy` at its end."""

    def __init__(self, value, document: str, remedy: str, path: str = ""):
        self.value, self.document, self.remedy, self.path = value, document, remedy, path

    def refuse(self, expected: str) -> ReportError:
        where = f" at {self.path}" if self.path else ""
        return ReportError(
            f"{self.document}: expects {expected}{where}, but got {_shorten(self.value)}; {self.remedy}"
        )

    def _below(self, value, path: str) -> Field:
        return Field(value, self.document, self.remedy, path)

    def get(self, key: str) -> Field | None:
        """A field of this object, None if it is not there."""
        if not isinstance(self.value, dict):
            raise self.refuse("an object")
        if key not in self.value:
            return None
        return self._below(self.value[key], f"{self.path}.{key}" if self.path else key)

    def __getitem__(self, key: str) -> Field:
        """A field of this object, which must be there."""
        field = self.get(key)
        if field is None:
            raise self.refuse(f"an object with '{key}'")
        return field

    def items(self) -> Iterator[tuple[str, Field]]:
        if not isinstance(self.value, dict):
            raise self.refuse("an object")
        return ((key, self[key]) for key in self.value)

    def entries(self) -> list[Field]:
        if not isinstance(self.value, list):
            raise self.refuse("a list")
        return [self._below(entry, f"{self.path}[{i}]") for i, entry in enumerate(self.value)]

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self.refuse("a string")
        return self.value

    def boolean(self) -> bool:
        if not isinstance(self.value, bool):
            raise self.refuse("true or false")
        return self.value

    def amount(self) -> float:
        """A finite number of at least 0; what is too small to matter is 0."""
        number = isinstance(self.value, (int, float)) and not isinstance(self.value, bool)
        if not number or not 0 <= self.value <= LARGEST_AMOUNT:
            raise self.refuse("a number from 0 to 1e100")
        return float(self.value) if self.value >= SMALLEST_AMOUNT else 0.0

    def count(self, least: int = 0) -> int:
        if type(self.value) is not int or not least <= self.value <= _LARGEST_INTEGER:
            raise self.refuse(f"an integer of at least {least}")
        return self.value
