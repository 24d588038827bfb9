# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Curves and areas over two axes. Only their paths are in an `svg` that is stretched."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence

from .canvas import TICK_PIXELS, anchor, image, percent
from .markup import Markup, join, tag
from .scales import Scale

_TOP = 8  # room for half a letter above the highest tick
_COLUMNS = 300  # that a line has at most; a point of each has a tooltip


@dataclasses.dataclass(frozen=True)
class Line:
    """Runs of points (x, y); between runs the line has a gap. `dotted` marks every point."""

    runs: list[list[tuple[float, float]]]
    color: str
    dotted: bool = False


@dataclasses.dataclass(frozen=True)
class Frame:
    """The axes of a plot: x from `first` to `last` with named ticks, and how values of y are written."""

    first: float
    last: float
    ticks: list[tuple[float, str]]
    y: Scale
    show: Callable[[float], str]
    height: float = 190

    def across(self, x: float) -> float:
        return (x - self.first) / (self.last - self.first) if self.last > self.first else 0.5

    def down(self, y: float) -> float:
        return self.height * (1 - self.y.place(y))


def _axis(frame: Frame) -> Markup:
    """The ticks of y, in a column of their own beside the plot."""
    ticks = [
        tag(
            "text",
            frame.show(tick),
            x="100%",
            dx=-8,
            y=f"{_TOP + frame.down(tick):.2f}",
            class_="tick middle",
            text_anchor="end",
        )
        for tick in frame.y.ticks()
    ]
    return tag(
        "svg", ticks, class_="axis", aria_hidden="true", height=_TOP + frame.height + TICK_PIXELS
    )


def _grid(frame: Frame) -> list[Markup]:
    lines = []
    for tick in frame.y.ticks():
        y = f"{_TOP + frame.down(tick):.2f}"
        lines.append(tag("line", x1=0, x2="100%", y1=y, y2=y, class_="grid"))
    for tick, text in frame.ticks:
        place = frame.across(tick)
        lines.append(
            tag(
                "text",
                text,
                x=percent(place),
                y=_TOP + frame.height + TICK_PIXELS - 4,
                text_anchor=anchor(place),
                class_="tick",
            )
        )
    return lines


def _stretched(frame: Frame, paths) -> Markup:
    return tag(
        "svg",
        *paths,
        x=0,
        y=_TOP,
        width="100%",
        height=frame.height,
        viewBox=f"0 0 1000 {frame.height:g}",
        preserveAspectRatio="none",
    )


def _path(frame: Frame, points) -> str:
    return "M" + "L".join(f"{1000 * frame.across(x):.2f} {frame.down(y):.2f}" for x, y in points)


def thin(points: list[tuple[float, float]], columns: int = _COLUMNS) -> list[tuple[float, float]]:
    """The points of a line, or the lowest and the highest of each of `columns` groups."""
    if len(points) <= 2 * columns:
        return points
    kept = []
    for column in range(columns):
        group = points[len(points) * column // columns : len(points) * (column + 1) // columns]
        low, high = min(group, key=lambda p: p[1]), max(group, key=lambda p: p[1])
        kept += sorted({low, high})
    return kept


def _dot(frame: Frame, point: tuple[float, float], color: str) -> Markup:
    x, y = percent(frame.across(point[0])), f"{_TOP + frame.down(point[1]):.2f}"
    return tag("circle", cx=x, cy=y, r=2.5, class_=f"fill-{color}")


def _line(frame: Frame, line: Line) -> tuple[list[Markup], list[Markup]]:
    """The paths of a line, and points for runs that are too short for one or should have them."""
    paths, dots = [], []
    columns = max(1, _COLUMNS // max(1, len(line.runs)))
    for run in line.runs:
        points = thin(run, columns)
        if len(run) > 1:
            shape = _path(frame, points)
            paths.append(tag("path", d=shape, class_=f"line stroke-{line.color}"))
        if len(run) == 1 or line.dotted:
            dots += [_dot(frame, point, line.color) for point in points]
    return paths, dots


def _hovers(frame: Frame, labels: Sequence[tuple[float, str]]) -> list[Markup]:
    """Strips that show a label each where the pointer is nearest to its x."""
    shown = labels[:: max(1, -(-len(labels) // _COLUMNS))]
    edges = [0.0]
    edges += [(frame.across(a[0]) + frame.across(b[0])) / 2 for a, b in zip(shown, shown[1:])]
    edges.append(1.0)
    return [
        tag(
            "rect",
            tag("title", label),
            x=percent(left),
            width=percent(right - left),
            y=_TOP,
            height=frame.height,
            class_="hover",
        )
        for (_, label), left, right in zip(shown, edges, edges[1:])
    ]


def _levels(frame: Frame, levels: Sequence[tuple[float, str]]) -> list[Markup]:
    """Dashed lines at values, each with its name."""
    marks = []
    for value, text in levels:
        y = _TOP + frame.down(value)
        marks.append(tag("line", x1=0, x2="100%", y1=f"{y:.2f}", y2=f"{y:.2f}", class_="level"))
        below = y < _TOP + 16
        marks.append(
            tag(
                "text",
                text,
                x="100%",
                y=f"{y + 14 if below else y - 5:.2f}",
                text_anchor="end",
                class_="level-name",
            )
        )
    return marks


def plot(
    name: str,
    frame: Frame,
    lines: Sequence[Line] = (),
    areas: Sequence[Line] = (),
    levels: Sequence[tuple[float, str]] = (),
    labels: Sequence[tuple[float, str]] = (),
) -> Markup:
    """Areas down to the axis, lines over them, dashed levels with a name, and tooltips by x."""
    paths, dots = [], []
    for area in areas:
        for run in area.runs:
            ends = [f"L{1000 * frame.across(x):.2f} {frame.height:g}" for x, _ in (run[-1], run[0])]
            shape = _path(frame, run) + "".join(ends) + "Z"
            paths.append(tag("path", d=shape, class_=f"fill-{area.color}"))
    for line in lines:
        own_paths, own_dots = _line(frame, line)
        paths, dots = [*paths, *own_paths], [*dots, *own_dots]
    inner = join(
        _grid(frame), _stretched(frame, paths), dots, _levels(frame, levels), _hovers(frame, labels)
    )
    height = _TOP + frame.height + TICK_PIXELS
    return tag("div", _axis(frame), image(name, height, inner), class_="plot")
