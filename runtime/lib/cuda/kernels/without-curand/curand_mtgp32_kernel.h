//===- curand_mtgp32_kernel.h - In place of a header of cuRAND --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// clang includes this header of cuRAND in front of any device code. Kernels use
// nothing of it, and PyPI's packages of the CUDA compiler come without it: this
// file is found where the toolkit has none.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_WITHOUT_CURAND_CURAND_MTGP32_KERNEL_H
#define BOOST_RUNTIME_CUDA_WITHOUT_CURAND_CURAND_MTGP32_KERNEL_H

#endif // BOOST_RUNTIME_CUDA_WITHOUT_CURAND_CURAND_MTGP32_KERNEL_H
