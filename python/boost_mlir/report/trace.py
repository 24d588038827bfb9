# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The steps in a trace, as `train --trace` writes it, beside the plan of their program."""

from __future__ import annotations

import dataclasses
import json
from collections import Counter, defaultdict

from .._files import read_input
from .errors import ReportError
from .fields import Field
from .plan import OPERATION_CLASSES, Plan, TimedCall

_REMEDY = "name the file that --trace-file was given, of a run of this program"
_SECONDS = 1e-6  # times of a trace are microseconds


@dataclasses.dataclass(frozen=True)
class Measured:
    """The calls of a class: their number and their seconds, those of the plan and those of the run."""

    calls: float
    predicted: float
    seconds: float


@dataclasses.dataclass(frozen=True)
class Line:
    """The calls of one name, such as those of a line of the model in all layers."""

    name: str
    kind: str
    calls: float
    seconds: float


@dataclasses.dataclass(frozen=True)
class Trace:
    """Means of the steps that were traced, over the ranks of a stage; those of all stages add up.

    `seconds` are those of a step. `stages` has the calls of the first step on one rank of each stage
    of a pipeline."""

    steps: list[int]
    ranks: int
    stage_count: int
    seconds: float
    classes: dict[str, Measured]
    transfers: float
    lines: list[Line]
    stages: list[list[TimedCall]]


@dataclasses.dataclass(frozen=True)
class _Event:
    name: str
    category: str
    begin: float
    seconds: float
    rank: int
    stage: int
    step: int
    function: str
    micro_batch: int | None


def load_trace(path, plan: Plan) -> Trace:
    """The trace in a file; raises OSError, or ReportError if it is of another program than the plan."""
    try:
        value = json.loads(read_input(path).decode("utf-8"))
    except (ValueError, RecursionError):
        raise ReportError(f"{path}: expects a trace of train --trace, but this is no JSON; {_REMEDY}") from None
    document = Field(value, str(path), _REMEDY)
    events = [_read(entry) for entry in document["traceEvents"].entries() if entry["ph"].text() == "X"]
    if plan.predicted is None:
        raise ReportError(f"{path}: expects a plan with predicted times; compile with --machine")
    return _Summary(str(path), plan, events).summarize()


def _read(entry: Field) -> _Event:
    args = entry["args"]
    function, micro_batch = args.get("function"), args.get("micro_batch")
    return _Event(
        name=entry["name"].text(),
        category=entry["cat"].text(),
        begin=entry["ts"].amount() * _SECONDS,
        seconds=entry["dur"].amount() * _SECONDS,
        rank=entry["pid"].count(),
        stage=args["stage"].count(),
        step=args["step"].count(),
        function=function.text() if function else "",
        micro_batch=micro_batch.count() if micro_batch else None,
    )


class _Summary:
    def __init__(self, path: str, plan: Plan, events: list[_Event]):
        self.path, self.plan, self.events = path, plan, events
        self.steps = sorted({event.step for event in events if event.category == "step"})
        self.stage_of = {event.rank: event.stage for event in events}
        peers = Counter(self.stage_of.values())
        runs = len(self.steps)
        # The part that an event of a rank has in the mean of its stage.
        self.weights = {rank: 1 / (peers[stage] * runs) for rank, stage in self.stage_of.items() if runs}

    def refuse(self, what: str) -> ReportError:
        return ReportError(f"{self.path}: {what}: this trace is of another program than the plan; {_REMEDY}")

    def summarize(self) -> Trace:
        if not self.steps:
            raise ReportError(f"{self.path}: expects a trace with a step, but it has none; {_REMEDY}")
        if len(self.stage_of) != self.plan.ranks:
            raise self.refuse(f"it has {len(self.stage_of)} ranks, not the {self.plan.ranks} of the mesh")
        steps = [event.seconds for event in self.events if event.category == "step"]
        transfers = [event for event in self.events if event.category == "transfer"]
        return Trace(
            steps=self.steps,
            ranks=len(self.stage_of),
            stage_count=len(set(self.stage_of.values())),
            seconds=sum(steps) / len(steps),
            classes=self._classes(),
            transfers=sum(event.seconds * self.weights[event.rank] for event in transfers),
            lines=self._lines(),
            stages=self._stages(),
        )

    def _classes(self) -> dict[str, Measured]:
        """The classes in the order of the plan. The functions that ran say what was predicted for them."""
        runs = Counter((event.rank, event.function) for event in self.events if event.category == "function")
        calls, seconds, planned = Counter(), Counter(), Counter()
        for event in self.events:
            if event.category in OPERATION_CLASSES:
                calls[event.rank, event.function, event.category] += 1
                seconds[event.category] += event.seconds * self.weights[event.rank]
        predicted, number = Counter(), Counter()
        for (rank, name), count in runs.items():
            function = self.plan.predicted.functions.get(name)
            if function is None:
                raise self.refuse(f"it has a function '{name}'")
            for kind, cost in function.classes.items():
                planned[rank, name, kind] = count * cost.calls
                predicted[kind] += count * cost.seconds * self.weights[rank]
                number[kind] += count * cost.calls * self.weights[rank]
        if +calls != +planned:
            rank, name, kind = next(key for key in calls | planned if calls[key] != planned[key])
            raise self.refuse(
                f"rank {rank} makes {calls[rank, name, kind]} calls of class '{kind}' in '{name}', "
                f"and the plan has {planned[rank, name, kind]}"
            )
        return {
            kind: Measured(number[kind], predicted[kind], seconds[kind])
            for kind in OPERATION_CLASSES
            if number[kind]
        }

    def _lines(self) -> list[Line]:
        """Longest first."""
        sums = defaultdict(lambda: [0.0, 0.0])
        for event in self.events:
            if event.category in OPERATION_CLASSES:
                entry = sums[event.name, event.category]
                entry[0] += self.weights[event.rank]
                entry[1] += event.seconds * self.weights[event.rank]
        lines = [Line(name, kind, *values) for (name, kind), values in sums.items()]
        return sorted(lines, key=lambda line: -line.seconds)

    def _stages(self) -> list[list[TimedCall]]:
        ranks = {}
        for rank in sorted(self.stage_of, reverse=True):
            ranks[self.stage_of[rank]] = rank
        first = [event for event in self.events if event.step == self.steps[0] and event.rank in ranks.values()]
        begin = min(event.begin for event in first if event.category == "step")
        stages = []
        for stage in sorted(ranks):
            calls = [event for event in first if event.category == "function" and event.rank == ranks[stage]]
            calls.sort(key=lambda event: event.begin)
            stages.append(
                [
                    TimedCall(
                        each.function,
                        each.micro_batch,
                        each.begin - begin,
                        each.begin - begin + each.seconds,
                    )
                    for each in calls
                ]
            )
        return stages
