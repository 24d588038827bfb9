# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads a trace of Chrome's JSON format by the rules of that format.

They are those of "Trace Event Format" and of Perfetto's importer: complete events of a thread are nested,
an arrow begins within one and ends within another, and metadata names every process and thread."""

from __future__ import annotations

import dataclasses
import json
from collections import defaultdict

# Times are microseconds with three digits, and sums of them are rounded.
ROUNDING = 1e-3


@dataclasses.dataclass
class Slice:
    """A complete event; `parent` is the one around it."""

    name: str
    category: str
    begin: float
    end: float
    rank: int
    args: dict
    parent: Slice | None = None


@dataclasses.dataclass
class Trace:
    slices: list[Slice]
    arrows: list[tuple[Slice, Slice]]
    names: dict[int, str]
    threads: dict[int, str]
    other: dict

    def of(self, *categories) -> list[Slice]:
        return [each for each in self.slices if each.category in categories]


def _enclosing(slices, event) -> Slice:
    """The innermost slice of the event's thread at its time."""
    around = [each for each in slices if each.begin - ROUNDING <= event["ts"] <= each.end + ROUNDING]
    assert around, event
    return max(around, key=lambda each: each.begin)


def _check_fields(event):
    fields = {"name": str, "ph": str, "pid": int, "tid": int}
    for name, kind in fields.items():
        assert type(event[name]) is kind, event
    if event["ph"] != "M":
        assert type(event["ts"]) in (int, float) and event["ts"] >= 0, event
        assert type(event["cat"]) is str, event


def _nest(slices):
    """Gives slices, which are in the order of their begins, the one around them."""
    stack = []
    for each in slices:
        while stack and stack[-1].end < each.begin + ROUNDING:
            if stack[-1].end == each.end and each.end == each.begin:
                break
            stack.pop()
        if stack:
            assert each.end <= stack[-1].end + ROUNDING, (each, stack[-1])
            each.parent = stack[-1]
        stack.append(each)


def read_trace(path) -> Trace:
    document = json.loads(path.read_text())
    threads, metadata, ends = defaultdict(list), defaultdict(dict), {"s": {}, "f": {}}
    for event in document["traceEvents"]:
        _check_fields(event)
        place = (event["pid"], event["tid"])
        if event["ph"] == "M":
            metadata[event["name"]][place] = event["args"]
        elif event["ph"] == "X":
            assert event["dur"] >= 0
            begin = event["ts"]
            assert not threads[place] or threads[place][-1].begin <= begin, event
            end = begin + event["dur"]
            threads[place].append(Slice(event["name"], event["cat"], begin, end, event["pid"], event["args"]))
        else:
            known = ends[event["ph"]]
            assert event["id"] not in known
            assert event["ph"] == "s" or event["bp"] == "e"
            known[event["id"]] = event
    for slices in threads.values():
        _nest(slices)
    assert ends["s"].keys() == ends["f"].keys()
    arrows = []
    for number, first in ends["s"].items():
        last = ends["f"][number]
        arrows.append(
            tuple(_enclosing(threads[event["pid"], event["tid"]], event) for event in (first, last))
        )
    assert set(threads) == set(metadata["process_name"]) == set(metadata["thread_name"])
    return Trace(
        slices=[each for slices in threads.values() for each in slices],
        arrows=arrows,
        names={rank: args["name"] for (rank, _), args in metadata["process_name"].items()},
        threads={rank: args["name"] for (rank, _), args in metadata["thread_name"].items()},
        other=document["otherData"],
    )
