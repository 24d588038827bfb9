//===- RaiseAdamW.cpp - Updates to boost.adamw ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds AdamW in the optimizer of a step, and the global norm of gradients.
//
//===----------------------------------------------------------------------===//

#include "Views.h"

#include "boost-mlir/Conversion/StableHLOToBoost/Passes.h"
#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::boost {
#define GEN_PASS_DEF_RAISEADAMWPASS
#include "boost-mlir/Conversion/StableHLOToBoost/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::raise;

//===----------------------------------------------------------------------===//
// Pieces
//===----------------------------------------------------------------------===//

/// Returns the scalar that a value repeats, or null.
static Value matchRepeated(Value value) {
  if (getTensorType(value).getRank() == 0)
    return value;
  auto broadcast = value.getDefiningOp<stablehlo::BroadcastInDimOp>();
  bool isRepeated =
      broadcast && getTensorType(broadcast.getOperand()).getRank() == 0;
  return isRepeated ? Value(broadcast.getOperand()) : Value();
}

namespace {
/// A tensor times a scalar.
struct Scaled {
  Value scalar, tensor;
};
} // namespace

/// Matches a product of a repeated scalar and something that `matches` takes.
static std::optional<Scaled>
matchScaled(Value value, llvm::function_ref<bool(Scaled)> matches) {
  auto product = value.getDefiningOp<stablehlo::MulOp>();
  if (!product)
    return std::nullopt;
  for (auto [scalar, tensor] : {std::pair(product.getLhs(), product.getRhs()),
                                std::pair(product.getRhs(), product.getLhs())})
    if (Value repeated = matchRepeated(scalar);
        repeated && matches({repeated, tensor}))
      return Scaled{repeated, tensor};
  return std::nullopt;
}

/// Calls `matches` with both orders of the operands of an addition.
static bool matchSumOf(Value value,
                       llvm::function_ref<bool(Value, Value)> matches) {
  auto add = value.getDefiningOp<stablehlo::AddOp>();
  return add && (matches(add.getLhs(), add.getRhs()) ||
                 matches(add.getRhs(), add.getLhs()));
}

/// Returns `value` before it was converted to a wider type.
static Value peelWideningOnce(Value value) {
  auto convert = value.getDefiningOp<stablehlo::ConvertOp>();
  if (!convert)
    return value;
  auto from = dyn_cast<FloatType>(getElementTypeOrSelf(convert.getOperand()));
  auto to = dyn_cast<FloatType>(getElementTypeOrSelf(value));
  return from && to && from.getWidth() < to.getWidth() ? convert.getOperand()
                                                       : value;
}

/// Returns `value` before it was converted to f32. The update converts its
/// gradient itself.
static Value peelToF32(Value value) {
  auto convert = value.getDefiningOp<stablehlo::ConvertOp>();
  bool isPeeled = convert && getElementTypeOrSelf(value).isF32() &&
                  isa<FloatType>(getElementTypeOrSelf(convert.getOperand()));
  return isPeeled ? Value(convert.getOperand()) : value;
}

/// Matches `1 - x`.
static bool isOneLess(Value value, Value x) {
  auto difference = value.getDefiningOp<stablehlo::SubtractOp>();
  return difference && difference.getRhs() == x &&
         isScalar(difference.getLhs(), 1);
}

/// Matches `1 / (1 - beta^step)` and returns the step, or null.
static Value matchCorrection(Value value, Value beta) {
  auto quotient = value.getDefiningOp<stablehlo::DivOp>();
  if (!quotient || !isScalar(quotient.getLhs(), 1))
    return nullptr;
  auto difference = quotient.getRhs().getDefiningOp<stablehlo::SubtractOp>();
  auto power = difference
                   ? difference.getRhs().getDefiningOp<stablehlo::PowOp>()
                   : stablehlo::PowOp();
  bool fits =
      power && power.getLhs() == beta && isScalar(difference.getLhs(), 1);
  return fits ? Value(power.getRhs()) : Value();
}

//===----------------------------------------------------------------------===//
// AdamW
//===----------------------------------------------------------------------===//

namespace {
/// An update of one parameter. `decay` is null where it does not decay.
struct AdamWMatch {
  Value param, m, v, grad, lr, step, scale, beta1, beta2, eps, decay;
  Value newM, newV;
};
} // namespace

