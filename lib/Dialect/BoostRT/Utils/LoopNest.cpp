//===- LoopNest.cpp - Loops of a linalg op with linear addresses ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the strided form of a linalg.generic and normalizes it.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/BoostRT/Utils/LoopNest.h"
#include "boost-mlir/Dialect/BoostRT/IR/StridedLayout.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::boost::rt;

MemRefType NestOperand::getType(ArrayRef<NestLoop> loops) const {
  SmallVector<int64_t> shape, used;
  for (auto [loop, stride] : llvm::zip_equal(loops, strides)) {
    if (stride == 0)
      continue;
    shape.push_back(loop.extent);
    used.push_back(stride);
  }
  Type elementType = getElementTypeOrSelf(operand->get().getType());
  auto dense = MemRefType::get(shape, elementType);
  if (getStaticStrides(dense) == used)
    return dense;
  auto layout = StridedLayoutAttr::get(dense.getContext(), /*offset=*/0, used);
  return MemRefType::get(shape, elementType, layout);
}

AffineMap NestOperand::getMap(MLIRContext *context) const {
  SmallVector<AffineExpr> results;
  for (auto [position, stride] : llvm::enumerate(strides))
    if (stride != 0)
      results.push_back(getAffineDimExpr(position, context));
  return AffineMap::get(strides.size(), 0, results, context);
}

SmallVector<Value> NestOperand::getIndices(ArrayRef<Value> positions) const {
  SmallVector<Value> indices;
  for (auto [position, stride] : llvm::zip_equal(positions, strides))
    if (stride != 0)
      indices.push_back(position);
  return indices;
}

void LoopNest::permute(ArrayRef<int64_t> order) {
  auto pick = [&](auto &list) {
    std::decay_t<decltype(list)> picked;
    for (int64_t position : order)
      picked.push_back(list[position]);
    list = std::move(picked);
  };
  pick(loops);
  for (NestOperand &operand : operands)
    pick(operand.strides);
}

void LoopNest::dropUnitLoops() {
  SmallVector<int64_t> kept;
  for (auto [position, loop] : llvm::enumerate(loops))
    if (loop.extent != 1)
      kept.push_back(position);
  permute(kept);
}

void LoopNest::sortLoops() {
  // Parallel loops follow the last operand, which is written; reductions follow
  // the operand that they walk through the slowest, usually the only one.
  auto weight = [&](int64_t position) {
    if (!loops[position].isReduction)
      return std::abs(operands.back().strides[position]);
    int64_t largest = 0;
    for (const NestOperand &operand : operands)
      largest = std::max(largest, std::abs(operand.strides[position]));
    return largest;
  };
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(loops.size()));
  auto key = [&](int64_t position) {
    return std::tuple(loops[position].isReduction, -weight(position), position);
  };
  llvm::sort(order, [&](int64_t a, int64_t b) { return key(a) < key(b); });
  permute(order);
}

bool LoopNest::canMerge(int64_t outer) const {
  const NestLoop &first = loops[outer], &second = loops[outer + 1];
  if (first.isReduction != second.isReduction || first.readsIndex ||
      second.readsIndex)
    return false;
  return llvm::all_of(operands, [&](const NestOperand &operand) {
    return operand.strides[outer] == operand.strides[outer + 1] * second.extent;
  });
}

void LoopNest::mergeLoops() {
  for (int64_t outer = static_cast<int64_t>(loops.size()) - 2; outer >= 0;
       --outer) {
    if (!canMerge(outer))
      continue;
    loops[outer].extent *= loops[outer + 1].extent;
    loops[outer].source = -1;
    loops.erase(loops.begin() + outer + 1);
    for (NestOperand &operand : operands)
      operand.strides.erase(operand.strides.begin() + outer);
  }
}

void LoopNest::normalize() {
  dropUnitLoops();
  sortLoops();
  mergeLoops();
}

int64_t LoopNest::hoistLaunchLoop() {
  // Enough rows for every thread of a large machine to get some.
  constexpr int64_t kEnoughRows = 64;
  std::optional<int64_t> best;
  for (auto [position, loop] : llvm::enumerate(loops)) {
    if (loop.isReduction)
      break;
    if (!best || loop.extent > loops[*best].extent)
      best = position;
    if (loop.extent >= kEnoughRows)
      break;
  }
  if (!best)
    return 1;
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(loops.size()));
  std::rotate(order.begin(), order.begin() + *best, order.begin() + *best + 1);
  permute(order);
  return loops.front().extent;
}

/// Adds `factor * expr` to strides and offset; fails where expr is not linear.
static LogicalResult addLinear(AffineExpr expr, int64_t factor,
                               NestOperand &operand) {
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    operand.strides[dim.getPosition()] += factor;
    return success();
  }
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    operand.offset += factor * constant.getValue();
    return success();
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return failure();
  if (binary.getKind() == AffineExprKind::Add)
    return success(succeeded(addLinear(binary.getLHS(), factor, operand)) &&
                   succeeded(addLinear(binary.getRHS(), factor, operand)));
  auto scale = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (binary.getKind() != AffineExprKind::Mul || !scale)
    return failure();
  return addLinear(binary.getLHS(), factor * scale.getValue(), operand);
}

static FailureOr<NestOperand> buildOperand(linalg::GenericOp op,
                                           OpOperand &operand) {
  NestOperand result;
  result.operand = &operand;
  result.strides.assign(op.getNumLoops(), 0);
  auto type = cast<MemRefType>(operand.get().getType());
  std::optional<StridedLayout> layout = getStaticLayout(type);
  if (!layout)
    return op.emitOpError() << "expects static strides, but got " << type;
  AffineMap map = op.getMatchingIndexingMap(&operand);
  for (auto [expr, stride] : llvm::zip_equal(map.getResults(), layout->strides))
    if (failed(addLinear(expr, stride, result)))
      return op.emitOpError()
             << "expects linear indexing, but got " << AffineMapAttr::get(map);
  return result;
}

FailureOr<LoopNest> mlir::boost::rt::buildLoopNest(linalg::GenericOp op) {
  if (!op.hasPureBufferSemantics())
    return op.emitOpError("expects memrefs, but is still on tensors: run "
                          "-boostrt-bufferize first");
  LoopNest nest;
  for (auto [position, extent] : llvm::enumerate(op.getStaticLoopRanges())) {
    if (ShapedType::isDynamic(extent))
      return op.emitOpError("expects static sizes");
    NestLoop loop;
    loop.extent = extent;
    loop.isReduction =
        op.getIteratorTypesArray()[position] == utils::IteratorType::reduction;
    loop.source = position;
    nest.loops.push_back(loop);
  }
  op.walk([&](linalg::IndexOp index) {
    nest.loops[index.getDim()].readsIndex = true;
  });
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    FailureOr<NestOperand> built = buildOperand(op, operand);
    if (failed(built))
      return failure();
    nest.operands.push_back(std::move(*built));
  }
  return nest;
}
