# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The steps in the log of a training run, as `train --log` writes it."""

from __future__ import annotations

import dataclasses
import json

from .._files import read_input
from .errors import ReportError
from .fields import LARGEST_AMOUNT, SMALLEST_AMOUNT

_LINES_NAMED = 3
_NUMBERS = ("loss", "val_loss", "lr", "grad_norm", "seconds", "tokens")


@dataclasses.dataclass(frozen=True)
class Step:
    """A step; a value that is missing or not finite is None. Few steps have a `val_loss`; `bytes`
    are those of collectives by kind."""

    step: int
    loss: float | None
    val_loss: float | None
    lr: float | None
    grad_norm: float | None
    seconds: float | None
    tokens: float | None
    bytes: dict[str, float] | None


@dataclasses.dataclass(frozen=True)
class _Event:
    """What a run said of a step beside its numbers, and the step."""

    step: int
    what: str


@dataclasses.dataclass(frozen=True)
class Log:
    """Steps in ascending order, and what a reader of them should know."""

    steps: list[Step]
    notes: list[str]


def load_log(path) -> Log:
    """The log in a file. Lines that cannot be read become notes; raises ReportError if no
    line is a step, or OSError."""
    lines = read_input(path).split(b"\n")
    unfinished = lines.pop()  # "" after the end of the last line
    steps, events, damaged, restarts = [], [], [], []
    for number, line in enumerate(lines, 1):
        if not line.strip() or _is_of_run(line):
            continue
        if found := _parse_events(line):
            events += found
            continue
        step = _parse_step(line)
        if step is None:
            damaged.append(number)
            continue
        if steps and step.step <= steps[-1].step:
            restarts.append(step.step)
            steps, events = _before(steps, step.step), _before(events, step.step)
        steps.append(step)
    last = _parse_step(unfinished)
    if last and (not steps or last.step > steps[-1].step):
        steps.append(last)
    truncated = bool(unfinished.strip()) and last is None
    if not steps and (damaged or truncated):
        raise ReportError(
            f"{path}: expects a log of train --log, JSON objects with 'step' and 'loss', but no line "
            "is one; name the file that --log was given"
        )
    return Log(steps, _describe(steps, damaged, truncated, restarts) + _describe_events(events))


def _before(entries: list, first: int) -> list:
    """Returns the steps or events that a log keeps when a run continues from the step `first`."""
    return [entry for entry in entries if entry.step < first]


def _finite(value) -> float | None:
    """A number that can be drawn, None for others."""
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not abs(value) <= LARGEST_AMOUNT:
        return None
    return float(value) if abs(value) >= SMALLEST_AMOUNT else 0.0


def _parse(line: bytes) -> dict:
    """The object of a line, an empty one if it holds something else."""
    try:
        record = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}


def _is_of_run(line: bytes) -> bool:
    """Returns True if the line is of no step: it has the options of a run, as the log has at each
    start, or the algorithms of a GPU."""
    record = _parse(line)
    return isinstance(record.get("config"), dict) or isinstance(record.get("algorithms"), list)


def _parse_events(line: bytes) -> list[_Event]:
    """The events of a line that tells of a jump or of the end of a run that diverged."""
    record, events = _parse(line), []
    for name, whats in (
        ("spike", {"loss": "the loss jumped", "grad_norm": "the gradient norm jumped"}),
        ("diverged", {"at_step": "training diverged"}),
    ):
        told = record.get(name)
        step = told.get("at_step") if isinstance(told, dict) else None
        if _is_step_number(step):
            events += [_Event(step, what) for field, what in whats.items() if field in told]
    return events


def _is_step_number(number) -> bool:
    return type(number) is int and 0 <= number < 2**63


def _parse_step(line: bytes) -> Step | None:
    record = _parse(line)
    if "loss" not in record:
        return None
    number = record.get("step")
    if not _is_step_number(number):
        return None
    sent = record.get("bytes")
    known = isinstance(sent, dict) and all(_finite(size) is not None for size in sent.values())
    values = (_finite(record.get(name)) for name in _NUMBERS)
    return Step(number, *values, sent if known else None)


def _name_some(numbers: list[int]) -> str:
    text = ", ".join(f"{number:,}" for number in numbers[:_LINES_NAMED])
    rest = len(numbers) - _LINES_NAMED
    return f"{text} and {rest:,} more" if rest > 0 else text


def _describe(steps, damaged, truncated, restarts) -> list[str]:
    notes = []
    if not steps:
        notes.append("the log has no step yet")
    if truncated:
        notes.append("the last line of the log is incomplete and left out; is the run still going?")
    if damaged:
        notes.append(f"lines of the log that are no steps are left out: {_name_some(damaged)}")
    if restarts:
        notes.append(
            f"the log goes back to an earlier step, and later lines count: {_name_some(restarts)}"
        )
    for name, what in (("loss", "loss"), ("grad_norm", "gradient norm")):
        missing = [step.step for step in steps if getattr(step, name) is None]
        if missing:
            notes.append(f"the {what} is not finite in steps: {_name_some(missing)}")
    return notes


def _describe_events(events: list[_Event]) -> list[str]:
    steps = {}
    for event in events:
        steps.setdefault(event.what, []).append(event.step)
    return [f"{what} in steps: {_name_some(numbers)}" for what, numbers in steps.items()]
