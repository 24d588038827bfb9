//===- PlacementTable.h - How arguments are sharded -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The decisions of a placement, once for equal layers.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_PLACEMENTTABLE_H
#define BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_PLACEMENTTABLE_H

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/Boost/IR/Mesh.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>
#include <vector>

namespace mlir::boost {

/// The shardings of the arguments of a placed loss, and their reasons. Equal
/// layers have equal shardings, so that each argument of a layer is listed
/// once.
struct PlacementTable {
  /// One argument, or those at one position of equal layers that are sharded
  /// alike for the same reason.
  struct Argument {
    std::string name; ///< parts that differ are an asterisk: "layers.*.norm"
    RankedTensorType type; ///< global
    ShardingAttr sharding;
    StringRef reason;
    int64_t count; ///< of arguments
  };
  /// Equal layers, or what belongs to no layer.
  struct LayerClass {
    int64_t layers; ///< 0: outside of the layers
    std::vector<Argument> arguments;
  };

  std::vector<LayerClass> classes;
  /// Parameters, those that are sharded, and the bytes of all of them and of a
  /// rank's shards.
  int64_t params = 0, sharded = 0, bytes = 0, localBytes = 0;

  /// Returns the table of a loss that boost-place has placed.
  static PlacementTable get(func::FuncOp loss, const Mesh &mesh);
};

} // namespace mlir::boost

#endif // BOOST_MLIR_DIALECT_BOOST_TRANSFORMS_PLACEMENTTABLE_H
