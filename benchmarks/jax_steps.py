# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares training steps on this CPU with JAX's, and the built-in AdamW with other optimizers.

Each model trains on one rank with all cores: as a program with the built-in AdamW, as programs that
were exported with `optax.adamw` and with LORO, whose steps are all lazy here, and in JAX, which
compiles the same loss with `optax.adamw` by XLA into one function with donated arguments. They take
turns, each run as a process of its own, and the first fifth of the steps of a run does not count.
Writes a Markdown page:

    PYTHONPATH=python .venv/bin/python benchmarks/jax_steps.py -o docs/benchmarks/JaxSteps.md

The times mean something on an idle machine only.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import optax

import boost_mlir
from boost_mlir import data, models, optimizers, testing
from boost_mlir.export import export

RATE, DECAY = 1e-3, 0.1
# The model, its batch, the length of its sequences, and the steps of a run.
MODELS = {
    "CoLA demo, 8 x 128": (models.ModelConfig.of_size("demo", "cola"), 8, 128, 20),
    "CoLA 60M, 4 x 256": (models.ModelConfig.of_size("60m", "cola"), 4, 256, 10),
}
BUILT_IN, OPTAX, LORO, JAX = "built-in", "optax", "loro", "jax"


def optimizer():
    return optax.adamw(RATE, b2=0.95, weight_decay=DECAY)


def loro():
    return optimizers.loro(RATE, b2=0.95, weight_decay=DECAY)


def compile_programs(folder, config, batch, seq, compiler):
    loss, params = models.make_loss(config), models.abstract_params(config)
    ids = np.zeros((batch, seq), np.int32)
    for name, chosen in ((BUILT_IN, None), (OPTAX, optimizer()), (LORO, loro())):
        module = folder / f"{name}.mlir"
        keywords = {} if chosen is None else {"optimizer": chosen}
        export(loss, params, ids, ids, init=models.init_specs(config), **keywords).save(module)
        subprocess.run([compiler, module, "--mesh=1", "--quiet", "-o", folder / name], check=True)


def seconds_of_program(folder, name, steps):
    log = folder / f"{name}.jsonl"
    log.unlink(missing_ok=True)
    command = [folder / name, "train", "--data", folder / "tokens.bin", "--steps", str(steps)]
    if name == BUILT_IN:
        command += ["--lr", str(RATE), "--min-lr", str(RATE), "--clip", "0"]
        command += ["--weight-decay", str(DECAY), "--beta2", "0.95"]
    subprocess.run([*command, "--quiet", "--log", log], check=True)
    return [record["seconds"] for record in boost_mlir.read_log(log)]


def train_in_jax(name, tokens, steps):
    """Prints the seconds of each step of a model in JAX."""
    import jax

    config, batch, seq, _ = MODELS[name]
    loss, chosen = models.make_loss(config), optimizer()

    def step(params, state, *arguments):
        value, gradients = jax.value_and_grad(loss)(params, *arguments)
        updates, state = chosen.update(gradients, state, params)
        return value, optax.apply_updates(params, updates), state

    compiled = jax.jit(step, donate_argnums=(0, 1))
    params = models.init_params(config, seed=1)
    state = chosen.init(params)
    tokens = data.read_tokens(tokens)
    for _, arguments in zip(range(steps), testing.sequential_batches(tokens, batch, seq)):
        start = time.perf_counter()
        value, params, state = compiled(params, state, *arguments)
        jax.block_until_ready((value, params, state))
        print(time.perf_counter() - start)


def seconds_in_jax(folder, model, steps):
    command = [sys.executable, __file__, "--in-jax", model, str(folder / "tokens.bin"), str(steps)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [float(line) for line in printed.splitlines()]


def measure(folder, model, rounds):
    """The median seconds of a step in every run, by what ran."""
    steps = MODELS[model][3]
    times = {BUILT_IN: [], OPTAX: [], LORO: [], JAX: []}
    for turn in range(rounds):
        for which in times if turn % 2 == 0 else reversed(times):
            if which == JAX:
                seconds = seconds_in_jax(folder, model, steps)
            else:
                seconds = seconds_of_program(folder, which, steps)
            times[which].append(statistics.median(seconds[len(seconds) // 5 :]))
            print(f"{model}, {which}: {times[which][-1]:.4f} s", file=sys.stderr, flush=True)
    return times


def ratio(times, which, beside):
    return statistics.median(a / b for a, b in zip(times[which], times[beside]))


def page(results, rounds):
    lines = [
        "# Steps beside JAX's on a CPU\n",
        f"A training step on one rank of {os.cpu_count()} cores, beside the same loss with `optax.adamw` compiled by XLA. The program",
        "with `optax.adamw` was exported with it, and so was that with LORO, whose lazy steps these are. They take turns; single",
        "runs vary by 10 %, and numbers are medians.",
        f"`benchmarks/jax_steps.py --rounds={rounds}` writes this page.\n",
        "| model | s, built-in AdamW | s, `optax.adamw` | s, LORO | s, JAX | built-in / JAX | `optax.adamw` / built-in | LORO / `optax.adamw` |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for model, times in results.items():
        medians = " | ".join(f"{statistics.median(times[which]):.3f}" for which in times)
        lines.append(
            f"| {model} | {medians} | {ratio(times, BUILT_IN, JAX):.2f} "
            f"| {ratio(times, OPTAX, BUILT_IN):.3f} | {ratio(times, LORO, OPTAX):.3f} |"
        )
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-o", type=pathlib.Path, help="the page; default: standard output")
    parser.add_argument("--compiler", default="build/bin/boost-compile")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--in-jax", nargs=3, metavar=("MODEL", "TOKENS", "STEPS"))
    options = parser.parse_args()
    if options.in_jax:
        model, tokens, steps = options.in_jax
        train_in_jax(model, tokens, int(steps))
        return
    results = {}
    with tempfile.TemporaryDirectory() as name:
        for model, (config, batch, seq, _) in MODELS.items():
            folder = pathlib.Path(name)
            random = np.random.default_rng(1)
            data.write_tokens(folder / "tokens.bin", random.integers(0, config.vocab, 200_000))
            compile_programs(folder, config, batch, seq, options.compiler)
            results[model] = measure(folder, model, options.rounds)
    text = page(results, options.rounds)
    if options.o:
        options.o.write_text(text)
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
