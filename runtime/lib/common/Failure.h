//===- Failure.h - Errors that end a program, with their exit code -*- C++ -*-//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_FAILURE_H
#define BOOST_RUNTIME_COMMON_FAILURE_H

#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string>

namespace boost_rt {

/// Exit codes of a program.
enum class ExitCode {
  done = 0,
  trainingFailed = 1,
  usage = 2,
  inputRefused = 3,
  infeasible = 4,
  collectiveTimedOut = 5,
  checkpointUnusable = 6,
  networkFault = 7,
  stoppedBySignal = 75,
};

/// Returns true if a number sent by another process is the exit code of an
/// error.
bool isFailure(int64_t code);

/// An error with the message for the user. The message names the thing that is
/// wrong and the remedy.
class Failure : public std::runtime_error {
public:
  Failure(ExitCode code, const std::string &message)
      : std::runtime_error(message), code(code) {}

  const ExitCode code;
};

/// The parts, printed one after another.
template <typename... Parts> std::string concat(const Parts &...parts) {
  std::ostringstream os;
  (os << ... << parts);
  return os.str();
}

/// Ends the current command because of an input file or argument.
template <typename... Parts> [[noreturn]] void refuse(const Parts &...parts) {
  throw Failure(ExitCode::inputRefused, concat(parts...));
}

/// Ends the process from inside the step function, where nothing can be
/// unwound: generated code has no unwind tables.
[[noreturn]] void abortProgram(const std::string &message);

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_FAILURE_H