/// Matches `beta old + (1 - beta) x`.
static bool matchMean(Value value, Value &beta, Value &old,
                      llvm::function_ref<bool(Value, Value)> isNew) {
  return matchSumOf(value, [&](Value kept, Value added) {
    return matchScaled(kept,
                       [&](Scaled scaled) {
                         beta = scaled.scalar;
                         old = scaled.tensor;
                         return isNew(added, beta);
                       })
        .has_value();
  });
}

/// Matches the moments behind `mean / root`.
static bool matchMoments(Value mean, Value root, AdamWMatch &match) {
  Value correction1, correction2, g;
  auto isMean = matchScaled(mean, [&](Scaled scaled) {
    correction1 = scaled.scalar;
    match.newM = scaled.tensor;
    return matchMean(match.newM, match.beta1, match.m,
                     [&](Value added, Value beta) {
                       return matchScaled(added,
                                          [&](Scaled one) {
                                            g = one.tensor;
                                            return isOneLess(one.scalar, beta);
                                          })
                           .has_value();
                     });
  });
  if (!isMean)
    return false;
  auto isSquare = [&](Value added, Value beta) {
    auto product = added.getDefiningOp<stablehlo::MulOp>();
    if (!product)
      return false;
    for (auto [first, second] : {std::pair(product.getLhs(), product.getRhs()),
                                 std::pair(product.getRhs(), product.getLhs())})
      if (second == g && matchScaled(first, [&](Scaled scaled) {
            return scaled.tensor == g && isOneLess(scaled.scalar, beta);
          }))
        return true;
    return false;
  };
  auto isRoot = matchSumOf(root, [&](Value first, Value eps) {
    auto squareRoot = first.getDefiningOp<stablehlo::SqrtOp>();
    match.eps = matchRepeated(eps);
    if (!squareRoot || !match.eps)
      return false;
    return matchScaled(squareRoot.getOperand(),
                       [&](Scaled scaled) {
                         correction2 = scaled.scalar;
                         match.newV = scaled.tensor;
                         return matchMean(match.newV, match.beta2, match.v,
                                          isSquare);
                       })
        .has_value();
  });
  if (!isRoot)
    return false;
  match.step = matchCorrection(correction1, match.beta1);
  if (!match.step || matchCorrection(correction2, match.beta2) != match.step)
    return false;
  return matchScaled(g,
                     [&](Scaled scaled) {
                       match.scale = scaled.scalar;
                       match.grad = peelToF32(scaled.tensor);
                       return true;
                     })
      .has_value();
}

/// Matches the update whose result is `root`: the difference, or that rounded
/// to the type of the parameter.
static std::optional<AdamWMatch> matchAdamW(Operation *root) {
  Value result = root->getResult(0);
  auto rounding = dyn_cast<stablehlo::ConvertOp>(root);
  auto difference =
      rounding ? rounding.getOperand().getDefiningOp<stablehlo::SubtractOp>()
               : dyn_cast<stablehlo::SubtractOp>(root);
  if (!difference)
    return std::nullopt;
  AdamWMatch match;
  match.param = difference.getLhs();
  if (rounding) {
    match.param = peelWideningOnce(match.param);
    if (match.param.getType() != result.getType())
      return std::nullopt;
  }
  auto isParam = [&](Value value) {
    auto convert = value.getDefiningOp<stablehlo::ConvertOp>();
    return value == match.param || value == difference.getLhs() ||
           (convert && convert.getOperand() == match.param);
  };
  auto isRatio = [&](Value value) {
    auto quotient = value.getDefiningOp<stablehlo::DivOp>();
    return quotient &&
           matchMoments(quotient.getLhs(), quotient.getRhs(), match);
  };
  auto isUpdate =
      matchScaled(peelWideningOnce(difference.getRhs()), [&](Scaled scaled) {
        match.lr = scaled.scalar;
        if (isRatio(scaled.tensor))
          return true;
        return matchSumOf(scaled.tensor, [&](Value ratio, Value decay) {
          auto decays = matchScaled(
              decay, [&](Scaled each) { return isParam(each.tensor); });
          if (decays)
            match.decay = decays->scalar;
          return decays && isRatio(ratio);
        });
      });
  return isUpdate ? std::optional(match) : std::nullopt;
}

/// Returns true if the operands of an update have the types that boost.adamw
/// takes.
static bool hasTypes(const AdamWMatch &match) {
  auto isF32 = [](Value value) { return getElementTypeOrSelf(value).isF32(); };
  auto isF32Scalar = [&](Value value) {
    return isF32(value) && getTensorType(value).getRank() == 0;
  };
  for (Value scalar :
       {match.lr, match.step, match.scale, match.beta1, match.beta2, match.eps})
    if (!isF32Scalar(scalar))
      return false;
  return isF32(match.m) && isF32(match.v) &&
         (!match.decay || isF32Scalar(match.decay));
}

