//===- ObjectTest.cpp - What object files can be for ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Target/Object.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace mlir::boost;

TEST(Object, IsForKnownCPUsOnly) {
  EXPECT_EQ(llvm::toString(checkTargetCPU("x86-64")), "");
  EXPECT_EQ(llvm::toString(checkTargetCPU("")), "");

  MLIRContext context;
  std::string said;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    said += diagnostic.str();
    return success();
  });
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  EmitOptions options;
  options.cpu = "abacus";
  SmallString<0> bytes;
  llvm::raw_svector_ostream output(bytes);
  EXPECT_TRUE(failed(emitObject(*module, options, output)));
  EXPECT_EQ(said,
            "unknown target CPU 'abacus'; see llc -mcpu=help for their names");
  EXPECT_TRUE(bytes.empty());
}
