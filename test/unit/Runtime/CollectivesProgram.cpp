//===- CollectivesProgram.cpp - Collectives on four ranks -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs under mpirun -np 4 on mesh dp=2 x tp=2. Every rank knows what every
// other rank sends, so each checks its own results; the exit code is the number
// of ranks that found a difference.
//
//===----------------------------------------------------------------------===//

#include "common/ElementType.h"
#include "cpu/Context.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

using namespace boost_rt;

static const Mesh mesh({{"dp", 2}, {"tp", 2}});
static int failures = 0;

static void expectEqual(const std::string &what, double actual,
                        double expected) {
  if (actual == expected)
    return;
  ++failures;
  std::fprintf(stderr, "rank %lld: %s: expected %g, got %g\n",
               static_cast<long long>(launcherRank()), what.c_str(), expected,
               actual);
}

/// Element i of what `rank` contributes: small integers, exact in every type.
static double contribution(int64_t rank, int64_t i) {
  return static_cast<double>((rank + 1) * (i % 5 + 1));
}

/// The ranks of one group, by position.
static std::vector<int64_t> membersOf(int64_t rank, uint32_t group) {
  std::vector<int64_t> members(static_cast<size_t>(mesh.groupSize(group)));
  for (int64_t other = 0; other < mesh.size(); ++other)
    if (mesh.groupIndex(other, group) == mesh.groupIndex(rank, group))
      members[static_cast<size_t>(mesh.groupPosition(other, group))] = other;
  return members;
}

template <typename T>
static std::vector<T> contributionOf(int64_t rank, int64_t count) {
  std::vector<T> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(T(static_cast<float>(contribution(rank, i))));
  return values;
}

static double reduce(boost_rt_reduction reduction,
                     const std::vector<int64_t> &members, int64_t i) {
  double result = contribution(members[0], i);
  for (size_t p = 1; p < members.size(); ++p) {
    double value = contribution(members[p], i);
    if (reduction == BOOST_RT_SUM)
      result += value;
    else if ((reduction == BOOST_RT_MAX) == (value > result))
      result = value;
  }
  return result;
}

namespace {
class Checks {
public:
  Checks(boost_rt_context &context, uint32_t group)
      : context(context), group(static_cast<int32_t>(group)),
        rank(context.communicator.rank()), members(membersOf(rank, group)),
        position(mesh.groupPosition(rank, group)), size(mesh.groupSize(group)) {
  }

  void all() {
    int32_t index = -1;
    boost_rt_process_index(&context, group, &index);
    expectEqual("process_index", index, static_cast<double>(position));
    for (auto reduction : {BOOST_RT_SUM, BOOST_RT_MAX, BOOST_RT_MIN}) {
      allReduce<float>(BOOST_RT_F32, reduction, 37);
      allReduce<BFloat16>(BOOST_RT_BF16, reduction, 37);
      allReduce<Float16>(BOOST_RT_F16, reduction, 37);
      allReduce<double>(BOOST_RT_F64, reduction, 37);
      allReduce<int32_t>(BOOST_RT_I32, reduction, 37);
    }
    // More than one packing buffer: in place for f32, in pieces for bf16.
    allReduce<float>(BOOST_RT_F32, BOOST_RT_SUM, 1200000);
    allReduce<BFloat16>(BOOST_RT_BF16, BOOST_RT_SUM, 2500000);
    allReduceMixed();
    allReduceBooleans();
    for (int64_t outer : {1, 3}) {
      allGather({{outer, 4}});
      reduceScatter({{outer, 4}}, BOOST_RT_SUM);
      allSlice(outer, 4);
    }
    for (auto reduction : {BOOST_RT_SUM, BOOST_RT_MAX, BOOST_RT_MIN})
      reduceScatter(manyTensors(), reduction);
    allGather(manyTensors());
    for (int64_t root = 0; root < size; ++root)
      broadcast(root);
    allToAll();
  }

