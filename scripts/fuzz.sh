#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fuzzes the borders that take a user's bytes, compiled with coverage and
# sanitizers (preset asan, into build-asan/). New inputs that reach new code are
# kept in build-asan/corpus/; an input that fails is kept beside them and its
# path printed.
#
#   scripts/fuzz.sh [--seconds N] [TARGET...]
#
# TARGET: ir-text machine manifest safetensors tokens command-line; all of them
# by default. N: seconds for each, 60 by default. Exit code 1 if one failed.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=60
targets=()
while [ $# -gt 0 ]; do
  case "$1" in
    --seconds) seconds=${2:?--seconds needs a number}; shift 2 ;;
    -h|--help) sed -n '3,13s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) echo "fuzz.sh: error: unknown option $1; see --help" >&2; exit 2 ;;
    *) targets+=("$1"); shift ;;
  esac
done
[ ${#targets[@]} -gt 0 ] || targets=(ir-text machine manifest safetensors tokens command-line)

scripts/setup.sh --no-build
cmake --preset asan >/dev/null
cmake --build build-asan --target "${targets[@]/#/fuzz-}"

# MLIR's shared library is not instrumented, so containers that cross its border
# carry no marks of their bounds.
export ASAN_OPTIONS=detect_container_overflow=0:allow_user_poisoning=0:detect_leaks=0
status=0
for target in "${targets[@]}"; do
  seeds=test/Fuzz/corpus/$target
  [ "$target" != machine ] || seeds=machines
  kept=build-asan/corpus/$target
  mkdir -p "$kept"
  echo "[fuzz] $target for $seconds s"
  if ! build-asan/test/Fuzz/fuzz-"$target" -max_total_time="$seconds" -timeout=60 \
    -rss_limit_mb=6144 -max_len=60000 -close_fd_mask=3 -print_final_stats=1 \
    -artifact_prefix="$kept-" "$kept" "$seeds" 2>&1 |
    { grep -E 'pulse|DONE|stat::number_of_executed|SUMMARY|Test unit|ERROR' || true; }
  then
    status=1
  fi
done
exit $status
