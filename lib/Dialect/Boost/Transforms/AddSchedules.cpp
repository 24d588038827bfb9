//===- AddSchedules.cpp - What evaluates and what differentiates ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the schedules @evaluate and @gradients. boost-add-optimizer writes
// @train with the functions that it calls.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/Schedule.h"
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h"

namespace mlir::boost {
#define GEN_PASS_DEF_ADDSCHEDULESPASS
#include "boost-mlir/Dialect/Boost/Transforms/Passes.h.inc"
} // namespace mlir::boost

using namespace mlir;
using namespace mlir::boost;

namespace {
struct AddSchedulesPass
    : public boost::impl::AddSchedulesPassBase<AddSchedulesPass> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto [schedule, name] :
         {std::pair(kEvaluateSchedule, kLossFunction),
          std::pair(kGradientsSchedule, kGradientFunction)}) {
      auto function = symbols.lookup<FunctionOpInterface>(name);
      if (!function) {
        emitError(getOperation().getLoc())
            << "expects a function @" << name
            << " to call, but there is none: run boost-differentiate first";
        return signalPassFailure();
      }
      OpBuilder builder(&getContext());
      builder.setInsertionPointAfter(function);
      buildSchedule(builder, function.getLoc(), schedule,
                    countMicroBatches(function), function);
    }
  }
};
} // namespace
