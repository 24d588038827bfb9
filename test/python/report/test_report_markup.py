# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page: names from elsewhere are escaped, nothing is loaded, numbers have their units."""

import json
import re

import pytest
from report_files import OPTIONS, report
from report_page import rows

from boost_mlir.report import units


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


def test_every_color_that_is_used_is_defined(folder, tmp_path):
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
