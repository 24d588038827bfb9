//===- Window.h - How windows move over tensors -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The optional attributes of operations over windows with their defaults filled
// in, and the windows that are cumulative.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_STABLEHLO_IR_WINDOW_H
#define BOOST_MLIR_DIALECT_STABLEHLO_IR_WINDOW_H

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"

namespace mlir::boost::stablehlo {

/// The movement of a window over one dimension.
struct WindowDim {
  int64_t size = 1, stride = 1, dilation = 1;
  int64_t baseDilation = 1, low = 0, high = 0;

  /// Returns true if every element has its own window.
  bool isTrivial() const;
  /// Returns the number of windows over `extent` elements.
  int64_t getResultSize(int64_t extent) const;
  /// Returns the index among `extent` elements of offset `offset` in window
  /// `position`; nullopt between elements and in the padding.
  std::optional<int64_t> getSource(int64_t position, int64_t offset,
                                   int64_t extent) const;
};

/// One entry per dimension.
SmallVector<WindowDim> getWindow(ReduceWindowOp op);
SmallVector<WindowDim> getWindow(SelectAndScatterOp op);
/// One entry per spatial dimension.
SmallVector<WindowDim> getWindow(ConvolutionOp op);

/// A reduce_window whose result `i` along `dim` combines elements 0 to `i`, or,
/// if reversed, `i` to the last.
struct Scan {
  int64_t dim;
  bool isReversed;
};

std::optional<Scan> matchScan(ReduceWindowOp op);

/// The attributes of a window; `padding` is a tensor<Nx2xi64>.
ReduceWindowOp createReduceWindow(OpBuilder &builder, Location loc,
                                  ValueRange inputs, ValueRange inits,
                                  ArrayRef<WindowDim> window);

} // namespace mlir::boost::stablehlo

#endif // BOOST_MLIR_DIALECT_STABLEHLO_IR_WINDOW_H
