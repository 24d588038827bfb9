//===- ThreadsTest.cpp - Threads, barriers and warps of the emulator ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulatedCode.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <numeric>
#include <random>
#include <set>

using namespace boost_emu;
using testing::AllOf;
using testing::Each;
using testing::HasSubstr;

namespace {

constexpr uint32_t kThreads = 96;

Launch getLaunch(ThreadOrder order = ThreadOrder::Forward) {
  Launch launch;
  launch.block.x = kThreads;
  launch.order = order;
  launch.seed = 7;
  return launch;
}

constexpr ThreadOrder kOrders[] = {ThreadOrder::Forward, ThreadOrder::Reverse,
                                   ThreadOrder::Shuffled};

/// `%t` is the thread's index, `%lane` that in its warp.
std::string getKernel(const std::string &body,
                      const std::string &parameters = "ptr %in, ptr %out") {
  return R"(
    @s = internal addrspace(3) global [96 x float] undef, align 4
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
    declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
    declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
    declare void @llvm.nvvm.bar.warp.sync(i32)
    declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32)
    declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
    declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
    declare {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32, i32, i32, i32)
    declare {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32, i32, i32, i32)
    declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
    declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
    declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
    declare i1 @llvm.nvvm.vote.uni.sync(i32, i1)
    define ptx_kernel void @k()" +
         parameters + R"() {
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %lane = and i32 %t, 31
      %mine = getelementptr i32, ptr %out, i32 %t
  )" + body +
         "ret void }";
}

/// out[0] = in[0] + ... + in[95], by one thread.
std::string getReduction(const std::string &barrier) {
  return getKernel(R"(
      %from = getelementptr float, ptr %in, i32 %t
      %x = load float, ptr %from
      %to = getelementptr float, ptr addrspace(3) @s, i32 %t
      store float %x, ptr addrspace(3) %to
  )" + barrier + R"(
      %first = icmp eq i32 %t, 5
      br i1 %first, label %sum, label %end
    sum:
      %i = phi i32 [0, %0], [%next, %sum]
      %acc = phi float [0.0, %0], [%more, %sum]
      %at = getelementptr float, ptr addrspacecast (ptr addrspace(3) @s to ptr), i32 %i
      %y = load float, ptr %at
      %more = fadd float %acc, %y
      %next = add i32 %i, 1
      %again = icmp ult i32 %next, 96
      br i1 %again, label %sum, label %done
    done:
      store float %more, ptr %out
      br label %end
    end:
  )");
}

constexpr const char *kBarrier =
    "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)\n";

/// The sums of one reduction in all orders.
std::vector<float> reduceInAllOrders(const std::string &text,
                                     bool checkAccesses) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::vector<float> in(kThreads), sums;
  for (float &x : in)
    x = uniform(random);
  for (ThreadOrder order : kOrders) {
    float sum = 0;
    EXPECT_EQ(runText(text, getLaunch(order), {in.data(), &sum}, checkAccesses),
              "");
    sums.push_back(sum);
  }
  sums.push_back(std::accumulate(in.begin(), in.end(), 0.0f));
  return sums;
}

/// Returns the output of a kernel without an input.
std::vector<uint32_t> runBody(const std::string &body,
                              uint32_t threads = kThreads,
                              ThreadOrder order = ThreadOrder::Forward) {
  std::vector<uint32_t> out(threads);
  Launch launch = getLaunch(order);
  launch.block.x = threads;
  EXPECT_EQ(runText(getKernel(body, "ptr %out"), launch, {out.data()}), "");
  return out;
}

