//===- Vendor.h - NVIDIA's libraries, opened at run time --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_VENDOR_H
#define BOOST_RUNTIME_CUDA_VENDOR_H

#include "cuda/VendorTypes.h"

#include <string>

namespace boost_rt::vendor {

/// The functions of VendorFunctions.def. Those of a library that is not open
/// are null.
struct Functions {
#define BOOST_VENDOR_CUDA(SYMBOL, ...)                                         \
  CudaResult (*SYMBOL)(__VA_ARGS__) = nullptr;
#define BOOST_VENDOR_BLAS(SYMBOL, ...)                                         \
  BlasStatus (*SYMBOL)(__VA_ARGS__) = nullptr;
#define BOOST_VENDOR_DNN(TYPE, SYMBOL, ...)                                    \
  TYPE (*SYMBOL)(__VA_ARGS__) = nullptr;
#define BOOST_VENDOR_SOLVER(SYMBOL, ...)                                       \
  SolverStatus (*SYMBOL)(__VA_ARGS__) = nullptr;
#define BOOST_VENDOR_NCCL(SYMBOL, ...)                                         \
  NcclResult (*SYMBOL)(__VA_ARGS__) = nullptr;
#include "cuda/VendorFunctions.def"
};

/// Returns the functions of this process.
const Functions &functions();

/// Open one library each. Throw if it cannot be opened, naming it and the
/// remedy. BOOST_CUDA_EMULATOR names a library that stands in for all of them.
void openDriver();
void openBlas();
void openNccl();
/// Only programs that factorize matrices need cuSOLVER.
void openSolver();

/// Opens cuDNN, which programs can do without. Returns an empty string, or the
/// reason why it cannot be used and the remedy.
std::string openDnn();

/// Returns true if the emulator replaces the libraries.
bool isEmulated();

/// Returns the driver's text for a result: "out of memory (2)".
std::string describe(CudaResult result);

/// Throw, or inside of functions of the program end the process, if a call did
/// not succeed; `what` was to be done: "load the kernels".
void check(CudaResult result, const char *what);
void checkInStep(CudaResult result, const char *what);
void checkBlas(BlasStatus status, const char *what);
void checkSolver(SolverStatus status, const char *what);
void checkNccl(NcclResult result, const char *what);

} // namespace boost_rt::vendor

#endif // BOOST_RUNTIME_CUDA_VENDOR_H
