//===- GPUCheck.h - Checks of a program on a GPU ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The executable of scripts/gpu_check.sh: a main program that is linked with
// the object file of a program for a GPU in place of the driver. Each mode
// returns one object of JSON. Times are null on the emulator.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_GPU_CHECK_GPUCHECK_H
#define BOOST_MLIR_TEST_GPU_CHECK_GPUCHECK_H

#include "cuda/GPU.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <vector>

namespace boost_rt {

using Json = nlohmann::ordered_json;

/// `replay FILE`: the launches of a trace of the emulator (TraceFormat.h) on
/// this GPU, from the same bytes; how many of them make the same bytes.
Json replayTrace(const char *path);

/// `machine`: the GPU, a copy and a product of 8192 x 8192 matrices.
Json measureMachine();

/// `attention BATCH ROWS HEADS KEY_HEADS HEAD_SIZE CAUSAL`: seconds of
/// attention in bf16 and of its gradients by the kernels of the runtime and by
/// cuDNN, whose results are compared with those of the kernels.
Json measureAttention(const std::vector<int64_t> &shape);

/// `step`: the function of this name as one rank runs it, without collectives:
/// all of it, and every call that it consists of.
Json measureFunction(const char *name);

/// Seconds of `work` on the stream, the mean of so many runs that they take a
/// twentieth of a second; null on the emulator, which runs it once.
Json measureSeconds(GPU &gpu, const std::function<void()> &work);

/// `amount` a second, in units of `unit`, or null.
Json rate(double amount, const Json &seconds, double unit);

} // namespace boost_rt

#endif // BOOST_MLIR_TEST_GPU_CHECK_GPUCHECK_H
