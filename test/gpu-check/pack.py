# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packs what scripts/gpu_check.sh takes to a machine with a GPU: programs, the main function of
test/gpu-check linked with them, and what they must compute, in double from JAX and from the
reference evaluator, and bit by bit from the emulator."""

import argparse
import json
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

import numpy as np
from checks import GRADIENT_TOLERANCE, LOSS_TOLERANCE
from harness import REPOSITORY, SHAPES, Model, build_directory, ranks_of, run, tool
from safetensors.numpy import save_file

from boost_mlir import models
from boost_mlir.export import export_model

HERE = Path(__file__).resolve().parent
LIMIT_BYTES = 60 << 20
FOLDER = "boost-gpu-check"

# Checked by their values: every kind in two types, and one program of two ranks.
SMALL = [(kind, shape, "1") for kind in models.KINDS for shape in ("tiny", "bf16")]
SMALL.append(("cola", "tiny", "tp=2"))
SMALL.append(("lax", "tiny", "dp=2,tp=2"))
# A test packs this one alone.
SAMPLE = ("cola", "shallow", "1")
# Measured: kind, size, batch, sequence, mesh; and the small program that runs under the emulator.
LARGE = {
    "cola-1B": ("cola", "1b", 8, 1024, "1"),
    "full-1B": ("full", "1b", 8, 1024, "1"),
    "cola-7B-tp4": ("cola", "7b", 1, 4096, "tp=4"),
}
# The published 5461 makes rows of bf16 begin at odd multiples of two bytes, which costs every
# framework a third of its speed.
OVERRIDES = {"1b": {"d_ff": 5472}}
STAND_IN = "cola-bf16-1"
# Trained on a CPU and on the GPU: kind, size, batch, sequence, steps.
TRAINED = ("cola", "demo", 8, 128, 20)

ELEMENT_BYTES = {"f64": 8, "i64": 8, "f32": 4, "i32": 4, "bf16": 2, "f16": 2, "i16": 2, "i8": 1, "i1": 1}


def name_of(kind: str, shape: str, mesh: str) -> str:
    return f"{kind}-{shape}-{mesh.replace('=', '')}"


def buffer_bytes(text: str) -> int:
    """Bytes of the elements of a memref."""
    shape = re.match(r"memref<((?:\d+x)*)(\w+)", text)
    sizes = [int(size) for size in shape[1].split("x") if size]
    return int(np.prod(sizes, dtype=np.int64)) * ELEMENT_BYTES[shape[2]]


def innermost_loop(loops: list, types: str) -> int:
    """The loop over what lies side by side in the largest of the tensors; each has its own loops."""
    shapes = re.findall(r"memref<((?:\d+x)*)\w+(?:, strided<\[([\d, ]*)\])?", types)
    order, (sizes, strides) = max(zip(loops, shapes), key=lambda pair: len(pair[0]))
    if not strides:
        return int(order[-1][1:])
    steps = [int(step) for step in strides.split(",")]
    return int(min(zip(steps, order))[1][1:])


def classify(body: str) -> str:
    """Returns the class of a kernel's loops, by the last operation of its body."""
    pattern = r"indexing_maps = \[(.*?)\], iterator_types = \[(.*?)\]\}?(.*)"
    maps, iterators, types = re.findall(pattern, body)[-1]
    kinds = re.findall(r'"(\w+)"', iterators)
    if "parallel" not in kinds:
        return "full reduction"
    results = re.findall(r"-> \(([^)]*)\)", maps)
    loops = [[d for d in result.split(", ") if d.startswith("d")] for result in results]
    if "reduction" in kinds:
        return "row reduction" if kinds[innermost_loop(loops, types)] == "reduction" else "column reduction"
    if any(order != sorted(order) for order in loops):
        return "transpose"
    return "elementwise" if all(len(order) == len(kinds) for order in loops) else "broadcast"


def kernels_of(runtime_text: str) -> dict:
    """Class and bytes of every kernel: each of its buffers once."""
    bodies = re.split(r"func\.func private @(kernel_\d+)\(", runtime_text)
    classes = {
        name: classify(body)
        for name, body in zip(bodies[1::2], bodies[2::2])
        if "linalg.generic" in body
    }
    launches = re.findall(r"boostrt\.launch @(\w+)\[\d+\] \((?:%[\w#]+(?:, )?)* : (.*?)\) \{", runtime_text)
    sizes = {name: sum(map(buffer_bytes, re.findall(r"memref<[^>]*", types))) for name, types in launches}
    return {
        name: {"class": classes.get(name, "rows"), "bytes": size} for name, size in sizes.items()
    }


def compile_model(text: Path, folder: Path, mesh: str, *options):
    """`check`, and the classes of its kernels."""
    compiler, common = tool("boost-test-compile"), ("--target=cuda", "--mesh", mesh, *options)
    program = folder / "program.o"
    run(compiler, text, *common, "--emit=object", "-o", program)
    lines = (build_directory() / "lib" / "boost_gpu_check_link.txt").read_text().splitlines()
    driver = (build_directory() / "CMakeCache.txt").read_text()
    driver = re.search(r"^CMAKE_CXX_COMPILER:\w+=(.*)$", driver, re.M)[1]
    run(driver, program, *lines, "-o", folder / "check")
    program.unlink()
    runtime = run(compiler, text, "--target=cuda", "--mesh", mesh, "--emit=runtime").stdout
    (folder / "kernels.json").write_text(json.dumps(kernels_of(runtime)))


