//===- EmulatedImage.h - Device code as a shared library --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TARGET_EMULATEDIMAGE_H
#define BOOST_MLIR_TARGET_EMULATEDIMAGE_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Error.h"

namespace mlir::boost {

/// A shared library of this machine that test/cuda-emulator loads in place of a
/// cubin. `bitcode` is of the NVPTX back end, after libdevice and O3.
llvm::Expected<SmallString<0>> makeEmulatedImage(StringRef bitcode);

} // namespace mlir::boost

#endif // BOOST_MLIR_TARGET_EMULATEDIMAGE_H
