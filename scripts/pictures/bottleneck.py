# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the two factors of a bottleneck are sharded over two ranks, and what is all-reduced.

Matrices have their proportions: T tokens, width d = n, and a rank r of a quarter of that.
"""

from __future__ import annotations

from boost_mlir.report.markup import Markup

from .drawing import arrow, box, label, picture

T, D, N, R = 56, 132, 132, 32
WIDTH, PANEL, MIDDLE = 920, 240, 126


def _sharded(x: float, middle: float, width: float, height: float, by: str) -> list[Markup]:
    """A matrix of which each rank has half: of the columns, of the rows, or the same on both."""
    left, top = x, middle - height / 2
    if by == "none":
        return [box(left, top, width, height, "both")]
    if by == "columns":
        half = (width - 2) / 2
        return [box(left + i * (half + 2), top, half, height, f"rank{i}") for i in (0, 1)]
    half = (height - 2) / 2
    return [box(left, top + i * (half + 2), width, half, f"rank{i}") for i in (0, 1)]


def _terms(x: float, middle: float, width: float) -> list[Markup]:
    """A partial sum: a matrix of full size on each rank, to be added."""
    return [
        box(x, middle - T - 8, width, T, "rank0"),
        label(x + width / 2, middle + 5, "+"),
        box(x, middle + 8, width, T, "rank1"),
    ]


def _all_reduce(x: float, middle: float, what: str) -> list[Markup]:
    return [
        *arrow(x, middle, x + 112, middle),
        box(x + 8, middle - 24, 88, 48, "sent", 6),
        label(x + 52, middle - 4, "all-reduce", "on-sent"),
        label(x + 52, middle + 14, what, "on-sent"),
    ]


class _Row:
    """Places matrices and signs from left to right around a line."""

    def __init__(self, middle: float):
        self.middle, self.x, self.parts = middle, 24.0, []

    def matrix(self, width: float, height: float, by: str, *names: str) -> _Row:
        self.parts += _sharded(self.x, self.middle, width, height, by)
        return self._named(width, height / 2, names)

    def terms(self, width: float, *names: str) -> _Row:
        self.parts += _terms(self.x, self.middle, width)
        return self._named(width, T + 8, names)

    def _named(self, width: float, below: float, names) -> _Row:
        for i, name in enumerate(names):
            kind = "small" if i == 0 else "small muted"
            self.parts.append(label(self.x + width / 2, self.middle + below + 17 + 15 * i, name, kind))
        self.x += width
        return self

    def sign(self, text: str) -> _Row:
        self.parts.append(label(self.x + 14, self.middle + 5, text))
        self.x += 28
        return self

    def all_reduce(self, what: str) -> _Row:
        self.parts += _all_reduce(self.x + 8, self.middle, what)
        self.x += 128
        return self


def _panel(top: float, title: str, payload: str, row: _Row) -> list:
    return [
        box(8, top, WIDTH - 16, PANEL, "panel", 6),
        label(24, top + 26, title, "title", "start"),
        label(WIDTH - 24, top + 26, payload, "loud", "end"),
        row.parts,
    ]


def _legend(y: float) -> list:
    entries = [("rank0", "held by rank 0"), ("rank1", "by rank 1"), ("both", "the same on both")]
    entries.append(("sent", "sent"))
    parts, x = [], 24
    for kind, text in entries:
        parts += [box(x, y - 10, 12, 12, kind), label(x + 18, y, text, "small", "start")]
        x += 54 + 7 * len(text)
    note = "x: T × d, T tokens.  A: d × r.  B: r × n."
    return [*parts, label(WIDTH - 24, y, note, "small muted", "end")]


def draw() -> str:
    narrow = _Row(8 + MIDDLE)
    narrow.matrix(D, T, "columns", "x", "by columns").sign("×")
    narrow.matrix(R, D, "rows", "A", "by rows").sign("=").terms(R, "x A").all_reduce("T · r")
    narrow.matrix(R, T, "none", "latent", "on both").sign("×")
    narrow.matrix(N, R, "columns", "B", "by columns").sign("=")
    narrow.matrix(N, T, "columns", "y", "by columns: the next x")
    wide = _Row(8 + PANEL + 8 + MIDDLE)
    wide.matrix(D, T, "none", "x", "on both").sign("×")
    wide.matrix(R, D, "columns", "A", "by columns").sign("=").matrix(R, T, "columns", "latent").sign("×")
    wide.matrix(N, R, "rows", "B", "by rows").sign("=").terms(N, "x A B").all_reduce("T · n")
    wide.matrix(N, T, "none", "y", "on both")
    height = 8 + 2 * (PANEL + 8) + 28
    return picture(
        "How a bottleneck is sharded over two ranks",
        "boost-mlir shards the first factor by rows and the second by columns, so that the partial "
        "sums meet at the narrow latent: T r elements are all-reduced. The usual way shards the first "
        "by columns and the second by rows, and all-reduces the wide result: T n elements.",
        WIDTH,
        height,
        _panel(8, "boost-mlir: partial sums meet at the latent", "7 · T · r per block, forward", narrow),
        _panel(
            8 + PANEL + 8,
            "The usual way (Megatron): they meet at the wide result",
            "(5 · d + 2 · d_ff) · T per block, forward",
            wide,
        ),
        _legend(height - 16),
    )
