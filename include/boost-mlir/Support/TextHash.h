//===- TextHash.h - A hash of text as digits --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_SUPPORT_TEXTHASH_H
#define BOOST_MLIR_SUPPORT_TEXTHASH_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace mlir::boost {

/// Returns the XXH3 hash (128 bits) of a text as 32 hexadecimal digits.
std::string hashText(llvm::StringRef text);

} // namespace mlir::boost

#endif // BOOST_MLIR_SUPPORT_TEXTHASH_H
