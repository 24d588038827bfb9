//===- LinkedMain.cpp - Entry point of programs written by hand -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Their code is linked with the runtime, not loaded by it.
//
//===----------------------------------------------------------------------===//

#include "driver/RunProgram.h"

using namespace boost_rt;

int main(int argc, char **argv) {
  auto findCode = [] {
    return ProgramCode{boost_program_manifest, boost_program_functions};
  };
  return runProgram(findCode, argc, argv);
}
