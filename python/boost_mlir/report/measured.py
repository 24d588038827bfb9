# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What steps took, by a trace, beside what the plan predicts for them."""

from __future__ import annotations

from . import units
from .bars import Lane, Segment, timeline
from .markup import Markup, tag
from .pipeline import measured_pipeline_figure
from .plan import Plan
from .scales import linear_ticks
from .step import class_name
from .tables import Column, Row, figure, named, section, table
from .trace import Trace

_MOST_LINES = 12


def _ratio(measured: float, predicted: float) -> str:
    return units.significant(measured / predicted) if predicted else "–"


def _what(trace: Trace) -> str:
    """Whose times these are."""
    first, last = trace.steps[0], trace.steps[-1]
    steps = f"step {first:,}" if first == last else f"steps {first:,} to {last:,}"
    if trace.stage_count > 1:
        return f"the sum of a rank of each of {trace.stage_count} stages in {steps}"
    return f"the mean of {units.counted(trace.ranks, 'rank')} in {steps}"


def _lane(name: str, seconds: dict[str, float], total: float) -> Lane:
    segments = []
    for kind, value in seconds.items():
        title = f"{class_name(kind)}: {units.seconds(value)}, {units.share(value, total)}"
        data = {"data_class": kind, "data_seconds": repr(value)}
        segments.append(Segment(class_name(kind), value, kind, title, data))
    return Lane(name, segments)


def _class_figure(plan: Plan, trace: Trace) -> Markup:
    predicted = {kind: entry.predicted for kind, entry in trace.classes.items()}
    measured = {kind: entry.seconds for kind, entry in trace.classes.items()}
    total = max(sum(predicted.values()), sum(measured.values()))
    lanes = [_lane("Predicted", predicted, total), _lane("Measured", measured, total)]

    def show(tick: float) -> str:
        return units.trim(units.seconds(tick, total))

    chart = timeline("Predicted and measured classes", lanes, total, linear_ticks(0, total, 4), show)
    return figure(
        chart,
        f"Predicted on the machine {plan.predicted.machine}; measured is {_what(trace)}. "
        "The table has the colors.",
    )


def _class_table(trace: Trace) -> Markup:
    columns = [
        Column("Class"),
        Column("Calls", True),
        Column("Predicted", True),
        Column("Measured", True),
        Column("Measured / predicted", True),
    ]
    rows = [
        Row(
            [
                named(kind, class_name(kind)),
                f"{entry.calls:,.0f}",
                units.seconds(entry.predicted),
                units.seconds(entry.seconds),
                _ratio(entry.seconds, entry.predicted),
            ],
            data={"data_measured": kind},
        )
        for kind, entry in trace.classes.items()
    ]
    if trace.transfers:
        cells = [named("waiting", "transfers"), "", "", units.seconds(trace.transfers), ""]
        rows.append(Row(cells, data={"data_measured": "transfer"}))
    predicted = sum(entry.predicted for entry in trace.classes.values())
    measured = sum(entry.seconds for entry in trace.classes.values())
    footer = Row(
        [
            "All stages" if trace.stage_count > 1 else "All calls",
            f"{sum(entry.calls for entry in trace.classes.values()):,.0f}",
            units.seconds(predicted),
            units.seconds(measured),
            _ratio(measured, predicted),
        ]
    )
    return table(columns, rows, footer)


def _line_table(trace: Trace) -> Markup:
    columns = [Column("Call and line"), Column("Class"), Column("Calls", True), Column("Measured", True)]
    columns.append(Column("Share", True))
    total = sum(line.seconds for line in trace.lines)
    rows = [
        Row(
            [
                line.name,
                named(line.kind, class_name(line.kind)),
                f"{line.calls:,.0f}",
                units.seconds(line.seconds),
                units.share(line.seconds, total),
            ]
        )
        for line in trace.lines[:_MOST_LINES]
    ]
    return tag("div", tag("h3", "Lines that take longest"), table(columns, rows))


def _sentence(plan: Plan, trace: Trace) -> Markup:
    predicted = plan.predicted.seconds
    return tag(
        "p",
        f"A traced step takes {units.seconds(trace.seconds)}, ",
        f"{_ratio(trace.seconds, predicted)} times the predicted {units.seconds(predicted)}.",
    )


def measured_section(plan: Plan, trace: Trace | None) -> Markup | None:
    """None without a trace."""
    if trace is None:
        return None
    stages = measured_pipeline_figure(plan.predicted, trace.stages) if trace.stage_count > 1 else None
    return section(
        "measured",
        "Measured",
        _sentence(plan, trace),
        stages,
        _class_figure(plan, trace),
        _class_table(trace),
        _line_table(trace),
    )
