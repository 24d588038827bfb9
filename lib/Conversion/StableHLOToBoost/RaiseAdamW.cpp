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

namespace {
/// A number that an update reads: a constant, or else a tensor of rank 0.
struct Scalar {
  FloatAttr constant;
  Value value;

  explicit operator bool() const { return constant || value; }
  bool operator==(const Scalar &other) const {
    return constant == other.constant && value == other.value;
  }
  bool isF32() const {
    return constant ? constant.getType().isF32()
                    : value && getElementTypeOrSelf(value).isF32();
  }
};

/// A tensor times a scalar.
struct Scaled {
  Scalar scalar;
  Value tensor;
};
} // namespace

static Scalar makeConstant(Type type, double number) {
  return {FloatAttr::get(type, number), Value()};
}

/// Returns the scalar that a value repeats, or none.
static Scalar matchRepeated(Value value) {
  Type type = getElementTypeOrSelf(value);
  if (std::optional<double> number = stablehlo::matchSplat(value);
      number && isa<FloatType>(type))
    return makeConstant(type, *number);
  if (getTensorType(value).getRank() == 0)
    return {FloatAttr(), value};
  auto broadcast = value.getDefiningOp<stablehlo::BroadcastInDimOp>();
  bool isRepeated =
      broadcast && getTensorType(broadcast.getOperand()).getRank() == 0;
  return isRepeated ? matchRepeated(broadcast.getOperand()) : Scalar();
}

