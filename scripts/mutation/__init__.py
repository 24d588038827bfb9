# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random one-line mutations of the sources, for scripts/mutate.py."""
