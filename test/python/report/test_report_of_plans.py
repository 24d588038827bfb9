# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A report has the numbers of its plan: the step, memory, collectives and placements."""

import json
import math
import re

import pytest
from report_files import added, percent, report, run
from report_page import number, rows, tile

from boost_mlir.report.__main__ import main


# The step


@pytest.mark.parametrize("lane", ["part", "phase", "class"])
def test_the_timeline_adds_up_to_the_predicted_step(plan, tmp_path, lane):
    path, values = plan
    total = values["predicted"]["seconds"]
    page = report(path, tmp_path=tmp_path)
    timeline = page.first("svg", aria_label="Timeline of a step")
    segments = timeline.all("rect", **{f"data_{lane}": True})
    assert added(segments) == pytest.approx(total, rel=1e-12)
    assert sum(percent(segment, "width") for segment in segments) == pytest.approx(1, abs=1e-4)
    for segment in segments:
        share = float(segment.attributes["data-seconds"]) / total
        assert percent(segment, "width") == pytest.approx(share, abs=1e-5)
    ends = [percent(segment, "x") + percent(segment, "width") for segment in segments]
    starts = [percent(segment, "x") for segment in segments]
    assert starts == pytest.approx([0, *ends[:-1]], abs=1e-4)
    assert number(tile(page, "Predicted step")[0]) == pytest.approx(total, rel=5e-3)


def test_stages_of_a_pipeline_are_shown_over_time(folder, tmp_path):
    """Every call where the plan has it, and what is between them; plans of pipelines are no sums."""
    path = tmp_path / "p.json"
    mesh = ("--mesh=pp=2,tp=2", "--accumulate=4", "--pipeline-schedule=zb-h1")
    options = (*mesh, "--machine=a100-80gb")
    run("boost-compile", folder / "m.mlir", *options, "--emit=plan", "-o", path)
    predicted = json.loads(path.read_text())["predicted"]
    page = report(path, tmp_path=tmp_path)
    calls = [call for stage in predicted["timeline"] for call in stage]
    segments = page.first("svg", aria_label="Pipeline stages over a step").all("rect", data_work=True)
    assert len(segments) == len(calls) == 2 * (3 * 4 + 1)
    for segment, call in zip(segments, calls, strict=True):
        assert float(segment.attributes["data-begin"]) == call["begin"]
        assert percent(segment, "x") == pytest.approx(call["begin"] / predicted["seconds"], abs=1e-4)
        length = (call["end"] - call["begin"]) / predicted["seconds"]
        assert percent(segment, "width") == pytest.approx(length, abs=1e-4)
    works = {segment.attributes["data-work"] for segment in segments}
    assert works == {"forward", "backward", "weights", "optimizer"}
    assert max(call["end"] for call in calls) == predicted["seconds"]
    seconds = {
        row.attributes["data-row"]: number(row.all("td")[-2].text)
        for row in page.first("section", id="step").all("tr", data_row=True)
    }
    share = 100 * seconds["collective"] / sum(seconds.values())
    assert number(tile(page, "In collectives")[0]) == pytest.approx(share, rel=0.02)


def test_the_header_says_what_the_program_is(folder, tmp_path):
    values = json.loads((folder / "dp-tp.json").read_text())
    values["recognized"] = {"parameters": 1234567}
    values["layers"] = [0, 1, 0]
    (tmp_path / "p.json").write_text(json.dumps(values))
    page = report(tmp_path / "p.json", tmp_path=tmp_path)
    facts = page.first("header").first("p").text.replace("\u00a0", " ")
    assert facts == "4 ranks (dp = 2, tp = 2) · 1,234,567 parameters · 3 layers of 2 classes"


def test_every_call_of_a_function_is_in_the_timeline(folder, tmp_path):
    page = report(folder / "accumulate.json", tmp_path=tmp_path)
    names = [element.attributes["data-part"] for element in page.all(data_part=True)]
    assert names == ["accumulate"] * 3 + ["update"]
    phases = [element.attributes["data-phase"] for element in page.all(data_phase=True)]
    assert phases == ["forward", "backward"] * 3 + ["optimizer"]


def test_phases_have_the_seconds_of_their_classes(folder, tmp_path):
    phases = json.loads((folder / "tp.json").read_text())["predicted"]["functions"]["step"]["phases"]
    page = report(folder / "tp.json", tmp_path=tmp_path)
    wanted = [sum(cost["seconds"] for cost in classes.values()) for classes in phases.values()]
    found = [float(element.attributes["data-seconds"]) for element in page.all(data_phase=True)]
    assert len(wanted) == 3 and found == pytest.approx(wanted, rel=1e-9)


