//===- GradientsTest.cpp - Every gradient against finite differences ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For every case of an operation with a differentiation rule: each element of
// each gradient against a central difference of the evaluated loss, improved by
// one step of Richardson's extrapolation. With a step h its error is O(h^4)
// from the series and O(u / h) from rounding to a unit u; h = u^(1/5) balances
// both at u^(4/5), which is 3e-13 in f64. test/python/test_gradients.py holds
// the same cases to JAX.
//
//===----------------------------------------------------------------------===//

#include "Cases.h"

#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Interfaces/DifferentiableOpInterface.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::test;
using namespace mlir::boost::reference;

namespace {

constexpr llvm::StringLiteral kDifferentiate =
    "boost-decompose-bottleneck,boost-decompose-layer-norm,"
    "boost-decompose-rms-norm,boost-differentiate";

/// The share of the fifth derivative and of the condition of the loss in the
/// error bound; the largest that any case needs is below a quarter of it.
constexpr double kSlack = 256;

/// The evaluator computes in f64, but rounds where the program itself does.
double getRoundoff(Case &from) {
  if (auto reduce = dyn_cast<stablehlo::ReducePrecisionOp>(from.op))
    return std::ldexp(1.0, -static_cast<int>(reduce.getMantissaBits()) - 1);
  return std::ldexp(1.0, -53);
}

class Loss {
public:
  explicit Loss(Case &from)
      : module(makeModule(CaseTable::get().getContext(), nullptr)) {
    addLoss(from, *module);
    if (failed(runPasses(*module, kDifferentiate)))
      return;
    loss = *Program::create(*module, kLossFunction);
    gradient = *Program::create(*module, kGradientFunction);
    inputs = makeInputs(*loss, from, /*seed=*/1);
    isValid = true;
  }

  double evaluate() { return run(*loss)[kLossFunction].data[0]; }

  NamedTensors run(const Program &program) {
    return *program.run(inputs, Rounding::None, 0);
  }

  /// The derivative of the loss by `x`, an element of an input.
  double differentiate(double &x, double step) {
    double at = x;
    auto central = [&](double h) {
      x = at + h;
      double above = evaluate();
      x = at - h;
      double below = evaluate();
      x = at;
      return (above - below) / (2 * h);
    };
    double coarse = central(step);
    return (4 * central(step / 2) - coarse) / 3;
  }

  OwningOpRef<ModuleOp> module;
  std::optional<Program> loss, gradient;
  NamedTensors inputs;
  bool isValid = false;
};

/// Returns the number of elements compared.
unsigned checkCase(Case &from) {
  SCOPED_TRACE(("case @" + from.getName()).str());
  Loss loss(from);
  EXPECT_TRUE(loss.isValid);
  if (!loss.isValid)
    return 0;
  NamedTensors gradients = loss.run(*loss.gradient);
  EXPECT_EQ(gradients[kLossFunction].data[0], loss.evaluate());

  double roundoff = getRoundoff(from), step = std::pow(roundoff, 0.2);
  unsigned count = 0;
  for (unsigned i = 0; i < from.function.getNumArguments(); ++i) {
    if (!isFloat(from.function.getArgumentTypes()[i]))
      continue;
    std::string name = loss.loss->arguments()[i].name;
    const Tensor &gradient = gradients["grad." + name];
    double scale = 1;
    for (double value : gradient.data)
      scale = std::max(scale, std::abs(value));
    double bound = kSlack * std::pow(roundoff, 0.8) * scale;
    for (auto [element, value] : llvm::enumerate(gradient.data)) {
      double expected =
          loss.differentiate(loss.inputs[name].data[element], step);
      EXPECT_NEAR(value, expected, bound)
          << "argument " << i << ", element " << element;
      ++count;
    }
  }
  return count;
}

TEST(Gradients, EveryRuleHasACase) {
  EXPECT_EQ(CaseTable::get().findUncovered<DifferentiableOpInterface>(),
            std::vector<std::string>());
}

TEST(Gradients, AreFiniteDifferences) {
  Tally tally({"cases", "elements"});
  for (Case &from : CaseTable::get().getCases()) {
    if (!from.isDifferentiable())
      continue;
    tally.add(from.getOpName(), 0);
    tally.add(from.getOpName(), 1, checkCase(from));
  }
  tally.print("gradients, finite differences");
  for (Case &from : CaseTable::get().getCases())
    if (isa<DifferentiableOpInterface>(from.op))
      EXPECT_GT(tally.get(from.getOpName(), 1), 0u) << from.getOpName().str();
}

} // namespace
