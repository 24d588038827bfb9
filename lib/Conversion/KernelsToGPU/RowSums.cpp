//===- RowSums.cpp - Sums of the columns of a block's rows ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block goes through its rows one after the other. Each of its threads keeps
// the sums of the same columns in registers, and stores them after the last
// row.
//
//===----------------------------------------------------------------------===//

#include "GenericEmitter.h"

#include "boost-mlir/Dialect/BoostRT/Utils/KernelBody.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::rt;

/// Vectors of columns, or columns, that a thread sums.
int64_t GenericEmitter::countShares() const {
  return static_cast<int64_t>(
      llvm::divideCeil(mapping.countVectors(nest), size.threads));
}

/// Goes to the columns of a share. Returns whether the thread has one, or null
/// if all threads do.
Value GenericEmitter::placeShare(int64_t share) {
  int64_t begin = share * size.threads, count = mapping.countVectors(nest);
  Value number =
      arith::AddIOp::create(builder, loc, getThread(), constant(begin));
  placeResult(number, mapping.parallel);
  if (begin + size.threads <= count)
    return {};
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, number,
                               constant(count));
}

SmallVector<Value> GenericEmitter::startColumnSums() {
  SmallVector<Value> sums;
  for (int64_t share = 0; share < countShares(); ++share)
    llvm::append_range(sums, getNeutralValues());
  return sums;
}

SmallVector<Value> GenericEmitter::addRowToColumns(ValueRange sums) {
  SmallVector<Value> added;
  size_t outputs = op.getNumDpsInits();
  for (int64_t share = 0; share < countShares(); ++share) {
    ValueRange before = sums.slice(share * outputs, outputs);
    Value isNeeded = placeShare(share);
    auto add = [&] {
      return llvm::map_to_vector(emitBody(before),
                                 [&](Value value) { return repeat(value); });
    };
    llvm::append_range(added,
                       isNeeded ? emitIfElse(isNeeded, before, add) : add());
  }
  return added;
}

void GenericEmitter::storeColumnSums(ValueRange sums) {
  size_t outputs = op.getNumDpsInits();
  for (int64_t share = 0; share < countShares(); ++share) {
    auto store = [&] { addToOutputs(sums.slice(share * outputs, outputs)); };
    if (Value isNeeded = placeShare(share))
      emitIf(isNeeded, store);
    else
      store();
  }
}
