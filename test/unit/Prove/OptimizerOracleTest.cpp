//===- OptimizerOracleTest.cpp - Right and wrong updates ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrainingOracle.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::prove;
using namespace mlir::boost::reference;

namespace {

/// Two parameters: `w` decays and has a master copy, `b` has neither. The norm
/// of their gradients is 13.
class OptimizerOracleTest : public ::testing::Test {
protected:
  OptimizerOracleTest() {
    context.loadDialect<BoostDialect>();
    for (auto [name, value] :
         std::initializer_list<std::pair<StringRef, double>>{
             {"step", 2},
             {"eps", 0.5},
             {"beta1", 0.5},
             {"beta2", 0.75},
             {"lr", 0.125},
             {"weight_decay", 0.5},
             {"clip", 0}})
      inputs[("hyper." + name).str()] = tensor({value});
    inputs["w"] = tensor({0.5, -2});
    inputs["master.w"] = tensor({0.5, -2});
    inputs["m.w"] = inputs["v.w"] = tensor({0, 0});
    inputs["b"] = tensor({1});
    inputs["m.b"] = tensor({0.5});
    inputs["v.b"] = tensor({1});
    add(gradient, "loss", {7},
        TensorAttr::get(TensorRole::Loss, StringAttr::get(&context, "loss")));
    add(gradient, "grad.w", {-4, 12}, TensorAttr::getGradientOf(param("w")));
    add(gradient, "grad.b", {3}, TensorAttr::getGradientOf(param("b")));
  }

  Tensor tensor(std::vector<double> values) {
    Tensor made(RankedTensorType::get({static_cast<int64_t>(values.size())},
                                      Float32Type::get(&context)));
    made.data = std::move(values);
    return made;
  }
  TensorAttr param(StringRef name) {
    return TensorAttr::get(TensorRole::Param, StringAttr::get(&context, name));
  }
  void add(Evaluation &to, StringRef name, std::vector<double> values,
           TensorAttr attr) {
    Tensor value = tensor(std::move(values));
    to.order.push_back({name.str(), value.type, /*idLimit=*/0, attr,
                        attr.getOwner() ? attr.getOwner() : attr.getName()});
    to.results[name] = value;
  }
  void addState(Evaluation &to, StringRef kind, StringRef of,
                std::vector<double> values) {
    std::string prefix = (kind + ".").str();
    add(to, prefix + of.str(), std::move(values),
        TensorAttr::getStateOf(param(of), prefix, kind, "zeros", 0));
  }
  void addSum(Evaluation &to, StringRef of, std::vector<double> values) {
    add(to, ("sum." + of).str(), std::move(values),
        TensorAttr::getAccumulatorOf(param(of)));
  }

  /// AdamW by the gradients, times `scale`.
  Evaluation update(double scale = 1) {
    double s = scale, s2 = scale * scale;
    // Divided by 1 - 0.5^2 and 1 - 0.75^2.
    auto ratio = [](double m, double v) {
      return (m / 0.75) / (std::sqrt(v / 0.4375) + 0.5);
    };
    std::vector<double> w = {0.5 - 0.125 * (ratio(-2 * s, 4 * s2) + 0.25),
                             -2 - 0.125 * (ratio(6 * s, 36 * s2) - 1)};
    double mb = 0.25 + 1.5 * s, vb = 0.75 + 2.25 * s2;
    Evaluation made;
    add(made, "w", w, param("w"));
    addState(made, "master", "w", w);
    addState(made, "m", "w", {-2 * s, 6 * s});
    addState(made, "v", "w", {4 * s2, 36 * s2});
    add(made, "b", {1 - 0.125 * ratio(mb, vb)}, param("b"));
    addState(made, "m", "b", {mb});
    addState(made, "v", "b", {vb});
    add(made, "grad_norm", {13}, TensorAttr::getMetric(&context, "grad_norm"));
    return made;
  }
  void addLoss(Evaluation &to) {
    add(to, "loss", {7},
        TensorAttr::get(TensorRole::Loss, StringAttr::get(&context, "loss")));
  }

  std::string check(StringRef function, const Evaluation &results,
                    int64_t microBatches = 1) {
    if (function == "adamw") {
      llvm::StringSet<> decaying;
      decaying.insert("w");
      NamedTensors gradients;
      gradients["w"] = gradient["grad.w"];
      gradients["b"] = gradient["grad.b"];
      return checkAdamW(function, results, gradients, inputs, decaying);
    }
    return checkStep(function, results, gradient, inputs, microBatches,
                     [&](const NamedTensors &gradients) {
                       return evaluateUpdate(gradients);
                     });
  }
  /// An update that returns the gradients that it gets, doubled.
  FailureOr<Evaluation> evaluateUpdate(const NamedTensors &gradients) {
    Evaluation made;
    for (StringRef name : {"w", "b"}) {
      std::vector<double> values = gradients.find(name)->second.data;
      for (double &value : values)
        value *= 2;
      add(made, name, std::move(values), param(name));
    }
    return made;
  }
  /// The results are right, and no element of them may differ.
  void expectThese(StringRef function, const Evaluation &results,
                   int64_t microBatches = 1) {
    EXPECT_EQ(check(function, results, microBatches), "");
    for (const NamedType &result : results.order)
      for (size_t i = 0; i < results[result.name].data.size(); ++i) {
        Evaluation wrong = results;
        wrong.results[result.name].data[i] += 1e-10;
        EXPECT_TRUE(StringRef(check(function, wrong, microBatches))
                        .starts_with(result.name + "[" + std::to_string(i)));
      }
    Evaluation fewer = results;
    fewer.order.erase(fewer.order.begin());
    EXPECT_NE(check(function, fewer, microBatches), "");
    Evaluation more = results;
    add(more, "other", {0}, TensorAttr::getMetric(&context, "other"));
    EXPECT_EQ(check(function, more, microBatches),
              "result 'other' is not expected of @" + function.str());
  }

  MLIRContext context;
  NamedTensors inputs;
  Evaluation gradient;
};

TEST_F(OptimizerOracleTest, AnUpdateIsAdamW) { expectThese("adamw", update()); }

TEST_F(OptimizerOracleTest, ANormBeyondTheLimitIsClipped) {
  inputs["hyper.clip"].data = {13.5};
  EXPECT_EQ(check("adamw", update()), "");
  inputs["hyper.clip"].data = {6.5};
  expectThese("adamw", update(6.5 / (13.0 + 1e-6f)));
}

TEST_F(OptimizerOracleTest, AStepUpdatesByTheGradient) {
  Evaluation results;
  addLoss(results);
  add(results, "w", {-8, 24}, param("w"));
  add(results, "b", {6}, param("b"));
  expectThese("step", results);
}

TEST_F(OptimizerOracleTest, AnUpdateIsByTheMeanOfTheSums) {
  inputs["sum.w"] = tensor({-16, 48});
  inputs["sum.b"] = tensor({12});
  Evaluation results;
  add(results, "w", {-8, 24}, param("w"));
  add(results, "b", {6}, param("b"));
  addSum(results, "w", {0, 0});
  addSum(results, "b", {0});
  expectThese("update", results, 4);
  EXPECT_NE(check("update", results, 2), "");
}

TEST_F(OptimizerOracleTest, AccumulatingAddsTheGradientToTheSums) {
  inputs["sum.w"] = tensor({1, 2});
  inputs["sum.b"] = tensor({-5});
  Evaluation results;
  addSum(results, "w", {-3, 14});
  addSum(results, "b", {-2});
  addLoss(results);
  expectThese("accumulate", results, 4);
}

} // namespace
