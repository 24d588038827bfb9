# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""boost-mlir's Python side: models, export to StableHLO, token files, the oracle.

`boost_mlir.export` and `boost_mlir.data` are commands as well: run them with
`python -m`. Nothing is imported here, so that `data` starts without JAX.
"""
