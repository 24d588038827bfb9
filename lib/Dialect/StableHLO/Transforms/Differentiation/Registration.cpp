//===- Registration.cpp - Gradients of StableHLO operations ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The list of families, and what they share.
//
//===----------------------------------------------------------------------===//

#include "Rules.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/Differentiation.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace mlir::boost;

Type stablehlo::getAccumulationType(Type elementType) {
  auto floatType = dyn_cast<FloatType>(elementType);
  if (floatType && floatType.getWidth() < 32)
    return Float32Type::get(elementType.getContext());
  return elementType;
}

Value stablehlo::sumOver(GradientBuilder &b, Value value,
                         ArrayRef<int64_t> dims) {
  Location loc = b.getLoc();
  Type elementType = getTensorType(value).getElementType();
  Value wide = convert(b, loc, value, getAccumulationType(elementType));
  return convert(b, loc, reduceSum(b, loc, wide, dims), elementType);
}

Value stablehlo::sumOfAll(GradientBuilder &b, Value value) {
  int64_t rank = getTensorType(value).getRank();
  return sumOver(b, value, llvm::to_vector(llvm::seq<int64_t>(0, rank)));
}

void stablehlo::registerDifferentiationRules(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, StableHLODialect *) {
    attachContractionRules(*context);
    attachElementwiseRules(*context);
    attachIndexingRules(*context);
    attachReductionRules(*context);
    attachScatterRules(*context);
    attachShapeRules(*context);
    attachSortRules(*context);
    attachWindowRules(*context);
  });
}
