# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads a training log (JSONL) and `train info`, prints one JSON object."""

import json
import statistics
import sys

import boost_mlir


def main(log_path, info_path):
    steps = boost_mlir.read_log(log_path)
    with open(info_path) as info:
        program = json.load(info)
    sent = sum(c["bytes"] * c["count"] for c in program["plan"]["collectives"]
               if c["kind"] == "all_reduce" and c["function"] == "step")
    ranks = 1
    for axis in program["mesh"]:
        ranks *= axis["size"]
    print(json.dumps({
        "initial_loss": steps[0]["loss"],
        "final_loss": steps[-1]["loss"],
        "ranks": ranks,
        "tokens_per_second": round(statistics.median(s["tokens_per_second"] for s in steps), 1),
        "all_reduce_bytes_per_step": sent,
    }))


if __name__ == "__main__":
    main(*sys.argv[1:])
