# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The report: its numbers are those of real plans and logs, and nothing else gets in."""

import copy
import json
import math
import os
import pathlib
import random
import re
import shlex
import subprocess
import sys

import pytest
import report_page
from report_page import number, rows, tile

import boost_mlir
from boost_mlir.report import units
from boost_mlir.report.__main__ import main

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("BOOST_BUILD_DIR", ROOT / "build"))
STEPS = 120
OPTIONS = {
    "ranks": ["--ranks=2"],
    "tp": ["--mesh=tp=2"],
    "given": ["--mesh=tp=2", "--placement=bottleneck"],
    "accumulate": ["--mesh=tp=2", "--accumulate=3"],
    "many": ["--mesh=tp=2", "--accumulate=12"],
    "bf16": ["--mesh=tp=2", "--precision=bf16", "--remat=low-rank", "--machine=a100-80gb"],
    "dp-tp": ["--mesh=dp=2,tp=2", "--zero=1"],
    "one": [],
}


def environment():
    return os.environ | {
        "PATH": f"{BUILD / 'bin'}:{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT / "python"),
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
        "OMPI_ALLOW_RUN_AS_ROOT": "1",
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    }


def run(*command, cwd=None):
    result = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=environment(),
        timeout=600,
    )
    assert result.returncode == 0, f"{command}\n{result.stdout}\n{result.stderr}"
    return result.stdout


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """A model, plans of it for `OPTIONS`, and a program for tp=2 that has trained."""
    path = tmp_path_factory.mktemp("report")
    size = ["--size=tiny", "--layers=3", "--vocab=256", "--batch=4", "--seq=16"]
    run(sys.executable, "-m", "boost_mlir.export", "--model=cola", *size, "-o", path / "m.mlir")
    for name, options in OPTIONS.items():
        plan = path / f"{name}.json"
        run("boost-compile", path / "m.mlir", *options, "--emit=plan", "-o", plan)
    run("boost-compile", path / "m.mlir", *OPTIONS["tp"], "-o", path / "train")
    (path / "text").write_text("to be, or not to be, that is the question: " * 200)
    data = path / "tokens.bin"
    run(sys.executable, "-m", "boost_mlir.data", "--input", path / "text", "-o", data)
    log = ["--steps", STEPS, "--lr=3e-3", "--warmup=10", "--log", path / "log.jsonl"]
    log += ["--val-data", data, "--val-every", 40, "--val-batches", 2]
    launch = ["mpirun", "-np", 2, "--oversubscribe", path / "train"]
    run(*launch, "train", "--data", data, *log)
    return path


@pytest.fixture(params=OPTIONS)
def plan(folder, request):
    """A plan of a real model, as the compiler wrote it, with its file."""
    path = folder / f"{request.param}.json"
    return path, json.loads(path.read_text())


def report(*arguments, tmp_path):
    """The page of these files, parsed."""
    out = tmp_path / "report.html"
    assert main([*map(str, arguments), "-o", str(out)]) == 0
    return report_page.parse(out.read_text())


def added(elements, attribute="data-seconds"):
    return math.fsum(float(element.attributes[attribute]) for element in elements)


def percent(element, attribute):
    return float(element.attributes[attribute].removesuffix("%")) / 100


# The step


@pytest.mark.parametrize("lane", ["part", "pass", "class"])
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
    passes = [element.attributes["data-pass"] for element in page.all(data_pass=True)]
    assert passes == ["forward", "backward"] * 3 + ["optimizer"]


def test_passes_are_differences_of_functions(folder, tmp_path):
    functions = json.loads((folder / "tp.json").read_text())["predicted"]["functions"]
    page = report(folder / "tp.json", tmp_path=tmp_path)
    seconds = [functions[name]["seconds"] for name in ("loss", "gradient", "step")]
    wanted = [seconds[0], seconds[1] - seconds[0], seconds[2] - seconds[1]]
    found = [float(element.attributes["data-seconds"]) for element in page.all(data_pass=True)]
    assert found == pytest.approx(wanted, rel=1e-9)


