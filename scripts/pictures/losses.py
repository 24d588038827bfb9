# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The losses of the demo models from step to step, one line for each optimizer or recipe."""

from __future__ import annotations

import csv
from pathlib import Path

from .drawing import label, path, picture

WIDTH, HEIGHT = 920, 420
LEFT, RIGHT, TOP, BOTTOM = 56, 190, 48, 48
#: Classes of the lines, in the order of the columns.
KINDS = ("series0", "series1", "series2", "series3")
#: The least distance of two names at the ends of lines.
APART = 18
#: The steps whose loss does not fit into the picture.
SKIPPED = 50
CAPTION = "Mean loss of the 50 steps before, on the text of scripts/demo.sh"


def _read(file: Path) -> dict[str, list[tuple[int, float]]]:
    """Steps and means of the losses before them, by the titles of runs that have come so far."""
    head, *rows = csv.reader(file.read_text().splitlines(), delimiter=";")
    runs = {
        name: [(int(row[0]), float(row[i])) for row in rows if row[i] and int(row[0]) > SKIPPED]
        for i, name in enumerate(head)
        if i
    }
    return {name: run for name, run in runs.items() if run}


def _spread(heights: list[float]) -> list[float]:
    """Heights that are at least `APART` from each other, from the top, in their order."""
    placed, last = {}, -APART
    for height, i in sorted((height, i) for i, height in enumerate(heights)):
        placed[i] = last = max(height, last + APART)
    return [placed[i] for i in range(len(heights))]


def draw(file: Path) -> str:
    series = _read(file)
    points = [point for run in series.values() for point in run]
    last = max(step for step, _ in points)
    low = min(int(loss * 2) / 2 for _, loss in points)
    high = max(int(loss * 2 + 1) / 2 for _, loss in points)

    def place(step: float, loss: float) -> tuple[float, float]:
        return (
            LEFT + (WIDTH - LEFT - RIGHT) * step / last,
            TOP + (HEIGHT - TOP - BOTTOM) * (high - loss) / (high - low),
        )

    parts = [label(LEFT, 26, CAPTION, "title", "start")]
    for i in range(round((high - low) * 2) + 1):
        x, y = place(0, low + i / 2)
        parts += [path([(x, y), place(last, low + i / 2)], "grid")]
        parts += [label(x - 8, y + 4, f"{low + i / 2:.1f}", "small muted", "end")]
    for step in range(0, last + 1, last // 5):
        x, y = place(step, low)
        parts += [label(x, y + 20, f"{step:,}", "small muted")]
    heights = _spread([place(*run[-1])[1] for run in series.values()])
    for kind, (name, run), height in zip(KINDS, series.items(), heights, strict=False):
        parts += [path([place(*point) for point in run], kind)]
        parts += [label(WIDTH - RIGHT + 10, height + 4, name, f"{kind}-name", "start")]
    said = "; ".join(f"{name}: {run[-1][1]:.2f} at step {run[-1][0]:,}" for name, run in series.items())
    return picture("Losses of the demo models", f"{CAPTION}. {said}.", WIDTH, HEIGHT, *parts)
