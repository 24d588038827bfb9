#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The main job, start to end: sets up, makes a token file from text that is
# already here, exports a CoLA LLaMA of about 10M parameters from JAX, compiles
# it for tp=2 and trains it on 2 ranks. The last line is one JSON object.
set -euo pipefail
cd "$(dirname "$0")/.."

steps=100
ranks=2
out=demo-out

say() { printf '\n\033[1m[demo]\033[0m %s\n' "$*"; }

scripts/setup.sh
export PYTHONPATH=$PWD/python OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
mkdir -p "$out"

say "Token file: the bytes of the installed MLIR headers"
.venv/bin/python -m boost_mlir.data \
  --input "$(llvm-config-22 --includedir)/mlir/IR" --format llmc -o "$out/tokens.bin"

say "Export: the loss of a CoLA LLaMA, plain single-device JAX, to StableHLO"
.venv/bin/python -m boost_mlir.export --model cola --size demo \
  --batch 8 --seq 128 --dtype f32 -o "$out/cola.mlir"

say "Compile: placement, gradients, optimizer, collectives, kernels, one binary"
build/bin/boost-compile "$out/cola.mlir" --mesh tp=$ranks --timing -o "$out/train"

say "Train: $steps steps on $ranks ranks"
mpirun -np $ranks --oversubscribe "$out/train" train --data "$out/tokens.bin" --steps $steps \
  --lr 2e-3 --min-lr 2e-4 --warmup 10 --clip 1.0 --seed 0 \
  --log "$out/log.jsonl" --save "$out/model.safetensors"

say "Summary"
"$out/train" info >"$out/info.json"
.venv/bin/python scripts/demo_summary.py "$out/log.jsonl" "$out/info.json"
