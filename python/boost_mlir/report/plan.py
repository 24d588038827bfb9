# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The plan of a program, as docs/plan.schema.json describes it, checked while it is read.

Fields that are unknown here are passed over, so that newer plans can be read. Seconds are
predictions for one machine; bytes and elements are those of one rank.
"""

from __future__ import annotations

import dataclasses
import math

from .fields import Field

REMEDY = "write the plan anew with boost-compile --emit=plan"

# At the peak, in this order; they and those of OPTIONAL_CATEGORIES add up to it.
MEMORY_CATEGORIES = (
    "parameters",
    "masters",
    "optimizer",
    "batch",
    "gradients",
    "kept",
    "recomputed",
    "temporaries",
    "results",
    "unused",
)
# Of programs that have such tensors.
OPTIONAL_CATEGORIES = ("constants",)
OPERATION_CLASSES = (
    "contraction",
    "attention_forward",
    "attention_backward",
    "memory",
    "collective",
)
# Sums that a plan holds were added in another order by someone else at most.
_SUM_TOLERANCE = 1e-9


@dataclasses.dataclass(frozen=True)
class ClassCost:
    """The cost of the operations of a class in one call of a function."""

    calls: int
    flops: float
    memory_bytes: float
    network_bytes: float
    seconds: float


@dataclasses.dataclass(frozen=True)
class Function:
    """`phases` has the classes of the forward pass, the backward pass and the optimizer."""

    seconds: float
    classes: dict[str, ClassCost]
    phases: dict[str, dict[str, ClassCost]]


@dataclasses.dataclass(frozen=True)
class Part:
    """A function that a step calls `count` times; `seconds` are those of all calls."""

    function: str
    count: int
    seconds: float


@dataclasses.dataclass(frozen=True)
class TimedCall:
    """A call on a stage of a pipeline, in seconds from the begin of the step. An update has no
    micro-batch."""

    function: str
    micro_batch: int | None
    begin: float
    end: float


@dataclasses.dataclass(frozen=True)
class Prediction:
    """`stages` has the calls of each stage of a pipeline, and is empty without one."""

    seconds: float
    machine: str
    parts: list[Part]
    functions: dict[str, Function]
    stages: list[list[TimedCall]] = dataclasses.field(default_factory=list)

    def calls(self, function: str) -> int:
        """How often a step calls a function."""
        return sum(part.count for part in self.parts if part.function == function)


@dataclasses.dataclass(frozen=True)
class Collective:
    """One launch; `seconds` is None where no machine is known."""

    name: str
    function: str
    kind: str
    axis: str
    elements: int
    bytes: int
    dtype: str
    phase: str
    component: str
    layer: int | None
    count: int
    location: str
    seconds: float | None


@dataclasses.dataclass(frozen=True)
class Tensor:
    """One of the largest at the peak of the memory."""

    bytes: int
    type: str
    what: str
    location: str


@dataclasses.dataclass(frozen=True)
class Memory:
    """Bytes at the peak of `function`, and what is kept for its backward pass, by layer."""

    function: str | None
    categories: dict[str, int]
    peak: int
    largest: list[Tensor]
    kept_outside: int
    kept_layers: list[int]


@dataclasses.dataclass(frozen=True)
class Candidate:
    """A placement that the compiler compared; `seconds` is None if it has no price."""

    options: str
    mesh: str
    placement: str
    zero: int
    problem: str | None
    seconds: float | None
    network_seconds: float
    network_bytes: float
    peak: int
    fits: bool


@dataclasses.dataclass(frozen=True)
class Decision:
    """The seconds of equal layers in a step, also in the best other candidate for them.

    `kind` is their class, and None for what is outside of the layers."""

    kind: int | None
    layers: int
    seconds: float
    other_options: str | None
    other_seconds: float | None
    because: str


@dataclasses.dataclass(frozen=True)
class Choice:
    """`chosen` and `fastest` are positions in `candidates`."""

    chosen: int
    fastest: int
    because: str
    memory_limit: float | None
    candidates: list[Candidate]
    classes: list[Decision]

    def runner_up(self) -> int | None:
        """The position of the fastest candidate that fits and was not chosen."""
        others = [
            (candidate.seconds, index)
            for index, candidate in enumerate(self.candidates)
            if index != self.chosen and candidate.seconds is not None and candidate.fits
        ]
        return min(others)[1] if others else None


@dataclasses.dataclass(frozen=True)
class Plan:
    """`parameters`, their elements, `predicted` and `choice` are None where the plan has none."""

    mesh: dict[str, int]
    parameters: int | None
    layers: list[int]
    collectives: list[Collective]
    memory: Memory
    predicted: Prediction | None
    choice: Choice | None

    @property
    def ranks(self) -> int:
        return math.prod(self.mesh.values())

    def launches(self, collective: Collective) -> int:
        """How often a step launches a collective; without a prediction, its function."""
        calls = self.predicted.calls(collective.function) if self.predicted else 1
        return calls * collective.count

    def step_collectives(self) -> list[Collective]:
        """The collectives of a training step, in the order of their launches."""
        return [entry for entry in self.collectives if self.launches(entry)]


def read_plan(document: Field) -> Plan:
    """The plan that a JSON object is; raises ReportError at the first field that is wrong."""
    predicted, choice = document["predicted"], document.get("choice")
    recognized = document.get("recognized")
    return Plan(
        mesh={name: size.count(1) for name, size in document["mesh"].items()},
        parameters=recognized["parameters"].count() if recognized else None,
        layers=[entry.count() for entry in document["layers"].entries()],
        collectives=[_read_collective(entry) for entry in document["collectives"].entries()],
        memory=_read_memory(document["memory"]),
        predicted=_read_prediction(predicted) if dict(predicted.items()) else None,
        choice=_read_choice(choice) if choice else None,
    )


def _read_class(field: Field) -> ClassCost:
    return ClassCost(
        calls=field["calls"].count(),
        flops=field["flops"].amount(),
        memory_bytes=field["memory_bytes"].amount(),
        network_bytes=field["network_bytes"].amount(),
        seconds=field["seconds"].amount(),
    )


def _check_sum(field: Field, parts, what: str):
    total, sum_of_parts = field.amount(), math.fsum(parts)
    if not math.isclose(total, sum_of_parts, rel_tol=_SUM_TOLERANCE):
        raise field.refuse(f"the sum of {what}, {sum_of_parts!r},")


def _read_function(field: Field) -> Function:
    classes = {name: _read_class(entry) for name, entry in field["classes"].items()}
    _check_sum(field["seconds"], (entry.seconds for entry in classes.values()), "its classes")
    phases = {
        name: {each: _read_class(cost) for each, cost in entry.items()}
        for name, entry in field["phases"].items()
    }
    costs = [cost.seconds for phase in phases.values() for cost in phase.values()]
    _check_sum(field["seconds"], costs, "its phases")
    return Function(field["seconds"].amount(), classes, phases)


def _read_prediction(field: Field) -> Prediction:
    functions = {name: _read_function(entry) for name, entry in field["functions"].items()}
    parts = []
    for entry in field["parts"].entries():
        name, count = entry["function"].text(), entry["count"].count(1)
        if name not in functions:
            raise entry["function"].refuse("one of the functions that are predicted")
        calls = [count * functions[name].seconds]
        _check_sum(entry["seconds"], calls, f"{count} calls of '{name}'")
        parts.append(Part(name, count, entry["seconds"].amount()))
    timeline = field.get("timeline")
    stages = [_read_stage(entry) for entry in timeline.entries()] if timeline else []
    if not stages:
        _check_sum(field["seconds"], (part.seconds for part in parts), "its parts")
    seconds = field["seconds"].amount()
    if any(call.end > seconds for calls in stages for call in calls):
        raise field["seconds"].refuse("the end of the last call")
    return Prediction(seconds, field["machine"].text(), parts, functions, stages)


def _read_stage(field: Field) -> list[TimedCall]:
    calls, end = [], 0.0
    for entry in field.entries():
        micro_batch = entry.get("micro_batch")
        call = TimedCall(
            function=entry["function"].text(),
            micro_batch=micro_batch.count() if micro_batch else None,
            begin=entry["begin"].amount(),
            end=entry["end"].amount(),
        )
        if not end <= call.begin <= call.end:
            raise entry.refuse("a call that begins when the one before has ended")
        calls.append(call)
        end = call.end
    return calls


def _read_collective(field: Field) -> Collective:
    layer, seconds = field["layer"], field.get("seconds")
    return Collective(
        name=field["name"].text(),
        function=field["function"].text(),
        kind=field["kind"].text(),
        axis=field["axis"].text(),
        elements=field["elements"].count(),
        bytes=field["bytes"].count(),
        dtype=field["dtype"].text(),
        phase=field["phase"].text(),
        component=field["component"].text(),
        layer=None if layer.value is None else layer.count(),
        count=field["count"].count(),
        location=field["location"].text(),
        seconds=seconds.amount() if seconds else None,
    )


def _read_memory(field: Field) -> Memory:
    function, largest, kept = field.get("function"), field.get("largest"), field.get("kept_by")
    peak = field["peak"].count()
    present = (name for name in OPTIONAL_CATEGORIES if field.get(name))
    categories = {name: field[name].count() for name in (*MEMORY_CATEGORIES, *present)}
    _check_sum(field["peak"], categories.values(), "its categories")
    return Memory(
        function=function.text() if function else None,
        categories=categories,
        peak=peak,
        largest=[_read_tensor(entry) for entry in largest.entries()] if largest else [],
        kept_outside=kept["outside"].count() if kept else 0,
        kept_layers=[entry.count() for entry in kept["layers"].entries()] if kept else [],
    )


def _read_tensor(field: Field) -> Tensor:
    location = field.get("location")
    return Tensor(
        bytes=field["bytes"].count(),
        type=field["type"].text(),
        what=field["what"].text(),
        location=location.text() if location else "",
    )


def _read_candidate(field: Field) -> Candidate:
    problem, priced = field.get("problem"), field.get("seconds") is not None
    return Candidate(
        options=field["options"].text(),
        mesh=field["mesh"].text(),
        placement=field["placement"].text(),
        zero=field["zero"].count(),
        problem=problem.text() if problem else None,
        seconds=field["seconds"].amount() if priced else None,
        network_seconds=field["network_seconds"].amount() if priced else 0.0,
        network_bytes=field["network_bytes"].amount() if priced else 0.0,
        peak=field["peak"].count() if priced else 0,
        fits=field["fits"].boolean() if priced else False,
    )


def _read_decision(field: Field) -> Decision:
    other, kind = field.get("runner_up"), field["class"]
    return Decision(
        kind=None if kind.value is None else kind.count(),
        layers=field["layers"].count(),
        seconds=field["chosen"]["seconds"].amount(),
        other_options=other["options"].text() if other else None,
        other_seconds=other["seconds"].amount() if other else None,
        because=field["because"].text(),
    )


def _read_choice(field: Field) -> Choice:
    candidates = [_read_candidate(entry) for entry in field["candidates"].entries()]
    for key in ("chosen", "fastest"):
        if field[key].count() >= len(candidates):
            raise field[key].refuse(f"the position of one of {len(candidates)} candidates")
    limit, classes = field.get("memory_limit"), field.get("classes")
    return Choice(
        chosen=field["chosen"].count(),
        fastest=field["fastest"].count(),
        because=field["because"].text(),
        memory_limit=limit.amount() if limit else None,
        candidates=candidates,
        classes=[_read_decision(entry) for entry in classes.entries()] if classes else [],
    )
