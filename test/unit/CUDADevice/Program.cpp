//===- Program.cpp - What the object file of a program defines ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The build gives the path of the device code as PROGRAM_KERNELS.
//
//===----------------------------------------------------------------------===//

#include "ProgramOnGPU.h"

using namespace boost_rt;

asm(".pushsection .rodata\n"
    ".balign 64\n"
    ".globl program_kernels, program_kernels_end\n"
    ".hidden program_kernels, program_kernels_end\n"
    "program_kernels: .incbin \"" PROGRAM_KERNELS "\"\n"
    "program_kernels_end:\n"
    ".popsection\n");

extern "C" const char program_kernels[], program_kernels_end[];

const float boost_rt::programConstants[8] = {1, 2, 3, 4, 5, 6, 7, 8};

extern "C" {

const boost_rt_device_image boost_program_device_images[] = {
    {0, program_kernels, program_kernels_end - program_kernels},
    {0, nullptr, 0}};

// Not in the order of their addresses.
const boost_rt_constant boost_program_constants[] = {
    {programConstants + 5, 3 * sizeof(float)},
    {programConstants, 2 * sizeof(float)},
    {programConstants + 2, 3 * sizeof(float)},
    {nullptr, 0}};

} // extern "C"
