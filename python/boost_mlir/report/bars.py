# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bars of segments, one alone or several as the lanes of a timeline."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from .canvas import TICK_PIXELS, anchor, image, percent
from .markup import Markup, tag

# Pixels that a bar has on a phone, from 44rem and from 64rem on, with the class of style.css
# for what is hidden on narrower screens.
_ROOMS = ((300, "in"), (640, "in roomy"), (940, "in wide"))
_CHARACTER_PIXELS, _LABEL_PADDING = 7.0, 10


@dataclasses.dataclass(frozen=True)
class Segment:
    """A part of a bar, as wide as `value`: `color` is a class, `data` for `data-` attributes."""

    label: str
    value: float
    color: str
    title: str
    data: dict = dataclasses.field(default_factory=dict)


def _label(segment: Segment, start: float, width: float, y: float) -> Markup | None:
    """The name of a segment inside of it, on screens on which it fits."""
    needed = _CHARACTER_PIXELS * len(segment.label) + _LABEL_PADDING
    rooms = [style for pixels, style in _ROOMS if width * pixels >= needed]
    if not segment.label or not rooms:
        return None
    style = f"{rooms[0]} on-{segment.color}"
    return tag("text", segment.label, x=percent(start + width / 2), y=y, class_=style)


def _segments(segments: list[Segment], total: float, top: float, height: float) -> list[Markup]:
    shapes, labels, start = [], [], 0.0
    for segment in segments:
        width = segment.value / total if total else 0.0
        shapes.append(
            tag(
                "rect",
                tag("title", segment.title),
                x=percent(start),
                y=top,
                width=percent(width),
                height=height,
                class_=f"segment fill-{segment.color}",
                **segment.data,
            )
        )
        labels.append(_label(segment, start, width, top + height / 2))
        start += width
    return [*shapes, *(label for label in labels if label)]


def bar(name: str, segments: list[Segment], total: float, height: float = 26) -> Markup:
    """One bar of segments; `total` is the full width."""
    return image(name, height, _segments(segments, total, 0, height))


@dataclasses.dataclass(frozen=True)
class Lane:
    """A row of a timeline, whose segments follow each other from time 0 on."""

    name: str
    segments: list[Segment]


def timeline(
    name: str, lanes: list[Lane], total: float, ticks: list[float], show: Callable[[float], str]
) -> Markup:
    """Lanes above an axis of time from 0 to `total`; `show` writes a tick."""
    heading, height, gap = 20, 34, 14
    parts, y = [], 0.0
    bottom = len(lanes) * (heading + height + gap) - gap
    for tick in ticks:
        x = percent(tick / total if total else 0)
        parts.append(tag("line", x1=x, x2=x, y1=heading, y2=bottom + 5, class_="grid"))
    for lane in lanes:
        parts.append(tag("text", lane.name, x=0, y=y + heading - 7, class_="heading"))
        parts += _segments(lane.segments, total, y + heading, height)
        y += heading + height + gap
    for tick in ticks:
        place = tick / total if total else 0
        parts.append(
            tag(
                "text",
                show(tick),
                x=percent(place),
                y=bottom + TICK_PIXELS,
                text_anchor=anchor(place),
                class_="tick",
            )
        )
    return image(name, bottom + TICK_PIXELS + 6, parts)
