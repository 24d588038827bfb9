//===- Calibrate.cpp - Measures the machine that this runs on -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts boost-calibrate, which is linked with the runtime, on the ranks of the
// mesh, and writes the machine file that it prints once it is known to be one.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Driver/Compile.h"

#include "boost-mlir/Target/Link.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace mlir::boost;

/// The name of the machine that a file describes.
static std::string nameMachine(const CompileOptions &options) {
  if (options.output != "-")
    return llvm::sys::path::stem(options.output).str();
  return options.target == TargetKind::CPU ? "host" : "gpu";
}

/// The program that measures what programs of the target run on.
static std::string nameTool(TargetKind target) {
  return target == TargetKind::CPU
             ? "boost-calibrate"
             : ("boost-calibrate-" + getName(target)).str();
}

static llvm::Expected<std::vector<std::string>>
getCommand(const CompileOptions &options) {
  SmallString<128> tool(options.toolDirectory);
  llvm::sys::path::append(tool, nameTool(options.target));
  if (!llvm::sys::fs::can_execute(tool))
    return llvm::createStringError("--calibrate needs '" + tool +
                                   "'; build the target " +
                                   nameTool(options.target));
  std::vector<std::string> command;
  if (int64_t ranks = options.place.mesh.getNumRanks(); ranks > 1) {
    auto launcher = llvm::sys::findProgramByName("mpirun");
    if (!launcher)
      return llvm::createStringError(
          "--calibrate on " + Twine(ranks) +
          " ranks needs mpirun: " + launcher.getError().message());
    command = {*launcher, "-np", std::to_string(ranks), "--oversubscribe"};
  }
  command.push_back(tool.str().str());
  command.push_back(nameMachine(options));
  return command;
}

/// Returns the output of the command, or an error if it fails; the command has
/// printed the reason.
static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
getOutputOf(ArrayRef<std::string> command) {
  SmallString<128> path;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("machine", "json", path))
    return llvm::createStringError("no temporary file: " + error.message());
  llvm::FileRemover remover(path);
  SmallVector<StringRef> arguments(command.begin(), command.end());
  std::string message;
  int code = llvm::sys::ExecuteAndWait(
      command.front(), arguments, std::nullopt,
      {std::nullopt, StringRef(path), std::nullopt}, 0, 0, &message);
  if (code != 0)
    return llvm::createStringError("'" + llvm::join(command, " ") +
                                   "' failed with code " + Twine(code) +
                                   (message.empty() ? "" : ": " + message));
  auto text = llvm::MemoryBuffer::getFile(path);
  if (!text)
    return llvm::createStringError("'" + path +
                                   "': " + text.getError().message());
  return std::move(*text);
}

static llvm::Error measure(const CompileOptions &options) {
  llvm::Expected<std::vector<std::string>> command = getCommand(options);
  if (!command)
    return command.takeError();
  auto text = getOutputOf(*command);
  if (!text)
    return text.takeError();
  llvm::Expected<Machine> machine = Machine::parse((*text)->getBuffer());
  if (!machine)
    return machine.takeError();
  return writeOutput(options.output, [&](llvm::raw_pwrite_stream &stream) {
    stream << (*text)->getBuffer();
    return success();
  });
}

ExitCode mlir::boost::calibrate(const CompileOptions &options) {
  llvm::Error error = measure(options);
  if (!error)
    return kDone;
  llvm::WithColor::error(llvm::errs(), "boost-compile")
      << llvm::toString(std::move(error)) << "\n";
  return kFailed;
}
