//===- DriverTest.cpp - The emulated driver is late and strict ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulatedGPU.h"
#include "common/Failure.h"
#include "cuda/Kernels.h"
#include "cuda/RecordedFunction.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <vector>

using namespace boost_rt;
using namespace boost_rt::vendor;
using ::testing::HasSubstr;

namespace {

class Driver : public ::testing::Test {
protected:
  EmulatedGPU emulated;
  GPU &gpu = emulated.open();
  char *memory = emulated.memory;

  DevicePointer at(int64_t offset) {
    return reinterpret_cast<DevicePointer>(memory + offset);
  }
  std::vector<char> read(int64_t offset, int64_t bytes) {
    std::vector<char> values(static_cast<size_t>(bytes));
    gpu.copyToHost(values.data(), memory + offset, bytes);
    return values;
  }
  static std::string messageOf(const std::function<void()> &work) {
    try {
      work();
    } catch (const Failure &failure) {
      return failure.what();
    }
    return "";
  }
};

} // namespace

TEST_F(Driver, copies_between_host_and_device) {
  std::vector<char> values = {1, 2, 3, 4};
  gpu.copyToDevice(memory + 100, values.data(), 4);
  gpu.copy(memory + 200, memory + 101, 3);
  EXPECT_EQ(read(200, 3), std::vector<char>({2, 3, 4}));
  gpu.fill(memory + 201, 9, 1);
  EXPECT_EQ(read(200, 3), std::vector<char>({2, 9, 4}));
}

TEST_F(Driver, fills_new_memory_with_numbers_that_show) {
  EXPECT_EQ(read(0, 2), std::vector<char>({-1, -1}));
}

TEST_F(Driver, reads_the_host_no_earlier_than_it_must) {
  char value = 1;
  functions().cuMemcpyHtoDAsync_v2(at(0), &value, 1, gpu.getStream());
  value = 2;
  gpu.synchronize();
  EXPECT_EQ(read(0, 1), std::vector<char>({2}));
}

TEST_F(Driver, is_busy_before_it_is_done) {
  gpu.fill(memory, 1, 1);
  EXPECT_EQ(functions().cuStreamQuery(gpu.getStream()), cudaNotReady);
  int waits = 0;
  gpu.fill(memory, 2, 1);
  gpu.synchronize([&] { ++waits; });
  EXPECT_EQ(read(0, 1), std::vector<char>({2}));
}

TEST_F(Driver, keeps_the_host_out_of_device_memory) {
  EXPECT_DEATH(memory[8] = 1,
               "the host touches device memory at byte 8 of an allocation");
}

TEST_F(Driver, refuses_what_was_not_allocated) {
  gpu.fill(memory + EmulatedGPU::bytes - 4, 0, 8);
  EXPECT_THAT(messageOf([&] { gpu.synchronize(); }),
              HasSubstr("cannot run the program on the GPU"));
  // As on a GPU, the error stays: nothing else runs.
  EXPECT_NE(functions().cuMemsetD8Async(at(0), 0, 1, gpu.getStream()),
            cudaSuccess);
}

TEST_F(Driver, replays_what_was_recorded_with_its_counters) {
  RunRecord record(2);
  record.countCollective(0, 5);
  RecordedFunction recorded;
  recorded.recordCalls(gpu, record, [&] {
    gpu.fill(memory, 7, 1);
    gpu.copy(memory + 1, memory, 1);
    record.countCollective(0, 10);
    record.countCollective(1, 3);
    record.countCollective(9, 1);
  });
  EXPECT_TRUE(recorded.isRecorded());
  EXPECT_EQ(read(0, 2), std::vector<char>({-1, -1})) << "recording runs";
  EXPECT_EQ(record.sites[0].executions, 1);
  EXPECT_EQ(record.unplanned.executions, 0);
  recorded.replay(gpu, record);
  recorded.replay(gpu, record);
  EXPECT_EQ(read(0, 2), std::vector<char>({7, 7}));
  EXPECT_EQ(record.sites[0].executions, 3);
  EXPECT_EQ(record.sites[0].bytes, 25);
  EXPECT_EQ(record.sites[1].bytes, 6);
  EXPECT_EQ(record.unplanned.executions, 2);
}

TEST_F(Driver, gives_back_what_was_recorded) {
  static int destroyed = 0;
  static auto *const destroy = functions().cuGraphExecDestroy;
  const_cast<Functions &>(functions()).cuGraphExecDestroy =
      [](CudaGraphExec graph) {
        ++destroyed;
        return destroy(graph);
      };
  RunRecord record(0);
  {
    RecordedFunction recorded, unused;
    recorded.recordCalls(gpu, record, [&] { gpu.fill(memory, 7, 1); });
  }
  EXPECT_EQ(destroyed, 1);
}

