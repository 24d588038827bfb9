//===- IRText.cpp - Fuzz the compiler with programs -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the bytes of a file to the plan: parser, verifiers and every pass but
// code generation.
//
//===----------------------------------------------------------------------===//

#include "FuzzFile.h"
#include "boost-mlir/Driver/Compile.h"
#include "boost-mlir/InitAll.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir::boost;

static mlir::DialectRegistry &getRegistry() {
  static mlir::DialectRegistry &registry = *[] {
    registerAllPasses();
    auto *created = new mlir::DialectRegistry();
    registerAllDialects(*created);
    return created;
  }();
  return registry;
}

/// A program is compiled or refused; it never crashes the compiler and is never
/// the compiler's own failure.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  boost_fuzz::FuzzFile file(data, size);
  CompileOptions options;
  options.input = file.getPath();
  options.output = "/dev/null";
  options.emit = Emit::Plan;
  options.toolDirectory = BOOST_TOOL_DIRECTORY;
  // Both a program as it is and its parts: chosen by the bytes, so that an
  // input says all.
  options.place.mesh = Mesh::ofTensorAxis(size % 2 ? 2 : 1);
  switch (compile(options, getStages(options), getRegistry())) {
  case kDone:
  case kInputRefused:
  case kInfeasible:
    return 0;
  default:
    std::abort();
  }
}
