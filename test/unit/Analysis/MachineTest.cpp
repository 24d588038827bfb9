//===- MachineTest.cpp - Seconds of work, and files of machines -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/Machine.h"

#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

#include <cmath>

using namespace mlir::boost;

namespace {

/// A machine that is ideal in every field that this text does not set.
const std::string kPlain = R"("name": "test",
  "peak_flops": {"f32": 1e9, "bf16": 4e9}, "memory_bandwidth": 1e6,
  "memory_bytes": 1e9, "launch_seconds": 0)";
const std::string kLinks = R"("links": [
  {"ranks": 4, "bandwidth": 1e6, "latency": 1e-3},
  {"ranks": 64, "bandwidth": 1e5, "latency": 2e-3}])";

Machine parse(const std::string &fields) {
  llvm::Expected<Machine> machine = Machine::parse("{" + fields + "}");
  if (!machine) {
    ADD_FAILURE() << llvm::toString(machine.takeError());
    return Machine::getReference();
  }
  return *machine;
}

Machine makePlain() { return parse(kPlain + ", " + kLinks); }

Machine readShipped(const std::string &name) {
  auto file = llvm::MemoryBuffer::getFile(std::string(BOOST_MLIR_MACHINES) +
                                          "/" + name + ".json");
  if (!file) {
    ADD_FAILURE() << "no machine " << name;
    return Machine::getReference();
  }
  llvm::Expected<Machine> machine = Machine::parse((*file)->getBuffer());
  if (!machine) {
    ADD_FAILURE() << llvm::toString(machine.takeError());
    return Machine::getReference();
  }
  return *machine;
}

//===----------------------------------------------------------------------===//
// Computing
//===----------------------------------------------------------------------===//

TEST(Machine, ComputingAndReadingOverlap) {
  Machine machine = makePlain();
  OpCost cost;
  cost.kind = OpClass::Contraction;
  cost.flops = 3e9;
  EXPECT_DOUBLE_EQ(machine.getSeconds(cost), 3.0);
  cost.memoryBytes = 4e6;
  EXPECT_DOUBLE_EQ(machine.getSeconds(cost), 5.0);
  cost.elementType = "bf16";
  EXPECT_DOUBLE_EQ(machine.getSeconds(cost), std::hypot(0.75, 4.0));
  // Types without a number of their own are as fast as f32.
  cost.elementType = "f64";
  EXPECT_DOUBLE_EQ(machine.getSeconds(cost), 5.0);
  cost.kind = OpClass::Memory;
  EXPECT_DOUBLE_EQ(machine.getSeconds(cost), 4.0);
  cost.flops = 6e9;
  EXPECT_DOUBLE_EQ(machine.getSeconds(cost), 6.0);
}

TEST(Machine, LaunchesAndEfficienciesCount) {
  Machine machine = parse(
      R"("name": "test", "peak_flops": {"f32": 1e9}, "memory_bandwidth": 1e6,
         "memory_efficiency": 0.5, "memory_bytes": 1, "launch_seconds": 0.25,
         "contraction": {"efficiency": 0.8}, )" +
      kLinks);
  EXPECT_DOUBLE_EQ(machine.getMemorySeconds(1e6), 2.0);
  EXPECT_DOUBLE_EQ(machine.getComputeSeconds(8e8, "f32"), 1.0);
  OpCost cost;
  cost.memoryBytes = 1e6;
  EXPECT_DOUBLE_EQ(machine.getSeconds(cost), 2.25);
}

TEST(Machine, AttentionHasItsOwnEfficiencies) {
  Machine machine =
      parse(kPlain + R"(, "attention": {"forward": 0.5, "backward": 0.25,
                         "narrow_head": 64, "narrow_factor": 0.8}, )" +
            kLinks);
  OpCost cost;
  cost.kind = OpClass::AttentionForward;
  cost.flops = 1e9;
  cost.headSize = 128;
  EXPECT_DOUBLE_EQ(machine.getSeconds(cost), 2.0);
  cost.headSize = 65;
  EXPECT_DOUBLE_EQ(machine.getSeconds(cost), 2.0);
  cost.headSize = 64;
  EXPECT_DOUBLE_EQ(machine.getSeconds(cost), 2.5);
  cost.kind = OpClass::AttentionBackward;
  EXPECT_DOUBLE_EQ(machine.getSeconds(cost), 5.0);
  cost.memoryBytes = 12e6;
  EXPECT_DOUBLE_EQ(machine.getSeconds(cost), 13.0);
}

