//===- ForeignFile.h - Files that are no token files ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file of uint16 ids alone has no mark of its own. What begins with the mark
// of another format, or whose bytes look like text or like wider integers, is
// not taken for one.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_FOREIGNFILE_H
#define BOOST_RUNTIME_COMMON_FOREIGNFILE_H

#include <optional>
#include <string>
#include <string_view>

namespace boost_rt {

/// A file of another format than those of token ids.
struct ForeignFile {
  /// The format, with an article: "a gzip archive".
  std::string what;
  /// The conversion to a token file.
  std::string remedy;
};

/// The command that writes a token file of the ids that a Python expression
/// gives. `modules` are imported besides NumPy, such as "json, re".
std::string conversionCommand(const std::string &expression,
                              const std::string &modules = "");

/// The format of the file at `path` with the bytes `file`, if it is known and
/// is not uint16 ids. Ids in a random order are never taken for another format;
/// those of which every second one is 0 are.
std::optional<ForeignFile> recognizeForeign(const std::string &path,
                                            std::string_view file);

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_FOREIGNFILE_H
