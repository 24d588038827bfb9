# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pictures of README.md and the pages, as SVG."""
