//===- Lowering.h - Families of convert-stablehlo-to-linalg -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that the families of patterns share.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOLINALG_LOWERING_H
#define BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOLINALG_LOWERING_H

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::boost {

/// The type in kernels, whose integers have no sign, of a StableHLO tensor.
inline RankedTensorType getKernelType(const TypeConverter *converter,
                                      Type type) {
  return cast<RankedTensorType>(converter->convertType(type));
}

/// Computes one element from the elements at its place.
using ElementBuilder =
    llvm::function_ref<Value(OpBuilder &, Location, ValueRange)>;

/// The map from so many loops to the first `count` of them; getMajorSubMap has
/// none for 0.
AffineMap getLeadingDims(MLIRContext *context, int64_t loops, int64_t count);

/// A linalg.generic that computes every element of a tensor of type `type` on
/// its own; `maps` say which element of each input it reads.
Value buildKernel(OpBuilder &builder, Location loc, RankedTensorType type,
                  ValueRange inputs, ArrayRef<AffineMap> maps,
                  ElementBuilder element);

/// `type` with every element equal to the rank-0 tensor `scalar`.
Value buildFill(OpBuilder &builder, Location loc, RankedTensorType type,
                Value scalar);

/// Builds a reshape, which moves no elements.
Value buildReshape(OpBuilder &builder, Location loc, Value source,
                   RankedTensorType type);

/// Returns true if `lowerScalar` supports the operation on its element types.
bool hasScalarForm(Operation *op);

/// One element of an elementwise operation, from signless elements of its
/// operands. The arithmetic follows the element types of `op`.
Value lowerScalar(OpBuilder &builder, Location loc, Operation *op,
                  ValueRange elements);

/// The region of a reduction, sort, scatter or loop on single elements: what
/// its terminator returns.
SmallVector<Value> lowerScalarRegion(OpBuilder &builder, Location loc,
                                     Region &region, ValueRange arguments);

/// Reads a start index, clamped so that `size` elements lie inside `dim`.
Value clampedStart(OpBuilder &builder, Location loc, Value index,
                   bool isUnsigned, int64_t dim, int64_t size);

/// Succeeds if the operation can be lowered; otherwise emits an error with the
/// reason.
LogicalResult checkLowering(Operation *op);

void populateElementwisePatterns(const TypeConverter &converter,
                                 RewritePatternSet &patterns);
void populateLoopPatterns(const TypeConverter &converter,
                          RewritePatternSet &patterns);
void populateShapePatterns(const TypeConverter &converter,
                           RewritePatternSet &patterns);
void populateScatterPatterns(const TypeConverter &converter,
                             RewritePatternSet &patterns);
void populateSortPatterns(const TypeConverter &converter,
                          RewritePatternSet &patterns);
void populateWindowPatterns(const TypeConverter &converter,
                            RewritePatternSet &patterns);
void populateReductionPatterns(const TypeConverter &converter,
                               RewritePatternSet &patterns);
void populateIndexingPatterns(const TypeConverter &converter,
                              RewritePatternSet &patterns);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_CONVERSION_STABLEHLOTOLINALG_LOWERING_H
