#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Checks programs for GPUs on a machine that has one and nothing of this
# project: no compiler, no MLIR, no MPI. It needs Python 3, the driver and
# cublasLt, of a CUDA toolkit or of pip's packages.
#
#   scripts/gpu_check.sh --pack FILE.tar.xz   here: programs, and what they must compute
#   gpu_check.sh all                          there, in the unpacked folder
#   gpu_check.sh PART...                      some of attention, steps, values, frameworks, calls
#
# The last two end within eight minutes and make the most important checks first.
# They print a line for every check that begins with pass, fail or skip, write
# results.json, and exit with 1 if a check has failed.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

usage() { sed -n 's/^#   //p' "$0" >&2; exit 2; }

case "${1-}" in
  --pack)
    [ $# = 2 ] || usage
    source=$(cd "$here/.." && pwd)
    export PYTHONPATH=$source/python:$source/test/EndToEnd
    exec "$source/.venv/bin/python" "$source/test/gpu-check/pack.py" "$2"
    ;;
  all | attention | steps | values | frameworks | calls)
    [ -f "$here/run.py" ] || { echo "error: run this in the folder that --pack has packed" >&2; exit 2; }
    parts=("$@")
    [ "$1" = all ] && parts=(attention steps values frameworks calls)
    exec python3 "$here/run.py" "${parts[@]}"
    ;;
  *) usage ;;
esac
