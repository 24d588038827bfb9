//===- CommonTest.cpp - Random numbers, schedule, mesh, shards, manifest --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeTest.h"
#include "common/Program.h"
#include "common/Schedule.h"
#include "common/Shard.h"

#include <cstring>

using namespace boost_rt;

// Known answers of the authors' library (Random123, kat_vectors).
TEST(Philox, knownAnswers) {
  using Counter = std::array<uint32_t, 4>;
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (Counter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (Counter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
                       {0xa4093822, 0x299f31d0}),
            (Counter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Fnv1a, knownAnswers) {
  EXPECT_EQ(fnv1a(""), 0xcbf29ce484222325u);
  EXPECT_EQ(fnv1a("a"), 0xaf63dc4c8601ec8cu);
  EXPECT_EQ(fnv1a("foobar"), 0x85944171f73967e8u);
}

TEST(NormalStream, anyPartIsThatOfTheWhole) {
  NormalStream stream(3, "layers.0.attn.q.down");
  std::vector<double> whole;
  stream.generate(0, 100,
                  [&](int64_t, double value) { whole.push_back(value); });
  for (int64_t begin : {0, 1, 6, 97})
    stream.generate(begin, 3, [&](int64_t i, double value) {
      EXPECT_EQ(value, whole[static_cast<size_t>(i)]);
    });
}

TEST(NormalStream, hasTheMomentsOfANormal) {
  constexpr int64_t count = 200000;
  double sum = 0, squares = 0, fourth = 0;
  NormalStream(1, "x").generate(0, count, [&](int64_t, double value) {
    sum += value;
    squares += value * value;
    fourth += value * value * value * value;
  });
  EXPECT_NEAR(sum / count, 0.0, 0.01);
  EXPECT_NEAR(squares / count, 1.0, 0.02);
  EXPECT_NEAR(fourth / count, 3.0, 0.15);
}

TEST(NormalStream, dependsOnSeedAndName) {
  auto first = [](uint64_t seed, const char *name) {
    double result = 0;
    NormalStream(seed, name).generate(0, 1, [&](int64_t, double value) {
      result = value;
    });
    return result;
  };
  EXPECT_NE(first(1, "a"), first(2, "a"));
  EXPECT_NE(first(1, "a"), first(1, "b"));
  EXPECT_NE(first(1, "a"), first(uint64_t(1) << 32, "a"));
}

extern "C" __bf16 __truncsfbf2(float value);
extern "C" __bf16 __truncdfbf2(double value);

static uint16_t bitsOf(__bf16 value) {
  uint16_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

TEST(BF16Rounding, roundsToTheNearestEven) {
  EXPECT_EQ(bitsOf(__truncsfbf2(1.0f)), 0x3f80);
  EXPECT_EQ(bitsOf(__truncsfbf2(1.00390625f)), 0x3f80); // a tie
  EXPECT_EQ(bitsOf(__truncsfbf2(1.01171875f)), 0x3f82); // another
  EXPECT_EQ(bitsOf(__truncsfbf2(-3e38f * 2)), 0xff80);
  EXPECT_EQ(bitsOf(__truncsfbf2(__builtin_nansf("1"))) & 0x7fc0, 0x7fc0);
}

TEST(BF16Rounding, keepsWhatWasBF16) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    uint32_t word = bits << 16;
    float value;
    std::memcpy(&value, &word, sizeof(value));
    ASSERT_EQ(bitsOf(__truncsfbf2(value)), bits);
  }
}

TEST(BF16Rounding, roundsDoublesOnce) {
  // By way of a float these would be ties.
  EXPECT_EQ(bitsOf(__truncdfbf2(1.00390625 + 0x1p-40)), 0x3f81);
  EXPECT_EQ(bitsOf(__truncdfbf2(1.01171875 - 0x1p-40)), 0x3f81);
  EXPECT_EQ(bitsOf(__truncdfbf2(-1.00390625 - 0x1p-40)), 0xbf81);
  EXPECT_EQ(bitsOf(__truncdfbf2(1.00390625)), 0x3f80);
  EXPECT_EQ(bitsOf(__truncdfbf2(1e300)), 0x7f80);
  EXPECT_EQ(bitsOf(__truncdfbf2(0x1p-149)), 0);
}

TEST(Schedule, warmsUpAndFollowsTheCosine) {
  Schedule schedule{Decay::cosine, 1.0, 0.1, 4, 10};
  EXPECT_DOUBLE_EQ(schedule.rate(1), 0.25);
  EXPECT_DOUBLE_EQ(schedule.rate(4), 1.0);
  EXPECT_DOUBLE_EQ(schedule.rate(7), 0.55);
  EXPECT_DOUBLE_EQ(schedule.rate(10), 0.1);
}

TEST(Schedule, withoutWarmup) {
  Schedule schedule{Decay::cosine, 1.0, 0.0, 0, 2};
  EXPECT_DOUBLE_EQ(schedule.rate(1), 0.5);
  EXPECT_DOUBLE_EQ(schedule.rate(2), 0.0);
}

TEST(Schedule, warmupOnly) {
  Schedule schedule{Decay::cosine, 1.0, 0.0, 3, 3};
  EXPECT_DOUBLE_EQ(schedule.rate(3), 1.0);
}

TEST(Schedule, linearEndsAtTheFloor) {
  Schedule schedule{Decay::linear, 1.0, 0.2, 2, 6};
  EXPECT_DOUBLE_EQ(schedule.rate(1), 0.5);
  EXPECT_DOUBLE_EQ(schedule.rate(2), 1.0);
  EXPECT_DOUBLE_EQ(schedule.rate(3), 0.8);
  EXPECT_DOUBLE_EQ(schedule.rate(6), 0.2);
}

TEST(Schedule, constantStaysAtThePeak) {
  Schedule schedule{Decay::constant, 0.5, 0.5, 2, 6};
  EXPECT_DOUBLE_EQ(schedule.rate(1), 0.25);
  EXPECT_DOUBLE_EQ(schedule.rate(3), 0.5);
  EXPECT_DOUBLE_EQ(schedule.rate(6), 0.5);
}

TEST(Schedule, wsdDecaysInItsLastSteps) {
  Schedule schedule{Decay::wsd, 1.0, 0.0, 2, 10, 4};
  EXPECT_DOUBLE_EQ(schedule.rate(1), 0.5);
  EXPECT_DOUBLE_EQ(schedule.rate(6), 1.0);
  EXPECT_DOUBLE_EQ(schedule.rate(7), 0.75);
  EXPECT_DOUBLE_EQ(schedule.rate(10), 0.0);
}

TEST(Mesh, lastAxisIsFastest) {
  Mesh mesh({{"dp", 2}, {"cp", 3}, {"tp", 4}});
  EXPECT_EQ(mesh.size(), 24);
  EXPECT_EQ(mesh.coordinate(17, 0), 1);
  EXPECT_EQ(mesh.coordinate(17, 1), 1);
  EXPECT_EQ(mesh.coordinate(17, 2), 1);
  EXPECT_EQ(mesh.groupSize(0b101), 8);
  EXPECT_EQ(mesh.groupPosition(17, 0b101), 5);
  EXPECT_EQ(mesh.groupIndex(17, 0b101), 1);
  EXPECT_EQ(mesh.str(), "dp=2,cp=3,tp=4");
}

//===----------------------------------------------------------------------===//
// Shards
//===----------------------------------------------------------------------===//

static Tensor makeTensor(const Mesh &mesh, std::vector<int64_t> shape,
                         std::vector<std::vector<unsigned>> split) {
  Tensor tensor;
  tensor.name = "t";
  tensor.role = Role::param;
  tensor.type = BOOST_RT_F32;
  tensor.shape = tensor.localShape = shape;
  tensor.split = split;
  for (size_t dim = 0; dim < shape.size(); ++dim)
    for (unsigned axis : split[dim])
      tensor.localShape[dim] /= mesh.getAxes()[axis].size;
  tensor.offset = 0;
  tensor.bytes = tensor.localElements() * 4;
  return tensor;
}

/// Cuts a tensor for all ranks and joins the owners' shards again: every
/// element must come back, and be written once.
static void checkCutAndJoin(const Mesh &mesh, const Tensor &tensor) {
  std::vector<int> joined(static_cast<size_t>(tensor.elements()), -1);
  for (int64_t rank = 0; rank < mesh.size(); ++rank) {
    Shard shard = Shard::of(tensor, mesh, rank);
    std::vector<int> local(static_cast<size_t>(tensor.localElements()), -1);
    shard.forEachRun([&](int64_t global, int64_t to, int64_t count) {
      for (int64_t i = 0; i < count; ++i)
        local.at(static_cast<size_t>(to + i)) = static_cast<int>(global + i);
    });
    for (int value : local)
      ASSERT_GE(value, 0);
    if (!ownsShard(tensor, mesh, rank))
      continue;
    for (int value : local) {
      ASSERT_EQ(joined.at(static_cast<size_t>(value)), -1);
      joined[static_cast<size_t>(value)] = value;
    }
  }
  for (size_t i = 0; i < joined.size(); ++i)
    ASSERT_EQ(joined[i], static_cast<int>(i));
}

TEST(Shard, cutAndJoinGivesTheWhole) {
  Mesh mesh({{"dp", 2}, {"tp", 3}});
  std::vector<std::vector<std::vector<unsigned>>> splits = {
      {{}, {}, {}},   {{0}, {}, {}},  {{}, {1}, {}},    {{}, {}, {1}},
      {{0}, {}, {1}}, {{1}, {0}, {}}, {{}, {0, 1}, {}}, {{}, {}, {1, 0}}};
  for (const auto &split : splits)
    checkCutAndJoin(mesh, makeTensor(mesh, {6, 12, 6}, split));
  checkCutAndJoin(mesh, makeTensor(mesh, {}, {}));
}

// A part of a packed parameter has gaps between its rows, or its elements.
TEST(Shard, partsOfPackedTensorsHaveGaps) {
  Mesh mesh({{"tp", 3}});
  Tensor tensor = makeTensor(mesh, {6, 4}, {{0}, {}});
  for (std::vector<int64_t> strides :
       {std::vector<int64_t>{12, 1}, std::vector<int64_t>{12, 3}}) {
    tensor.strides = strides;
    std::vector<int64_t> local(24, -1);
    Shard::of(tensor, mesh, 1)
        .forEachRun([&](int64_t global, int64_t to, int64_t count) {
          EXPECT_EQ(count, strides[1] == 1 ? 4 : 1);
          for (int64_t i = 0; i < count; ++i)
            local.at(static_cast<size_t>(to + i)) = global + i;
        });
    for (int64_t row = 0; row < 2; ++row)
      for (int64_t column = 0; column < 4; ++column) {
        auto at = static_cast<size_t>(row * strides[0] + column * strides[1]);
        EXPECT_EQ(local.at(at), 8 + row * 4 + column);
        local[at] = -1;
      }
    for (int64_t gap : local)
      EXPECT_EQ(gap, -1);
  }
}

// Sub-axes order: with [tp, dp] on one dimension, tp cuts first.
TEST(Shard, firstAxisOfADimensionIsSlowest) {
  Mesh mesh({{"dp", 2}, {"tp", 3}});
  Tensor tensor = makeTensor(mesh, {6}, {{1, 0}});
  EXPECT_EQ(Shard::of(tensor, mesh, 1).begin[0], 2); // dp 0, tp 1
  EXPECT_EQ(Shard::of(tensor, mesh, 3).begin[0], 1); // dp 1, tp 0
}

//===----------------------------------------------------------------------===//
// Manifest
//===----------------------------------------------------------------------===//

static std::string manifestMessage(const std::string &change,
                                   const std::string &to) {
  std::string text = R"({"format": 1, "mesh": [{"name": "tp", "size": 2}],
    "arena_bytes": 64, "tensors": [{"name": "w", "role": "param",
    "dtype": "f32", "shape": [4, 2], "split": [["tp"], []], "offset": 32,
    "bytes": 16}], "functions": {"loss": {"inputs": ["w"], "outputs": []}}})";
  if (size_t at = text.find(change); !change.empty())
    text.replace(at, change.size(), to);
  boost_program_function functions[] = {
      {"loss", [](boost_rt_context *, void *) {}}, {nullptr, nullptr}};
  return messageOf([&] { Program program(text.c_str(), functions); });
}

