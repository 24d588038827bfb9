# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""--explain of a large model fits on two screens."""

import re

import pytest
from harness import run, tool

from boost_mlir import models
from boost_mlir.export import export_model

LINES, COLUMNS = 100, 120
# Arguments of every layer, and their shapes with the axes that shard them.
ROWS = {
    "layers.*.attn.norm": "4096/tp",
    "layers.*.attn.o.down": "4096/tp x 1024",
    "layers.*.attn.o.up": "1024 x 4096/tp",
    "layers.*.attn.{q,k,v}.down": "4096/tp x 3 x 1024",
    "layers.*.attn.{q,k,v}.up": "3 x 1024 x 4096/tp",
    "layers.*.mlp.norm": "4096/tp",
}


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    path = tmp_path_factory.mktemp("explain") / "cola-7b.mlir"
    config = models.ModelConfig.of_size("7b", "cola", dtype="bf16")
    path.write_text(export_model(config, 1, 4096))
    return path


@pytest.mark.one_in(2)
@pytest.mark.parametrize("mesh", ["--mesh=tp=4", "--ranks=8"])
def test_7b_fits_on_two_screens(model, mesh):
    options = ("--machine=h100", "--explain", "--emit=plan", "-o", model.with_suffix(".json"))
    lines = run(tool("boost-compile"), model, mesh, *options).stderr.splitlines()
    assert len(lines) <= LINES
    # Where a model lies on the disk is no matter of the compiler.
    widths = {len(re.sub(r"^/\S+/", "", line)): line for line in lines}
    assert max(widths) <= COLUMNS, widths[max(widths)]
    text = "\n".join(lines)
    for part in ("placements by their predicted step", "placement 'bottleneck' shards 323 of 323"):
        assert part in text
    assert lines.count("each of 32 equal layers:") == 1
    table = [re.split(r"  +", line.strip()) for line in lines]
    shapes = {row[0]: row[1] for row in table if len(row) == 3 and row[1][:1].isdigit()}
    assert ROWS.items() <= shapes.items(), shapes
    assert shapes["embed"] == "32000 x 4096/tp" and shapes["head"] == "4096 x 32000/tp"
    assert "memory of one rank:" in lines and lines[-1].strip().startswith("peak")


def test_a_searched_placement_says_what_else_would_cost(tmp_path):
    """For factors that are gathered where they are read, any dimension may be sharded."""
    path = tmp_path / "cola.mlir"
    config = models.ModelConfig.of_size("7b", "cola", layers=2, dtype="bf16")
    path.write_text(export_model(config, 4, 4096))
    options = ("--mesh=tp=4", "--machine=a100-80gb", "--placement=searched", "--explain")
    text = run(tool("boost-compile"), path, *options, "--emit=graph", "-o", "/dev/null").stderr
    down = re.search(r"layers\.\*\.attn\.o\.down +\S.*  (searched: .*)", text)[1]
    assert down == "searched: {tp}, {}; {}, {tp} would take as long"
    norm = re.search(r"layers\.\*\.attn\.norm +4096 +(searched: .*)", text)[1]
    seconds = re.fullmatch(r"searched: {}; {tp} would add (\S+) s to a step", norm)[1]
    assert float(seconds) > 1e-6