  /// More than one part of it is on its way at a time.
  void large() { reduceScatter({{1, 1100000}}, BOOST_RT_SUM); }

private:
  template <typename T>
  void allReduce(ElementType type, boost_rt_reduction reduction,
                 int64_t count) {
    auto values = contributionOf<T>(rank, count);
    void *buffers[] = {values.data()};
    int32_t types[] = {type};
    boost_rt_all_reduce(&context, 0, group, reduction, 1, buffers, &count,
                        types);
    for (int64_t i = 0; i < count; ++i)
      expectEqual(std::string("all_reduce ") + nameOf(type),
                  static_cast<double>(values[static_cast<size_t>(i)]),
                  reduce(reduction, members, i));
  }

  /// A long list of tensors of changing types and sizes in one launch.
  void allReduceMixed() {
    std::vector<std::vector<float>> singles;
    std::vector<std::vector<BFloat16>> halves;
    for (int64_t i = 0; i < 300; ++i) {
      singles.push_back(contributionOf<float>(rank, i % 7 + 1));
      halves.push_back(contributionOf<BFloat16>(rank, i % 3 + 1));
    }
    auto large = contributionOf<float>(rank, 1100000);
    auto wide = contributionOf<double>(rank, 11);
    std::vector<void *> buffers;
    std::vector<int64_t> counts;
    std::vector<int32_t> types;
    auto add = [&](auto &values, ElementType type) {
      buffers.push_back(values.data());
      counts.push_back(static_cast<int64_t>(values.size()));
      types.push_back(type);
    };
    for (size_t i = 0; i < singles.size(); ++i) {
      add(singles[i], BOOST_RT_F32);
      add(halves[i], BOOST_RT_BF16);
    }
    add(wide, BOOST_RT_F64);
    add(large, BOOST_RT_F32);
    boost_rt_all_reduce(&context, 0, group, BOOST_RT_SUM,
                        static_cast<int64_t>(buffers.size()), buffers.data(),
                        counts.data(), types.data());
    auto check = [&](const auto &values) {
      for (size_t i = 0; i < values.size(); ++i)
        expectEqual("mixed all_reduce", static_cast<double>(values[i]),
                    reduce(BOOST_RT_SUM, members, static_cast<int64_t>(i)));
    };
    for (const auto &values : singles)
      check(values);
    for (const auto &values : halves)
      check(values);
    check(wide);
    check(large);
  }

  /// Sums are disjunctions: a byte stays 0 or 1. Rank r has the bits of r.
  void allReduceBooleans() {
    for (auto reduction : {BOOST_RT_SUM, BOOST_RT_MAX, BOOST_RT_MIN}) {
      std::vector<uint8_t> bits;
      for (int64_t bit = 0; bit < 2; ++bit)
        bits.push_back(rank >> bit & 1);
      void *buffers[] = {bits.data()};
      int64_t count = 2;
      int32_t types[] = {BOOST_RT_I1};
      boost_rt_all_reduce(&context, 0, group, reduction, 1, buffers, &count,
                          types);
      for (int64_t bit = 0; bit < 2; ++bit) {
        int64_t all = 1, any = 0;
        for (int64_t member : members) {
          all &= member >> bit;
          any |= member >> bit & 1;
        }
        expectEqual("all_reduce of booleans", bits[static_cast<size_t>(bit)],
                    static_cast<double>(reduction == BOOST_RT_MIN ? all : any));
      }
    }
  }

  /// A piece of a tensor.
  struct Extents {
    int64_t outer, inner;
  };

  /// More small ones than one message takes, a large one in between, one that
  /// is large only as a sum over ranks, and one without elements.
  static std::vector<Extents> manyTensors() {
    std::vector<Extents> tensors;
    for (int64_t i = 0; i < 300; ++i)
      tensors.push_back({i % 3 + 1, i % 7 + 1});
    tensors.push_back({1, 150000});
    tensors.push_back({5, 30000});
    tensors.push_back({3, 3000});
    tensors.push_back({2, 0});
    tensors.push_back({1, 2});
    return tensors;
  }

  /// Tensors of f32 and bf16 in turns, in one launch.
  struct Launch {
    std::vector<std::vector<float>> floats, floatResults;
    std::vector<std::vector<BFloat16>> halves, halfResults;
    std::vector<void *> buffers;
    std::vector<int64_t> extents;
    std::vector<int32_t> types;