def test_a_function_that_does_less_than_a_part_of_it_is_not_divided(folder, tmp_path):
    """The loss alone may be made in another way than within the step."""
    values = json.loads((folder / "tp.json").read_text())
    loss = values["predicted"]["functions"]["loss"]
    contraction = loss["classes"]["contraction"]
    loss["seconds"] += 1.0
    contraction["seconds"] += 1.0
    (tmp_path / "p.json").write_text(json.dumps(values))
    page = report(tmp_path / "p.json", tmp_path=tmp_path)
    assert [element.attributes["data-pass"] for element in page.all(data_pass=True)] == ["step"]


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


# Training


def polyline(page, name, style):
    """The points of the paths of a class in a chart, path by path."""
    chart = page.first("svg", aria_label=name)
    paths = [path for path in chart.all("path") if style in path.classes]
    return [
        [tuple(map(float, point.split())) for point in path.attributes["d"][1:].split("L")]
        for path in paths
    ]


def test_the_curves_are_the_log(folder, tmp_path):
    log = boost_mlir.read_log(folder / "log.jsonl")
    assert len(log) == STEPS
    page = report(folder / "tp.json", folder / "log.jsonl", tmp_path=tmp_path)
    for name, style, key in (
        ("Loss", "stroke-loss-pale", "loss"),
        ("Gradient norm", "stroke-norm", "grad_norm"),
        ("Time of a step", "stroke-time", "seconds"),
        ("Learning rate", "stroke-rate", "lr"),
    ):
        (points,) = polyline(page, name, style)
        across = [1000 * i / (STEPS - 1) for i in range(STEPS)]
        assert [x for x, _ in points] == pytest.approx(across, abs=0.01)
        headings = [heading.text for heading in page.first("section", id="training").all("h3")]
        logarithmic = name not in headings
        assert logarithmic == (f"{name} (logarithmic)" in headings)
        values = [math.log(record[key]) if logarithmic else record[key] for record in log]
        low, high = values.index(min(values)), values.index(max(values))
        scale = (points[low][1] - points[high][1]) / (values[high] - values[low])
        assert scale > 0
        drawn = [values[high] + (points[high][1] - y) / scale for _, y in points]
        assert drawn == pytest.approx(values, abs=0.02 / scale)
    tooltips = [s.tooltip for s in page.first("svg", aria_label="Loss").all("rect", class_="hover")]
    shown = [number(text.split(": ")[1].split(", ")[0]) for text in tooltips]
    assert shown == pytest.approx([record["loss"] for record in log], rel=5e-4)
    (validation,) = polyline(page, "Loss", "stroke-validation")
    steps = [record["step"] for record in log if "val_loss" in record]
    assert steps == [40, 80, 120]
    places = [1000 * (step - 1) / (STEPS - 1) for step in steps]
    assert [x for x, _ in validation] == pytest.approx(places, abs=0.01)
    assert f"validation{log[-1]['val_loss']:.3f}" in page.first("section", id="training").text
    seconds = sorted(record["seconds"] for record in log)
    median = (seconds[STEPS // 2 - 1] + seconds[STEPS // 2]) / 2
    assert number(tile(page, "Measured step")[0]) == pytest.approx(median, rel=5e-3)
    assert number(tile(page, f"Loss in step {STEPS}")[0]) == pytest.approx(
        log[-1]["loss"], rel=5e-4
    )


def test_the_mean_of_the_loss_is_one(folder, tmp_path):
    losses = [1.0 + (i % 7) for i in range(120)]
    steps = [{"step": i + 1, "loss": loss} for i, loss in enumerate(losses)]
    page = report(folder / "tp.json", write_log(tmp_path, steps), tmp_path=tmp_path)
    assert "mean of 3 steps" in page.first("section", id="training").text
    (points,) = polyline(page, "Loss", "stroke-loss-pale")
    (means,) = polyline(page, "Loss", "stroke-loss")
    unit = points[0][1] - points[1][1]
    drawn = {round(x / 1000 * 119): 1 + (points[0][1] - y) / unit for x, y in means}
    wanted = {i: sum(losses[i - 1 : i + 2]) / 3 for i in range(1, 119)}
    assert drawn == pytest.approx(wanted, abs=0.02 / unit)


def test_what_was_sent_is_held_to_the_plan(folder, tmp_path):
    def text(plan):
        page = report(plan, folder / "log.jsonl", tmp_path=tmp_path)
        return page.first("section", id="training").text

    assert "into collectives, as planned." in text(folder / "tp.json")
    assert "is the log of another program?" in text(folder / "accumulate.json")


def test_values_that_span_decades_are_on_a_logarithmic_scale(folder, tmp_path):
    steps = [{"step": i + 1, "loss": 1.0, "grad_norm": 10.0 ** (i % 4)} for i in range(40)]
    page = report(folder / "tp.json", write_log(tmp_path, steps), tmp_path=tmp_path)
    (points,) = polyline(page, "Gradient norm", "stroke-norm")
    heights = [points[0][1] - y for _, y in points]
    decade = heights[1]
    assert decade > 30
    assert heights == pytest.approx([decade * (i % 4) for i in range(40)], abs=0.05)
    assert "Gradient norm (logarithmic)" in page.first("section", id="training").text


def write_log(tmp_path, records, end="\n"):
    path = tmp_path / "log.jsonl"
    path.write_text("\n".join(map(json.dumps, records)) + end)
    return path


def records(count, **fields):
    return [{"step": i + 1, "loss": 5.0 - 0.01 * i, "seconds": 0.1} | fields for i in range(count)]


@pytest.mark.parametrize("value", ["null", "NaN", "Infinity", "-Infinity", '"x"', "1" + "0" * 400])
def test_a_loss_that_is_no_number_is_a_gap(folder, tmp_path, capsys, value):
    lines = [json.dumps(record) for record in records(20)]
    lines[9] = f'{{"step": 10, "loss": {value}, "seconds": 0.1}}'
    (tmp_path / "log.jsonl").write_text("\n".join(lines) + "\n")
    page = report(folder / "tp.json", tmp_path / "log.jsonl", tmp_path=tmp_path)
    assert [len(path) for path in polyline(page, "Loss", "stroke-loss")] == [9, 10]
    training = page.first("section", id="training")
    assert "the loss is no finite number in steps: 10" in training.text
    assert "the loss is no finite number in steps: 10" in capsys.readouterr().err
    values = [
        value for element in page.first("main").all() for value in element.attributes.values()
    ]
    assert not [value for value in values if re.search("nan|inf", value, re.IGNORECASE)]


def test_a_missing_step_is_a_gap_and_a_lone_one_a_point(folder, tmp_path):
    kept = [record for record in records(20) if record["step"] not in (8, 10)]
    page = report(folder / "tp.json", write_log(tmp_path, kept), tmp_path=tmp_path)
    assert [len(path) for path in polyline(page, "Loss", "stroke-loss")] == [7, 10]
    (circle,) = page.first("svg", aria_label="Loss").all("circle")
    assert percent(circle, "cx") == pytest.approx(8 / 19, abs=1e-5)


def test_steps_that_are_logged_now_and_then_are_one_curve(folder, tmp_path):
    kept = [record for record in records(200) if record["step"] % 10 == 0]
    page = report(folder / "tp.json", write_log(tmp_path, kept), tmp_path=tmp_path)
    assert [len(path) for path in polyline(page, "Loss", "stroke-loss")] == [20]


def test_a_prediction_of_nothing_is_a_page(folder, tmp_path):
    values = json.loads((folder / "tp.json").read_text())
    values["predicted"].update(seconds=0, parts=[], functions={})
    (tmp_path / "p.json").write_text(json.dumps(values))
    page = report(tmp_path / "p.json", tmp_path=tmp_path)
    assert tile(page, "Predicted step")[0] == "0\u00a0s"


def test_nothing_but_losses_that_are_no_numbers(folder, tmp_path):
    log = write_log(tmp_path, [{"step": i, "loss": None} for i in range(1, 5)])
    page = report(folder / "tp.json", log, tmp_path=tmp_path)
    assert not page.all("svg", aria_label="Loss")
    assert "no finite number in steps: 1, 2, 3 and 1 more" in page.first(id="training").text


def test_an_unfinished_last_line_is_left_out(folder, tmp_path, capsys):
    log = write_log(tmp_path, records(5), end='\n{"step": 6, "lo')
    page = report(folder / "tp.json", log, tmp_path=tmp_path)
    assert tile(page, "Steps") == ["5", "1 to 5"]
    assert "the last line of the log is incomplete" in capsys.readouterr().err


def test_damaged_lines_are_left_out_and_named(folder, tmp_path, capsys):
    lines = [json.dumps(record) for record in records(12)]
    lines[2], lines[5], lines[7], lines[8] = "garbage", "[1]", '{"a": 1}', "\udcff"
    data = "\n".join(lines).encode("utf-8", "surrogateescape") + b"\n"
    (tmp_path / "log.jsonl").write_bytes(data)
    page = report(folder / "tp.json", tmp_path / "log.jsonl", tmp_path=tmp_path)
    assert tile(page, "Steps")[0] == "8"
    assert "that are no steps are left out: 3, 6, 8 and 1 more" in capsys.readouterr().err


def test_a_run_that_goes_back_counts_from_there(folder, tmp_path):
    log = write_log(tmp_path, [*records(10), *records(7, loss=1.5)[4:]])
    page = report(folder / "tp.json", log, tmp_path=tmp_path)
    assert tile(page, "Steps") == ["7", "1 to 7"]
    assert tile(page, "Loss in step 7")[0] == "1.500"
    assert "goes back to an earlier step" in page.first(id="training").text


def test_validation_losses_have_a_curve(folder, tmp_path):
    steps = records(40)
    for record in steps[9::10]:
        record["val_loss"] = record["loss"] + 0.1
    page = report(folder / "tp.json", write_log(tmp_path, steps), tmp_path=tmp_path)
    (points,) = polyline(page, "Loss", "stroke-validation")
    assert [x for x, _ in points] == pytest.approx(
        [1000 * i / 39 for i in (9, 19, 29, 39)], abs=0.01
    )
    chart = page.first("svg", aria_label="Loss")
    assert len([c for c in chart.all("circle") if "fill-validation" in c.classes]) == 4


@pytest.mark.parametrize("content", ["", "\n\n"])
def test_an_empty_log_is_said_and_the_plan_still_shown(folder, tmp_path, capsys, content):
    (tmp_path / "log.jsonl").write_text(content)
    page = report(folder / "tp.json", tmp_path / "log.jsonl", tmp_path=tmp_path)
    assert "the log has no step yet" in page.first("section", id="training").text
    assert "the log has no step yet" in capsys.readouterr().err
    assert page.all(data_part=True)


def test_a_long_log_makes_a_small_page_and_keeps_its_peaks(folder, tmp_path):
    steps = [{"step": i, "loss": 3 + 0.1 * math.sin(i), "grad_norm": 1.0} for i in range(1, 50001)]
    steps[31234]["loss"] = 9.0
    page = report(folder / "tp.json", write_log(tmp_path, steps), tmp_path=tmp_path)
    assert (tmp_path / "report.html").stat().st_size < 600_000
    (points,) = polyline(page, "Loss", "stroke-loss-pale")
    x, _ = min(points, key=lambda point: point[1])
    assert x == pytest.approx(1000 * 31234 / 49999, abs=0.01)


@pytest.mark.parametrize(
    "content",
    [
        b"step,loss\n1,5.0\n2,4.0\n",
        b'{"iteration": 1, "train_loss": 5.0}\n',
        b'{"step": "1", "loss": 5.0}\n{"step": -1, "loss": 5.0}\n{"step": true, "loss": 5.0}\n',
        b'[{"step": 1, "loss": 5.0}]',
        b"\x89PNG\r\n\x1a\n\x00\xff",
        b"[" * 100_000 + b"\n",
    ],
)
def test_a_log_of_another_format_is_refused(folder, tmp_path, capsys, content):
    (tmp_path / "log.jsonl").write_bytes(content)
    out = tmp_path / "r.html"
    assert main([str(folder / "tp.json"), str(tmp_path / "log.jsonl"), "-o", str(out)]) == 3
    error = capsys.readouterr().err
    assert "log.jsonl: expects a log of train --log" in error and "--log was given" in error
    assert not out.exists()


# What is refused


def refuse(tmp_path, capsys, *arguments):
    """The message with which the command ends, and no page."""
    out = tmp_path / "never.html"
    assert main([*map(str, arguments), "-o", str(out)]) == 3
    assert not list(tmp_path.glob("never*"))
    error = capsys.readouterr().err
    assert error.startswith("error: ") and error.count("\n") == 1
    return error


@pytest.mark.parametrize(
    "content, message",
    [
        (b"", "expects a plan in JSON, but this is an empty file"),
        (b"plan", "expects a plan in JSON, but this is none"),
        (b'{"mesh": {"tp": 2}', "expects a plan in JSON, but this is none"),
        (b"\xff\xfe{\x00}\x00", "expects a plan in JSON, but this is none"),
        (b"[" * 100_000, "expects a plan in JSON, but this is none"),
        (b"[1]", "expects an object, but got [1]"),
        (b"{}", "expects an object with 'predicted', but got {}"),
        (b'{"plan": 3}', "expects an object at plan, but got 3"),
        (b"\x7fELF nothing", "this program has no plan"),
        (b'\x7fELF{"format":1,"name":"a","plan":{}', "this program has no plan"),
    ],
)
def test_what_is_no_plan_is_refused(tmp_path, capsys, content, message):
    (tmp_path / "plan.json").write_bytes(content)
    error = refuse(tmp_path, capsys, tmp_path / "plan.json")
    assert message in error and "plan.json: " in error and "--emit=plan" in error


DAMAGE = [
    (lambda p: p.pop("memory"), "expects an object with 'memory'"),
    (lambda p: p["memory"].update(peak=-1), "an integer of at least 0 at memory.peak, but got -1"),
    (lambda p: p["memory"].update(kept=1.5), "integer of at least 0 at memory.kept, but got 1.5"),
    (lambda p: p["memory"].update(kept=10**9), "the sum of its categories"),
    (lambda p: p["memory"]["largest"].append(3), "an object at memory.largest["),
    (lambda p: p["mesh"].update(tp=0), "an integer of at least 1 at mesh.tp, but got 0"),
    (lambda p: p["layers"].append(None), "at layers[3], but got null"),
    (lambda p: p.update(collectives={}), "a list at collectives, but got {}"),
    (lambda p: p["collectives"][1].pop("name"), "an object with 'name' at collectives[1]"),
    (lambda p: p["collectives"][0].update(phase=1), "a string at collectives[0].phase, but got 1"),
    (lambda p: p["predicted"].update(seconds="long"), 'at predicted.seconds, but got "long"'),
    (lambda p: p["predicted"].update(seconds=2.0), "expects the sum of its parts, "),
    (lambda p: p["choice"].update(memory_limit=math.inf), "a number from 0 to 1e100 at choice.me"),
    (lambda p: p["choice"].update(memory_limit=10**400), "a number from 0 to 1e100 at choice.me"),
    (lambda p: p["predicted"].update(seconds=math.nan), "predicted.seconds, but got NaN"),
    (
        lambda p: p["predicted"]["functions"]["step"]["classes"]["memory"].update(seconds=9.0),
        "expects the sum of its classes, ",
    ),
    (
        lambda p: p["predicted"]["parts"][0].update(count=2),
        "expects the sum of 2 calls of 'step', ",
    ),
    (
        lambda p: p["predicted"]["parts"][0].update(function="fly"),
        'expects one of the functions that are predicted at predicted.parts[0].function, but got "fly"',
    ),
    (lambda p: p["choice"].update(chosen=99), "the position of one of "),
    (lambda p: p["choice"]["candidates"][0].update(fits=1), "expects true or false at choice.c"),
    (lambda p: p["choice"].update(because="x" * 999, chosen="x" * 999), "x..."),
]


@pytest.mark.parametrize("damage, message", DAMAGE, ids=range(len(DAMAGE)))
def test_a_damaged_plan_is_refused_where_it_is_damaged(folder, tmp_path, capsys, damage, message):
    values = json.loads((folder / "tp.json").read_text())
    damage(values)
    (tmp_path / "plan.json").write_text(json.dumps(values))
    error = refuse(tmp_path, capsys, tmp_path / "plan.json")
    assert message in error and "write the plan anew with boost-compile --emit=plan" in error


def leaves(value, path=()):
    """The ways to all values in a document."""
    yield path
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, child in items:
        yield from leaves(child, (*path, key))


HOSTILE = [
    None,
    True,
    -1,
    0,
    1.5,
    1e308,
    1e99,
    1e-320,
    10**30,
    "",
    "<b>",
    "\ud800",
    [],
    {},
    [[]],
    {"seconds": 1},
]


def test_no_damage_ends_in_a_traceback(folder, tmp_path, capsys):
    """Of 600 plans with a value that is wrong or odd, each is refused or makes a page."""
    values = json.loads((folder / "ranks.json").read_text())
    paths = [path for path in leaves(values) if path]
    choose = random.Random(20261123)
    codes = []
    for _ in range(600):
        damaged = copy.deepcopy(values)
        *way, last = choose.choice(paths)
        place = damaged
        for key in way:
            place = place[key]
        place[last] = choose.choice(HOSTILE)
        (tmp_path / "p.json").write_text(json.dumps(damaged))
        codes.append(main([str(tmp_path / "p.json"), "-o", str(tmp_path / "r.html")]))
        if codes[-1] == 0:
            report_page.parse((tmp_path / "r.html").read_text())
    assert set(codes) == {0, 3}


def test_no_log_ends_in_a_traceback(folder, tmp_path, capsys):
    """Of 200 logs with wrong and odd values, each makes a page."""
    choose = random.Random(20261123)
    names = ("loss", "val_loss", "grad_norm", "lr", "seconds", "tokens", "bytes")
    for _ in range(200):
        odd = [*HOSTILE, -1e99, 2**62, -0.0, {"all_reduce": choose.choice(HOSTILE)}]
        steps, step = [], 0
        for _ in range(choose.choice([1, 2, 5, 130])):
            step += choose.choice([1, 1, 1, 1, 2, -1, 2**50])
            values = {name: choose.choice(odd) for name in names if choose.random() < 0.5}
            steps.append({"step": max(step, 0), "loss": choose.uniform(1, 5)} | values)
        page = report(folder / "tp.json", write_log(tmp_path, steps), tmp_path=tmp_path)
        places = [str(element.attributes) for element in page.first("main").all()]
        assert not [place for place in places if re.search(r"\b(nan|inf)\b", place)]


def test_a_value_that_is_nested_too_deeply_is_refused(tmp_path, capsys):
    for depth in range(100, 1000, 25):
        nested = "[" * depth + "]" * depth
        (tmp_path / "p.json").write_text(f'{{"predicted": {nested}}}')
        assert "p.json" in refuse(tmp_path, capsys, tmp_path / "p.json")


def test_files_that_cannot_be_used_are_named(folder, tmp_path, capsys):
    assert "none.json" in refuse(tmp_path, capsys, tmp_path / "none.json")
    assert "none.jsonl" in refuse(tmp_path, capsys, folder / "tp.json", tmp_path / "none.jsonl")
    assert str(tmp_path) in refuse(tmp_path, capsys, tmp_path)
    assert main([str(folder / "tp.json"), "-o", str(tmp_path / "no" / "r.html")]) == 3
    assert "no/r.html" in capsys.readouterr().err


def test_an_input_is_not_overwritten(folder, tmp_path, capsys):
    plan = tmp_path / "plan.json"
    plan.write_bytes((folder / "tp.json").read_bytes())
    assert main([str(plan), "-o", str(tmp_path / "." / "plan.json")]) == 2
    assert "is an input; give the page another name" in capsys.readouterr().err
    assert plan.read_bytes() == (folder / "tp.json").read_bytes()


# Names from elsewhere

ATTACK = "</code></style><script>alert(1)</script>\"'><img src=x onerror=alert(1)>&amp;\x00\u202e"


def attack(value, key=None):
    """The value with every string in it, and every name of a mesh axis or function, an attack."""
    if isinstance(value, dict):
        open_names = key in ("mesh", "functions")
        return {
            (name + ATTACK if open_names else name): attack(child, name)
            for name, child in value.items()
        }
    if isinstance(value, list):
        return [attack(child, key) for child in value]
    return value + ATTACK if isinstance(value, str) else value


@pytest.mark.parametrize("name", ["ranks", "accumulate"])
def test_names_are_escaped_wherever_they_go(folder, tmp_path, name):
    """The parser asserts that no element or attribute can load or run anything."""
    values = json.loads((folder / f"{name}.json").read_text())
    values["choice"]["candidates"][0].update(problem="")
    (tmp_path / "p.json").write_text(json.dumps(attack(values)))
    page = report(tmp_path / "p.json", "--title", ATTACK, tmp_path=tmp_path)
    shown = ATTACK.replace("\x00", "\ufffd")
    assert page.first("h1").text == shown
    wanted = [
        e["name"] + shown
        for e in values["collectives"]
        if e["function"] in ("step", "accumulate", "update")
    ]
    strip = page.all("rect", data_collective=True)
    assert [bar.attributes["data-collective"] for bar in strip] == wanted
    options = rows(page.first("section", id="placements").first("table"))
    assert [row[0] for row in options] == [
        c["options"] + shown for c in values["choice"]["candidates"]
    ]
    plain = report(folder / f"{name}.json", tmp_path=tmp_path)
    assert {element.tag for element in page.all()} == {element.tag for element in plain.all()}


def test_the_page_forbids_what_it_does_not_need(folder, tmp_path):
    page = report(folder / "tp.json", folder / "log.jsonl", tmp_path=tmp_path)
    policy = page.first("meta", http_equiv=True).attributes["content"]
    assert policy == "default-src 'none'; style-src 'unsafe-inline'"
    text = (tmp_path / "report.html").read_text()
    assert "://" not in text
    assert (
        page.first("meta", name="viewport").attributes["content"].startswith("width=device-width")
    )
    assert "prefers-color-scheme: dark" in page.first("style").text


def test_every_colour_that_is_used_is_defined(folder, tmp_path):
    pages = [
        report(folder / f"{name}.json", folder / "log.jsonl", tmp_path=tmp_path) for name in OPTIONS
    ]
    style = pages[0].first("style").text
    defined = set()
    for selectors, rules in re.findall(r"([^{}]+)\{([^{}]*)\}", style):
        for kind, name in re.findall(r"\.(fill|stroke|on)(-[\w-]+)", selectors):
            wanted = "stroke: " if kind == "stroke" else "fill: "
            defined |= {kind + name} if rules.strip().startswith(wanted) else set()
    used = {name for page in pages for element in page.all(class_=True) for name in element.classes}
    colors = {name for name in used if re.match("(fill|stroke|on)-", name)}
    assert colors and colors <= defined


# Numbers


@pytest.mark.parametrize(
    "text, wanted",
    [
        (units.seconds(0.99949), "999 ms"),
        (units.seconds(0.9996), "1.00 s"),
        (units.seconds(1.5e-4), "150 µs"),
        (units.seconds(123.4), "123 s"),
        (units.seconds(0.5e-3, like=2.0), "0.000500 s"),
        (units.data_size(999), "999 B"),
        (units.data_size(999_600), "1.00 MB"),
        (units.data_size(18_660_000_000), "18.7 GB"),
        (units.trim("20.0 GB"), "20 GB"),
        (units.trim("1.50 ms"), "1.5 ms"),
        (units.trim("100 ms"), "100 ms"),
        (units.trim("10.0"), "10"),
        (units.trim("0.0100"), "0.01"),
        (units.share(1, 3), "33.3 %"),
        (units.share(0, 0), "0.0 %"),
        (units.significant(-0.012345), "-0.0123"),
        (units.significant(1234567, 4), "1,234,567"),
        (units.significant(1.5e9), "1.50e+09"),
        (units.counted(1, "launch"), "1 launch"),
        (units.counted(1200, "launch"), "1,200 launches"),
    ],
)
def test_numbers_are_written_with_their_units(text, wanted):
    assert text.replace("\u00a0", " ") == wanted


# The command


def test_the_command_needs_the_standard_library_alone(folder, tmp_path):
    """`python -S -I` has no packages."""
    code = (
        f"import sys; sys.path.insert(0, {str(ROOT / 'python')!r}); "
        "from boost_mlir.report.__main__ import main; sys.exit(main(sys.argv[1:]))"
    )
    run(sys.executable, "-I", "-S", "-c", code, folder / "tp.json", "-o", tmp_path / "r.html")
    report_page.parse((tmp_path / "r.html").read_text())


def test_a_pipe_is_written_and_stays(folder):
    """As /dev/stdout is, which root could replace by a file."""
    text = run(
        *(sys.executable, "-m", "boost_mlir.report", folder / "tp.json", "-o", "/dev/stdout")
    )
    report_page.parse(text)
    assert os.path.islink("/dev/stdout")


def test_the_documented_commands_make_the_page(tmp_path):
    document = (ROOT / "docs" / "Report.md").read_text()
    (commands,) = re.findall(r"```sh\n(.*?)```", document, re.S)
    text = tmp_path / "text"
    text.mkdir()
    (text / "a.txt").write_text("to be, or not to be, that is the question: " * 400)
    run("bash", "-euo", "pipefail", "-c", commands, cwd=tmp_path)
    page = report_page.parse((tmp_path / "report.html").read_text())
    assert [link.text for link in page.all("a")] == [
        *("Step", "Memory", "Collectives", "Placements", "Training")
    ]
    steps = shlex.split(commands.replace("\\\n", " "))
    assert tile(page, "Steps")[0] == steps[steps.index("--steps") + 1]
    assert "as planned." in page.first("section", id="training").text


def test_the_screenshots_of_the_docs_are_there_and_small():
    document = (ROOT / "docs" / "Report.md").read_text()
    pictures = [ROOT / "docs" / name for name in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", document)]
    assert len(pictures) == 2
    for picture in pictures:
        data = picture.read_bytes()
        assert data[:8] == b"\x89PNG\r\n\x1a\n" or data[8:12] == b"WEBP"
        assert len(data) < 150_000
