//===- Contraction.cpp - Products as BLAS calls ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operand is a stack of row-major matrices if its batching, free and
// contracted dimensions stand together and in order; which of the last two
// comes first is the gemm's transpose flag. Dimensions of size 1 may stand
// anywhere. Only what fits neither way is transposed in memory.
//
//===----------------------------------------------------------------------===//

#include "Contraction.h"

#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::boost;
namespace hlo = mlir::boost::stablehlo;

namespace {

/// One operand of a product: its dimensions by role, in the order in which the
/// product pairs and returns them.
struct Operand {
  Value value;
  SmallVector<int64_t> batch, free, contracted;

  RankedTensorType type() const {
    return cast<RankedTensorType>(value.getType());
  }
  int64_t count(ArrayRef<int64_t> dims) const {
    int64_t product = 1;
    for (int64_t dim : dims)
      product *= type().getDimSize(dim);
    return product;
  }
  bool isLaidOut(ArrayRef<int64_t> second, ArrayRef<int64_t> third) const;
  void readThroughTransposes();
};

enum class Layout { FreeFirst, ContractedFirst, Neither };

} // namespace

/// Whether the dimensions stand in memory as batch, `second`, `third`.
bool Operand::isLaidOut(ArrayRef<int64_t> second,
                        ArrayRef<int64_t> third) const {
  int64_t last = -1;
  for (ArrayRef<int64_t> group : {ArrayRef<int64_t>(batch), second, third})
    for (int64_t dim : group) {
      if (type().getDimSize(dim) == 1)
        continue;
      if (dim < last)
        return false;
      last = dim;
    }
  return true;
}

/// A transposed operand is its source with the dimensions renamed.
void Operand::readThroughTransposes() {
  while (auto transpose = value.getDefiningOp<hlo::TransposeOp>()) {
    for (SmallVector<int64_t> *dims : {&batch, &free, &contracted})
      for (int64_t &dim : *dims)
        dim = transpose.getPermutation()[dim];
    value = transpose.getOperand();
  }
}

static Layout findLayout(const Operand &operand) {
  if (operand.isLaidOut(operand.free, operand.contracted))
    return Layout::FreeFirst;
  if (operand.isLaidOut(operand.contracted, operand.free))
    return Layout::ContractedFirst;
  return Layout::Neither;
}

static Operand makeOperand(Value value, ArrayRef<int64_t> batch,
                           ArrayRef<int64_t> contracted) {
  Operand operand{
      value, SmallVector<int64_t>(batch), {}, SmallVector<int64_t>(contracted)};
  for (int64_t dim = 0; dim < operand.type().getRank(); ++dim)
    if (!llvm::is_contained(batch, dim) && !llvm::is_contained(contracted, dim))
      operand.free.push_back(dim);
  operand.readThroughTransposes();
  return operand;
}

/// The order of the contracted pairs is free: that of `leader` in memory.
static void orderContracted(Operand &leader, Operand &follower) {
  SmallVector<std::pair<int64_t, int64_t>> pairs;
  for (auto [a, b] : llvm::zip_equal(leader.contracted, follower.contracted))
    pairs.emplace_back(a, b);
  llvm::sort(pairs);
  for (auto [i, pair] : llvm::enumerate(pairs))
    std::tie(leader.contracted[i], follower.contracted[i]) = pair;
}

/// Chooses the order of pairs that leaves fewer operands to transpose.
static void orderContracted(Operand *lhs, Operand *rhs) {
  auto misfits = [&] {
    return (findLayout(*lhs) == Layout::Neither) +
           (findLayout(*rhs) == Layout::Neither);
  };
  orderContracted(*lhs, *rhs);
  int byLhs = misfits();
  if (byLhs == 0)
    return;
  orderContracted(*rhs, *lhs);
  if (misfits() >= byLhs)
    orderContracted(*lhs, *rhs);
}

