//===- WaitingProgram.cpp - Ranks that wait for each other, by argument ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three ranks with a limit of one second. The argument says what rank 1 does
// while the others wait in an all-reduce, or what it sends that no rank may.
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

/// Sends what no rank may. False if `what` is nothing of that kind.
static bool sendWrongly(Session &session, const std::string &what) {
  bool isOne = session.rank() == 1;
  if (what == "code")
    session.together([&] {
      if (isOne)
        throw Failure(static_cast<ExitCode>(83), "a failure of no kind");
    });
  else if (what == "number")
    session.largest(isOne ? 9 : 0, /*most=*/2);
  else
    return false;
  return true;
}

int main(int, char **argv) {
  const boost_program_function functions[] = {{nullptr, nullptr}};
  const std::string what = argv[1];
  Program program(manifest, functions);
  // Without a limit of its own a rank does not answer the others.
  bool answers = what != "deaf" || launcherRank() != 1;
  bool isQuick = what != "code" && what != "number";
  Session session(program, argv[0],
                  /*limitSeconds=*/
                  !answers  ? 0
                  : isQuick ? 1
                            : 60);
  if (sendWrongly(session, what))
    return 0;
  if (session.rank() == 1)
    actAlone(session, what);
  return session.largest(session.rank()) == 2 ? 0 : 1;
}