/// The error of a kernel without an input.
std::string failBody(const std::string &body, uint32_t threads = kThreads) {
  std::vector<uint32_t> out(threads);
  Launch launch = getLaunch();
  launch.block.x = threads;
  return runText(getKernel(body, "ptr %out"), launch, {out.data()});
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

TEST(Threads, know_who_they_are) {
  std::string text, body;
  const char *names[] = {"tid", "ntid", "ctaid", "nctaid"};
  int slot = 0;
  for (std::string name : names)
    for (std::string axis : {"x", "y", "z"}) {
      std::string call = "i32 @llvm.nvvm.read.ptx.sreg." + name + "." + axis;
      text += "declare " + call + "()\n";
      std::string value = name + axis, number = std::to_string(slot++);
      body += "%" + value + " = call " + call + "()\n" + "%p" + number +
              " = getelementptr i32, ptr %out, i64 " + number +
              "\nstore i32 %" + value + ", ptr %p" + number + "\n";
    }
  text += "define ptx_kernel void @k(ptr %out) {\n" + body + "ret void }";
  // The last thread of the last block writes last.
  uint32_t out[12] = {};
  Launch launch;
  launch.grid = {2, 3, 4};
  launch.block = {5, 6, 7};
  EXPECT_EQ(runText(text, launch, {out}), "");
  EXPECT_THAT(out, testing::ElementsAre(4, 5, 6, 5, 6, 7, 1, 2, 3, 2, 3, 4));
  launch.order = ThreadOrder::Reverse;
  EXPECT_EQ(runText(text, launch, {out}), "");
  EXPECT_THAT(out, testing::ElementsAre(0, 0, 0, 5, 6, 7, 0, 0, 0, 2, 3, 4));
}

TEST(Threads, run_in_every_block) {
  std::vector<uint32_t> out(7 * 40);
  Launch launch;
  launch.grid.x = 7;
  launch.block.x = 40;
  EXPECT_EQ(runText(getKernel(R"(
      %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
      %first = mul i32 %block, 40
      %i = add i32 %first, %t
      %to = getelementptr i32, ptr %out, i32 %i
      %old = load i32, ptr %to
      %square = mul i32 %i, %i
      %new = add i32 %old, %square
      store i32 %new, ptr %to
  )",
                              "ptr %out"),
                    launch, {out.data()}, /*checkAccesses=*/true),
            "");
  for (uint32_t i = 0; i < out.size(); ++i)
    EXPECT_EQ(out[i], i * i);
}

TEST(Threads, that_throw_end_the_launch) {
  EXPECT_THROW(runGrid(getLaunch(), [] { throw std::string("body"); }),
               std::string);
  int calls = 0;
  runGrid(getLaunch(), [&] { ++calls; });
  EXPECT_EQ(calls, 96);
}

TEST(ThreadsDeathTest, cannot_leave_their_stack) {
  auto overflow = [] {
    char local = 0;
    auto top = reinterpret_cast<uintptr_t>(&local);
    *reinterpret_cast<volatile char *>(top - (65 << 10)) = 1;
  };
  EXPECT_DEATH(runGrid(getLaunch(), overflow), "");
}

