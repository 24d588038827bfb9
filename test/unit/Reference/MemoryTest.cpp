//===- MemoryTest.cpp - What is too large to evaluate ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Reference/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"
#include <unistd.h>

using namespace mlir;
using namespace mlir::boost::reference;

namespace {

/// Tests with tensors that are never allocated.
class MemoryTest : public ::testing::Test {
protected:
  bool fits(ArrayRef<int64_t> counts, int64_t ranks) {
    SmallVector<Type> types;
    for (int64_t count : counts)
      types.push_back(
          RankedTensorType::get({count}, Float32Type::get(&context)));
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      message = diagnostic.str();
      return success();
    });
    return succeeded(checkMemory(*module, types, ranks));
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  std::string message;
  /// The numbers of 8 bytes that this machine holds.
  int64_t limit =
      static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE) / 8;
};

TEST_F(MemoryTest, AllOfItMayBeUsed) {
  EXPECT_TRUE(fits({limit}, 1));
  EXPECT_FALSE(fits({limit + 1}, 1));
  EXPECT_TRUE(fits({}, 1));
}

TEST_F(MemoryTest, EveryRankHoldsItsOwn) {
  EXPECT_TRUE(fits({limit / 2}, 2));
  EXPECT_FALSE(fits({limit / 2 + 1}, 2));
}

TEST_F(MemoryTest, AllTensorsCount) {
  EXPECT_TRUE(fits({limit / 2, limit / 2}, 1));
  EXPECT_FALSE(fits({limit / 2, limit / 2 + 1}, 1));
}

TEST_F(MemoryTest, TheMessageSaysHowMuch) {
  EXPECT_FALSE(fits({int64_t(1) << 60}, 1));
  EXPECT_NE(message.find("needs 8589934592.0 GiB"), std::string::npos)
      << message;
}

} // namespace
