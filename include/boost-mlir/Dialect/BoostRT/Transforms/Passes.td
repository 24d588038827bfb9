//===- Passes.td - Passes on the runtime level -------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From tensors in destination style to memrefs in one arena and kernels.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOSTRT_TRANSFORMS_PASSES_TD
#define BOOST_MLIR_DIALECT_BOOSTRT_TRANSFORMS_PASSES_TD

include "boost-mlir/Dialect/BoostRT/Transforms/TensorPasses.td"
include "boost-mlir/Dialect/BoostRT/Transforms/MemoryPasses.td"
include "boost-mlir/Dialect/BoostRT/Transforms/KernelPasses.td"

#endif // BOOST_MLIR_DIALECT_BOOSTRT_TRANSFORMS_PASSES_TD