TEST_F(Driver, refuses_to_record_what_a_capture_forbids) {
  const std::function<void()> forbidden[] = {
      [&] { functions().cuStreamSynchronize(gpu.getStream()); },
      [&] { functions().cuStreamQuery(gpu.getStream()); },
      [&] {
        DevicePointer pointer;
        functions().cuMemAlloc_v2(&pointer, 16);
      },
      [&] {
        void *pointer;
        functions().cuMemHostAlloc(&pointer, 16, 0);
      },
      [&] {
        CudaModule module;
        functions().cuModuleLoadData(&module, "");
      }};
  for (const auto &call : forbidden) {
    RunRecord record(0);
    RecordedFunction recorded;
    EXPECT_THAT(
        messageOf([&] { recorded.recordCalls(gpu, record, call); }),
        HasSubstr("operation failed due to a previous error during capture"));
  }
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

static CudaResult tellNothing(CudaResult, const char **) { return cudaSuccess; }
static CudaResult refuseToTell(CudaResult, const char **text) {
  *text = "nonsense";
  return cudaInvalidValue;
}

TEST_F(Driver, results_are_described_as_far_as_it_knows_them) {
  EXPECT_EQ(describe(cudaNotFound), "named symbol not found (500)");
  auto &driver = const_cast<Functions &>(functions());
  // Drivers: a newer one, an older one, and none.
  for (auto *describes :
       {tellNothing, refuseToTell, decltype(&tellNothing)()}) {
    driver.cuGetErrorString = describes;
    EXPECT_EQ(describe(cudaNotFound), "unknown error (500)");
  }
}

TEST_F(Driver, failures_say_what_was_to_be_done) {
  EXPECT_EQ(messageOf([] { check(cudaSuccess, "dance"); }), "");
  EXPECT_EQ(messageOf([] { check(cudaNotFound, "dance"); }),
            "cannot dance on the GPU: named symbol not found (500)");
  for (auto [result, code] : {std::pair{cudaNotFound, ExitCode::inputRefused},
                              {cudaOutOfMemory, ExitCode::infeasible}})
    try {
      check(result, "dance");
    } catch (const Failure &failure) {
      EXPECT_EQ(failure.code, code);
    }
  checkInStep(cudaSuccess, "dance");
  checkBlas(blasSuccess, "dance");
  checkNccl(ncclSuccess, "dance");
  EXPECT_DEATH(checkInStep(cudaNotFound, "dance"),
               "cannot dance on the GPU: named symbol not found");
  EXPECT_DEATH(checkBlas(blasNotSupported, "dance"),
               "cannot dance on the GPU: cublasLt returned 15");
  EXPECT_DEATH(checkNccl(ncclInProgress, "dance"),
               "cannot dance on the GPU: NCCL returned 7");
}

/// The refusal to open a GPU.
static std::string refusalOf(const char *variable, const char *value) {
  ::setenv(variable, value, 1);
  std::string message;
  try {
    GPU gpu;
  } catch (const Failure &failure) {
    message = failure.what();
  }
  ::unsetenv(variable);
  return message;
}

TEST_F(Driver, is_one_that_the_environment_names) {
  EXPECT_TRUE(isEmulated());
  EXPECT_THAT(refusalOf("BOOST_CUDA_EMULATOR", "/no/such/library.so"),
              HasSubstr("BOOST_CUDA_EMULATOR: /no/such/library.so: "));
  EXPECT_FALSE(isEmulated());
  EXPECT_THAT(
      refusalOf("BOOST_CUDA_EMULATOR", "libm.so.6"),
      HasSubstr("the NVIDIA driver of this machine has no function cu"));
}

TEST_F(Driver, old_ones_and_those_without_a_GPU_are_refused) {
  EXPECT_THAT(refusalOf("BOOST_EMULATOR_DEVICES", "0"),
              HasSubstr("the driver finds none"));
  EXPECT_EQ(refusalOf("BOOST_EMULATOR_DEVICES", "1"), "");
  EXPECT_THAT(refusalOf("BOOST_EMULATOR_DRIVER", "11080"),
              HasSubstr("needs a driver for CUDA 12.0 or later, but this "
                        "machine's is for CUDA 11.8;"));
  EXPECT_EQ(refusalOf("BOOST_EMULATOR_DRIVER", "12000"), "");
}

//===----------------------------------------------------------------------===//
// Images
//===----------------------------------------------------------------------===//

static int64_t chosen(std::vector<int64_t> architectures, int64_t gpu) {
  std::vector<boost_rt_device_image> images;
  for (int64_t architecture : architectures)
    images.push_back({architecture, "", 1});
  images.push_back({0, nullptr, 0});
  const boost_rt_device_image *image = chooseImage(images.data(), gpu);
  return image ? image->architecture : -1;
}

TEST(Images, the_latest_that_a_GPU_runs_is_chosen) {
  EXPECT_EQ(chosen({80, 90}, 80), 80);
  EXPECT_EQ(chosen({80, 90}, 89), 80);
  EXPECT_EQ(chosen({90, 80}, 90), 90);
  EXPECT_EQ(chosen({80, 90}, 120), 90);
  EXPECT_EQ(chosen({80, 90}, 75), -1);
  EXPECT_EQ(chosen({86, 87}, 90), 87);
}

TEST(Images, the_emulator_takes_its_own_and_nothing_else_does) {
  EXPECT_EQ(chosen({80, 90, 0}, 0), 0);
  EXPECT_EQ(chosen({80, 90}, 0), -1);
  EXPECT_EQ(chosen({0}, 90), -1);
}

TEST_F(Driver, programs_without_code_for_it_are_refused) {
  const boost_rt_device_image none[] = {{0, nullptr, 0}};
  const boost_rt_device_image real[] = {{90, "", 1}, {0, nullptr, 0}};
  EXPECT_EQ(messageOf([&] { Kernels(gpu, none, none); }), "");
  EXPECT_THAT(
      messageOf([&] { Kernels(gpu, none, real); }),
      HasSubstr("compile the program with boost-test-compile --emulatable"));
}
