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
#include "boost-mlir/Support/TensorTypes.h"

namespace mlir::boost {
#define GEN_PASS_DEF_DECOMPOSEBOTTLENECKPASS
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

/// `input . weight` over the last dimension of the one and the first of the
/// other.
static Value buildProduct(OpBuilder &builder, Location loc, Value input,
                          Value weight) {
  RankedTensorType type = getTensorType(input);
  ArrayRef<int64_t> columns = getTensorType(weight).getShape().drop_front();
  if (columns.size() > 1)
    return stablehlo::dotGeneral(
        builder, loc, input, weight,
        stablehlo::DotDimensionNumbersAttr::get(builder.getContext(), {}, {},
                                                {type.getRank() - 1}, {0}));
  SmallVector<int64_t> shape(type.getShape());
  shape.back() = columns.front();
  return LinearOp::create(builder, loc,
                          RankedTensorType::get(shape, type.getElementType()),
                          input, weight, /*transposed=*/false);
}

/// `x . down`, of the norm of x if there is one. Adds the products with `down`
/// to `products`.
static Value buildLatent(OpBuilder &builder, BottleneckOp op,
                         SmallVectorImpl<Operation *> &products) {
  Location loc = op.getLoc();
  auto buildDown = [&](Value input) {
    Value product = buildProduct(builder, loc, input, op.getDown());
    products.push_back(product.getDefiningOp());
    return product;
  };
  if (!op.getGamma())
    return buildDown(op.getInput());
  if (op.getBeta())
    return buildProductOfLayerNorm(builder, loc, op.getInput(), op.getGamma(),
                                   op.getBeta(), op.getEps()->convertToDouble(),
                                   buildDown);
  return buildProductOfNorm(builder, loc, op.getInput(), op.getGamma(),
                            op.getEps()->convertToDouble(), buildDown);
}

/// Elements [begin, begin + size) of a dimension.
static Value buildPart(OpBuilder &builder, Location loc, Value whole,
                       int64_t dim, int64_t begin, int64_t size) {
  RankedTensorType type = getTensorType(whole);
  SmallVector<int64_t> start(type.getRank(), 0), limit(type.getShape());
  SmallVector<int64_t> strides(type.getRank(), 1);
  start[dim] = begin;
  limit[dim] = begin + size;
  return builder.createOrFold<stablehlo::SliceOp>(loc, whole, start, limit,
                                                  strides);
}

/// Returns the part of the latent, [batch..., r] or [batch..., branches, r],
/// that one up factor reads: [batch..., r_i], or [batch..., branches_i, r_i]
/// for several branches. `begin` counts columns of all branches and is
/// advanced.
static Value buildBranchLatent(OpBuilder &builder, Location loc, Value latent,
                               Value up, int64_t batchRank, int64_t &begin) {
  RankedTensorType type = getTensorType(latent);
  ArrayRef<int64_t> shape = getTensorType(up).getShape().drop_back();
  int64_t width = ShapedType::getNumElements(shape);
  int64_t last = type.getRank() - 1;
  Value part = last > batchRank
                   ? buildPart(builder, loc, latent, batchRank,
                               begin / type.getDimSize(last),
                               width / type.getDimSize(last))
                   : buildPart(builder, loc, latent, last, begin, width);
  begin += width;
  SmallVector<int64_t> wanted(type.getShape().take_front(batchRank));
  llvm::append_range(wanted, shape);
  return stablehlo::reshape(builder, loc, part, wanted);
}

/// The result of one up factor: a linear, or one product per branch.
static Value buildUp(OpBuilder &builder, Location loc, Value latent, Value up) {
  if (getTensorType(up).getRank() == 2)
    return buildProduct(builder, loc, latent, up);
  int64_t last = getTensorType(latent).getRank() - 1;
  return stablehlo::dotGeneral(
      builder, loc, latent, up,
      stablehlo::DotDimensionNumbersAttr::get(builder.getContext(), {last - 1},
                                              {0}, {last}, {1}));
}

/// Replaces a result by a value with the same sharding.
static void replaceResult(OpResult result, Value value) {
  Operation *op = result.getOwner();
  if (auto shardings = op->getAttrOfType<ArrayAttr>(kShardingsAttr))
    if (Operation *maker = value.getDefiningOp())
      maker->setAttr(kShardingsAttr,
                     ArrayAttr::get(op->getContext(),
                                    shardings[result.getResultNumber()]));
  result.replaceAllUsesWith(value);
}

BottleneckParts mlir::boost::decomposeBottleneck(BottleneckOp op) {
  ComponentBuilder builder(op);
  Location loc = op.getLoc();
  BottleneckParts parts;
  Value raw = buildLatent(builder, op, parts.firstProducts);
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
  int64_t batchRank = getTensorType(op.getInput()).getRank() - 1, begin = 0;
  for (auto [up, result] : llvm::zip_equal(op.getUps(), op.getResults())) {
    Value branch =
        buildBranchLatent(builder, loc, latent, up, batchRank, begin);
    Value product = buildUp(builder, loc, branch, up);
    parts.secondProducts.push_back(product.getDefiningOp());
    replaceResult(cast<OpResult>(result), product);
  }
  if (op.getLatentOut())
    op.getLatentOut().replaceAllUsesWith(raw);
  op.erase();
  parts.product = raw;
  parts.latent = latent;
  return parts;
}

namespace {
struct DecomposeBottleneck
    : public mlir::boost::impl::DecomposeBottleneckPassBase<
          DecomposeBottleneck> {
  void runOnOperation() override {
    SmallVector<BottleneckOp> bottlenecks;
    getOperation()->walk([&](BottleneckOp op) { bottlenecks.push_back(op); });
    // The last first: what is built for one may look for norms before it.
    for (BottleneckOp op : llvm::reverse(bottlenecks))
      decomposeBottleneck(op);
  }
};
} // namespace
