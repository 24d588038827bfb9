//===- LocalRanksTest.cpp - The processes of a run on this machine --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/LocalRanks.h"
#include "ProgramFixture.h"

#include <csignal>
#include <spawn.h>

using namespace boost_rt;

namespace {
using Words = std::vector<std::string>;

/// A process of this environment, which has stopped itself.
class Process {
public:
  Process(const Words &words, const Words &environment) {
    auto pointers = [](const Words &from) {
      std::vector<char *> to;
      for (const std::string &word : from)
        to.push_back(const_cast<char *>(word.c_str()));
      to.push_back(nullptr);
      return to;
    };
    EXPECT_EQ(::posix_spawn(&id, words[0].c_str(), nullptr, nullptr,
                            pointers(words).data(),
                            pointers(environment).data()),
              0);
    ::waitpid(id, nullptr, WUNTRACED);
  }
  Process(const Process &) = delete;
  Process &operator=(const Process &) = delete;
  ~Process() {
    ::kill(id, SIGKILL);
    ::waitpid(id, nullptr, 0);
  }

  void resume() const {
    ::kill(id, SIGCONT);
    ::waitpid(id, nullptr, WCONTINUED);
  }

private:
  pid_t id = 0;
};

constexpr char program[] = TINY_PROGRAMS "/local-ranks";

class LocalRanksTest : public ProgramFixture {
protected:
  /// Returns the list that a rank with these variables prints.
  static std::string listedBy(const std::string &variables) {
    return shell(variables + " local-ranks").output;
  }
};
} // namespace

// Processes with the program and the variables of this run, running or stopped.
// The name of a process may look like a state.
TEST_F(LocalRanksTest, areThoseOfTheRunAndTheProgram) {
  const std::string run = concat("PMIX_NAMESPACE=", ::getpid());
  const std::string other = run + "0";
  auto rank = [](int number) { return concat("PMIX_RANK=", number); };
  Process runs({program, ") T (t) t"}, {"PMIX_RANKS=9", rank(2), run});
  runs.resume();
  Process stopped({program, "S) S ("}, {run, "A=PMIX_RANK=8", rank(13)});
  Process traced({program, "traced", "by its parent"}, {run, rank(4)});
  Process elsewhere({program, "elsewhere"}, {other, rank(5)});
  Process without({program, "without"}, {run});
  Process shell({"/bin/sh", "-c", "kill -STOP $$"}, {run, rank(6)});
  EXPECT_EQ(listedBy(run + " PMIX_RANK=0"), "0 2 -4 -13 ");
  EXPECT_EQ(listedBy(other + " PMIX_RANK=7"), "-5 7 ");
  // A launcher that does not name its runs.
  Process unnamed({program, "unnamed"}, {rank(1)});
  EXPECT_EQ(listedBy("PMIX_RANK=0"), "");
}

// Ranks without MPI meet at an address and a port.
TEST_F(LocalRanksTest, meetAtTheSamePlace) {
  const std::string host = concat("MASTER_ADDR=", ::getpid());
  const std::string port = "MASTER_PORT=29500";
  const std::string size = "WORLD_SIZE=4";
  Process same({program, "same"}, {"RANK=1", size, host, port});
  Process laterPort({program, "port"},
                    {"RANK=2", size, host, "MASTER_PORT=29501"});
  Process otherHost({program, "host"}, {"RANK=3", size, host + "0", port});
  EXPECT_EQ(listedBy(size + " " + host + " " + port + " RANK=0"), "0 -1 ");
}
