//===- BoostRTAttrNames.h - Discardable attributes of boostrt ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one spelling of what the passes of the runtime level record.
// BoostRTOps.td says what each means; the dialect verifies their form.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOSTRT_IR_BOOSTRTATTRNAMES_H
#define BOOST_MLIR_DIALECT_BOOSTRT_IR_BOOSTRTATTRNAMES_H

#include "llvm/ADT/StringRef.h"

namespace mlir::boost::rt {

// On calls.
inline constexpr llvm::StringLiteral kGroupAxesAttr = "boostrt.axes";
inline constexpr llvm::StringLiteral kReadsAttr = "boostrt.reads";
inline constexpr llvm::StringLiteral kWritesAttr = "boostrt.writes";
inline constexpr llvm::StringLiteral kWorkspaceBytesAttr =
    "boostrt.workspace_bytes";

// On the loops of a function, while boostrt-merge-equal-operations runs.
inline constexpr llvm::StringLiteral kBodyAttr = "boostrt.body";

// On functions.
inline constexpr llvm::StringLiteral kResultsAttr = "boostrt.results";
inline constexpr llvm::StringLiteral kBuffersAttr = "boostrt.buffers";
inline constexpr llvm::StringLiteral kArgumentsAttr = "boostrt.arguments";

// The argument of a function that is a slot of the stash; argument 0 is the
// arena.
inline constexpr int64_t kStashArgument = 1;

// On views of the arena and of the stash.
inline constexpr llvm::StringLiteral kBufferAttr = "boostrt.buffer";

// On kernels.
inline constexpr llvm::StringLiteral kExtentAttr = "boostrt.extent";

// On the module.
inline constexpr llvm::StringLiteral kSitesAttr = "boostrt.sites";
inline constexpr llvm::StringLiteral kWorkspaceAttr = "boostrt.workspace";

} // namespace mlir::boost::rt

#endif // BOOST_MLIR_DIALECT_BOOSTRT_IR_BOOSTRTATTRNAMES_H
