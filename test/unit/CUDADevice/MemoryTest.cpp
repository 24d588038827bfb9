//===- MemoryTest.cpp - The arena and constants in device memory ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulatedGPU.h"
#include "common/Failure.h"
#include "gtest/gtest.h"

using namespace boost_rt;

namespace {

constexpr int64_t arenaBytes = 1000;
constexpr char unknown[] = "neither in the arena nor a constant";

class CUDAMemory : public ::testing::Test {
protected:
  static constexpr boost_program_function functions[] = {{nullptr, nullptr}};

  CUDAMemory()
      : program(R"({"format": 1, "name": "memory", "arena_bytes": 1000,
                    "mesh": [{"name": "tp", "size": 1}], "tensors": [],
                    "workspace": {"offset": 256, "bytes": 512},
                    "functions": {}})",
                functions) {
    // Death tests want no other thread.
    ::setenv("OPENBLAS_NUM_THREADS", "1", 1);
    ::setenv("BOOST_CUDA_EMULATOR", BOOST_CUDA_EMULATOR_LIBRARY, 1);
    gpu = std::make_unique<GPU>();
  }

  DeviceMemory place(std::vector<boost_rt_constant> table) {
    table.push_back({nullptr, 0});
    return {*gpu, program.stages[0], table.data()};
  }
  static char *resolve(const DeviceMemory &memory, const void *pointer) {
    return static_cast<char *>(memory.resolve(const_cast<void *>(pointer)));
  }
  std::string read(const char *data, int64_t bytes) {
    std::string text(static_cast<size_t>(bytes), '?');
    gpu->copyToHost(text.data(), data, bytes);
    return text;
  }

  Program program;
  std::unique_ptr<GPU> gpu;
  const char text[13] = "some letters";
};

TEST_F(CUDAMemory, addresses_in_the_arena_stay) {
  DeviceMemory memory = place({});
  EXPECT_EQ(memory.arenaBytes(), arenaBytes);
  char *arena = memory.arena();
  for (char *address :
       {arena, arena + arenaBytes - 1, static_cast<char *>(nullptr)})
    EXPECT_EQ(resolve(memory, address), address);
  EXPECT_DEATH(resolve(memory, arena - 1), unknown);
  EXPECT_DEATH(resolve(memory, arena + arenaBytes), unknown);
  EXPECT_DEATH(resolve(memory, text), unknown) << "there are no constants";
}

TEST_F(CUDAMemory, constants_are_copied_behind_the_arena) {
  // "tters", "me le" and nothing, which is at an address, too.
  DeviceMemory memory = place({{text + 7, 5}, {text + 2, 5}, {text + 12, 0}});
  EXPECT_EQ(read(resolve(memory, text + 2), 5), "me le");
  EXPECT_EQ(read(resolve(memory, text + 6), 1), "e");
  EXPECT_EQ(read(resolve(memory, text + 7), 5), "tters");
  EXPECT_EQ(read(resolve(memory, text + 11), 1), "s");
  for (int offset : {2, 7, 12}) {
    char *address = resolve(memory, text + offset);
    EXPECT_GE(address, memory.arena() + arenaBytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(address) % 256, 0u);
  }
  EXPECT_DEATH(resolve(memory, text + 1), unknown);
  EXPECT_DEATH(resolve(memory, text + 13), unknown);
}

TEST_F(CUDAMemory, the_end_of_a_constant_belongs_to_none) {
  DeviceMemory memory = place({{text + 1, 3}, {text + 6, 2}});
  EXPECT_DEATH(resolve(memory, text + 4), unknown);
  EXPECT_DEATH(resolve(memory, text + 5), unknown);
  EXPECT_DEATH(resolve(memory, text + 8), unknown);
}

TEST_F(CUDAMemory, all_begins_as_zeros_but_constants) {
  DeviceMemory memory = place({{text, 13}});
  EXPECT_EQ(read(memory.arena(), arenaBytes), std::string(arenaBytes, '\0'));
  char *flag = reinterpret_cast<char *>(memory.nonFinite());
  EXPECT_EQ(read(flag, sizeof(int32_t)), std::string(4, '\0'));
  // It is apart from what is in use.
  EXPECT_GE(flag, resolve(memory, text) + 13);
}

TEST_F(CUDAMemory, the_workspace_is_a_part_of_the_arena) {
  Workspace workspace = place({}).workspace();
  EXPECT_EQ(workspace.bytes, 512);
  EXPECT_EQ(workspace.take(512), workspace.data);
  EXPECT_DEATH(workspace.take(513),
               "a call needs a workspace of 513 bytes, but "
               "the program has one of 512");
}

TEST_F(CUDAMemory, the_workspace_is_where_the_program_says) {
  DeviceMemory memory = place({});
  EXPECT_EQ(memory.workspace().data, memory.arena() + 256);
}

// The emulator refuses to free what is not allocated.
TEST_F(CUDAMemory, goes_with_the_GPU) {
  auto address =
      reinterpret_cast<vendor::DevicePointer>(gpu->allocate(16, "the test"));
  gpu.reset();
  EXPECT_EQ(vendor::functions().cuMemFree_v2(address),
            vendor::cudaInvalidValue);
}

TEST_F(CUDAMemory, that_there_is_too_little_of_is_refused) {
  auto &driver = const_cast<vendor::Functions &>(vendor::functions());
  driver.cuMemGetInfo_v2 = [](size_t *available, size_t *total) {
    *available = 5;
    *total = 7;
    return vendor::cudaSuccess + 0;
  };
  try {
    gpu->allocate(int64_t(1) << 41, "this program");
    FAIL() << "more than the emulator has";
  } catch (const Failure &failure) {
    EXPECT_EQ(failure.code, ExitCode::infeasible);
    EXPECT_NE(std::string(failure.what())
                  .find("this program needs 2199023255552 bytes, but an "
                        "emulated GPU has 5 of 7 bytes left"),
              std::string::npos)
        << failure.what();
  }
}

} // namespace