/// Copies an operand that fits no layout into batch, free, contracted order.
static void makeDense(OpBuilder &builder, Location loc, Operand &operand) {
  SmallVector<int64_t> permutation(operand.batch);
  llvm::append_range(permutation, operand.free);
  llvm::append_range(permutation, operand.contracted);
  operand.value = hlo::transpose(builder, loc, operand.value, permutation);
  int64_t next = 0;
  for (SmallVector<int64_t> *dims :
       {&operand.batch, &operand.free, &operand.contracted})
    for (int64_t &dim : *dims)
      dim = next++;
}

/// The transpose that is the only user and swaps the free dimensions of both
/// operands, if there is one.
static hlo::TransposeOp findSwap(hlo::DotGeneralOp op, int64_t batch,
                                 int64_t lhsFree, int64_t rhsFree) {
  if (!op->hasOneUse())
    return {};
  auto transpose = dyn_cast<hlo::TransposeOp>(*op->user_begin());
  if (!transpose)
    return {};
  SmallVector<int64_t> swapped;
  llvm::append_range(swapped, llvm::seq<int64_t>(0, batch));
  llvm::append_range(swapped,
                     llvm::seq(batch + lhsFree, batch + lhsFree + rhsFree));
  llvm::append_range(swapped, llvm::seq(batch, batch + lhsFree));
  return transpose.getPermutation() == ArrayRef<int64_t>(swapped)
             ? transpose
             : hlo::TransposeOp();
}

static Value buildGemm(OpBuilder &builder, Location loc, const Operand &lhs,
                       const Operand &rhs, RankedTensorType type) {
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  auto gemm = rt::GemmOp::create(
      builder, loc, TypeRange(type), lhs.value, rhs.value, empty,
      lhs.count(lhs.batch), lhs.count(lhs.free), rhs.count(rhs.free),
      lhs.count(lhs.contracted), findLayout(lhs) == Layout::ContractedFirst,
      findLayout(rhs) == Layout::FreeFirst, /*broadcast_a=*/false,
      /*broadcast_b=*/false);
  return gemm->getResult(0);
}

void mlir::boost::convertDotGeneral(IRRewriter &rewriter,
                                    hlo::DotGeneralOp op) {
  rewriter.setInsertionPoint(op);
  hlo::DotDimensionNumbersAttr dims = op.getDotDimensionNumbers();
  Operand lhs = makeOperand(op.getLhs(), dims.getLhsBatchingDimensions(),
                            dims.getLhsContractingDimensions());
  Operand rhs = makeOperand(op.getRhs(), dims.getRhsBatchingDimensions(),
                            dims.getRhsContractingDimensions());
  Operation *result = op;
  if (hlo::TransposeOp swap =
          findSwap(op, lhs.batch.size(), lhs.free.size(), rhs.free.size())) {
    std::swap(lhs, rhs);
    result = swap;
  }
  orderContracted(&lhs, &rhs);
  for (Operand *operand : {&lhs, &rhs})
    if (findLayout(*operand) == Layout::Neither)
      makeDense(rewriter, op.getLoc(), *operand);
  Value gemm =
      buildGemm(rewriter, op.getLoc(), lhs, rhs,
                cast<RankedTensorType>(result->getResult(0).getType()));
  gemm.getDefiningOp()->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.replaceAllUsesWith(result->getResult(0), gemm);
}

void mlir::boost::convertLinear(IRRewriter &rewriter, LinearOp op) {
  rewriter.setInsertionPoint(op);
  int64_t last = cast<RankedTensorType>(op.getInput().getType()).getRank() - 1;
  Operand input = makeOperand(op.getInput(), {}, last);
  Operand weight = makeOperand(op.getWeight(), {}, op.getTransposed() ? 1 : 0);
  for (Operand *operand : {&input, &weight})
    if (findLayout(*operand) == Layout::Neither)
      makeDense(rewriter, op.getLoc(), *operand);
  Value gemm = buildGemm(rewriter, op.getLoc(), input, weight,
                         cast<RankedTensorType>(op.getResult().getType()));
  gemm.getDefiningOp()->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.replaceAllUsesWith(op.getResult(), gemm);
}
