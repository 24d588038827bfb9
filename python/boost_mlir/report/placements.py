# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The placements that the compiler compared, each with its price."""

from __future__ import annotations

from . import units
from .bars import Segment, bar
from .markup import Markup, tag
from .plan import Candidate, Choice, Decision, Plan
from .tables import Column, Row, figure, legend, section, table


def _name(candidate: Candidate) -> str:
    zero = f", ZeRO-{candidate.zero}" if candidate.zero else ""
    return f"{candidate.placement} on {candidate.mesh}{zero}"


def _badges(choice: Choice, index: int) -> list[Markup]:
    candidate = choice.candidates[index]
    words = [
        (index == choice.chosen, "chosen", "badge good"),
        (index == choice.fastest != choice.chosen, "fastest", "badge"),
        (index == choice.runner_up(), "runner-up", "badge"),
        (candidate.seconds is not None and not candidate.fits, "does not fit", "badge bad"),
        (candidate.problem is not None, "impossible", "badge bad"),
    ]
    return [tag("span", word, class_=style) for holds, word, style in words if holds]


def _bars(choice: Choice) -> Markup | None:
    priced = [(i, c) for i, c in enumerate(choice.candidates) if c.seconds is not None]
    if not priced:
        return None
    longest = max(candidate.seconds for _, candidate in priced)
    rows = []
    for index, candidate in priced:
        rest = max(0.0, candidate.seconds - candidate.network_seconds)
        network = min(candidate.seconds, candidate.network_seconds)
        strength = "" if index == choice.chosen else "-pale"
        segments = [
            Segment("", rest, f"work{strength}", f"all else: {units.seconds(rest)}"),
            Segment("", network, f"network{strength}", f"collectives: {units.seconds(network)}"),
        ]
        heading = [
            tag("b", units.seconds(candidate.seconds)),
            _name(candidate),
            " ",
            _badges(choice, index),
        ]
        drawing = bar(_name(candidate), segments, longest, 18)
        rows.append(tag("div", tag("div", heading), drawing, class_="bar", data_candidate=index))
    entries = [("network", "collectives", ""), ("work", "all else", "")]
    return tag("div", tag("div", rows, class_="bars"), legend(entries))


def _table(choice: Choice) -> Markup:
    columns = [
        Column("Options"),
        Column("Step", True),
        Column("Ratio", True),
        Column("Collectives", True),
        Column("Sent", True),
        Column("Peak", True),
        Column("Verdict", long=True),
    ]
    reference = choice.candidates[choice.chosen].seconds

    def cells(index: int, candidate: Candidate) -> list:
        verdict = [*_badges(choice, index), " " if candidate.problem else None, candidate.problem]
        if candidate.seconds is None:
            return [_spell(candidate.options), *["–"] * 5, verdict]
        ratio = f"× {candidate.seconds / reference:.2f}" if reference else "–"
        return [
            _spell(candidate.options),
            units.seconds(candidate.seconds),
            ratio,
            units.seconds(candidate.network_seconds),
            units.data_size(candidate.network_bytes),
            units.data_size(candidate.peak),
            verdict,
        ]

    rows = [
        Row(
            cells(index, candidate),
            class_="chosen" if index == choice.chosen else None,
            data={"data_price": "" if candidate.seconds is None else repr(candidate.seconds)},
        )
        for index, candidate in enumerate(choice.candidates)
    ]
    return table(columns, rows)


def _name_layers(decision: Decision) -> str:
    if decision.kind is None:
        return "Outside of the layers"
    return f"{decision.layers} equal layers" if decision.layers > 1 else "1 layer"


def _decisions(choice: Choice) -> Markup | None:
    """Compares the seconds of each class of layers with the least that another candidate needs for
    it."""
    if not choice.classes:
        return None
    columns = [
        Column("Layers"),
        Column("Chosen", True),
        Column("Next", True),
        Column("Options of the next"),
        Column("Because", long=True),
    ]
    rows = [
        Row(
            [
                _name_layers(each),
                units.seconds(each.seconds),
                "–" if each.other_seconds is None else units.seconds(each.other_seconds),
                _spell(each.other_options) if each.other_options else "–",
                each.because,
            ],
            data={"data_class": "outside" if each.kind is None else str(each.kind)},
        )
        for each in choice.classes
    ]
    return table(columns, rows)


def _spell(text: str) -> list:
    """Text with the options in it as code, which does not break after a hyphen."""
    words = text.split(" ")
    return [[" " if index else "", _word(word)] for index, word in enumerate(words)]


def _word(word: str):
    return tag("code", word, class_="option") if word.startswith("--") else word


def placements_section(plan: Plan) -> Markup:
    choice = plan.choice
    if choice is None:
        text = (
            "The command line left nothing to choose; "
            "with --ranks, or without --placement, the compiler compares."
        )
        return section("placements", "Placements", tag("p", text, class_="none"))
    chosen = choice.candidates[choice.chosen]
    limit = (
        f" A rank may take {units.data_size(choice.memory_limit)}."
        if choice.memory_limit is not None
        else ""
    )
    because = tag(
        "p",
        tag("strong", _name(chosen)),
        " is chosen: ",
        _spell(choice.because),
        ".",
        limit,
        class_="because",
    )
    bars = _bars(choice)
    caption = "Predicted seconds of a step. The options of a candidate give a plan that predicts the same."
    return section(
        "placements",
        "Placements",
        because,
        figure(bars, caption) if bars else None,
        _table(choice),
        _decisions(choice),
    )