    Launch(int64_t rank, const std::vector<Extents> &tensors, int64_t srcPieces,
           int64_t dstPieces) {
      for (size_t i = 0; i < tensors.size(); ++i) {
        int64_t piece = tensors[i].outer * tensors[i].inner;
        add(floats, floatResults, rank, srcPieces * piece, dstPieces * piece,
            i % 2 == 0);
        add(halves, halfResults, rank, srcPieces * piece, dstPieces * piece,
            i % 2 == 1);
        types.push_back(i % 2 == 0 ? BOOST_RT_F32 : BOOST_RT_BF16);
        extents.insert(extents.end(), {tensors[i].outer, tensors[i].inner});
      }
    }
    template <typename T>
    void add(std::vector<std::vector<T>> &sources,
             std::vector<std::vector<T>> &results, int64_t rank,
             int64_t srcCount, int64_t dstCount, bool isUsed) {
      sources.push_back(contributionOf<T>(rank, isUsed ? srcCount : 0));
      results.emplace_back(static_cast<size_t>(isUsed ? dstCount : 0));
      if (isUsed)
        buffers.insert(buffers.end(),
                       {sources.back().data(), results.back().data()});
    }
    int64_t size() const { return static_cast<int64_t>(types.size()); }
    double result(size_t tensor, int64_t element) const {
      auto at = static_cast<size_t>(element);
      return tensor % 2 == 0 ? static_cast<double>(floatResults[tensor][at])
                             : static_cast<double>(halfResults[tensor][at]);
    }
  };

  void allGather(const std::vector<Extents> &tensors) {
    Launch launch(rank, tensors, 1, size);
    boost_rt_all_gather(&context, 1, group, launch.size(),
                        launch.buffers.data(), launch.extents.data(),
                        launch.types.data());
    for (size_t t = 0; t < tensors.size(); ++t) {
      auto [outer, inner] = tensors[t];
      for (int64_t o = 0; o < outer; ++o)
        for (int64_t p = 0; p < size; ++p)
          for (int64_t i = 0; i < inner; ++i)
            expectEqual(
                "all_gather", launch.result(t, (o * size + p) * inner + i),
                contribution(members[static_cast<size_t>(p)], o * inner + i));
    }
  }

  void reduceScatter(const std::vector<Extents> &tensors,
                     boost_rt_reduction reduction) {
    Launch launch(rank, tensors, size, 1);
    boost_rt_reduce_scatter(&context, 2, group, reduction, launch.size(),
                            launch.buffers.data(), launch.extents.data(),
                            launch.types.data());
    for (size_t t = 0; t < tensors.size(); ++t) {
      auto [outer, inner] = tensors[t];
      for (int64_t o = 0; o < outer; ++o)
        for (int64_t i = 0; i < inner; ++i)
          expectEqual(
              "reduce_scatter", launch.result(t, o * inner + i),
              reduce(reduction, members, (o * size + position) * inner + i));
    }
  }

  /// Tensors that travel packed, and one that does not.
  void broadcast(int64_t root) {
    std::vector<std::vector<float>> tensors;
    std::vector<void *> buffers;
    std::vector<int64_t> counts;
    for (int64_t count : {3, 40000, 5, 1, 0, 7})
      tensors.push_back(contributionOf<float>(rank, count));
    for (std::vector<float> &tensor : tensors) {
      buffers.push_back(tensor.data());
      counts.push_back(static_cast<int64_t>(tensor.size()));
    }
    std::vector<int32_t> types(tensors.size(), BOOST_RT_F32);
    boost_rt_broadcast(&context, 2, group, root,
                       static_cast<int64_t>(tensors.size()), buffers.data(),
                       counts.data(), types.data());
    int64_t sender = members[static_cast<size_t>(root)];
    for (const std::vector<float> &tensor : tensors)
      for (size_t i = 0; i < tensor.size(); ++i)
        expectEqual("broadcast", tensor[i],
                    contribution(sender, static_cast<int64_t>(i)));
  }

  void allSlice(int64_t outer, int64_t inner) {
    auto src = contributionOf<float>(rank, size * outer * inner);
    std::vector<float> dst(static_cast<size_t>(outer * inner));
    boost_rt_all_slice(&context, group, BOOST_RT_F32, src.data(), dst.data(),
                       outer, inner);
    for (int64_t o = 0; o < outer; ++o)
      for (int64_t i = 0; i < inner; ++i)
        expectEqual("all_slice", dst[static_cast<size_t>(o * inner + i)],
                    contribution(rank, (o * size + position) * inner + i));
  }

