//===- EmulatedImage.h - Device code as a shared library --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_CUDA_EMULATOR_COMPILER_EMULATEDIMAGE_H
#define BOOST_MLIR_TEST_CUDA_EMULATOR_COMPILER_EMULATEDIMAGE_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"

namespace mlir::boost {

/// Returns a shared library of this machine that the emulator loads in place of
/// a cubin. `bitcode` is of the NVPTX back end, after libdevice and O3.
llvm::Expected<SmallString<0>> makeEmulatedImage(StringRef bitcode);

/// Makes boost-embed-device-code add such an image, of architecture 0.
void registerEmulatedImages(DialectRegistry &registry);

} // namespace mlir::boost

#endif // BOOST_MLIR_TEST_CUDA_EMULATOR_COMPILER_EMULATEDIMAGE_H
