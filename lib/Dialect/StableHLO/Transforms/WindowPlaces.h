//===- WindowPlaces.h - Elements of windows by number -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_STABLEHLO_TRANSFORMS_WINDOWPLACES_H
#define BOOST_MLIR_LIB_DIALECT_STABLEHLO_TRANSFORMS_WINDOWPLACES_H

#include "boost-mlir/Dialect/StableHLO/IR/Window.h"

namespace mlir::boost::stablehlo {

/// The dimensions that a window moves along as one, the flat dimension. It
/// takes the place of the first of them; the other dimensions keep their order.
class WindowPlaces {
public:
  WindowPlaces(RankedTensorType type, ArrayRef<WindowDim> window);

  /// Returns, for every element, its position along the flat dimension.
  Value number(OpBuilder &builder, Location loc) const;
  /// The element type of places; an index from -1 to one behind the last.
  Type getPlaceType() const;

  /// A tensor over `type` or over its windows with the flat dimension.
  Value flatten(OpBuilder &builder, Location loc, Value value) const;
  /// The inverse, for tensors over `type`.
  Value restore(OpBuilder &builder, Location loc, Value value) const;
  RankedTensorType getFlatType() const;
  int64_t getFlatDim() const { return before; }

private:
  RankedTensorType type;
  SmallVector<int64_t> moving;
  /// The order of dimensions in which those that move are neighbors.
  SmallVector<int64_t> order;
  /// The number of dimensions before them.
  int64_t before = 0;
};

/// Returns the dimension numbers of a scatter that adds to elements along `dim`
/// at indices of the shape of the updates; the other dimensions stay.
ScatterDimensionNumbersAttr getScatterAlong(MLIRContext *context, int64_t rank,
                                            int64_t dim);

} // namespace mlir::boost::stablehlo

#endif // BOOST_MLIR_LIB_DIALECT_STABLEHLO_TRANSFORMS_WINDOWPLACES_H
