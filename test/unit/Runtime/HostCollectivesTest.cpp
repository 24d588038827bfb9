//===- HostCollectivesTest.cpp - What travels in one message --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/HostCollectives.h"
#include "RuntimeTest.h"
#include "common/PieceList.h"

#include <algorithm>
#include <cstring>
#include <utility>

using namespace boost_rt;

namespace {

using Messages = std::vector<std::string>;

constexpr int64_t groupSize = 4, ownPosition = 2;
/// The axis tp of the mesh below.
constexpr uint32_t group = 2;

/// Position 2 of 4 ranks that all have the same; lists what it is asked to do.
class Recorder : public Communicator {
public:
  Messages messages;

  int64_t rank() const override { return ownPosition; }
  int64_t size() const override { return 2 * groupSize; }
  int64_t localSize() const override { return 1; }

  void allReduce(uint32_t of, boost_rt_reduction, boost_rt_type type,
                 void *data, int64_t count) override {
    EXPECT_EQ(of, group);
    messages.push_back(concat(nameOf(type), " ", count));
    for (int64_t i = 0; i < count && type == BOOST_RT_F32; ++i)
      static_cast<float *>(data)[i] *= groupSize;
    for (int64_t i = 0; i < count && type == BOOST_RT_F64; ++i)
      static_cast<double *>(data)[i] *= groupSize;
  }
  void reduceScatter(uint32_t of, boost_rt_reduction, boost_rt_type type,
                     const void *src, void *dst, int64_t count) override {
    EXPECT_EQ(of, group);
    messages.push_back(concat(nameOf(type), " ", count));
    int64_t bytes = count * sizeOf(type);
    std::memcpy(dst, static_cast<const char *>(src) + ownPosition * bytes,
                static_cast<size_t>(bytes));
  }
  void allGather(uint32_t of, const void *src, void *dst,
                 int64_t bytes) override {
    EXPECT_EQ(of, group);
    messages.push_back(std::to_string(bytes));
    for (int64_t p = 0; p < groupSize; ++p)
      std::memcpy(static_cast<char *>(dst) + p * bytes, src,
                  static_cast<size_t>(bytes));
  }
  void allToAll(uint32_t, const void *, void *, int64_t) override {}
  void send(const void *, int64_t, int64_t) override {}
  void receive(void *, int64_t, int64_t) override {}
  void barrier() override {}
  [[noreturn]] void abort(int) override { std::abort(); }
};

/// A tensor of a list: pieces of [outer, inner].
struct Entry {
  ElementType type;
  int64_t outer, inner;
};

std::vector<Entry> repeat(int64_t times, Entry entry) {
  return std::vector<Entry>(static_cast<size_t>(times), entry);
}

std::vector<Entry> operator+(std::vector<Entry> list, Entry entry) {
  list.push_back(entry);
  return list;
}

double valueOf(int64_t tensor, int64_t element) {
  return static_cast<double>((tensor * 7 + element) % 61);
}

/// Tensors of a list as they lie in memory.
class Tensors {
public:
  /// `pieces` of each.
  Tensors(const std::vector<Entry> &list, int64_t pieces) : list(list) {
    for (const Entry &entry : list)
      data.emplace_back(static_cast<size_t>(pieces * entry.outer * entry.inner *
                                            sizeOf(entry.type)));
  }
  void fill() {
    for (size_t t = 0; t < list.size(); ++t) {
      std::vector<double> values(count(t));
      for (size_t i = 0; i < values.size(); ++i)
        values[i] = valueOf(static_cast<int64_t>(t), static_cast<int64_t>(i));
      convertElements(BOOST_RT_F64, values.data(), list[t].type, at(t),
                      static_cast<int64_t>(values.size()));
    }
  }
  void *at(size_t tensor) { return data[tensor].data(); }
  size_t count(size_t tensor) const {
    return data[tensor].size() / static_cast<size_t>(sizeOf(list[tensor].type));
  }
  std::vector<double> valuesOf(size_t tensor) {
    std::vector<double> values(count(tensor));
    convertElements(list[tensor].type, at(tensor), BOOST_RT_F64, values.data(),
                    static_cast<int64_t>(values.size()));
    return values;
  }

private:
  std::vector<Entry> list;
  std::vector<std::vector<char>> data;
};

class HostCollectivesTest : public ::testing::Test {
protected:
  Messages allReduce(const std::vector<Entry> &list) {
    Tensors tensors(list, 1);
    tensors.fill();
    std::vector<void *> buffers;
    std::vector<int64_t> counts;
    for (size_t t = 0; t < list.size(); ++t) {
      buffers.push_back(tensors.at(t));
      counts.push_back(list[t].outer * list[t].inner);
    }
    collectives.allReduce(group, BOOST_RT_SUM, size(list), buffers.data(),
                          counts.data(), typesOf(list).data());
    for (size_t t = 0; t < list.size(); ++t) {
      std::vector<double> values = tensors.valuesOf(t);
      for (size_t i = 0; i < values.size(); ++i)
        EXPECT_EQ(values[i], groupSize * valueOf(static_cast<int64_t>(t),
                                                 static_cast<int64_t>(i)));
    }
    return std::exchange(recorder.messages, {});
  }

