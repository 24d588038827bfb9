//===- boost-opt.cpp - Run passes on IR of any level ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The project's mlir-opt: every pass and pipeline by flag, stdin to stdout.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/InitAll.h"
#include "boost-mlir/Support/DeepStack.h"
#include "boost-mlir/Support/ProgramFile.h"
#ifdef BOOST_MLIR_TEST_PASSES
#include "TestPasses.h"
#endif

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;

static LogicalResult fail(StringRef message) {
  llvm::WithColor::error(llvm::errs(), "boost-opt") << message << "\n";
  return failure();
}

/// What MlirOptMain does with files, behind a check of the text.
static LogicalResult processFile(StringRef input, StringRef output,
                                 DialectRegistry &registry,
                                 const MlirOptMainConfig &config) {
  std::string message;
  auto file = openInputFile(input, &message);
  if (!file)
    return fail(message);
  if (failed(boost::checkProgramFile(*file, config.inputSplitMarker())))
    return failure();
  auto outputFile = openOutputFile(output, &message);
  if (!outputFile)
    return fail(message);
  if (failed(MlirOptMain(outputFile->os(), std::move(file), registry, config)))
    return failure();
  outputFile->keep();
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM initLLVM(argc, argv);
  DialectRegistry registry;
  boost::registerAllDialects(registry);
  boost::registerAllPasses();
#ifdef BOOST_MLIR_TEST_PASSES
  boost::test::registerTestPasses();
#endif
  std::string input, output;
  std::tie(input, output) = registerAndParseCLIOptions(
      argc, argv, "boost-mlir pass driver\n", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  // These read no file.
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
  return boost::runOnDeepStack([&] {
    return asMainReturnCode(processFile(input, output, registry, config));
  });
}
