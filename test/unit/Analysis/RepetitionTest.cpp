//===- RepetitionTest.cpp - Units that a sequence is made of --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/Repetition.h"

#include "gtest/gtest.h"

#include <string>

using namespace mlir::boost;

namespace {

/// The units in parentheses, what is in none without.
std::string split(const std::string &text) {
  llvm::SmallVector<size_t> kinds(text.begin(), text.end());
  std::string found;
  size_t done = 0;
  for (const SequenceUnit &unit : findRepeatedUnits(kinds)) {
    found += text.substr(done, unit.begin - done);
    found += "(" + text.substr(unit.begin, unit.size()) + ")";
    done = unit.end;
  }
  return found + text.substr(done);
}

TEST(Repetition, NothingRepeats) {
  EXPECT_EQ(split(""), "");
  EXPECT_EQ(split("a"), "a");
  EXPECT_EQ(split("am"), "am");
  EXPECT_EQ(split("amh"), "amh");
}

TEST(Repetition, EqualUnits) {
  EXPECT_EQ(split("amam"), "(am)(am)");
  EXPECT_EQ(split("acmacm"), "(acm)(acm)");
  EXPECT_EQ(split("aammaamm"), "(aamm)(aamm)");
  EXPECT_EQ(split("xxxmxxxmxxxm"), "(xxxm)(xxxm)(xxxm)");
}

TEST(Repetition, EndsAreNoUnits) {
  EXPECT_EQ(split("pamam"), "p(am)(am)");
  EXPECT_EQ(split("amamq"), "(am)(am)q");
  EXPECT_EQ(split("pamamq"), "p(am)(am)q");
}

TEST(Repetition, UnitsOfTwoKinds) {
  EXPECT_EQ(split("amrmamrm"), "(am)(rm)(am)(rm)");
  EXPECT_EQ(split("amrm"), "(am)(rm)");
  EXPECT_EQ(split("amamaeae"), "(am)(am)(ae)(ae)");
}

TEST(Repetition, OneOddUnit) {
  EXPECT_EQ(split("bmamam"), "(bm)(am)(am)");
  EXPECT_EQ(split("amamaeam"), "(am)(am)(ae)(am)");
  EXPECT_EQ(split("amamacmamam"), "(am)(am)(acm)(am)(am)");
}

TEST(Repetition, EncoderAndDecoder) {
  EXPECT_EQ(split("smsmscmscm"), "(sm)(sm)(scm)(scm)");
  EXPECT_EQ(split("smsmssmssm"), "(sm)(sm)(ssm)(ssm)");
}

TEST(Repetition, UnitsOfOneElement) {
  EXPECT_EQ(split("xx"), "(x)(x)");
  EXPECT_EQ(split("pxxxq"), "p(x)(x)(x)q");
  EXPECT_EQ(split("xxxoxxx"), "(x)(x)(x)(o)(x)(x)(x)");
  EXPECT_EQ(split("xxyy"), "(x)(x)(y)(y)");
}

} // namespace
