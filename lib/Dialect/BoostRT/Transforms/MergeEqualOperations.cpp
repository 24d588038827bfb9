//===- MergeEqualOperations.cpp - CSE for many kernels of one value -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements boostrt-merge-equal-operations: upstream's elimination of common
// subexpressions, with bodies made part of what it hashes.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Rematerialization.h"
#include "boost-mlir/Dialect/BoostRT/IR/BoostRTAttrNames.h"
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/CSE.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace mlir::boost::rt {
#define GEN_PASS_DEF_MERGEEQUALOPERATIONSPASS
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h.inc"
} // namespace mlir::boost::rt

using namespace mlir;

/// Equal for bodies that upstream finds equal.
static llvm::hash_code hashBody(linalg::GenericOp op) {
  DenseMap<Value, size_t> numbers;
  auto define = [&](ValueRange values) {
    for (Value value : values)
      numbers.try_emplace(value, numbers.size());
  };
  auto hashOperand = [&](Value value) {
    auto it = numbers.find(value);
    return it == numbers.end() ? llvm::hash_value(value.getAsOpaquePointer())
                               : llvm::hash_value(it->second);
  };
  llvm::hash_code hash = 0;
  op.getRegion().walk<WalkOrder::PreOrder>([&](Block *block) {
    define(block->getArguments());
    for (Operation &nested : *block) {
      hash = llvm::hash_combine(
          hash, OperationEquivalence::computeHash(
                    &nested, hashOperand, OperationEquivalence::ignoreHashValue,
                    OperationEquivalence::IgnoreLocations));
      define(nested.getResults());
    }
  });
  return hash;
}

namespace {

/// Operations with `boost.recomputed`, which is taken off them meanwhile: equal
/// operations are equal, whether or not one computes for the second time.
class RecomputedOps : public RewriterBase::Listener {
public:
  explicit RecomputedOps(func::FuncOp function) {
    for (Operation &op : function.front())
      if (op.removeAttr(boost::kRecomputedAttr))
        ops.insert(&op);
  }
  ~RecomputedOps() override {
    for (Operation *op : ops)
      op->setAttr(boost::kRecomputedAttr, UnitAttr::get(op->getContext()));
  }
  void notifyOperationErased(Operation *op) override { ops.erase(op); }

private:
  llvm::SmallPtrSet<Operation *, 32> ops;
};

struct MergeEqualOperationsPass
    : boost::rt::impl::MergeEqualOperationsPassBase<MergeEqualOperationsPass> {
  void runOnOperation() override {
    func::FuncOp function = getOperation();
    if (function.isDeclaration())
      return;
    RecomputedOps recomputed(function);
    DenseMap<size_t, int64_t> numbers;
    Builder builder(function.getContext());
    function.walk([&](linalg::GenericOp op) {
      int64_t number =
          numbers.try_emplace(hashBody(op), numbers.size()).first->second;
      op->setAttr(boost::rt::kBodyAttr, builder.getI64IntegerAttr(number));
    });
    IRRewriter rewriter(function.getContext(), &recomputed);
    eliminateCommonSubExpressions(rewriter, getAnalysis<DominanceInfo>(),
                                  function);
    function.walk(
        [](linalg::GenericOp op) { op->removeAttr(boost::rt::kBodyAttr); });
  }
};

} // namespace
