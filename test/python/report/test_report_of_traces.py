# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A report of a trace has what its events add up to, beside what the plan predicts for them."""

import json
from collections import Counter

import pytest
from report_files import added, percent, refuse, report, run
from report_page import number, rows

PIPELINE = ("--mesh=pp=2", "--micro-batches=4", "--pipeline-schedule=1f1b")


@pytest.fixture(scope="module")
def traced(folder, tmp_path_factory):
    """Programs with their traces."""
    path = tmp_path_factory.mktemp("traces")
    for name, options in {"tp": ("--mesh=tp=2",), "pp": PIPELINE}.items():
        run("boost-compile", folder / "m.mlir", *options, "-o", path / name)
        words = ["--steps", 4, "--trace", "2:5", "--trace-file", path / f"{name}.json"]
        launch = ["mpirun", "-np", 2, "--oversubscribe", path / name, "train"]
        run(*launch, "--data", folder / "tokens.bin", *words)
    return path


def events_of(path, category):
    events = json.loads(path.read_text())["traceEvents"]
    return [event for event in events if event.get("cat") == category and event["ph"] == "X"]


@pytest.mark.parametrize("name, share", [("tp", 2), ("pp", 1)])
def test_classes_are_measured_and_predicted(traced, tmp_path, name, share):
    """Means over steps and the ranks of a stage; the stages of a pipeline add up."""
    page = report(traced / name, "--trace", traced / f"{name}.json", tmp_path=tmp_path)
    manifest = traced / name
    plan = json.loads(run(manifest, "info"))["plan"]["predicted"]
    calls = Counter(part["function"] for part in plan["parts"] for _ in range(part["count"]))
    table = {row.attributes["data-measured"]: row for row in page.all("tr", data_measured=True)}
    expected = dict.fromkeys(table, 0.0)
    for function, count in calls.items():
        for kind, cost in plan["functions"][function]["classes"].items():
            expected[kind] += count * cost["seconds"]
    chart = page.first("svg", aria_label="Predicted and measured classes").all("rect", data_class=True)
    planned, measured = chart[: len(chart) // 2], chart[len(chart) // 2 :]
    for segment in planned:
        kind = segment.attributes["data-class"]
        assert float(segment.attributes["data-seconds"]) == pytest.approx(expected[kind], rel=1e-9)
    for segment in measured:
        kind = segment.attributes["data-class"]
        total = sum(event["dur"] for event in events_of(traced / f"{name}.json", kind)) * 1e-6
        seconds = float(segment.attributes["data-seconds"])
        assert seconds == pytest.approx(total / share / 3, rel=1e-9)
        cells = [number(cell.text) for cell in table[kind].all("td")[1:]]
        assert cells[:2] == pytest.approx([expected[kind], seconds], rel=5e-3)
        assert cells[2] == pytest.approx(seconds / expected[kind], rel=5e-3)
    assert ("transfer" in table) == (name == "pp")


def test_lines_that_take_longest(traced, tmp_path):
    page = report(traced / "tp", "--trace", traced / "tp.json", tmp_path=tmp_path)
    section = page.first("section", id="measured")
    names = [row[0] for row in rows(section.all("table")[1])]
    sums = Counter()
    for kind in ("contraction", "attention_forward", "attention_backward", "memory", "collective"):
        for event in events_of(traced / "tp.json", kind):
            sums[event["name"]] += event["dur"]
    assert names == [name for name, _ in sums.most_common(12)]


def test_stages_as_planned_and_as_measured(traced, tmp_path):
    page = report(traced / "pp", "--trace", traced / "pp.json", tmp_path=tmp_path)
    chart = page.first("svg", aria_label="Planned and measured stages")
    assert [text.text for text in chart.all("text", class_="heading")] == [
        f"Stage {stage}, {what}" for stage in (0, 1) for what in ("planned", "measured")
    ]
    timeline = json.loads(run(traced / "pp", "info"))["plan"]["predicted"]["timeline"]
    events = [event for event in events_of(traced / "pp.json", "function") if event["args"]["step"] == 2]
    steps = [event for event in events_of(traced / "pp.json", "step") if event["args"]["step"] == 2]
    origin = min(event["ts"] for event in steps)
    expected = []
    for stage in (0, 1):
        expected += [(call["begin"], call["end"]) for call in timeline[stage]]
        own = [event for event in events if event["pid"] == stage]
        expected += [
            ((event["ts"] - origin) * 1e-6, (event["ts"] - origin + event["dur"]) * 1e-6) for event in own
        ]
    segments = chart.all("rect", data_work=True)
    total = max(end for _, end in expected)
    for segment, (begin, end) in zip(segments, expected, strict=True):
        assert float(segment.attributes["data-begin"]) == pytest.approx(begin, abs=1e-12)
        assert percent(segment, "x") == pytest.approx(begin / total, abs=2e-4)
        assert percent(segment, "width") == pytest.approx((end - begin) / total, abs=2e-4)
    assert added(segments, "data-end") > 0


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda trace: trace.clear(), "expects an object with 'traceEvents'"),
        (lambda trace: trace["traceEvents"].clear(), "expects a trace with a step, but it has none"),
        (lambda trace: trace["traceEvents"].append(3), "expects an object at traceEvents["),
        (lambda trace: trace["traceEvents"][3].update(dur=-1), "expects a number from 0 to 1e100 at traceEvents[3]"),
        (lambda trace: trace["traceEvents"][3].update(args={}), "expects an object with 'stage'"),
        (lambda trace: trace["traceEvents"].pop(7), "calls of class"),
    ],
)
def test_damaged_traces_are_refused(traced, tmp_path, capsys, change, message):
    trace = json.loads((traced / "tp.json").read_text())
    change(trace)
    (tmp_path / "trace.json").write_text(json.dumps(trace))
    error = refuse(tmp_path, capsys, traced / "tp", "--trace", tmp_path / "trace.json")
    assert "trace.json: " in error and message in error and "--trace-file" in error


def test_traces_of_others_are_refused(traced, folder, tmp_path, capsys):
    error = refuse(tmp_path, capsys, traced / "tp", "--trace", traced / "pp.json")
    assert "it has a function 'accumulate_forward_0': this trace is of another program than the plan" in error
    error = refuse(tmp_path, capsys, folder / "one.json", "--trace", traced / "tp.json")
    assert "it has 2 ranks, not the 1 of the mesh" in error
    (tmp_path / "empty").write_text("")
    error = refuse(tmp_path, capsys, folder / "one.json", "--trace", tmp_path / "empty")
    assert "expects a trace of train --trace, but this is no JSON" in error
