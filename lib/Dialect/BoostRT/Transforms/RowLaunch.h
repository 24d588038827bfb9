//===- RowLaunch.h - Kernels that work on rows ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_ROWLAUNCH_H
#define BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_ROWLAUNCH_H

#include "boost-mlir/Dialect/BoostRT/IR/AccessPattern.h"
#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "boost-mlir/Dialect/BoostRT/Utils/LoopNest.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <optional>

namespace mlir::boost::rt {

/// The arguments of a kernel before its buffers: begin and end.
inline constexpr unsigned kFirstBuffer = 2;

/// Bytes that a call touches.
struct Access {
  Value root;
  AccessPattern bytes;
  /// The buffer of the memory plan: another one may take its place later.
  int64_t buffer = -1;
  bool isWritten = false;

  bool meets(const Access &other, PatternRelations &relations) const {
    return root == other.root && relations.intersects(bytes, other.bytes);
  }
};

/// A launch whose kernel does one operation to rows.
struct RowLaunch {
  LaunchOp launch;
  linalg::GenericOp op;
  /// The loops, of which the first one is that over rows. Those of a sum of
  /// columns are one over chunks of rows, one over the rows of a chunk, and the
  /// others over columns.
  LoopNest nest;
  /// The chunks of rows in which the operation sums columns; 0 if it does not.
  int64_t chunks = 0;
  /// By buffer, how the operation sees it by rows, and what it touches.
  SmallVector<MemRefType> types;
  SmallVector<Access> accesses;

  func::FuncOp getKernel() { return op->getParentOfType<func::FuncOp>(); }
};

/// Returns the only operation of a kernel, if it is one of
/// boostrt-outline-kernels that reads what its loops walk through, or null.
linalg::GenericOp findOperation(func::FuncOp kernel);

/// Returns the number of rows that the operation reduces, each to one element
/// of every result, and of which each lies closer together than different ones
/// do; 0 if it does not reduce rows.
int64_t countReducedRows(linalg::GenericOp op);

/// What boostrt-split-reductions makes of a sum of columns: one sum of every
/// column for each of several chunks of rows.
struct ColumnSum {
  /// The loops over chunks and over the rows of a chunk, and those over
  /// columns.
  LoopNest nest;
  int64_t rows = 0, chunks = 0;
};

/// Returns the operation as a sum of columns whose rows
/// boostrt-join-row-kernels may divide among blocks of threads, or nothing.
std::optional<ColumnSum> findColumnSum(linalg::GenericOp op);

/// Divides the loop over rows of a launch into one over chunks and one over the
/// rows of a chunk, and sees the buffers so.
void divideIntoChunks(RowLaunch &launch, int64_t chunks);

/// Returns what a call touches, or nothing if that is not known.
std::optional<SmallVector<Access>> findAccesses(Operation *call);

/// Returns what a launch, whose operation is `op`, does to `rows` rows, or
/// nothing if it does not work on so many.
std::optional<RowLaunch> findRowLaunch(LaunchOp launch, linalg::GenericOp op,
                                       int64_t rows);

} // namespace mlir::boost::rt

#endif // BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_ROWLAUNCH_H
