# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The memory of one rank: what is there at the peak, and what is kept over the step."""

from __future__ import annotations

import itertools

from . import units
from .bars import Segment, bar
from .markup import Markup, tag
from .plan import Memory, Plan
from .plots import Frame, Line, plot
from .scales import Scale
from .tables import Column, Row, code, figure, legend, named, section, table

_MEANINGS = {
    "parameters": "the model",
    "masters": "f32 copies of bf16 and f16 parameters",
    "optimizer": "states of the optimizer, such as moments",
    "batch": "tokens, targets and hyper-parameters",
    "gradients": "made in the backward pass, read by the optimizer or returned",
    "kept": "made in the forward pass, read in the backward pass",
    "recomputed": "made again for the backward pass",
    "temporaries": "all other values of the moment",
    "results": "the loss, the gradient norm",
    "unused": "gaps between buffers",
    "constants": "arrays that the loss closes over",
}
_LASTING = ("parameters", "constants", "masters", "optimizer", "batch")


def _peak_bar(memory: Memory) -> Markup:
    segments = [
        Segment(
            name,
            size,
            f"memory-{name}",
            f"{name}: {units.data_size(size)}, {units.share(size, memory.peak)}",
            {"data_memory": name, "data_bytes": size},
        )
        for name, size in memory.categories.items()
        if size
    ]
    return bar("Memory at the peak", segments, memory.peak, 34)


def _peak_table(memory: Memory) -> Markup:
    columns = [Column("At the peak"), Column("Size", True), Column("Share", True)]
    rows = [
        Row([_category(name), units.data_size(size), units.share(size, memory.peak)])
        for name, size in memory.categories.items()
        if size
    ]
    peak = Row(
        ["The arena of a rank", units.data_size(memory.peak), units.share(memory.peak, memory.peak)]
    )
    return table(columns, rows, peak, compact=True)


def _category(name: str) -> list:
    return [named(f"memory-{name}", name), " ", tag("span", _MEANINGS[name], class_="remark")]


def kept_over_step(memory: Memory) -> list[int]:
    """Bytes that are kept before each layer of the forward pass, and then after each of the
    backward pass, which reads what a layer kept in the opposite order."""
    growing = list(itertools.accumulate(memory.kept_layers, initial=memory.kept_outside))
    return growing + growing[-2::-1]


def _over_step(plan: Plan) -> Markup | None:
    memory = plan.memory
    layers = len(memory.kept_layers)
    if not layers or not memory.peak:
        return None
    lasting = sum(memory.categories.get(name, 0) for name in _LASTING)
    kept = kept_over_step(memory)
    top = [(float(place), float(lasting + size)) for place, size in enumerate(kept)]
    last = float(len(kept) - 1)
    ticks = [(0.0, "start"), (last / 2, "forward done"), (last, "end")]

    def show(size: float) -> str:
        return units.trim(units.data_size(size, memory.peak))

    frame = Frame(0.0, last, ticks, Scale(0.0, 1.12 * memory.peak), show)
    labels = [
        (
            place,
            f"{_moment(int(place), layers)}: {units.data_size(size - lasting)} kept, "
            f"{units.data_size(lasting)} lasting",
        )
        for place, size in top
    ]
    areas = [
        Line([top], "memory-kept"),
        Line([[(0.0, float(lasting)), (last, float(lasting))]], "memory-parameters"),
    ]
    levels = [(float(memory.peak), f"peak {units.data_size(memory.peak)}")]
    chart = plot("Memory over a step", frame, areas=areas, levels=levels, labels=labels)
    entries = [
        ("memory-kept", "kept for the backward pass", units.data_size(max(kept))),
        ("memory-parameters", "parameters, optimizer, batch", units.data_size(lasting)),
    ]
    caption = (
        "What lasts, and what each layer keeps from its forward to its backward pass. Gradients and "
        "temporaries come and go above it; the plan has their sizes at the peak alone, above."
    )
    return tag("div", tag("h3", "Over a step"), figure(tag("div", chart, legend(entries)), caption))


def _moment(place: int, layers: int) -> str:
    if place == 0:
        return "before the first layer"
    if place <= layers:
        return f"after {units.counted(place, 'layer')} forward"
    return f"after {units.counted(place - layers, 'layer')} backward"


def _largest(memory: Memory) -> Markup | None:
    if not memory.largest:
        return None
    columns = [
        Column("Largest at the peak"),
        Column("Type", long=True),
        Column("From", long=True),
        Column("Size", True),
    ]
    rows = [
        Row(
            [
                tensor.what,
                code(tensor.type),
                code(tensor.location) if tensor.location else None,
                units.data_size(tensor.bytes),
            ]
        )
        for tensor in memory.largest
    ]
    return table(columns, rows)


def memory_section(plan: Plan) -> Markup:
    memory = plan.memory
    where = [" in ", code(memory.function)] if memory.function else []
    caption = tag("span", "One rank, when most is live", *where, ".")
    return section(
        "memory",
        "Memory",
        figure(_peak_bar(memory), caption),
        _peak_table(memory),
        _over_step(plan),
        _largest(memory),
    )
