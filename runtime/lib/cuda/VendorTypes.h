//===- VendorTypes.h - Types and constants of NVIDIA's libraries -*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What cuda.h, cublasLt.h and nccl.h say, as far as the runtime needs it, so
// that it builds where they are not. test/unit/CUDARuntime compares both where
// they are.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_VENDORTYPES_H
#define BOOST_RUNTIME_CUDA_VENDORTYPES_H

#include <cstddef>
#include <cstdint>

namespace boost_rt::vendor {

//===----------------------------------------------------------------------===//
// The CUDA driver
//===----------------------------------------------------------------------===//

using CudaResult = int;
using DevicePointer = unsigned long long;
using CudaContext = struct CUctx_st *;
using CudaModule = struct CUmod_st *;
using CudaFunction = struct CUfunc_st *;
using CudaStream = struct CUstream_st *;
using CudaGraph = struct CUgraph_st *;
using CudaGraphExec = struct CUgraphExec_st *;

enum : CudaResult {
  cudaSuccess = 0,
  cudaInvalidValue = 1,
  cudaOutOfMemory = 2,
  cudaNotInitialized = 3,
  cudaNoDevice = 100,
  cudaInvalidImage = 200,
  cudaNoBinaryForGPU = 209,
  cudaNotFound = 500,
  cudaNotReady = 600,
  cudaIllegalAddress = 700,
  cudaLaunchFailed = 719,
  cudaCaptureUnsupported = 900,
  cudaCaptureInvalidated = 901,
};

enum : int {
  deviceComputeCapabilityMajor = 75,
  deviceComputeCapabilityMinor = 76,
  functionMaxDynamicSharedBytes = 8,
  streamNonBlocking = 1,
  captureThreadLocal = 1,
};

//===----------------------------------------------------------------------===//
// cublasLt
//===----------------------------------------------------------------------===//

using BlasStatus = int;
using BlasHandle = struct cublasLtContext *;
using MatmulDescription = struct cublasLtMatmulDescOpaque *;
using MatrixLayout = struct cublasLtMatrixLayoutOpaque *;
using MatmulPreference = struct cublasLtMatmulPreferenceOpaque *;

struct MatmulAlgorithm {
  uint64_t data[8];
};

/// cublasLtMatmulHeuristicResult_t
struct MatmulChoice {
  MatmulAlgorithm algorithm;
  size_t workspaceBytes;
  BlasStatus state;
  float waves;
  int reserved[4];
};

enum : BlasStatus {
  blasSuccess = 0,
  blasNotInitialized = 1,
  blasInvalidValue = 7,
  blasNotSupported = 15,
};

/// cudaDataType and cublasComputeType_t
enum : int {
  realF32 = 0,
  realF64 = 1,
  realF16 = 2,
  realBF16 = 14,
  computeF32 = 68,
  computeF64 = 70,
};

/// Attributes of descriptions, layouts and preferences
enum : int {
  matmulTransposeA = 3,
  matmulTransposeB = 4,
  layoutBatchCount = 5,
  layoutBatchStride = 6,
  preferMaxWorkspaceBytes = 1,
  preferMinAlignmentA = 5,
  preferMinAlignmentB = 6,
  preferMinAlignmentC = 7,
  preferMinAlignmentD = 8,
};

/// Attributes of algorithms
enum : int {
  algorithmId = 0,
  algorithmTile = 1,
  algorithmSplitK = 2,
  algorithmReduction = 3,
  algorithmStages = 6,
};

//===----------------------------------------------------------------------===//
// NCCL
//===----------------------------------------------------------------------===//

using NcclResult = int;
using NcclCommunicator = struct ncclComm *;

struct NcclId {
  char bytes[128];
};

enum : NcclResult { ncclSuccess = 0, ncclInProgress = 7 };

/// ncclDataType_t and ncclRedOp_t
enum : int {
  ncclInt8 = 0,
  ncclUInt8 = 1,
  ncclInt32 = 2,
  ncclInt64 = 4,
  ncclFloat16 = 6,
  ncclFloat32 = 7,
  ncclFloat64 = 8,
  ncclBFloat16 = 9,
  ncclSum = 0,
  ncclMax = 2,
  ncclMin = 3,
};

} // namespace boost_rt::vendor

#endif // BOOST_RUNTIME_CUDA_VENDORTYPES_H
