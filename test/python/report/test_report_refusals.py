# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that are no plan, and damaged plans: refused with a location, and never a traceback."""

import copy
import json
import math
import os
import random
import re

import pytest
import report_page
from report_files import refuse, report, write_log

from boost_mlir.report.__main__ import main

# BOOST_ALL_REPORTS=1 takes four times as many random plans and logs.
TIMES = 4 if os.environ.get("BOOST_ALL_REPORTS") else 1


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
    """Each of 150 plans with a value that is wrong or odd is refused or makes a page."""
    values = json.loads((folder / "ranks.json").read_text())
    paths = [path for path in leaves(values) if path]
    choose = random.Random(20261123)
    codes = []
    for _ in range(150 * TIMES):
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
    """Each of 50 logs with wrong and odd values makes a page."""
    choose = random.Random(20261123)
    names = ("loss", "val_loss", "grad_norm", "lr", "seconds", "tokens", "bytes")
    for _ in range(50 * TIMES):
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
