# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A page about a compiled program: what its plan predicts and how training went.

    python -m boost_mlir.report plan.json log.jsonl -o report.html

`plan` and `log` read the two files, `step`, `memory`, `collectives`, `placements` and
`training` make one section each, `page` puts them together, and `bars` and `plots` draw.
Only the standard library is used.
"""
