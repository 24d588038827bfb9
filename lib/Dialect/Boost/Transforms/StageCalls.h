//===- StageCalls.h - The calls that a function is divided into -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which chunk of the layers an operation of a micro-batch belongs to,
// and whether it runs in the forward or in the backward pass of that chunk.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_STAGECALLS_H
#define BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_STAGECALLS_H

#include "boost-mlir/Analysis/PipelineSchedule.h"
#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::boost {

/// The calls of one micro-batch in the order in which it runs through them: the
/// forward passes of the chunks from the first to the last, their backward
/// passes from the last to the first, and in the same order the gradients of
/// their weights, where these are apart. A value is read by its own call and by
/// later ones.
class StageCalls {
public:
  /// `last` is the last kind of work that there is.
  StageCalls(int64_t chunks, PipelineWork last) : chunks(chunks), last(last) {}

  int64_t size() const { return (static_cast<int64_t>(last) + 1) * chunks; }
  int64_t getNumChunks() const { return chunks; }
  bool has(PipelineWork work) const { return work <= last; }
  int64_t getCall(int64_t chunk, PipelineWork work) const {
    if (work == PipelineWork::Forward)
      return chunk;
    return (static_cast<int64_t>(work) + 1) * chunks - 1 - chunk;
  }
  PipelineWork getWork(int64_t call) const {
    return static_cast<PipelineWork>(call / chunks);
  }
  int64_t getChunk(int64_t call) const {
    PipelineWork work = getWork(call);
    if (work == PipelineWork::Forward)
      return call;
    return (static_cast<int64_t>(work) + 1) * chunks - 1 - call;
  }

private:
  int64_t chunks;
  PipelineWork last;
};

/// The chunk of every layer of a loss.
using LayerChunks = llvm::MapVector<LayerAttr, int64_t>;

/// Returns the layers of the forward pass of a function in their order, all in
/// chunk 0.
LayerChunks findLayerOrder(func::FuncOp function);

/// Returns true if each operand of an operation becomes the result of the same
/// number, whatever the others are, so that it can be divided.
bool isDivisible(Operation *op);

/// Replaces a divisible operation by one for each group of its operands.
/// `groups` has the number of the group of each.
SmallVector<Operation *> divide(Operation *op, ArrayRef<int64_t> groups);

/// Returns the call of each operation of a function. Operations that are in
/// none are computed wherever their results are read: they depend on constants
/// and on the batch only, or on constants and parameters only. Divides
/// operations that join tensors of several calls, and lets the backward pass of
/// a chunk read what others recompute from their forward pass.
DenseMap<Operation *, int64_t> assignCalls(func::FuncOp function,
                                           const StageCalls &calls,
                                           const LayerChunks &layers);

/// The first and the last call that reads a value; nothing if no call does.
struct Readers {
  std::optional<int64_t> first, last;
};

/// Returns the calls that read a value, or what is made of it wherever that is
/// read.
Readers findReaders(Value value,
                    const DenseMap<Operation *, int64_t> &assigned);

/// Moves products and sums that the gradients of inputs do not depend on from
/// the backward passes of all chunks to calls of their own, which are not
/// urgent, with what else lets the least bytes be kept in between.
void separateWeights(func::FuncOp function, const StageCalls &calls,
                     DenseMap<Operation *, int64_t> &assigned);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_STAGECALLS_H
