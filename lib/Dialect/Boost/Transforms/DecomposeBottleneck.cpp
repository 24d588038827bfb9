//===- DecomposeBottleneck.cpp - boost.bottleneck to its parts ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes a bottleneck as linears and elementwise operations. A norm inside it
// is applied to the product, not to the input: it is a number per row, and
// after the product there are fewer columns to multiply and nothing in the
// backward pass that needs another rank.
//
//===----------------------------------------------------------------------===//

#include "Decompose.h"

#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"

namespace mlir::boost {
#define GEN_PASS_DEF_DECOMPOSEBOTTLENECKPASS
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

static RankedTensorType getTensorType(Value value) {
  return cast<RankedTensorType>(value.getType());
}

static Value buildLinear(OpBuilder &builder, Location loc, Value input,
                         Value weight) {
  RankedTensorType type = getTensorType(input);
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = getTensorType(weight).getDimSize(1);
  return LinearOp::create(builder, loc,
                          RankedTensorType::get(shape, type.getElementType()),
                          input, weight, /*transposed=*/false);
}

/// `(x * gamma) . down`, times the scale of the norm, if there is one.
static Value buildLatent(OpBuilder &builder, BottleneckOp op) {
  Location loc = op.getLoc();
  Value input = op.getInput();
  if (!op.getGamma())
    return buildLinear(builder, loc, input, op.getDown());
  Value scaled = buildGammaProduct(builder, loc, input, op.getGamma());
  Value product = buildLinear(builder, loc, scaled, op.getDown());
  Value scale =
      buildNormScale(builder, loc, input, op.getEps()->convertToDouble());
  return scaleRows(builder, loc, product, scale);
}

/// Columns [begin, begin + size) of the latent.
static Value buildColumns(OpBuilder &builder, Location loc, Value latent,
                          int64_t begin, int64_t size) {
  RankedTensorType type = getTensorType(latent);
  if (size == type.getShape().back())
    return latent;
  SmallVector<int64_t> start(type.getRank(), 0), limit(type.getShape());
  SmallVector<int64_t> strides(type.getRank(), 1), shape(type.getShape());
  start.back() = begin;
  limit.back() = begin + size;
  shape.back() = size;
  return stablehlo::SliceOp::create(
      builder, loc, RankedTensorType::get(shape, type.getElementType()), latent,
      start, limit, strides);
}

static void decompose(BottleneckOp op) {
  RegionBuilder builder(op);
  Location loc = op.getLoc();
  Value raw = buildLatent(builder, op);
  Value latent = raw;
  if (op.getLatent())
    latent = stablehlo::AddOp::create(builder, loc, raw.getType(), raw,
                                      op.getLatent());
  if (op.getActivation() == Activation::Silu) {
    Value gate =
        stablehlo::LogisticOp::create(builder, loc, latent.getType(), latent);
    latent =
        stablehlo::MulOp::create(builder, loc, latent.getType(), latent, gate);
  }
  int64_t begin = 0;
  for (auto [up, result] : llvm::zip_equal(op.getUps(), op.getResults())) {
    int64_t rank = getTensorType(up).getDimSize(0);
    Value columns = buildColumns(builder, loc, latent, begin, rank);
    result.replaceAllUsesWith(buildLinear(builder, loc, columns, up));
    begin += rank;
  }
  if (op.getLatentOut())
    op.getLatentOut().replaceAllUsesWith(raw);
  op.erase();
}

namespace {
struct DecomposeBottleneck
    : public mlir::boost::impl::DecomposeBottleneckPassBase<
          DecomposeBottleneck> {
  void runOnOperation() override { getOperation()->walk(decompose); }
};
} // namespace
