//===- AccessesTest.cpp - Races and shared memory of the emulator ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulatedCode.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <array>

using namespace boost_emu;
using testing::AllOf;
using testing::Each;
using testing::HasSubstr;

namespace {

/// `%own` and `%next` are the words of the thread and of the one after it, of
/// 64 and of one more, in shared memory; `%theirs` is `%next` in global memory
/// and `%mine` that of the thread.
std::string getKernel(const std::string &body) {
  return R"(
    @s = internal addrspace(3) global [65 x i32] undef, align 16
    @d = external addrspace(3) global [0 x i8], align 16
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
    declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
    declare void @llvm.nvvm.bar.warp.sync(i32)
    declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
    declare void @llvm.memcpy.p3.p0.i64(ptr addrspace(3), ptr, i64, i1)
    define ptx_kernel void @k(ptr %out) {
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
      %n = add i32 %t, 1
      %own = getelementptr i32, ptr addrspace(3) @s, i32 %t
      %next = getelementptr i32, ptr addrspace(3) @s, i32 %n
      %mine = getelementptr i32, ptr %out, i32 %t
      %theirs = getelementptr i32, ptr %out, i32 %n
  )" + body +
         "ret void }";
}

constexpr uint32_t kThreads = 64;

struct Result {
  std::string error;
  std::vector<uint32_t> out;
};

Result runBody(const std::string &body, Launch launch = {},
               bool checkAccesses = true) {
  Result result;
  result.out.assign(kThreads + 1, 5);
  launch.block.x = kThreads;
  result.error =
      runText(getKernel(body), launch, {result.out.data()}, checkAccesses);
  return result;
}

Result runBlocks(const std::string &body) {
  Launch launch;
  launch.grid.x = 2;
  return runBody(body, launch);
}

constexpr const char *kBarrier =
    "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n";
constexpr const char *kWarpBarrier =
    "call void @llvm.nvvm.bar.warp.sync(i32 -1)\n";
constexpr const char *kShuffle = "%v = call i32 @llvm.nvvm.shfl.sync.idx.i32("
                                 "i32 -1, i32 %t, i32 0, i32 31)\n";
constexpr const char *kWriteOwn = "store i32 %t, ptr addrspace(3) %own\n";
constexpr const char *kReadNext = "%x = load i32, ptr addrspace(3) %next\n";
constexpr const char *kReadOwn = "%y = load i32, ptr addrspace(3) %own\n";
/// A warp's last thread keeps out of the next warp.
constexpr const char *kReadNextOfWarp = R"(
      %clipped = and i32 %n, 31
      %warp = and i32 %t, 32
      %at = or i32 %clipped, %warp
      %near = getelementptr i32, ptr addrspace(3) @s, i32 %at
      %z = load i32, ptr addrspace(3) %near
  )";

std::string join(std::initializer_list<const char *> parts) {
  std::string text;
  for (const char *part : parts)
    text += part;
  return text;
}

//===----------------------------------------------------------------------===//
// In a block
//===----------------------------------------------------------------------===//

TEST(Race, of_a_read_with_a_write) {
  EXPECT_THAT(
      runBody(join({kWriteOwn, kReadNext})).error,
      AllOf(HasSubstr("kernel 'k', block (0,0,0), thread (1,0,0): race: its "
                      "write of 4 bytes at offset 4 of shared buffer 0"),
            HasSubstr("a read by another thread since the last barrier")));
  Launch reversed;
  reversed.order = ThreadOrder::Reverse;
  EXPECT_THAT(runBody(join({kWriteOwn, kReadNext}), reversed).error,
              AllOf(HasSubstr("thread (62,0,0): race: its read"),
                    HasSubstr("a write by another thread")));
}

TEST(Race, is_none_after_a_barrier) {
  EXPECT_EQ(runBody(join({kWriteOwn, kBarrier, kReadNext})).error, "");
  EXPECT_EQ(runBody(join({kWriteOwn, kReadOwn})).error, "");
  EXPECT_EQ(runBody(join({kReadNext, kReadOwn})).error, "");
}

TEST(Race, of_writes) {
  EXPECT_THAT(runBody("store i32 1, ptr addrspace(3) @s\n").error,
              AllOf(HasSubstr("thread (1,0,0): race: its write"),
                    HasSubstr("a write by another thread")));
}

