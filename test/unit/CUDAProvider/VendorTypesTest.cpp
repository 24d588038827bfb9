//===- VendorTypesTest.cpp - Our declarations and the vendor's ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares VendorTypes.h and VendorFunctions.def with the headers that this
// machine has.
//
//===----------------------------------------------------------------------===//

#include "cuda/Vendor.h"

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
#if __has_include(<nccl.h>)
#include <nccl.h>
#define HAS_NCCL
#endif

using namespace boost_rt;

/// What a parameter is in machine code: two types are the same if they are
/// passed in the same way.
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
