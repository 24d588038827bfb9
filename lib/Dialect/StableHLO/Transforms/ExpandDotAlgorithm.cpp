//===- ExpandDotAlgorithm.cpp - Roundings of products, written out --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/DotAlgorithm.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h"

namespace mlir::boost::stablehlo {
#define GEN_PASS_DEF_EXPANDDOTALGORITHMPASS
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace mlir::boost::stablehlo

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::stablehlo;

bool stablehlo::isSupported(DotAlgorithmAttr algorithm) {
  Type type = algorithm.getLhsPrecisionType();
  Type sum = algorithm.getAccumulationType();
  bool isOneProduct = algorithm.getLhsComponentCount() == 1 &&
                      algorithm.getRhsComponentCount() == 1 &&
                      algorithm.getNumPrimitiveOperations() == 1;
  if (!isOneProduct || type != algorithm.getRhsPrecisionType())
    return false;
  return type.isF64()
             ? sum.isF64()
             : sum.isF32() &&
                   isa<Float16Type, BFloat16Type, FloatTF32Type, Float32Type>(
                       type);
}

/// `value` with its elements rounded to `type`, in as small a type as they fit.
static Value roundTo(OpBuilder &builder, Location loc, Value value, Type type) {
  if (!type.isTF32())
    return convert(builder, loc, value, type);
  // Every f16 and every bf16 is a tf32, which is an f32 with 10 bits of
  // mantissa.
  auto tensor = cast<RankedTensorType>(value.getType());
  if (tensor.getElementTypeBitWidth() < 32)
    return value;
  value = convert(builder, loc, value, builder.getF32Type());
  return ReducePrecisionOp::create(builder, loc, value.getType(), value,
                                   /*exponent_bits=*/8, /*mantissa_bits=*/10);
}

static void expand(DotGeneralOp op) {
  DotAlgorithmAttr algorithm = op.getAlgorithmAttr();
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Type type = algorithm.getLhsPrecisionType();
  Value lhs = roundTo(builder, loc, op.getLhs(), type);
  Value rhs = roundTo(builder, loc, op.getRhs(), type);
  // A product may round its sum once to the type of its operands.
  Type element = op.getType().getElementType();
  bool isNative =
      element == cast<RankedTensorType>(lhs.getType()).getElementType() ||
      element == algorithm.getAccumulationType();
  Value product =
      dotGeneral(builder, loc, lhs, rhs, op.getDotDimensionNumbers(),
                 isNative ? element : algorithm.getAccumulationType());
  op.replaceAllUsesWith(convert(builder, loc, product, element));
  op.erase();
}

namespace {

struct ExpandDotAlgorithmPass
    : stablehlo::impl::ExpandDotAlgorithmPassBase<ExpandDotAlgorithmPass> {
  void runOnOperation() override {
    SmallVector<DotGeneralOp> products;
    getOperation()->walk([&](DotGeneralOp op) {
      if (op.getAlgorithm())
        products.push_back(op);
    });
    for (DotGeneralOp op : products) {
      if (isSupported(op.getAlgorithmAttr())) {
        expand(op);
        continue;
      }
      op.emitError() << describeUnsupported(op.getAlgorithmAttr());
      signalPassFailure();
    }
  }
};

} // namespace

std::string stablehlo::describeUnsupported(DotAlgorithmAttr algorithm) {
  std::string text;
  llvm::raw_string_ostream(text)
      << "a product by the algorithm " << algorithm
      << " is not supported; supported are those of one product of f16, bf16, "
         "tf32 or f32 added up in f32, or of f64 in f64";
  return text;
}
