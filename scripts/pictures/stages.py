# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The stages of the compiler by the level of their program, from the tables of docs/Pipeline.md."""

from __future__ import annotations

import re
from pathlib import Path

from .drawing import arrow, box, label, picture

WIDTH, CHIP, LINE = 920, 136, 16
# The work of each stage, in two lines.
WORK = {
    "import": ("inline calls,", "unroll loops"),
    "raise": ("find bottlenecks,", "norms, attention"),
    "structure": ("group linears,", "online norms, bf16"),
    "place": ("a sharding for", "every argument"),
    "decompose": ("two products for", "a bottleneck"),
    "differentiate": ("gradients,", "the optimizer"),
    "partition": ("the program of", "one rank"),
    "collectives": ("merge those that", "travel together"),
    "rematerialize": ("what backward reads:", "keep or recompute"),
    "schedule": ("pipeline stages,", "the order of calls"),
    "lower": ("runtime calls, kernels,", "one arena"),
    "emit": ("machine code,", "the manifest"),
}


def _rows(text: str, heading: str) -> list[list[str]]:
    """The cells of the table whose first column has this heading, without the marks of code."""
    table = re.search(rf"^\| {heading} \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", text, re.MULTILINE)
    assert table, f"docs/Pipeline.md has no table of the column '{heading}'"
    lines = table[1].replace("`", "").splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def read(page: Path) -> tuple[list[tuple[str, list[str]]], dict[str, str]]:
    """Stages with the one or two levels that they are between, and what the values of a level are."""
    text = page.read_text()
    stages = [(name, level.split(" to ")) for name, _, level, _ in _rows(text, "stage")]
    return stages, {name: values for name, values, *_ in _rows(text, "level")}


def _chip(x: float, y: float, name: str, width: float = CHIP) -> list:
    middle = x + width / 2
    lines = [label(middle, y + 37 + LINE * i, text, "small muted") for i, text in enumerate(WORK[name])]
    return [box(x, y, width, 62, "chip", 6), label(middle, y + 19, name), lines]


def draw(page: Path) -> str:
    stages, values = read(page)
    levels = list(dict.fromkeys(level for _, between in stages for level in between))
    parts, y = [], 8
    parts += [
        box(8, y, WIDTH - 16, 34, "panel", 6),
        label(24, y + 22, "a loss in JAX", "title", "start"),
        label(WIDTH - 24, y + 22, "StableHLO text: loss(params, batch), one device", "small muted", "end"),
    ]
    y += 34
    for level in levels:
        inside = [name for name, between in stages if between == [level]]
        entering = [name for name, between in stages if len(between) == 2 and between[1] == level]
        parts += arrow(90, y + 2, 90, y + (78 if entering else 22))
        for i, name in enumerate(entering):
            parts += _chip(116 + i * (CHIP + 8), y + 8, name, CHIP + 24)
        y += 80 if entering else 24
        height = 112 if inside else 40
        meaning = values.get(level, "one object file, linked with the runtime: the program")
        parts += [
            box(8, y, WIDTH - 16, height, "panel", 6),
            label(24, y + 25, level, "title", "start"),
            label(WIDTH - 24, y + 25, meaning, "small muted", "end"),
        ]
        wide = 24 if len(inside) < 4 else 0
        for i, name in enumerate(inside):
            parts += _chip(24 + i * (CHIP + wide + 10), y + 40, name, CHIP + wide)
        y += height
    return picture(
        "The stages of the compiler",
        " ".join(f"{name}: {' to '.join(between)}." for name, between in stages),
        WIDTH,
        y + 8,
        parts,
    )
