//===- KernelBytes.h - What kernels move, and must move ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_ANALYSIS_KERNELBYTES_H
#define BOOST_MLIR_ANALYSIS_KERNELBYTES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::boost {

/// Bytes that the kernels of a function read and write, and the fewest that
/// kernels between the same calls could. That is what calls of the runtime
/// (products, attention, collectives, the optimizer) and the arguments hand to
/// kernels, read once in each phase, and what kernels hand to calls and
/// results, written once; what kernels hand to each other need not be in
/// memory.
///
/// No kernel can do the work of one that hands a value to a call and of one
/// that needs a result of the call, nor of two in different phases. What the
/// first of them writes and the second reads, such as the residual stream
/// between products, is `carried` in memory: written once, unless a call reads
/// it too, and read once in each phase. That the second one could compute it
/// again is not considered.
struct KernelBytes {
  int64_t moved = 0;
  int64_t needed = 0;
  int64_t carried = 0;
};

/// Counts a function at the runtime level after boostrt-outline-kernels, whose
/// attributes `boostrt.reads` and `boostrt.writes` tell which values are where.
KernelBytes countKernelBytes(func::FuncOp function);

} // namespace mlir::boost

#endif // BOOST_MLIR_ANALYSIS_KERNELBYTES_H
