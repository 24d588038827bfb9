//===- Bench.h - What is measured ------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the runtime have the same names on every target; what they
// run on, and what is worth measuring there, is not the same.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TOOLS_BOOST_CALIBRATE_BENCH_H
#define BOOST_MLIR_TOOLS_BOOST_CALIBRATE_BENCH_H

#include "boost-runtime/Runtime.h"
#include "common/Communicator.h"
#include "common/ElementType.h"
#include "common/Mesh.h"

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace boost_rt {

/// Causal attention that is timed.
struct AttentionSizes {
  int64_t batch, tokens, heads, headSize;

  int64_t elements() const { return batch * tokens * heads * headSize; }
};

/// The sizes that are measured on a target.
struct BenchSizes {
  std::vector<int64_t> squares; ///< large products
  int64_t copyBytes;
  int64_t messageElements; ///< f32, of a large all-reduce
  ElementType attentionType;
  AttentionSizes attention;
  /// Attention with heads of 64 that has a rate of its own; batch 0: none has.
  AttentionSizes narrowAttention;
};

/// A rank of this machine and its device. Each target defines one, and is
/// linked to a program of its own.
class Bench {
public:
  static std::unique_ptr<Bench> create(int64_t ranks);
  virtual ~Bench() = default;

  virtual BenchSizes getSizes() const = 0;
  virtual boost_rt_context *getContext() = 0;
  virtual const Mesh &getMesh() const = 0;
  virtual Communicator &getCommunicator() = 0;

  /// A tensor of small numbers, where the functions of the runtime take it. It
  /// lasts until the next clear().
  virtual void *makeTensor(int64_t count, ElementType type) = 0;
  virtual void clear() = 0;

  /// Waits for what was started.
  virtual void synchronize() = 0;

  /// Seconds of a call that does nothing, among others of a step. `time` gives
  /// the seconds of work.
  virtual double timeLaunch(
      const std::function<double(const std::function<void()> &)> &time) = 0;

  /// The section `contraction`, if products of some shapes, in f32, take so
  /// many seconds by `timeProduct(m, n, k)`. `peaks` are what the largest
  /// products reached; what the section divides is put back into them.
  virtual nlohmann::ordered_json describeProducts(
      nlohmann::ordered_json &peaks,
      const std::function<double(int64_t, int64_t, int64_t)> &timeProduct) = 0;

  /// Bytes of memory of a rank, names of the device, and how ranks compute, as
  /// in "2 thread(s) each".
  virtual double getMemoryBytes() const = 0;
  virtual std::vector<std::string> getDevices() const = 0;
  virtual std::string describeRank() const = 0;

  /// Throws if what was measured are no speeds.
  virtual void requireSpeeds() const {}
};

} // namespace boost_rt

#endif // BOOST_MLIR_TOOLS_BOOST_CALIBRATE_BENCH_H
