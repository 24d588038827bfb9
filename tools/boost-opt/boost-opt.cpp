//===- boost-opt.cpp - Run passes on IR of any level ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The project's mlir-opt: every pass and pipeline by flag, stdin to stdout.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/InitAll.h"
#ifdef BOOST_MLIR_TEST_PASSES
#include "TestPasses.h"
#endif

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::boost::registerAllDialects(registry);
  mlir::boost::registerAllPasses();
#ifdef BOOST_MLIR_TEST_PASSES
  mlir::boost::test::registerTestPasses();
#endif
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "boost-mlir pass driver\n", registry));
}
