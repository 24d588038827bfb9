//===- RanksTest.cpp - Ranks that no MPI has started ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Launcher.h"
#include "tcp/Reduction.h"
#include "gtest/gtest.h"

#include <cstdlib>
#include <map>
#include <string>
#include <vector>

using namespace boost_rt;

namespace {

/// Variables of launchers, and no others, as long as it lives.
class Environment {
public:
  explicit Environment(const std::map<std::string, std::string> &set) {
    for (const char *name : names) {
      const char *text = std::getenv(name);
      if (text)
        before[name] = text;
      ::unsetenv(name);
    }
    for (const auto &[name, value] : set)
      ::setenv(name.c_str(), value.c_str(), 1);
  }
  ~Environment() {
    for (const char *name : names)
      ::unsetenv(name);
    for (const auto &[name, value] : before)
      ::setenv(name.c_str(), value.c_str(), 1);
  }
  Environment(const Environment &) = delete;
  Environment &operator=(const Environment &) = delete;

private:
  static constexpr const char *names[] = {"OMPI_COMM_WORLD_RANK",
                                          "OMPI_COMM_WORLD_SIZE",
                                          "PMIX_RANK",
                                          "PMI_RANK",
                                          "PMI_SIZE",
                                          "RANK",
                                          "WORLD_SIZE",
                                          "LOCAL_RANK",
                                          "TORCHELASTIC_RUN_ID"};
  std::map<std::string, std::string> before;
};

float sumOf(std::vector<float> values) {
  std::vector<char *> terms;
  for (float &value : values)
    terms.push_back(reinterpret_cast<char *>(&value));
  reduceTerms(BOOST_RT_SUM, BOOST_RT_F32, terms, 1);
  return values[0];
}

} // namespace

TEST(Launcher, isNoneWithoutVariables) {
  Environment environment({});
  EXPECT_EQ(launcher(), Launcher::none);
  EXPECT_EQ(launcherRank(), 0);
  EXPECT_EQ(launcherSize(), 1);
}

TEST(Launcher, mpiGoesBeforeVariablesOfOthers) {
  Environment environment({{"OMPI_COMM_WORLD_RANK", "1"},
                           {"OMPI_COMM_WORLD_SIZE", "2"},
                           {"RANK", "5"},
                           {"WORLD_SIZE", "8"}});
  EXPECT_EQ(launcher(), Launcher::mpi);
  EXPECT_EQ(launcherRank(), 1);
  EXPECT_EQ(launcherSize(), 2);
}

TEST(Launcher, torchrunGoesBeforeMPI) {
  Environment environment({{"PMIX_RANK", "1"},
                           {"TORCHELASTIC_RUN_ID", "none"},
                           {"RANK", "5"},
                           {"LOCAL_RANK", "3"},
                           {"WORLD_SIZE", "8"}});
  EXPECT_EQ(launcher(), Launcher::variables);
  EXPECT_EQ(launcherRank(), 5);
  EXPECT_EQ(launcherLocalRank(), 3);
  EXPECT_EQ(launcherSize(), 8);
}

// One by one, ((1 + 1e8) - 1e8) + 1 would be 1.
TEST(Reduction, addsNeighboursFirst) {
  EXPECT_EQ(sumOf({1, 1e8f, -1e8f, 1}), 0);
  EXPECT_EQ(sumOf({1e8f, -1e8f, 1}), 1);
  EXPECT_EQ(sumOf({1, 2, 3, 4, 5, 6, 7}), 28);
}

TEST(Reduction, theSumOfBooleansIsTheirDisjunction) {
  std::vector<char> values = {1, 1, 0};
  reduceTerms(BOOST_RT_SUM, BOOST_RT_I1, {&values[0], &values[1], &values[2]},
              1);
  EXPECT_EQ(values[0], 1);
}