def test_classes_have_the_numbers_of_the_plan(plan, tmp_path):
    path, values = plan
    predicted = values["predicted"]
    sums = {}
    for part in predicted["parts"]:
        for name, cost in predicted["functions"][part["function"]]["classes"].items():
            for key, value in cost.items():
                sums.setdefault(name, {}).setdefault(key, []).append(part["count"] * value)
    page = report(path, tmp_path=tmp_path)
    found = {row.attributes["data-row"]: row for row in page.all("tr", data_row=True)}
    assert found.keys() == sums.keys()
    for name, row in found.items():
        cells = [number(cell.text) for cell in row.all("td")]
        keys = ("calls", "flops", "memory_bytes", "network_bytes", "seconds")
        wanted = [math.fsum(sums[name][key]) for key in keys]
        assert cells[0] == wanted[0]
        assert cells[:5] == pytest.approx(wanted, rel=5e-3, abs=0.5e-9)
        share = 100 * wanted[4] / predicted["seconds"]
        assert cells[5] == pytest.approx(share, abs=0.06)


# Memory


def test_memory_adds_up_to_the_peak(plan, tmp_path):
    path, values = plan
    memory = values["memory"]
    page = report(path, tmp_path=tmp_path)
    shown = {bar.attributes["data-memory"]: bar for bar in page.all("rect", data_memory=True)}
    categories = set(memory) - {"peak", "fragmentation", "function", "largest", "kept_by"}
    assert shown.keys() == {name for name in categories if memory[name]}
    for name, segment in shown.items():
        assert segment.attributes["data-bytes"] == str(memory[name])
        assert percent(segment, "width") == pytest.approx(memory[name] / memory["peak"], abs=1e-5)
    assert added(shown.values(), "data-bytes") == memory["peak"]
    assert number(tile(page, "Peak")[0]) == pytest.approx(memory["peak"], rel=5e-3)


def test_memory_over_a_step_is_what_layers_keep(folder, tmp_path):
    memory = json.loads((folder / "tp.json").read_text())["memory"]
    kept = memory["kept_by"]
    page = report(folder / "tp.json", tmp_path=tmp_path)
    chart = page.first("svg", aria_label="Memory over a step")
    tooltips = [strip.tooltip for strip in chart.all("rect", class_="hover")]
    sizes = [number(re.search(r": (.*?) kept", text)[1]) for text in tooltips]
    up = [kept["outside"] + sum(kept["layers"][:count]) for count in range(len(kept["layers"]) + 1)]
    assert sizes == pytest.approx([*up, *up[-2::-1]], rel=5e-3)
    # The curve is on the axis where its tooltips say.
    area = chart.first("path", class_="fill-memory-kept").attributes["d"]
    points = [tuple(map(float, point.split())) for point in re.split("[ML]", area.rstrip("Z"))[1:]]
    heights = [points[-1][1] - y for _, y in points[: len(sizes)]]
    lasting = sum(memory[name] for name in ("parameters", "masters", "optimizer", "batch"))
    wanted = [lasting + size for size in [*up, *up[-2::-1]]]
    assert [h / heights[0] for h in heights] == pytest.approx(
        [w / wanted[0] for w in wanted], rel=1e-3
    )


# Collectives


def test_collectives_are_those_of_a_step_in_order(plan, tmp_path):
    path, values = plan
    page = report(path, tmp_path=tmp_path)
    calls = {part["function"]: part["count"] for part in values["predicted"]["parts"]}
    entries = [entry for entry in values["collectives"] if entry["function"] in calls]
    section = page.first("section", id="collectives")
    strip = section.all("rect", data_collective=True)
    assert [bar.attributes["data-collective"] for bar in strip] == [e["name"] for e in entries]
    launches = [calls[entry["function"]] * entry["count"] for entry in entries]
    seconds = [n * entry["seconds"] for n, entry in zip(launches, entries)]
    assert [float(bar.attributes["data-seconds"]) for bar in strip] == pytest.approx(seconds)
    groups = section.all("tr", data_group_bytes=True)
    total = sum(n * entry["bytes"] for n, entry in zip(launches, entries))
    assert added(groups, "data-group-bytes") == total
    assert added(groups, "data-group-launches") == sum(launches)
    if entries:
        listed = rows(section.all("table")[1])
        assert [row[0] for row in listed] == [entry["name"] for entry in entries]
        in_collectives = number(tile(page, "In collectives")[0])
        share = 100 * sum(seconds) / values["predicted"]["seconds"]
        assert in_collectives == pytest.approx(share, abs=0.06)
    else:
        assert path.stem == "one" and "has no collectives" in section.text


def test_collectives_of_many_sizes_are_one_row(folder, tmp_path):
    values = json.loads((folder / "tp.json").read_text())
    entries = [e for e in values["collectives"] if e["function"] == "step"]
    first = [e for e in entries if e["layer"] is not None][0]
    values["collectives"] = [
        first | {"name": f"c{i}", "elements": 10 + i, "bytes": 4 * (10 + i)} for i in range(9)
    ]
    (tmp_path / "p.json").write_text(json.dumps(values))
    section = report(tmp_path / "p.json", tmp_path=tmp_path).first("section", id="collectives")
    (row,) = rows(section.first("table"))
    assert row[3:5] == ["9", "10 to 18"]


# Placements