TEST(Machine, NarrowHeadsMayDifferBackward) {
  Machine machine =
      parse(kPlain + R"(, "attention": {"forward": 0.5, "backward": 0.5,
                         "narrow_head": 64, "narrow_factor": 0.8,
                         "narrow_backward_factor": 0.4}, )" +
            kLinks);
  OpCost cost;
  cost.kind = OpClass::AttentionForward;
  cost.flops = 1e9;
  cost.headSize = 64;
  EXPECT_DOUBLE_EQ(machine.getSeconds(cost), 2.5);
  cost.kind = OpClass::AttentionBackward;
  EXPECT_DOUBLE_EQ(machine.getSeconds(cost), 5.0);
}

TEST(Machine, OwnKernelsHaveTheirOwnEfficiencies) {
  Machine machine =
      parse(kPlain + R"(, "attention": {"forward": 0.5, "backward": 0.25},
                         "own_attention": {"forward": 0.1, "backward": 0.05,
                         "narrow_head": 64, "narrow_factor": 0.5}, )" +
            kLinks);
  OpCost cost;
  cost.kind = OpClass::AttentionForward;
  cost.flops = 1e9;
  cost.headSize = 128;
  EXPECT_DOUBLE_EQ(machine.getSeconds(cost), 2.0);
  cost.ownKernels = true;
  EXPECT_DOUBLE_EQ(machine.getSeconds(cost), 10.0);
  cost.kind = OpClass::AttentionBackward;
  EXPECT_DOUBLE_EQ(machine.getSeconds(cost), 20.0);
  cost.headSize = 64;
  EXPECT_DOUBLE_EQ(machine.getSeconds(cost), 40.0);
  // A machine that does not tell them apart has one rate for both.
  machine.ownAttention.reset();
  EXPECT_DOUBLE_EQ(machine.getSeconds(cost), 4.0);
}

// The fact that a price is near what was measured is what the file is for.
TEST(Machine, TheH200TakesWhatWasMeasured) {
  Machine machine = readShipped("h200");
  EXPECT_NEAR(machine.getContractionSeconds({1, 8192, 8192, 8192},
                                            3.0 * 8192 * 8192 * 2, "bf16"),
              2 * std::pow(8192.0, 3) / 793e12, 0.05e-3);
  auto seconds = [&](OpClass kind, AttentionShape shape, bool ownKernels) {
    OpCost cost = makeAttentionCost(kind, shape, 2, "bf16");
    cost.ownKernels = ownKernels;
    return machine.getSeconds(cost);
  };
  AttentionShape narrow{8, 1024, 1024, 32, 64, true},
      wide{1, 4096, 4096, 8, 128, true};
  EXPECT_NEAR(seconds(OpClass::AttentionForward, narrow, false), 106.2e-6,
              4e-6);
  EXPECT_NEAR(seconds(OpClass::AttentionBackward, narrow, false), 392.5e-6,
              9e-6);
  EXPECT_NEAR(seconds(OpClass::AttentionForward, wide, false), 89.3e-6, 4e-6);
  EXPECT_NEAR(seconds(OpClass::AttentionBackward, wide, false), 305.2e-6, 9e-6);
  // 24 layers of CoLA 1B.
  EXPECT_NEAR(24 * seconds(OpClass::AttentionForward, narrow, true), 42.0e-3,
              1e-3);
  EXPECT_NEAR(24 * seconds(OpClass::AttentionBackward, narrow, true), 120.9e-3,
              2e-3);
}

