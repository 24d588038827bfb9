# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The stages of a pipeline over the time of a predicted step."""

from __future__ import annotations

from . import units
from .bars import Lane, Segment, timeline
from .markup import Markup, tag
from .plan import Prediction, TimedCall
from .scales import linear_ticks
from .tables import figure, legend

# The kinds of work, whose classes style.css has, and what they are called.
_NAMES = {
    "forward": "forward passes",
    "backward": "backward passes",
    "weights": "gradients of weights",
    "optimizer": "updates",
}


def _work(call: TimedCall) -> str:
    """The kind of work of a call, from the name of its function."""
    for work in ("forward", "backward", "weights"):
        if f"_{work}_" in call.function:
            return work
    return "optimizer"


def _seconds(call: TimedCall) -> float:
    return call.end - call.begin


def _segments(calls: list[TimedCall]) -> list[Segment]:
    """The calls of a stage, and the times between them in which it waits."""
    segments, end = [], 0.0
    for call in calls:
        if call.begin > end:
            wait = call.begin - end
            segments.append(Segment("", wait, "waiting", f"waits: {units.seconds(wait)}"))
        work = _work(call)
        number = "" if call.micro_batch is None else str(call.micro_batch)
        of = f" of micro-batch {number}" if number else ""
        title = f"{call.function}{of}: {units.seconds(_seconds(call))}"
        data = {"data_work": work, "data_begin": repr(call.begin), "data_end": repr(call.end)}
        segments.append(Segment(number, _seconds(call), work, title, data))
        end = call.end
    return segments


def measured_pipeline_figure(predicted: Prediction, stages: list[list[TimedCall]]) -> Markup:
    """Two lanes for each stage, as planned and as measured, on one axis."""
    lanes = []
    for i, (planned, measured) in enumerate(zip(predicted.stages, stages, strict=True)):
        lanes += [Lane(f"Stage {i}, planned", _segments(planned)), Lane(f"Stage {i}, measured", _segments(measured))]
    total = max(call.end for calls in [*predicted.stages, *stages] for call in calls)

    def show(tick: float) -> str:
        return units.trim(units.seconds(tick, total))

    chart = timeline("Planned and measured stages", lanes, total, linear_ticks(0, total, 4), show)
    entries = [(work, name, "") for work, name in _NAMES.items()]
    return figure(
        tag("div", chart, legend([*entries, ("waiting", "waiting", "")])),
        "The first traced step of a rank of each pipeline stage beside the plan. A number is that of a micro-batch.",
    )


def pipeline_figure(predicted: Prediction) -> Markup:
    """A lane for each stage, and the seconds of each kind of work of all of them."""
    lanes = [Lane(f"Stage {i}", _segments(calls)) for i, calls in enumerate(predicted.stages)]
    sums = dict.fromkeys(_NAMES, 0.0)
    for calls in predicted.stages:
        for call in calls:
            sums[_work(call)] += _seconds(call)
    waiting = len(lanes) * predicted.seconds - sum(sums.values())

    def show(tick: float) -> str:
        return units.trim(units.seconds(tick, predicted.seconds))

    ticks = linear_ticks(0, predicted.seconds, 4)
    chart = timeline("Pipeline stages over a step", lanes, predicted.seconds, ticks, show)
    entries = [(work, _NAMES[work], units.seconds(seconds)) for work, seconds in sums.items() if seconds]
    return figure(
        tag("div", chart, legend([*entries, ("waiting", "waiting", units.seconds(waiting))])),
        f"Predicted for a rank of each pipeline stage on the machine {predicted.machine}. A number is that "
        f"of a micro-batch. Of the time of all stages, {units.share(waiting, len(lanes) * predicted.seconds)} "
        "is spent waiting.",
    )
