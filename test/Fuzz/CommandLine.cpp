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

/// A program with a learning rate and a hyper-parameter of its own.
static const Program &getProgram() {
  static const boost_program_function functions[] = {{nullptr, nullptr}};
  static const Program program(
      R"({"format": 1, "mesh": [{"name": "tp", "size": 1}], "arena_bytes": 64,
          "functions": {}, "tensors": [
            {"name": "lr", "role": "hyper", "kind": "lr", "dtype": "f32",
             "shape": [], "offset": 0, "bytes": 4},
            {"name": "clip", "role": "hyper", "kind": "clip", "dtype": "f32",
             "shape": [], "offset": 4, "bytes": 4,
             "option": {"help": "Largest norm", "default": 1, "min": 0}}]})",
      functions);
  return program;
}

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
    auto options = parseOptions(static_cast<int>(arguments.size()), argv.data(),
                                getProgram());
    if (options && options->command == Command::train &&
        (options->train.steps < 0 || !(options->train.lr >= 0) ||
         !(options->train.hypers.at("clip") >= 0)))
      std::abort();
  } catch (const Failure &failure) {
    if (failure.code != ExitCode::usage)
      std::abort();
  }
  return 0;
}