  /// [2, 4 size, 3] split along 1, joined along 2 and along 0.
  void allToAll() {
    int64_t shape[] = {2, 4 * size, 3};
    auto at = [&](int64_t i, int64_t j, int64_t k) {
      return (i * shape[1] + j) * shape[2] + k;
    };
    auto src = contributionOf<float>(rank, 2 * 4 * size * 3);
    for (int64_t concat : {2, 0}) {
      std::vector<float> dst(src.size());
      boost_rt_all_to_all(&context, 3, group, BOOST_RT_F32, src.data(),
                          dst.data(), 3, shape, 1, concat);
      for (int64_t p = 0; p < size; ++p)
        for (int64_t i = 0; i < 2; ++i)
          for (int64_t j = 0; j < 4; ++j)
            for (int64_t k = 0; k < 3; ++k) {
              int64_t index = concat == 2 ? (i * 4 + j) * 3 * size + p * 3 + k
                                          : ((p * 2 + i) * 4 + j) * 3 + k;
              expectEqual("all_to_all", dst[static_cast<size_t>(index)],
                          contribution(members[static_cast<size_t>(p)],
                                       at(i, position * 4 + j, k)));
            }
    }
  }

  boost_rt_context &context;
  int32_t group;
  int64_t rank;
  std::vector<int64_t> members;
  int64_t position, size;
};
} // namespace

/// Counters hold what the calls since the last reset contributed.
static void checkCounters(boost_rt_context &context) {
  RunRecord &record = context.record;
  record.sites.assign(4, {});
  std::vector<float> values(24), gathered(40);
  void *buffers[] = {values.data(), gathered.data()};
  int64_t counts[] = {10, 3};
  int32_t types[] = {BOOST_RT_F32, BOOST_RT_F32};
  for (int i = 0; i < 2; ++i)
    boost_rt_all_reduce(&context, 1, 3, BOOST_RT_SUM, 2, buffers, counts,
                        types);
  // Two tensors, of 10 and 2 x 3 elements.
  float other[6] = {}, otherGathered[24];
  void *moves[] = {values.data(), gathered.data(), other, otherGathered};
  int64_t extents[] = {1, 10, 2, 3};
  boost_rt_all_gather(&context, 2, 3, 2, moves, extents, types);
  // The first three of four extents are those of the tensor.
  int64_t shape[] = {2, 4, 3, 5};
  boost_rt_all_to_all(&context, 3, 3, BOOST_RT_F32, values.data(),
                      gathered.data(), 3, shape, 1, 0);
  // The first site that the plan has not, and a later one.
  for (int32_t site : {4, 99})
    boost_rt_all_gather(&context, site, 3, 1, moves, extents, types);
  // All of what is reduced, not the piece that is kept.
  int64_t halves[] = {1, 2};
  boost_rt_reduce_scatter(&context, 0, 3, BOOST_RT_SUM, 1, moves, halves,
                          types);
  expectEqual("executions", static_cast<double>(record.sites[1].executions), 2);
  expectEqual("bytes", static_cast<double>(record.sites[1].bytes), 2 * 13 * 4);
  expectEqual("gathered bytes", static_cast<double>(record.sites[2].bytes),
              (10 + 2 * 3) * 4);
  expectEqual("gathers", static_cast<double>(record.sites[2].executions), 1);
  expectEqual("scattered bytes", static_cast<double>(record.sites[0].bytes),
              4 * 2 * 4);
  expectEqual("exchanged bytes", static_cast<double>(record.sites[3].bytes),
              2 * 4 * 3 * 4);
  expectEqual("unplanned", static_cast<double>(record.unplanned.executions), 2);
}

/// No rank leaves before the last one has come, whichever that is.
static void checkBarrier(Communicator &communicator) {
  auto now = [] {
    return std::chrono::duration<double>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
  };
  for (int64_t last = 0; last < communicator.size(); ++last) {
    if (communicator.rank() == last)
      std::this_thread::sleep_for(std::chrono::milliseconds(30));
    double entered = now();
    communicator.barrier();
    double left = now();
    communicator.allReduce(mesh.allAxes(), BOOST_RT_MAX, BOOST_RT_F64, &entered,
                           1);
    expectEqual("left the barrier late enough", left >= entered, true);
  }
}

