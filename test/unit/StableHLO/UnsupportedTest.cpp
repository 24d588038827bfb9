//===- UnsupportedTest.cpp - What a program's text asks for in vain -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/Unsupported.h"
#include "boost-mlir/Dialect/StableHLO/IR/CHLO.h"
#include "boost-mlir/Dialect/StableHLO/IR/SDY.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::boost;

namespace {

class UnsupportedTest : public ::testing::Test {
protected:
  UnsupportedTest() {
    context.loadDialect<chlo::CHLODialect, sdy::SDYDialect,
                        stablehlo::StableHLODialect>();
  }

  std::vector<std::string> messages(StringRef text) {
    std::vector<std::string> result;
    for (const auto &item : stablehlo::findUnsupported(text, &context))
      result.push_back(item.message);
    return result;
  }

  MLIRContext context;
};

using Messages = std::vector<std::string>;

TEST_F(UnsupportedTest, AcceptsTheSubset) {
  EXPECT_EQ(messages("%0 = stablehlo.add %a, %b : tensor<4x8xf32>\n"
                     "%1 = chlo.square %0 : tensor<4x8xf32>\n"
                     "#stablehlo.gather<offset_dims = [2]>\n"
                     "{sdy.sharding = #sdy.sharding<@mesh, [{}]>}\n"
                     "call @chlo.erf.impl(%0) : tensor<2xui32>\n"
                     "{note = _stablehlo.fft}\n"),
            Messages());
}

TEST_F(UnsupportedTest, NamesEveryOperation) {
  EXPECT_EQ(messages("stablehlo.fft %0\n\"chlo.bessel_i1e\"(%0)\nsdy.return"),
            Messages({"operation 'stablehlo.fft' is not supported",
                      "operation 'chlo.bessel_i1e' is not supported",
                      "operation 'sdy.return' is not supported"}));
}

TEST_F(UnsupportedTest, NamesWhatIsCalled) {
  EXPECT_EQ(messages("stablehlo.custom_call @my.kernel(%0) : i32\n"
                     "stablehlo.custom_call @Sharding(%0) : i32\n"
                     "stablehlo.custom_call @lapack_dtrsm_ffi(%0) : i32\n"),
            Messages({"call of 'my.kernel' is not supported"}));
}

TEST_F(UnsupportedTest, ReadsQuotedNames) {
  EXPECT_EQ(messages("stablehlo.custom_call @\"my-kernel\"(%0) : i32\n"
                     "stablehlo.custom_call @\"Sharding\"(%0) : i32\n"
                     "call @\"chlo.erf-1\"(%0) : i32\n"),
            Messages({"call of 'my-kernel' is not supported"}));
}

TEST_F(UnsupportedTest, SkipsNamesThatContainAnOperation) {
  EXPECT_EQ(messages("call @jit$stablehlo.fft(%a-stablehlo.fft, "
                     "%b_stablehlo.fft) {tensor, dense_resource} : i32"),
            Messages());
}

TEST_F(UnsupportedTest, NamesElidedConstants) {
  EXPECT_EQ(messages("dense_resource<__elided__> : tensor<4xf32>\n"
                     "dense_resource<weights> : tensor<4xf32>\n"
                     "other.blob<__elided__>"),
            Messages({"the values of this constant were left out when the "
                      "program was printed"}));
}

TEST_F(UnsupportedTest, NamesTypesThatAreTooLarge) {
  // 2^53 bytes each.
  EXPECT_EQ(messages("tensor<9007199254740992xi8> "
                     "tensor<1048576x1073741824xf64>"),
            Messages());
  EXPECT_EQ(messages("tensor<9007199254740993xi1> tensor<9007199254740992xf16> "
                     "tensor<99999999999999999999x1xf32>"),
            Messages({"type tensor<9007199254740993xi1> has more than 2^53 "
                      "bytes",
                      "type tensor<9007199254740992xf16> has more than 2^53 "
                      "bytes",
                      "type tensor<99999999999999999999x1xf32> has more than "
                      "2^53 bytes"}));
}

TEST_F(UnsupportedTest, SkipsCommentsAndStrings) {
  EXPECT_EQ(messages("// stablehlo.fft\n\"a \\\" stablehlo.fft\" : i32"),
            Messages());
}

TEST_F(UnsupportedTest, NamesEachTypeOnce) {
  EXPECT_EQ(messages("tensor<?xf32> tensor<?xf32> tensor<*xf32> "
                     "tensor<2xcomplex<f32>> tensor<2x!quant.any>"),
            Messages({"type tensor<?xf32> has a dynamic shape",
                      "type tensor<*xf32> has a dynamic shape",
                      "element type 'complex<f32>' is not supported",
                      "element type '!quant.any' is not supported"}));
}

TEST_F(UnsupportedTest, SurvivesTruncatedText) {
  EXPECT_EQ(messages("%0 = stablehlo.constant dense<\"0x"), Messages());
  EXPECT_EQ(messages("tensor<"),
            Messages({"element type '' is not supported"}));
}

TEST_F(UnsupportedTest, AcceptsTheTextOfAProgram) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer("stablehlo.add", "model.mlir"),
      llvm::SMLoc());
  EXPECT_TRUE(succeeded(stablehlo::checkProgramText(sources, &context)));
}

TEST_F(UnsupportedTest, ReportsWithPlaceAndOneNote) {
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBuffer("\n  stablehlo.fft\nstablehlo.map",
                                       "model.mlir"),
      llvm::SMLoc());
  std::vector<std::string> seen;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diag) {
    auto place = cast<FileLineColLoc>(diag.getLocation());
    seen.push_back(place.getFilename().str() + ":" +
                   std::to_string(place.getLine()) + ":" +
                   std::to_string(place.getColumn()));
    for (Diagnostic &note : diag.getNotes())
      seen.push_back(note.str());
    return success();
  });
  EXPECT_TRUE(failed(stablehlo::checkProgramText(sources, &context)));
  EXPECT_EQ(seen, Messages({"model.mlir:2:3", "model.mlir:3:1",
                            stablehlo::kUnsupportedRemedy.str()}));
}

} // namespace
