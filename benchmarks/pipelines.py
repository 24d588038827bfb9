#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares steps of two pipeline stages with what their schedules take if every call takes its mean.

    PYTHONPATH=python benchmarks/pipelines.py -o docs/benchmarks/Pipelines.md

Each schedule is compiled for two ranks of one core each, and some of its steps are traced. Every rank
then goes through its events again, in the order of the trace: a call takes the mean of its seconds in all
steps, and a receive ends when what it waits for has been sent. That this is the simulation of the compiler
is checked with the seconds of the plan, whose step it has to repeat. Run this on an idle machine.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
from collections import defaultdict

import numpy as np

from boost_mlir import data, models
from boost_mlir.export import export_model

ROOT = pathlib.Path(__file__).resolve().parents[1]
SCHEDULES = {"gpipe": (), "1f1b": (), "interleaved": ("--pipeline-chunks=2",), "zb-h1": ()}
MICRO_BATCHES, SEQUENCE, LAYERS = 8, 128, 4
FIRST, END = 3, 11


def compile_schedule(folder, compiler, schedule):
    """The program of a schedule, its plan, and the tokens that it trains on."""
    text, tokens, program, plan = (folder / name for name in ("model.mlir", "tokens.bin", "train", "plan.json"))
    config = models.ModelConfig.of_size("demo", "cola", layers=LAYERS)
    text.write_text(str(export_model(config, MICRO_BATCHES, SEQUENCE)))
    data.write_tokens(tokens, np.arange(20_000).astype(np.uint16) % config.vocab)
    options = ("--mesh=pp=2", f"--micro-batches={MICRO_BATCHES}", f"--pipeline-schedule={schedule}")
    command = [compiler, text, *options, *SCHEDULES[schedule], "--quiet"]
    subprocess.run([*command, "-o", program], check=True)
    subprocess.run([*command, "--emit=plan", "-o", plan], check=True)
    return program, json.loads(plan.read_text()), tokens


def trace(program, tokens, path):
    """The events of each rank in the steps from FIRST to before END: a list for each rank and step."""
    one_core = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "BOOST_NUM_THREADS": "1"}
    command = ["mpirun", "-np", "2", "--bind-to", "core", program, "train", "--data", tokens, "--quiet"]
    command += ["--steps", str(END), "--trace", f"{FIRST}:{END}", "--trace-file", path]
    subprocess.run(command, check=True, env=os.environ | one_core)
    steps = defaultdict(lambda: defaultdict(list))
    lasting = [event for event in json.loads(path.read_text())["traceEvents"] if event["ph"] == "X"]
    for event in lasting:
        if event["cat"] == "function" or (event["cat"] == "transfer" and "to" in event["args"]):
            steps[event["args"]["step"]][event["pid"]].append(event)
    return steps, [event["dur"] * 1e-6 for event in lasting if (event["cat"], event["pid"]) == ("step", 0)]


def message_of(event):
    """What identifies a message: both of its events have it."""
    args = event["args"]
    return args["from"], args["to"], args.get("micro_batch"), args["tensors"]


def simulate(ranks, seconds):
    """Seconds of a step: `ranks` are the lists of its events, `seconds` what each function takes."""
    clocks, positions = dict.fromkeys(ranks, 0.0), dict.fromkeys(ranks, 0)
    sent, received = defaultdict(list), defaultdict(int)
    while any(positions[rank] < len(events) for rank, events in ranks.items()):
        before = dict(positions)
        for rank, events in ranks.items():
            while positions[rank] < len(events):
                event = events[positions[rank]]
                if event["cat"] == "function":
                    clocks[rank] += seconds[event["args"]["function"]]
                elif event["name"].startswith("send"):
                    sent[message_of(event)].append(clocks[rank])
                else:
                    message = message_of(event)
                    if received[message] == len(sent[message]):
                        break
                    clocks[rank] = max(clocks[rank], sent[message][received[message]])
                    received[message] += 1
                positions[rank] += 1
        if before == positions:
            raise RuntimeError("all ranks wait")
    return max(clocks.values())


def measure(schedule, compiler, folder):
    program, plan, tokens = compile_schedule(folder, compiler, schedule)
    steps, measured = trace(program, tokens, folder / "trace.json")
    taken = defaultdict(list)
    for ranks in steps.values():
        for event in (event for events in ranks.values() for event in events if event["cat"] == "function"):
            taken[event["args"]["function"]].append(event["dur"] * 1e-6)
    planned = {
        call["function"]: call["end"] - call["begin"] for calls in plan["predicted"]["timeline"] for call in calls
    }
    ranks = next(iter(steps.values()))
    repeated = simulate(ranks, planned) / plan["predicted"]["seconds"]
    simulated = simulate(ranks, {name: statistics.mean(all_of) for name, all_of in taken.items()})
    return simulated, statistics.median(measured), repeated


PAGE = """# Pipelines

A step of CoLA with {layers} layers on two stages, one core each, with {micro_batches} micro-batches of one sequence of {sequence} tokens.
The simulation takes the mean seconds of every call in the traced steps. `benchmarks/pipelines.py` writes this page.

| schedule | measured s | simulated s | measured / simulated |
|---|---|---|---|
{rows}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--compiler", default=ROOT / "build" / "bin" / "boost-compile")
    parser.add_argument("-o", "--output", type=pathlib.Path)
    options = parser.parse_args()
    rows = []
    for schedule in SCHEDULES:
        with tempfile.TemporaryDirectory() as folder:
            simulated, measured, repeated = measure(schedule, options.compiler, pathlib.Path(folder))
        print(f"{schedule}: {measured:.3f} s, {simulated:.3f} s; plan repeated {repeated:.4f}")
        rows.append(f"| `{schedule}` | {measured:.3f} | {simulated:.3f} | {measured / simulated:.3f} |")
    page = PAGE.format(layers=LAYERS, micro_batches=MICRO_BATCHES, sequence=SEQUENCE, rows="\n".join(rows))
    if options.output:
        options.output.write_text(page)


if __name__ == "__main__":
    main()
