//===- Commands.h - The commands of a compiled program ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_COMMANDS_H
#define BOOST_RUNTIME_DRIVER_COMMANDS_H

#include "common/Failure.h"
#include "driver/Options.h"
#include "driver/Session.h"

namespace boost_rt {

/// Prints the program's description as JSON; needs no ranks.
void printInfo(const Program &program);

/// Runs the loss, or loss and gradients, on tensors from a file; returns
/// whether the loss is finite.
ExitCode evaluate(Session &session, const EvalOptions &options);

/// Compares the functions of the program with the unsharded program in double;
/// returns whether every tensor was within its bound. A function may run for so
/// many seconds; 0 is no limit.
ExitCode verify(Session &session, const EvalOptions &options,
                double limitSeconds);

/// Trains; returns how it ended.
ExitCode train(Session &session, const Options &options);

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_COMMANDS_H
