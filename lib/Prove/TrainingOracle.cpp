//===- TrainingOracle.cpp - What functions of training must give ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrainingOracle.h"

#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::prove;
using namespace mlir::boost::reference;

//===----------------------------------------------------------------------===//
// Gradients
//===----------------------------------------------------------------------===//

namespace {
/// A gradient along a random direction.
struct Slope {
  std::string name; ///< of the parameter
  Tensor direction;
  double expected = 0;
  /// The magnitudes of its terms, added up.
  double magnitude = 0;
  /// The slope by the last differences of the loss.
  double numeric = 0;
};
} // namespace

/// A direction whose components are 1 or -1.
static Tensor drawDirection(const Tensor &like, StringRef name, uint64_t seed) {
  Tensor direction = like;
  NamedType named{(name + ".direction").str(), like.type};
  NamedTensors drawn = randomInputs(named, seed);
  for (auto [out, in] :
       llvm::zip_equal(direction.data, drawn.find(named.name)->second.data))
    out = in < 0 ? -1 : 1;
  return direction;
}

static Slope getSlope(const Evaluation &gradient, const NamedType &result,
                      uint64_t seed) {
  const Tensor &values = gradient[result.name];
  Slope slope;
  slope.name = result.of.str();
  slope.direction = drawDirection(values, slope.name, seed);
  for (auto [g, d] : llvm::zip_equal(values.data, slope.direction.data)) {
    slope.expected += g * d;
    slope.magnitude += std::abs(g);
  }
  return slope;
}

/// The loss `h` along a direction from the inputs.
static FailureOr<double> evaluateAlong(StringRef name, const Tensor &direction,
                                       double h, const NamedTensors &inputs,
                                       EvaluateLoss evaluateLoss) {
  NamedTensors moved = inputs;
  for (auto [x, d] : llvm::zip_equal(moved[name].data, direction.data))
    x += h * d;
  return evaluateLoss(moved);
}

/// The error of a difference over `h`, and the rounding of what is subtracted.
static double getAllowed(const Slope &slope, double size, double h) {
  return 1e-5 * slope.magnitude + 1e-13 * size / h;
}

/// Returns true if the slope is the derivative of the loss.
static FailureOr<bool> isDerivative(Slope &slope, const NamedTensors &inputs,
                                    EvaluateLoss evaluateLoss) {
  // A step may cross a kink or a jump; then a smaller one will not.
  for (double h : {1e-4, 1e-5, 1e-6}) {
    auto left =
        evaluateAlong(slope.name, slope.direction, -h, inputs, evaluateLoss);
    auto right =
        evaluateAlong(slope.name, slope.direction, h, inputs, evaluateLoss);
    if (failed(left) || failed(right))
      return failure();
    slope.numeric = (*right - *left) / (2 * h);
    double size = std::max(std::abs(*left), std::abs(*right));
    if (std::abs(slope.numeric - slope.expected) <= getAllowed(slope, size, h))
      return true;
  }
  return false;
}

/// Returns true if the loss has different slopes on both sides of the inputs:
/// they lie on the bound of a clamp, or where a maximum has two slopes. Values
/// of few bits often do.
static FailureOr<bool> isCorner(const Slope &slope, const NamedTensors &inputs,
                                EvaluateLoss evaluateLoss) {
  constexpr double h = 1e-6;
  // Steps of different lengths: corners in opposite directions do not cancel.
  Tensor direction = slope.direction;
  for (auto [i, d] : llvm::enumerate(direction.data))
    d *= 1 + std::fmod(0.6180339887498949 * static_cast<double>(i), 1);
  double values[3];
  for (int side : {-1, 0, 1}) {
    FailureOr<double> value =
        evaluateAlong(slope.name, direction, side * h, inputs, evaluateLoss);
    if (failed(value))
      return failure();
    values[side + 1] = *value;
  }
  double jump = (values[2] - 2 * values[1] + values[0]) / h;
  return std::abs(jump) > getAllowed(slope, 4 * std::abs(values[1]), h);
}

/// The inputs moved by more than a step of a difference quotient to where no
/// type of few bits has a value.
static NamedTensors moveOffCorners(const NamedTensors &inputs, uint64_t seed) {
  NamedTensors moved = inputs;
  for (auto &entry : moved) {
    NamedType named{(entry.first() + ".move").str(),
                    RankedTensorType::get(
                        entry.second.shape(),
                        Float64Type::get(entry.second.type.getContext()))};
    NamedTensors drawn = randomInputs(named, seed);
    for (auto [x, u] :
         llvm::zip(entry.second.data, drawn.find(named.name)->second.data))
      x += std::copysign(1e-3 * (1 + std::fmod(std::abs(u), 1)), u);
  }
  return moved;
}

