//===- HostIntrinsics.h - NVPTX intrinsics for an emulator ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_CUDA_EMULATOR_COMPILER_HOSTINTRINSICS_H
#define BOOST_MLIR_TEST_CUDA_EMULATOR_COMPILER_HOSTINTRINSICS_H

#include "mlir/Support/LLVM.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"

#include <string>

namespace mlir::boost {

bool isDeviceIntrinsic(const llvm::Function &function);

/// Returns true if lowerIntrinsics can replace the intrinsic.
bool isKnownIntrinsic(const llvm::Function &intrinsic);

/// Returns true if lowerIntrinsics can replace the assembly: that of libdevice
/// and of the runtime's kernels.
bool isKnownAssembly(const llvm::InlineAsm &assembly);

/// Replaces all calls of device intrinsics and assembly, which must be known.
void lowerIntrinsics(llvm::Module &module);

/// The functions that lowerIntrinsics may call.
SmallVector<std::string> getIntrinsicFunctions();

/// Calls a function that has no attribute that would let the call move.
llvm::CallInst *callEmulator(llvm::IRBuilder<> &builder, StringRef name,
                             llvm::Type *result, ArrayRef<llvm::Value *> args);

} // namespace mlir::boost

#endif // BOOST_MLIR_TEST_CUDA_EMULATOR_COMPILER_HOSTINTRINSICS_H
