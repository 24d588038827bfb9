//===- DeviceTest.cpp - Tests of the arena and its mappings ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeTest.h"
#include "StagedDevice.h"

#include <cstdlib>

using namespace boost_rt;

namespace {

constexpr int64_t arenaBytes = 1 << 16;

const char manifest[] =
    R"({"format": 1, "name": "device", "mesh": [{"name": "tp", "size": 1}],
        "arena_bytes": 65536, "tensors": [], "functions": {}})";

/// The arena that the function below got last.
char *seenArena = nullptr;

void increment(boost_rt_context *, void *arena, void *) {
  seenArena = static_cast<char *>(arena);
  for (int64_t i = 0; i < arenaBytes; ++i)
    ++seenArena[i];
}

/// Each test holds for both devices.
template <typename DeviceT> class DeviceTest : public ::testing::Test {
protected:
  // Death tests want no other thread.
  static void SetUpTestSuite() { ::setenv("BOOST_NUM_THREADS", "1", 1); }

  DeviceTest()
      : program(manifest, functions),
        communicator(createCommunicator(program.mesh, {"test"})),
        device(program, *communicator) {}

  static constexpr boost_program_function functions[] = {{nullptr, nullptr}};

  char read(int64_t offset) {
    return device.map(offset, 1, Access::read).data()[0];
  }

  Program program;
  std::unique_ptr<Communicator> communicator;
  DeviceT device;
  const Function incrementAll = {{}, {}, increment};
};

using Devices = ::testing::Types<CPUDevice, StagedDevice>;
TYPED_TEST_SUITE(DeviceTest, Devices, );

TYPED_TEST(DeviceTest, startsWithZeros) {
  auto mapping = this->device.map(0, arenaBytes, Access::read);
  for (int64_t i = 0; i < arenaBytes; ++i)
    ASSERT_EQ(mapping.data()[i], 0);
}

TYPED_TEST(DeviceTest, functionsSeeWhatWasWritten) {
  {
    auto one = this->device.map(100, 2, Access::write);
    auto other = this->device.map(102, 1, Access::write);
    one.data()[0] = 5;
    one.data()[1] = 6;
    other.data()[0] = 7;
  }
  this->device.run(this->incrementAll);
  this->device.synchronize();
  EXPECT_EQ(this->read(99), 1);
  EXPECT_EQ(this->read(100), 6);
  EXPECT_EQ(this->read(101), 7);
  EXPECT_EQ(this->read(102), 8);
}

TYPED_TEST(DeviceTest, readWriteKeepsTheRest) {
  this->device.fill(3);
  this->device.map(10, 4, Access::readWrite).data()[1] = 9;
  EXPECT_EQ(this->read(10), 3);
  EXPECT_EQ(this->read(11), 9);
  EXPECT_EQ(this->read(13), 3);
}

TYPED_TEST(DeviceTest, fillsTheWholeArena) {
  this->device.fill(0x41);
  EXPECT_EQ(this->device.arenaBytes(), arenaBytes);
  EXPECT_EQ(this->device.touchedBytes(), arenaBytes);
  EXPECT_EQ(this->read(0), 0x41);
  EXPECT_EQ(this->read(arenaBytes - 1), 0x41);
}

// A launcher may bind a rank to some of the machine's cores.
TEST(ThreadsPerRank, areNoMoreThanTheCoresOfTheRank) {
  std::string set;
  if (const char *text = std::getenv("BOOST_NUM_THREADS"))
    set = text;
  ::unsetenv("BOOST_NUM_THREADS");
  cpu_set_t before, one;
  ASSERT_EQ(::sched_getaffinity(0, sizeof(before), &before), 0);
  int core = 0;
  while (!CPU_ISSET(core, &before))
    ++core;
  CPU_ZERO(&one);
  CPU_SET(core, &one);
  ASSERT_EQ(::sched_setaffinity(0, sizeof(one), &one), 0);
  EXPECT_EQ(threadsPerRank(1), 1);
  ASSERT_EQ(::sched_setaffinity(0, sizeof(before), &before), 0);
  EXPECT_EQ(
      threadsPerRank(1),
      std::min<int64_t>(CPU_COUNT(&before), ::sysconf(_SC_NPROCESSORS_ONLN)));
  EXPECT_EQ(threadsPerRank(1 << 20), 1);
  if (!set.empty())
    ::setenv("BOOST_NUM_THREADS", set.c_str(), 1);
}

TEST(ArenaTest, isTouchedUpToTheLastPageThatWasWritten) {
  const int64_t page = ::sysconf(_SC_PAGESIZE);
  Arena arena(3 * page - 8);
  EXPECT_EQ(arena.touched(), 0);
  arena.data()[page] = 1;
  EXPECT_EQ(arena.touched(), 2 * page);
  arena.data()[2 * page] = 1;
  EXPECT_EQ(arena.touched(), 3 * page - 8);
}

using StagedDeviceTest = DeviceTest<StagedDevice>;

TEST_F(StagedDeviceTest, theHostCannotTouchTheArena) {
  device.run(incrementAll);
  EXPECT_DEATH(std::printf("%d\n", seenArena[0]), "");
  auto mapping = device.map(0, 1, Access::readWrite);
  EXPECT_DEATH(seenArena[0] = 1, "");
}

TEST_F(StagedDeviceTest, promisedBytesThatAreNotWrittenShow) {
  device.map(0, 2, Access::write).data()[0] = 1;
  EXPECT_EQ(read(0), 1);
  EXPECT_EQ(read(1), static_cast<char>(StagedDevice::unwritten));
}

TEST_F(StagedDeviceTest, mappingsAreWatched) {
  auto mapping = device.map(8, 8, Access::read);
  EXPECT_DEATH(device.map(0, 9, Access::read), "two mappings overlap");
  EXPECT_DEATH(device.map(15, 1, Access::read), "two mappings overlap");
  EXPECT_DEATH(device.map(arenaBytes, 1, Access::read), "not in the arena");
  EXPECT_DEATH(device.run(incrementAll), "while a part of the arena is mapped");
}

} // namespace
