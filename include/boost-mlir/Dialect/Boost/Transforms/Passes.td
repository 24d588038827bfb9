//===- Passes.td - Passes on the boost dialect -------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that read and write boost and StableHLO operations, by stage of the compiler.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_PASSES_TD
#define BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_PASSES_TD

include "boost-mlir/Dialect/Boost/Transforms/StructurePasses.td"
include "boost-mlir/Dialect/Boost/Transforms/PlacePasses.td"
include "boost-mlir/Dialect/Boost/Transforms/DecomposePasses.td"
include "boost-mlir/Dialect/Boost/Transforms/DifferentiatePasses.td"
include "boost-mlir/Dialect/Boost/Transforms/PartitionPasses.td"
include "boost-mlir/Dialect/Boost/Transforms/CollectivesPasses.td"
include "boost-mlir/Dialect/Boost/Transforms/RematerializePasses.td"
include "boost-mlir/Dialect/Boost/Transforms/SchedulePasses.td"

#endif // BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_PASSES_TD
