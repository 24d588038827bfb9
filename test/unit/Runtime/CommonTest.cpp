//===- CommonTest.cpp - Random numbers, schedule, mesh, shards, manifest --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeTest.h"
#include "common/LearningRate.h"
#include "common/Permutation.h"
#include "common/Program.h"
#include "common/Shard.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>

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

// All bits of the seed and of the number of a block count: Box-Muller of
// Philox, computed independently.
TEST(NormalStream, knownAnswers) {
  NormalStream stream((uint64_t(7) << 32) + 3, "table");
  auto expectBlock = [&](int64_t block, const std::array<double, 4> &expected) {
    stream.generate(4 * block, 4, [&](int64_t i, double value) {
      EXPECT_NEAR(value, expected[static_cast<size_t>(i % 4)], 1e-12) << i;
    });
  };
  expectBlock(0, {-1.0629755872854227, 1.3246124802223511, 0.027174316904135087,
                  -1.1682941829751838});
  expectBlock(int64_t(1) << 33, {-1.1970345380030987, 1.201425282424788,
                                 -0.499710953518784, 2.0927089970984247});
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

// Parts that begin and end anywhere, also longer than what is computed at once.
TEST(NormalStream, writesWhatItGenerates) {
  NormalStream stream(5, "w");
  constexpr int64_t count = 1000;
  std::vector<float> expected;
  stream.generate(0, count, [&](int64_t, double value) {
    expected.push_back(static_cast<float>(0.02 * value));
  });
  for (int64_t begin : {0, 1, 3, 4, 255, 256, 257})
    for (int64_t length : {0, 1, 4, 255, 256, 300, 700}) {
      std::vector<float> part(static_cast<size_t>(length));
      stream.write(begin, length, 0.02, part.data());
      EXPECT_TRUE(
          std::equal(part.begin(), part.end(), expected.begin() + begin))
          << begin << " " << length;
    }
}

// Every machine starts from these bits, whatever its vectors and its libm.
TEST(NormalStream, hasTheSameBitsOnEveryMachine) {
  std::vector<double> values;
  NormalStream(11, "bits").generate(0, 1 << 16, [&](int64_t, double value) {
    values.push_back(value);
  });
  std::string_view bytes(reinterpret_cast<const char *>(values.data()),
                         values.size() * sizeof(double));
  EXPECT_EQ(fnv1a(bytes), 0x4159b56a51be6f8cu);
}

// Against the C library's functions, whose own errors are about as large.
TEST(NormalStream, isBoxMullerOfPhilox) {
  uint64_t hash = fnv1a("exact");
  NormalStream(2, "exact").generate(0, 1 << 18, [&](int64_t i, double value) {
    auto bits = philox4x32({static_cast<uint32_t>(i / 4), 0,
                            static_cast<uint32_t>(hash),
                            static_cast<uint32_t>(hash >> 32)},
                           {2, 0});
    size_t pair = static_cast<size_t>(i % 4 / 2);
    double u = (bits[2 * pair] + 0.5) * 0x1p-32;
    double angle = 2.0 * M_PI * ((bits[2 * pair + 1] + 0.5) * 0x1p-32);
    double radius = std::sqrt(-2.0 * std::log(u));
    double expected = radius * (i % 2 ? std::sin(angle) : std::cos(angle));
    ASSERT_NEAR(value, expected, 1e-14) << i;
  });
}

// 5 ns on a core of its own; the time of the process, since others may have the
// core now and then. One element after the other took more than 100 ns.
TEST(NormalStream, takesNanoseconds) {
#if defined(__OPTIMIZE__) && !__has_feature(address_sanitizer) &&              \
    !__has_feature(undefined_behavior_sanitizer)
  constexpr int64_t count = int64_t(1) << 22, part = 1 << 14;
  std::vector<float> out(part);
  std::clock_t start = std::clock();
  for (int64_t i = 0; i < count; i += part)
    NormalStream(1, "fast").write(i, part, 0.02, out.data());
  double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  EXPECT_LT(seconds / count, 30e-9);
#endif
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
  EXPECT_EQ(bitsOf(__truncdfbf2(-HUGE_VAL)), 0xff80);
  EXPECT_EQ(bitsOf(__truncdfbf2(__builtin_nan("1"))) & 0x7fc0, 0x7fc0);
  EXPECT_EQ(bitsOf(__truncdfbf2(0x1p-149)), 0);
}

TEST(LearningRate, warmsUpAndFollowsTheCosine) {
  LearningRate learningRate{Decay::cosine, 1.0, 0.1, 4, 10};
  EXPECT_DOUBLE_EQ(learningRate.rate(1), 0.25);
  EXPECT_DOUBLE_EQ(learningRate.rate(4), 1.0);
  EXPECT_DOUBLE_EQ(learningRate.rate(7), 0.55);
  EXPECT_DOUBLE_EQ(learningRate.rate(10), 0.1);
  EXPECT_DOUBLE_EQ(learningRate.rate(13), 0.1);
}

TEST(LearningRate, withoutWarmup) {
  LearningRate learningRate{Decay::cosine, 1.0, 0.0, 0, 2};
  EXPECT_DOUBLE_EQ(learningRate.rate(1), 0.5);
  EXPECT_DOUBLE_EQ(learningRate.rate(2), 0.0);
}

TEST(LearningRate, warmupOnly) {
  LearningRate learningRate{Decay::cosine, 1.0, 0.0, 3, 3};
  EXPECT_DOUBLE_EQ(learningRate.rate(3), 1.0);
}

TEST(LearningRate, linearEndsAtTheFloor) {
  LearningRate learningRate{Decay::linear, 1.0, 0.2, 2, 6};
  EXPECT_DOUBLE_EQ(learningRate.rate(1), 0.5);
  EXPECT_DOUBLE_EQ(learningRate.rate(2), 1.0);
  EXPECT_DOUBLE_EQ(learningRate.rate(3), 0.8);
  EXPECT_DOUBLE_EQ(learningRate.rate(6), 0.2);
}

TEST(LearningRate, constantStaysAtThePeak) {
  LearningRate learningRate{Decay::constant, 0.5, 0.5, 2, 6};
  EXPECT_DOUBLE_EQ(learningRate.rate(1), 0.25);
  EXPECT_DOUBLE_EQ(learningRate.rate(3), 0.5);
  EXPECT_DOUBLE_EQ(learningRate.rate(6), 0.5);
  // Whatever the rate at the end of others.
  learningRate.floor = 0.25;
  EXPECT_DOUBLE_EQ(learningRate.rate(6), 0.5);
}

TEST(LearningRate, wsdDecaysInItsLastSteps) {
  LearningRate learningRate{Decay::wsd, 1.0, 0.0, 2, 10, 4};
  EXPECT_DOUBLE_EQ(learningRate.rate(1), 0.5);
  EXPECT_DOUBLE_EQ(learningRate.rate(6), 1.0);
  EXPECT_DOUBLE_EQ(learningRate.rate(7), 0.75);
  EXPECT_DOUBLE_EQ(learningRate.rate(10), 0.0);
  learningRate.decaySteps = 0;
  EXPECT_DOUBLE_EQ(learningRate.rate(10), 1.0);
}

//===----------------------------------------------------------------------===//
// Permutation
//===----------------------------------------------------------------------===//

// Sizes 4, 16, 64, ... and their neighbors, where the number of bits changes.
TEST(Permutation, hasEveryNumberOnce) {
  for (int64_t size : {1, 2, 3, 4, 5, 15, 16, 17, 63, 64, 65, 1000}) {
    Permutation permutation(size, 7, 3);
    std::vector<int> seen(static_cast<size_t>(size));
    for (int64_t i = 0; i < size; ++i)
      ++seen.at(static_cast<size_t>(permutation[i]));
    EXPECT_EQ(seen, std::vector<int>(seen.size(), 1)) << size;
  }
}

TEST(Permutation, dependsOnSeedAndStream) {
  auto order = [](uint64_t seed, uint64_t stream) {
    Permutation permutation(64, seed, stream);
    std::vector<int64_t> numbers;
    for (int64_t i = 0; i < 64; ++i)
      numbers.push_back(permutation[i]);
    return numbers;
  };
  std::vector<int64_t> first = order(1, 2);
  EXPECT_EQ(order(1, 2), first);
  EXPECT_FALSE(std::is_sorted(first.begin(), first.end()));
  constexpr uint64_t upper = uint64_t(1) << 32;
  for (auto [seed, stream] :
       {std::pair(2ul, 1ul), {3, 2}, {1, 3}, {1 + upper, 2}, {1, 2 + upper}})
    EXPECT_NE(order(seed, stream), first) << seed << " " << stream;
}

// A resumed run goes on in the order that another build began: eight Feistel
// rounds of Philox, computed independently.
TEST(Permutation, staysTheSame) {
  Permutation permutation(10, 5, 1);
  std::vector<int64_t> order;
  for (int64_t i = 0; i < 10; ++i)
    order.push_back(permutation[i]);
  EXPECT_EQ(order, (std::vector<int64_t>{8, 5, 0, 6, 4, 1, 9, 7, 3, 2}));
}

TEST(Permutation, ofManyNumbers) {
  constexpr int64_t size = int64_t(1) << 62;
  Permutation permutation(size, 1, 2);
  std::vector<int64_t> numbers;
  for (int64_t i : {int64_t(0), int64_t(1), size / 2, size - 1})
    numbers.push_back(permutation[i]);
  std::sort(numbers.begin(), numbers.end());
  EXPECT_EQ(std::unique(numbers.begin(), numbers.end()), numbers.end());
  EXPECT_GE(numbers.front(), 0);
  EXPECT_LT(numbers.back(), size);
  EXPECT_GT(numbers.back(), size / 16);
}

//===----------------------------------------------------------------------===//
// The mesh and its ranks
//===----------------------------------------------------------------------===//

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

namespace {
/// A variable of the environment while the object lives.
class Variable {
public:
  Variable(const char *name, const std::string &value) : name(name) {
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() { ::unsetenv(name); }

private:
  const char *name;
};
} // namespace

// Variables of Open MPI, PMIx and PMI, in this order.
TEST(Launcher, isKnownByItsEnvironment) {
  EXPECT_EQ(launcherRank(), 0);
  EXPECT_EQ(launcherLocalRank(), 0);
  EXPECT_EQ(launcherSize(), 1);
  Variable pmi("PMI_RANK", "7");
  EXPECT_EQ(launcherRank(), 7);
  EXPECT_EQ(launcherLocalRank(), 7);
  for (const char *none : {"", "5x", "x"}) {
    Variable openMPI("OMPI_COMM_WORLD_RANK", none);
    EXPECT_EQ(launcherRank(), 7) << none;
  }
  Variable openMPI("OMPI_COMM_WORLD_RANK", "6");
  EXPECT_EQ(launcherRank(), 6);
  Variable local("OMPI_COMM_WORLD_LOCAL_RANK", "2");
  EXPECT_EQ(launcherLocalRank(), 2);
  Variable size("PMI_SIZE", "9");
  EXPECT_EQ(launcherSize(), 9);
}

TEST(Communicator, refusesAnotherNumberOfRanks) {
  auto message = [](int64_t size, const char *ranks) {
    Variable started("OMPI_COMM_WORLD_SIZE", ranks);
    return messageOf(
        [&] { createCommunicator(Mesh({{"tp", size}}), {"./gpt"}); });
  };
  const std::string remedy = " ...`, or compile it for another --mesh";
  EXPECT_EQ(message(1, "2"), "this program was compiled for 1 rank (mesh "
                             "tp=1), but 2 were started; run `./gpt" +
                                 remedy);
  EXPECT_EQ(message(2, "3"),
            "this program was compiled for 2 ranks (mesh tp=2), but 3 were "
            "started; run `mpirun -np 2 ./gpt" +
                remedy);
  EXPECT_EQ(messageOf([] { refuseRankCount(Mesh({{"tp", 4}}), 1, "./gpt"); }),
            "this program was compiled for 4 ranks (mesh tp=4), but 1 was "
            "started; run `mpirun -np 4 ./gpt" +
                remedy);
  EXPECT_EQ(message(1, "1"), "");
}

// One rank receives the bytes that it sends.
TEST(Communicator, ofOneRankCopies) {
  auto communicator = createLocalCommunicator();
  const std::vector<int32_t> source{1, 2, 3, 4};
  std::vector<int32_t> gathered(4), scattered(4), exchanged(4);
  communicator->allGather(1, source.data(), gathered.data(), 12);
  EXPECT_EQ(gathered, (std::vector<int32_t>{1, 2, 3, 0}));
  communicator->allToAll(1, source.data(), exchanged.data(), 8);
  EXPECT_EQ(exchanged, (std::vector<int32_t>{1, 2, 0, 0}));
  communicator->reduceScatter(1, BOOST_RT_SUM, BOOST_RT_I32, source.data(),
                              scattered.data(), 3);
  EXPECT_EQ(scattered, gathered);
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
  tensor.offsets = {0};
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

TEST(Tensor, memoryOfPackedTensorsHasGaps) {
  Tensor tensor = makeTensor(Mesh({{"tp", 1}}), {2, 3}, {{}, {}});
  EXPECT_EQ(tensor.localStrides(), (std::vector<int64_t>{3, 1}));
  EXPECT_EQ(tensor.localExtent(), 24);
  tensor.strides = {10, 2};
  EXPECT_EQ(tensor.localExtent(), 4 * (10 + 2 * 2 + 1));
  tensor.localShape = {2, 0};
  EXPECT_EQ(tensor.localExtent(), 0);
  EXPECT_EQ(makeTensor(Mesh({{"tp", 1}}), {}, {}).localExtent(), 4);
}

// The first copy: coordinate 0 on the axes that do not shard it.
TEST(Shard, isOwnedOnce) {
  Mesh mesh({{"dp", 2}, {"tp", 2}});
  auto owners = [&](std::vector<std::vector<unsigned>> split) {
    Tensor tensor = makeTensor(mesh, {4, 4}, std::move(split));
    std::vector<int64_t> ranks;
    for (int64_t rank = 0; rank < 4; ++rank)
      if (ownsShard(tensor, mesh, rank))
        ranks.push_back(rank);
    return ranks;
  };
  EXPECT_EQ(owners({{}, {}}), (std::vector<int64_t>{0}));
  EXPECT_EQ(owners({{0}, {}}), (std::vector<int64_t>{0, 2}));
  EXPECT_EQ(owners({{}, {1}}), (std::vector<int64_t>{0, 1}));
  EXPECT_EQ(owners({{1}, {0}}), (std::vector<int64_t>{0, 1, 2, 3}));
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
      {"loss", [](boost_rt_context *, void *, void *) {}}, {nullptr, nullptr}};
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
  says("\"bytes\": 16", "\"bytes\": 32",
       "of local shape [2, 2] and type f32 has 32 bytes");
  EXPECT_EQ(manifestMessage("\"offset\": 32", "\"offset\": 48"), "");
  EXPECT_EQ(manifestMessage("\"offset\": 32", "\"offset\": 0"), "");
  says("\"offset\": 32", "\"offset\": 49", "does not lie in the arena");
  says("\"offset\": 32", "\"offset\": -1", "does not lie in the arena");
  // With strides it takes 4 (10 + 1 + 1) bytes.
  const char *strides = "\"offset\": 16, \"strides\": [10, 1]";
  EXPECT_EQ(manifestMessage("\"offset\": 32", strides), "");
  says("\"offset\": 32", "\"offset\": 17, \"strides\": [10, 1]",
       "does not lie in the arena");
  says("\"role\"", "\"strides\": [2], \"role\"",
       "has 1 strides for 2 dimensions");
  says("[[\"tp\"], []]", "[[], [], []]", "splits more dimensions than it has");
  says("\"size\": 2", "\"size\": 0", "mesh axis 'tp' has size 0");
  says("\"role\"", "\"partial\": [\"dp\"], \"role\"",
       "is a sum over the unknown axis \"dp\"");
  EXPECT_EQ(manifestMessage("\"role\"", "\"partial\": [\"tp\"], \"role\""), "");
  says("\"role\"", "\"init\": \"param\", \"role\"",
       "starts as a parameter, but belongs to none");
  says("\"functions\"",
       "\"workspace\": {\"offset\": 48, \"bytes\": 17}, \"functions\"",
       "the workspace of 17 bytes from 48 is not inside of the arena of 64");
  auto workspace = [](int64_t offset, int64_t bytes) {
    return manifestMessage("\"functions\"",
                           concat("\"workspace\": {\"offset\": ", offset,
                                  ", \"bytes\": ", bytes, "}, \"functions\""));
  };
  EXPECT_EQ(workspace(0, 64), "");
  EXPECT_EQ(workspace(40, 24), "");
  EXPECT_EQ(workspace(64, 0), "");
  for (auto [offset, bytes] :
       {std::pair(0, 65), {64, 1}, {65, 0}, {65, -1}, {-1, 8}, {8, -1}})
    EXPECT_NE(workspace(offset, bytes).find("is not inside of the arena of 64"),
              std::string::npos)
        << offset << ", " << bytes;
  says("[\"tp\"]", "[\"dp\"]", "unknown axis dp");
  says("\"inputs\": [\"w\"]", "\"inputs\": [\"x\"]", "'x'");
  says("\"loss\":", "\"gain\":", "no code");
  says("\"f32\"", "\"f8\"", "element type");
  says("\"param\"", "\"weight\"", "unknown role");
  says("\"role\"", "\"of\": \"v\", \"role\"", "belongs to 'v'");
  says("\"role\"", "\"kind\": 3, \"role\"", "manifest is damaged");
  for (const char *name : {"next_sample", "option"})
    says("\"role\"", concat("\"", name, "\": 1, \"role\"").c_str(),
         concat("has '", name, "', but is no hyper-parameter").c_str());
  for (const char *role : {"\"hyper\"", "\"metric\""})
    says("\"param\"", role, " 'w' of shape [4, 2] is no single number");
  says("\"role\"", "\"feed\": \"labels\", \"role\"", "unknown feed");
  says("\"role\"", "\"feed\": 3, \"role\"", "manifest is damaged");
  says("\"role\"", "\"micro_batches\": 0, \"role\"", "has 0 micro-batches");
  says("\"role\"", "\"micro_batches\": 4611686018427387904, \"role\"",
       "has 4611686018427387904 micro-batches");
  EXPECT_EQ(manifestMessage("\"role\"", "\"micro_batches\": 3, \"role\""), "");
  says("\"functions\"",
       R"("verify": {"function": "loss", "program": "p", "probes": []},
          "functions")",
       "schedule 'probe' is missing");
  says("\"functions\"",
       R"("verify": {"function": "loss", "program": "p", "probes": [
            {"name": "h", "dtype": "f32", "shape": [], "function": "fly"}]},
          "functions")",
       "a probe of 'h' is in 'fly', which is no function");
  says(R"("functions": {"loss": {)",
       R"("verify": {"function": "verify", "program": "p", "probes": []},
          "functions": {"loss": {"part_of": "verify", )",
       "schedule 'probe' is missing");
  auto schedule = [](const char *microBatches, const char *calls) {
    return manifestMessage(
        "\"functions\"",
        concat(R"("schedules": {"train": {"micro_batches": )", microBatches,
               R"(, "calls": [)", calls, R"(]}}, "functions")"));
  };
  auto expectDamaged = [](const std::string &message, const char *part) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  EXPECT_EQ(schedule("2", R"({"function": "loss", "micro_batch": 1})"), "");
  expectDamaged(schedule("1", R"({"function": "fly"})"),
                "schedule 'train' calls 'fly', which is no function");
  expectDamaged(schedule("2", R"({"function": "loss", "micro_batch": 2})"),
                "of 2 micro-batches computes on micro-batch 2");
  expectDamaged(schedule("2", R"({"function": "loss", "micro_batch": -1})"),
                "computes on micro-batch -1");
  expectDamaged(schedule("1", ""), "has 1 micro-batches and 0 calls");
  expectDamaged(schedule("0", R"({"function": "loss"})"),
                "has 0 micro-batches and 1 calls");
  auto site = [](const char *number) {
    return manifestMessage(
        "\"functions\"",
        concat(
            R"("plan": {"collectives": [{"kind": "all_reduce", "bytes": 4},)",
            R"({"kind": "all_reduce", "bytes": 4, "site": )", number,
            R"(}]}, "functions")"));
  };
  EXPECT_EQ(site("1"), "");
  EXPECT_EQ(site("0"), "this program's manifest is damaged: collective 1 of "
                       "the plan names another site; compile the program "
                       "again");
}

