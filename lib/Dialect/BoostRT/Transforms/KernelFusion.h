//===- KernelFusion.h - What kernels may become one -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Queries of the passes that fuse kernels on tensors.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_KERNELFUSION_H
#define BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_KERNELFUSION_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace mlir::boost::rt {

/// The cost of a body besides the memory that it reads.
enum class BodyCost { Movement, Cheap, Expensive };

BodyCost findBodyCost(linalg::GenericOp op);

/// Returns true if a body adds to its output, as a product of integers does. It
/// must see each element once, even where it has no loop to add over.
bool accumulates(linalg::GenericOp op);

/// Returns true if a kernel on tensors computes elements one by one, and has at
/// least one.
bool isElementwise(linalg::GenericOp op);

/// Returns true if both together are a kernel of bounded size. A kernel that
/// computes this much per element, or reads this many streams, gains little by
/// not writing a value and reading it again; and a body is copied whenever it
/// grows, which takes time quadratic in its size.
bool fitOneKernel(linalg::GenericOp first, linalg::GenericOp second);

/// Returns true if the kernel adds tensors, some of them products that nothing
/// else reads: boostrt-accumulate-products may remove it.
bool addsProducts(linalg::GenericOp op);

/// The parts of a step: forward, backward, update. What is computed in one of
/// them for another one is kept in memory in between.
class Phases {
public:
  explicit Phases(Block &block);
  /// Returns true if both operations of the block belong to the same part.
  bool areTogether(Operation *a, Operation *b) const;

private:
  SmallVector<Operation *, 2> markers;
};

} // namespace mlir::boost::rt

#endif // BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_KERNELFUSION_H
