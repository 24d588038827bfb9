//===- InputFile.h - Files that a user names ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device may have no end, and a pipe that nobody writes is not opened ever.
// So what is named is a regular file, and pipes come in by standard input, of
// which no more is read than a limit.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_SUPPORT_INPUTFILE_H
#define BOOST_MLIR_SUPPORT_INPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include <cstddef>
#include <memory>
#include <string>

namespace llvm {
class MemoryBuffer;
} // namespace llvm

namespace mlir::boost {

/// Bytes that are read of standard input at most.
inline constexpr size_t kMaxInputBytes = size_t(1) << 30;

/// Opens the regular file at `path`, or standard input if that is "-". Returns
/// null with a message if it is something else or cannot be read.
std::unique_ptr<llvm::MemoryBuffer> openInput(llvm::StringRef path,
                                              std::string *message);

} // namespace mlir::boost

#endif // BOOST_MLIR_SUPPORT_INPUTFILE_H