TEST(Machine, TilesRunInWaves) {
  const std::string model = R"(, "contraction": {"units": 10,
      "efficiency": 1, "prologue": 16, "tiles": [[128, 64]]}, )";
  Machine machine = parse(kPlain + model + kLinks);
  auto seconds = [&](int64_t m, int64_t n) {
    return machine.getContractionSeconds({1, m, n, 48}, 0, "f32");
  };
  // A tile is 2 * 128 * 64 * (48 + 16) operations at a tenth of the peak.
  double wave = 2.0 * 128 * 64 * 64 / 1e8;
  EXPECT_DOUBLE_EQ(seconds(128, 64), wave);
  EXPECT_DOUBLE_EQ(seconds(1, 1), wave);
  EXPECT_DOUBLE_EQ(seconds(128, 640), wave);
  EXPECT_DOUBLE_EQ(seconds(128, 641), 2 * wave);
  EXPECT_DOUBLE_EQ(seconds(1280, 128), 2 * wave);
  EXPECT_DOUBLE_EQ(seconds(129, 320), wave);
  EXPECT_DOUBLE_EQ(seconds(129, 321), 2 * wave);
  // The tiles of all batches share waves.
  EXPECT_DOUBLE_EQ(machine.getContractionSeconds({10, 2, 3, 48}, 0, "f32"),
                   wave);
  EXPECT_DOUBLE_EQ(machine.getContractionSeconds({11, 2, 3, 48}, 0, "f32"),
                   2 * wave);
  // Operations are those of the tiles, whatever else is said.
  OpCost cost;
  cost.kind = OpClass::Contraction;
  cost.flops = 1e12;
  cost.contraction = ContractionShape{1, 128, 64, 48};
  EXPECT_DOUBLE_EQ(machine.getSeconds(cost), wave);
  cost.memoryBytes = 1e6;
  EXPECT_DOUBLE_EQ(machine.getSeconds(cost), std::hypot(wave, 1.0));
  cost.elementType = "bf16";
  EXPECT_DOUBLE_EQ(machine.getSeconds(cost), std::hypot(wave / 4, 1.0));
}

TEST(Machine, WithoutTilesOperationsCount) {
  Machine machine = makePlain();
  EXPECT_DOUBLE_EQ(
      machine.getContractionSeconds({3, 1000, 500, 1000}, 0, "f32"), 3.0);
  EXPECT_DOUBLE_EQ(
      machine.getContractionSeconds({3, 1000, 500, 1000}, 4e6, "f32"), 5.0);
}

TEST(Machine, TheBestTileIsTaken) {
  auto withTiles = [](const char *tiles) {
    return parse(kPlain + R"(, "contraction": {"units": 8, "tiles": )" + tiles +
                 "}, " + kLinks);
  };
  ContractionShape square{1, 256, 256, 64}, flat{1, 64, 512, 64};
  Machine large = withTiles("[[128, 128]]"), small = withTiles("[[64, 64]]"),
          both = withTiles("[[128, 128], [64, 64]]");
  for (const ContractionShape &shape : {square, flat})
    EXPECT_DOUBLE_EQ(both.getContractionSeconds(shape, 0, "f32"),
                     std::min(large.getContractionSeconds(shape, 0, "f32"),
                              small.getContractionSeconds(shape, 0, "f32")));
  EXPECT_LT(small.getContractionSeconds(flat, 0, "f32"),
            large.getContractionSeconds(flat, 0, "f32"));
}

TEST(Machine, SplittingALongSumUsesIdleUnits) {
  auto withSplits = [](const char *splits) {
    return parse(kPlain + R"(, "contraction": {"units": 8,
        "tiles": [[64, 64]], "splits": )" +
                 splits + "}, " + kLinks);
  };
  ContractionShape shape{1, 64, 64, 1 << 20};
  double whole = withSplits("[1]").getContractionSeconds(shape, 0, "f32");
  double split = withSplits("[1, 4]").getContractionSeconds(shape, 0, "f32");
  double sums = 2.0 * 4 * 4 * 64 * 64 / 1e6;
  EXPECT_DOUBLE_EQ(split, std::hypot(whole / 4, sums));
  double halves = withSplits("[2]").getContractionSeconds(shape, 0, "f32");
  EXPECT_DOUBLE_EQ(halves, std::hypot(whole / 2, sums / 2));
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