def test_placements_have_their_prices(folder, tmp_path):
    for name in ("ranks", "tp"):
        choice = json.loads((folder / f"{name}.json").read_text())["choice"]
        page = report(folder / f"{name}.json", tmp_path=tmp_path)
        section = page.first("section", id="placements")
        prices = [row.attributes["data-price"] for row in section.all("tr", data_price=True)]
        candidates = choice["candidates"]
        assert len(candidates) > 1
        assert prices == [repr(c["seconds"]) if "seconds" in c else "" for c in candidates]
        cells = rows(section.first("table"))
        for row, candidate in zip(cells, candidates):
            assert row[0] == candidate["options"]
            keys = ("seconds", "network_seconds", "network_bytes", "peak")
            shown = [number(row[i]) for i in (1, 3, 4, 5)]
            assert shown == pytest.approx([candidate[key] for key in keys], rel=5e-3)
            ratio = candidate["seconds"] / candidates[choice["chosen"]]["seconds"]
            assert float(row[2].removeprefix("× ")) == pytest.approx(ratio, abs=0.006)
        marked = [i for i, row in enumerate(section.all("tr", data_price=True)) if row.classes]
        assert marked == [choice["chosen"]]
        order = sorted((c["seconds"], i) for i, c in enumerate(candidates) if i != choice["chosen"])
        runners = [i for i, row in enumerate(cells) if "runner-up" in row[6]]
        assert runners == [order[0][1]]
        assert choice["because"] in section.first("p").text


def test_classes_of_layers_have_their_seconds(folder, tmp_path):
    decided = json.loads((folder / "ranks.json").read_text())["choice"]["classes"]
    section = report(folder / "ranks.json", tmp_path=tmp_path).first("section", id="placements")
    shown = section.all("tr", data_class=True)
    kinds = ["outside" if each["class"] is None else str(each["class"]) for each in decided]
    assert len(kinds) > 1 and [row.attributes["data-class"] for row in shown] == kinds
    for row, each in zip(rows(section.all("table")[1]), decided):
        outcomes = each["chosen"], each["runner_up"]
        expected = [outcome["seconds"] for outcome in outcomes]
        assert [number(cell) for cell in row[1:3]] == pytest.approx(expected, rel=5e-3)
        assert row[3:] == [each["runner_up"]["options"], each["because"]]


def test_impossible_and_too_large_candidates_say_so(folder, tmp_path):
    values = json.loads((folder / "ranks.json").read_text())
    chosen = values["choice"]["chosen"]
    others = [c for i, c in enumerate(values["choice"]["candidates"]) if i != chosen]
    others[0]["fits"] = False
    impossible = {key: others[1][key] for key in ("options", "mesh", "placement", "zero")}
    others[1].clear()
    others[1].update(impossible, problem="3 heads do not divide")
    values["choice"]["memory_limit"] = 1.5e9
    (tmp_path / "p.json").write_text(json.dumps(values))
    page = report(tmp_path / "p.json", tmp_path=tmp_path)
    verdicts = [row[6] for row in rows(page.first("section", id="placements").first("table"))]
    assert any("does not fit" in verdict for verdict in verdicts)
    assert any("impossible" in text and "3 heads do not divide" in text for text in verdicts)
    assert tile(page, "Peak")[1] == "of 1.50\u00a0GB, per rank"


def test_without_a_choice_the_section_says_why(folder, tmp_path):
    page = report(folder / "given.json", tmp_path=tmp_path)
    assert "left nothing to choose" in page.first("section", id="placements").text


# Where a plan comes from


def test_a_program_and_its_info_have_the_plan_too(folder, tmp_path):
    (tmp_path / "info.json").write_text(run(folder / "train", "info"))
    pages = []
    for source in (folder / "tp.json", tmp_path / "info.json", folder / "train"):
        assert main([str(source), "--title", "t", "-o", str(tmp_path / "r.html")]) == 0
        pages.append((tmp_path / "r.html").read_text())
    assert pages[0] == pages[1] == pages[2]


def test_a_plan_without_a_machine_has_no_times(folder, tmp_path):
    values = json.loads((folder / "tp.json").read_text())
    values["predicted"] = {}
    for entry in values["collectives"]:
        del entry["seconds"]
    (tmp_path / "p.json").write_text(json.dumps(values))
    page = report(tmp_path / "p.json", tmp_path=tmp_path)
    assert "compile with --machine" in page.first("section", id="step").text
    assert not page.all(data_seconds=True)
    footer = page.first("section", id="collectives").first("tfoot")
    assert footer.first("th").text == "All functions"
    assert footer.all("td")[2].text == f"{len(values['collectives']):,}"


def test_a_prediction_of_nothing_is_a_page(folder, tmp_path):
    values = json.loads((folder / "tp.json").read_text())
    values["predicted"].update(seconds=0, parts=[], functions={})
    (tmp_path / "p.json").write_text(json.dumps(values))
    page = report(tmp_path / "p.json", tmp_path=tmp_path)
    assert tile(page, "Predicted step")[0] == "0\u00a0s"
