//===- RanksTest.cpp - Ranks that no MPI has started ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeTest.h"
#include "common/Launcher.h"
#include "tcp/Reduction.h"

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
                                          "LOCAL_WORLD_SIZE",
                                          "MASTER_ADDR",
                                          "MASTER_PORT",
                                          "BOOST_MASTER_PORT",
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

TEST(Launcher, ranksMeetAtThePortAfterTheMasters) {
  const std::map<std::string, std::string> run{{"RANK", "2"},
                                               {"WORLD_SIZE", "3"},
                                               {"LOCAL_WORLD_SIZE", "3"},
                                               {"MASTER_ADDR", "node-1"},
                                               {"MASTER_PORT", "65534"}};
  auto with = [&](const std::string &name, const std::string &value) {
    auto changed = run;
    changed[name] = value;
    return changed;
  };
  {
    Environment environment(run);
    MeetingPlace place = readMeetingPlace();
    EXPECT_EQ(place.host, "node-1");
    EXPECT_EQ(place.port, 65535);
    EXPECT_FALSE(place.severalMachines);
  }
  {
    Environment environment(with("LOCAL_WORLD_SIZE", "2"));
    EXPECT_TRUE(readMeetingPlace().severalMachines);
  }
  {
    Environment environment(with("BOOST_MASTER_PORT", "65535"));
    EXPECT_EQ(readMeetingPlace().port, 65535);
  }
  {
    Environment environment(with("BOOST_MASTER_PORT", "1"));
    EXPECT_EQ(readMeetingPlace().port, 1);
  }
  auto says = [&](const std::string &name, const std::string &value,
                  const std::string &part) {
    Environment environment(with(name, value));
    std::string message = messageOf([] { readMeetingPlace(); });
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  says("RANK", "3", "RANK expects a rank from 0 to 2, but is '3'");
  says("WORLD_SIZE", "0",
       "WORLD_SIZE expects a number of ranks from 1 to 1048576, but is '0'");
  says("WORLD_SIZE", "1048577", "but is '1048577'");
  says("RANK", "first", "RANK expects a rank from 0 to 2, but is 'first'");
  says("MASTER_PORT", "0", "expects a port from 1 to 65535, but is '0'");
  says("MASTER_PORT", "65536", "expects a port from 1 to 65535");
  says("MASTER_PORT", "65535", "that is 65535, the last one");
  says("BOOST_MASTER_PORT", "65536", "expects a port from 1 to 65535");
}

// Only for MASTER_PORT there is another variable.
TEST(Launcher, missingVariablesAreNamed) {
  auto message = [](const std::map<std::string, std::string> &set) {
    Environment environment(set);
    return messageOf([] { readMeetingPlace(); });
  };
  const std::string remedy =
      "; start the ranks by torchrun or mpirun, or set all four variables for "
      "each of them";
  EXPECT_EQ(message({{"RANK", "0"}, {"WORLD_SIZE", "2"}}),
            "the environment has RANK, WORLD_SIZE, but not MASTER_ADDR, "
            "MASTER_PORT" +
                remedy);
  EXPECT_EQ(message({{"WORLD_SIZE", "2"}, {"BOOST_MASTER_PORT", "29500"}}),
            "the environment has WORLD_SIZE, but not RANK, MASTER_ADDR" +
                remedy);
  EXPECT_EQ(message({{"RANK", "0"},
                     {"MASTER_PORT", "29400"},
                     {"BOOST_MASTER_PORT", "29500"}}),
            "the environment has RANK, MASTER_PORT, but not WORLD_SIZE, "
            "MASTER_ADDR" +
                remedy);
  EXPECT_EQ(message({{"RANK", "0"},
                     {"WORLD_SIZE", "2"},
                     {"MASTER_ADDR", "node-1"},
                     {"BOOST_MASTER_PORT", "29500"}}),
            "");
}

// One by one, ((1 + 1e8) - 1e8) + 1 would be 1.
TEST(Reduction, addsNeighborsFirst) {
  EXPECT_EQ(sumOf({1, 1e8f, -1e8f, 1}), 0);
  EXPECT_EQ(sumOf({1e8f, -1e8f, 1}), 1);
  EXPECT_EQ(sumOf({1, 2, 3, 4, 5, 6, 7}), 28);
}

namespace {

/// Reduces the first three of the elements of three ranks.
template <typename T>
std::vector<T> reduceThree(boost_rt_reduction reduction, boost_rt_type type) {
  std::vector<T> first{1, 4, 3, 5}, second{2, 2, 8, 9}, third{3, 6, 1, 1};
  reduceTerms(reduction, type,
              {reinterpret_cast<char *>(first.data()),
               reinterpret_cast<char *>(second.data()),
               reinterpret_cast<char *>(third.data())},
              3);
  return first;
}

template <typename T> void expectReduced(boost_rt_type type) {
  EXPECT_EQ(reduceThree<T>(BOOST_RT_SUM, type), (std::vector<T>{6, 12, 12, 5}));
  EXPECT_EQ(reduceThree<T>(BOOST_RT_MAX, type), (std::vector<T>{3, 6, 8, 5}));
  EXPECT_EQ(reduceThree<T>(BOOST_RT_MIN, type), (std::vector<T>{1, 2, 1, 5}));
}

} // namespace

// As many elements as are asked for: the last one stays.
TEST(Reduction, everyElementOfEveryType) {
  expectReduced<float>(BOOST_RT_F32);
  expectReduced<double>(BOOST_RT_F64);
  expectReduced<int8_t>(BOOST_RT_I8);
  expectReduced<int16_t>(BOOST_RT_I16);
  expectReduced<int32_t>(BOOST_RT_I32);
  expectReduced<int64_t>(BOOST_RT_I64);
}

TEST(Reduction, theSumOfBooleansIsTheirDisjunction) {
  std::vector<char> values = {1, 1, 0};
  reduceTerms(BOOST_RT_SUM, BOOST_RT_I1, {&values[0], &values[1], &values[2]},
              1);
  EXPECT_EQ(values[0], 1);
}
