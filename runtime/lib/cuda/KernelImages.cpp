//===- KernelImages.cpp - The runtime's own device code -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The build gives the path of a fat binary for all architectures as
// BOOST_KERNEL_IMAGE.
//
//===----------------------------------------------------------------------===//

#include "cuda/KernelImages.h"

asm(".pushsection .rodata\n"
    ".balign 64\n"
    ".globl boost_kernel_image, boost_kernel_image_end\n"
    ".hidden boost_kernel_image, boost_kernel_image_end\n"
    "boost_kernel_image: .incbin \"" BOOST_KERNEL_IMAGE "\"\n"
    "boost_kernel_image_end:\n"
    ".popsection\n");

extern "C" const char boost_kernel_image[], boost_kernel_image_end[];

/// Defined by EmulatedKernels.cpp, which only programs that can be emulated are
/// linked with.
extern "C" [[gnu::weak]] const boost_rt_device_image boost_emulated_kernels;

/// The first architecture that the fat binary is for.
static constexpr int64_t oldestArchitecture = 80;

const boost_rt_device_image *boost_rt::kernelImages() {
  static const boost_rt_device_image none{0, nullptr, 0};
  static const boost_rt_device_image images[] = {
      {oldestArchitecture, boost_kernel_image,
       boost_kernel_image_end - boost_kernel_image},
      &boost_emulated_kernels ? boost_emulated_kernels : none,
      none};
  return images;
}