TEST(Machine, RingsSendTheirShare) {
  Machine machine = makePlain();
  auto seconds = [&](CollectiveKind kind) {
    return machine.getCollectiveSeconds(kind, 8000, 4, 4);
  };
  EXPECT_DOUBLE_EQ(seconds(CollectiveKind::AllReduce), 1e-3 + 12000 / 1e6);
  EXPECT_DOUBLE_EQ(seconds(CollectiveKind::ReduceScatter), 1e-3 + 6000 / 1e6);
  EXPECT_DOUBLE_EQ(seconds(CollectiveKind::AllGather), 1e-3 + 6000 / 1e6);
  EXPECT_DOUBLE_EQ(seconds(CollectiveKind::AllToAll), 1e-3 + 6000 / 1e6);
}

TEST(Machine, OneRankSendsNothing) {
  EXPECT_EQ(
      makePlain().getCollectiveSeconds(CollectiveKind::AllReduce, 1e9, 1, 1),
      0);
}

TEST(Machine, CollectivesAreNoLaunches) {
  Machine machine = makePlain();
  machine.launchSeconds = 8;
  OpCost cost;
  cost.kind = OpClass::Collective;
  cost.message = Message{CollectiveKind::AllGather, 8000, 4, 4};
  EXPECT_DOUBLE_EQ(machine.getSeconds(cost), 1e-3 + 6000 / 1e6);
}

TEST(Machine, DistantRanksUseOuterLinks) {
  Machine machine = makePlain();
  auto seconds = [&](int64_t ranks, int64_t span) {
    return machine.getCollectiveSeconds(CollectiveKind::AllGather, 80, ranks,
                                        span);
  };
  EXPECT_DOUBLE_EQ(seconds(2, 3), 1e-3 + 40 / 1e6);
  EXPECT_DOUBLE_EQ(seconds(2, 5), 2e-3 + 40 / 1e5);
  // Beyond all levels the outermost is the best guess.
  EXPECT_DOUBLE_EQ(seconds(2, 1000), 2e-3 + 40 / 1e5);
}

TEST(Machine, PairsOfANodeHaveTheirOwnLink) {
  Machine machine = readShipped("a100-80gb");
  auto bandwidth = [&](int64_t ranks, int64_t span) {
    auto seconds = [&](double bytes) {
      return machine.getCollectiveSeconds(CollectiveKind::AllGather, bytes,
                                          ranks, span);
    };
    double sent =
        Message{CollectiveKind::AllGather, 1e9, ranks, span}.getSentBytes();
    return sent / (seconds(1e9) - seconds(0));
  };
  EXPECT_NEAR(bandwidth(2, 2), 75e9, 1);
  EXPECT_NEAR(bandwidth(2, 3), 75e9, 1);
  EXPECT_NEAR(bandwidth(4, 4), 225e9, 1);
}

TEST(Machine, GroupsShareTheInterfacesOfANode) {
  Machine machine = parse(kPlain + R"(, "links": [
        {"ranks": 8, "bandwidth": 300, "latency": 0},
        {"ranks": 64, "bandwidth": 20, "latency": 0, "interfaces": 4}])");
  auto bandwidth = [&](CollectiveKind kind, int64_t ranks, int64_t span) {
    return Message{kind, 1e6, ranks, span}.getSentBytes() /
           machine.getCollectiveSeconds(kind, 1e6, ranks, span);
  };
  // All ranks of a node: its rings use all four.
  EXPECT_DOUBLE_EQ(bandwidth(CollectiveKind::AllReduce, 16, 16), 80);
  // One rank of each node, beside seven such groups: half an interface each.
  EXPECT_DOUBLE_EQ(bandwidth(CollectiveKind::AllReduce, 8, 57), 10);
  // One rank of every second node.
  EXPECT_DOUBLE_EQ(bandwidth(CollectiveKind::AllReduce, 4, 49), 10);
  // Every second rank.
  EXPECT_DOUBLE_EQ(bandwidth(CollectiveKind::AllReduce, 8, 15), 40);
  // An all-to-all leaves through the rank's own share.
  EXPECT_DOUBLE_EQ(bandwidth(CollectiveKind::AllToAll, 16, 16), 10);
}

