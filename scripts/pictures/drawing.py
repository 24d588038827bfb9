# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""SVG as a page shows it: one file with its own colors, for light and for dark.

Lengths are in the units of the view box, which are pixels where the picture has its full width.
"""

from __future__ import annotations

from boost_mlir.report.markup import Markup, tag

STYLE = """
  :root {
    --paper: #ffffff; --ink: #1b1f24; --muted: #59616c; --rule: #cdd3da; --panel: #f4f6f8;
    --rank0: #2f7fc0; --rank1: #0a9573; --both: #8a9bb0; --sent: #d1590a; --on-sent: #ffffff;
    --lasting: #0b4f86; --state: #2f7fc0; --kept: #0a9573; --temporaries: #e3a32b;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --paper: #0d1117; --ink: #e5e8ec; --muted: #9ca6b2; --rule: #3b444f; --panel: #1b222b;
      --rank0: #4f9bd9; --rank1: #2fae8b; --both: #75859a; --sent: #ec7a2e; --on-sent: #14171b;
      --lasting: #2a6dac; --state: #4f9bd9; --kept: #2fae8b; --temporaries: #e5b04c;
    }
  }
  text {
    font: 13px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
    fill: var(--ink);
  }
  .title { font-size: 15px; font-weight: 600; }
  .small { font-size: 12px; }
  .muted { fill: var(--muted); }
  .loud { font-weight: 600; fill: var(--sent); }
  .on-sent { font-weight: 600; fill: var(--on-sent); }
  .paper { fill: var(--paper); }
  .panel { fill: var(--panel); }
  .chip { fill: var(--paper); stroke: var(--rule); }
  .rank0 { fill: var(--rank0); } .rank1 { fill: var(--rank1); } .both { fill: var(--both); }
  .sent { fill: var(--sent); }
  .lasting { fill: var(--lasting); } .state { fill: var(--state); } .kept { fill: var(--kept); }
  .temporaries { fill: var(--temporaries); }
  .line { fill: none; stroke: var(--muted); stroke-width: 1.5; }
  .grid { fill: none; stroke: var(--rule); }
  .level { fill: none; stroke: var(--ink); stroke-dasharray: 5 4; }
  .on { stroke: var(--on-sent); }
  .series0 { fill: none; stroke: var(--muted); stroke-width: 2; }
  .series1 { fill: none; stroke: var(--sent); stroke-width: 2; }
  .series2 { fill: none; stroke: var(--rank0); stroke-width: 2; }
  .series3 { fill: none; stroke: var(--rank1); stroke-width: 2; }
  .series0-name { font-weight: 600; fill: var(--muted); }
  .series1-name { font-weight: 600; fill: var(--sent); }
  .series2-name { font-weight: 600; fill: var(--rank0); }
  .series3-name { font-weight: 600; fill: var(--rank1); }
"""


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def box(x: float, y: float, width: float, height: float, kind: str, radius: float = 2) -> Markup:
    """A filled rectangle; `kind` is a class of `STYLE`."""
    place = dict(x=_number(x), y=_number(y), width=_number(width), height=_number(height))
    return tag("rect", **place, rx=_number(radius), class_=kind)


def label(x: float, y: float, text: str, kind: str = "", anchor: str = "middle") -> Markup:
    """One line of text with its baseline at `y`; `anchor` is start, middle or end."""
    return tag("text", text, x=_number(x), y=_number(y), text_anchor=anchor, class_=kind or None)


def path(points: list[tuple[float, float]], kind: str, closed: bool = False) -> Markup:
    """A line through points, or the area that they enclose."""
    steps = " L ".join(f"{_number(x)} {_number(y)}" for x, y in points)
    return tag("path", d=f"M {steps}{' Z' if closed else ''}", class_=kind)


def arrow(x: float, y: float, to_x: float, to_y: float) -> list[Markup]:
    """A line to the right or down, with its head at the end."""
    side, back = (0, 5) if to_x == x else (5, 0)
    head = [(to_x - back - side, to_y - side - back), (to_x, to_y), (to_x + back - side, to_y + side - back)]
    return [path([(x, y), (to_x, to_y)], "line"), path(head, "line")]


def picture(name: str, description: str, width: int, height: int, *children) -> str:
    """The text of a file. `name` and `description` are for those who do not see it."""
    svg = tag(
        "svg",
        tag("title", name),
        tag("desc", description),
        # Quotes and all: CSS is no markup, and holds nothing that XML would read as such.
        tag("style", Markup(STYLE)),
        box(0, 0, width, height, "paper", 6),
        *children,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
    )
    return svg.replace("><", ">\n<") + "\n"
