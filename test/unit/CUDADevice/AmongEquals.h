//===- AmongEquals.h - One rank of several that hold the same ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collectives without other processes, through the host and through NCCL.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_UNIT_CUDADEVICE_AMONGEQUALS_H
#define BOOST_MLIR_TEST_UNIT_CUDADEVICE_AMONGEQUALS_H

#include "common/Activity.h"
#include "common/Communicator.h"
#include "common/ElementType.h"
#include "cuda/Vendor.h"
#include "gtest/gtest.h"

#include <cstring>
#include <map>
#include <unistd.h>
#include <vector>

namespace boost_rt {

/// A rank whose peers send what it sends itself.
class AmongEquals : public Communicator {
public:
  explicit AmongEquals(int64_t rank = 5, int64_t localSize = 6)
      : mesh({{"dp", 2}, {"tp", 3}}), ownRank(rank), ranksHere(localSize) {}

  int64_t rank() const override { return ownRank; }
  int64_t size() const override { return 6; }
  int64_t localSize() const override { return ranksHere; }

  void allReduce(uint32_t group, boost_rt_reduction reduction,
                 boost_rt_type type, void *data, int64_t count) override {
    seenSite = Activity::ofThisRank().getSite();
    if (reduction != BOOST_RT_SUM)
      return;
    for (int64_t i = 0; i < count; ++i) {
      if (type == BOOST_RT_I32)
        static_cast<int32_t *>(data)[i] *=
            static_cast<int32_t>(mesh.groupSize(group));
      else
        static_cast<float *>(data)[i] *=
            static_cast<float>(mesh.groupSize(group));
    }
  }
  void reduceScatter(uint32_t group, boost_rt_reduction reduction,
                     boost_rt_type type, const void *src, void *dst,
                     int64_t count) override {
    take(group, src, dst, count * sizeOf(type));
    allReduce(group, reduction, type, dst, count);
  }
  void allGather(uint32_t group, const void *src, void *dst,
                 int64_t bytes) override {
    seenSite = Activity::ofThisRank().getSite();
    for (int64_t i = 0; i < mesh.groupSize(group); ++i)
      std::memcpy(static_cast<char *>(dst) + i * bytes, src,
                  static_cast<size_t>(bytes));
  }
  void allToAll(uint32_t group, const void *src, void *dst,
                int64_t bytes) override {
    seenSite = Activity::ofThisRank().getSite();
    for (int64_t i = 0; i < mesh.groupSize(group); ++i)
      take(group, src, static_cast<char *>(dst) + i * bytes, bytes);
  }
  void send(const void *, int64_t, int64_t) override {
    seenSite = Activity::ofThisRank().getSite();
  }
  void receive(void *, int64_t, int64_t) override {
    seenSite = Activity::ofThisRank().getSite();
  }
  void barrier() override {}
  [[noreturn]] void abort(int exitCode) override { ::_exit(exitCode); }

  /// Site of the last collective.
  inline static int32_t seenSite = -1;

private:
  /// The piece at the position of this rank.
  void take(uint32_t group, const void *src, void *dst, int64_t bytes) {
    std::memcpy(dst,
                static_cast<const char *>(src) +
                    mesh.groupPosition(ownRank, group) * bytes,
                static_cast<size_t>(bytes));
  }

  Mesh mesh;
  int64_t ownRank, ranksHere;
};

/// Puts functions in place of NCCL's that do as AmongEquals does. They wait for
/// the stream, so that no graph can hold them.
class NcclAmongEquals {
public:
  NcclAmongEquals();

  /// A communicator that was asked for, and the name it was given.
  struct Connection {
    int size, position;
    std::string name;
  };
  inline static std::vector<Connection> connections;
  inline static int names, aborted, ended;
  /// Result of ncclCommGetAsyncError, and the error that it finds.
  inline static vendor::NcclResult asked, found;
};

} // namespace boost_rt

#endif // BOOST_MLIR_TEST_UNIT_CUDADEVICE_AMONGEQUALS_H
