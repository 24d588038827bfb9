# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Numbers as people read them: three digits and a unit."""

from __future__ import annotations

import math
import re

_SPACE = "\u00a0"  # keeps a number and its unit on one line
_ZEROS = re.compile(r"(?:\.|(\.\d*[1-9]))0+(?!\d)")


def significant(value: float, digits: int = 3) -> str:
    """`digits` significant digits, without an exponent where that is readable."""
    if value == 0:
        return "0"
    magnitude = math.floor(math.log10(abs(float(f"{value:.{digits - 1}e}"))))
    if not -5 < magnitude < 7:
        return f"{value:.{digits - 1}e}"
    return f"{value:,.{max(0, digits - 1 - magnitude)}f}"


def _scaled(value: float, unit: str, scales, like: float | None) -> str:
    """`value` in the first of `scales`, pairs of a factor and a prefix, that `like` reaches."""
    reference = value if like is None else like
    for factor, prefix in scales:
        if abs(reference) >= 0.9995 * factor:
            break
    return f"{significant(value / factor)}{_SPACE}{prefix}{unit}"


_LARGE = ((1e18, "E"), (1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1, ""))
_SMALL = ((1, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"))


def seconds(value: float, like: float | None = None) -> str:
    """Seconds, in the unit that fits `like`, which is `value` itself if it is not given."""
    return _scaled(value, "s", _SMALL, like or value or 1.0)


def data_size(value: float, like: float | None = None) -> str:
    """Bytes in powers of ten, as `boost-compile --explain` has them."""
    if like is None and value < 1000:
        return f"{value:.0f}{_SPACE}B"
    return _scaled(value, "B", _LARGE, like)


def operations(value: float) -> str:
    return _scaled(value, "FLOP", _LARGE, None)


def trim(text: str) -> str:
    """A number with its unit without zeros at the end of its fraction, for ticks."""
    return _ZEROS.sub(lambda zeros: zeros[1] or "", text)


def share(part: float, total: float) -> str:
    """A part in percent; nothing of nothing is 0."""
    return f"{100 * part / total if total else 0:.1f}{_SPACE}%"


def counted(count: int, noun: str) -> str:
    """`1 step`, `1,200 steps`; for launches too."""
    plural = noun + ("es" if noun.endswith(("ch", "ss")) else "s")
    return f"{count:,}{_SPACE}{noun if count == 1 else plural}"
