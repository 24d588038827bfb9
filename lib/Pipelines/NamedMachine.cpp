//===- NamedMachine.cpp - The machine that --machine names ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds and reads machine files, and prices lists of operations with them.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Pipelines/Compile.h"

#include "boost-mlir/Analysis/OperationList.h"
#include "boost-mlir/Target/Link.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace mlir::boost;

std::string mlir::boost::findMachineFile(const CompileOptions &options) {
  if (llvm::sys::fs::exists(options.machine))
    return options.machine;
  SmallString<128> path(options.toolDirectory);
  llvm::sys::path::append(path, "..", "share", "boost-mlir");
  llvm::sys::path::append(path, "machines",
                          (options.machine.empty() ? "host" : options.machine) +
                              ".json");
  return path.str().str();
}

llvm::Expected<Machine>
mlir::boost::loadMachine(const CompileOptions &options) {
  std::string path = findMachineFile(options);
  std::string message;
  auto file = openInputFile(path, &message);
  if (!file)
    return llvm::createStringError("--machine=" + options.machine +
                                   " is neither a file nor a known machine (" +
                                   message +
                                   "); use a name in machines/, such as host "
                                   "or a100-80gb, or a file that --calibrate "
                                   "writes");
  llvm::Expected<Machine> machine = Machine::parse(file->getBuffer());
  if (!machine)
    return llvm::createStringError("'" + path +
                                   "': " + llvm::toString(machine.takeError()));
  return machine;
}

static ExitCode fail(ExitCode code, const Twine &message) {
  llvm::WithColor::error(llvm::errs(), "boost-compile") << message << "\n";
  return code;
}

ExitCode mlir::boost::price(const CompileOptions &options) {
  llvm::Expected<Machine> machine = loadMachine(options);
  if (!machine)
    return fail(kUsage, llvm::toString(machine.takeError()));
  std::string message;
  auto file = openInputFile(options.input, &message);
  if (!file)
    return fail(kInputRefused, message);
  llvm::Expected<std::string> prices =
      priceOperations(file->getBuffer(), *machine);
  if (!prices)
    return fail(kInputRefused, "'" + options.input +
                                   "': " + llvm::toString(prices.takeError()));
  llvm::Error error =
      writeOutput(options.output, [&](llvm::raw_pwrite_stream &stream) {
        stream << *prices << "\n";
        return success();
      });
  return error ? fail(kFailed, llvm::toString(std::move(error))) : kDone;
}
