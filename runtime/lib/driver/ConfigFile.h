//===- ConfigFile.h - Options of a command from a file ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_CONFIGFILE_H
#define BOOST_RUNTIME_DRIVER_CONFIGFILE_H

#include <functional>
#include <string>
#include <vector>

namespace boost_rt {

/// Appends to the arguments of a command those of the file that their
/// `--config FILE` names, if there is one: a JSON object with the long names of
/// options, without dashes. A number, a string or true is one option, an array
/// of them several, and false none. What the command line has goes before.
/// Throws a Failure for a file that is none of this, or for a name that
/// `isOption` does not know.
void appendConfig(std::vector<std::string> &arguments,
                  const std::function<bool(const std::string &)> &isOption);

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_CONFIGFILE_H
