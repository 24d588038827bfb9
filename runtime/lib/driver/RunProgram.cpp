//===- RunProgram.cpp - What every program does ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/RunProgram.h"
#include "driver/Commands.h"
#include "driver/RunConfig.h"

#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

using namespace boost_rt;

/// Failures without a message were told by the rank that failed; the others all
/// ranks see alike, and rank 0 tells them.
static void report(const Failure &failure) {
  std::fflush(stdout);
  if (*failure.what() && launcherRank() == 0)
    reportError(failure.what());
}

/// Throws if what was printed did not arrive.
static void finishOutput() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    refuse("cannot write standard output; is the disk full?");
}

static ExitCode runCommand(Session &session, const Options &options) {
  if (options.command == Command::train)
    return train(session, options);
  if (options.eval.verify)
    return verify(session, options.eval, options.timeout);
  return evaluate(session, options.eval);
}

static ExitCode runOnRanks(const Program &program, const Options &options,
                           const std::string &command) {
  Session session(program, command, options.timeout, options.device,
                  options.train.quiet, describeStart(program, options));
  ExitCode code = ExitCode::done;
  try {
    code = runCommand(session, options);
    finishOutput();
  } catch (const Failure &failure) {
    report(failure);
    code = failure.code;
  }
  // A launcher ends all ranks as soon as one of them fails: none may before
  // the words of all have left them.
  Doing doing("ending");
  session.getCommunicator().barrier();
  return code;
}

/// The last part of a path.
static std::string baseName(const std::string &path) {
  return path.substr(path.find_last_of('/') + 1);
}

static ExitCode run(ProgramCode (*findCode)(), int argc, char **argv) {
  Program program(findCode());
  std::optional<Options> options = parseOptions(argc, argv, program);
  if (!options)
    return ExitCode::done;
  const std::string command = argv[0];
  if (program.name.empty())
    program.name = baseName(command);
  if (options->command != Command::info)
    return runOnRanks(program, *options, command);
  if (launcherRank() == 0)
    printInfo(program);
  finishOutput();
  return ExitCode::done;
}

/// Keeps the numbers of standard streams that are closed from those of files
/// that are opened later, which would get what is printed.
static void occupyStandardStreams() {
  int file = 0;
  do
    file = ::open("/dev/null", O_RDWR);
  while (file >= 0 && file <= STDERR_FILENO);
  if (file >= 0)
    ::close(file);
}

int boost_rt::runProgram(ProgramCode (*findCode)(), int argc, char **argv) {
  occupyStandardStreams();
  // A file that would become larger than it may is an error of writing.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return static_cast<int>(run(findCode, argc, argv));
  } catch (const Failure &failure) {
    report(failure);
    if (*failure.what() && launcherRank() != 0) {
      letRankZeroFailFirst();
      // Rank 0 did not fail, or the launcher lets the others live.
      reportError(concat("rank ", launcherRank(), ": ", failure.what()));
    }
    return static_cast<int>(failure.code);
  }
}
