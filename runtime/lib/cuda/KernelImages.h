//===- KernelImages.h - The runtime's own device code -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_KERNELIMAGES_H
#define BOOST_RUNTIME_CUDA_KERNELIMAGES_H

#include "boost-runtime/Runtime.h"

namespace boost_rt {

/// The kernels of kernels/, for every architecture, in a table that ends as
/// boost_program_device_images does. With code for the emulator where the
/// program was linked with it.
const boost_rt_device_image *kernelImages();

} // namespace boost_rt

#endif // BOOST_RUNTIME_CUDA_KERNELIMAGES_H