TEST(Machine, InterfacesAreNotFasterThanTheirNode) {
  Machine machine = parse(kPlain + R"(, "links": [
        {"ranks": 8, "bandwidth": 30, "latency": 0},
        {"ranks": 64, "bandwidth": 20, "latency": 0, "interfaces": 4}])");
  EXPECT_DOUBLE_EQ(
      machine.getCollectiveSeconds(CollectiveKind::AllGather, 1600, 16, 16),
      1500.0 / 30);
}

TEST(Machine, InterfacesOfTheInnermostLevelAreNotDivided) {
  Machine machine = parse(kPlain + R"(, "links": [
        {"ranks": 8, "bandwidth": 30, "latency": 0, "interfaces": 4}])");
  EXPECT_DOUBLE_EQ(
      machine.getCollectiveSeconds(CollectiveKind::AllGather, 80, 8, 8),
      70.0 / 30);
}

TEST(Machine, SmallAllReducesTakeATree) {
  Machine machine = parse(kPlain + R"(, "links": [
      {"ranks": 64, "bandwidth": 1e6, "latency": 0, "hop_latency": 1e-3}])");
  auto seconds = [&](CollectiveKind kind, double bytes) {
    return machine.getCollectiveSeconds(kind, bytes, 16, 16);
  };
  EXPECT_DOUBLE_EQ(seconds(CollectiveKind::AllReduce, 0), 2 * 4 * 1e-3);
  EXPECT_DOUBLE_EQ(seconds(CollectiveKind::AllReduce, 1e6),
                   2 * 15 * 1e-3 + 2 * 15.0 / 16);
  EXPECT_DOUBLE_EQ(seconds(CollectiveKind::AllGather, 0), 15 * 1e-3);
  // Each level of the tree sends everything up and down.
  EXPECT_DOUBLE_EQ(seconds(CollectiveKind::AllReduce, 1e3),
                   2 * 4 * 1e-3 + 2 * 1e3 / 1e6);
  EXPECT_DOUBLE_EQ(
      machine.getCollectiveSeconds(CollectiveKind::AllReduce, 0, 5, 5),
      2 * 3 * 1e-3);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

TEST(Machine, ShippedFilesAreReadable) {
  for (const char *name : {"a100-80gb", "h100", "h200", "host", "reference"})
    EXPECT_EQ(readShipped(name).name, name);
}

TEST(Machine, TheReferenceWeighsSharding) {
  const Machine &machine = Machine::getReference();
  EXPECT_EQ(machine.name, "reference");
  auto seconds = [&](CollectiveKind kind, int64_t ranks) {
    return machine.getCollectiveSeconds(kind, 4096, ranks, ranks);
  };
  EXPECT_EQ(seconds(CollectiveKind::AllReduce, 4), 1024 + 2 * 3072);
  EXPECT_EQ(seconds(CollectiveKind::AllReduce, 1024), 1024 + 2 * 4092);
  EXPECT_EQ(seconds(CollectiveKind::ReduceScatter, 4), 1024 + 3072);
  EXPECT_EQ(seconds(CollectiveKind::AllGather, 4), 1024 + 3072);
  EXPECT_EQ(seconds(CollectiveKind::AllToAll, 4), 1024 + 3072);
  EXPECT_EQ(machine.getMemorySeconds(10), 1);
  EXPECT_EQ(machine.getComputeSeconds(1000, "bf16"), 1);
}

TEST(Machine, FrameworksPayForEveryLaunch) {
  Machine machine = readShipped("a100-80gb"), eager = machine.getEager();
  EXPECT_GT(eager.launchSeconds, machine.launchSeconds);
  EXPECT_GT(eager.getMemorySeconds(1), machine.getMemorySeconds(1));
  EXPECT_EQ(eager.getCollectiveSeconds(CollectiveKind::AllReduce, 0, 4, 4),
            60e-6);
  EXPECT_EQ(makePlain().getEager().getMemorySeconds(1e6), 1);
}

