//===- WaitingProgram.cpp - Ranks that wait for each other, by argument ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three ranks with a limit of one second. The argument says what rank 1 does
// while the others wait in an all-reduce.
//
//===----------------------------------------------------------------------===//

#include "common/Launcher.h"
#include "driver/Session.h"

#include <chrono>
#include <string>
#include <thread>

using namespace boost_rt;

static const char manifest[] =
    R"({"format": 1, "name": "waiting", "mesh": [{"name": "tp", "size": 3}],
        "arena_bytes": 64, "tensors": [], "functions": {}})";

static void sleepFor(double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
}

static void actAlone(Session &session, const std::string &what) {
  if (what == "stuck" || what == "deaf") {
    Doing doing("sleeping");
    sleepFor(60);
  }
  // Gets on for longer than the others may wait for one that does not.
  for (int i = 0; what == "busy" && i < 60; ++i) {
    sleepFor(0.05);
    Activity::ofThisRank().advance();
  }
  if (what == "elsewhere")
    session.getCommunicator().barrier();
}

int main(int, char **argv) {
  const boost_program_function functions[] = {{nullptr, nullptr}};
  Program program(manifest, functions);
  // Without a limit of its own a rank does not answer the others.
  bool answers = argv[1] != std::string("deaf") || launcherRank() != 1;
  Session session(program, argv[0], /*limitSeconds=*/answers ? 1 : 0);
  if (session.rank() == 1)
    actAlone(session, argv[1]);
  return session.largest(session.rank()) == 2 ? 0 : 1;
}
