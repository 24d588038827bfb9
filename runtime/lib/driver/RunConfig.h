//===- RunConfig.h - The options that a run has in effect -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_RUNCONFIG_H
#define BOOST_RUNTIME_DRIVER_RUNCONFIG_H

#include "common/Schedule.h"
#include "driver/Options.h"

#include <nlohmann/json.hpp>

namespace boost_rt {

/// Every option of `train` as it is in effect, after the command line, the file
/// of --config and the defaults, under its long name without dashes: a file for
/// --config that gives the same run. What is not in effect, such as a path that
/// was not given, is left out.
nlohmann::ordered_json describeConfig(const Options &options,
                                      const Schedule &schedule);

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_RUNCONFIG_H