// Every number at the limit that its error names.
TEST(Machine, LimitsAreAccepted) {
  Machine machine = parse(R"("name": "", "peak_flops": {"f32": 1e-9},
    "memory_bandwidth": 1e-9, "memory_efficiency": 1, "memory_bytes": 1e-9,
    "launch_seconds": 0,
    "contraction": {"units": 1073741824, "efficiency": 1, "prologue": 0,
                    "tiles": [[1, 1073741824]], "splits": [1, 1073741824]},
    "attention": {"forward": 1, "backward": 1, "narrow_head": 0,
                  "narrow_factor": 1},
    "eager": {"launch_seconds": 0, "memory_efficiency": 1, "latency": 0},
    "links": [{"ranks": 1, "bandwidth": 1e-9, "latency": 0, "hop_latency": 0,
               "interfaces": 0},
              {"ranks": 1, "bandwidth": 1, "latency": 0},
              {"ranks": 4, "span": 1, "bandwidth": 1, "latency": 0}])");
  const int64_t most = int64_t(1) << 30;
  EXPECT_EQ(machine.contraction.units, most);
  EXPECT_EQ(machine.contraction.tiles.front(), std::pair(int64_t(1), most));
  EXPECT_EQ(machine.contraction.splits, std::vector<int64_t>({1, most}));
  ASSERT_EQ(machine.links.size(), 3u);
  EXPECT_EQ(machine.links[1].span, 1);
  EXPECT_EQ(machine.links[2].span, 1);
}

TEST(Machine, WhatIsLeftOutIsIdeal) {
  Machine machine = makePlain();
  EXPECT_EQ(machine.memoryEfficiency, 1);
  EXPECT_EQ(machine.contraction.units, 1);
  EXPECT_EQ(machine.contraction.efficiency, 1);
  EXPECT_EQ(machine.contraction.prologue, 0);
  EXPECT_EQ(machine.contraction.splits, std::vector<int64_t>({1}));
  EXPECT_EQ(machine.attention.narrowHead, 0);
  EXPECT_EQ(machine.attention.narrowFactor, 1);
  EXPECT_EQ(machine.attention.narrowBackwardFactor, 1);
  EXPECT_FALSE(machine.ownAttention);
  EXPECT_TRUE(machine.devices.empty());
  EXPECT_EQ(machine.links[1].span, 64);
  EXPECT_EQ(machine.links[1].hopLatency, 0);
  EXPECT_EQ(machine.links[1].interfaces, 0);
  EXPECT_FALSE(machine.eager);
}

TEST(Machine, EagerExecutionHasItsOwnNumbers) {
  Machine eager = parse(kPlain + R"(, "memory_efficiency": 0.5, "eager": {
                          "launch_seconds": 0.125, "memory_efficiency": 0.25,
                          "latency": 3}, )" +
                        kLinks)
                      .getEager();
  EXPECT_EQ(eager.launchSeconds, 0.125);
  EXPECT_EQ(eager.getMemorySeconds(1e6), 4);
  for (const Link &link : eager.links)
    EXPECT_EQ(link.latency, 3);
}

