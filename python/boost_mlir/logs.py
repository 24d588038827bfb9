# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Logs of `train --log`: a line for each start of the run, with its options, and one for each step."""

from __future__ import annotations

import json

from ._files import open_input


def read_log(path) -> list[dict]:
    """One dictionary per step: `step loss lr grad_norm tokens seconds tokens_per_second bytes`,
    `val_loss` where there is one, and `chosen`, the update that the step called, where the program
    has several."""
    return [line for line in _lines(path) if "step" in line]


def read_configs(path) -> list[dict]:
    """One dictionary per start of the run that has steps in the log, the first being step 1's:
    `config`, the options in effect as `--config` takes them, `first_step`, `program`, its hash, and
    `mesh`."""
    return [line for line in _lines(path) if "config" in line]


def read_algorithms(path) -> list[dict]:
    """How the products of a program for GPUs are computed, in the order in which the run met them:
    `product`, its shape (m x k x n) and types, and cublasLt's numbers of the algorithm, `id tile
    stages split_k reduction workspace_bytes`."""
    return [each for line in _lines(path) for each in line.get("algorithms", ())]


def _lines(path) -> list[dict]:
    with open_input(path) as log:
        return [json.loads(line) for line in log]
