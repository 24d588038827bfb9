//===- CommandLine.cpp - Fuzz the command line of a program ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Failure.h"
#include "driver/Options.h"

#include <cstdlib>
#include <vector>

using namespace boost_rt;

/// Lines are arguments. They are parsed, or refused as a mistake of usage.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::vector<std::string> arguments{"train"};
  arguments.emplace_back();
  for (size_t i = 0; i < size; ++i)
    if (data[i] == '\n')
      arguments.emplace_back();
    else if (data[i] != 0)
      arguments.back() += static_cast<char>(data[i]);
  std::vector<char *> argv;
  for (std::string &argument : arguments)
    argv.push_back(argument.data());
  argv.push_back(nullptr);

  try {
    auto options =
        parseOptions(static_cast<int>(arguments.size()), argv.data());
    if (options && options->command == Command::train &&
        (options->train.steps < 0 || !(options->train.lr >= 0)))
      std::abort();
  } catch (const Failure &failure) {
    if (failure.code != ExitCode::usage)
      std::abort();
  }
  return 0;
}