std::string mlir::boost::prove::checkGradient(const Evaluation &gradient,
                                              const NamedTensors &inputs,
                                              EvaluateLoss evaluateLoss,
                                              EvaluateGradient evaluateGradient,
                                              uint64_t seed) {
  NamedTensors moved;
  std::optional<Evaluation> ofMoved;
  for (const NamedType &result : gradient.order) {
    if (!hasRole(result.tensor, TensorRole::Gradient))
      continue;
    Slope slope = getSlope(gradient, result, seed);
    FailureOr<bool> isRight = isDerivative(slope, inputs, evaluateLoss);
    if (failed(isRight))
      return "the loss cannot be evaluated";
    if (*isRight)
      continue;
    // In a corner any slope between those of its sides is a gradient: judge it
    // beside the corner.
    FailureOr<bool> inCorner = isCorner(slope, inputs, evaluateLoss);
    if (succeeded(inCorner) && *inCorner && std::isfinite(slope.expected)) {
      if (!ofMoved) {
        moved = moveOffCorners(inputs, seed);
        FailureOr<Evaluation> evaluation = evaluateGradient(moved);
        if (failed(evaluation))
          return "the gradient cannot be evaluated";
        ofMoved = std::move(*evaluation);
      }
      slope = getSlope(*ofMoved, result, seed);
      isRight = isDerivative(slope, moved, evaluateLoss);
      if (succeeded(isRight) && *isRight)
        continue;
    }
    std::string text;
    llvm::raw_string_ostream(text)
        << result.name << ": " << llvm::format("%.9g", slope.expected)
        << " along a random direction, but the loss changes by "
        << llvm::format("%.9g", slope.numeric);
    return text;
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Optimizer
//===----------------------------------------------------------------------===//

llvm::StringSet<> mlir::boost::prove::getDecaying(func::FuncOp gradient) {
  llvm::StringSet<> names;
  for (unsigned i : llvm::seq(gradient.getNumArguments())) {
    TensorAttr tensor = getArgTensor(gradient, i);
    if (!tensor || !tensor.getDecay() || !tensor.getDecay().getValue())
      continue;
    names.insert(tensor.getName());
    for (PartAttr part : getParts(gradient.getArgAttrDict(i)))
      names.insert(part.getName().getValue());
  }
  return names;
}

namespace {
/// Names of the tensors that belong to a parameter.
struct Companions {
  /// The master is empty where the parameter itself is updated.
  std::string master, m, v;
};
using CompanionsByName = llvm::StringMap<Companions>;

/// AdamW in its plainest form.
class Oracle {
public:
  Oracle(const NamedTensors &inputs, const CompanionsByName &companions,
         const llvm::StringSet<> &decaying)
      : inputs(inputs), companions(companions), decaying(decaying) {}

  /// Returns the results of an update by gradients.
  NamedTensors update(const NamedTensors &gradients) const;

private:
  double scalar(StringRef name) const {
    return inputs.find(name)->second.data[0];
  }
  void updateOne(StringRef name, const Tensor &sum, double scale,
                 NamedTensors &results) const;

  const NamedTensors &inputs;
  const CompanionsByName &companions;
  const llvm::StringSet<> &decaying;
};
} // namespace

/// By their roles, of what a function returns: it returns what it replaces.
static CompanionsByName findCompanions(ArrayRef<NamedType> results) {
  CompanionsByName found;
  for (const NamedType &result : results) {
    if (!hasRole(result.tensor, TensorRole::State))
      continue;
    Companions &companions = found[result.of];
    StringRef kind = result.tensor.getKind();
    (kind == kMasterKind ? companions.master
     : kind == "m"       ? companions.m
                         : companions.v) = result.name;
  }
  return found;
}

void Oracle::updateOne(StringRef name, const Tensor &sum, double scale,
                       NamedTensors &results) const {
  const Companions &states = companions.find(name)->second;
  bool hasMaster = !states.master.empty();
  Tensor param = inputs.find(hasMaster ? states.master : name)->second;
  Tensor m = inputs.find(states.m)->second;
  Tensor v = inputs.find(states.v)->second;
  double step = scalar("hyper.step"), eps = scalar("hyper.eps");
  double beta1 = scalar("hyper.beta1"), beta2 = scalar("hyper.beta2");
  double decay = decaying.contains(name) ? scalar("hyper.weight_decay") : 0;
  for (size_t i = 0; i < param.data.size(); ++i) {
    double g = sum.data[i] * scale;
    m.data[i] = beta1 * m.data[i] + (1 - beta1) * g;
    v.data[i] = beta2 * v.data[i] + (1 - beta2) * g * g;
    double mean = m.data[i] / (1 - std::pow(beta1, step));
    double variance = v.data[i] / (1 - std::pow(beta2, step));
    param.data[i] -= scalar("hyper.lr") * (mean / (std::sqrt(variance) + eps) +
                                           decay * param.data[i]);
  }
  if (hasMaster) {
    results[states.master] = param;
    Tensor rounded = inputs.find(name)->second;
    rounded.data = param.data;
    param = std::move(rounded);
  }
  results[name] = std::move(param);
  results[states.m] = std::move(m);
  results[states.v] = std::move(v);
}

NamedTensors Oracle::update(const NamedTensors &gradients) const {
  double squares = 0;
  for (const auto &gradient : gradients)
    for (double value : gradient.second.data)
      squares += value * value;
  Tensor norm = inputs.find("hyper.clip")->second;
  double clip = norm.data[0];
  norm.data[0] = std::sqrt(squares);
  // The constant that PyTorch adds, as f32 holds it.
  double scale = std::min(1.0, clip / (norm.data[0] + 1e-6f));
  NamedTensors results;
  for (const auto &gradient : gradients)
    updateOne(gradient.first(), gradient.second, clip > 0 ? scale : 1, results);
  results["grad_norm"] = std::move(norm);
  return results;
}

/// Compares results with what they must be.
static std::string compare(StringRef function, const Evaluation &results,
                           const NamedTensors &expected) {
  for (const NamedType &result : results.order) {
    auto it = expected.find(result.name);
    if (it == expected.end())
      return "result '" + result.name + "' is not expected of @" +
             function.str();
    Difference difference = compareTensors(it->second, results[result.name]);
    // The terms of an update are of one size: no sum of it cancels.
    if (difference.relative() > kReassociationBound)
      return describeMismatch(result, difference, it->second,
                              results[result.name], kReassociationBound);
  }
  return results.order.size() == expected.size()
             ? ""
             : "a result of @" + function.str() + " is missing";
}

std::string mlir::boost::prove::checkAdamW(StringRef function,
                                           const Evaluation &results,
                                           const NamedTensors &gradients,
                                           const NamedTensors &inputs,
                                           const llvm::StringSet<> &decaying) {
  CompanionsByName companions = findCompanions(results.order);
  for (const auto &gradient : gradients)
    if (!companions.contains(gradient.first()))
      return "@" + function.str() + " returns nothing for '" +
             gradient.first().str() + "'";
  Oracle oracle(inputs, companions, decaying);
  return compare(function, results, oracle.update(gradients));
}

/// Adds what an evaluation gives, but for gradients.
static void addResults(const Evaluation &evaluation, NamedTensors &to) {
  for (const NamedType &result : evaluation.order)
    if (!hasRole(result.tensor, TensorRole::Gradient))
      to[result.name] = evaluation[result.name];
}

std::string mlir::boost::prove::checkStep(StringRef function,
                                          const Evaluation &results,
                                          const Evaluation &gradient,
                                          const NamedTensors &inputs,
                                          int64_t microBatches,
                                          EvaluateUpdate evaluateUpdate) {
  auto returns = [&](TensorRole role) {
    return llvm::any_of(results.order, [&](const NamedType &result) {
      return hasRole(result.tensor, role);
    });
  };
  bool updates = returns(TensorRole::Param);
  bool takesSums = updates && returns(TensorRole::Accumulator);
  NamedTensors gradients, expected;
  for (const NamedType &result : gradient.order)
    if (hasRole(result.tensor, TensorRole::Gradient))
      gradients[result.of] = gradient[result.name];
  if (!takesSums)
    addResults(gradient, expected);
  llvm::StringSet<> summed;
  for (const NamedType &result : results.order)
    if (hasRole(result.tensor, TensorRole::Accumulator))
      summed.insert(result.of);
  for (const auto &each : gradients)
    if ((!updates || takesSums) && !summed.contains(each.first()))
      return "@" + function.str() + " returns no sum for '" +
             each.first().str() + "'";
  // The mean is a product with a constant, as f32 holds it.
  double mean = static_cast<float>(1.0 / static_cast<double>(microBatches));
  for (const NamedType &result : results.order) {
    if (!hasRole(result.tensor, TensorRole::Accumulator))
      continue;
    Tensor sum = inputs.find(result.name)->second;
    Tensor &of = gradients[result.of];
    if (updates) {
      of = sum;
      for (double &value : of.data)
        value *= mean;
      expected[result.name] = Tensor(sum.type);
      continue;
    }
    for (auto [out, in] : llvm::zip_equal(sum.data, of.data))
      out += in;
    expected[result.name] = std::move(sum);
  }
  if (updates) {
    FailureOr<Evaluation> updated = evaluateUpdate(gradients);
    if (failed(updated))
      return "the update cannot be evaluated";
    addResults(*updated, expected);
  }
  return compare(function, results, expected);
}
