# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A page about a compiled program: what its plan predicts and how training went.

    python -m boost_mlir.report plan.json log.jsonl --trace trace.json -o report.html

`plan`, `log` and `trace` read the files, `step`, `measured`, `memory`, `collectives`,
`placements` and `training` make one section each, `page` puts them together, and `bars` and `plots` draw.
Only the standard library is used.
"""
