//===- SplitBatching.cpp - Batched products with batch and heads merged ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitBatching.h"

#include "Views.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::raise;
using stablehlo::DotGeneralOp;
using stablehlo::ReshapeOp;

/// Returns true if each of the `merged` sizes is the product of some of
/// `sizes`, in order: repeated heads of keys have the dimensions heads and
/// repeats.
static bool isMergedFrom(ArrayRef<int64_t> merged, ArrayRef<int64_t> sizes) {
  size_t next = 0;
  for (int64_t size : merged) {
    int64_t product = 1;
    while (product < size && next < sizes.size())
      product *= sizes[next++];
    if (product != size)
      return false;
  }
  return llvm::all_of(sizes.drop_front(next),
                      [](int64_t size) { return size == 1; });
}

/// `value` with its first dimension split into `batch`, if it was merged from
/// these; null otherwise.
static Value split(OpBuilder &builder, Value value, ArrayRef<int64_t> batch) {
  Operation *op = value.getDefiningOp();
  ArrayRef<int64_t> shape = getTensorType(value).getShape();
  if (isa_and_nonnull<ReshapeOp>(op)) {
    ArrayRef<int64_t> rest = shape.drop_front();
    ArrayRef<int64_t> from = getTensorType(op->getOperand(0)).getShape();
    if (from.size() < shape.size() || from.take_back(rest.size()) != rest ||
        !isMergedFrom(batch, from.drop_back(rest.size())))
      return {};
    SmallVector<int64_t> to(batch);
    llvm::append_range(to, rest);
    return makeReshape(builder, value.getLoc(), op->getOperand(0), to);
  }
  if (auto convert = dyn_cast_or_null<stablehlo::ConvertOp>(op)) {
    Value inner = split(builder, convert.getOperand(), batch);
    return inner ? stablehlo::convert(builder, value.getLoc(), inner,
                                      getTensorType(value).getElementType())
                 : Value();
  }
  auto transpose = dyn_cast_or_null<stablehlo::TransposeOp>(op);
  if (!transpose || transpose.getPermutation().front() != 0)
    return {};
  Value inner = split(builder, transpose.getOperand(), batch);
  if (!inner)
    return {};
  auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, batch.size()));
  for (int64_t dim : transpose.getPermutation().drop_front())
    permutation.push_back(dim + batch.size() - 1);
  return makeTranspose(builder, value.getLoc(), inner, permutation);
}

/// Returns the sizes into which all readers split the first dimension of
/// `value`; empty if a reader does something else.
static ArrayRef<int64_t> findSplit(Value value) {
  ArrayRef<int64_t> shape = getTensorType(value).getShape(), result;
  for (Operation *user : value.getUsers()) {
    auto reshape = dyn_cast<ReshapeOp>(user);
    if (!reshape)
      return {};
    ArrayRef<int64_t> to = reshape.getType().getShape();
    if (to.size() <= shape.size() || (!result.empty() && to != result) ||
        to.take_back(shape.size() - 1) != shape.drop_front())
      return {};
    result = to;
  }
  return result.empty() ? result : result.drop_back(shape.size() - 1);
}

static void splitBatching(DotGeneralOp dot) {
  auto dims = dot.getDotDimensionNumbers();
  bool isBatched = dims.getLhsBatchingDimensions() == ArrayRef<int64_t>({0}) &&
                   dims.getRhsBatchingDimensions() == ArrayRef<int64_t>({0});
  ArrayRef<int64_t> batch = findSplit(dot.getResult());
  if (!isBatched || batch.empty())
    return;
  OpBuilder builder(dot);
  Value lhs = split(builder, dot.getLhs(), batch);
  Value rhs = lhs ? split(builder, dot.getRhs(), batch) : Value();
  if (!rhs)
    return;
  auto shift = [&](ArrayRef<int64_t> contracting) {
    SmallVector<int64_t> result;
    for (int64_t dim : contracting)
      result.push_back(dim + static_cast<int64_t>(batch.size()) - 1);
    return result;
  };
  auto batching = llvm::to_vector(llvm::seq<int64_t>(0, batch.size()));
  auto apart = stablehlo::DotDimensionNumbersAttr::get(
      dot.getContext(), batching, batching,
      shift(dims.getLhsContractingDimensions()),
      shift(dims.getRhsContractingDimensions()));
  Value product = stablehlo::dotGeneral(builder, dot.getLoc(), lhs, rhs, apart,
                                        getTensorType(dot).getElementType());
  product.getDefiningOp<DotGeneralOp>().setPrecisionConfigAttr(
      dot.getPrecisionConfigAttr());
  for (Operation *user : llvm::make_early_inc_range(dot->getUsers()))
    user->getResult(0).replaceAllUsesWith(product);
}

void raise::splitBatching(Block &block) {
  SmallVector<DotGeneralOp> products(block.getOps<DotGeneralOp>());
  // Operands of later products are results of earlier ones.
  for (DotGeneralOp dot : products)
    ::splitBatching(dot);
}