/// Two threads read a byte, and one of them then writes it.
TEST(Race, of_a_writer_that_has_read) {
  std::string body = join({kReadNext, kReadOwn, kWriteOwn});
  EXPECT_THAT(runBody(body).error,
              HasSubstr("a read by another thread since the last barrier"));
  body = join({kReadNext, kReadOwn, kBarrier, kWriteOwn});
  EXPECT_EQ(runBody(body).error, "");
}

TEST(Race, of_parts_of_words) {
  EXPECT_THAT(runBody(R"(
      %half = getelementptr i8, ptr addrspace(3) %own, i32 2
      store i16 1, ptr addrspace(3) %own
      store i16 1, ptr addrspace(3) %half
  )")
                  .error,
              "");
  EXPECT_THAT(runBody(R"(
      %half = getelementptr i8, ptr addrspace(3) %own, i32 2
      store i16 1, ptr addrspace(3) %own
      store i32 1, ptr addrspace(3) %half, align 2
  )")
                  .error,
              HasSubstr("race"));
}

TEST(Race, in_global_memory) {
  EXPECT_THAT(
      runBody("store i32 1, ptr %mine\n%x = load i32, ptr %theirs\n").error,
      AllOf(HasSubstr("race"), HasSubstr("global address")));
}

TEST(Race, of_copies) {
  EXPECT_THAT(runBody("call void @llvm.memcpy.p3.p0.i64(ptr addrspace(3) %own, "
                      "ptr %mine, i64 8, i1 false)\n")
                  .error,
              HasSubstr("its write of 8 bytes"));
}

TEST(Race, within_a_warp_ends_at_its_barrier) {
  EXPECT_EQ(runBody(join({kWriteOwn, kWarpBarrier, kReadNextOfWarp})).error,
            "");
  EXPECT_THAT(runBody(join({kWriteOwn, kReadNextOfWarp})).error,
              HasSubstr("race"));
  // Others do not see that barrier.
  EXPECT_THAT(runBody(join({kWriteOwn, kWarpBarrier, kReadNext})).error,
              HasSubstr("race"));
  // Shuffles order nothing.
  EXPECT_THAT(runBody(join({kWriteOwn, kShuffle, kReadNextOfWarp})).error,
              HasSubstr("race"));
}

TEST(Race, is_none_between_atomic_operations) {
  constexpr const char *add = "%a = atomicrmw add ptr %out, i32 2 "
                              "syncscope(\"device\") monotonic\n";
  Result result = runBlocks(add);
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.out[0], 5 + 2 * 2 * kThreads);
  EXPECT_THAT(runBody(join({add, "%x = load i32, ptr %out\n"})).error,
              AllOf(HasSubstr("its atomic operation"), HasSubstr("a read")));
  EXPECT_THAT(runBody(join({add, kBarrier, "%x = load i32, ptr %out\n"})).error,
              "");
}

/// A stack serves a thread of each block.
TEST(Race, is_none_on_the_stack) {
  EXPECT_EQ(runBlocks(R"(
      %stack = alloca i32
      store i32 %t, ptr %stack
      call void @escape(ptr %stack)
      ret void
    }
    define void @escape(ptr %p) noinline {
      %old = load i32, ptr %p
      %new = add i32 %old, 1
      store i32 %new, ptr %p
  )")
                .error,
            "");
}

/// Thread `thread` reads or writes the first word, the others one each.
std::string touchFirst(int thread, const std::string &step, bool isWrite) {
  return "%is" + step + " = icmp eq i32 %t, " + std::to_string(thread) +
         "\n%p" + step + " = select i1 %is" + step +
         ", ptr addrspace(3) @s, ptr addrspace(3) %next\n" +
         (isWrite ? "store i32 1, ptr addrspace(3) %p" + step
                  : "%v" + step + " = load i32, ptr addrspace(3) %p" + step) +
         "\n";
}

/// `first` and then `second` read what `writer` writes; the shuffles order
/// nothing, but let the others come first.
std::string readAndWrite(int first, const std::string &between, int second,
                         int writer) {
  std::string shuffle = kShuffle;
  std::string again = "%w" + shuffle.substr(2);
  return touchFirst(first, "a", false) + shuffle + between +
         touchFirst(second, "b", false) + again + touchFirst(writer, "c", true);
}