def emulate(*command, **variables):
    subprocess.run(
        [str(part) for part in command],
        env=os.environ
        | {"BOOST_CUDA_EMULATOR": str(build_directory() / "test/lib/libboost_cuda_emulator.so")}
        | variables,
        check=True,
        stdout=subprocess.DEVNULL,
        stdin=subprocess.DEVNULL,
    )


def pack_small(kind: str, shape: str, mesh: str, root: Path, scratch: Path) -> dict:
    print(f"{kind} {shape} on {mesh}", flush=True)
    model = Model(models.ModelConfig.of_size("tiny", kind, **SHAPES[shape]), scratch / f"{kind}-{shape}")
    name = name_of(kind, shape, mesh)
    folder = root / "programs" / name
    folder.mkdir(parents=True)
    options = ("--emulatable", "--verify")
    compile_model(model.text_file, folder, mesh, *options)
    train = folder / "train"
    run(tool("boost-test-compile"), model.text_file, "--target=cuda", "--mesh", mesh, *options, "-o", train)
    shutil.copy(model.inputs_file, folder)
    shutil.copy(model.tokens_file, folder)
    loss, gradients = model.reference
    expected = {f"grad.{leaf}": np.asarray(value, np.float64) for leaf, value in gradients.items()}
    save_file(expected | {"loss": np.asarray(loss, np.float64)}, folder / "expected.safetensors")
    tolerances = (LOSS_TOLERANCE, GRADIENT_TOLERANCE)
    if shape == "bf16":
        # As for programs on a CPU.
        tolerances = [2 * error for error in model.own_precision_errors]
    if mesh == "1":
        if shape != "bf16":
            # Every tensor in double: those of the types in bf16 would be too much.
            inputs = ("--inputs", folder / "inputs.safetensors")
            emulate(train, "eval", *inputs, "--verify", "--keep", folder / "reference", "--json")
        data = ("--data", folder / "tokens.bin", "--steps", 1, "--quiet")
        emulate(train, "train", *data, BOOST_EMULATOR_TRACE=str(folder / "trace"))
    return {"name": name, "mesh": mesh, "ranks": ranks_of(mesh), "tolerances": list(map(float, tolerances))}


def pack_large(name: str, root: Path, scratch: Path) -> dict:
    print(name, flush=True)
    kind, size, batch, seq, mesh = LARGE[name]
    folder = root / "programs" / name
    folder.mkdir(parents=True)
    text = scratch / f"{name}.mlir"
    overrides = OVERRIDES.get(size, {})
    config = models.ModelConfig.of_size(size, kind, dtype="bf16", **overrides)
    text.write_text(export_model(config, batch, seq))
    compile_model(text, folder, mesh)
    model = {"kind": kind, "size": size, "batch": batch, "seq": seq, "overrides": overrides}
    return {"name": name, "mesh": mesh, "model": model}


def pack_trained(root: Path, scratch: Path) -> dict:
    """A program in f32, its data and the losses of its steps on the CPU."""
    kind, size, batch, seq, steps = TRAINED
    print(f"{kind} {size}, {steps} steps", flush=True)
    folder = root / "programs" / f"{kind}-{size}-trained"
    folder.mkdir(parents=True)
    text, tokens, log = scratch / "trained.mlir", folder / "tokens.bin", scratch / "log.jsonl"
    config = models.ModelConfig.of_size(size, kind, dtype="f32")
    text.write_text(export_model(config, batch, seq))
    ids = np.random.default_rng(1).zipf(1.3, batch * (seq + 1) * steps) % config.vocab
    ids.astype(np.uint16).tofile(tokens)
    options = ("--data", tokens, "--steps", steps, "--lr", "2e-3", "--quiet")
    on_cpu = scratch / "trained"
    run(tool("boost-compile"), text, "--mesh=1", "-o", on_cpu)
    run(on_cpu, "train", *options, "--log", log)
    lines = map(json.loads, log.read_text().splitlines())
    losses = [line["loss"] for line in lines if "step" in line]
    run(tool("boost-test-compile"), text, "--mesh=1", "--target=cuda", "--emulatable", "-o", folder / "train")
    return {"name": folder.name, "steps": steps, "losses": losses}


def write_archive(root: Path, archive: Path, preset: int) -> None:
    with tarfile.open(archive, "w:xz", preset=preset) as file:
        file.add(root, FOLDER)
    size = archive.stat().st_size
    print(f"{archive}: {size:,} bytes")
    if size >= LIMIT_BYTES:
        raise SystemExit(f"error: the archive has {size} bytes, but {LIMIT_BYTES} is too much")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("archive", type=Path)
    parser.add_argument("--sample", action="store_true", help="pack one small program alone")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        scratch, root = Path(temporary) / "scratch", Path(temporary) / FOLDER
        scratch.mkdir()
        small = [SAMPLE] if options.sample else SMALL
        manifest = {
            "stand_in": name_of(*SAMPLE) if options.sample else STAND_IN,
            "small": [pack_small(*case, root, scratch) for case in small],
            "large": [] if options.sample else [pack_large(name, root, scratch) for name in LARGE],
            "trained": None if options.sample else pack_trained(root, scratch),
        }
        (root / "manifest.json").write_text(json.dumps(manifest, indent=1))
        for name in ("run.py", "tensors.py", "frameworks.py"):
            shutil.copy(HERE / name, root)
        shutil.copy(REPOSITORY / "scripts" / "gpu_check.sh", root)
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(REPOSITORY / "python" / "boost_mlir", root / "boost_mlir", ignore=ignored)
        # With a dictionary of 64 MiB, what programs have in common is packed once.
        write_archive(root, options.archive, preset=0 if options.sample else 9)


if __name__ == "__main__":
    main()
