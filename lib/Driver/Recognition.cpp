//===- Recognition.cpp - What of a model the compiler knows ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Recognition.h"

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/Boost/IR/Constants.h"
#include "boost-mlir/Dialect/Boost/IR/Factors.h"
#include "boost-mlir/Dialect/Boost/IR/Schedule.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "boost-mlir/Support/UserLines.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/TypeSwitch.h"

#include <nlohmann/json.hpp>

using namespace mlir;
using namespace mlir::boost;
using Json = nlohmann::ordered_json;

/// Counts the branches of a bottleneck; branches of equal rank may share one
/// `down`.
static int64_t countBranches(BottleneckOp op) {
  auto down = cast<RankedTensorType>(op.getDown().getType());
  return down.getRank() == 3 ? down.getDimSize(1)
                             : static_cast<int64_t>(op.getUps().size());
}

/// Returns true for the end of a bottleneck whose factors are linears.
static bool isSecondFactor(LinearOp op) {
  return getFactor(op) == Factor::Second;
}

/// Counts the parameters of an imported loss, whose arguments all are tensors
/// of static shapes.
static int64_t countParameters(func::FuncOp loss) {
  int64_t elements = 0;
  for (BlockArgument argument : loss.getArguments())
    if (isParameter(argument) && !isConstant(argument))
      elements += cast<RankedTensorType>(argument.getType()).getNumElements();
  return elements;
}

Recognition mlir::boost::recognize(ModuleOp module) {
  Recognition found;
  if (func::FuncOp loss = findLoss(module); loss && !loss.isExternal())
    found.parameters = countParameters(loss);
  module.walk([&](Operation *operation) {
    llvm::TypeSwitch<Operation *>(operation)
        .Case([&](BottleneckOp op) { found.bottlenecks += countBranches(op); })
        .Case([&](LinearOp op) {
          found.linears += !getFactor(op);
          found.bottlenecks += isSecondFactor(op);
        })
        .Case([&](AttentionOp) { ++found.attentions; })
        .Case([&](RMSNormOp) { ++found.rmsNorms; })
        .Case([&](LayerNormOp) { ++found.layerNorms; })
        .Case([&](EmbeddingOp) { ++found.embeddings; })
        .Case([&](CrossEntropyOp) { ++found.crossEntropies; })
        .Case([&](stablehlo::DotGeneralOp op) {
          ++found.otherProducts[describeUserLine(op.getLoc())];
        });
  });
  return found;
}

int64_t mlir::boost::countBottleneckGroups(ModuleOp module) {
  int64_t groups = 0;
  module.walk([&](Operation *op) {
    auto linear = dyn_cast<LinearOp>(op);
    groups += isa<BottleneckOp>(op) || (linear && isSecondFactor(linear));
  });
  return groups;
}

/// Returns true if a slice takes some columns of the result of a product,
/// perhaps behind a bias: of one of queries, keys and values together, say.
static bool takesColumns(stablehlo::SliceOp op) {
  Value source = op.getOperand();
  if (getTensorType(source).getRank() == 0)
    return false;
  int64_t columns = getTensorType(source).getShape().back();
  if (getTensorType(op.getResult()).getShape().back() == columns)
    return false;
  if (auto sum = source.getDefiningOp<stablehlo::AddOp>())
    source = sum.getLhs();
  return isa_and_nonnull<BottleneckOp, LinearOp>(source.getDefiningOp());
}

bool mlir::boost::isBeyondRules(ModuleOp module) {
  func::FuncOp loss = findLoss(module);
  if (!loss)
    return false;
  auto visit = [](Operation *op) {
    auto slice = dyn_cast<stablehlo::SliceOp>(op);
    bool found =
        isa<stablehlo::DotGeneralOp>(op) || (slice && takesColumns(slice));
    return found ? WalkResult::interrupt() : WalkResult::advance();
  };
  return loss.walk(visit).wasInterrupted();
}

std::string Recognition::toJson() const {
  Json products = Json::array();
  for (const auto &[location, count] : otherProducts)
    products.push_back({{"location", location}, {"count", count}});
  Json json = {{"parameters", parameters},
               {"bottlenecks", bottlenecks},
               {"groups", groups},
               {"linears", linears},
               {"attentions", attentions},
               {"rms_norms", rmsNorms},
               {"layer_norms", layerNorms},
               {"embeddings", embeddings},
               {"cross_entropies", crossEntropies},
               {"other_products", products}};
  // A location may hold any bytes.
  return json.dump(-1, ' ', /*ensure_ascii=*/false,
                   Json::error_handler_t::replace);
}
