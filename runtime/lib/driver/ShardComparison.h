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

/// Compares every rank's dense shard of a tensor with the reference, so that a
/// rank that went its own way is found; ranks that hold terms of one sum come
/// together. All ranks take part, and rank 0, which alone has `expected`, gets
/// what was found.
ComparedTensor compareShards(Session &session, const Probe &probe,
                             const void *data, const ReferenceTensor &expected);

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_SHARDCOMPARISON_H
