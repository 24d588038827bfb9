# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Labels on colored bars can be read, in light and in dark mode: by the contrast ratio of WCAG 2."""

import re

import pytest
from report_files import ROOT

STYLE = (ROOT / "python/boost_mlir/report/style.css").read_text()
LIGHT, DARK = (
    re.search(pattern, STYLE, re.DOTALL)[1]
    for pattern in (r"^:root {(.*?)}", r"prefers-color-scheme: dark\) {\s*:root {(.*?)}")
)
#: The contrast of text of ordinary size, level AA.
LEAST = 4.5


def rules(prefix) -> dict[str, str]:
    """The fill of every class with this prefix."""
    found = {}
    for selectors, fill in re.findall(r"^((?:svg )?\.[^{}]+) {\s*fill: ([^;]+);\s*}", STYLE, re.MULTILINE):
        found |= {name: fill for name in re.findall(rf"\.{prefix}-([\w-]+)", selectors)}
    return found


def luminance(color) -> float:
    channels = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def test_contrast_of_known_colors():
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", [LIGHT, DARK], ids=["light", "dark"])
def test_labels_can_be_read(scheme):
    variables = dict(re.findall(r"--([\w-]+): (#\w{6})", scheme))

    def color(fill):
        return variables[fill[6:-1]] if fill.startswith("var(--") else fill

    labels, bars = rules("on"), rules("fill")
    assert len(labels) >= 20 and labels.keys() <= bars.keys()
    ratios = {name: contrast(color(label), color(bars[name])) for name, label in labels.items()}
    assert {name: ratio for name, ratio in ratios.items() if ratio < LEAST} == {}
