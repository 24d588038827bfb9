//===- VendorTypes.h - Types and constants of NVIDIA's libraries -*- C++
//-*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The declarations of cuda.h, cublasLt.h, cudnn.h, cusolverDn.h and nccl.h that
// the runtime needs, so that it builds without these headers.
// test/unit/CUDARuntime compares both where the headers are installed.
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
using CudaEvent = struct CUevent_st *;
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
  eventDefault = 0,
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
// cuDNN's backend interface
//===----------------------------------------------------------------------===//

using DnnStatus = int;
using DnnHandle = struct cudnnContext *;
using DnnDescriptor = void *;

enum : DnnStatus {
  dnnSuccess = 0,
  dnnNotInitialized = 1001,
  dnnBadParam = 2000,
  dnnNotSupported = 3000,
};

/// cudnnBackendDescriptorType_t
enum : int {
  dnnPointwise = 0,
  dnnEngine = 2,
  dnnEngineConfig = 3,
  dnnEngineHeuristics = 4,
  dnnExecutionPlan = 5,
  dnnKnobChoice = 7,
  dnnPointwiseOperation = 13,
  dnnOperationGraph = 15,
  dnnVariantPack = 16,
  dnnTensor = 17,
  dnnMatmul = 18,
  dnnMatmulOperation = 19,
  dnnReduction = 21,
  dnnReductionOperation = 22,
  dnnReshapeOperation = 31,
  dnnDeviceProperties = 38,
};

/// cudnnBackendAttributeType_t
enum : int {
  dnnHandleType = 0,
  dnnDataTypeType = 1,
  dnnBooleanType = 2,
  dnnInt64Type = 3,
  dnnPointerType = 6,
  dnnHeuristicModeType = 8,
  dnnKnobTypeType = 9,
  dnnPointwiseModeType = 14,
  dnnDescriptorType = 15,
  dnnReductionOperatorType = 18,
  dnnCharType = 24,
};

/// cudnnBackendAttributeName_t
enum : int {
  dnnPointwiseMode = 0,
  dnnPointwisePrecision = 1,
  dnnPointwiseAxis = 9,
  dnnHeuristicsMode = 200,
  dnnHeuristicsGraph = 201,
  dnnHeuristicsResults = 202,
  dnnHeuristicsDevice = 204,
  dnnConfigEngine = 300,
  dnnConfigKnobs = 302,
  dnnPlanHandle = 400,
  dnnPlanConfig = 401,
  dnnPlanWorkspaceBytes = 402,
  dnnKnobType = 600,
  dnnKnobValue = 601,
  dnnPointwiseDescription = 750,
  dnnPointwiseX = 751,
  dnnPointwiseB = 752,
  dnnPointwiseY = 753,
  dnnPointwiseT = 758,
  dnnGraphHandle = 800,
  dnnGraphOperations = 801,
  dnnTensorAlignment = 900,
  dnnTensorType = 901,
  dnnTensorDimensions = 902,
  dnnTensorStrides = 903,
  dnnTensorId = 906,
  dnnTensorIsVirtual = 907,
  dnnTensorIsByValue = 908,
  dnnPackIds = 1000,
  dnnPackPointers = 1001,
  dnnPackWorkspace = 1003,
  dnnEngineGraph = 1300,
  dnnEngineIndex = 1301,
  dnnEngineDevice = 1307,
  dnnMatmulPrecision = 1500,
  dnnMatmulA = 1520,
  dnnMatmulB = 1521,
  dnnMatmulC = 1522,
  dnnMatmulDescription = 1523,
  dnnReductionOperator = 1600,
  dnnReductionPrecision = 1601,
  dnnReductionX = 1610,
  dnnReductionY = 1611,
  dnnReductionDescription = 1612,
  dnnReshapeX = 2200,
  dnnReshapeY = 2201,
  dnnDeviceJson = 2702,
};

/// cudnnDataType_t, cudnnPointwiseMode_t, cudnnReduceTensorOp_t,
/// cudnnBackendHeurMode_t and cudnnBackendKnobType_t
enum : int {
  dnnFloat = 0,
  dnnHalf = 2,
  dnnInt32 = 4,
  dnnBFloat16 = 9,
  dnnBoolean = 11,
  dnnAdd = 0,
  dnnMultiply = 1,
  dnnDivide = 6,
  dnnSubtract = 9,
  dnnExp = 13,
  dnnLog = 15,
  dnnIdentity = 21,
  dnnGreaterOrEqual = 303,
  dnnGenerateIndex = 501,
  dnnSelect = 601,
  dnnReduceAdd = 0,
  dnnReduceMax = 3,
  dnnHeuristicsA = 3,
  dnnKnobStages = 14,
  dnnKnobKernel = 24,
  dnnKnobClusterM = 27,
  dnnKnobStreamK = 38,
  dnnKnobTileM = 40,
  dnnKnobTileN = 41,
};

//===----------------------------------------------------------------------===//
// cuSOLVER
//===----------------------------------------------------------------------===//

using SolverStatus = int;
using SolverHandle = struct cusolverDnContext *;
using SolverParameters = struct cusolverDnParams *;

/// cusolverEigMode_t and cublasFillMode_t
enum : int {
  solverSuccess = 0,
  solverNotInitialized = 1,
  solverInvalidValue = 3,
  solverWithVectors = 1,
  solverUpper = 1,
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
