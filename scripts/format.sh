#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Formats the C++ sources with clang-format 22; --check only reports.
set -euo pipefail
cd "$(dirname "$0")/.."
mode=(-i)
[ "${1:-}" = --check ] && mode=(--dry-run -Werror)
git ls-files '*.h' '*.cpp' '*.c' '*.cu' '*.cuh' | xargs clang-format-22 "${mode[@]}"
