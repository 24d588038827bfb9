# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The predicted training step: its functions, and the time of each class of operations."""

from __future__ import annotations

from . import units
from .bars import Lane, Segment, bar, timeline
from .markup import Markup, tag
from .pipeline import pipeline_figure
from .plan import OPERATION_CLASSES, ClassCost, Part, Plan, Prediction
from .scales import linear_ticks
from .tables import Column, Row, code, figure, named, section, table

_CLASS_NAMES = {
    "contraction": "matrix products",
    "attention_forward": "attention, forward",
    "attention_backward": "attention, backward",
    "memory": "passes over memory",
    "collective": "collectives",
}
_MOST_CALLS = 8


def _color(name: str) -> str:
    return name if name in OPERATION_CLASSES else "other"


def class_name(name: str) -> str:
    return _CLASS_NAMES.get(name, name)


def _class_segments(classes: dict[str, ClassCost], count: int, total: float) -> list[Segment]:
    segments = []
    for name, cost in classes.items():
        seconds = count * cost.seconds
        title = f"{class_name(name)}: {units.seconds(seconds)}, {units.share(seconds, total)}"
        own = {"data_class": name, "data_seconds": repr(seconds)}
        segments.append(Segment(class_name(name), seconds, _color(name), title, own))
    return segments


def step_classes(predicted: Prediction) -> dict[str, ClassCost]:
    """The classes of a step: those of its functions, times their calls."""
    total: dict[str, list] = {}
    for part in predicted.parts:
        for name, cost in predicted.functions[part.function].classes.items():
            sums = total.setdefault(name, [0, 0.0, 0.0, 0.0, 0.0])
            values = (cost.calls, cost.flops, cost.memory_bytes, cost.network_bytes, cost.seconds)
            total[name] = [a + part.count * b for a, b in zip(sums, values)]
    return {name: ClassCost(*sums) for name, sums in total.items()}


def _calls(part: Part) -> list[int]:
    """The calls of a part, one by one if they are few, else all as one."""
    return [1] * part.count if part.count <= _MOST_CALLS else [part.count]


def _timeline(predicted: Prediction) -> Markup:
    functions, phase_segments, classes = [], [], []
    for part in predicted.parts:
        phases = predicted.functions[part.function].phases
        for count in _calls(part):
            times = f" × {count:,}" if count > 1 else ""
            seconds = count * predicted.functions[part.function].seconds
            functions.append(
                _segment(part.function + times, seconds, "function", predicted, "part")
            )
            for phase, costs in phases.items():
                seconds = count * sum(cost.seconds for cost in costs.values())
                phase_segments.append(_segment(phase + times, seconds, phase, predicted, "phase"))
                classes += _class_segments(costs, count, predicted.seconds)
    lanes = [
        Lane("Functions", functions),
        Lane("Phases", phase_segments),
        Lane("Classes of operations", classes),
    ]
    ticks = linear_ticks(0, predicted.seconds, 4)

    def show(tick: float) -> str:
        return units.trim(units.seconds(tick, predicted.seconds))

    return timeline("Timeline of a step", lanes, predicted.seconds, ticks, show)


def _segment(label: str, seconds: float, color: str, predicted: Prediction, kind: str) -> Segment:
    title = f"{label}: {units.seconds(seconds)}, {units.share(seconds, predicted.seconds)}"
    return Segment(
        label, seconds, color, title, {f"data_{kind}": label, "data_seconds": repr(seconds)}
    )


def _functions(predicted: Prediction) -> Markup | None:
    """The time of every function; None if the step is the only one."""
    if len(predicted.functions) < 2:
        return None
    longest = max(function.seconds for function in predicted.functions.values())
    rows = []
    for name, function in predicted.functions.items():
        segments = _class_segments(function.classes, 1, function.seconds)
        rows.append(
            tag(
                "div",
                tag(
                    "div",
                    tag("b", units.seconds(function.seconds)),
                    code(name),
                    " ",
                    ", ".join(function.phases),
                ),
                bar(f"{name} by class", segments, longest, 18),
                class_="bar",
            )
        )
    heading = tag("h3", "Functions of the program")
    return tag("div", heading, tag("div", rows, class_="bars"))


def _class_table(predicted: Prediction) -> Markup:
    columns = [
        Column("Class"),
        Column("Calls", True),
        Column("Operations", True),
        Column("Memory traffic", True),
        Column("Sent", True),
        Column("Time", True),
        Column("Share", True),
    ]
    costs = step_classes(predicted)
    seconds = sum(cost.seconds for cost in costs.values())
    rows = [
        Row(
            [
                named(_color(name), class_name(name)),
                f"{cost.calls:,}",
                units.operations(cost.flops),
                units.data_size(cost.memory_bytes),
                units.data_size(cost.network_bytes),
                units.seconds(cost.seconds),
                units.share(cost.seconds, seconds),
            ],
            data={"data_row": name},
        )
        for name, cost in costs.items()
    ]
    total = list(costs.values())
    footer = Row(
        [
            "All stages" if predicted.stages else "A step",
            f"{sum(cost.calls for cost in total):,}",
            units.operations(sum(cost.flops for cost in total)),
            units.data_size(sum(cost.memory_bytes for cost in total)),
            units.data_size(sum(cost.network_bytes for cost in total)),
            units.seconds(seconds),
            units.share(seconds, seconds),
        ]
    )
    return table(columns, rows, footer)


def step_section(plan: Plan) -> Markup:
    predicted = plan.predicted
    if predicted is None:
        remedy = "This plan names no machine; compile with --machine for predicted times."
        return section("step", "Step", tag("p", remedy, class_="none"))
    if predicted.stages:
        return section(
            "step", "Step", pipeline_figure(predicted), _class_table(predicted), _functions(predicted)
        )
    times = figure(
        _timeline(predicted),
        f"Predicted for one rank on the machine {predicted.machine}. Within a phase, time is added up "
        "by class of operation; the plan does not say when an operation begins. The table has the colors.",
    )
    return section("step", "Step", times, _class_table(predicted), _functions(predicted))