TEST(Machine, ErrorsNameTheField) {
  const std::string fields = kPlain + ", " + kLinks + ", ";
  const std::pair<std::string, const char *> cases[] = {
      {"{", "it is not JSON"},
      {"[]", "it is not an object"},
      {"{}", "it has no 'name'"},
      {R"({"name": 3})", "it expects a text for 'name'"},
      {R"({"name": "x", "peak_flops": {"f32": 1, "bf16": "a"}})",
       "peak_flops expects a number for 'bf16'"},
      {R"({"name": "x", "peak_flops": {"f32": 1, "bf16": 0}})",
       "peak_flops expects 'bf16' to be positive"},
      {R"({"name": "x", "peak_flops": {"f32": 1}, "memory_bandwidth": -1})",
       "it expects 'memory_bandwidth' to be positive"},
      {"{" + kPlain + "}", "it has no 'links'"},
      {"{" + kPlain + R"(, "links": []})",
       "it expects a list with an entry at least for 'links'"},
      {"{" + kPlain + R"(, "links": [{"ranks": "two"}]})",
       "links[0] expects a number for 'ranks'"},
      {"{" + kPlain + R"(, "links": [{"ranks": 1.5}]})",
       "links[0] expects 'ranks' to be a whole number from 1 to 2^30"},
      {"{" + kPlain + R"(, "links": [
          {"ranks": 4, "bandwidth": 1, "latency": 0},
          {"ranks": 2, "bandwidth": 1, "latency": 0}]})",
       "links[1] expects a 'span' of at least 4, that of the level before"},
      {"{" + kPlain + R"(, "links": {"ranks": 4}})",
       "it expects a list with an entry at least for 'links'"},
      {"{" + kPlain + R"(, "links": [
          {"ranks": 4, "bandwidth": 1, "latency": 0, "speed": 1}]})",
       "links[0] has an unknown field 'speed'; use name, "},
      {"{" + kPlain + R"(, "links": [
          {"ranks": 4, "bandwidth": 1, "latency": -1}]})",
       "links[0] expects 'latency' to be at least 0"},
      {"{" + fields + R"("devices": "NVIDIA H100"})",
       "it expects 'devices' to be a list of names"},
      {"{" + fields + R"("devices": [1]})",
       "it expects 'devices' to be a list of names"},
      {"{" + fields + R"("own_attention": {"forward": 2}})",
       "own_attention expects 'forward' to be above 0 and at most 1"},
      {"{" + fields + R"("memory_eficiency": 0.5})",
       "it has an unknown field 'memory_eficiency'; use name, "},
      {"{" + fields + R"("memory_efficiency": 1.5})",
       "it expects 'memory_efficiency' to be above 0 and at most 1"},
      {"{" + fields + R"("contraction": {"tiles": [64]}})",
       "contraction expects 'tiles' to be a list of [rows, columns]"},
      {"{" + fields + R"("contraction": {"tiles": []}})",
       "contraction expects 'tiles' to be a list of [rows, columns]"},
      {"{" + fields + R"("contraction": {"tiles": [[64, 32], [1, 2, 3]]}})",
       "contraction expects 'tiles' to be a list of [rows, columns]"},
      {"{" + fields + R"("contraction": {"tiles": [[0, 64]]}})",
       "contraction expects 'tiles' to be a whole number from 1 to 2^30"},
      {"{" + fields + R"("contraction": {"splits": []}})",
       "contraction expects 'splits' to be a list of numbers of parts"},
      {"{" + fields + R"("contraction": {"splits": [0]}})",
       "contraction expects 'splits' to be a whole number from 1 to 2^30"},
      {"{" + fields + R"("contraction": {"units": 1073741825}})",
       "contraction expects 'units' to be a whole number from 1 to 2^30"},
      {"{" + fields + R"("contraction": {"prologue": -0.5}})",
       "contraction expects 'prologue' to be at least 0"},
      {"{" + fields + R"("contraction": {"warps": 1}})",
       "contraction has an unknown field 'warps'; use units, efficiency, "},
      {"{" + fields + R"("attention": {"narrow_head": -1}})",
       "attention expects 'narrow_head' to be a whole number from 0 to 2^30"},
      {"{" + fields + R"("attention": {"heads": 1}})",
       "attention has an unknown field 'heads'; use forward, "},
      {"{" + fields + R"("eager": {"launch_seconds": 0, "latency": 0,
                                   "graph": true}})",
       "eager has an unknown field 'graph'; use launch_seconds, "},
      {"{" + fields + R"("contraction": {"tiles": [[64, 0]]}})",
       "contraction expects 'tiles' to be a whole number from 1 to 2^30"},
      {"{" + fields + R"("contraction": {"splits": 2}})",
       "contraction expects 'splits' to be a list of numbers of parts"},
      {"{" + fields + R"("attention": {"forward": 0}})",
       "attention expects 'forward' to be above 0 and at most 1"},
      {"{" + fields + R"("eager": {}})", "eager has no 'launch_seconds'"},
  };
  for (const auto &[text, expected] : cases) {
    llvm::Expected<Machine> machine = Machine::parse(text);
    ASSERT_FALSE(bool(machine)) << text;
    std::string message = llvm::toString(machine.takeError());
    EXPECT_NE(message.find("not a machine description: "), std::string::npos);
    EXPECT_NE(message.find(expected), std::string::npos) << message << "\n"
                                                         << expected;
  }
}

} // namespace
