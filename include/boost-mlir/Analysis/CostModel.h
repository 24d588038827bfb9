//===- CostModel.h - Seconds and work of a runtime program ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the operations of the runtime level, which are those of the program
// that runs, and sums what a machine takes for them.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_ANALYSIS_COSTMODEL_H
#define BOOST_MLIR_ANALYSIS_COSTMODEL_H

#include "boost-mlir/Analysis/Machine.h"
#include "boost-mlir/Dialect/Boost/IR/Mesh.h"
#include "boost-mlir/Interfaces/OpCost.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Operation.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mlir::boost {

/// Sums over the operations of a class.
struct ClassCost {
  int64_t calls = 0;
  double flops = 0;
  double memoryBytes = 0;
  double networkBytes = 0;
  double seconds = 0;
};

/// Stands for a class of layers where an operation belongs to none.
inline constexpr int64_t kOutsideOfLayers = -1;

using ClassCosts = std::map<OpClass, ClassCost>;

/// The cost of the operations of a function, one after another.
struct FunctionCost {
  ClassCosts classes;
  /// Classes of operations by phase of the step.
  std::map<Phase, ClassCosts> phases;
  /// Seconds by the class of the layer. What layers share is outside of them.
  std::map<int64_t, double> layers;
  /// Calls that take tensors of several layers, those that may become one under
  /// the same key, in the order of the program.
  std::map<std::string, std::vector<OpCost>> shared;
  double getSeconds() const;
};

/// One function of a training step.
struct StepPart {
  func::FuncOp function;
  int64_t count = 1; ///< how often a step calls it
  FunctionCost cost;
  double getSeconds() const {
    return static_cast<double>(count) * cost.getSeconds();
  }
};

/// A call of a stage of a pipeline, and when it begins and ends in a step.
struct TimedCall {
  func::FuncOp function;
  int64_t stage = 0;
  std::optional<int64_t> microBatch;
  double begin = 0, end = 0; ///< in seconds
};

/// The functions that the main schedule of a program calls. See
/// findMainSchedule.
struct StepCost {
  SmallVector<StepPart> parts;
  /// The seconds that each stage of a pipeline computes; empty without one.
  SmallVector<double> stages;
  /// The calls of all pipeline stages with their times, in the order of the
  /// schedule.
  SmallVector<TimedCall, 0> timeline;
  /// When the last of these stages is done.
  double pipelineSeconds = 0;
  /// Returns the seconds of a step: of all parts one after another, or of the
  /// pipeline.
  double getSeconds() const;
  /// Returns the seconds by the class of the layer.
  std::map<int64_t, double> getLayerSeconds() const;
};

/// Lets the operations of the runtime level say what they cost.
void registerCostModels(DialectRegistry &registry);

FunctionCost getFunctionCost(func::FuncOp function, const Mesh &mesh,
                             const Machine &machine);

StepCost getStepCost(ModuleOp module, const Mesh &mesh, const Machine &machine);

} // namespace mlir::boost

#endif // BOOST_MLIR_ANALYSIS_COSTMODEL_H
