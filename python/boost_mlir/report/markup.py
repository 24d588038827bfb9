# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""HTML and SVG elements. Text is escaped unless it is markup already."""

from __future__ import annotations

import html
import re

_VOID = {"meta", "br"}
# Characters that HTML does not allow in a document in any spelling.
_FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


class Markup(str):
    """Text that is HTML; `tag` and `join` make it."""


def escape(text) -> Markup:
    """`text` as it reads, with what HTML does not allow replaced by U+FFFD."""
    if isinstance(text, Markup):
        return text
    return Markup(html.escape(_FORBIDDEN.sub("\ufffd", str(text)), quote=True))


def join(*children) -> Markup:
    """Children one after another: markup, text, lists of them, and None for nothing."""
    parts = []
    for child in children:
        if isinstance(child, (list, tuple)):
            parts.append(join(*child))
        elif child is not None:
            parts.append(escape(child))
    return Markup("".join(parts))


def tag(name: str, /, *children, **attributes) -> Markup:
    """An element. `class_` is `class`, `data_x` is `data-x`; None leaves an attribute out."""
    text = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in _VOID:
        return Markup(f"<{name}{text}>")
    return Markup(f"<{name}{text}>{join(*children)}</{name}>")
