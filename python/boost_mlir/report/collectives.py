# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The collectives of a training step: in the order of their launches, and by kind."""

from __future__ import annotations

import dataclasses

from . import units
from .bars import Segment, bar
from .markup import Markup, tag
from .plan import Collective, Plan
from .tables import Column, Row, code, figure, legend, more, named, section, table

_PHASES = ("forward", "backward", "optimizer")
_MOST_SIZES = 4


def _color(phase: str) -> str:
    return phase if phase in _PHASES else "other"


@dataclasses.dataclass
class Group:
    """Launches that are alike, of all layers. Bytes and seconds are sums over a step, elements
    the sizes of single launches."""

    first: Collective
    elements: set[int] = dataclasses.field(default_factory=set)
    launches: int = 0
    bytes: int = 0
    seconds: float = 0.0


def _kind(entry: Collective) -> tuple:
    return entry.function, entry.phase, entry.component, entry.kind, entry.axis, entry.dtype


def group_collectives(plan: Plan) -> list[Group]:
    """The collectives of a step by kind and size, or by kind where there are many sizes."""
    entries = plan.step_collectives()
    sizes: dict[tuple, set[int]] = {}
    for entry in entries:
        sizes.setdefault(_kind(entry), set()).add(entry.elements)
    groups: dict[tuple, Group] = {}
    for entry in entries:
        few = len(sizes[_kind(entry)]) <= _MOST_SIZES
        group = groups.setdefault((_kind(entry), entry.elements if few else None), Group(entry))
        launches = plan.launches(entry)
        group.elements.add(entry.elements)
        group.launches += launches
        group.bytes += launches * entry.bytes
        group.seconds += launches * (entry.seconds or 0.0)
    return list(groups.values())


def _range(sizes: set[int]) -> str:
    low, high = min(sizes), max(sizes)
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def _strip(plan: Plan) -> Markup | None:
    entries = [entry for entry in plan.step_collectives() if entry.seconds]
    total = sum(plan.launches(entry) * entry.seconds for entry in entries)
    if not total:
        return None
    segments = []
    sums: dict[str, float] = {}
    for entry in entries:
        launches = plan.launches(entry)
        seconds = launches * entry.seconds
        times = f" × {launches:,}" if launches > 1 else ""
        title = f"{entry.name}{times}: {units.seconds(seconds)}, {units.data_size(launches * entry.bytes)}"
        odd = " odd" if (entry.layer or 0) % 2 else ""
        data = {"data_collective": entry.name, "data_seconds": repr(seconds)}
        segments.append(Segment("", seconds, _color(entry.phase) + odd, title, data))
        sums[entry.phase] = sums.get(entry.phase, 0.0) + seconds
    named_sums = [(_color(phase), phase, units.seconds(seconds)) for phase, seconds in sums.items()]
    chart = bar("Collectives in the order of their launches", segments, total, 34)
    caption = (
        f"One after another in the order of their launches, {units.seconds(total)} together; "
        "layers alternate in shade. Point at one for its name."
    )
    return figure(tag("div", chart, legend(named_sums), class_="strip"), caption)


_COLUMNS = [
    Column("Where"),
    Column("Collective"),
    Column("Axis"),
    Column("Launches", True),
    Column("Elements", True),
    Column("Put in", True),
    Column("Time", True),
]


def _group_table(plan: Plan, timed: bool) -> Markup:
    groups = group_collectives(plan)

    def where(entry: Collective) -> list:
        return [
            named(_color(entry.phase), entry.phase),
            f", {entry.component}",
            " in ",
            code(entry.function),
        ]

    rows = [
        Row(
            [
                where(group.first),
                [code(group.first.kind), " ", group.first.dtype],
                group.first.axis,
                f"{group.launches:,}",
                _range(group.elements),
                units.data_size(group.bytes),
                units.seconds(group.seconds) if timed else "–",
            ],
            data={"data_group_bytes": group.bytes, "data_group_launches": group.launches},
        )
        for group in groups
    ]
    footer = Row(
        [
            "A step" if plan.predicted else "All functions",
            "",
            "",
            f"{sum(group.launches for group in groups):,}",
            "",
            units.data_size(sum(group.bytes for group in groups)),
            units.seconds(sum(group.seconds for group in groups)) if timed else "–",
        ]
    )
    return table(_COLUMNS, rows, footer)


def _launch_table(plan: Plan, timed: bool) -> Markup:
    columns = [
        Column("Name"),
        Column("Axis"),
        Column("Elements", True),
        Column("Put in", True),
        Column("Time", True),
        Column("From", long=True),
    ]
    rows = [
        Row(
            [
                code(entry.name),
                entry.axis,
                f"{entry.elements:,} {entry.dtype}",
                units.data_size(entry.bytes),
                units.seconds(entry.seconds) if timed and entry.seconds is not None else "–",
                code(entry.location),
            ]
        )
        for entry in plan.step_collectives()
    ]
    return table(columns, rows)


def collectives_section(plan: Plan) -> Markup:
    entries = plan.step_collectives()
    if not entries:
        none = tag("p", "A step has no collectives.", class_="none")
        return section("collectives", "Collectives", none)
    timed = any(entry.seconds is not None for entry in entries)
    return section(
        "collectives",
        "Collectives",
        _strip(plan),
        _group_table(plan, timed),
        more(f"Every collective by name ({len(entries):,})", _launch_table(plan, timed)),
    )
