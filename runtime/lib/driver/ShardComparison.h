//===- ShardComparison.h - Shards against the logical tensor --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_SHARDCOMPARISON_H
#define BOOST_RUNTIME_DRIVER_SHARDCOMPARISON_H

#include "driver/Reference.h"
#include "driver/VerifyReport.h"

namespace boost_rt {

/// What the ranks of some stages have of a logical tensor.
struct ShownPart {
  /// Type and sharding, and the rows if it consists of some.
  Tensor tensor;
  std::vector<int64_t> stages;
  /// The elements of this rank, without gaps; empty on other stages.
  std::vector<char> elements;
};

/// A logical tensor: one part with all of it, or rows of it, or terms of a sum.
struct ShownTensor {
  std::string name, location, phase;
  std::vector<ShownPart> parts;
  /// True if its parts are terms of a sum.
  bool isSum = false;
};

/// Compares every rank's shard of a tensor with the reference, so that a rank
/// that went its own way is found; ranks that hold terms of one sum come
/// together. All ranks take part, and rank 0, which alone has `expected`, gets
/// what was found.
ComparedTensor compareShards(Session &session, const ShownTensor &shown,
                             const ReferenceTensor &expected);

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_SHARDCOMPARISON_H