TEST(Program, damagedManifestsAreRefused) {
  EXPECT_EQ(manifestMessage("", ""), "");
  auto says = [](const char *change, const char *to, const char *part) {
    std::string message = manifestMessage(change, to);
    EXPECT_NE(message.find(part), std::string::npos) << to << ": " << message;
  };
  says("{", "", "manifest is damaged");
  says("\"format\": 1", "\"format\": 2", "format 2");
  says("\"shape\": [4, 2]", "\"shape\": [5, 2]", "does not divide");
  says("\"bytes\": 16", "\"bytes\": 32", "has 32 bytes");
  says("\"offset\": 32", "\"offset\": 60", "arena");
  says("\"functions\"",
       "\"workspace\": {\"offset\": 48, \"bytes\": 17}, \"functions\"",
       "the workspace of 17 bytes from 48 is not inside of the arena of 64");
  says("[\"tp\"]", "[\"dp\"]", "unknown axis dp");
  says("\"inputs\": [\"w\"]", "\"inputs\": [\"x\"]", "'x'");
  says("\"loss\":", "\"gain\":", "no code");
  says("\"f32\"", "\"f8\"", "element type");
  says("\"param\"", "\"weight\"", "unknown role");
  says("\"role\"", "\"of\": \"v\", \"role\"", "belongs to 'v'");
  says("\"role\"", "\"kind\": 3, \"role\"", "manifest is damaged");
  says("\"role\"", "\"feed\": \"labels\", \"role\"", "unknown feed");
  says("\"role\"", "\"feed\": 3, \"role\"", "manifest is damaged");
}
