//===- UnfedBatchTest.cpp - Batches that training cannot fill -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnfedBatch.h"
#include "boost-mlir/InitAll.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::boost;

namespace {

class UnfedBatch : public ::testing::Test {
protected:
  UnfedBatch() {
    DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
  }

  /// Returns the errors of a function with these arguments.
  std::vector<std::string> refusals(const Twine &arguments,
                                    StringRef visibility = "") {
    auto module = parseSourceString<ModuleOp>(
        ("func.func " + visibility + " @loss(" + arguments + ") { return }")
            .str(),
        &context);
    EXPECT_TRUE(module);
    std::vector<std::string> messages;
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      EXPECT_EQ(diagnostic.getSeverity(), DiagnosticSeverity::Error);
      messages.push_back(diagnostic.str());
      return success();
    });
    EXPECT_EQ(succeeded(checkBatchIsFed(*module)), messages.empty());
    return messages;
  }

  static std::string batch(StringRef name, StringRef type) {
    return ("%" + name + ": tensor<" + type +
            "> {boost.tensor = #boost.tensor<batch \"" + name + "\">}")
        .str();
  }

  /// Returns true if a mask of one type may accompany ids of another.
  bool isBeside(StringRef mask, StringRef ids) {
    return refusals(batch("mask", mask) + ", " + batch("ids", ids)).empty();
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
};

TEST_F(UnfedBatch, floatsWithoutIds) {
  EXPECT_EQ(refusals(batch("x", "4x8xf32")),
            std::vector<std::string>(
                {"`train` cannot fill batch argument \"x\": it is "
                 "'tensor<4x8xf32>', and token files hold integers"}));
  EXPECT_EQ(refusals(batch("x", "4x8xf32") + ", " + batch("y", "f32")).size(),
            2u);
}

TEST_F(UnfedBatch, othersAreFed) {
  EXPECT_TRUE(refusals(batch("ids", "4x8xi32")).empty());
  EXPECT_TRUE(refusals("%x: tensor<4x8xf32>").empty());
  EXPECT_TRUE(refusals("%w: tensor<4x8xf32> {boost.tensor = "
                       "#boost.tensor<param \"w\">}")
                  .empty());
  EXPECT_TRUE(refusals("%x: f32").empty());
  EXPECT_TRUE(refusals(batch("x", "4x8xf32"), "private").empty());
}

TEST_F(UnfedBatch, masksBesideIds) {
  EXPECT_TRUE(isBeside("4x8xf32", "4x8xi32"));
  EXPECT_TRUE(isBeside("4x8xf32", "4x9xi32"));
  EXPECT_TRUE(isBeside("4x8xf32", "4x7xi32"));
  EXPECT_FALSE(isBeside("4x8xf32", "4x10xi32"));
  EXPECT_FALSE(isBeside("4x8xf32", "4x6xi32"));
  EXPECT_FALSE(isBeside("4x8xf32", "5x8xi32"));
  EXPECT_FALSE(isBeside("4x8xf32", "3x8xi32"));
  EXPECT_FALSE(isBeside("4xf32", "4x8xi32"));
  EXPECT_FALSE(isBeside("4x8x1xf32", "4x8xi32"));
  EXPECT_FALSE(isBeside("4x8xf32", "4xi32"));
  EXPECT_FALSE(isBeside("4x8xf32", "4x8x1xi32"));
}

TEST_F(UnfedBatch, idsThatAreNoBatch) {
  EXPECT_EQ(
      refusals(batch("mask", "4x8xf32") + ", %ids: tensor<4x8xi32>").size(),
      1u);
  EXPECT_EQ(refusals(batch("mask", "4x8xf32") + ", %ids: i32").size(), 1u);
}

} // namespace
