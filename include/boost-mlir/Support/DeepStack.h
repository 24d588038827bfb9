//===- DeepStack.h - Room for deep recursion --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_SUPPORT_DEEPSTACK_H
#define BOOST_MLIR_SUPPORT_DEEPSTACK_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::boost {

/// Runs the work of a tool on a thread with a stack of 256 MiB, and gives 64
/// MiB to those that MLIR starts: what follows operands may call itself once
/// per operation. Memory that is not used is not taken. Without so much address
/// space the work runs on the stack of the process.
int runOnDeepStack(llvm::function_ref<int()> work);

} // namespace mlir::boost

#endif // BOOST_MLIR_SUPPORT_DEEPSTACK_H
