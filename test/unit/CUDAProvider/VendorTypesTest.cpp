//===- VendorTypesTest.cpp - Our declarations and the vendor's ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares VendorTypes.h and VendorFunctions.def with the headers that this
// machine has.
//
//===----------------------------------------------------------------------===//

#include <gtest/gtest.h>
#include <type_traits>

#if __has_include(<cuda.h>)
#include <cuda.h>
#define HAS_CUDA
#endif
#if __has_include(<cublasLt.h>)
#include <cublasLt.h>
#define HAS_BLAS
#endif
#if __has_include(<cudnn.h>)
#include <cudnn.h>
#define HAS_DNN
#endif
#if __has_include(<cusolverDn.h>)
#include <cusolverDn.h>
#define HAS_SOLVER
#endif
#if __has_include(<nccl.h>)
#include <nccl.h>
#define HAS_NCCL
#endif

// Behind cuda.h, whose macros give new versions of functions old names: a
// member of the table is called as the function that it is compared with.
#include "cuda/Vendor.h"

using namespace boost_rt;

/// Returns how a parameter is passed in machine code; types with equal kinds
/// are compatible.
template <typename T> constexpr int kindOf() {
  if constexpr (std::is_pointer_v<T>)
    return 0;
  else if constexpr (std::is_enum_v<T>)
    return kindOf<std::underlying_type_t<T>>();
  else if constexpr (std::is_integral_v<T>)
    return static_cast<int>(sizeof(T));
  else
    return 100 + static_cast<int>(sizeof(T));
}

template <typename... A, typename... B>
constexpr bool matches(int (*)(A...), int (*)(B...)) {
  if constexpr (sizeof...(A) != sizeof...(B))
    return false;
  else
    return ((kindOf<A>() == kindOf<B>()) && ...);
}

template <typename Result, typename... A>
constexpr auto withoutResult(Result (*)(A...)) {
  return static_cast<int (*)(A...)>(nullptr);
}

