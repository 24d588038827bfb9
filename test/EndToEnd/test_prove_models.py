# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every pass of the compiler on the models, proven by values (boost-prove)."""

import os

import pytest
from foreign_models import PROGRAMS
from harness import run, tool

from boost_mlir import models
from boost_mlir.export import export, export_model

BATCH, SEQ = 4, 4
SMALL = {"d": 16, "layers": 2, "heads": 4, "d_ff": 24, "vocab": 16}

# Differences from SMALL, the meshes, and further options.
CASES = {
    "grouped-queries": ({"kv_heads": 2}, ("1", "tp=2", "dp=2,tp=2"), ()),
    "four-ranks": ({}, ("tp=4",), ()),
    "unequal-rank": ({"rank": 6, "d_ff": 20}, ("tp=2",), ()),
    "tied": ({"tied": True}, ("tp=2",), ()),
    "scan": ({"scan": True}, ("tp=2",), ()),
    "bf16": ({"dtype": "bf16"}, ("1", "dp=2,tp=2"), ()),
    "accumulate": ({}, ("dp=2,tp=2",), ("--accumulate=2",)),
    "megatron": ({}, ("tp=2",), ("--placement=megatron",)),
    "replicated": ({}, ("dp=2,tp=2",), ("--placement=replicated",)),
    "sharded-state": ({}, ("dp=2,tp=2",), ("--zero=1", "--bucket-bytes=2000")),
    "sharded-state-bf16": ({}, ("dp=2",), ("--zero=1", "--precision=bf16", "--accumulate=2")),
    "sequence": ({}, ("tp=2",), ("--placement=sequence",)),
    "gathered": ({}, ("tp=4",), ("--placement=gathered",)),
    "vocabulary-embedding": ({}, ("dp=2,tp=2",), ("--placement=vocabulary-embedding", "--zero=1")),
    "hidden-head": ({}, ("tp=2",), ("--placement=hidden-head",)),
    "vanilla": ({}, ("tp=4",), ("--placement=vanilla",)),
    "searched": ({}, ("tp=2",), ("--placement=searched",)),
}
# The matrix of test_placements.py.
PLACEMENTS = (
    *("bottleneck", "megatron", "vanilla", "sequence", "gathered"),
    *("vocabulary-embedding", "hidden-head", "replicated", "searched"),
)
if os.environ.get("BOOST_ALL_PLACEMENTS"):
    CASES = {
        f"{name}-zero{zero}": (
            {},
            ("tp=2", "tp=4", "dp=2,tp=2")[2 * zero :],
            (f"--placement={name}", f"--zero={zero}", "--bucket-bytes=2000"),
        )
        for name in PLACEMENTS
        for zero in (0, 1)
    }


@pytest.mark.one_in(6)
@pytest.mark.parametrize("case", CASES)
def test_passes_keep_the_values_of_models(case, tmp_path):
    overrides, meshes, options = CASES[case]
    files = []
    for kind in ("full", "svd", "cola", "lax"):
        config = models.ModelConfig.of_size("tiny", kind, **(SMALL | overrides))
        files.append(tmp_path / f"{kind}.mlir")
        files[-1].write_text(export_model(config, BATCH, SEQ))
    result = run(
        tool("boost-prove"),
        *files,
        *(f"--mesh={mesh}" for mesh in meshes),
        *options,
        f"--save-failures={tmp_path}",
    )
    assert f"{len(files) * len(meshes)} programs" in result.stdout
    assert "0 mismatches, 0 refused" in result.stdout


def test_passes_keep_the_values_of_layer_norms(tmp_path):
    """A GPT whose norms have biases, where the statistics travel with latents."""
    program, file = PROGRAMS["linen_gpt"](), tmp_path / "gpt.mlir"
    file.write_text(export(program.loss, program.params, *program.batch.values()))
    options = ("--mesh=tp=4", "--placement=bottleneck", f"--save-failures={tmp_path}")
    result = run(tool("boost-prove"), file, *options)
    assert "1 programs" in result.stdout
    assert "0 mismatches, 0 refused" in result.stdout
