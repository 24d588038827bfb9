//===- boost-retarget.cpp - GPU device code to a shared library -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For this machine and the emulator; see EmulatedImage.h.
//
//===----------------------------------------------------------------------===//

#include "EmulatedImage.h"
#include "boost-mlir/Target/Link.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace mlir::boost;

static Error retarget(StringRef input, StringRef output) {
  auto bitcode = MemoryBuffer::getFile(input);
  if (!bitcode)
    return createStringError("cannot read '" + input +
                             "': " + bitcode.getError().message());
  auto image = makeEmulatedImage((*bitcode)->getBuffer());
  if (!image)
    return image.takeError();
  return writeOutput(output, [&](raw_pwrite_stream &stream) {
    stream << *image;
    return mlir::success();
  });
}

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  cl::opt<std::string> input(cl::Positional, cl::Required,
                             cl::desc("<bitcode>"));
  cl::opt<std::string> output("o", cl::Required, cl::desc("Shared library"));
  cl::ParseCommandLineOptions(argc, argv,
                              "NVPTX bitcode to a library for the emulator\n");
  if (Error error = retarget(input, output)) {
    errs() << "boost-retarget: " << toString(std::move(error)) << "\n";
    return 1;
  }
  return 0;
}
