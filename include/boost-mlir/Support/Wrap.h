//===- Wrap.h - Text for a terminal -----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_SUPPORT_WRAP_H
#define BOOST_MLIR_SUPPORT_WRAP_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace mlir::boost {

/// Columns of the tables and messages that --explain prints.
inline constexpr size_t kTextWidth = 120;

/// Divides a line at spaces into lines of at most `width` characters. A word
/// that is longer is a line of its own.
llvm::SmallVector<llvm::StringRef> divideLine(llvm::StringRef line,
                                              size_t width);

/// Wraps every line of a text. Continuation lines are indented by `indent`
/// spaces.
std::string wrapLines(llvm::StringRef text, size_t indent,
                      size_t width = kTextWidth);

} // namespace mlir::boost

#endif // BOOST_MLIR_SUPPORT_WRAP_H
