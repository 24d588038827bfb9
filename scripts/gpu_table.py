#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the results.json of scripts/gpu_check.sh as the tables of docs/benchmarks/GPU.md:
`gpu_table.py results.json`. Needs Python alone."""

import json
import sys
from pathlib import Path

PARTS = {
    "gemm": "matrix products",
    "attention_forward": "attention, forward",
    "attention_backward": "attention, backward",
    "elementwise": "elementwise kernels",
    "broadcast": "broadcasts",
    "row reduction": "row reductions",
    "column reduction": "column reductions",
    "full reduction": "full reductions",
    "transpose": "transposes",
    "rows": "other kernels",
    "embedding": "embedding",
    "adamw": "AdamW",
    "sum_of_squares": "norm of the gradient",
}


def print_table(header: list, rows: list) -> None:
    for row in (header, ["---"] * len(header), *rows):
        print("| " + " | ".join(row) + " |")
    print()


def milliseconds(seconds) -> str:
    return "" if seconds is None else f"{1e3 * seconds:.2f}"


def print_steps(checks: dict) -> None:
    """Steps, and those of other frameworks with our time as a part of theirs."""
    others = ("torch-compile", "torch", "jax")
    rows = []
    for name, step in checks["step"].items():
        row = [name, milliseconds(step["seconds_graph"]), milliseconds(step["seconds_eager"])]
        row.append(f"{100 * step['roofline']:.0f} %")
        for other in others:
            found = checks.get(other, {}).get(name)
            row.append(f"{1e3 * found['seconds']:.1f} ({found['ratio']:.2f})" if found else "")
        rows.append(row)
    print_table(["step, ms", "graph", "eager", "of the roofline", *others], rows)


def print_parts(checks: dict, machine: dict) -> None:
    """Milliseconds of the parts of each step, with their rates."""
    steps = checks["step"]
    rows = []
    for part, title in PARTS.items():
        row = [title]
        for step in steps.values():
            calls = [call for call in step["calls"] if call.get("class", call["call"]) == part]
            seconds = sum(call["count"] * call["seconds"] for call in calls)
            flops = sum(call["count"] * (call["tflops"] or 0) * call["seconds"] for call in calls)
            moved = sum(call["count"] * call["bytes"] for call in calls)
            text = milliseconds(seconds) if calls else ""
            if flops:
                share = flops / seconds / machine["cube_tflops"]
                text += f" ({flops / seconds:.0f} TFLOP/s, {100 * share:.0f} %)"
            elif moved:
                rate = moved / seconds / 1e9
                text += f" ({rate:.0f} GB/s, {100 * rate / machine['copy_gbps']:.0f} %)"
            row.append(text)
        if any(row[1:]):
            rows.append(row)
    print_table(["ms", *steps], rows)


def print_attention(checks: dict) -> None:
    """Forward, backward, and backward in any order, by everyone."""

    def times(forward, backward):
        return f"{1e3 * forward:.3f}, {1e3 * backward:.3f}"

    found = checks.get("torch attention", {}).get("")
    torch = found["shapes"] if found else []
    rows = []
    for i, (name, trial) in enumerate(checks["attention"].items()):
        forward, backward = trial["forward"], trial["backward"]
        row = [name, times(forward["cudnn"], backward["cudnn"]["seconds"])]
        row.append(f"{1e3 * backward['cudnn_nondeterministic']['seconds']:.3f}")
        row.append(times(forward["kernels"], backward["kernels"]))
        for other in ("flash", "cudnn"):
            part = torch[i][other] if i < len(torch) else {}
            row.append(times(part["forward"], part["backward"]) if "forward" in part else "")
        rows.append(row)
    header = ["forward, backward in ms", "cuDNN", "in any order", "kernels of the runtime"]
    print_table([*header, "torch, flash", "torch, cuDNN"], rows)


def group(results: list) -> dict:
    """Details of the checks that passed: by kind, then by the name that follows it."""
    kinds = ("torch attention", "torch-compile", "torch", "jax", "step", "attention")
    checks = {}
    for result in results:
        kind = next((k for k in kinds if f"{result['check']} ".startswith(f"{k} ")), None)
        if kind and result["verdict"] == "pass":
            checks.setdefault(kind, {})[result["check"][len(kind) + 1 :]] = result["details"]
    return checks


def main() -> None:
    report = json.loads(Path(sys.argv[1]).read_text())
    machine, checks = report["machine"], group(report["checks"])
    print(
        f"{machine['name']}, driver for CUDA {machine['driver_for_cuda']}; {machine['cube_tflops']:.0f} TFLOP/s,"
        f" {machine['copy_gbps']:.0f} GB/s copied.\n"
    )
    if "step" in checks:
        print_steps(checks)
        print_parts(checks, machine)
    if "attention" in checks:
        print_attention(checks)


if __name__ == "__main__":
    main()
