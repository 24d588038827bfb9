//===- Main.cpp - Checks of a program on a GPU ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GPUCheck.h"
#include "common/Failure.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace boost_rt;

static Json run(int argc, char **argv) {
  auto is = [&](const char *mode, int arguments) {
    return argc == 2 + arguments && std::strcmp(argv[1], mode) == 0;
  };
  if (is("replay", 1))
    return replayTrace(argv[2]);
  if (is("machine", 0))
    return measureMachine();
  if (is("attention", 6)) {
    std::vector<int64_t> shape;
    for (int i = 2; i < argc; ++i)
      shape.push_back(std::atoll(argv[i]));
    return measureAttention(shape);
  }
  if (is("step", 0))
    return measureFunction("step");
  throw Failure(ExitCode::usage,
                concat("usage: ", argv[0],
                       " replay FILE | machine | attention BATCH ROWS HEADS "
                       "KEY_HEADS HEAD_SIZE CAUSAL | step"));
}

int main(int argc, char **argv) {
  try {
    std::puts(run(argc, argv).dump().c_str());
    return 0;
  } catch (const Failure &failure) {
    std::fprintf(stderr, "error: %s\n", failure.what());
    return static_cast<int>(failure.code);
  }
}