TEST(Race, of_a_write_with_any_read_before) {
  for (auto [first, second, writer] :
       {std::array{0, 32, 0}, {0, 32, 32}, {0, 1, 1}, {0, 1, 0}, {0, 1, 2}})
    EXPECT_THAT(runBody(readAndWrite(first, "", second, writer)).error,
                HasSubstr("a read by another thread"))
        << first << " " << second << " " << writer;
  EXPECT_EQ(runBody(readAndWrite(7, "", 7, 7)).error, "");
  // The barrier orders the first read only.
  for (auto [first, second, writer] :
       {std::array{0, 0, 1}, {0, 1, 2}, {0, 32, 1}, {40, 0, 0}})
    EXPECT_THAT(
        runBody(readAndWrite(first, kWarpBarrier, second, writer)).error,
        HasSubstr("a read by another thread"))
        << first << " " << second << " " << writer;
  EXPECT_EQ(runBody(readAndWrite(0, kWarpBarrier, 1, 1)).error, "");
}

//===----------------------------------------------------------------------===//
// Between blocks
//===----------------------------------------------------------------------===//

TEST(BlockRace, of_a_read_with_a_write) {
  EXPECT_THAT(runBlocks("store i32 1, ptr %mine\n").error,
              AllOf(HasSubstr("block (1,0,0), thread (0,0,0): race: its write"),
                    HasSubstr("a write by another block")));
  EXPECT_THAT(runBlocks(R"(
      %isFirst = icmp eq i32 %b, 0
      br i1 %isFirst, label %write, label %read
    write:
      store i32 1, ptr %mine
      ret void
    read:
      %x = load i32, ptr %mine
  )")
                  .error,
              AllOf(HasSubstr("block (1,0,0), thread (0,0,0): race: its read"),
                    HasSubstr("a write by another block")));
}

/// The writer's own read must not hide the other block's.
TEST(BlockRace, of_a_writer_that_has_read) {
  EXPECT_THAT(
      runBlocks(R"(
      %x = load i32, ptr %mine
      %isFirst = icmp eq i32 %b, 0
      br i1 %isFirst, label %end, label %write
    write:
      store i32 1, ptr %mine
      br label %end
    end:
  )")
          .error,
      AllOf(HasSubstr("block (1,0,0)"), HasSubstr("a read by another block")));
}

TEST(BlockRace, is_none_in_shared_memory) {
  EXPECT_EQ(runBlocks(join({kWriteOwn, kBarrier, kReadNext})).error, "");
}

TEST(BlockRace, is_none_between_launches) {
  EXPECT_EQ(runBody("store i32 1, ptr %mine\n").error, "");
  EXPECT_EQ(runBody("store i32 1, ptr %mine\n").error, "");
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

TEST(SharedMemory, is_poisoned_for_each_block) {
  std::vector<uint32_t> out =
      runBody(
          "%x = load i32, ptr addrspace(3) %own\nstore i32 1, ptr "
          "addrspace(3) %own\nstore i32 %x, ptr %mine\n",
          [] {
            Launch launch;
            launch.grid.x = 2;
            return launch;
          }(),
          /*checkAccesses=*/false)
          .out;
  out.pop_back();
  EXPECT_THAT(out, Each(0xffffffffu));
}

constexpr const char *kUseDynamic = R"(
      %slot = getelementptr i32, ptr addrspace(3) @d, i32 %t
      %poison = load i32, ptr addrspace(3) %slot
      store i32 %t, ptr addrspace(3) %slot
      %x = load i32, ptr addrspace(3) %slot
      %sum = add i32 %x, %poison
      store i32 %sum, ptr %mine
)";

TEST(SharedMemory, may_be_dynamic) {
  Launch launch;
  launch.dynamicSharedBytes = 4 * kThreads;
  Result result = runBody(kUseDynamic, launch);
  EXPECT_EQ(result.error, "");
  for (uint32_t i = 0; i < kThreads; ++i)
    EXPECT_EQ(result.out[i], i - 1);
}

TEST(SharedMemory, that_is_dynamic_ends_somewhere) {
  Launch launch;
  launch.dynamicSharedBytes = 4 * kThreads - 4;
  EXPECT_THAT(runBody(kUseDynamic, launch, /*checkAccesses=*/false).error,
              HasSubstr("written behind its dynamic shared memory"));
}

} // namespace