/// Each rank sends to the next one, and even ones first; two messages of one
/// sender come in order.
static void checkMessages(Communicator &communicator) {
  int64_t rank = communicator.rank(), size = communicator.size();
  int64_t to = (rank + 1) % size, from = (rank + size - 1) % size;
  auto send = [&] {
    auto values = contributionOf<float>(rank, 50000);
    communicator.send(values.data(), 4 * 50000, to);
    communicator.send(&rank, sizeof(rank), to);
  };
  auto receive = [&] {
    std::vector<float> values(50000);
    int64_t sender = -1;
    communicator.receive(values.data(), 4 * 50000, from);
    communicator.receive(&sender, sizeof(sender), from);
    expectEqual("sender", static_cast<double>(sender),
                static_cast<double>(from));
    for (int64_t i = 0; i < 50000; ++i)
      expectEqual("receive",
                  static_cast<double>(values[static_cast<size_t>(i)]),
                  contribution(from, i));
  };
  if (rank % 2 == 0)
    send();
  receive();
  if (rank % 2 == 1)
    send();
}

/// All ranks start to send before any of them receives, which then takes place
/// in the order of the sends.
static void checkStartedSends(Communicator &communicator) {
  const int64_t rank = communicator.rank(), size = communicator.size();
  const int64_t to = (rank + 1) % size, from = (rank + size - 1) % size;
  constexpr size_t count = size_t(1) << 22;
  for (int64_t round = 0; round < 3; ++round)
    communicator.startSend(
        std::vector<char>(count, static_cast<char>(rank + 10 * round)), to);
  for (int64_t round = 0; round < 3; ++round) {
    std::vector<char> values(count);
    communicator.receive(values.data(), count, from);
    for (char value : values)
      if (value != static_cast<char>(from + 10 * round))
        return expectEqual("started send", value,
                           static_cast<double>(from + 10 * round));
  }
  communicator.finishSends();
  // Others follow what was started.
  communicator.startSend({1}, to);
  const char second = 2;
  char values[] = {0, 0};
  if (rank % 2 == 0)
    communicator.send(&second, 1, to);
  for (char &value : values)
    communicator.receive(&value, 1, from);
  if (rank % 2 == 1)
    communicator.send(&second, 1, to);
  expectEqual("first of two sends", values[0], 1);
  expectEqual("second of two sends", values[1], 2);
  communicator.finishSends();
}

/// A note that is too long to arrive before it is taken stays as it is while
/// another one is sent.
static void checkNotes(Communicator &communicator) {
  constexpr int64_t count = 1 << 23;
  for (int64_t length : {count, int64_t{1}})
    if (communicator.rank() == 0) {
      std::vector<char> note(static_cast<size_t>(length), 7);
      communicator.sendNote(note.data(), length, 1);
    }
  // Takes the memory of what is no longer needed.
  const std::vector<std::vector<char>> others(
      3, std::vector<char>(static_cast<size_t>(count), 9));
  communicator.barrier();
  for (int64_t length : {count, int64_t{1}})
    if (communicator.rank() == 1) {
      std::vector<char> note(static_cast<size_t>(length));
      int64_t from = -1;
      while (!communicator.takeNote(note.data(), length, from))
        ;
      expectEqual("sender of a note", static_cast<double>(from), 0);
      expectEqual("bytes of a note",
                  static_cast<double>(std::count(note.begin(), note.end(), 7)),
                  static_cast<double>(length));
    }
  communicator.barrier();
}

int main(int, char **argv) {
  auto communicator = createCommunicator(mesh, {argv[0]});
  int64_t failed = 0;
  {
    RunRecord record(4);
    boost_rt_context context(mesh, *communicator, record, 1);
    for (uint32_t group : {1u, 2u, 3u})
      Checks(context, group).all();
    checkCounters(context);
    Checks(context, 2).large();
    checkBarrier(*communicator);
    checkMessages(*communicator);
    checkStartedSends(*communicator);
    checkNotes(*communicator);
    failed = failures > 0;
    communicator->allReduce(mesh.allAxes(), BOOST_RT_SUM, BOOST_RT_I64, &failed,
                            1);
  }
  return static_cast<int>(failed);
}
