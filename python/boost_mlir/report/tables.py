# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables that become a list of cards on a narrow screen, tiles and legends."""

from __future__ import annotations

import dataclasses

from .markup import Markup, escape, tag


@dataclasses.dataclass(frozen=True)
class Column:
    """`long` ones have a line of their own in a card."""

    name: str
    numeric: bool = False
    long: bool = False


@dataclasses.dataclass(frozen=True)
class Row:
    """Cells, one for each column, the first of which names the row; `data` for `data-` attributes."""

    cells: list
    class_: str | None = None
    data: dict = dataclasses.field(default_factory=dict)


def table(
    columns: list[Column], rows: list[Row], footer: Row | None = None, compact: bool = False
) -> Markup:
    """A table; a `compact` one is narrow enough to be one everywhere."""

    def cells(row: Row) -> list[Markup]:
        return [
            tag(
                "th" if index == 0 else "td",
                cell,
                class_="number" if column.numeric else "long" if column.long else None,
                scope="row" if index == 0 else None,
                data_label=column.name,
            )
            for index, (column, cell) in enumerate(zip(columns, row.cells, strict=True))
        ]

    def line(row: Row) -> Markup:
        return tag("tr", cells(row), class_=row.class_, **row.data)

    head = [
        tag("th", column.name, scope="col", class_="number" if column.numeric else None)
        for column in columns
    ]
    return tag(
        "table",
        tag("thead", tag("tr", head)),
        tag("tbody", [line(row) for row in rows]),
        tag("tfoot", line(footer)) if footer else None,
        class_=None if compact else "cards",
    )


def swatch(color: str) -> Markup:
    """A small square in a color of style.css."""
    square = tag("rect", width=12, height=12, rx=2, class_=f"fill-{color}")
    return tag("svg", square, class_="swatch", width=12, height=12, aria_hidden="true")


def named(color: str, name: str) -> Markup:
    """A name with the color that it has in a chart, never apart from it."""
    return tag("span", swatch(color), " ", name, class_="named")


def legend(entries: list[tuple[str, str, str]]) -> Markup:
    """Colors, what they stand for, and a value of each or ""."""
    return tag(
        "ul",
        [
            tag("li", swatch(color), " ", name, tag("b", value) if value else None)
            for color, name, value in entries
        ],
        class_="legend",
    )


def tiles(entries: list[tuple[str, str, str]]) -> Markup:
    """Numbers that matter most: what it is, the value, and a remark."""
    return tag(
        "dl",
        [
            tag("div", tag("dt", what), tag("dd", value), tag("dd", remark, class_="remark"))
            for what, value, remark in entries
        ],
        class_="tiles",
    )


def code(text: str) -> Markup:
    return tag("code", escape(text))


def section(identity: str, title: str, *children) -> Markup:
    return tag("section", tag("h2", title), *children, id=identity)


def figure(drawing: Markup, caption) -> Markup:
    return tag("figure", drawing, tag("figcaption", caption))


def more(summary: str, *children) -> Markup:
    return tag("details", tag("summary", summary), *children)