static std::string meshOf(int axes) {
  std::string text;
  for (int i = 0; i < axes; ++i)
    text += concat(i ? ", " : "", R"({"name": "a)", i, R"(", "size": 1})");
  return text;
}

TEST(Program, meshesHaveOneToEightAxes) {
  auto message = [](int axes) {
    std::string text = R"({"format": 1, "mesh": [)" + meshOf(axes) +
                       R"(], "arena_bytes": 64, "tensors": [],
                           "functions": {}})";
    boost_program_function functions[] = {{nullptr, nullptr}};
    return messageOf([&] { Program program(text.c_str(), functions); });
  };
  EXPECT_NE(message(0).find("has 0 axes, expected 1 to 8"), std::string::npos);
  EXPECT_EQ(message(1), "");
  EXPECT_EQ(message(8), "");
  EXPECT_NE(message(9).find("has 9 axes, expected 1 to 8"), std::string::npos);
}

// Roles that a program reads, and roles that it only returns.
TEST(Program, inputsAndResults) {
  for (Role role : {Role::param, Role::frozen, Role::constant, Role::state,
                    Role::accumulator, Role::batch, Role::hyper})
    EXPECT_TRUE(isInput(role)) << nameOf(role);
  for (Role role : {Role::gradient, Role::loss, Role::metric, Role::output})
    EXPECT_FALSE(isInput(role)) << nameOf(role);
}

