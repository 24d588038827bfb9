#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Generates the reference of passes and operations from TableGen into
# docs/generated; --check fails when what is committed is stale.
set -euo pipefail
cd "$(dirname "$0")/.."

tblgen=$(command -v mlir-tblgen-22 || echo /usr/lib/llvm-22/bin/mlir-tblgen)
includes=(-I include -I "$(llvm-config-22 --includedir)")
target=docs/generated
[ "${1:-}" = --check ] && target=$(mktemp -d)
mkdir -p "$target"

# include/boost-mlir/Dialect/Boost/Transforms/Passes.td -> BoostTransformsPasses.md
passes_page() {
  local path=${1#include/boost-mlir/}
  path=${path#Dialect/}
  path=${path%.td}
  echo "${path//\//}.md"
}

while read -r td; do
  case "$td" in
    */Passes.td) "$tblgen" "${includes[@]}" -gen-pass-doc "$td" -o "$target/$(passes_page "$td")" ;;
    *Ops.td)
      dialect=$(basename "$td" Ops.td | tr '[:upper:]' '[:lower:]')
      "$tblgen" "${includes[@]}" -gen-dialect-doc -dialect="$dialect" "$td" -o "$target/$dialect.md"
      # Operations with a header of their own.
      for more in "${td%Ops.td}"{Choice,Factorization,StopGradient}.td; do
        if [ -e "$more" ]; then
          "$tblgen" "${includes[@]}" -gen-op-doc -op-include-regex="^$dialect\\." "$more" |
            tail -n +2 >> "$target/$dialect.md"
        fi
      done ;;
  esac
done < <(find include/boost-mlir -name Passes.td -o -name '*Ops.td' | sort)

if [ "$target" != docs/generated ]; then
  diff -r docs/generated "$target" || { echo "docs/generated is stale: run scripts/docs.sh" >&2; exit 1; }
fi
