//===- KernelBody.h - What kernels compute for one element ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the targets, so that a kernel rounds alike on all of them: bf16 and
// f16 are computed in f32, booleans are bytes in memory, elementary functions
// are polynomials.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOSTRT_UTILS_KERNELBODY_H
#define BOOST_MLIR_DIALECT_BOOSTRT_UTILS_KERNELBODY_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::boost::rt {

/// The type that values of `type` are computed in: f32 for bf16 and f16, for
/// vectors too.
Type getComputeType(Type type);

/// The value in the type that it is computed in.
Value widen(OpBuilder &builder, Location loc, Value value);

/// The value rounded to elements of type `element`, if it has others.
Value narrow(OpBuilder &builder, Location loc, Value value, Type element);

/// Clones one operation of the body of a linalg operation with small floats
/// replaced by f32. What the program rounds explicitly stays rounded;
/// arithmetic on small floats is not. Where `mapping` has a vector for an
/// operand, the clone computes vectors of its length: all operands must then be
/// elementwise.
void cloneWidened(OpBuilder &builder, Operation &op, IRMapping &mapping);

/// Computes in f32 what a kernel of written loops does to small floats, and
/// rounds every result.
void widenInPlace(FunctionOpInterface kernel);

/// Makes the elements of buffers of i1 explicit: loads and stores of a kernel
/// become those of bytes, of which LLVM can make vectors.
void storeBooleansAsBytes(FunctionOpInterface kernel);

/// Elementary functions on f32 as polynomials where those are exact enough for
/// every argument, everything else as it is.
LogicalResult expandMath(FunctionOpInterface kernel);

} // namespace mlir::boost::rt

#endif // BOOST_MLIR_DIALECT_BOOSTRT_UTILS_KERNELBODY_H