//===----------------------------------------------------------------------===//
// The global norm
//===----------------------------------------------------------------------===//

/// Matches `x^2` and returns x, or null.
static Value matchSquare(Value value) {
  auto product = value.getDefiningOp<stablehlo::MulOp>();
  bool isSquare = product && product.getLhs() == product.getRhs();
  return isSquare ? Value(product.getLhs()) : Value();
}

/// Matches the sum of the squares of all elements of one tensor and returns
/// that, or null.
static Value matchSumOfSquares(Value value) {
  auto reduce = value.getDefiningOp<stablehlo::ReduceOp>();
  if (!reduce)
    return getTensorType(value).getRank() == 0 ? matchSquare(value) : Value();
  if (stablehlo::matchSimpleReduction(reduce) !=
          stablehlo::ReductionKind::Add ||
      getTensorType(value).getRank() != 0 ||
      !isScalar(reduce.getInitValues().front(), 0))
    return nullptr;
  return matchSquare(reduce.getInputs().front());
}

/// Returns the tensors whose squares a scalar adds up, in order; none if it is
/// no such sum, or if something else reads a part of it.
static SmallVector<Value> matchSquares(Value total) {
  SmallVector<Value> tensors, rest = {total};
  while (!rest.empty()) {
    Value value = rest.pop_back_val();
    if (!value.hasOneUse())
      return {};
    if (Value tensor = matchSumOfSquares(value)) {
      tensors.push_back(tensor);
      continue;
    }
    auto add = value.getDefiningOp<stablehlo::AddOp>();
    if (!add)
      return {};
    rest.push_back(add.getRhs());
    rest.push_back(add.getLhs());
  }
  return tensors;
}

/// Matches a tensor times a constant.
static std::optional<std::pair<Value, double>> matchMultiple(Value value) {
  auto product = value.getDefiningOp<stablehlo::MulOp>();
  std::optional<double> factor =
      product ? stablehlo::matchSplat(product.getRhs()) : std::nullopt;
  if (!factor)
    return std::nullopt;
  return std::pair<Value, double>(product.getLhs(), *factor);
}

/// Returns the constant that all tensors are a multiple of others by, and puts
/// those in their place; 1 if there is none.
static double takeCommonFactor(MutableArrayRef<Value> tensors) {
  SmallVector<Value> others;
  std::optional<double> common;
  for (Value tensor : tensors) {
    auto multiple = matchMultiple(tensor);
    if (!multiple || (common && *common != multiple->second))
      return 1;
    common = multiple->second;
    others.push_back(multiple->first);
  }
  llvm::copy(others, tensors.begin());
  return *common;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
/// Raises what stands behind the marker of the optimizer.
class OptimizerRaiser {
public:
  explicit OptimizerRaiser(PhaseOp marker) : marker(marker) {}

  void run();

private:
  void raiseNorm(stablehlo::SqrtOp root);
  void raiseUpdate(Operation *root, const AdamWMatch &match);
  Value findDecay(Operation *root) const;
  bool isBehind(Operation *op, Operation *root) const;
  Value scaleBy(Value scale, double factor);
  template <typename OpT> OpT mark(OpT op) {
    op->setAttr(kComponentAttr,
                StringAttr::get(op->getContext(), kOptimizerComponent));
    return op;
  }

  PhaseOp marker;
  /// The order of the operations behind the marker. The block's own order is
  /// computed anew whenever operations have been inserted.
  DenseMap<Operation *, size_t> positions;
  /// The weight decay of the parameters that decay, in the order of updates.
  SmallVector<Value> decays;
  std::vector<std::tuple<Value, double, Value>> scales;
};
} // namespace

void OptimizerRaiser::raiseNorm(stablehlo::SqrtOp root) {
  SmallVector<Value> tensors = matchSquares(root.getOperand());
  if (tensors.empty())
    return;
  double factor = takeCommonFactor(tensors);
  auto isF64 = [](Value value) { return getElementTypeOrSelf(value).isF64(); };
  SmallVector<Value> narrow = llvm::map_to_vector(tensors, peelWideningOnce);
  // A sum in f64 is one of f64 tensors, at least in part.
  if (!isF64(root) || llvm::any_of(narrow, isF64))
    tensors = narrow;
  OpBuilder b(root);
  Location loc = root.getLoc();
  Value squares = mark(
      SumOfSquaresOp::create(b, loc, root.getOperand().getType(), tensors));
  Value norm = mark(stablehlo::SqrtOp::create(b, loc, squares));
  if (factor != 1)
    norm = mark(stablehlo::MulOp::create(
        b, loc, norm, stablehlo::splatLike(b, loc, norm, factor)));
  root.replaceAllUsesWith(norm);
}

