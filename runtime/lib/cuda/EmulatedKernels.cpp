//===- EmulatedKernels.cpp - The runtime's kernels for the emulator -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The build gives the path of the shared library as BOOST_EMULATED_KERNELS.
//
//===----------------------------------------------------------------------===//

#include "boost-runtime/Runtime.h"

asm(".pushsection .rodata\n"
    ".balign 64\n"
    ".globl boost_emulated_image, boost_emulated_image_end\n"
    ".hidden boost_emulated_image, boost_emulated_image_end\n"
    "boost_emulated_image: .incbin \"" BOOST_EMULATED_KERNELS "\"\n"
    "boost_emulated_image_end:\n"
    ".popsection\n");

extern "C" const char boost_emulated_image[], boost_emulated_image_end[];

extern "C" const boost_rt_device_image boost_emulated_kernels;
const boost_rt_device_image boost_emulated_kernels = {
    0, boost_emulated_image, boost_emulated_image_end - boost_emulated_image};
