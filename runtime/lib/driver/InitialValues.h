//===- InitialValues.h - Arrays that were exported with a model -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_INITIALVALUES_H
#define BOOST_RUNTIME_DRIVER_INITIALVALUES_H

#include "common/Program.h"
#include "common/SafeTensors.h"

#include <memory>
#include <string>

namespace boost_rt {

/// Returns the path of the file in the folder of the program that has the name
/// of the one at `path`.
std::string besideProgram(const std::string &path);

/// The file of parameters that were exported as arrays: the one that the
/// compiler found, or one of its name beside the program. Throws if there is
/// none, or if it holds other values.
std::unique_ptr<SafeTensorsReader>
openInitialValues(const InitialValues &values);

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_INITIALVALUES_H
