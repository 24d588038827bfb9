//===- boost-opt.cpp - Run passes on IR of any level ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The project's mlir-opt: every pass and pipeline by flag, stdin to stdout.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/InitAll.h"
#include "boost-mlir/Support/DeepStack.h"
#include "boost-mlir/Support/InputFile.h"
#include "boost-mlir/Support/ProgramFile.h"
#ifdef BOOST_MLIR_TEST_PASSES
#include "EmulatedImage.h"
#include "TestPasses.h"
#endif

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;

#ifdef BOOST_MLIR_TEST_PASSES
static llvm::cl::opt<bool> emulatable(
    "emulatable",
    llvm::cl::desc("Add images for the emulator of the tests to device code"));
#endif

static LogicalResult fail(StringRef message) {
  llvm::WithColor::error(llvm::errs(), "boost-opt") << message << "\n";
  return failure();
}

/// Returns true if the command line requests help, except by --help-hidden.
static bool asksForHelp(int argc, char **argv) {
  return llvm::any_of(ArrayRef(argv, argc).drop_front(), [](StringRef word) {
    return word == "-h" || word == "-help" || word == "--help";
  });
}

static bool isOfProject(StringRef name) {
  return name.contains("boost") || name.contains("stablehlo") ||
         name.contains("-kernels-");
}

/// Prints the names, sorted, that `lookup` knows, with their options.
template <typename Lookup>
static void printEntries(StringRef title, ArrayRef<StringRef> names,
                         const Lookup &lookup) {
  llvm::outs() << "\n" << title << ":\n";
  constexpr size_t kIndent = 2, kDescription = 48;
  for (StringRef name : names)
    if (const PassRegistryEntry *entry = lookup(name))
      entry->printHelpStr(kIndent, kDescription);
}

/// Prints the passes and pipelines, those of this project first. LLVM lists
/// them in the middle of its own options, which are for hidden help now.
static void printPasses(const llvm::StringSet<> &optionsOfLLVM) {
  auto &options = llvm::cl::getRegisteredOptions();
  llvm::cl::Option *passes = options.lookup("canonicalize");
  SmallVector<StringRef> own, upstream;
  for (auto &[name, option] : options) {
    if (option == passes)
      (isOfProject(name) ? own : upstream).push_back(name);
    if (option == passes || optionsOfLLVM.contains(name))
      option->setHiddenFlag(llvm::cl::Hidden);
  }
  llvm::sort(own);
  llvm::sort(upstream);
  printEntries("Pipelines, one for each stage of boost-compile", own,
               &PassPipelineInfo::lookup);
  printEntries("Passes of boost-mlir", own, &PassInfo::lookup);
  printEntries("Passes of MLIR", upstream, &PassInfo::lookup);
  llvm::outs() << "\n";
}

/// Processes files as MlirOptMain does, after checking the text.
static LogicalResult processFile(StringRef input, StringRef output,
                                 DialectRegistry &registry,
                                 const MlirOptMainConfig &config) {
  std::string message;
  auto file = boost::openInput(input, &message);
  if (!file)
    return fail(message);
  file = boost::prepareProgramFile(std::move(file), config.inputSplitMarker());
  if (!file)
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
  llvm::StringSet<> optionsOfLLVM;
  for (auto &[name, option] : llvm::cl::getRegisteredOptions())
    if (name != "help" && name != "help-hidden" && name != "version")
      optionsOfLLVM.insert(name);
  std::string overview =
      registerCLIOptions("boost-mlir pass driver\n", registry);
  if (asksForHelp(argc, argv)) {
    llvm::outs() << "OVERVIEW: " << overview << "\n";
    printPasses(optionsOfLLVM);
    overview.clear();
  }
  auto [input, output] = parseCLIOptions(argc, argv, overview);
#ifdef BOOST_MLIR_TEST_PASSES
  if (emulatable)
    boost::registerEmulatedImages(registry);
#endif
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  // These read no file.
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
  return boost::runOnDeepStack([&, &input = input, &output = output] {
    return asMainReturnCode(processFile(input, output, registry, config));
  });
}
