# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Base of all charts: SVG as wide as the page, with text of constant size.

Places across are in percent, places down in pixels. A tooltip is a `title`. Colors are classes
of style.css.
"""

from __future__ import annotations

from .markup import Markup, tag

TICK_PIXELS = 22  # height of a line of ticks


def percent(part: float) -> str:
    """A part of the width."""
    return f"{100 * part:.6g}%"


def anchor(place: float) -> str:
    """How a text at a place across is aligned so that it does not leave the chart."""
    return "start" if place < 0.06 else "end" if place > 0.94 else "middle"


def image(name: str, height: float, *children) -> Markup:
    """A chart with the name that it has for those who do not see it."""
    return tag(
        "svg",
        *children,
        class_="chart",
        role="img",
        aria_label=name,
        width="100%",
        height=height,
    )
