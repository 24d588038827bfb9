#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prices the released BOOST, vanilla and full-rank programs, and compares with the published times.

    benchmarks/published_times.py [--machine a100-80gb] [--sensitivity] [--plans]

released_programs.json lists the operations of a block, and this script what is around the blocks;
both become lists of operations with sizes, which `boost-compile --price` prices with the formulas
of every plan. `--plans` adds what this compiler's own programs of the same models are predicted to
take; these are other programs.
"""

import argparse
import ast
import copy
import functools
import json
import math
import operator
import os
import subprocess
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
SYSTEMS = ("full", "vanilla", "boost")
ELEMENT_BYTES = 2
# The vocabulary-parallel cross entropy in f32, forward and backward, as separate kernels.
LOSS_BYTES_PER_LOGIT = 54
# AdamW on f32 masters with bf16 parameters, and f32 sums of gradients, per parameter.
UPDATE_BYTES, ACCUMULATION_BYTES = 50, 10

OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def evaluate(expression, symbols):
    """The value of a sum of products of symbols and numbers."""

    def visit(node):
        if isinstance(node, ast.BinOp):
            return OPERATORS[type(node.op)](visit(node.left), visit(node.right))
        return symbols[node.id] if isinstance(node, ast.Name) else node.value

    return visit(ast.parse(expression, mode="eval").body)


def count_of(expression, symbols):
    return math.ceil(evaluate(expression, symbols))


def contractions(name, count, batch, m, n, k):
    """A product of x [m, k] and a weight [k, n], and of its gradient with either."""
    sizes = {"": (m, n, k), ", gradient of x": (m, k, n), ", gradient of the weight": (k, n, m)}
    return [
        dict(name=name + part, kind="contraction", count=count, batch=batch, m=m, n=n, k=k)
        | dict(element_type="bf16")
        for part, (m, n, k) in sizes.items()
    ]


def attention(name, count, heads, symbols):
    shape = dict(batch=symbols["b"], queries=symbols["s"], keys=symbols["s"], heads=heads)
    shape |= dict(head_size=symbols["d"] // symbols["h"], causal=True, element_type="bf16")
    return [
        dict(name=f"{name}, {direction}", kind=f"attention_{direction}", count=count) | shape
        for direction in ("forward", "backward")
    ]


def passes(name, count, kernels, total_bytes):
    """Kernels that pass over memory, of equal sizes."""
    return [dict(name=name, kind="memory", count=count * kernels, bytes=total_bytes / kernels)]


def all_reduces(name, count, launches, total_bytes, ranks):
    entry = dict(name=name, kind="all_reduce", count=count * launches)
    return [entry | dict(bytes=total_bytes / launches, ranks=ranks)]


def block_operation(entry, count, symbols):
    name = entry["name"]
    if "size" in entry:
        m, n, k = (count_of(size, symbols) for size in entry["size"])
        return contractions(name, count * entry.get("products", 1), entry.get("batch", 1), m, n, k)
    if "heads" in entry:
        return attention(name, count, count_of(entry["heads"], symbols), symbols)
    if "elements" in entry:
        elements = evaluate(entry["elements"], symbols) * symbols["T"]
        return passes(name, count, entry["kernels"], ELEMENT_BYTES * elements)
    elements = evaluate(entry["all_reduce"], symbols)
    total_bytes = ELEMENT_BYTES * elements
    return all_reduces(name, count, entry["launches"], total_bytes, symbols["p"])


def outside_operations(symbols, system):
    """Embedding, head, loss, boundaries of pipeline stages, optimizer."""
    T, d, p, v, m = (symbols[key] for key in "Tdpvm")
    stream = ELEMENT_BYTES * T * d
    ops = contractions("head", m, 1, T, math.ceil(v / p), d)
    ops += passes("cross entropy", m, 12, LOSS_BYTES_PER_LOGIT * T * v / p)
    ops += passes("embedding", m, 4, 4 * stream)
    # The embedding and the input of the head; BOOST besides gathers before the head, as an
    # all-reduce of padded parts, and reduces the embedding's gradient in the same way.
    ops += all_reduces("embedding, head", m, 2, 2 * stream, p)
    ops += all_reduces("loss", m, 3, 3 * 4 * T, p)
    if system == "boost" and p > 1:
        ops.append(dict(name="stream, gathered", kind="all_gather", count=m, bytes=stream, ranks=p))
        ops += all_reduces("embedding, backward", m, 1, stream, p)
    if symbols["stages"] > 1:
        # A send to the rank at the same place of the next node: a gather of two sends half.
        sent = stream / p if system == "boost" else stream
        sends = 2 * (symbols["slots"] - 1)
        ops.append(
            dict(name="stages", kind="all_gather", count=sends, bytes=2 * sent, ranks=2, span=p + 1)
        )
    per_parameter = UPDATE_BYTES + ACCUMULATION_BYTES * m
    ops += passes("optimizer", 1, 8, per_parameter * symbols["parameters"])
    return ops


def operations(description, model, system):
    symbols = dict(description["models"][model])
    symbols |= dict(s=description["sequence"], v=description["vocabulary"])
    symbols["b"] = description["sequences"] // symbols["m"]
    symbols["T"] = symbols["b"] * symbols["s"]
    symbols["r"] = symbols["d"] // 4
    symbols["layers"] //= symbols["stages"]
    symbols["slots"] = symbols["m"] + symbols["stages"] - 1
    symbols["parameters"] = evaluate(description["parameters"][system], symbols)
    # A rank works in m of the slots and waits in the others as long as its neighbors work.
    count = symbols["layers"] * symbols["slots"]
    ops = []
    for entry in description["programs"][system]["block"]:
        ops += block_operation(entry, count, symbols)
    return ops + outside_operations(symbols, system)


def compiler():
    build = Path(os.environ.get("BOOST_BUILD_DIR", REPOSITORY / "build"))
    return build / "bin" / "boost-compile"


def price(ops, machine):
    command = [compiler(), "--price", f"--machine={machine}", "-"]
    text = json.dumps({"eager": True, "operations": ops})
    result = subprocess.run(command, input=text, text=True, check=True, capture_output=True)
    return json.loads(result.stdout)


def read_programs():
    return json.loads((REPOSITORY / "benchmarks" / "released_programs.json").read_text())


def compare(machine, description):
    """Predicted seconds, by model and system, beside the published ones."""
    return {
        model: {
            system: (price(operations(description, model, system), machine)["seconds"], seconds)
            for system, seconds in published.items()
        }
        for model, published in description["published"].items()
    }


def deviations(comparison):
    return [
        predicted / published - 1
        for systems in comparison.values()
        for predicted, published in systems.values()
    ]


def rms(numbers):
    return math.sqrt(sum(number * number for number in numbers) / len(numbers))


def ranking(systems, which):
    return sorted(systems, key=lambda system: systems[system][which])


# How this compiler shards what corresponds to a system.
OWN = {"full": ("full", "megatron"), "boost": ("cola", "bottleneck")}


def planned(description, model, system, machine):
    """Seconds of this compiler's own program."""
    from boost_mlir import models
    from boost_mlir.export import export_model

    kind, placement = OWN[system]
    shape = description["models"][model]
    config = models.ModelConfig(
        kind=kind,
        d=shape["d"],
        d_ff=shape["f"],
        heads=shape["h"],
        layers=shape["layers"],
        vocab=description["vocabulary"],
        dtype="bf16",
    )
    text = export_model(config, description["sequences"], description["sequence"])
    options = [f"--mesh=tp={shape['p']}", f"--placement={placement}", f"--machine={machine}"]
    command = [compiler(), "-", "--emit=plan", *options]
    # Programs that do not fit the memory of the machine are recomputed, with a message on stderr.
    result = subprocess.run(command, input=text, text=True, check=True, stdout=subprocess.PIPE)
    return json.loads(result.stdout)["predicted"]["seconds"]


