//===- Schedule.h - What the binary runs ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds and reads boost.schedule.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_SCHEDULE_H
#define BOOST_MLIR_DIALECT_BOOST_IR_SCHEDULE_H

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace mlir::boost {

/// A function that a schedule calls, and how often.
struct CalledFunction {
  FunctionOpInterface function;
  int64_t calls = 0;
};

/// Returns the schedule of this name, or null if the module has none.
ScheduleOp findSchedule(ModuleOp module, StringRef name);

/// Returns the schedule that does most of what the module can do: `train`, or
/// else `gradients`, or else `evaluate`. Null if there is none of them.
ScheduleOp findMainSchedule(ModuleOp module);

/// Returns the functions that a schedule calls or chooses from, in the order of
/// their first calls. The verifier has seen to it that they exist.
SmallVector<CalledFunction> getCalledFunctions(ScheduleOp schedule);

/// Returns the stage of a pipeline that the function belongs to, or nothing if
/// every stage runs it.
std::optional<int64_t> getStage(FunctionOpInterface function);

/// Returns the calls, choices and transfers of a schedule, in their order.
SmallVector<Operation *> getActions(ScheduleOp schedule);

/// Returns whether a call of the function computes on one micro-batch: it reads
/// the batch, or keeps values of it or reads kept ones.
bool hasMicroBatch(FunctionOpInterface function);

/// Returns the loss, the function that a program begins with, or null.
func::FuncOp findLoss(ModuleOp module);

/// Returns the function that computes the gradients of the loss, and nothing
/// else, or null.
func::FuncOp findGradient(ModuleOp module);

/// Returns the function whose tensors `eval --verify` shows while it runs: that
/// of a training step of one call, or else the one that computes gradients.
/// Null if there is neither.
FunctionOpInterface findProbedFunction(ModuleOp module);

/// Returns the values in a training step that are the results of `gradient`,
/// with which the step begins, operation by operation; probes may stand between
/// them. Fails if it begins otherwise.
FailureOr<SmallVector<Value>> findGradientsIn(FunctionOpInterface step,
                                              FunctionOpInterface gradient);

/// Returns the number of parts that the batch of a function was split into.
int64_t countMicroBatches(FunctionOpInterface function);

/// Appends a schedule that calls a function once for each micro-batch, or once
/// in all if it computes on none.
ScheduleOp buildSchedule(OpBuilder &builder, Location loc, StringRef name,
                         int64_t microBatches,
                         ArrayRef<FunctionOpInterface> functions);

} // namespace mlir::boost

#endif // BOOST_MLIR_DIALECT_BOOST_IR_SCHEDULE_H
