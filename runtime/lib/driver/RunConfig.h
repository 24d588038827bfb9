//===- RunConfig.h - The options that a run has in effect -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_RUNCONFIG_H
#define BOOST_RUNTIME_DRIVER_RUNCONFIG_H

#include "common/Agreement.h"
#include "common/Program.h"
#include "driver/Options.h"

#include <nlohmann/json.hpp>

namespace boost_rt {

/// Every option of the command as it is in effect, after the command line, the
/// file of --config and the defaults, under its long name without dashes: of
/// `train` a file for --config that gives the same run. What is not in effect,
/// such as a path that was not given, is left out.
nlohmann::ordered_json describeConfig(const Options &options);

/// A checksum of the program and of the executable that holds it: equal on
/// ranks that run the same version of the same program.
std::string identityOf(const Program &program);

/// Returns the facts that have to be equal on all ranks before they
/// communicate: the program, hence the number of ranks, the command and its
/// options. Needs no communicator, so that digestOf() of the result tells one
/// start from another before ranks have met. Files are compared where they are
/// read.
Facts describeStart(const Program &program, const Options &options);

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_RUNCONFIG_H
