//===- DeviceTest.cpp - The arena, mappings and graphs of a GPU -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramOnGPU.h"

using namespace boost_rt;

static char read(ProgramOnGPU &gpu, int64_t offset) {
  return gpu.device->map(offset, 1, Access::read).data()[0];
}

TEST(CUDADevice, starts_with_zeros) {
  ProgramOnGPU gpu;
  int64_t bytes = gpu.device->arenaBytes();
  EXPECT_EQ(bytes, ProgramOnGPU::tensorBytes + ProgramOnGPU::workspaceBytes);
  EXPECT_EQ(gpu.device->touchedBytes(), bytes);
  auto mapping = gpu.device->map(0, bytes, Access::read);
  for (int64_t i = 0; i < bytes; ++i)
    ASSERT_EQ(mapping.data()[i], 0) << i;
}

TEST(CUDADevice, fills_the_whole_arena) {
  ProgramOnGPU gpu;
  gpu.device->fill(0x41);
  EXPECT_EQ(read(gpu, 0), 0x41);
  EXPECT_EQ(read(gpu, gpu.device->arenaBytes() - 1), 0x41);
}

TEST(CUDADevice, mappings_write_what_they_promise) {
  ProgramOnGPU gpu;
  gpu.device->fill(3);
  {
    auto one = gpu.device->map(100, 2, Access::write);
    auto other = gpu.device->map(102, 1, Access::write);
    one.data()[0] = 5;
    one.data()[1] = 6;
    other.data()[0] = 7;
  }
  gpu.device->map(110, 3, Access::readWrite).data()[1] = 9;
  gpu.device->map(120, 1, Access::read).data()[0] = 11;
  for (auto [offset, value] : {std::pair{99, 3},
                               {100, 5},
                               {101, 6},
                               {102, 7},
                               {103, 3},
                               {109, 3},
                               {110, 3},
                               {111, 9},
                               {112, 3},
                               {113, 3},
                               {120, 3}})
    EXPECT_EQ(read(gpu, offset), value) << offset;
}

TEST(CUDADevice, functions_do_not_run_while_a_part_is_mapped) {
  ProgramOnGPU gpu;
  {
    auto mapping = gpu.device->map(0, 1, Access::read);
    EXPECT_DEATH(gpu.run([](boost_rt_context *) {}),
                 "while a part of the arena is mapped");
  }
  gpu.run([](boost_rt_context *) {});
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

/// Runs a function three times that doubles a number; returns how often the
/// host made its calls.
static int countCalls(ProgramOnGPU &gpu) {
  static const boost_rt_gpu_kernel kernel = {"double_in_place", 1, 1, 1};
  void *value = gpu.put<float>({3});
  int calls = 0;
  const Function &function = gpu.functionOf([&](boost_rt_context *context) {
    ++calls;
    void *buffers[] = {value};
    boost_rt_launch(context, const_cast<boost_rt_gpu_kernel *>(&kernel),
                    buffers, 1);
  });
  for (int i = 0; i < 3; ++i)
    gpu.run(function);
  gpu.device->synchronize();
  EXPECT_EQ(gpu.get<float>(value, 1)[0], 24);
  return calls;
}

TEST(CUDADevice, the_second_run_is_recorded_and_then_replayed) {
  ProgramOnGPU gpu;
  EXPECT_EQ(countCalls(gpu), 2);
  // Another function is recorded by itself.
  EXPECT_EQ(countCalls(gpu), 2);
}

TEST(CUDADevice, uses_no_graphs_where_none_are_wanted) {
  DeviceOptions options;
  options.graph = false;
  ProgramOnGPU gpu(options);
  EXPECT_EQ(countCalls(gpu), 3);
}

TEST(CUDADevice, uses_no_graphs_while_tensors_are_probed) {
  ProgramOnGPU gpu;
  gpu.record().onProbe = [](int32_t, boost_rt_type, const void *, int64_t) {};
  EXPECT_EQ(countCalls(gpu), 3);
}

// The calls that are recorded have the addresses of one slot in them.
TEST(CUDADevice, each_slot_of_the_stash_is_recorded_by_itself) {
  ProgramOnGPU gpu;
  gpu.program.stages[0].stashOffset = 4096;
  gpu.program.stages[0].slotBytes = 256;
  static const boost_rt_gpu_kernel kernel = {"double_in_place", 1, 1, 1};
  int calls = 0;
  const Function &function = gpu.functionOf(
      [&](boost_rt_context *context) {
        ++calls;
        void *buffers[] = {gpu.lastSlot()};
        boost_rt_launch(context, const_cast<boost_rt_gpu_kernel *>(&kernel),
                        buffers, 1);
      },
      /*usesStash=*/true);
  for (int64_t slot : {0, 1}) {
    auto mapping =
        gpu.device->map(4096 + slot * 256, sizeof(float), Access::write);
    const float value = slot == 0 ? 3 : 5;
    std::memcpy(mapping.data(), &value, sizeof(value));
  }
  for (int i = 0; i < 4; ++i)
    for (int64_t slot : {0, 1})
      gpu.run(function, slot);
  gpu.device->synchronize();
  EXPECT_EQ(calls, 4);
  const char *arena = gpu.lastSlot() - 256 - 4096;
  EXPECT_EQ(gpu.get<float>(arena + 4096, 1)[0], 3 * 16);
  EXPECT_EQ(gpu.get<float>(arena + 4096 + 256, 1)[0], 5 * 16);
}
