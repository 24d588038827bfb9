//===- TextCheck.h - What MLIR's parser would not take ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parser, the printer and every walk of MLIR call themselves once per level
// of regions, attributes, types and locations. A text of some kilobytes can
// ask for more levels than a stack has room for, for a resource at an address
// that no memory has, or for more results of an operation than fit in memory.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_SUPPORT_TEXTCHECK_H
#define BOOST_MLIR_SUPPORT_TEXTCHECK_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace mlir::boost {

/// The limit of nested brackets, those of aliases counted where the alias is
/// used, and of the operators of an affine expression.
inline constexpr unsigned kMaxNesting = 512;

/// The limit of the tokens of an alias when all aliases in it are written out.
inline constexpr uint64_t kMaxAliasTokens = uint64_t(1) << 24;

/// The largest alignment of a resource.
inline constexpr uint32_t kMaxAlignment = 4096;

/// The limit of the results of all operations, by the numbers that are used; a
/// text with more bytes may have as many results as bytes.
inline constexpr uint64_t kMaxResults = uint64_t(1) << 16;

/// A place in a text and what is wrong there.
struct TextError {
  const char *where;
  std::string message;
};

/// A `dense<"0x...">` of booleans.
struct BooleanBytes {
  /// The digits behind `0x`, two for each byte.
  llvm::StringRef digits;
  uint64_t numElements;
};

/// The result of one pass over a text.
struct TextScan {
  /// The first place where the text exceeds these limits.
  std::optional<TextError> error;
  /// Arrays of booleans before that place.
  llvm::SmallVector<BooleanBytes> booleans;
};

TextScan scanText(llvm::StringRef text);

} // namespace mlir::boost

#endif // BOOST_MLIR_SUPPORT_TEXTCHECK_H