  Messages allGather(const std::vector<Entry> &list) {
    Tensors from(list, 1), to(list, groupSize);
    from.fill();
    move(list, from, to, [&](const PieceList &pieces) {
      collectives.allGather(group, pieces);
    });
    for (size_t t = 0; t < list.size(); ++t) {
      std::vector<double> values = to.valuesOf(t);
      forEachElement(list[t], [&](int64_t p, int64_t own, int64_t whole) {
        (void)p;
        EXPECT_EQ(values[static_cast<size_t>(whole)],
                  valueOf(static_cast<int64_t>(t), own));
      });
    }
    return std::exchange(recorder.messages, {});
  }

  Messages reduceScatter(const std::vector<Entry> &list) {
    Tensors from(list, groupSize), to(list, 1);
    from.fill();
    move(list, from, to, [&](const PieceList &pieces) {
      collectives.reduceScatter(group, BOOST_RT_SUM, pieces);
    });
    for (size_t t = 0; t < list.size(); ++t) {
      std::vector<double> values = to.valuesOf(t);
      forEachElement(list[t], [&](int64_t p, int64_t own, int64_t whole) {
        if (p == ownPosition)
          EXPECT_EQ(values[static_cast<size_t>(own)],
                    valueOf(static_cast<int64_t>(t), whole));
      });
    }
    return std::exchange(recorder.messages, {});
  }

private:
  static int64_t size(const std::vector<Entry> &list) {
    return static_cast<int64_t>(list.size());
  }
  static std::vector<int32_t> typesOf(const std::vector<Entry> &list) {
    std::vector<int32_t> types;
    for (const Entry &entry : list)
      types.push_back(entry.type);
    return types;
  }
  template <typename Function>
  static void move(const std::vector<Entry> &list, Tensors &from, Tensors &to,
                   Function function) {
    std::vector<void *> buffers;
    std::vector<int64_t> extents;
    for (size_t t = 0; t < list.size(); ++t) {
      buffers.insert(buffers.end(), {from.at(t), to.at(t)});
      extents.insert(extents.end(), {list[t].outer, list[t].inner});
    }
    std::vector<int32_t> types = typesOf(list);
    function(
        PieceList(size(list), buffers.data(), extents.data(), types.data()));
  }
  /// function(position, index in its piece, index in the whole).
  template <typename Function>
  static void forEachElement(const Entry &entry, Function function) {
    for (int64_t o = 0; o < entry.outer; ++o)
      for (int64_t p = 0; p < groupSize; ++p)
        for (int64_t i = 0; i < entry.inner; ++i)
          function(p, o * entry.inner + i,
                   (o * groupSize + p) * entry.inner + i);
  }

  Mesh mesh{{{"dp", 2}, {"tp", groupSize}}};
  Recorder recorder;
  HostCollectives collectives{mesh, recorder};
};

constexpr ElementType f32 = BOOST_RT_F32, f64 = BOOST_RT_F64,
                      bf16 = BOOST_RT_BF16, f16 = BOOST_RT_F16;

} // namespace

// From 64 KiB on a tensor travels by itself. So does one that is alone.
TEST_F(HostCollectivesTest, largeTensorsTravelByThemselves) {
  EXPECT_EQ(
      allReduce({{f32, 1, 5}, {f32, 2, 8192}, {f32, 1, 16383}, {f32, 1, 2}}),
      (Messages{"f32 16384", "f32 16390"}));
  EXPECT_EQ(allReduce({{f64, 1, 3}}), (Messages{"f64 3"}));
  // The limit is that of all ranks together.
  EXPECT_EQ(allGather({{f32, 3, 2}, {f32, 2, 2048}, {f32, 3, 1365}}),
            (Messages{"16384", "16404"}));
  EXPECT_EQ(allGather({{f32, 3, 2}}), (Messages{"24"}));
  EXPECT_EQ(reduceScatter({{f32, 3, 2}, {f32, 2, 2048}, {f32, 3, 1365}}),
            (Messages{"f32 4096", "f32 4101"}));
  EXPECT_EQ(reduceScatter({{bf16, 2, 3}}), (Messages{"f32 6"}));
  EXPECT_EQ(reduceScatter({{bf16, 1, 6}}), (Messages{"f32 6"}));
  EXPECT_EQ(reduceScatter({{f32, 1, 6}}), (Messages{"f32 6"}));
}

TEST_F(HostCollectivesTest, twoSmallTensorsTravelTogether) {
  std::vector<Entry> list{{f32, 1, 3}, {f32, 2, 2}};
  EXPECT_EQ(allReduce(list), (Messages{"f32 7"}));
  EXPECT_EQ(allGather(list), (Messages{"28"}));
  EXPECT_EQ(reduceScatter(list), (Messages{"f32 7"}));
}

