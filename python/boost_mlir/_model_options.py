# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Options of commands that describe one of `boost_mlir.models` and its batch."""

from __future__ import annotations

import argparse

from . import models

_SIZES = (
    ("layers", "decoder blocks"),
    ("d", "hidden size"),
    ("heads", "attention heads"),
    ("kv-heads", "key and value heads (grouped-query attention)"),
    ("rank", "width of the bottlenecks (d / 4)"),
    ("d-ff", "width of the MLP"),
    ("vocab", "vocabulary"),
)


def positive(text: str) -> int:
    """The type of an option that is a whole number of at least 1."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"must be a whole number of at least 1, but is '{text}'")
    return int(text)


def add_model_options(parser, required=True) -> None:
    """Adds `--model`, `--size`, and what replaces parts of a size."""
    parser.add_argument(
        "--model", required=required, choices=models.KINDS, help="kind of the linears"
    )
    parser.add_argument("--size", default="tiny", type=str.lower, choices=models.SIZES)
    shape = parser.add_argument_group("overrides of the size")
    for flag, what in _SIZES:
        shape.add_argument(f"--{flag}", type=positive, help=what)
    shape.add_argument(
        "--host", choices=("svd", "cola"), default="svd", help="what lax adds its latents to"
    )
    shape.add_argument("--tied", action="store_true", help="the head is the transposed embedding")


def add_batch_options(parser, default_seq: str) -> None:
    """Adds `--batch` and `--seq`, of which `default_seq` tells the default."""
    parser.add_argument(
        "--batch", type=positive, default=4, help="sequences per step, all ranks together"
    )
    parser.add_argument(
        "--seq", type=positive, default=None, help=f"tokens per sequence ({default_seq})"
    )


def model_of(options, **fields) -> models.ModelConfig:
    """The model that the options describe, with further fields of it."""
    names = [flag.replace("-", "_") for flag, _ in _SIZES] + ["host", "tied"]
    given = {name: getattr(options, name) for name in names}
    return models.ModelConfig.of_size(options.size, options.model, **given, **fields)