/// Matches a product of a repeated scalar and something that `matches` takes.
static bool matchScaled(Value value, llvm::function_ref<bool(Scaled)> matches) {
  auto product = value.getDefiningOp<stablehlo::MulOp>();
  if (!product)
    return false;
  for (auto [scalar, tensor] : {std::pair(product.getLhs(), product.getRhs()),
                                std::pair(product.getRhs(), product.getLhs())})
    if (Scalar repeated = matchRepeated(scalar);
        repeated && matches({repeated, tensor}))
      return true;
  return false;
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

/// Matches `1 - beta^step`.
static bool matchCorrection(Scalar scalar, Scalar &beta, Value &step) {
  auto difference = scalar.value
                        ? scalar.value.getDefiningOp<stablehlo::SubtractOp>()
                        : stablehlo::SubtractOp();
  auto power = difference
                   ? difference.getRhs().getDefiningOp<stablehlo::PowOp>()
                   : stablehlo::PowOp();
  if (!power || !isScalar(difference.getLhs(), 1))
    return false;
  beta = matchRepeated(power.getLhs());
  step = power.getRhs();
  return bool(beta);
}

/// Matches a moment divided by `1 - beta^step`, or multiplied by the reciprocal
/// of that.
static bool matchCorrected(Value value, Value &moment, Scalar &beta,
                           Value &step) {
  if (auto quotient = value.getDefiningOp<stablehlo::DivOp>()) {
    moment = quotient.getLhs();
    return matchCorrection(matchRepeated(quotient.getRhs()), beta, step);
  }
  return matchScaled(value, [&](Scaled scaled) {
    auto quotient = scaled.scalar.value
                        ? scaled.scalar.value.getDefiningOp<stablehlo::DivOp>()
                        : stablehlo::DivOp();
    moment = scaled.tensor;
    return quotient && isScalar(quotient.getLhs(), 1) &&
           matchCorrection(matchRepeated(quotient.getRhs()), beta, step);
  });
}

namespace {
/// The factor of clipped gradients: 1 if `isWithin`, and else bound / norm.
struct Clip {
  Value isWithin;
  Scalar norm, bound;

  bool operator==(const Clip &other) const {
    return isWithin == other.isWithin && norm == other.norm &&
           bound == other.bound;
  }
};
} // namespace

/// Matches `select(isWithin, g, (g / norm) bound)`, as optax clips by the
/// global norm, and returns g, or null.
static Value matchClip(Value value, Clip &clip) {
  auto select = value.getDefiningOp<stablehlo::SelectOp>();
  if (!select || getTensorType(select.getPred()).getRank() != 0)
    return nullptr;
  Value g = select.getOnTrue();
  auto isQuotient = [&](Value clipped) {
    auto quotient = clipped.getDefiningOp<stablehlo::DivOp>();
    if (!quotient || quotient.getLhs() != g)
      return false;
    clip.norm = matchRepeated(quotient.getRhs());
    return clip.norm.isF32();
  };
  clip.isWithin = select.getPred();
  clip.bound = makeConstant(getElementTypeOrSelf(value), 1);
  bool isClipped = isQuotient(select.getOnFalse()) ||
                   matchScaled(select.getOnFalse(), [&](Scaled scaled) {
                     clip.bound = scaled.scalar;
                     return isQuotient(scaled.tensor);
                   });
  return isClipped ? g : Value();
}

//===----------------------------------------------------------------------===//
// AdamW
//===----------------------------------------------------------------------===//

namespace {
/// An update of one parameter. `decay` is missing where it does not decay.
struct AdamWMatch {
  Value param, m, v, grad, step;
  Scalar lr, scale, beta1, beta2, share1, share2, eps, epsRoot, decay;
  /// The factor of the gradient in place of `scale`.
  std::optional<Clip> clip;
  /// The learning rate is minus `lr`.
  bool addsStep = false;
  Value newM, newV;
};
} // namespace

/// Matches `beta old + new`.
static bool matchMean(Value value, const Scalar &beta, Value &old,
                      llvm::function_ref<bool(Value)> isNew) {
  return matchSumOf(value, [&](Value kept, Value added) {
    return matchScaled(kept, [&](Scaled scaled) {
      old = scaled.tensor;
      return scaled.scalar == beta && isNew(added);
    });
  });
}

/// Matches `share g^2`, multiplied in any order, and returns g, or null.
static Value matchShareOfSquare(Value value, Scalar &share) {
  Value g;
  auto isSquareOfG = [&](Value product) {
    auto square = product.getDefiningOp<stablehlo::MulOp>();
    g = square ? square.getLhs() : Value();
    return square && square.getLhs() == square.getRhs();
  };
  bool matches = matchScaled(value, [&](Scaled scaled) {
    share = scaled.scalar;
    return isSquareOfG(scaled.tensor);
  });
  if (matches)
    return g;
  auto product = value.getDefiningOp<stablehlo::MulOp>();
  if (!product)
    return nullptr;
  for (unsigned i : {0, 1}) {
    g = product->getOperand(i);
    if (matchScaled(product->getOperand(1 - i), [&](Scaled scaled) {
          share = scaled.scalar;
          return scaled.tensor == g;
        }))
      return g;
  }
  return nullptr;
}

/// Matches `sqrt(v / correction + epsRoot) + eps`, whose `epsRoot` may be
/// missing, and returns g, or null.
static Value matchRoot(Value root, AdamWMatch &match) {
  Value g;
  auto isVariance = [&](Value variance) {
    return matchCorrected(variance, match.newV, match.beta2, match.step) &&
           matchMean(match.newV, match.beta2, match.v, [&](Value added) {
             g = matchShareOfSquare(added, match.share2);
             return bool(g);
           });
  };
  auto isRoot = [&](Value first, Value eps) {
    auto squareRoot = first.getDefiningOp<stablehlo::SqrtOp>();
    match.eps = matchRepeated(eps);
    if (!squareRoot || !match.eps)
      return false;
    match.epsRoot = makeConstant(getElementTypeOrSelf(root), 0);
    if (isVariance(squareRoot.getOperand()))
      return true;
    return matchSumOf(squareRoot.getOperand(), [&](Value variance, Value eps) {
      match.epsRoot = matchRepeated(eps);
      return match.epsRoot && isVariance(variance);
    });
  };
  return matchSumOf(root, isRoot) ? g : Value();
}

/// Matches the moments behind `mean / root`.
static bool matchMoments(Value mean, Value root, AdamWMatch &match) {
  Value g = matchRoot(root, match), step;
  auto isShareOfG = [&](Value added) {
    return matchScaled(added, [&](Scaled scaled) {
      match.share1 = scaled.scalar;
      return scaled.tensor == g;
    });
  };
  if (!g || !matchCorrected(mean, match.newM, match.beta1, step) ||
      step != match.step ||
      !matchMean(match.newM, match.beta1, match.m, isShareOfG))
    return false;
  match.scale = makeConstant(getElementTypeOrSelf(g), 1);
  match.grad = peelToF32(g);
  match.clip.reset();
  Clip clip;
  if (Value unclipped = matchClip(g, clip)) {
    match.grad = peelToF32(unclipped);
    match.clip = clip;
    return true;
  }
  matchScaled(g, [&](Scaled scaled) {
    match.scale = scaled.scalar;
    match.grad = peelToF32(scaled.tensor);
    return true;
  });
  return true;
}

/// Matches `lr (ratio + decay param)`, where `decay param` may be missing.
static bool matchChange(Value change, llvm::function_ref<bool(Value)> isParam,
                        AdamWMatch &match) {
  auto isRatio = [&](Value value) {
    auto quotient = value.getDefiningOp<stablehlo::DivOp>();
    return quotient &&
           matchMoments(quotient.getLhs(), quotient.getRhs(), match);
  };
  return matchScaled(peelWideningOnce(change), [&](Scaled scaled) {
    match.lr = scaled.scalar;
    match.decay = Scalar();
    if (isRatio(scaled.tensor))
      return true;
    return matchSumOf(scaled.tensor, [&](Value ratio, Value decay) {
      return matchScaled(decay,
                         [&](Scaled each) {
                           match.decay = each.scalar;
                           return isParam(each.tensor);
                         }) &&
             isRatio(ratio);
    });
  });
}

/// Matches the update whose result is `root`: the parameter less the change, or
/// plus one at minus the learning rate, or that rounded to the type of the
/// parameter.
static std::optional<AdamWMatch> matchAdamW(Operation *root) {
  auto rounding = dyn_cast<stablehlo::ConvertOp>(root);
  Operation *sum = rounding ? rounding.getOperand().getDefiningOp() : root;
  if (!isa_and_nonnull<stablehlo::SubtractOp, stablehlo::AddOp>(sum))
    return std::nullopt;
  AdamWMatch match;
  match.addsStep = isa<stablehlo::AddOp>(sum);
  auto matchTerms = [&](Value param, Value change) {
    match.param = rounding ? peelWideningOnce(param) : param;
    auto isParam = [&](Value value) {
      auto convert = value.getDefiningOp<stablehlo::ConvertOp>();
      return value == match.param || value == param ||
             (convert && convert.getOperand() == match.param);
    };
    return match.param.getType() == root->getResult(0).getType() &&
           matchChange(change, isParam, match);
  };
  Value lhs = sum->getOperand(0), rhs = sum->getOperand(1);
  if (matchTerms(lhs, rhs) || (match.addsStep && matchTerms(rhs, lhs)))
    return match;
  return std::nullopt;
}

/// Returns true if boost.adamw takes the operands of an update, and something
/// else reads its moments.
static bool isSupported(const AdamWMatch &match) {
  auto isF32 = [](Value value) { return getElementTypeOrSelf(value).isF32(); };
  for (const Scalar &scalar :
       {match.lr, match.scale, match.beta1, match.beta2, match.share1,
        match.share2, match.eps, match.epsRoot})
    if (!scalar.isF32())
      return false;
  // The call writes the new moments, which are states.
  if (match.newM.hasOneUse() || match.newV.hasOneUse())
    return false;
  return isF32(match.m) && isF32(match.v) && isF32(match.step) &&
         getTensorType(match.step).getRank() == 0 &&
         (!match.decay || match.decay.isF32());
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
  Scalar findDecay(Operation *root) const;
  bool isBehind(Operation *op, Operation *root) const;
  Value scaleBy(Value scale, double factor);
  Scalar negate(const Scalar &scalar);
  Value makeValue(const Scalar &scalar);
  Value makeFactor(OpBuilder &b, const Clip &clip);
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
  SmallVector<Scalar> decays;
  std::vector<std::tuple<Value, double, Value>> scales;
  std::vector<std::pair<Clip, Value>> factors;
  /// Constants behind the marker. All updates read the same ones.
  DenseMap<Attribute, Value> constants;
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

/// Returns minus a scalar. JAX computes minus the learning rate as a product
/// with -1.
Scalar OptimizerRaiser::negate(const Scalar &scalar) {
  if (scalar.constant)
    return makeConstant(scalar.constant.getType(),
                        -scalar.constant.getValueAsDouble());
  if (auto product = scalar.value.getDefiningOp<stablehlo::MulOp>())
    for (auto [minusOne, other] :
         {std::pair(product.getLhs(), product.getRhs()),
          std::pair(product.getRhs(), product.getLhs())})
      if (stablehlo::matchSplat(minusOne) == -1.0)
        return matchRepeated(other);
  if (auto negation = scalar.value.getDefiningOp<stablehlo::NegOp>())
    return matchRepeated(negation.getOperand());
  return {FloatAttr(), scaleBy(scalar.value, -1)};
}

Value OptimizerRaiser::makeValue(const Scalar &scalar) {
  if (!scalar.constant)
    return scalar.value;
  Value &constant = constants[scalar.constant];
  if (!constant) {
    OpBuilder b(scalar.constant.getContext());
    b.setInsertionPointAfter(marker);
    constant =
        stablehlo::splat(b, marker.getLoc(),
                         RankedTensorType::get({}, scalar.constant.getType()),
                         scalar.constant.getValueAsDouble());
  }
  return constant;
}

/// Returns the factor of clipped gradients. All updates read the same one,
/// which stands before the first of them.
Value OptimizerRaiser::makeFactor(OpBuilder &b, const Clip &clip) {
  for (auto &[known, factor] : factors)
    if (known == clip)
      return factor;
  Value norm = makeValue(clip.norm), bound = makeValue(clip.bound);
  Location loc = norm.getLoc();
  Value ratio = mark(stablehlo::DivOp::create(b, loc, bound, norm));
  Value factor = mark(stablehlo::SelectOp::create(
      b, loc, clip.isWithin,
      makeValue(makeConstant(getElementTypeOrSelf(norm), 1)), ratio));
  factors.emplace_back(clip, factor);
  return factor;
}

/// Returns a weight decay for a parameter without any, so that its update can
/// be one with those of the others.
Scalar OptimizerRaiser::findDecay(Operation *root) const {
  for (const Scalar &decay : decays)
    if (decay.constant || !decay.value.getDefiningOp() ||
        !isBehind(decay.value.getDefiningOp(), root))
      return decay;
  return makeConstant(Float32Type::get(root->getContext()), 0);
}

/// Returns true if an operation stands behind one that is raised.
bool OptimizerRaiser::isBehind(Operation *op, Operation *root) const {
  auto position = positions.find(op);
  return position != positions.end() &&
         position->second > positions.lookup(root);
}

void OptimizerRaiser::raiseUpdate(Operation *root, const AdamWMatch &match) {
  OpBuilder b(root);
  Value scale =
      match.clip ? makeFactor(b, *match.clip) : makeValue(match.scale);
  Value grad = match.grad;
  if (auto multiple = matchMultiple(grad)) {
    grad = multiple->first;
    scale = scaleBy(scale, multiple->second);
  }
  Scalar decay = match.decay ? match.decay : findDecay(root);
  auto update = mark(AdamWOp::create(
      b, root->getLoc(), match.param.getType(), match.m.getType(),
      match.v.getType(), match.param, match.m, match.v, grad,
      makeValue(match.addsStep ? negate(match.lr) : match.lr), match.step,
      scale, makeValue(match.beta1), makeValue(match.beta2),
      makeValue(match.share1), makeValue(match.share2), makeValue(match.eps),
      makeValue(match.epsRoot), makeValue(decay), bool(match.decay)));
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
  std::vector<std::pair<Operation *, AdamWMatch>> updates;
  for (Operation *op : behind)
    if (isa<stablehlo::SubtractOp, stablehlo::AddOp, stablehlo::ConvertOp>(op))
      if (std::optional<AdamWMatch> match = matchAdamW(op);
          match && isSupported(*match)) {
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
