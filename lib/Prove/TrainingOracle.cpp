//===- TrainingOracle.cpp - What functions of training must give ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrainingOracle.h"

#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "boost-mlir/Dialect/Boost/IR/ParameterAttrs.h"
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

/// Whether the derivative of the loss along `direction` is `expected`, whose
/// terms have magnitudes that sum to `magnitude`.
static FailureOr<bool> isDerivative(double expected, double magnitude,
                                    StringRef name, const Tensor &direction,
                                    const NamedTensors &inputs,
                                    EvaluateLoss evaluateLoss,
                                    double &numeric) {
  // A step may cross a kink or a jump; then a smaller one will not.
  for (double h : {1e-4, 1e-5, 1e-6}) {
    double values[2];
    double size = 0;
    for (int side : {0, 1}) {
      NamedTensors moved = inputs;
      for (auto [x, d] : llvm::zip_equal(moved[name].data, direction.data))
        x += (side ? h : -h) * d;
      FailureOr<double> value = evaluateLoss(moved);
      if (failed(value))
        return failure();
      values[side] = *value;
      size = std::max(size, std::abs(*value));
    }
    numeric = (values[1] - values[0]) / (2 * h);
    // The error of the difference, and the rounding of what is subtracted.
    double allowed = 1e-5 * magnitude + 1e-13 * size / h;
    if (std::abs(numeric - expected) <= allowed)
      return true;
  }
  return false;
}

