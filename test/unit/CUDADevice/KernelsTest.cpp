//===- KernelsTest.cpp - What the runtime asks the driver for -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the driver are replaced where the emulator does not answer as
// GPUs may.
//
//===----------------------------------------------------------------------===//

#include "cuda/Kernels.h"
#include "EmulatedGPU.h"
#include "common/Failure.h"
#include "cuda/KernelImages.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace boost_rt;
using namespace boost_rt::vendor;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

namespace {

const boost_rt_device_image none[] = {{0, nullptr, 0}};

class CUDAKernels : public ::testing::Test {
protected:
  CUDAKernels() {
    answer = cudaSuccess;
    launches.clear();
    reserved.clear();
  }

  /// Returns the functions of the driver, which the next GPU uses.
  static Functions &driver() { return const_cast<Functions &>(functions()); }

  std::string refusal() {
    try {
      Kernels(gpu, none, kernelImages());
    } catch (const Failure &failure) {
      EXPECT_EQ(failure.code, ExitCode::inputRefused);
      return failure.what();
    }
    return "";
  }

  EmulatedGPU emulated;
  GPU &gpu = emulated.open();
  inline static CudaResult answer;
  inline static std::vector<std::vector<unsigned>> launches;
  inline static std::vector<int> reserved;
};

TEST_F(CUDAKernels, that_the_driver_does_not_know_need_a_newer_one) {
  driver().cuModuleLoadData = [](CudaModule *, const void *) { return answer; };
  for (CudaResult result : {cudaNoBinaryForGPU, cudaInvalidImage}) {
    answer = result;
    EXPECT_THAT(refusal(),
                HasSubstr("the driver, for CUDA 13.0, cannot load the code of "
                          "the program: "));
    EXPECT_THAT(refusal(), HasSubstr("install a newer driver"));
  }
  answer = cudaNotInitialized;
  EXPECT_THAT(refusal(), HasSubstr("cannot load the kernels on the GPU"));
  EXPECT_THAT(refusal(), Not(HasSubstr("install a newer driver")));
}

TEST_F(CUDAKernels, are_started_with_their_sizes) {
  driver().cuLaunchKernel = [](CudaFunction, unsigned x, unsigned y, unsigned z,
                               unsigned threadsX, unsigned threadsY,
                               unsigned threadsZ, unsigned sharedBytes,
                               CudaStream, void **, void **) {
    launches.push_back({x, y, z, threadsX, threadsY, threadsZ, sharedBytes});
    return cudaSuccess + 0;
  };
  Kernels kernels(gpu, kernelImages(), none);
  kernels.launch("boost_copy_blocks_1", {2, 3, 4}, {5, 6, 7}, 8, nullptr);
  EXPECT_THAT(launches, ElementsAre(ElementsAre(2, 3, 4, 5, 6, 7, 8)));
  // A GPU refuses to start no blocks.
  for (GridSize blocks : {GridSize{0, 1, 1}, {1, 0, 1}, {1, 1, 0}})
    kernels.launch("boost_copy_blocks_1", blocks, {1, 1, 1}, 0, nullptr);
  EXPECT_EQ(launches.size(), 1u);
  kernels.launch("boost_copy_blocks_1", {1, 1, 1}, {1, 1, 1}, 0, nullptr);
  EXPECT_EQ(launches.size(), 2u);
}

TEST_F(CUDAKernels, ask_for_shared_memory_above_48_KiB) {
  driver().cuLaunchKernel = [](CudaFunction, unsigned, unsigned, unsigned,
                               unsigned, unsigned, unsigned, unsigned,
                               CudaStream, void **,
                               void **) { return cudaSuccess + 0; };
  driver().cuFuncSetAttribute = [](CudaFunction, int attribute, int value) {
    EXPECT_EQ(attribute, functionMaxDynamicSharedBytes);
    reserved.push_back(value);
    return cudaSuccess + 0;
  };
  Kernels kernels(gpu, kernelImages(), none);
  for (uint32_t bytes : {0, 48 << 10, (48 << 10) + 1, 99 << 10})
    kernels.launch("boost_copy_blocks_1", {1}, {1}, bytes, nullptr);
  EXPECT_THAT(reserved, ElementsAre((48 << 10) + 1, 99 << 10));
}

TEST_F(CUDAKernels, are_found_once) {
  driver().cuLaunchKernel = [](CudaFunction, unsigned, unsigned, unsigned,
                               unsigned, unsigned, unsigned, unsigned,
                               CudaStream, void **,
                               void **) { return cudaSuccess + 0; };
  static std::vector<std::string> found;
  driver().cuModuleGetFunction = [](CudaFunction *function, CudaModule,
                                    const char *name) {
    found.push_back(name);
    *function = reinterpret_cast<CudaFunction>(found.size());
    return cudaSuccess + 0;
  };
  Kernels kernels(gpu, kernelImages(), none);
  boost_rt_gpu_kernel one = {"one", 1, 1, 0}, other = {"other", 1, 1, 0};
  for (int repetition = 0; repetition < 2; ++repetition) {
    // The address of a literal is not its name.
    std::string name = "boost_copy_blocks_1";
    kernels.launch(name.c_str(), {1}, {1}, 0, nullptr);
    kernels.launch("boost_copy_blocks_2", {1}, {1}, 0, nullptr);
    kernels.launch(one, nullptr);
    kernels.launch(other, nullptr);
  }
  EXPECT_THAT(found, ElementsAre("boost_copy_blocks_1", "boost_copy_blocks_2",
                                 "one", "other"));
}

TEST_F(CUDAKernels, that_there_are_none_of_end_the_process) {
  Kernels kernels(gpu, kernelImages(), none);
  EXPECT_DEATH(kernels.launch("boost_nothing", {1}, {1}, 0, nullptr),
               "cannot find kernel boost_nothing on the GPU");
}

} // namespace
