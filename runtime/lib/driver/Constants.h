//===- Constants.h - The constants of a program -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_CONSTANTS_H
#define BOOST_RUNTIME_DRIVER_CONSTANTS_H

#include "driver/Session.h"

namespace boost_rt {

/// Returns the path of the file of constants, or nothing if there are none.
std::string pathOfConstants(const Program &program);

/// Loads the shards of constants that this rank has from the file beside the
/// program. Throws if the file is missing or is that of another program. All
/// ranks call this together.
void loadConstants(Session &session);

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_CONSTANTS_H