TEST(Threads, must_fit_a_GPU) {
  Launch launch;
  launch.block = {32, 32, 2};
  EXPECT_THROW(runGrid(launch, [] {}), EmulationError);
  launch.block = {0, 1, 1};
  EXPECT_THROW(runGrid(launch, [] {}), EmulationError);
  launch.block = {32, 1, 1};
  launch.grid.y = 65536;
  EXPECT_THROW(runGrid(launch, [] {}), EmulationError);
  launch.grid.y = 1;
  launch.dynamicSharedBytes = 228 << 10;
  EXPECT_THROW(runGrid(launch, [] {}), EmulationError);
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

TEST(Barrier, makes_a_reduction_independent_of_the_order) {
  for (bool checkAccesses : {false, true}) {
    std::vector<float> sums =
        reduceInAllOrders(getReduction(kBarrier), checkAccesses);
    EXPECT_THAT(sums, Each(sums.back()));
  }
}

// Without the check, a deleted barrier shows in values, which depend on the
// order or are poison.
TEST(Barrier, that_is_missing_shows_in_the_values) {
  std::vector<float> sums = reduceInAllOrders(getReduction(""), false);
  float right = sums.back();
  EXPECT_EQ(std::count(sums.begin(), sums.end() - 1, right), 0);
  EXPECT_TRUE(std::isnan(sums.front()));
}

TEST(Barrier, must_be_met_by_all_threads) {
  // Threads leave before, among and after those that wait.
  for (const char *leaver : {"0", "40", "95"})
    for (ThreadOrder order : kOrders) {
      std::string text =
          getKernel(std::string("%leaves = icmp eq i32 %t, ") + leaver +
                        "\nbr i1 %leaves, label %end, label %wait\nwait:\n" +
                        kBarrier + "br label %end\nend:\n",
                    "ptr %out");
      float out;
      EXPECT_THAT(runText(text, getLaunch(order), {&out}),
                  AllOf(HasSubstr("kernel 'k', block (0,0,0), thread ("),
                        HasSubstr("aligned barrier 0"), HasSubstr("return")));
    }
}

/// Threads for which `condition` holds do the first, the others the second.
std::string diverge(const std::string &condition, const std::string &first,
                    const std::string &second) {
  return "%c = icmp " + condition + "\nbr i1 %c, label %a, label %b\na:\n" +
         first + "br label %end\nb:\n" + second + "br label %end\nend:\n";
}

TEST(Barrier, must_be_the_same_for_all_threads) {
  EXPECT_THAT(
      failBody(diverge(
          "ult i32 %t, 64", kBarrier,
          "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 1)\n")),
      AllOf(HasSubstr("thread (64,0,0): waits at aligned barrier 1"),
            HasSubstr("thread (0,0,0) waits at aligned barrier 0")));
}

TEST(Barrier, that_is_aligned_is_one_place_for_a_warp) {
  // Warps may come from different places, lanes may not.
  EXPECT_EQ(failBody(diverge("ult i32 %t, 64", kBarrier, kBarrier)), "");
  EXPECT_THAT(failBody(diverge("ult i32 %t, 70", kBarrier, kBarrier)),
              HasSubstr("thread (70,0,0): waits at aligned barrier 0, but "
                        "another lane of its warp at another place"));
}

TEST(Barrier, with_a_count_is_for_the_whole_block) {
  std::string call = "call void @llvm.nvvm.barrier.cta.sync.aligned.count(";
  EXPECT_EQ(failBody(call + "i32 3, i32 96)\n"), "");
  EXPECT_THAT(failBody(call + "i32 3, i32 64)\n"),
              HasSubstr("64 of 96 threads, which is not emulated"));
}

TEST(Barrier, and_a_shuffle_deadlock) {
  std::string shuffle = "%v = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, "
                        "i32 %t, i32 0, i32 31)\n";
  EXPECT_THAT(failBody(diverge("ult i32 %t, 1", shuffle, kBarrier)),
              AllOf(HasSubstr("deadlock"), HasSubstr("shfl.sync.idx"),
                    HasSubstr("aligned barrier 0")));
  // Here, the shuffle comes second and sees who is missing.
  EXPECT_THAT(failBody(diverge("uge i32 %t, 95", shuffle, kBarrier)),
              AllOf(HasSubstr("names lane 0 in the mask of shfl.sync.idx"),
                    HasSubstr("thread (64,0,0) waits at aligned barrier 0")));
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

TEST(Warp, reduces_by_shuffles) {
  std::string body = "%x0 = uitofp i32 %t to float\n";
  for (int step = 0; step < 5; ++step) {
    std::string from = std::to_string(step), to = std::to_string(step + 1);
    body += "%y" + from +
            " = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %x" +
            from + ", i32 " + std::to_string(16 >> step) + ", i32 31)\n%x" +
            to + " = fadd float %x" + from + ", %y" + from + "\n";
  }
  body += "%sum = fptoui float %x5 to i32\nstore i32 %sum, ptr %mine\n";
  for (ThreadOrder order : kOrders) {
    std::vector<uint32_t> out = runBody(body, kThreads, order);
    for (uint32_t i = 0; i < kThreads; ++i)
      EXPECT_EQ(out[i], 496 + i / 32 * 1024);
  }
}

TEST(Warp, shuffles_up_with_a_predicate) {
  // In segments of 8 lanes: clamp 0, mask 0b11000.
  std::vector<uint32_t> out = runBody(R"(
      %pair = call {i32, i1} @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %t, i32 3, i32 6144)
      %value = extractvalue {i32, i1} %pair, 0
      %valid = extractvalue {i32, i1} %pair, 1
      %bit = select i1 %valid, i32 1000, i32 0
      %sum = add i32 %value, %bit
      store i32 %sum, ptr %mine
  )");
  for (uint32_t i = 0; i < kThreads; ++i)
    EXPECT_EQ(out[i], i % 8 < 3 ? i : i - 3 + 1000);
}

TEST(Warp, shuffles_down_and_by_index) {
  std::vector<uint32_t> out = runBody(R"(
      %down = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %t, i32 5, i32 31)
      %idx = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %t, i32 2, i32 6175)
      %high = mul i32 %idx, 1000
      %sum = add i32 %down, %high
      store i32 %sum, ptr %mine
  )");
  for (uint32_t i = 0; i < kThreads; ++i)
    EXPECT_EQ(out[i], (i % 32 < 27 ? i + 5 : i) + 1000 * (i / 8 * 8 + 2));
}

