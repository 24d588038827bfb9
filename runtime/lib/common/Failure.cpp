//===- Failure.cpp - Failures that cannot be unwound ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Failure.h"
#include "common/Communicator.h"

#include <cstdio>
#include <cstdlib>

bool boost_rt::isFailure(int64_t code) {
  return (code >= static_cast<int64_t>(ExitCode::trainingFailed) &&
          code <= static_cast<int64_t>(ExitCode::networkFault)) ||
         code == static_cast<int64_t>(ExitCode::stoppedBySignal);
}

void boost_rt::abortProgram(const std::string &message) {
  std::fprintf(stderr, "error: rank %lld: %s\n",
               static_cast<long long>(launcherRank()), message.c_str());
  std::fflush(nullptr);
  std::_Exit(static_cast<int>(ExitCode::trainingFailed));
}