/// Returns a scalar times a constant. All updates read the same one.
Value OptimizerRaiser::scaleBy(Value scale, double factor) {
  for (auto &[known, by, product] : scales)
    if (known == scale && by == factor)
      return product;
  OpBuilder b(scale.getContext());
  if (Operation *op = scale.getDefiningOp())
    b.setInsertionPointAfter(op);
  else
    b.setInsertionPointAfter(marker);
  Location loc = scale.getLoc();
  Value product = mark(stablehlo::MulOp::create(
      b, loc, scale, stablehlo::splatLike(b, loc, scale, factor)));
  scales.emplace_back(scale, factor, product);
  return product;
}

/// Returns a weight decay for a parameter without any, so that its update can
/// be one with those of the others.
Value OptimizerRaiser::findDecay(Operation *root) const {
  for (Value decay : decays)
    if (!decay.getDefiningOp() || !isBehind(decay.getDefiningOp(), root))
      return decay;
  return nullptr;
}

/// Returns true if an operation stands behind one that is raised.
bool OptimizerRaiser::isBehind(Operation *op, Operation *root) const {
  auto position = positions.find(op);
  return position != positions.end() &&
         position->second > positions.lookup(root);
}

void OptimizerRaiser::raiseUpdate(Operation *root, const AdamWMatch &match) {
  Value scale = match.scale, grad = match.grad;
  if (auto multiple = matchMultiple(grad)) {
    grad = multiple->first;
    scale = scaleBy(scale, multiple->second);
  }
  OpBuilder b(root);
  Location loc = root->getLoc();
  Value decay = match.decay ? match.decay : findDecay(root);
  if (!decay)
    decay = stablehlo::splatLike(b, loc, match.lr, 0);
  auto update = mark(AdamWOp::create(
      b, loc, match.param.getType(), match.m.getType(), match.v.getType(),
      match.param, match.m, match.v, grad, match.lr, match.step, scale,
      match.beta1, match.beta2, match.eps, decay, bool(match.decay)));
  root->getResult(0).replaceAllUsesWith(update.getNewParam());
  // Operations that read the moments earlier compute the update, and go with
  // it.
  auto replaceBehind = [&](Value old, Value with) {
    old.replaceUsesWithIf(
        with, [&](OpOperand &use) { return isBehind(use.getOwner(), root); });
  };
  replaceBehind(match.newM, update.getNewM());
  replaceBehind(match.newV, update.getNewV());
}

void OptimizerRaiser::run() {
  SmallVector<Operation *> behind;
  for (Operation *op = marker->getNextNode(); op; op = op->getNextNode())
    behind.push_back(op);
  for (auto [position, op] : llvm::enumerate(behind))
    positions[op] = position;
  for (Operation *op : behind)
    if (auto root = dyn_cast<stablehlo::SqrtOp>(op))
      raiseNorm(root);
  SmallVector<std::pair<Operation *, AdamWMatch>> updates;
  for (Operation *op : behind)
    if (isa<stablehlo::SubtractOp, stablehlo::ConvertOp>(op))
      if (std::optional<AdamWMatch> match = matchAdamW(op);
          match && hasTypes(*match)) {
        updates.emplace_back(op, *match);
        if (match->decay)
          decays.push_back(match->decay);
      }
  for (auto &[root, match] : updates)
    raiseUpdate(root, match);
  for (Operation *op : llvm::reverse(behind))
    if (isOpTriviallyDead(op))
      op->erase();
}

namespace {
struct RaiseAdamW : public mlir::boost::impl::RaiseAdamWPassBase<RaiseAdamW> {
  void runOnOperation() override {
    SmallVector<PhaseOp> markers;
    for (PhaseOp marker : getOperation().getOps<PhaseOp>())
      if (marker.getPhase() == Phase::Optimizer)
        markers.push_back(marker);
    for (PhaseOp marker : markers)
      OptimizerRaiser(marker).run();
  }
};
} // namespace
