//===- OutputFiles.h - Files that training writes ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_OUTPUTFILES_H
#define BOOST_RUNTIME_DRIVER_OUTPUTFILES_H

#include "driver/Options.h"
#include "driver/TokenWindows.h"

#include <string>

namespace boost_rt {

/// Checks that no output of `train` replaces a file that the run needs, or
/// another output; throws if one does. `initialFile` is the file of exported
/// arrays that the run starts from, or empty, and `constantsFile` that of the
/// constants of the program.
void checkOutputs(const TrainOptions &options, const TokenWindows &data,
                  const std::string &initialFile,
                  const std::string &constantsFile);

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_OUTPUTFILES_H
