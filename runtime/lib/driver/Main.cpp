//===- Main.cpp - Entry point of every compiled program -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Commands.h"

using namespace boost_rt;

static ExitCode runCommand(Program &program, const Options &options,
                           const std::string &command) {
  if (options.command == Command::info) {
    if (launcherRank() == 0)
      printInfo(program);
    return ExitCode::done;
  }
  Session session(program, command);
  session.watchCollectives(options.timeout);
  if (options.command == Command::train)
    return train(session, options.train);
  if (options.eval.verify)
    return verify(session, options.eval);
  evaluate(session, options.eval);
  return ExitCode::done;
}

/// The last part of a path.
static std::string baseName(const std::string &path) {
  return path.substr(path.find_last_of('/') + 1);
}

int main(int argc, char **argv) {
  int exitCode = 0;
  auto options = parseOptions(argc, argv, exitCode);
  if (!options)
    return exitCode;
  try {
    Program program(boost_program_manifest, boost_program_functions);
    if (program.name.empty())
      program.name = baseName(argv[0]);
    return static_cast<int>(runCommand(program, *options, argv[0]));
  } catch (const Failure &failure) {
    // An empty message was printed by the rank that failed; all ranks see the
    // others alike.
    if (*failure.what() && launcherRank() == 0)
      reportError(failure.what());
    return static_cast<int>(failure.code);
  }
}
