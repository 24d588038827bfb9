//===- Mesh.h - The mesh of ranks and boost.split ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads `shard.grid @mesh` and the `boost.split` attributes that speak of it.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_MESH_H
#define BOOST_MLIR_DIALECT_BOOST_IR_MESH_H

#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "boost-mlir/Interfaces/ShardingRule.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include <string>

namespace mlir::boost {

/// The mesh of a module: named axes in row-major order, the last one fastest.
class Mesh {
public:
  /// Reads `shard.grid @mesh` of the module around `op`. Emits an error at `op`
  /// if there is none or it does not name its axes.
  static FailureOr<Mesh> get(Operation *op);

  /// For tests and builders of meshes.
  Mesh(ArrayRef<std::string> names, ArrayRef<int64_t> sizes);

  unsigned getRank() const { return sizes.size(); }
  int64_t getAxisSize(unsigned axis) const { return sizes[axis]; }
  StringRef getAxisName(unsigned axis) const { return names[axis]; }

  /// The number of parts that the axes cut something into.
  int64_t getSize(AxisMask axes) const;

  /// The axes of size above 1.
  AxisMask getUsedAxes() const;

  /// The indices of the axes, ascending.
  SmallVector<int16_t> getAxes(AxisMask axes) const;

  /// "dp, tp"
  std::string describe(AxisMask axes) const;

  /// Reads a `boost.split` for a tensor of global type `type`; axes of size 1
  /// cut nothing and are left out. Returns a message that says what is wrong,
  /// or an empty string.
  std::string parseSplit(Attribute attr, RankedTensorType type,
                         Split &split) const;
  /// The same for the type of one rank's part.
  std::string parseLocalSplit(Attribute attr, RankedTensorType type,
                              Split &split) const;

  /// Reads a `boost.partial`; where there is none, nothing is partial. Returns
  /// a message that says what is wrong, or an empty string.
  std::string parsePartial(Attribute attr, AxisMask &axes) const;
  ArrayAttr getPartialAttr(MLIRContext *context, AxisMask axes) const;

  /// The `boost.split` of a split.
  ArrayAttr getSplitAttr(MLIRContext *context, ArrayRef<AxisMask> split) const;

  /// The type of one rank's part. Every cut dimension must divide.
  RankedTensorType getLocalType(RankedTensorType global,
                                ArrayRef<AxisMask> split) const;
  /// The type whose parts have the type `local`.
  RankedTensorType getGlobalType(RankedTensorType local,
                                 ArrayRef<AxisMask> split) const;

private:
  std::string parseAxes(unsigned dim, Attribute entry, AxisMask &seen,
                        AxisMask &axes) const;

  SmallVector<std::string> names;
  SmallVector<int64_t> sizes;
};

/// All axes that cut some dimension.
AxisMask getAxesOf(ArrayRef<AxisMask> split);

} // namespace mlir::boost

#endif // BOOST_MLIR_DIALECT_BOOST_IR_MESH_H