// A parameter, two states of it and a batch.
TEST(Program, tensorsAreFoundByRoleAndKind) {
  auto entry = [](const char *name, const char *rest) {
    return concat(R"({"name": ")", name,
                  R"(", "dtype": "f32", "shape": [2], "offset": 0,
                     "bytes": 8, )",
                  rest, "}");
  };
  auto parse = [&](const std::string &more) {
    static const boost_program_function functions[] = {{nullptr, nullptr}};
    std::string text = concat(
        R"({"format": 1, "mesh": [{"name": "tp", "size": 1}],
            "arena_bytes": 64, "functions": {}, "tensors": [)",
        entry("w", R"("role": "param")"), ",",
        entry("m", R"("role": "state", "kind": "m", "of": "w")"), ",",
        entry("v", R"("role": "state", "of": "w", "init": "param")"), more,
        "]}");
    return Program(text.c_str(), functions);
  };
  Program program = parse("," + entry("x", R"("role": "batch")"));
  EXPECT_EQ(program.only(Role::param).name, "w");
  EXPECT_EQ(program.find(Role::state, "m"), &program.tensor("m"));
  EXPECT_EQ(program.find(Role::param, "m"), nullptr);
  EXPECT_EQ(program.initialOf(program.tensor("v")).name, "w");
  EXPECT_EQ(program.initialOf(program.tensor("m")).name, "m");
  std::vector<std::string> names;
  for (const Tensor *tensor : program.startingAsParameters())
    names.push_back(tensor->name);
  EXPECT_EQ(names, (std::vector<std::string>{"w", "v"}));
  auto damage = [](auto function) {
    return messageOf(function).substr(
        std::strlen("this program's manifest is damaged: "));
  };
  const std::string again = "; compile the program again";
  EXPECT_EQ(damage([&] { parse("," + entry("c", R"("role": "constant")")); }),
            "it has constants, but names no file of them" + again);
  EXPECT_EQ(damage([&] { program.only(Role::state); }),
            "it has 2 tensors of the role state, expected one" + again);
  EXPECT_EQ(damage([&] { program.tensor("y"); }),
            "tensor 'y' is missing" + again);
  EXPECT_EQ(damage([&] { parse("," + entry("w", R"("role": "batch")")); }),
            "tensor 'w' is listed twice" + again);
  EXPECT_EQ(
      damage([&] { parse("," + entry("y", R"("role": "state", "of": "m")")); }),
      "tensor 'y' belongs to 'm', which is not a parameter" + again);
}
