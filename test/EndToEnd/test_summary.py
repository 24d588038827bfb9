# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The summary of boost-compile, and the lines of the model that it names."""

import json
import os
import re
import sys

import pytest
from harness import REPOSITORY, run, tool

from boost_mlir.export import export

sys.path.insert(0, str(REPOSITORY / "benchmarks"))
import summaries  # noqa: E402

#: Sizes of the page of summaries; the others are of the size of `cola`.
SHOWN = summaries.TITLES if os.environ.get("BOOST_ALL_SUMMARIES") else ("cola", *summaries.PACKAGES)
UNITS = {"B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}


def lines_of(text):
    """The lines below the first, by their titles."""
    return dict(re.findall(r"^  ([a-z ]+?)  +(\S.*)$", text, re.MULTILINE))


def to_bytes(text):
    number, unit = re.fullmatch(r"([\d.]+) (\w+)", text).groups()
    return float(number) * UNITS[unit]


def emit(kind, *arguments):
    return run(tool("boost-compile"), *arguments, f"--emit={kind}").stdout


@pytest.mark.parametrize(
    "kind, recognized",
    [
        ("full", "15 linears, 2 attentions, 5 RMS norms, 1 embedding, 1 cross entropy"),
        (
            "cola",
            "14 bottlenecks in 8 groups, 1 linear, 2 attentions, 5 RMS norms, 1 embedding, "
            "1 cross entropy",
        ),
    ],
)
def test_the_parts_of_a_model(model, kind, recognized):
    """Two layers with seven linears or bottlenecks each, two norms, and one before the head."""
    summary = emit("summary", model(kind).text_file)
    assert lines_of(summary)["recognized"] == recognized
    assert "as written" not in summary


@pytest.mark.parametrize("mesh", ["tp=2", "dp=2,tp=2"])
def test_numbers_are_those_of_the_plan(model, mesh):
    options = (model("cola").text_file, "--mesh", mesh, "--accumulate", "2")
    lines, plan = lines_of(emit("summary", *options)), json.loads(emit("plan", *options))
    parts = {part["function"]: part["count"] for part in plan["predicted"]["parts"]}
    assert sorted(parts.values()) == [1, 2]
    launches = sum(
        parts[each["function"]] for each in plan["collectives"] if each["function"] in parts
    )
    counted, sent = re.fullmatch(r"(.*) per step; a rank sends (.*)", lines["collectives"]).groups()
    assert sum(map(int, re.findall(r"\d+", counted))) == launches
    bytes_sent = sum(
        count * plan["predicted"]["functions"][name]["classes"]["collective"]["network_bytes"]
        for name, count in parts.items()
        if "collective" in plan["predicted"]["functions"][name]["classes"]
    )
    assert to_bytes(sent) == pytest.approx(bytes_sent, rel=6e-3)
    peak = re.match(r"(.*?) a rank", lines["memory"]).group(1)
    assert to_bytes(peak) == pytest.approx(plan["memory"]["peak"], rel=6e-3)
    total, compute, network = map(float, re.findall(r"([\d.]+) [mu]?s", lines["step"]))
    assert compute + network == pytest.approx(total, abs=2)


def test_one_rank_sends_nothing(model):
    assert lines_of(emit("summary", model("cola").text_file))["collectives"] == "none"


def test_programs_come_with_a_summary_unless_quiet(model, tmp_path):
    options = (tool("boost-compile"), model("cola").text_file, "--mesh=tp=2", "-o", tmp_path / "train")
    said = run(*options).stderr
    assert said.startswith(f"{tmp_path / 'train'}: ")
    assert lines_of(said) == lines_of(emit("summary", options[1], "--mesh=tp=2"))
    assert run(*options, "--quiet").stderr == ""


def test_what_is_not_recognized_and_what_it_costs(tmp_path):
    """A product of two activations that no rule knows, whose result all ranks need."""
    jax, jnp = pytest.importorskip("jax"), pytest.importorskip("jax.numpy")

    def loss(params, tokens, targets):
        x = params["embed"][tokens]
        for name in ("first", "second"):
            x = x + jnp.tanh(x @ params[name])
        mixed = jnp.einsum("bsd,bte->bde", x, x)  # Unknown.
        x = x @ mixed / 64
        logits = x @ params["head"]
        return -jnp.take_along_axis(jax.nn.log_softmax(logits), targets[..., None], -1).mean()

    shape = jax.ShapeDtypeStruct
    params = {
        "embed": shape((64, 32), "float32"),
        "first": shape((32, 32), "float32"),
        "second": shape((32, 32), "float32"),
        "head": shape((32, 64), "float32"),
    }
    ids = shape((4, 16), "int32")
    text = tmp_path / "model.mlir"
    text.write_text(export(loss, params, ids, ids, init="default"))
    lines = lines_of(emit("summary", text))
    source = __file__
    unknown = next(
        number for number, line in enumerate(open(source), 1) if line.rstrip().endswith("# Unknown.")
    )
    assert lines["as written"] == (
        "2 products of matrices that are none of these: "
        f"{source}:{unknown}, {source}:{unknown + 1}"
    )


@pytest.mark.parametrize("name", SHOWN)
def test_the_page_shows_what_is_said_now(name, tmp_path):
    page = (REPOSITORY / "docs/benchmarks/Summaries.md").read_text()
    assert len(re.findall("^## ", page, re.MULTILINE)) == len(summaries.TITLES)
    section = summaries.section(name, tool("boost-compile"), "a100-80gb", tmp_path)
    assert section in page, "remedy: benchmarks/summaries.py > docs/benchmarks/Summaries.md"
