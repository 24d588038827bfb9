# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lowered programs that were changed at random: what computes something else is refused.

scripts/runtime_mutations.py makes as many trials as asked for; docs/Testing.md has its figures."""

import sys

import pytest

import harness

sys.path.insert(0, str(harness.REPOSITORY / "scripts"))

import runtime_mutations  # noqa: E402


@pytest.fixture(scope="module")
def subject(tmp_path_factory):
    """One program, because each trial compiles and runs it."""
    return runtime_mutations.Subject("cola", "dp=2,tp=2", tmp_path_factory.mktemp("mutations"))


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", runtime_mutations.KINDS)
def test_what_changes_a_result_is_refused(subject, kind):
    record = subject.trial(kind, seed=1)
    assert record is not None, "no place to change"
    assert record["refused"] or not record["changes"], record


def test_a_program_as_it_is_is_accepted(subject):
    assert subject.compile("--emit=runtime", runtime_mutations.VERIFY).returncode == 0


def test_a_lost_sum_over_ranks_changes_results_and_is_refused(subject):
    """The group of a collective is another one: of every trial of this kind the results change,
    so that the comparison itself is tested."""
    records = [subject.trial("group", seed) for seed in range(2, 5)]
    assert any(record["changes"] for record in records)
    assert all(record["refused"] for record in records)
