//===- TestPasses.cpp - Passes that exist for tests only ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"

void mlir::boost::test::registerTestPasses() {
  registerBreakMemoryPass();
  registerBroadcastParametersPass();
  registerAssignLayersPass();
  registerDropAllReducePass();
  registerMutateRuntimePass();
  registerScaleGradientPass();
  registerSwapShardsPass();
}
