//===- NamedMachine.cpp - The machine that --machine names ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds and reads machine files, and prices lists of operations with them.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Driver/Compile.h"

#include "boost-mlir/Analysis/OperationList.h"
#include "boost-mlir/Support/InputFile.h"
#include "boost-mlir/Target/Link.h"
#include "boost-mlir/Target/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace mlir::boost;

static SmallString<128> getInstalledFile(StringRef toolDirectory,
                                         const Twine &name) {
  SmallString<128> path(toolDirectory);
  llvm::sys::path::append(path, "..", "share", "boost-mlir");
  llvm::sys::path::append(path, "machines", name);
  return path;
}

std::string mlir::boost::findMachineFile(const CompileOptions &options) {
  if (llvm::sys::fs::exists(options.machine))
    return options.machine;
  std::string name = options.machine.empty() ? "host" : options.machine;
  return getInstalledFile(options.toolDirectory, name + ".json").str().str();
}

/// The installed machine that lists this device; empty if none does.
static std::string findMachineWith(StringRef device, StringRef toolDirectory) {
  std::error_code error;
  llvm::sys::fs::directory_iterator files(getInstalledFile(toolDirectory, ""),
                                          error),
      end;
  for (; !error && files != end; files.increment(error)) {
    auto file = llvm::MemoryBuffer::getFile(files->path());
    if (!file)
      continue;
    llvm::Expected<Machine> machine = Machine::parse((*file)->getBuffer());
    if (!machine)
      llvm::consumeError(machine.takeError());
    else if (llvm::is_contained(machine->devices, device))
      return llvm::sys::path::stem(files->path()).str();
  }
  return "";
}

std::string mlir::boost::findDefaultMachine(const CompileOptions &options) {
  const Target &target = getTarget(options.target);
  std::string machine = target.getDefaultMachine().str();
  std::optional<std::string> device = target.findDevice();
  if (!device)
    return machine;
  std::string found = findMachineWith(*device, options.toolDirectory);
  if (!found.empty())
    return found;
  if (!options.quiet)
    llvm::WithColor::remark(llvm::errs(), "boost-compile")
        << "no machine file lists the device '" << *device
        << "', so the program is made for '" << machine
        << "'; name another with --machine\n";
  return machine;
}

llvm::Expected<Machine>
mlir::boost::loadMachine(const CompileOptions &options) {
  std::string path = findMachineFile(options);
  std::string message;
  auto file = openInput(path, &message);
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
  auto file = openInput(options.input, &message);
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
