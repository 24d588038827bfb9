# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""benchmarks/ladder.py climbs real plans, on two layers here."""

import sys

import pytest
from harness import REPOSITORY


@pytest.fixture(scope="module")
def ladder(tmp_path_factory):
    sys.path.insert(0, str(REPOSITORY / "benchmarks"))
    import ladder

    return ladder.Ladder(tmp_path_factory.mktemp("ladder"), layers=2, machine="a100-80gb")


@pytest.fixture(scope="module")
def rungs(ladder):
    return ladder.climb()


def test_every_pass_is_a_rung(ladder, rungs):
    """Between the released program and what the compiler makes by default."""
    passes = sys.modules["ladder"].PASSES
    titles = [rung.title for rung in rungs]
    assert all(any(name in title for title in titles) for name in passes)
    assert len(titles) == len(passes) + 5
    assert rungs[0].seconds > rungs[-2].seconds == ladder.planned(ladder.machine)
    assert rungs[-1].seconds == ladder.planned(ladder.machine, placement="searched")


def test_properties_of_the_machine_count(ladder, rungs):
    *_, launched, fused, recorded, found = (rung.seconds for rung in rungs)
    assert launched > fused > recorded > found
    assert all(seconds > found for _, seconds in ladder.vary())
