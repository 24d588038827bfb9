//===- LocalRanksProgram.cpp - Lists the ranks of a run on this machine ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints which ranks of the run in its environment there are, each behind a
// "-" if it is stopped. With an argument it is one of them: it takes the
// argument for the name of its process, stops itself, traced by its parent if
// there is a second argument, and waits.
//
//===----------------------------------------------------------------------===//

#include "driver/LocalRanks.h"

#include <csignal>
#include <cstdio>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc > 1) {
    ::prctl(PR_SET_NAME, argv[1]);
    if (argc > 2)
      ::ptrace(PTRACE_TRACEME);
    ::raise(SIGSTOP);
    ::pause();
    return 0;
  }
  for (const auto &[rank, isStopped] : boost_rt::findLocalRanks())
    std::printf("%s%lld ", isStopped ? "-" : "", static_cast<long long>(rank));
  return 0;
}
