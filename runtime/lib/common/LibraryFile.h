//===- LibraryFile.h - Shared libraries that a program carries --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_LIBRARYFILE_H
#define BOOST_RUNTIME_COMMON_LIBRARYFILE_H

#include <string>
#include <string_view>

namespace boost_rt {

/// Copies a shared library, given its bytes, to a file that the dynamic linker
/// can open for as long as the process runs, and returns the path of that file.
/// It is a file in memory or, if BOOST_CODE_FOLDER names a folder, the file
/// NAME-PROCESS.so there, which is kept. Throws if it cannot be written; `what`
/// says in the message what the library is.
std::string makeLibraryFile(const std::string &name, const std::string &what,
                            std::string_view image);

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_LIBRARYFILE_H
