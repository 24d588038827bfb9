//===- RaiseBottleneck.cpp - Pairs of linears to boost.bottleneck ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bottleneck is recognized by structure alone: two linears with a narrow
// middle that nothing else reads, with an activation or a sum with an earlier
// latent (LaX) between them. Names play no part. Where another function stands
// between, the linears are marked.
//
//===----------------------------------------------------------------------===//

#include "Factors.h"
#include "Views.h"

#include "boost-mlir/Conversion/StableHLOToBoost/Passes.h"
#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/Boost/IR/Weights.h"
#include "boost-mlir/Support/ReadValues.h"

namespace mlir::boost {
#define GEN_PASS_DEF_RAISEBOTTLENECKPASS
#include "boost-mlir/Conversion/StableHLOToBoost/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::raise;

namespace {
/// The parts of a bottleneck, from its end to its beginning.
struct Parts {
  LinearOp up;
  Activation activation = Activation::Identity;
  Value latent;
  LinearOp down;
  /// Operations between the linears, which the bottleneck replaces.
  SmallVector<Operation *> between;
  /// The first operation that reads a result; the bottleneck is inserted before
  /// it.
  Operation *position = nullptr;
};
} // namespace

/// `x` for `1 + exp(-x)`.
static Value matchOnePlusExp(Value value, SmallVectorImpl<Operation *> &ops) {
  auto add = value.getDefiningOp<stablehlo::AddOp>();
  if (!add)
    return {};
  Value term = isScalar(add.getLhs(), 1) ? add.getRhs() : add.getLhs();
  if (term == add.getLhs() && !isScalar(add.getRhs(), 1))
    return {};
  auto exp = term.getDefiningOp<stablehlo::ExpOp>();
  auto neg = exp ? exp.getOperand().getDefiningOp<stablehlo::NegOp>()
                 : stablehlo::NegOp();
  if (!neg)
    return {};
  ops.append({add, exp, neg});
  return neg.getOperand();
}

/// `x` for `1 / (1 + exp(-x))`, also as `logistic(x)`.
static Value matchLogistic(Value value, SmallVectorImpl<Operation *> &ops) {
  if (auto logistic = value.getDefiningOp<stablehlo::LogisticOp>()) {
    ops.push_back(logistic);
    return logistic.getOperand();
  }
  auto div = value.getDefiningOp<stablehlo::DivOp>();
  if (!div || !isScalar(div.getLhs(), 1))
    return {};
  ops.push_back(div);
  return matchOnePlusExp(div.getRhs(), ops);
}

/// `x` for `silu(x) = x / (1 + exp(-x))`; null otherwise.
static Value matchSilu(Value value, SmallVectorImpl<Operation *> &ops) {
  if (auto div = value.getDefiningOp<stablehlo::DivOp>()) {
    ops.push_back(div);
    Value x = matchOnePlusExp(div.getRhs(), ops);
    return x == div.getLhs() ? x : Value();
  }
  auto mul = value.getDefiningOp<stablehlo::MulOp>();
  if (!mul)
    return {};
  for (auto [x, gate] : {std::pair(mul.getLhs(), mul.getRhs()),
                         std::pair(mul.getRhs(), mul.getLhs())}) {
    SmallVector<Operation *> inner{mul};
    if (matchLogistic(gate, inner) == x) {
      ops.append(inner);
      return x;
    }
  }
  return {};
}

/// Returns true if the latent is narrower than the input and the output.
static bool isNarrowMiddle(LinearOp down, LinearOp up) {
  int64_t in = getTensorType(down.getInput()).getShape().back();
  int64_t rank = getTensorType(down).getShape().back();
  int64_t out = getTensorType(up).getShape().back();
  return rank < std::min(in, out);
}

/// Returns true if only operations of `parts` read `value`.
static bool staysInside(Value value, const Parts &parts) {
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    return user == parts.up || llvm::is_contained(parts.between, user);
  });
}

/// Returns true if `op` adds `latent` to the latent of a later block.
static bool isLatentSum(Operation *op, LinearOp latent) {
  auto add = dyn_cast<stablehlo::AddOp>(op);
  if (!add || add->getBlock() != latent->getBlock())
    return false;
  Value other =
      add.getLhs() == latent.getResult() ? add.getRhs() : add.getLhs();
  auto later = other.getDefiningOp<LinearOp>();
  return later && latent->isBeforeInBlock(later);
}

