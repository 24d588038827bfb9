# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The arena of a rank over a training step, from the `memory` of a plan."""

from __future__ import annotations

from boost_mlir.report import units
from boost_mlir.report.memory import kept_over_step
from boost_mlir.report.plan import Memory

from .drawing import box, label, path, picture

WIDTH, HEIGHT = 920, 376
LEFT, RIGHT, TOP, BOTTOM = 76, 620, 36, 316
COLUMN = 660
NAMES = {
    "parameters": ("parameters", "lasting"),
    "constants": ("constants", "lasting"),
    "masters": ("f32 copies of parameters", "lasting"),
    "optimizer": ("optimizer state", "state"),
    "batch": ("batch", "both"),
    "kept": ("kept for backward", "kept"),
    "recomputed": ("computed again", "rank0"),
    "gradients": ("gradients", "sent"),
    "temporaries": ("temporaries", "temporaries"),
    "results": ("results", "both"),
    "unused": ("gaps", "both"),
}
LASTING = ("parameters", "constants", "masters", "optimizer", "batch")


def _ticks(peak: int) -> list[int]:
    """Multiples of 1, 2 or 5 times a power of ten below the peak, five or fewer."""
    step = next(m * 10**e for e in range(3, 15) for m in (1, 2, 5) if m * 10**e * 5 >= peak)
    return list(range(0, peak + 1, step))


def _column(memory: Memory, down) -> list:
    """The peak by category, with the names of all that can be seen."""
    parts, below, used = [], 0, BOTTOM + 20.0
    for name, (text, kind) in NAMES.items():
        size = memory.categories.get(name, 0)
        if not size:
            continue
        top, bottom = down(below + size), down(below)
        parts.append(box(COLUMN, top, 46, bottom - top, kind, 0))
        if size > 0.02 * memory.peak:
            used = min(used - 17, (top + bottom) / 2 + 5)
            shown = f"{text}, {units.data_size(size)}"
            parts.append(label(COLUMN + 56, used, shown, "small", "start"))
        below += size
    return [*parts, label(COLUMN + 23, BOTTOM + 20, "at the peak", "small muted")]


def draw(memory: Memory, recomputing: Memory, command: str) -> str:
    """`recomputing` is the same program with the option `--remat=low-rank`."""
    kept = kept_over_step(memory)
    lasting = sum(memory.categories.get(name, 0) for name in LASTING)
    top = 1.06 * memory.peak

    def down(size: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * size / top

    def across(place: float) -> float:
        return LEFT + (RIGHT - LEFT) * place / (len(kept) - 1)

    def curve(sizes: list[int]):
        """Returns the bytes that are live and kept before each layer, forward and then backward."""
        return [(across(place), lasting + size) for place, size in enumerate(sizes)]

    def area(sizes: list[tuple[float, float]], base: float, kind: str):
        corners = [(x, down(size)) for x, size in sizes]
        return path([(LEFT, down(base)), *corners, (RIGHT, down(base))], kind, closed=True)

    parts = []
    for size in _ticks(int(top)):
        parts.append(path([(LEFT, down(size)), (RIGHT, down(size))], "grid"))
        shown = units.trim(units.data_size(size, memory.peak)) if size else "0"
        parts.append(label(LEFT - 8, down(size) + 4, shown, "small muted", "end"))
    parts.append(area(curve(kept), lasting, "kept"))
    below = 0
    for name in LASTING:
        size = memory.categories.get(name, 0)
        if size:
            parts.append(area([(LEFT, below + size), (RIGHT, below + size)], below, NAMES[name][1]))
        below += size
    again = kept_over_step(recomputing)
    parts.append(path([(x, down(size)) for x, size in curve(again)], "level on"))
    last, layers = len(kept) - 1, len(memory.kept_layers)
    middle = across(last / 2)
    parts.append(path([(LEFT, down(memory.peak)), (COLUMN + 46, down(memory.peak))], "level"))
    heading = f"the arena: {units.data_size(memory.peak)}"
    each = units.counted(layers, "layer")
    parts += [
        label(LEFT + 8, down(memory.peak) - 8, heading, "title", "start"),
        label(middle, down(lasting + max(again)) - 24, "with --remat=low-rank:", "small on-sent"),
        label(middle, down(lasting + max(again)) - 8, f"{units.data_size(max(again))} kept", "small on-sent"),
        path([(middle, BOTTOM), (middle, BOTTOM + 24)], "grid"),
        label(across(last / 4), BOTTOM + 20, f"forward, {each}", "small muted"),
        label(across(3 * last / 4), BOTTOM + 20, f"backward, {each}", "small muted"),
        label(LEFT, HEIGHT - 16, command, "small muted", "start"),
        _column(memory, down),
    ]
    return picture(
        "The arena of one rank over a training step",
        f"Parameters, optimizer state and batch, {units.data_size(lasting)}, stay. What is kept for the "
        f"backward pass grows to {units.data_size(max(kept))} layer by layer and falls again. "
        f"The arena has {units.data_size(memory.peak)}.",
        WIDTH,
        HEIGHT,
        parts,
    )
