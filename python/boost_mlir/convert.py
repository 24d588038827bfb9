# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models of Hugging Face to modules for the compiler, and trained parameters back.

    python -m boost_mlir.convert from-hugging-face llama/ --rank 512 --batch 8 --seq 1024 -o llama.mlir
    python -m boost_mlir.convert to-hugging-face run1/ --like llama/ -o trained/
    python -m boost_mlir.convert to-hugging-face run1/ --model cola --size 60m -o trained/
"""

from __future__ import annotations

import argparse
import dataclasses
import math
import sys

import jax
import numpy as np

from . import models
from ._model_options import add_batch_options, add_model_options, model_of, positive
from .export import export
from .huggingface import load, read_config, save
from .huggingface._names import LINEARS, linear_of
from .parameters import load as load_parameters
from .parameters import shapes


class _LayerErrors:
    """Prints the relative errors of the linears of each layer once all of them are factored."""

    def __init__(self):
        self.layer, self.errors = {}, 0.0

    def __call__(self, name, error, norm):
        number, linear = linear_of(name)
        self.layer[linear] = _relative(error, norm)
        if len(self.layer) == len(LINEARS):
            shown = "  ".join(f"{each.split('.')[1]} {self.layer[each]:.2e}" for each in LINEARS)
            print(f"layer {number}: relative error of  {shown}", file=sys.stderr)
            self.layer.clear()


def _relative(error, norm) -> float:
    return math.sqrt(error / norm) if norm else 0.0


def _from_hugging_face(options) -> None:
    model = load(
        options.folder, rank=options.rank, dtype=options.dtype, scan=options.scan, progress=_LayerErrors()
    )
    if model.errors:
        error, norm = map(sum, zip(*model.errors.values()))
        print(f"all layers: relative error {_relative(error, norm):.2e}", file=sys.stderr)
    ids = jax.ShapeDtypeStruct((options.batch, options.seq or 1024), np.int32)
    exported = export(model.loss, model.params, ids, ids, locations=options.locations)
    exported.save(options.output)
    kind = f"factored at rank {options.rank}" if options.rank else "as it is"
    print(
        f"{options.output}: {options.folder} {kind}, {models.parameter_count(model.config):,} parameters",
        file=sys.stderr,
    )


def _to_hugging_face(options) -> None:
    found = shapes(options.parameters)
    stacked = "layers.attn.norm" in found
    if options.like:
        config = _as_stored(read_config(options.like, scan=stacked), found)
    else:
        config = model_of(options, scan=stacked)
    params = load_parameters(options.parameters, like=models.abstract_params(config))
    length = options.seq or 2048
    save(options.output, config, params, like=options.like, dtype=options.dtype, length=length)
    print(
        f"{options.output}: {options.parameters}, {models.parameter_count(config):,} parameters",
        file=sys.stderr,
    )


def _as_stored(config, found) -> models.ModelConfig:
    """A model whose linears were factored after they were read, if parameters say so."""
    prefix = "layers" if config.scan else "layers.0"
    ranks = [
        found[f"{prefix}.{each}.down"][-1] for each in LINEARS if f"{prefix}.{each}.up" in found
    ]
    if config.low_rank or not ranks:
        return config
    return dataclasses.replace(config, kind="svd", rank=max(ranks))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m boost_mlir.convert",
        description="Convert LLaMA-shaped models of Hugging Face, and trained parameters back.",
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    read = commands.add_parser(
        "from-hugging-face", help="write the loss and the weights of a folder for boost-compile"
    )
    read.set_defaults(run=_from_hugging_face)
    read.add_argument("folder", help="with config.json and safetensors")
    read.add_argument("--rank", type=positive, help="factor every linear of the blocks at this rank")
    add_batch_options(read, "1024")
    read.add_argument("--dtype", choices=models.DTYPES, default="f32", help="type of the parameters")
    read.add_argument("--scan", action="store_true", help="layers as lax.scan over stacked parameters")
    read.add_argument(
        "--locations",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="write the source lines that operations come from, for diagnostics",
    )
    read.add_argument("-o", "--output", required=True, metavar="MODULE.mlir")

    write = commands.add_parser(
        "to-hugging-face", help="write parameters of a run as a folder that transformers loads"
    )
    write.set_defaults(run=_to_hugging_face)
    write.add_argument("parameters", help="file of --save, folder of --checkpoint, or a checkpoint")
    write.add_argument("--like", metavar="FOLDER", help="the folder that the model came from")
    add_model_options(write, required=False)
    write.add_argument("--dtype", choices=models.DTYPES, default="f32", help="type of the weights")
    write.add_argument("--seq", type=positive, help="without --like, the longest sequence (2048)")
    write.add_argument("-o", "--output", required=True, metavar="FOLDER", help="new folder")
    return parser


def main(argv=None) -> int:
    parser = _parser()
    options = parser.parse_args(argv)
    if options.run is _to_hugging_face and bool(options.like) == bool(options.model):
        parser.error("to-hugging-face needs either --like or --model")
    try:
        options.run(options)
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 3
    return 0


if __name__ == "__main__":
    sys.exit(main())
