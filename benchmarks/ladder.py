#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Predicts how much each step takes off the time of a 7B CoLA model on four GPUs.

    PYTHONPATH=python .venv/bin/python benchmarks/ladder.py [--layers 32] [--machine a100-80gb]

The first rung is the released program as a list of operations (published_times.py); every other one
is a real plan of this compiler, with one more pass or one more property of the machine. What is not
implemented is listed and counts nothing.
"""

import argparse
import copy
import dataclasses
import json
import os
import pathlib
import subprocess
import tempfile

import published_times

from boost_mlir import models
from boost_mlir.export import export_model

ROOT = pathlib.Path(__file__).resolve().parents[1]
BATCH, SEQUENCE, MESH = 4, 4096, "tp=4"
# Passes that can be left out, in the order in which the ladder takes them in.
PASSES = {
    "boost-online-rms-norm": "norms applied after the product",
    "boost-group-linears": "grouped products",
    "boost-simplify-collectives": "simpler collectives",
    "boost-merge-collectives": "merged collectives",
}
# The section `eager` of the machine has these fields in place of those of a compiled program.
FUSED, RECORDED = ("memory_efficiency",), ("launch_seconds", "latency")
NOT_IMPLEMENTED = [
    "all-reduces of the backward pass beside products of weight gradients",
    "the forward pass in two half-batches, one communicating while the other computes",
]
SENSITIVITIES = {
    "memory 10 % slower": [(("memory_efficiency",), 0.9)],
    "products 10 % slower": [(("contraction", "efficiency"), 0.9)],
    "links 20 % slower": [(("links", level, "bandwidth"), 0.8) for level in range(3)],
    "latency of collectives doubled": [(("links", level, "latency"), 2) for level in range(3)],
}


@dataclasses.dataclass
class Rung:
    title: str
    seconds: float


def with_eager(machine, fields):
    """The machine with some of what a framework reaches."""
    changed = copy.deepcopy(machine)
    for field in fields:
        value = machine["eager"][field]
        if field == "latency":
            for link in changed["links"]:
                link["latency"] = value
        else:
            changed[field] = value
    return changed


class Ladder:
    """Plans of one model, priced on variants of one machine."""

    def __init__(self, folder, layers, machine):
        self.folder = folder
        self.machine = json.loads((ROOT / "machines" / f"{machine}.json").read_text())
        self.module = folder / "model.mlir"
        config = models.ModelConfig.of_size("7b", "cola", layers=layers, dtype="bf16")
        self.module.write_text(export_model(config, BATCH, SEQUENCE))
        self.layers = layers

    def write(self, machine):
        path = self.folder / "machine.json"
        path.write_text(json.dumps(machine))
        return path

    def released(self):
        description = published_times.read_programs()
        description["models"]["7b"]["layers"] = self.layers
        operations = published_times.operations(description, "7b", "boost")
        path = self.write(self.machine)
        return published_times.price(operations, path)["seconds"]

    def planned(self, machine, *options, placement="bottleneck"):
        build = pathlib.Path(os.environ.get("BOOST_BUILD_DIR", ROOT / "build"))
        command = [build / "bin" / "boost-compile", self.module, f"--mesh={MESH}", "--emit=plan"]
        command += [*options, f"--placement={placement}", f"--machine={self.write(machine)}"]
        result = subprocess.run(command, check=True, capture_output=True, text=True)
        return json.loads(result.stdout)["predicted"]["seconds"]

    def climb(self):
        """The rungs, from the slowest."""
        rungs = [Rung("the released program", self.released())]
        eager = with_eager(self.machine, FUSED + RECORDED)
        off = dict(PASSES)
        title = "this compiler's kernels, all of these passes left out"
        while True:
            options = [f"--disable-pass={name}" for name in off]
            rungs.append(Rung(title, self.planned(eager, *options)))
            if not off:
                break
            name = next(iter(off))
            title = f"{off.pop(name)} (`{name}`)"
        launched = self.planned(with_eager(self.machine, RECORDED))
        rungs.append(Rung("fused kernels at their share of the bandwidth", launched))
        rungs.append(Rung("a recorded graph in place of launches", self.planned(self.machine)))
        found = self.planned(self.machine, placement="searched")
        rungs.append(Rung("the placement that a search finds (`--placement=searched`)", found))
        return rungs

    def vary(self):
        """Seconds of the last rung on changed machines."""
        for title, changes in SENSITIVITIES.items():
            changed = published_times.changed(self.machine, changes)
            yield title, self.planned(changed, placement="searched")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--layers", type=int, default=32)
    parser.add_argument("--machine", default="a100-80gb")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        ladder = Ladder(pathlib.Path(folder), arguments.layers, arguments.machine)
        rungs = ladder.climb()
        print("| step | seconds | gain, ms |\n|---|---|---|")
        for before, rung in zip([rungs[0], *rungs], rungs):
            gain = f"{1e3 * (before.seconds - rung.seconds):.1f}" if rung is not before else ""
            print(f"| {rung.title} | {rung.seconds:.3f} | {gain} |")
        for title in NOT_IMPLEMENTED:
            print(f"| {title} | | not implemented |")
        print("\n| changed | seconds of the last step | more, ms |\n|---|---|---|")
        for title, seconds in ladder.vary():
            print(f"| {title} | {seconds:.3f} | {1e3 * (seconds - rungs[-1].seconds):.1f} |")


if __name__ == "__main__":
    main()
