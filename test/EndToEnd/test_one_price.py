# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The machine file alone decides what is communicated: the cheapest form is chosen."""

import json

import pytest
from harness import run, tool

TOKENS, WIDTH, RANK, RANKS = 512, 1024, 256, 4

# Queries, keys and values of bottlenecks with one fused first factor, of an input that is sharded
# along the hidden dimension. Their latents are read as a whole.
FUSED = f"""
module {{
  shard.grid @mesh(shape = {RANKS}) {{boost.axes = ["tp"]}}
  func.func @loss(
      %x: tensor<{TOKENS}x{WIDTH}xf32> {{boost.sharding = #boost.sharding<{{}}, {{"tp"}}>, boost.tensor = #boost.tensor<batch "x">}},
      %down: tensor<{WIDTH}x{3 * RANK}xf32> {{boost.sharding = #boost.sharding<{{}}, {{}}>, boost.tensor = #boost.tensor<param "down">}})
      -> (tensor<{TOKENS}x{3 * RANK}xf32> {{boost.sharding = #boost.sharding<{{}}, {{}}>, boost.tensor = #boost.tensor<output "latent">}}) {{
    %h = boost.linear %x, %down : (tensor<{TOKENS}x{WIDTH}xf32>, tensor<{WIDTH}x{3 * RANK}xf32>) -> tensor<{TOKENS}x{3 * RANK}xf32>
    %z = stablehlo.tanh %h : tensor<{TOKENS}x{3 * RANK}xf32>
    return %z : tensor<{TOKENS}x{3 * RANK}xf32>
  }}
}}
"""
FLOPS = 1e12


def gathers(tmp_path, bandwidth):
    """Returns True if `x` is gathered on a network of this bandwidth; if not, latents are
    all-reduced."""
    machine = {
        "name": "one-price",
        "source": "No real machine: nothing costs but operations and bytes on the network.",
        "peak_flops": {"f32": FLOPS},
        "memory_bandwidth": 1e30,
        "memory_bytes": 1e18,
        "launch_seconds": 0,
        "links": [{"name": "all", "ranks": 64, "bandwidth": bandwidth, "latency": 0}],
    }
    file, program = tmp_path / "machine.json", tmp_path / "fused.mlir"
    file.write_text(json.dumps(machine))
    program.write_text(FUSED)
    partition = f"--boost-partition=machine={file}"
    text = run(tool("boost-opt"), program, "--boost-propagate-shardings", partition).stdout
    is_gathered, is_reduced = "boost.all_gather" in text, "boost.all_reduce" in text
    assert is_gathered != is_reduced, text
    return is_gathered


def test_the_bandwidth_decides_between_gathering_x_and_reducing_latents(tmp_path):
    """To gather x sends less, and computes all of the product on every rank: at the bandwidth where
    both take the same time, what is chosen changes."""
    share = (RANKS - 1) / RANKS  # of a buffer, that a ring sends
    saved_bytes = share * TOKENS * 4 * (2 * 3 * RANK - WIDTH)
    further_seconds = share * 2 * TOKENS * WIDTH * 3 * RANK / FLOPS
    flip = saved_bytes / further_seconds
    assert gathers(tmp_path, 0.99 * flip)
    assert not gathers(tmp_path, 1.01 * flip)


@pytest.mark.parametrize("factor", [1e-6, 1e6])
def test_far_from_there_nothing_changes_any_more(tmp_path, factor):
    assert gathers(tmp_path, 1e9 * factor) == (factor < 1)