#define MATCHES(SYMBOL)                                                        \
  static_assert(                                                               \
      matches(withoutResult(static_cast<decltype(&::SYMBOL)>(nullptr)),        \
              withoutResult(decltype(vendor::Functions::SYMBOL)(nullptr))),    \
      #SYMBOL " has other parameters");

// Versions of functions are macros in cuda.h, under the name without them.
#ifdef HAS_CUDA
#define BOOST_VENDOR_CUDA(SYMBOL, ...) MATCHES(SYMBOL)
#endif
#ifdef HAS_BLAS
#define BOOST_VENDOR_BLAS(SYMBOL, ...) MATCHES(SYMBOL)
#endif
#ifdef HAS_DNN
#define BOOST_VENDOR_DNN(RESULT, SYMBOL, ...) MATCHES(SYMBOL)
#endif
#ifdef HAS_SOLVER
#define BOOST_VENDOR_SOLVER(SYMBOL, ...) MATCHES(SYMBOL)
#endif
#ifdef HAS_NCCL
#define BOOST_VENDOR_NCCL(SYMBOL, ...) MATCHES(SYMBOL)
#endif
#include "cuda/VendorFunctions.def"

#ifdef HAS_CUDA
TEST(VendorTypes, agree_with_the_driver) {
  EXPECT_EQ(vendor::cudaOutOfMemory, CUDA_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(vendor::cudaInvalidValue, CUDA_ERROR_INVALID_VALUE);
  EXPECT_EQ(vendor::cudaNoDevice, CUDA_ERROR_NO_DEVICE);
  EXPECT_EQ(vendor::cudaInvalidImage, CUDA_ERROR_INVALID_IMAGE);
  EXPECT_EQ(vendor::cudaNoBinaryForGPU, CUDA_ERROR_NO_BINARY_FOR_GPU);
  EXPECT_EQ(vendor::cudaNotFound, CUDA_ERROR_NOT_FOUND);
  EXPECT_EQ(vendor::cudaNotReady, CUDA_ERROR_NOT_READY);
  EXPECT_EQ(vendor::deviceComputeCapabilityMajor,
            CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  EXPECT_EQ(vendor::deviceComputeCapabilityMinor,
            CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  EXPECT_EQ(vendor::functionMaxDynamicSharedBytes,
            CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
  EXPECT_EQ(vendor::streamNonBlocking, CU_STREAM_NON_BLOCKING);
  EXPECT_EQ(vendor::captureThreadLocal, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
  EXPECT_EQ(vendor::eventDefault, CU_EVENT_DEFAULT);
}
#endif

#ifdef HAS_BLAS
TEST(VendorTypes, agree_with_cublasLt) {
  EXPECT_EQ(vendor::realF32, CUDA_R_32F);
  EXPECT_EQ(vendor::realF64, CUDA_R_64F);
  EXPECT_EQ(vendor::realF16, CUDA_R_16F);
  EXPECT_EQ(vendor::realBF16, CUDA_R_16BF);
  EXPECT_EQ(vendor::computeF32, CUBLAS_COMPUTE_32F);
  EXPECT_EQ(vendor::computeF64, CUBLAS_COMPUTE_64F);
  EXPECT_EQ(vendor::matmulTransposeA, CUBLASLT_MATMUL_DESC_TRANSA);
  EXPECT_EQ(vendor::matmulTransposeB, CUBLASLT_MATMUL_DESC_TRANSB);
  EXPECT_EQ(vendor::layoutBatchCount, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT);
  EXPECT_EQ(vendor::layoutBatchStride,
            CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET);
  EXPECT_EQ(vendor::preferMaxWorkspaceBytes,
            CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES);
  EXPECT_EQ(vendor::preferMinAlignmentA,
            CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES);
  EXPECT_EQ(vendor::algorithmId, CUBLASLT_ALGO_CONFIG_ID);
  EXPECT_EQ(vendor::algorithmTile, CUBLASLT_ALGO_CONFIG_TILE_ID);
  EXPECT_EQ(vendor::algorithmSplitK, CUBLASLT_ALGO_CONFIG_SPLITK_NUM);
  EXPECT_EQ(vendor::algorithmReduction, CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME);
  EXPECT_EQ(vendor::algorithmStages, CUBLASLT_ALGO_CONFIG_STAGES_ID);
  EXPECT_EQ(vendor::preferMinAlignmentD,
            CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES);
  EXPECT_EQ(vendor::blasNotSupported, CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(sizeof(vendor::MatmulAlgorithm), sizeof(cublasLtMatmulAlgo_t));
  EXPECT_EQ(sizeof(vendor::MatmulChoice),
            sizeof(cublasLtMatmulHeuristicResult_t));
  EXPECT_EQ(offsetof(vendor::MatmulChoice, workspaceBytes),
            offsetof(cublasLtMatmulHeuristicResult_t, workspaceSize));
}
#endif

#ifdef HAS_SOLVER
TEST(VendorTypes, agree_with_cuSOLVER) {
  EXPECT_EQ(vendor::solverSuccess, CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(vendor::solverInvalidValue, CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT_EQ(vendor::solverNotInitialized, CUSOLVER_STATUS_NOT_INITIALIZED);
  EXPECT_EQ(vendor::solverWithVectors, CUSOLVER_EIG_MODE_VECTOR);
  EXPECT_EQ(vendor::solverUpper, CUBLAS_FILL_MODE_UPPER);
}
#endif

#ifdef HAS_DNN
TEST(VendorTypes, agree_with_cuDNN) {
  EXPECT_EQ(static_cast<int>(vendor::dnnSuccess),
            static_cast<int>(CUDNN_STATUS_SUCCESS));
  EXPECT_EQ(static_cast<int>(vendor::dnnNotInitialized),
            static_cast<int>(CUDNN_STATUS_NOT_INITIALIZED));
  EXPECT_EQ(static_cast<int>(vendor::dnnBadParam),
            static_cast<int>(CUDNN_STATUS_BAD_PARAM));
  EXPECT_EQ(static_cast<int>(vendor::dnnNotSupported),
            static_cast<int>(CUDNN_STATUS_NOT_SUPPORTED));
  EXPECT_EQ(static_cast<int>(vendor::dnnPointwise),
            static_cast<int>(CUDNN_BACKEND_POINTWISE_DESCRIPTOR));
  EXPECT_EQ(static_cast<int>(vendor::dnnEngine),
            static_cast<int>(CUDNN_BACKEND_ENGINE_DESCRIPTOR));
  EXPECT_EQ(static_cast<int>(vendor::dnnEngineConfig),
            static_cast<int>(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR));
  EXPECT_EQ(static_cast<int>(vendor::dnnEngineHeuristics),
            static_cast<int>(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR));
  EXPECT_EQ(static_cast<int>(vendor::dnnExecutionPlan),
            static_cast<int>(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR));
  EXPECT_EQ(static_cast<int>(vendor::dnnKnobChoice),
            static_cast<int>(CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR));
  EXPECT_EQ(static_cast<int>(vendor::dnnPointwiseOperation),
            static_cast<int>(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR));
  EXPECT_EQ(static_cast<int>(vendor::dnnOperationGraph),
            static_cast<int>(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR));
  EXPECT_EQ(static_cast<int>(vendor::dnnVariantPack),
            static_cast<int>(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR));
  EXPECT_EQ(static_cast<int>(vendor::dnnTensor),
            static_cast<int>(CUDNN_BACKEND_TENSOR_DESCRIPTOR));
  EXPECT_EQ(static_cast<int>(vendor::dnnMatmul),
            static_cast<int>(CUDNN_BACKEND_MATMUL_DESCRIPTOR));
  EXPECT_EQ(static_cast<int>(vendor::dnnMatmulOperation),
            static_cast<int>(CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR));
  EXPECT_EQ(static_cast<int>(vendor::dnnReduction),
            static_cast<int>(CUDNN_BACKEND_REDUCTION_DESCRIPTOR));
  EXPECT_EQ(static_cast<int>(vendor::dnnReductionOperation),
            static_cast<int>(CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR));
  EXPECT_EQ(static_cast<int>(vendor::dnnReshapeOperation),
            static_cast<int>(CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR));
  EXPECT_EQ(static_cast<int>(vendor::dnnDeviceProperties),
            static_cast<int>(CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR));
  EXPECT_EQ(static_cast<int>(vendor::dnnHandleType),
            static_cast<int>(CUDNN_TYPE_HANDLE));
  EXPECT_EQ(static_cast<int>(vendor::dnnDataTypeType),
            static_cast<int>(CUDNN_TYPE_DATA_TYPE));
  EXPECT_EQ(static_cast<int>(vendor::dnnBooleanType),
            static_cast<int>(CUDNN_TYPE_BOOLEAN));
  EXPECT_EQ(static_cast<int>(vendor::dnnInt64Type),
            static_cast<int>(CUDNN_TYPE_INT64));
  EXPECT_EQ(static_cast<int>(vendor::dnnPointerType),
            static_cast<int>(CUDNN_TYPE_VOID_PTR));
  EXPECT_EQ(static_cast<int>(vendor::dnnHeuristicModeType),
            static_cast<int>(CUDNN_TYPE_HEUR_MODE));
  EXPECT_EQ(static_cast<int>(vendor::dnnKnobTypeType),
            static_cast<int>(CUDNN_TYPE_KNOB_TYPE));
  EXPECT_EQ(static_cast<int>(vendor::dnnPointwiseModeType),
            static_cast<int>(CUDNN_TYPE_POINTWISE_MODE));
  EXPECT_EQ(static_cast<int>(vendor::dnnDescriptorType),
            static_cast<int>(CUDNN_TYPE_BACKEND_DESCRIPTOR));
  EXPECT_EQ(static_cast<int>(vendor::dnnReductionOperatorType),
            static_cast<int>(CUDNN_TYPE_REDUCTION_OPERATOR_TYPE));
  EXPECT_EQ(static_cast<int>(vendor::dnnCharType),
            static_cast<int>(CUDNN_TYPE_CHAR));
  EXPECT_EQ(static_cast<int>(vendor::dnnPointwiseMode),
            static_cast<int>(CUDNN_ATTR_POINTWISE_MODE));
  EXPECT_EQ(static_cast<int>(vendor::dnnPointwisePrecision),
            static_cast<int>(CUDNN_ATTR_POINTWISE_MATH_PREC));
  EXPECT_EQ(static_cast<int>(vendor::dnnPointwiseAxis),
            static_cast<int>(CUDNN_ATTR_POINTWISE_AXIS));
  EXPECT_EQ(static_cast<int>(vendor::dnnHeuristicsMode),
            static_cast<int>(CUDNN_ATTR_ENGINEHEUR_MODE));
  EXPECT_EQ(static_cast<int>(vendor::dnnHeuristicsGraph),
            static_cast<int>(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH));
  EXPECT_EQ(static_cast<int>(vendor::dnnHeuristicsResults),
            static_cast<int>(CUDNN_ATTR_ENGINEHEUR_RESULTS));
  EXPECT_EQ(static_cast<int>(vendor::dnnHeuristicsDevice),
            static_cast<int>(CUDNN_ATTR_ENGINEHEUR_DEVICEPROP));
  EXPECT_EQ(static_cast<int>(vendor::dnnConfigEngine),
            static_cast<int>(CUDNN_ATTR_ENGINECFG_ENGINE));
  EXPECT_EQ(static_cast<int>(vendor::dnnConfigKnobs),
            static_cast<int>(CUDNN_ATTR_ENGINECFG_KNOB_CHOICES));
  EXPECT_EQ(static_cast<int>(vendor::dnnPlanHandle),
            static_cast<int>(CUDNN_ATTR_EXECUTION_PLAN_HANDLE));
  EXPECT_EQ(static_cast<int>(vendor::dnnPlanConfig),
            static_cast<int>(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG));
  EXPECT_EQ(static_cast<int>(vendor::dnnPlanWorkspaceBytes),
            static_cast<int>(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE));
  EXPECT_EQ(static_cast<int>(vendor::dnnKnobType),
            static_cast<int>(CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE));
  EXPECT_EQ(static_cast<int>(vendor::dnnKnobValue),
            static_cast<int>(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE));
  EXPECT_EQ(static_cast<int>(vendor::dnnPointwiseDescription),
            static_cast<int>(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR));
  EXPECT_EQ(static_cast<int>(vendor::dnnPointwiseX),
            static_cast<int>(CUDNN_ATTR_OPERATION_POINTWISE_XDESC));
  EXPECT_EQ(static_cast<int>(vendor::dnnPointwiseB),
            static_cast<int>(CUDNN_ATTR_OPERATION_POINTWISE_BDESC));
  EXPECT_EQ(static_cast<int>(vendor::dnnPointwiseY),
            static_cast<int>(CUDNN_ATTR_OPERATION_POINTWISE_YDESC));
  EXPECT_EQ(static_cast<int>(vendor::dnnPointwiseT),
            static_cast<int>(CUDNN_ATTR_OPERATION_POINTWISE_TDESC));
  EXPECT_EQ(static_cast<int>(vendor::dnnGraphHandle),
            static_cast<int>(CUDNN_ATTR_OPERATIONGRAPH_HANDLE));
  EXPECT_EQ(static_cast<int>(vendor::dnnGraphOperations),
            static_cast<int>(CUDNN_ATTR_OPERATIONGRAPH_OPS));
  EXPECT_EQ(static_cast<int>(vendor::dnnTensorAlignment),
            static_cast<int>(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT));
  EXPECT_EQ(static_cast<int>(vendor::dnnTensorType),
            static_cast<int>(CUDNN_ATTR_TENSOR_DATA_TYPE));
  EXPECT_EQ(static_cast<int>(vendor::dnnTensorDimensions),
            static_cast<int>(CUDNN_ATTR_TENSOR_DIMENSIONS));
  EXPECT_EQ(static_cast<int>(vendor::dnnTensorStrides),
            static_cast<int>(CUDNN_ATTR_TENSOR_STRIDES));
  EXPECT_EQ(static_cast<int>(vendor::dnnTensorId),
            static_cast<int>(CUDNN_ATTR_TENSOR_UNIQUE_ID));
  EXPECT_EQ(static_cast<int>(vendor::dnnTensorIsVirtual),
            static_cast<int>(CUDNN_ATTR_TENSOR_IS_VIRTUAL));
  EXPECT_EQ(static_cast<int>(vendor::dnnTensorIsByValue),
            static_cast<int>(CUDNN_ATTR_TENSOR_IS_BY_VALUE));
  EXPECT_EQ(static_cast<int>(vendor::dnnPackIds),
            static_cast<int>(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS));
  EXPECT_EQ(static_cast<int>(vendor::dnnPackPointers),
            static_cast<int>(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS));
  EXPECT_EQ(static_cast<int>(vendor::dnnPackWorkspace),
            static_cast<int>(CUDNN_ATTR_VARIANT_PACK_WORKSPACE));
  EXPECT_EQ(static_cast<int>(vendor::dnnEngineGraph),
            static_cast<int>(CUDNN_ATTR_ENGINE_OPERATION_GRAPH));
  EXPECT_EQ(static_cast<int>(vendor::dnnEngineIndex),
            static_cast<int>(CUDNN_ATTR_ENGINE_GLOBAL_INDEX));
  EXPECT_EQ(static_cast<int>(vendor::dnnEngineDevice),
            static_cast<int>(CUDNN_ATTR_ENGINE_DEVICEPROP));
  EXPECT_EQ(static_cast<int>(vendor::dnnMatmulPrecision),
            static_cast<int>(CUDNN_ATTR_MATMUL_COMP_TYPE));
  EXPECT_EQ(static_cast<int>(vendor::dnnMatmulA),
            static_cast<int>(CUDNN_ATTR_OPERATION_MATMUL_ADESC));
  EXPECT_EQ(static_cast<int>(vendor::dnnMatmulB),
            static_cast<int>(CUDNN_ATTR_OPERATION_MATMUL_BDESC));
  EXPECT_EQ(static_cast<int>(vendor::dnnMatmulC),
            static_cast<int>(CUDNN_ATTR_OPERATION_MATMUL_CDESC));
  EXPECT_EQ(static_cast<int>(vendor::dnnMatmulDescription),
            static_cast<int>(CUDNN_ATTR_OPERATION_MATMUL_DESC));
  EXPECT_EQ(static_cast<int>(vendor::dnnReductionOperator),
            static_cast<int>(CUDNN_ATTR_REDUCTION_OPERATOR));
  EXPECT_EQ(static_cast<int>(vendor::dnnReductionPrecision),
            static_cast<int>(CUDNN_ATTR_REDUCTION_COMP_TYPE));
  EXPECT_EQ(static_cast<int>(vendor::dnnReductionX),
            static_cast<int>(CUDNN_ATTR_OPERATION_REDUCTION_XDESC));
  EXPECT_EQ(static_cast<int>(vendor::dnnReductionY),
            static_cast<int>(CUDNN_ATTR_OPERATION_REDUCTION_YDESC));
  EXPECT_EQ(static_cast<int>(vendor::dnnReductionDescription),
            static_cast<int>(CUDNN_ATTR_OPERATION_REDUCTION_DESC));
  EXPECT_EQ(static_cast<int>(vendor::dnnReshapeX),
            static_cast<int>(CUDNN_ATTR_OPERATION_RESHAPE_XDESC));
  EXPECT_EQ(static_cast<int>(vendor::dnnReshapeY),
            static_cast<int>(CUDNN_ATTR_OPERATION_RESHAPE_YDESC));
  EXPECT_EQ(static_cast<int>(vendor::dnnDeviceJson),
            static_cast<int>(CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION));
  EXPECT_EQ(static_cast<int>(vendor::dnnFloat),
            static_cast<int>(CUDNN_DATA_FLOAT));
  EXPECT_EQ(static_cast<int>(vendor::dnnHalf),
            static_cast<int>(CUDNN_DATA_HALF));
  EXPECT_EQ(static_cast<int>(vendor::dnnInt32),
            static_cast<int>(CUDNN_DATA_INT32));
  EXPECT_EQ(static_cast<int>(vendor::dnnBFloat16),
            static_cast<int>(CUDNN_DATA_BFLOAT16));
  EXPECT_EQ(static_cast<int>(vendor::dnnBoolean),
            static_cast<int>(CUDNN_DATA_BOOLEAN));
  EXPECT_EQ(static_cast<int>(vendor::dnnAdd),
            static_cast<int>(CUDNN_POINTWISE_ADD));
  EXPECT_EQ(static_cast<int>(vendor::dnnMultiply),
            static_cast<int>(CUDNN_POINTWISE_MUL));
  EXPECT_EQ(static_cast<int>(vendor::dnnDivide),
            static_cast<int>(CUDNN_POINTWISE_DIV));
  EXPECT_EQ(static_cast<int>(vendor::dnnSubtract),
            static_cast<int>(CUDNN_POINTWISE_SUB));
  EXPECT_EQ(static_cast<int>(vendor::dnnExp),
            static_cast<int>(CUDNN_POINTWISE_EXP));
  EXPECT_EQ(static_cast<int>(vendor::dnnLog),
            static_cast<int>(CUDNN_POINTWISE_LOG));
  EXPECT_EQ(static_cast<int>(vendor::dnnIdentity),
            static_cast<int>(CUDNN_POINTWISE_IDENTITY));
  EXPECT_EQ(static_cast<int>(vendor::dnnGreaterOrEqual),
            static_cast<int>(CUDNN_POINTWISE_CMP_GE));
  EXPECT_EQ(static_cast<int>(vendor::dnnGenerateIndex),
            static_cast<int>(CUDNN_POINTWISE_GEN_INDEX));
  EXPECT_EQ(static_cast<int>(vendor::dnnSelect),
            static_cast<int>(CUDNN_POINTWISE_BINARY_SELECT));
  EXPECT_EQ(static_cast<int>(vendor::dnnReduceAdd),
            static_cast<int>(CUDNN_REDUCE_TENSOR_ADD));
  EXPECT_EQ(static_cast<int>(vendor::dnnReduceMax),
            static_cast<int>(CUDNN_REDUCE_TENSOR_MAX));
  EXPECT_EQ(static_cast<int>(vendor::dnnHeuristicsA),
            static_cast<int>(CUDNN_HEUR_MODE_A));
  EXPECT_EQ(static_cast<int>(vendor::dnnKnobStages),
            static_cast<int>(CUDNN_KNOB_TYPE_STAGES));
  EXPECT_EQ(static_cast<int>(vendor::dnnKnobKernel),
            static_cast<int>(CUDNN_KNOB_TYPE_KERNEL_CFG));
  EXPECT_EQ(static_cast<int>(vendor::dnnKnobClusterM),
            static_cast<int>(CUDNN_KNOB_TYPE_TILE_CGA_M));
  EXPECT_EQ(static_cast<int>(vendor::dnnKnobStreamK),
            static_cast<int>(CUDNN_KNOB_TYPE_STREAM_K));
  EXPECT_EQ(static_cast<int>(vendor::dnnKnobTileM),
            static_cast<int>(CUDNN_KNOB_TYPE_TILE_M));
  EXPECT_EQ(static_cast<int>(vendor::dnnKnobTileN),
            static_cast<int>(CUDNN_KNOB_TYPE_TILE_N));
}
#endif

#ifdef HAS_NCCL
TEST(VendorTypes, agree_with_NCCL) {
  EXPECT_EQ(static_cast<int>(vendor::ncclInt8), static_cast<int>(::ncclInt8));
  EXPECT_EQ(static_cast<int>(vendor::ncclUInt8), static_cast<int>(::ncclUint8));
  EXPECT_EQ(static_cast<int>(vendor::ncclInt32), static_cast<int>(::ncclInt32));
  EXPECT_EQ(static_cast<int>(vendor::ncclInt64), static_cast<int>(::ncclInt64));
  EXPECT_EQ(static_cast<int>(vendor::ncclFloat16),
            static_cast<int>(::ncclFloat16));
  EXPECT_EQ(static_cast<int>(vendor::ncclFloat32),
            static_cast<int>(::ncclFloat32));
  EXPECT_EQ(static_cast<int>(vendor::ncclFloat64),
            static_cast<int>(::ncclFloat64));
  EXPECT_EQ(static_cast<int>(vendor::ncclBFloat16),
            static_cast<int>(::ncclBfloat16));
  EXPECT_EQ(static_cast<int>(vendor::ncclSum), static_cast<int>(::ncclSum));
  EXPECT_EQ(static_cast<int>(vendor::ncclMax), static_cast<int>(::ncclMax));
  EXPECT_EQ(static_cast<int>(vendor::ncclMin), static_cast<int>(::ncclMin));
  EXPECT_EQ(static_cast<int>(vendor::ncclInProgress),
            static_cast<int>(::ncclInProgress));
  EXPECT_EQ(sizeof(vendor::NcclId), sizeof(::ncclUniqueId));
}
#endif
