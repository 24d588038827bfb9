# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page: one HTML document that needs nothing else, and runs no script."""

from __future__ import annotations

from importlib import resources

from . import units
from .collectives import collectives_section, group_collectives
from .log import Log
from .markup import Markup, join, tag
from .measured import measured_section
from .memory import memory_section
from .placements import placements_section
from .plan import Plan
from .step import step_classes, step_section
from .tables import tiles
from .trace import Trace
from .training import median_seconds, training_section

# A browser loads nothing from elsewhere and runs nothing, whatever the page says.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def _mesh(plan: Plan) -> str:
    axes = ", ".join(f"{name} = {size}" for name, size in plan.mesh.items())
    return f"{units.counted(plan.ranks, 'rank')}" + (f" ({axes})" if axes else "")


def _step_tile(plan: Plan) -> list[tuple[str, str, str]]:
    if plan.predicted is None:
        return []
    return [
        ("Predicted step", units.seconds(plan.predicted.seconds), f"on {plan.predicted.machine}")
    ]


def _network_tile(plan: Plan) -> list[tuple[str, str, str]]:
    sent = sum(group.bytes for group in group_collectives(plan))
    launches = sum(group.launches for group in group_collectives(plan))
    remark = f"put into {units.counted(launches, 'launch')}"
    if plan.predicted is None:
        return [("Collectives", units.data_size(sent), remark)]
    classes = step_classes(plan.predicted)
    network = classes["collective"].seconds if "collective" in classes else 0.0
    part = units.share(network, sum(cost.seconds for cost in classes.values()))
    return [("In collectives", part, f"{units.data_size(sent)} {remark}")]


def _measured_tile(log: Log | None) -> list[tuple[str, str, str]]:
    median = median_seconds(log) if log else None
    if median is None:
        return []
    return [
        (
            "Measured step",
            units.seconds(median),
            f"median of {units.counted(len(log.steps), 'step')}",
        )
    ]


def _summary(plan: Plan, log: Log | None) -> Markup:
    peak = plan.memory.peak
    limit = plan.choice.memory_limit if plan.choice else None
    room = f"of {units.data_size(limit)}, per rank" if limit else "of memory, per rank"
    entries = [
        *_step_tile(plan),
        *_measured_tile(log),
        *_network_tile(plan),
        ("Peak", units.data_size(peak), room),
    ]
    return tiles(entries)


def _header(title: str, plan: Plan, log: Log | None) -> Markup:
    facts = [_mesh(plan)]
    if plan.parameters is not None:
        facts.append(units.counted(plan.parameters, "parameter"))
    if plan.layers:
        classes = len(set(plan.layers))
        facts.append(
            units.counted(len(plan.layers), "layer")
            + (f" of {units.counted(classes, 'class')}" if classes > 1 else "")
        )
    return tag("header", tag("h1", title), tag("p", " · ".join(facts)), _summary(plan, log))


def make_page(title: str, plan: Plan, log: Log | None = None, trace: Trace | None = None) -> str:
    """The report of a plan, of a training run if there is a log, and of its steps if there is a trace."""
    sections = [
        ("step", "Step", step_section(plan)),
        ("measured", "Measured", measured_section(plan, trace)),
        ("memory", "Memory", memory_section(plan)),
        ("collectives", "Collectives", collectives_section(plan)),
        ("placements", "Placements", placements_section(plan)),
        ("training", "Training", training_section(plan, log)),
    ]
    present = [entry for entry in sections if entry[2] is not None]
    style = Markup(resources.files(__package__).joinpath("style.css").read_text("utf-8"))
    head = tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title),
        tag("style", style),
    )
    links = [tag("a", name, href=f"#{identity}") for identity, name, _ in present]
    body = tag(
        "body",
        _header(title, plan, log),
        tag("nav", links, aria_label="Sections"),
        tag("main", [content for _, _, content in present]),
        tag(
            "footer",
            "Seconds are predictions of the plan unless they are called measured. ",
            "kB, MB and GB are powers of 1000.",
        ),
    )
    return join(Markup("<!DOCTYPE html>\n"), tag("html", head, body, lang="en"), "\n")
