//===- TensorTables.h - Several tensors for one kernel ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read by the host and by the kernels, whose parameters these tables are. How
// tensors are split does not depend on the GPU: sums do not either.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_KERNELS_TENSORTABLES_H
#define BOOST_RUNTIME_CUDA_KERNELS_TENSORTABLES_H

#include "boost-runtime/Runtime.h"

#include <cstdint>

namespace boost_rt {

/// Elements that a block processes at a time.
inline constexpr int64_t chunkElements = 4096;

/// The chunks of several tensors, counted through.
template <int maxTensors> struct ChunkTable {
  int64_t counts[maxTensors] = {};
  /// The chunks of a tensor and of those before it.
  int64_t ends[maxTensors] = {};
  int64_t chunks = 0;

  void add(int tensor, int64_t count) {
    counts[tensor] = count;
    chunks += (count + chunkElements - 1) / chunkElements;
    ends[tensor] = chunks;
  }
};

/// The tensors that AdamW updates.
struct UpdateTable {
  void *p[BOOST_RT_MAX_UPDATES] = {};
  float *m[BOOST_RT_MAX_UPDATES] = {}, *v[BOOST_RT_MAX_UPDATES] = {};
  const void *g[BOOST_RT_MAX_UPDATES] = {};
  /// The new p rounded to a narrower type; not written if null.
  void *rounded[BOOST_RT_MAX_UPDATES] = {};
  bool decays[BOOST_RT_MAX_UPDATES] = {};
  ChunkTable<BOOST_RT_MAX_UPDATES> chunks;
};

/// The numbers of an update, by boost_rt_adamw_number.
struct AdamWNumbers {
  const float *at[BOOST_RT_ADAMW_NUMBERS];
};

/// Tensors whose squares one launch adds, and the sums that it adds them to.
inline constexpr int sumTensors = 128, sumBlocks = 1024;

struct SquareTable {
  const void *data[sumTensors] = {};
  int32_t types[sumTensors] = {};
  ChunkTable<sumTensors> chunks;
};

/// All parameters of a kernel have 4 KiB.
static_assert(sizeof(UpdateTable) <= 4000 && sizeof(SquareTable) <= 4000);

} // namespace boost_rt

#endif // BOOST_RUNTIME_CUDA_KERNELS_TENSORTABLES_H