// In f32: they go with tensors of that type, but not with those of another.
TEST_F(HostCollectivesTest, shortFloatsTravelWithLongOnes) {
  std::vector<Entry> list{{bf16, 2, 3}, {f32, 1, 5}, {f64, 1, 7}, {bf16, 1, 1}};
  EXPECT_EQ(allReduce(list), (Messages{"f32 11", "f64 7", "f32 1"}));
  EXPECT_EQ(reduceScatter(list), (Messages{"f32 11", "f64 7", "f32 1"}));
  EXPECT_EQ(allReduce({{f16, 1, 3}, {f32, 1, 5}}), (Messages{"f32 8"}));
  EXPECT_EQ(reduceScatter({{f16, 1, 3}, {f32, 1, 5}}), (Messages{"f32 8"}));
  // Bytes are gathered whatever they mean.
  EXPECT_EQ(allGather(list), (Messages{"90"}));
  // Their unpadded size counts: these are 64 KiB alone.
  EXPECT_EQ(reduceScatter({{f32, 1, 1}, {bf16, 4, 2048}, {bf16, 1, 8191}}),
            (Messages{"f32 8192", "f32 8192"}));
}

TEST_F(HostCollectivesTest, noMessageHasMoreThan256Tensors) {
  EXPECT_EQ(allReduce(repeat(256, {f32, 1, 3})), (Messages{"f32 768"}));
  EXPECT_EQ(allReduce(repeat(257, {f32, 1, 3})),
            (Messages{"f32 768", "f32 3"}));
  EXPECT_EQ(allGather(repeat(256, {f32, 2, 1})), (Messages{"2048"}));
  EXPECT_EQ(allGather(repeat(257, {f32, 2, 1})), (Messages{"2048", "8"}));
  EXPECT_EQ(reduceScatter(repeat(256, {f32, 2, 1})), (Messages{"f32 512"}));
  EXPECT_EQ(reduceScatter(repeat(257, {f32, 2, 1})),
            (Messages{"f32 512", "f32 2"}));
}

TEST_F(HostCollectivesTest, noMessageHasMoreThan4MiB) {
  // A tensor may be reduced in two messages.
  auto sums = repeat(64, {f32, 1, 16383});
  EXPECT_EQ(allReduce(sums + Entry{f32, 1, 64}), (Messages{"f32 1048576"}));
  EXPECT_EQ(allReduce(sums + Entry{f32, 1, 67}),
            (Messages{"f32 1048576", "f32 3"}));
  EXPECT_EQ(allReduce({{bf16, 1, 1048579}}),
            (Messages{"f32 1048576", "f32 3"}));
  auto pieces = repeat(64, {f32, 3, 1365});
  EXPECT_EQ(allGather(pieces + Entry{f32, 2, 32}), (Messages{"1048576"}));
  EXPECT_EQ(allGather(pieces + Entry{f32, 1, 65}),
            (Messages{"1048320", "260"}));
  EXPECT_EQ(reduceScatter(pieces + Entry{f32, 2, 32}),
            (Messages{"f32 262144"}));
  EXPECT_EQ(reduceScatter(pieces + Entry{f32, 1, 65}),
            (Messages{"f32 262080", "f32 65"}));
}

TEST_F(HostCollectivesTest, nothingIsNoMessage) {
  EXPECT_EQ(allReduce({}), Messages());
  EXPECT_EQ(allGather({}), Messages());
  EXPECT_EQ(reduceScatter({}), Messages());
}

// Dimension 1 is split over four ranks, and their pieces are concatenated along
// dimension 2, or the other way round.
TEST_F(HostCollectivesTest, blocksOfAnAllToAll) {
  auto expectBlocks = [](const BlockTransposition &blocks, int64_t rows,
                         int64_t columns, int64_t bytes) {
    EXPECT_EQ(blocks.rows, rows);
    EXPECT_EQ(blocks.columns, columns);
    EXPECT_EQ(blocks.bytes, bytes);
  };
  const int64_t shape[] = {2, 8, 12, 5};
  constexpr int64_t pieceElements = 2 * 8 * 12 * 5 / groupSize;
  AllToAllLayout forward(groupSize, f32, 4, shape, 1, 2);
  EXPECT_EQ(forward.pieceBytes, pieceElements * 4);
  expectBlocks(forward.packing, groupSize, 2, 2 * 12 * 5 * 4);
  expectBlocks(forward.unpacking, 2 * 2, groupSize, 12 * 5 * 4);
  AllToAllLayout backward(groupSize, bf16, 4, shape, 2, 1);
  EXPECT_EQ(backward.pieceBytes, pieceElements * 2);
  expectBlocks(backward.packing, groupSize, 2 * 8, 3 * 5 * 2);
  expectBlocks(backward.unpacking, 2, groupSize, 8 * 3 * 5 * 2);
}