TEST(Warp, shuffles_clamp) {
  std::vector<uint32_t> out = runBody(R"(
      %idx = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %t, i32 9, i32 3)
      %pair = call {i32, i1} @llvm.nvvm.shfl.sync.bfly.i32p(i32 -1, i32 %t, i32 8, i32 7)
      %bfly = extractvalue {i32, i1} %pair, 0
      %high = mul i32 %bfly, 1000
      %sum = add i32 %idx, %high
      store i32 %sum, ptr %mine
  )",
                                      /*threads=*/32);
  // Lane 0 asks for lane 8, which is above 7; lane 8 may read lane 0.
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], i + 1000 * ((i ^ 8) <= 7 ? i ^ 8 : i));
}

TEST(Warp, votes) {
  std::vector<uint32_t> out = runBody(R"(
      %low = icmp ult i32 %t, 20
      %ballot = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %low)
      %all = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %low)
      %any = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %low)
      %uni = call i1 @llvm.nvvm.vote.uni.sync(i32 -1, i1 %low)
      %a = select i1 %all, i32 1, i32 0
      %b = select i1 %any, i32 2, i32 0
      %c = select i1 %uni, i32 4, i32 0
      %ab = or i32 %a, %b
      %abc = or i32 %ab, %c
      %high = shl i32 %abc, 24
      %both = xor i32 %ballot, %high
      store i32 %both, ptr %mine
  )",
                                      /*threads=*/40);
  for (uint32_t i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], (2u << 24) + 0xfffff);
  for (uint32_t i = 32; i < 40; ++i)
    EXPECT_EQ(out[i], 4u << 24);
  // All lanes of a part of a warp.
  EXPECT_THAT(runBody(R"(
      %yes = icmp ult i32 %t, 40
      %all = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %yes)
      %bit = zext i1 %all to i32
      store i32 %bit, ptr %mine
  )",
                      40),
              Each(1));
}

TEST(Warp, masks_name_the_lane_itself) {
  EXPECT_THAT(failBody("%v = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 255, "
                       "i32 %t, i32 0, i32 31)\n"),
              HasSubstr("thread (8,0,0): does shfl.sync.idx with a mask that "
                        "does not name it"));
}

TEST(Warp, masks_name_no_lane_that_has_returned) {
  std::string body = diverge("ult i32 %lane, 3", "",
                             "%v = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 "
                             "-1, i32 %t, i32 9, i32 31)\n");
  EXPECT_THAT(failBody(body),
              HasSubstr("thread (3,0,0): names lane 0 in the mask of "
                        "shfl.sync.idx, but thread (0,0,0) has returned"));
}

TEST(Warp, synchronizes_as_a_whole) {
  std::string call = "call void @llvm.nvvm.bar.warp.sync(i32 65535)\n";
  EXPECT_THAT(failBody(diverge("ult i32 %lane, 16", call, "")),
              HasSubstr("for a part of its warp, which is not emulated"));
}

TEST(Warp, reads_no_lane_that_does_not_take_part) {
  std::string call = "%v = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 "
                     "%t, i32 20, i32 31)\n";
  EXPECT_THAT(failBody(call, 40),
              HasSubstr("thread (32,0,0): reads lane 20 in shfl.sync.idx"));
}

TEST(Warp, lanes_agree_on_operation_and_mask) {
  std::string low = "%v = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 "
                    "%t, i32 1, i32 31)\n";
  std::string high = "%w = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 "
                     "%t, i32 1, i32 31)\n";
  EXPECT_THAT(failBody(diverge("ult i32 %lane, 16", low, high)),
              AllOf(HasSubstr("thread (16,0,0): names lane 0 in the mask of "
                              "shfl.sync.down"),
                    HasSubstr("with another mask or operation")));
  std::string most = "%w = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -2, i32 "
                     "%t, i32 1, i32 31)\n";
  EXPECT_THAT(failBody(diverge("ult i32 %lane, 16", low, most)),
              HasSubstr("with another mask or operation"));
  // Disjoint masks are two operations.
  std::string first = "%v = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 65535, "
                      "i32 %t, i32 1, i32 31)\n";
  std::string second = "%w = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 "
                       "-65536, i32 %t, i32 1, i32 31)\n";
  EXPECT_EQ(failBody(diverge("ult i32 %lane, 16", first, second)), "");
}

} // namespace