/// Returns true if `value` is defined before `position`, or is a weight, which
/// can be computed anywhere.
static bool canStandBefore(Value value, Operation *position,
                           const Weights &weights) {
  Operation *op = value.getDefiningOp();
  return !op || op->isBeforeInBlock(position) || weights.contains(value);
}

/// Moves what computes a weight, if it comes later, to `position`.
static void moveBefore(Value value, Operation *position) {
  Operation *op = value.getDefiningOp();
  if (!op || op->isBeforeInBlock(position))
    return;
  for (Value read : getReadValues(op))
    moveBefore(read, position);
  op->moveBefore(position);
}

/// Matches the bottleneck that ends in `up`. A raw latent may also be read by
/// the sums of later bottlenecks.
static std::optional<Parts> matchParts(LinearOp up, const Weights &weights) {
  Parts parts;
  parts.up = up;
  Value middle = up.getInput();
  SmallVector<Operation *> silu;
  if (Value x = matchSilu(middle, silu)) {
    parts.activation = Activation::Silu;
    parts.between.append(silu);
    middle = x;
  }
  if (auto add = middle.getDefiningOp<stablehlo::AddOp>()) {
    auto lhs = add.getLhs().getDefiningOp<LinearOp>();
    auto rhs = add.getRhs().getDefiningOp<LinearOp>();
    // The later one of two raw latents is this block's own.
    if (lhs && rhs && lhs->isBeforeInBlock(rhs))
      lhs = {};
    parts.down = lhs ? lhs : rhs;
    parts.latent = lhs ? add.getRhs() : add.getLhs();
    parts.between.push_back(add);
    if (!staysInside(add, parts))
      return std::nullopt;
  } else {
    parts.down = middle.getDefiningOp<LinearOp>();
  }
  if (!parts.down || !isNarrowMiddle(parts.down, up) ||
      getTensorType(parts.down).getElementType() !=
          getTensorType(up).getElementType() ||
      getTensorType(parts.down).getElementType() !=
          getTensorType(parts.down.getInput()).getElementType())
    return std::nullopt;
  for (Operation *op : parts.between)
    if (op->getResult(0) != middle && !staysInside(op->getResult(0), parts))
      return std::nullopt;
  parts.position = up;
  for (Operation *user : parts.down->getUsers()) {
    if (user == up || llvm::is_contained(parts.between, user))
      continue;
    if (!isLatentSum(user, parts.down))
      return std::nullopt;
    if (user->isBeforeInBlock(parts.position))
      parts.position = user;
  }
  if (!canStandBefore(up.getWeight(), parts.position, weights) ||
      (parts.latent && !canStandBefore(parts.latent, parts.position, weights)))
    return std::nullopt;
  return parts;
}

/// The weight as the bottleneck reads it: rows for what goes in.
static Value getFactor(OpBuilder &builder, LinearOp op) {
  if (!op.getTransposed())
    return op.getWeight();
  return makeTranspose(builder, op.getLoc(), op.getWeight(), {1, 0});
}

static void raiseParts(Parts &parts) {
  // Sums of later blocks read the raw latent, which is then a result.
  LinearOp down = parts.down;
  bool keepsLatent = !staysInside(down.getResult(), parts);
  moveBefore(parts.up.getWeight(), parts.position);
  if (parts.latent)
    moveBefore(parts.latent, parts.position);
  OpBuilder builder(parts.position);
  Type latentType = keepsLatent ? down.getType() : Type();
  auto bottleneck = BottleneckOp::create(
      builder, parts.up.getLoc(), parts.up->getResultTypes(), latentType,
      down.getInput(), /*gamma=*/Value(), /*beta=*/Value(),
      getFactor(builder, down), ValueRange(getFactor(builder, parts.up)),
      parts.latent,
      /*eps=*/FloatAttr(), parts.activation);
  parts.up->getResult(0).replaceAllUsesWith(bottleneck.getResults().front());
  parts.up->erase();
  for (Operation *op : parts.between)
    if (op->use_empty())
      op->erase();
  if (keepsLatent)
    down.getResult().replaceAllUsesWith(bottleneck.getLatentOut());
  down.erase();
}

namespace {
struct RaiseBottleneck
    : public mlir::boost::impl::RaiseBottleneckPassBase<RaiseBottleneck> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody()) {
      Weights weights(block);
      for (Operation &op : llvm::make_early_inc_range(block))
        if (auto up = dyn_cast<LinearOp>(op))
          if (auto parts = matchParts(up, weights))
            raiseParts(*parts);
      visitBackwards(block, [](Operation *) {});
      markFactors(block);
    }
  }
};
} // namespace
