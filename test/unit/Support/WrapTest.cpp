//===- WrapTest.cpp - Lines of a limited width ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Support/Wrap.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace mlir::boost;
using ::testing::ElementsAre;

TEST(Wrap, fillsLinesToTheirWidth) {
  EXPECT_THAT(divideLine("ab cd efg", 5), ElementsAre("ab cd", "efg"));
  EXPECT_THAT(divideLine("ab cd efg", 4), ElementsAre("ab", "cd", "efg"));
  EXPECT_THAT(divideLine("ab cd efg", 8), ElementsAre("ab cd", "efg"));
  EXPECT_THAT(divideLine("ab cd efg", 9), ElementsAre("ab cd efg"));
}

TEST(Wrap, dropsTheSpacesWhereItDivides) {
  EXPECT_THAT(divideLine("ab   cd", 3), ElementsAre("ab", "cd"));
  EXPECT_THAT(divideLine("", 3), ElementsAre(""));
}

// Also where it stands first, and where what is in front of it is indentation.
TEST(Wrap, aLongWordIsALineOfItsOwn) {
  EXPECT_THAT(divideLine("longer ab cd", 5), ElementsAre("longer", "ab cd"));
  EXPECT_THAT(divideLine("ab longer cd", 5), ElementsAre("ab", "longer", "cd"));
  EXPECT_THAT(divideLine("  longer ab", 5), ElementsAre("  longer", "ab"));
  EXPECT_THAT(divideLine("longest", 5), ElementsAre("longest"));
}

TEST(Wrap, indentsWhatGoesOn) {
  EXPECT_EQ(wrapLines("ab cd efg hi\nxy", 2, 5), "ab cd\n  efg\n  hi\nxy");
  EXPECT_EQ(wrapLines("ab cd e f", 2, 5), "ab cd\n  e f");
}
