//===- TraceFormat.h - Launches of kernels in a file ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The format that the emulator writes (provider/Trace.cpp) and the checks on a
// GPU replay (test/gpu-check). Numbers are uint64_t of this machine, texts and
// arguments a number of bytes and the bytes.
//
//   magic, address and size of device memory, the byte that it is filled with
//   for each launch:
//     changes since the last record
//     kernel, 3 numbers of blocks, 3 of threads, dynamic shared memory,
//     number of arguments, arguments
//     changes that the launch has made
//
// Changes are a number of ranges; of each its offset, its size and its bytes.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_CUDA_EMULATOR_TRACEFORMAT_H
#define BOOST_MLIR_TEST_CUDA_EMULATOR_TRACEFORMAT_H

#include <cstdint>

namespace boost_emu {

constexpr char kTraceMagic[8] = {'B', 'O', 'O', 'S', 'T', 'G', 'P', 'U'};

/// Changes are found line by line.
constexpr uint64_t kTraceLine = 64;

} // namespace boost_emu

#endif // BOOST_MLIR_TEST_CUDA_EMULATOR_TRACEFORMAT_H
