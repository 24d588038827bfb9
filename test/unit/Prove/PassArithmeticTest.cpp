//===- PassArithmeticTest.cpp - Bounds by the descriptions of passes ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Prove/PassArithmetic.h"
#include "llvm/ADT/StringRef.h"
#include "gtest/gtest.h"

using namespace mlir::boost::prove;

static void expectArithmetic(llvm::StringRef flag, PassArithmetic::Tag tag,
                             double bound) {
  SCOPED_TRACE(flag.str());
  std::optional<PassArithmetic> arithmetic = getArithmetic(flag);
  ASSERT_TRUE(arithmetic);
  EXPECT_EQ(arithmetic->tag, tag);
  EXPECT_EQ(arithmetic->bound, bound);
}

TEST(PassArithmetic, isWhatTheDescriptionSays) {
  using Tag = PassArithmetic::Tag;
  expectArithmetic("boost-differentiate", Tag::exact, 0);
  expectArithmetic("boost-partition", Tag::reassociating, 1e-12);
  expectArithmetic("boost-lower-precision", Tag::approximate, 4e-3);
  expectArithmetic("boost-expand-chlo", Tag::approximate, 5e-7);
}

TEST(PassArithmetic, isExactForPassesOfOthersAlone) {
  using Tag = PassArithmetic::Tag;
  expectArithmetic("canonicalize", Tag::exact, 0);
  expectArithmetic("test-boost-scale-gradient", Tag::exact, 0);
  for (llvm::StringRef flag :
       {"boostrt-fuse-elementwise", "boost-no-such-pass", "convert-nothing"})
    EXPECT_FALSE(getArithmetic(flag)) << flag.str();
}
