# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/images/*.svg are what scripts/pictures draws now, say what is so, and need nothing from elsewhere."""

import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from boost_mlir import export
from boost_mlir.report.plan import MEMORY_CATEGORIES, Memory

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("BOOST_BUILD_DIR", ROOT / "build"))
IMAGES = ROOT / "docs" / "images"
PICTURES = ("arena.svg", "bottleneck.svg", "losses.svg", "stages.svg")
LEVELS = ["graph", "spmd", "runtime", "LLVM"]
SVG = "{http://www.w3.org/2000/svg}"

sys.path.insert(0, str(ROOT / "scripts"))
import draw_pictures  # noqa: E402
from pictures import arena  # noqa: E402


def texts(svg) -> list[str]:
    return [element.text for element in svg.iter(f"{SVG}text")]


def test_pictures_are_fresh():
    """All of them twice, so that nothing in them differs from run to run."""
    first, second = draw_pictures.draw_all(), draw_pictures.draw_all()
    assert first == second
    assert tuple(first) == PICTURES == tuple(sorted(path.name for path in IMAGES.glob("*.svg")))
    stale = [name for name, text in first.items() if (IMAGES / name).read_text() != text]
    assert not stale, "remedy: python scripts/draw_pictures.py, and look at what has changed"


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_needs_nothing_else(name):
    text = (IMAGES / name).read_text()
    svg = ET.fromstring(text)
    tags = {element.tag.removeprefix(SVG) for element in svg.iter()}
    assert tags <= {"svg", "title", "desc", "style", "rect", "text", "path"}
    attributes = {attribute for element in svg.iter() for attribute in element.attrib}
    assert not any("href" in attribute or attribute.startswith("on") for attribute in attributes)
    assert not re.search(r"url\(|@import|<!|<\?", text)
    # The only address is the name of SVG.
    assert re.findall(r"https?:[^\"]*", text) == ["http://www.w3.org/2000/svg"]
    assert svg.find(f"{SVG}title").text and svg.find(f"{SVG}desc").text


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_has_colors_for_light_and_dark(name):
    svg = ET.fromstring((IMAGES / name).read_text())
    style = svg.find(f"{SVG}style").text
    light, dark = style.split("@media (prefers-color-scheme: dark)")
    colors = lambda part: dict(re.findall(r"(--[\w-]+): (#\w{6});", part))
    assert colors(light).keys() == colors(dark).keys() == set(re.findall(r"var\((--[\w-]+)\)", style))
    used = {name for element in svg.iter() for name in element.attrib.get("class", "").split()}
    assert used <= set(re.findall(r"\.([\w-]+) ", style))


@pytest.mark.parametrize("name", PICTURES)
def test_nothing_leaves_a_picture(name):
    svg = ET.fromstring((IMAGES / name).read_text())
    width, height = int(svg.get("width")), int(svg.get("height"))
    assert svg.get("viewBox") == f"0 0 {width} {height}"
    for box in svg.iter(f"{SVG}rect"):
        x, y, w, h = (float(box.get(key)) for key in ("x", "y", "width", "height"))
        assert 0 <= x <= x + w <= width and 0 <= y <= y + h <= height
    for path in svg.iter(f"{SVG}path"):
        places = [float(number) for number in re.findall(r"[\d.-]+", path.get("d"))]
        assert 0 <= min(places) and max(places[::2]) <= width and max(places[1::2]) <= height
    for text in svg.iter(f"{SVG}text"):
        # No letter of these fonts is wider than 9 pixels on average.
        length = {"start": (0, 9), "middle": (4.5, 4.5), "end": (9, 0)}[text.get("text-anchor")]
        before, after = (side * len(text.text) for side in length)
        room = 6 if "small" in text.get("class", "") else 9
        assert 0 <= float(text.get("x")) - before * room / 9, text.text
        assert float(text.get("x")) + after * room / 9 <= width, text.text


def test_the_stages_are_those_of_the_page():
    page = (ROOT / "docs/Pipeline.md").read_text()
    stages = re.findall(r"^\| ([a-z]+) \| `boost-[a-z]+-pipeline`", page, re.MULTILINE)
    assert len(stages) == 12
    shown = texts(ET.fromstring((IMAGES / "stages.svg").read_text()))
    assert sorted(text for text in shown if text in stages) == sorted(stages)
    assert [text for text in shown if text in LEVELS] == LEVELS


def test_the_arena_is_to_scale():
    """A memory of which every category is seen."""
    categories = {name: 1_000_000 * (i + 1) for i, name in enumerate(MEMORY_CATEGORIES)}
    peak = sum(categories.values())
    memory = Memory("step", categories, peak, [], 1_000_000, [2_000_000, 3_000_000])
    fewer = Memory("step", categories, peak, [], 1_000_000, [1_000_000, 1_000_000])
    svg = ET.fromstring(arena.draw(memory, fewer, "a command"))
    column = [box for box in svg.iter(f"{SVG}rect") if box.get("x") == str(arena.COLUMN)]
    heights = sorted(float(box.get("height")) for box in column)
    assert len(heights) == len(categories)
    unit = sum(heights) / peak
    assert heights == pytest.approx([unit * size for size in sorted(categories.values())], abs=0.02)
    shown = " ".join(texts(svg)).replace("\u00a0", " ")
    assert "the arena: 55.0 MB" in shown and "3.00 MB kept" in shown and "temporaries, 8.00 MB" in shown
    # The summit is what stays, and all that is kept: 1 + 2 + 3 + 4 and 6 MB.
    kept = next(path for path in svg.iter(f"{SVG}path") if path.get("class") == "kept")
    assert arena.BOTTOM - min(map(float, re.findall(r"[ML] \S+ (\S+)", kept.get("d")))) == pytest.approx(
        unit * 16_000_000, abs=0.02
    )


def per_layer(module, placement, folder):
    """The elements that each layer all-reduces in the forward pass."""
    plan = folder / f"{placement}.json"
    tool = BUILD / "bin" / "boost-compile"
    options = ["--mesh=tp=2", f"--placement={placement}", "--emit=plan", "--quiet", "-o", plan]
    subprocess.run([tool, module, *options], check=True)
    sums = {}
    for each in json.loads(plan.read_text())["collectives"]:
        if each["function"] == "loss" and each["layer"] is not None:
            assert each["kind"] == "all_reduce"
            sums[each["layer"]] = sums.get(each["layer"], 0) + each["elements"] * each["count"]
    return list(sums.values())


def test_the_payloads_are_those_of_plans(tmp_path):
    """The picture of a bottleneck says 7 T r and (5 d + 2 d_ff) T; norms come to the first."""
    width, inner, rank, batch, seq = 64, 192, 16, 2, 8
    module = tmp_path / "m.mlir"
    size = ["--size=tiny", "--layers=3", f"--d={width}", f"--d-ff={inner}", f"--rank={rank}"]
    assert export.main(["--model=cola", *size, f"--batch={batch}", f"--seq={seq}", "-o", str(module)]) == 0
    tokens = batch * seq
    assert per_layer(module, "bottleneck", tmp_path) == 3 * [7 * tokens * rank + 2 * tokens]
    assert per_layer(module, "vanilla", tmp_path) == 3 * [(5 * width + 2 * inner) * tokens]
    shown = texts(ET.fromstring((IMAGES / "bottleneck.svg").read_text()))
    assert {"7 · T · r per block, forward", "(5 · d + 2 · d_ff) · T per block, forward"} <= set(shown)
