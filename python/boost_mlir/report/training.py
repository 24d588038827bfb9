# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How training went: loss, gradient norm, time and learning rate of every step."""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Callable, Sequence

from . import units
from .log import Log, Step
from .markup import Markup, tag
from .plan import Plan
from .plots import Frame, Line, plot
from .scales import fit_scale, step_ticks
from .tables import legend, section, tiles

_SMOOTH_FROM = 100  # steps; a mean of fewer says nothing
_SMOOTH_PARTS = 40


def runs_of(steps: list[Step], field: str) -> list[list[tuple[float, float]]]:
    """The values of a field by step, in runs: a new one after a missing value or step.

    Steps are missing where they are further apart than the median."""
    runs: list[list[tuple[float, float]]] = []
    numbers = [step.step for step in steps]
    distances = [after - before for before, after in zip(numbers, numbers[1:])]
    distance = statistics.median_high(distances) if distances else 1
    last = None
    for step in steps:
        value = getattr(step, field)
        if value is None:
            continue
        if last is None or step.step > last + distance:
            runs.append([])
        runs[-1].append((float(step.step), value))
        last = step.step
    return runs


def smooth(run: list[tuple[float, float]], window: int) -> list[tuple[float, float]]:
    """Means of `window` values each, at the middle of them."""
    total, means = 0.0, []
    for index, (_, y) in enumerate(run):
        total += y
        if index >= window:
            total -= run[index - window][1]
        if index + 1 >= window:
            means.append((run[index - window // 2][0], total / window))
    return means


def _values(steps: list[Step], field: str) -> list[float]:
    return [value for step in steps if (value := getattr(step, field)) is not None]


@dataclasses.dataclass(frozen=True)
class _Curve:
    """How a field of the steps is shown; from 0 up if `zero`."""

    field: str
    name: str
    color: str
    show: Callable[[float], str]
    zero: bool = True
    height: float = 150


def _number(value: float) -> str:
    return units.significant(value, 4)


_LOSS = _Curve("loss", "Loss", "loss", _number, zero=False, height=240)
_OTHERS = (
    _Curve("grad_norm", "Gradient norm", "norm", units.significant),
    _Curve("seconds", "Time of a step", "time", units.seconds),
    _Curve("lr", "Learning rate", "rate", units.significant),
)


def _draw(
    curve: _Curve,
    steps: list[Step],
    lines: list[Line],
    levels: Sequence[tuple[float, str]] = (),
) -> Markup:
    """The lines of a curve by step, on a scale that holds them and the levels."""
    values = [y for line in lines for run in line.runs for _, y in run]
    scale = fit_scale(values + [level for level, _ in levels], curve.zero)
    first, last = steps[0].step, steps[-1].step
    ticks = [(float(tick), f"{tick:,}") for tick in step_ticks(first, last, 4)]

    def show(tick: float) -> str:
        return units.trim(curve.show(tick))

    frame = Frame(first, last, ticks, scale, show, curve.height)
    labels = [(step.step, _describe(curve, step)) for step in steps]
    chart = plot(curve.name, frame, lines, levels=levels, labels=labels)
    title = curve.name + (" (logarithmic)" if scale.log else "")
    axis = tag("p", "step", class_="x-name")
    return tag("figure", tag("h3", title), chart, axis, class_="curve")


def _describe(curve: _Curve, step: Step) -> str:
    value = getattr(step, curve.field)
    text = f"step {step.step:,}: {'no finite number' if value is None else curve.show(value)}"
    if curve is _LOSS and step.val_loss is not None:
        text += f", validation {_number(step.val_loss)}"
    return text


def _loss(steps: list[Step]) -> Markup | None:
    """The loss, its mean over several steps if there are many, and the validation loss."""
    runs = runs_of(steps, "loss")
    validation = [(float(step.step), step.val_loss) for step in steps if step.val_loss is not None]
    if not runs and not validation:
        return None
    window = len(steps) // _SMOOTH_PARTS if len(steps) >= _SMOOTH_FROM else 0
    lines, names = [Line(runs, "loss-pale" if window else "loss")], []
    if window:
        lines.append(Line([means for run in runs if (means := smooth(run, window))], "loss"))
        names += [("loss-pale", "of a step", ""), ("loss", f"mean of {window:,} steps", "")]
    if validation:
        lines.append(Line([validation], "validation", dotted=True))
        names += [] if window else [("loss", "of a step", "")]
        names.append(("validation", "validation", _number(validation[-1][1])))
    return tag("div", _draw(_LOSS, steps, lines), legend(names) if names else None)


def _other(plan: Plan, log: Log, curve: _Curve) -> Markup | None:
    """One of the small curves, None if no step has its field."""
    runs = runs_of(log.steps, curve.field)
    if not runs:
        return None
    levels, predicted, median = [], plan.predicted, median_seconds(log)
    if curve.field == "seconds" and predicted and median and 0.2 < predicted.seconds / median < 5:
        levels.append((predicted.seconds, f"predicted for {predicted.machine}"))
    return _draw(curve, log.steps, [Line(runs, curve.color)], levels)


def median_seconds(log: Log) -> float | None:
    """The median time of a step, None if the log has none."""
    seconds = _values(log.steps, "seconds")
    return statistics.median(seconds) if seconds else None


def _tiles(steps: list[Step]) -> Markup:
    entries = [("Steps", f"{len(steps):,}", f"{steps[0].step:,} to {steps[-1].step:,}")]
    losses = [(step.loss, step.step) for step in steps if step.loss is not None]
    if losses:
        best = min(losses)
        change = f"from {units.significant(losses[0][0], 4)} in step {losses[0][1]:,}"
        entries.append(
            (f"Loss in step {losses[-1][1]:,}", units.significant(losses[-1][0], 4), change)
        )
        entries.append(("Lowest loss", units.significant(best[0], 4), f"in step {best[1]:,}"))
    tokens, seconds = _values(steps, "tokens"), _values(steps, "seconds")
    if tokens:
        entries.append(("Tokens", f"{round(sum(tokens)):,}", "in all steps"))
    if seconds and sum(seconds):
        rate = f"{sum(tokens) / sum(seconds):,.0f} tokens/s" if tokens else ""
        entries.append(("Time", units.seconds(sum(seconds)), rate))
    return tiles(entries)


def _planned_bytes(plan: Plan) -> dict[str, int]:
    """Bytes of the collectives of a step by kind, as the log counts them."""
    planned: dict[str, int] = {}
    for entry in plan.step_collectives():
        planned[entry.kind] = planned.get(entry.kind, 0) + plan.launches(entry) * entry.bytes
    return planned


def compare_bytes(plan: Plan, steps: list[Step]) -> str | None:
    """Compares the collectives of the log with the plan; None if the log does not count them, or if
    the plan does not have the calls of a step."""
    counted = [step for step in steps if step.bytes is not None]
    if not counted or plan.predicted is None:
        return None
    planned = _planned_bytes(plan)
    others = [step for step in counted if step.bytes != planned]
    total = units.data_size(sum(planned.values()))
    if not others:
        return f"In every step a rank put {total} into collectives, as planned."
    sent = units.data_size(sum(others[0].bytes.values()))
    return (
        f"In {units.counted(len(others), 'step')}, the first of which is {others[0].step:,}, a rank put "
        f"{sent} into collectives, where the plan has {total}: is the log of another program?"
    )


def training_section(plan: Plan, log: Log | None) -> Markup | None:
    """None without a log, since nothing is known then."""
    if log is None:
        return None
    steps = log.steps
    notes = (
        tag("ul", [tag("li", note) for note in log.notes], class_="notes") if log.notes else None
    )
    if not steps:
        return section("training", "Training", notes)
    compared = compare_bytes(plan, steps)
    return section(
        "training",
        "Training",
        notes,
        _tiles(steps),
        tag("p", compared) if compared else None,
        _loss(steps),
        tag("div", [_other(plan, log, curve) for curve in _OTHERS], class_="curves"),
    )
