#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# scripts/prove.sh [PROGRAMS [SEED [FOLDER [PLACEMENT]]]]: proves every pass on
# 10,000 random programs, or as many as said, one process per core, and the
# binaries of one in a hundred. Their placements are drawn from all names, as are
# the machine and whether state is sharded; or PLACEMENT is given (any sharding
# that divides) or searched. A program that fails is made small and stays in FOLDER
# (build/prove), ready for test/Regression. Exit code 1 if there is any.
set -uo pipefail
cd "$(dirname "$0")/.."
programs=${1:-10000} seed=${2:-0} folder=${3:-build/prove}
options=(--placement="${4:-auto}")
if [[ ${4:-auto} == auto ]]; then
  options+=(--bucket-bytes=256)
  for machine in test/Prove/machines/*.json machines/{reference,a100-80gb}.json; do
    options+=(--machine="$machine")
  done
fi
workers=$(nproc)
share=$(((programs + workers - 1) / workers))
mkdir -p "$folder"

pids=()
trap 'kill "${pids[@]}" 2> /dev/null' EXIT
for ((i = 0; i < workers; i++)); do
  log=$folder/worker-$i.log
  # The first worker shows how far it is on the terminal.
  ((i == 0)) && errors=/dev/stderr || errors=$log.errors
  build/bin/boost-prove --random="$share" --seed=$((seed + i * share)) \
    "${options[@]}" --save-failures="$folder" > "$log" 2> "$errors" &
  pids+=($!)
done
status=0
for pid in "${pids[@]}"; do
  wait "$pid" || status=1
done
cat "$folder"/worker-*.log.errors >&2 2> /dev/null
awk '/ programs, / { programs += $1; passes += $3; sub(/\(/, "", $8); changes += $8
       mismatches += $12; refused += $14 }
     END { printf "%d programs, %d passes x programs compared (%d changed the program), %d mismatches, %d refused\n",
           programs, passes, changes, mismatches, refused }' "$folder"/worker-*.log
grep -h '^on several ranks' "$folder"/worker-*.log
BOOST_RANDOM_PROGRAMS=$(((programs + 99) / 100)) BOOST_RANDOM_SEED=$seed \
  PYTHONPATH=python .venv/bin/python -m pytest -q \
  test/EndToEnd/test_random_programs.py || status=1
exit $status
