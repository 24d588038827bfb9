//===- Feeds.h - What training fills batch arguments with -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What boost-infer-feeds leaves for the manifest, and so for `train`.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_FEEDS_H
#define BOOST_MLIR_DIALECT_BOOST_IR_FEEDS_H

#include "llvm/ADT/StringRef.h"

namespace mlir::boost {

/// On batch arguments whose role the program tells.
inline constexpr llvm::StringLiteral kFeedAttr = "boost.feed";

/// Rows of tokens and the next one: inputs and targets in one.
inline constexpr llvm::StringLiteral kTokensFeed = "tokens";
/// Rows of tokens.
inline constexpr llvm::StringLiteral kInputsFeed = "inputs";
/// The same rows one token further.
inline constexpr llvm::StringLiteral kTargetsFeed = "targets";

} // namespace mlir::boost

#endif // BOOST_MLIR_DIALECT_BOOST_IR_FEEDS_H
