//===- FileURI.h - Paths as file: URIs --------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of passes cannot hold every character of a path; URIs (RFC 8089) hold
// any path in a few.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_SUPPORT_FILEURI_H
#define BOOST_MLIR_SUPPORT_FILEURI_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace mlir::boost {

/// The URI of a path, which is made absolute.
std::string toFileURI(llvm::StringRef path);

/// The path of a `file:` URI; a text that does not begin so is a path itself.
/// Nothing if the URI is not of this machine, or badly encoded.
std::optional<std::string> fromFileURI(llvm::StringRef text);

} // namespace mlir::boost

#endif // BOOST_MLIR_SUPPORT_FILEURI_H
