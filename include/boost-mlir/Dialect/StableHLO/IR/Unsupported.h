//===- Unsupported.h - What a program's text asks for in vain ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parser stops at the first operation it does not know. These functions look
// at the text instead, so that a user hears of everything at once.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_STABLEHLO_IR_UNSUPPORTED_H
#define BOOST_MLIR_DIALECT_STABLEHLO_IR_UNSUPPORTED_H

#include "mlir/IR/Dialect.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace llvm {
class SourceMgr;
} // namespace llvm

namespace mlir::boost::stablehlo {

/// A place in a program's text and what is wrong there.
struct Unsupported {
  const char *where;
  std::string message;
};

/// The remedy, for the note after the last error.
inline constexpr llvm::StringLiteral kUnsupportedRemedy =
    "rewrite the loss without these operations, or export it from JAX for "
    "platform 'cpu' with static shapes";

/// Returns why a tensor type of this spelling is refused.
std::string describeUncountable(const std::string &type);

/// Returns true if calls of `target` only annotate their operand, so that
/// import may drop them.
bool isAnnotationTarget(StringRef target);

/// Operations outside of the subset, dynamic shapes, element types that no
/// operation takes, tensors too large to count, and constants whose values were
/// left out, in the order of the text. Each type is reported at its first use.
SmallVector<Unsupported> findUnsupported(StringRef text, MLIRContext *context);

/// Reports all of `findUnsupported` on the main buffer of `sources`, with a
/// note at the end.
LogicalResult checkProgramText(llvm::SourceMgr &sources, MLIRContext *context);

/// Parses an operation that the subset does not have: reports everything
/// unsupported in the whole text and fails.
ParseResult refuseUnknownOp(OpAsmParser &parser, OperationState &state);

} // namespace mlir::boost::stablehlo

#endif // BOOST_MLIR_DIALECT_STABLEHLO_IR_UNSUPPORTED_H
