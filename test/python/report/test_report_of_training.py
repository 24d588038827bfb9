# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A report of a training run has the numbers of its log."""

import json
import math
import re

import pytest
from report_files import STEPS, percent, report, write_log
from report_page import number, tile

import boost_mlir
from boost_mlir.report.__main__ import main


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
    assert "the loss is not finite in steps: 10" in training.text
    assert "the loss is not finite in steps: 10" in capsys.readouterr().err
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


def test_nothing_but_losses_that_are_no_numbers(folder, tmp_path):
    log = write_log(tmp_path, [{"step": i, "loss": None} for i in range(1, 5)])
    page = report(folder / "tp.json", log, tmp_path=tmp_path)
    assert not page.all("svg", aria_label="Loss")
    assert "not finite in steps: 1, 2, 3 and 1 more" in page.first(id="training").text


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


def test_what_a_run_said_of_steps_is_shown(folder, tmp_path, capsys):
    """Jumps and the end of a run that diverged, but not those after the step that a later start goes back to."""
    jump = {"value": 9.0, "steps": 20, "median": 2.0, "deviation": 0.1}
    log = [{"config": {}}, *records(30), {"algorithms": [{"product": "4 x 4 x 4"}]}]
    log.insert(22, {"spike": {"loss": jump, "grad_norm": jump, "at_step": 21, "rows": []}})
    log.insert(26, {"spike": {"loss": jump, "at_step": 24, "rows": []}})
    log += [{"diverged": {"at_step": 30, "rows": []}}, *records(28)[25:]]
    page = report(folder / "tp.json", write_log(tmp_path, log), tmp_path=tmp_path)
    assert tile(page, "Steps") == ["28", "1 to 28"]
    text, printed = page.first(id="training").text, capsys.readouterr().err
    for said in ("the loss jumped in steps: 21, 24", "the gradient norm jumped in steps: 21"):
        assert said in text and said in printed
    assert "diverged" not in text and "no steps" not in text
    page = report(folder / "tp.json", write_log(tmp_path, log[:-3]), tmp_path=tmp_path)
    assert "training diverged in steps: 30" in page.first(id="training").text


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