std::string mlir::boost::prove::checkGradient(const Evaluation &gradient,
                                              const NamedTensors &inputs,
                                              EvaluateLoss evaluateLoss,
                                              uint64_t seed) {
  for (const NamedType &result : gradient.order) {
    StringRef name = result.name;
    if (!name.consume_front("grad."))
      continue;
    const Tensor &values = gradient[result.name];
    Tensor direction = drawDirection(values, name, seed);
    double expected = 0, magnitude = 0, numeric = 0;
    for (auto [g, d] : llvm::zip_equal(values.data, direction.data)) {
      expected += g * d;
      magnitude += std::abs(g);
    }
    FailureOr<bool> isRight = isDerivative(expected, magnitude, name, direction,
                                           inputs, evaluateLoss, numeric);
    if (failed(isRight))
      return "the loss cannot be evaluated";
    if (!*isRight) {
      std::string text;
      llvm::raw_string_ostream(text)
          << result.name << ": " << llvm::format("%.9g", expected)
          << " along a random direction, but the loss changes by "
          << llvm::format("%.9g", numeric);
      return text;
    }
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Optimizer
//===----------------------------------------------------------------------===//

llvm::StringSet<> mlir::boost::prove::getDecaying(func::FuncOp gradient) {
  llvm::StringSet<> names;
  for (unsigned i : llvm::seq(gradient.getNumArguments())) {
    DictionaryAttr attrs = gradient.getArgAttrDict(i);
    auto decay = attrs ? attrs.getAs<BoolAttr>(kDecayAttr) : BoolAttr();
    if (!decay || !decay.getValue())
      continue;
    names.insert(attrs.getAs<StringAttr>(kNameAttr).getValue());
    for (PartAttr part : getParts(attrs))
      names.insert(part.getName().getValue());
  }
  return names;
}

namespace {
/// AdamW in its plainest form.
class Oracle {
public:
  Oracle(const NamedTensors &inputs, const llvm::StringSet<> &decaying,
         const CompileOptions &options)
      : inputs(inputs), decaying(decaying), options(options) {}

  /// What an update by the mean of `sums` over `count` gives.
  NamedTensors update(const NamedTensors &sums, double count) const;

private:
  double scalar(StringRef name) const {
    return inputs.find(name)->second.data[0];
  }
  void updateOne(StringRef name, const Tensor &sum, double scale,
                 NamedTensors &results) const;

  const NamedTensors &inputs;
  const llvm::StringSet<> &decaying;
  const CompileOptions &options;
};
} // namespace

void Oracle::updateOne(StringRef name, const Tensor &sum, double scale,
                       NamedTensors &results) const {
  Tensor param = inputs.find(name)->second;
  Tensor m = inputs.find(("adamw.m." + name).str())->second;
  Tensor v = inputs.find(("adamw.v." + name).str())->second;
  double step = scalar("step");
  double decay = decaying.contains(name) ? options.weightDecay : 0;
  for (size_t i = 0; i < param.data.size(); ++i) {
    double g = sum.data[i] * scale;
    m.data[i] = options.beta1 * m.data[i] + (1 - options.beta1) * g;
    v.data[i] = options.beta2 * v.data[i] + (1 - options.beta2) * g * g;
    double mean = m.data[i] / (1 - std::pow(options.beta1, step));
    double variance = v.data[i] / (1 - std::pow(options.beta2, step));
    param.data[i] -=
        scalar("lr") *
        (mean / (std::sqrt(variance) + options.eps) + decay * param.data[i]);
  }
  results[name] = std::move(param);
  results[("adamw.m." + name).str()] = std::move(m);
  results[("adamw.v." + name).str()] = std::move(v);
}

NamedTensors Oracle::update(const NamedTensors &sums, double count) const {
  double squares = 0;
  for (const auto &sum : sums)
    for (double value : sum.second.data)
      squares += value * value;
  Tensor norm = inputs.find("clip_norm")->second;
  double clip = norm.data[0];
  // The mean is a product with a constant, as f32 holds it.
  double mean = static_cast<float>(1.0 / count);
  norm.data[0] = std::sqrt(squares) * mean;
  // The constant that PyTorch adds, as f32 holds it.
  double scale = std::min(1.0, clip / (norm.data[0] + 1e-6f));
  NamedTensors results;
  for (const auto &sum : sums)
    updateOne(sum.first(), sum.second, (clip > 0 ? scale : 1) * mean, results);
  results["grad_norm"] = std::move(norm);
  return results;
}

std::string mlir::boost::prove::checkTraining(StringRef function,
                                              const Evaluation &results,
                                              const Evaluation &gradient,
                                              const NamedTensors &inputs,
                                              const llvm::StringSet<> &decaying,
                                              const CompileOptions &options) {
  NamedTensors grads, sums, expected;
  for (const NamedType &result : gradient.order) {
    StringRef name = result.name;
    if (!name.consume_front("grad.")) {
      expected[name] = gradient[name];
      continue;
    }
    grads[name] = gradient[result.name];
    if (function != kStepFunction)
      sums[name] = inputs.find(("acc." + name).str())->second;
  }
  if (function == kAccumulateFunction) {
    for (const auto &grad : grads) {
      Tensor &sum = expected[("acc." + grad.first()).str()];
      sum = sums[grad.first()];
      for (auto [out, in] : llvm::zip_equal(sum.data, grad.second.data))
        out += in;
    }
  } else {
    bool isStep = function == kStepFunction;
    if (!isStep)
      expected.clear();
    Oracle oracle(inputs, decaying, options);
    for (auto &entry :
         oracle.update(isStep ? grads : sums,
                       isStep ? 1 : static_cast<double>(options.accumulate)))
      expected[entry.first()] = entry.second;
    if (!isStep)
      for (const auto &sum : sums)
        expected[("acc." + sum.first()).str()] = Tensor(sum.second.type);
  }

  for (const NamedType &result : results.order) {
    auto it = expected.find(result.name);
    if (it == expected.end())
      return "result '" + result.name + "' is not expected of @" +
             function.str();
    Difference difference = compareTensors(it->second, results[result.name]);
    // The terms of an update are of one size: no sum of it cancels.
    if (difference.relative() > kReassociationBound)
      return describeMismatch(
          result, difference, it->second.data[difference.element],
          results[result.name].data[difference.element], kReassociationBound);
  }
  return results.order.size() == expected.size()
             ? ""
             : "a result of @" + function.str() + " is missing";
}
