//===- InitialValues.h - Arrays that were exported with a model -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_INITIALVALUES_H
#define BOOST_RUNTIME_DRIVER_INITIALVALUES_H

#include "driver/Session.h"

namespace boost_rt {

/// Fills the parameters that were exported as arrays, and returns the file that
/// holds them: the one that the compiler found, or one of its name beside the
/// program. Throws if there is none, or if it holds other values.
std::string loadInitialValues(Session &session);

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_INITIALVALUES_H
