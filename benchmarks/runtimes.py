# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the step time of the runtimes of two builds, on one compiled program.

Joins the code of one program with the runtime of either build and runs both alternately on two
ranks of one thread each, over TCP and over MPI. The order within a pair of runs alternates. Prints
the median of the ratios of a pair, and of the best run of each:

    PYTHONPATH=python .venv/bin/python benchmarks/runtimes.py BEFORE/build AFTER/build

BEFORE's boost-compile makes the code, so both runtimes must read its manifest. The times mean
something on an idle machine only.
"""

import argparse
import os
import pathlib
import socket
import statistics
import subprocess
import sys
import tempfile

import numpy as np

import boost_mlir
from boost_mlir import data, models
from boost_mlir.export import export_model

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "test" / "EndToEnd"))
from program_file import replace_runtime  # noqa: E402

MODELS = {
    "tiny": (models.ModelConfig.of_size("tiny", "cola"), 2, 16, 3000),
    "d=512": (
        models.ModelConfig("cola", layers=2, d=512, heads=8, rank=128, d_ff=1376, vocab=4000),
        2,
        64,
        200,
    ),
}
RANKS = 2
ENVIRONMENT = os.environ | {
    "BOOST_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
}


def commands(transport, command):
    """The processes of a run, each as its command and its environment."""
    if transport == "mpi":
        return [(["mpirun", "-np", str(RANKS), "--bind-to", "none", *command], ENVIRONMENT)]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    return [
        (
            command,
            ENVIRONMENT
            | {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "WORLD_SIZE": str(RANKS)}
            | {"LOCAL_WORLD_SIZE": str(RANKS), "RANK": str(rank), "LOCAL_RANK": str(rank)},
        )
        for rank in range(RANKS)
    ]


def milliseconds(transport, binary, tokens, steps):
    """The median ms of a step; the first fifth of the steps does not count."""
    log = binary.with_suffix(".jsonl")
    log.unlink(missing_ok=True)
    command = [binary, "train", "--data", tokens, "--steps", steps, "--quiet", "--log", log]
    running = [
        subprocess.Popen(started, env=environment, stdout=subprocess.DEVNULL)
        for started, environment in commands(transport, [str(part) for part in command])
    ]
    assert all(process.wait() == 0 for process in running)
    seconds = [record["seconds"] for record in boost_mlir.read_log(log)]
    return 1e3 * statistics.median(seconds[len(seconds) // 5 :])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("before", type=pathlib.Path, help="a build folder")
    parser.add_argument("after", type=pathlib.Path, help="another one")
    parser.add_argument("--pairs", type=int, default=8)
    options = parser.parse_args()
    builds = {"before": options.before, "after": options.after}
    print("| model | transport | before | after | median ratio | ratio of the best |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for model, (config, batch, seq, steps) in MODELS.items():
            text, program, tokens = folder / "model.mlir", folder / "program", folder / "tokens.bin"
            text.write_text(export_model(config, batch, seq))
            data.write_tokens(tokens, np.random.default_rng(1).integers(0, config.vocab, 200_000))
            compiler = options.before / "bin/boost-compile"
            compiling = [compiler, text, f"--mesh=tp={RANKS}", "--quiet", "-o", program]
            subprocess.run(compiling, check=True)
            for which, build in builds.items():
                replace_runtime(program, build / "lib/boost-runtime-cpu", folder / which)
            for transport in ("tcp", "mpi"):
                times = {which: [] for which in builds}
                for pair in range(options.pairs):
                    for which in builds if pair % 2 == 0 else reversed(builds):
                        times[which].append(milliseconds(transport, folder / which, tokens, steps))
                ratios = [after / before for before, after in zip(times["before"], times["after"])]
                medians = [statistics.median(times[which]) for which in builds]
                best = min(times["after"]) / min(times["before"])
                print(
                    f"| {model} | {transport} | {medians[0]:.3g} ms | {medians[1]:.3g} ms "
                    f"| {statistics.median(ratios):.3f} | {best:.3f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
