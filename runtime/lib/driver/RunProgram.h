//===- RunProgram.h - What every program does -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_RUNPROGRAM_H
#define BOOST_RUNTIME_DRIVER_RUNPROGRAM_H

#include "common/Program.h"

namespace boost_rt {

/// Runs the command of a command line on the program that `findCode` returns,
/// and reports failures, those of `findCode` too. Returns the exit code of the
/// process. The function main() calls it at once: no file may be open but the
/// standard streams.
int runProgram(ProgramCode (*findCode)(), int argc, char **argv);

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_RUNPROGRAM_H
