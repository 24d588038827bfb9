//===- Provider.h - A GPU that is emulated ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands in for the CUDA driver, cublasLt, cuDNN, cuSOLVER and NCCL: it defines
// the functions of runtime/lib/cuda/VendorFunctions.def. Programs compiled with
// --emulatable take it where BOOST_CUDA_EMULATOR names it. It is slow and
// strict:
//
// - Work runs as late as CUDA allows, when the host waits for it.
// - The host cannot touch device memory, and work cannot touch what was not
//   allocated.
// - What a capture forbids is refused while one is on.
//
// BOOST_EMULATOR_LOG=FILE appends a line of JSON for every call that does
// something on the device and every wait of the host;
// BOOST_EMULATOR_ORDER=forward, reverse or shuffled is the order of threads;
// BOOST_EMULATOR_SKIP=1 runs no kernel and no product;
// BOOST_EMULATOR_TRACE=FILE keeps what every launch of a program of one rank
// was given and has made (TraceFormat.h); BOOST_EMULATOR_SWAP=N exchanges the
// work of line N of the log, not counting waits, and the next;
// BOOST_EMULATOR_FORGET_WAIT=N lets the host pass its wait N at once;
// BOOST_EMULATOR_CUDNN=N is cuDNN's version, 91900 for 9.19, or 0 for a machine
// on which it cannot start; BOOST_EMULATOR_CUSOLVER=N is the workspace in bytes
// that cuSOLVER asks for for each matrix, or 0 for a machine on which it cannot
// start.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_CUDA_EMULATOR_PROVIDER_H
#define BOOST_MLIR_TEST_CUDA_EMULATOR_PROVIDER_H

#include "Grid.h"
#include "Module.h"
#include "cuda/VendorTypes.h"

#include <functional>
#include <string>
#include <vector>

#define BOOST_VENDOR_CUDA(SYMBOL, ...)                                         \
  extern "C" boost_rt::vendor::CudaResult SYMBOL(__VA_ARGS__);
#define BOOST_VENDOR_BLAS(SYMBOL, ...)                                         \
  extern "C" boost_rt::vendor::BlasStatus SYMBOL(__VA_ARGS__);
#define BOOST_VENDOR_DNN(RESULT, SYMBOL, ...)                                  \
  extern "C" RESULT SYMBOL(__VA_ARGS__);
#define BOOST_VENDOR_SOLVER(SYMBOL, ...)                                       \
  extern "C" boost_rt::vendor::SolverStatus SYMBOL(__VA_ARGS__);
#define BOOST_VENDOR_NCCL(SYMBOL, ...)                                         \
  extern "C" boost_rt::vendor::NcclResult SYMBOL(__VA_ARGS__);
namespace boost_rt::vendor {
#include "cuda/VendorFunctions.def"
} // namespace boost_rt::vendor

namespace boost_emu {

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Allocates device memory filled with NaNs; 0 if there is none left.
uint64_t allocateDeviceMemory(uint64_t bytes);
/// Returns whether `address` was allocated.
bool freeDeviceMemory(uint64_t address);
/// Returns true if all of these bytes belong to one allocation.
bool isAllocated(uint64_t address, uint64_t bytes);

/// "arena+1024" does not exist here: an address for messages, relative to its
/// allocation.
std::string describeAddress(uint64_t address);

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

/// Something that a stream does: returns what is wrong with it, or "".
using Work = std::function<std::string()>;

/// Puts work on a stream, or into the graph that the stream is captured to.
/// `description` is a line of JSON for the log, for when it runs.
boost_rt::vendor::CudaResult enqueue(boost_rt::vendor::CudaStream stream,
                                     const std::string &description, Work work);

/// Returns true, and notes an error, if a stream is being captured: then no
/// call may allocate, load or wait.
bool refusedByCapture(const char *call);

/// Prints what went wrong, in the manner of the runtime's messages.
void report(const std::string &message);

/// Returns true if kernels and products are left out.
bool skipsCompute();

//===----------------------------------------------------------------------===//
// Traces
//===----------------------------------------------------------------------===//

/// Begins the trace, if there is to be one, when the program allocates its
/// memory, and ends it when that is freed.
void beginTrace(uint64_t start, uint64_t bytes, int filler);
void endTrace();

/// Before and after a kernel runs.
void traceLaunch(const std::string &kernel, const Launch &launch,
                 const std::vector<std::vector<char>> &arguments);
void traceResult();

} // namespace boost_emu

#endif // BOOST_MLIR_TEST_CUDA_EMULATOR_PROVIDER_H