def print_plans(description, machine):
    """Prints the plans of the models without pipeline stages, which this compiler does not make."""
    titles = (f"{kind}, {placement}" for kind, placement in OWN.values())
    print("| model | " + " | ".join(titles) + " |")
    print("|---" * (len(OWN) + 1) + "|")
    for model, shape in description["models"].items():
        if shape["stages"] == 1:
            seconds = [planned(description, model, system, machine) for system in OWN]
            print(f"| {model} | " + " | ".join(f"{number:.2f}" for number in seconds) + " |")


# Changes of the machine, and their factors.
VARIATIONS = {
    "products 10 % slower": [(("contraction", "efficiency"), 0.9)],
    "attention 20 % slower": [(("attention", "forward"), 0.8), (("attention", "backward"), 0.8)],
    "memory at 60 % in place of 75 %": [(("eager", "memory_efficiency"), 0.8)],
    "latency of collectives 20 us in place of 60": [(("eager", "latency"), 1 / 3)],
    "pairs as fast as whole nodes": [(("links", 0, "bandwidth"), 3)],
    "no latency between kernels": [(("eager", "launch_seconds"), 0)],
}


def changed(machine, changes):
    """A machine of which some numbers are multiplied by factors."""
    machine = copy.deepcopy(machine)
    for (*path, last), factor in changes:
        functools.reduce(operator.getitem, path, machine)[last] *= factor
    return machine


def print_sensitivity(name):
    described = json.loads((REPOSITORY / "machines" / f"{name}.json").read_text())
    print("| changed | rms | at most |\n|---|---|---|")
    for title, changes in VARIATIONS.items():
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(changed(described, changes), file)
            file.flush()
            errors = deviations(compare(file.name, read_programs()))
        print(f"| {title} | {100 * rms(errors):.1f} % | {100 * max(map(abs, errors)):.0f} % |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--machine", default="a100-80gb")
    parser.add_argument("--sensitivity", action="store_true", help="also with changed machines")
    parser.add_argument("--plans", action="store_true", help="also this compiler's programs")
    arguments = parser.parse_args()
    machine = arguments.machine
    comparison = compare(machine, read_programs())
    print("| model | " + " | ".join(f"{system}, published" for system in SYSTEMS) + " | order |")
    print("|---" * (len(SYSTEMS) + 2) + "|")
    for model, systems in comparison.items():
        cells = []
        for system in SYSTEMS:
            predicted, published = systems[system]
            deviation = 100 * (predicted / published - 1)
            cells.append(f"{predicted:.2f}, {published:.2f} ({deviation:+.0f} %)")
        order = "as published" if ranking(systems, 0) == ranking(systems, 1) else "**other**"
        print(f"| {model} | " + " | ".join(cells) + f" | {order} |")
    errors = deviations(comparison)
    print(f"\n{100 * rms(errors):.1f} % rms, {100 * max(map(abs, errors)):.1f} % at most")
    if arguments.sensitivity:
        print()
        print_sensitivity(machine)
    if arguments.plans:
        print()
        print_plans(read_programs(), machine)


if __name__ == "__main__":
    main()
