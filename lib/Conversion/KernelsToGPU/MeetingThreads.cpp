//===- MeetingThreads.cpp - Reductions that threads share -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads of a warp, of a block or of a column of a block reduce a part each,
// and combine their parts in a fixed order.
//
//===----------------------------------------------------------------------===//

#include "GenericEmitter.h"

#include "boost-mlir/Dialect/BoostRT/Utils/Combiner.h"
#include "boost-mlir/Dialect/BoostRT/Utils/KernelBody.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::rt;

/// The value that changes nothing when it is combined.
Value GenericEmitter::getNeutral(unsigned number) {
  TypedAttr neutral = *arith::getNeutralElement(findCombiner(op, number));
  Type compute = getComputeType(neutral.getType());
  if (compute != neutral.getType())
    neutral = builder.getF32FloatAttr(
        static_cast<float>(cast<FloatAttr>(neutral).getValueAsDouble()));
  return repeat(arith::ConstantOp::create(builder, loc, neutral));
}

Value GenericEmitter::combine(unsigned number, Value left, Value right) {
  Operation *combined = builder.clone(*findCombiner(op, number));
  combined->setOperands({left, right});
  combined->getResult(0).setType(left.getType());
  return combined->getResult(0);
}

Value GenericEmitter::combineVector(unsigned number, Value vector) {
  if (!isa<VectorType>(vector.getType()))
    return vector;
  Value total = vector::ExtractOp::create(builder, loc, vector, int64_t(0));
  for (int64_t lane = 1; lane < mapping.width; ++lane)
    total = combine(number, total,
                    vector::ExtractOp::create(builder, loc, vector, lane));
  return total;
}

/// The value of the lane whose number differs by one bit. Registers have 32
/// bits.
Value GenericEmitter::shuffle(Value value, int64_t distance) {
  Type type = value.getType();
  unsigned bits = type.getIntOrFloatBitWidth();
  auto exchange = [&](Value word) -> Value {
    return gpu::ShuffleOp::create(
               builder, loc, word, static_cast<int32_t>(distance),
               static_cast<int32_t>(kWarpSize), gpu::ShuffleMode::XOR)
        .getShuffleResult();
  };
  if (bits == 32)
    return exchange(value);
  auto i32 = builder.getI32Type();
  if (bits < 32)
    return arith::TruncIOp::create(
        builder, loc, type,
        exchange(arith::ExtUIOp::create(builder, loc, i32, value)));
  auto words = VectorType::get(static_cast<int64_t>(bits / 32), i32);
  Value whole = vector::BitCastOp::create(
      builder, loc, words,
      vector::BroadcastOp::create(builder, loc, VectorType::get(1, type),
                                  value));
  for (int64_t word = 0; word < words.getNumElements(); ++word)
    whole = vector::InsertOp::create(
        builder, loc,
        exchange(vector::ExtractOp::create(builder, loc, whole, word)), whole,
        word);
  return vector::ExtractOp::create(
      builder, loc,
      vector::BitCastOp::create(builder, loc, VectorType::get(1, type), whole),
      int64_t(0));
}

/// Every lane gets the value of all of them, in one order.
Value GenericEmitter::combineWarp(unsigned number, Value value) {
  for (int64_t distance = kWarpSize / 2; distance > 0; distance /= 2)
    value = combine(number, value, shuffle(value, distance));
  return value;
}

/// The values of all warps of the block, on its first thread.
SmallVector<Value> GenericEmitter::combineBlock(ValueRange values) {
  Value thread = getThread();
  Value warp =
      arith::DivUIOp::create(builder, loc, thread, constant(kWarpSize));
  Value lane =
      arith::RemUIOp::create(builder, loc, thread, constant(kWarpSize));
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        lane, constant(0));
  emitIf(isFirst, [&] {
    for (auto [value, buffer] : llvm::zip_equal(values, shared))
      memref::StoreOp::create(builder, loc, value, buffer, warp);
  });
  gpu::BarrierOp::create(builder, loc);
  SmallVector<Value> totals;
  for (auto [number, buffer] : llvm::enumerate(shared)) {
    Value total = memref::LoadOp::create(builder, loc, buffer, constant(0));
    for (int64_t other = 1; other < size.threads / kWarpSize; ++other)
      total = combine(
          number, total,
          memref::LoadOp::create(builder, loc, buffer, constant(other)));
    totals.push_back(total);
  }
  return totals;
}

/// The values of all threads of a column of the block, on the first one: in
/// each round the second half of them hands its values to the first.
SmallVector<Value> GenericEmitter::combineColumns(ValueRange values,
                                                  Value group) {
  Value thread = getThread();
  auto isBelow = [&](int64_t number) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, group,
                                 constant(number));
  };
  SmallVector<Value> totals(values);
  for (int64_t half = size.threads / mapping.lanes / 2; half > 0; half /= 2) {
    // Those behind 2 * half have handed on theirs before.
    Value gives = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::uge,
                                        group, constant(half));
    if (half != size.threads / mapping.lanes / 2)
      gives = arith::AndIOp::create(builder, loc, gives, isBelow(2 * half));
    emitIf(gives, [&] {
      for (auto [total, buffer] : llvm::zip_equal(totals, shared))
        storeShared(total, buffer, thread);
    });
    gpu::BarrierOp::create(builder, loc);
    Value other = arith::AddIOp::create(builder, loc, thread,
                                        constant(half * mapping.lanes));
    totals = emitIfElse(isBelow(half), totals, [&] {
      SmallVector<Value> joined;
      for (auto [number, buffer] : llvm::enumerate(shared))
        joined.push_back(
            combine(number, totals[number],
                    loadShared(buffer, other, totals[number].getType())));
      return joined;
    });
  }
  return totals;
}

/// Keeps the value of a thread, every element of a vector in a row of its own.
void GenericEmitter::storeShared(Value value, Value buffer, Value thread) {
  if (!isa<VectorType>(value.getType())) {
    memref::StoreOp::create(builder, loc, value, buffer, thread);
    return;
  }
  for (int64_t lane = 0; lane < mapping.width; ++lane) {
    Value place = arith::AddIOp::create(builder, loc, thread,
                                        constant(lane * size.threads));
    memref::StoreOp::create(
        builder, loc, vector::ExtractOp::create(builder, loc, value, lane),
        buffer, place);
  }
}

Value GenericEmitter::loadShared(Value buffer, Value thread, Type type) {
  if (!isa<VectorType>(type))
    return memref::LoadOp::create(builder, loc, buffer, thread);
  SmallVector<Value> elements;
  for (int64_t lane = 0; lane < mapping.width; ++lane) {
    Value place = arith::AddIOp::create(builder, loc, thread,
                                        constant(lane * size.threads));
    elements.push_back(memref::LoadOp::create(builder, loc, buffer, place));
  }
  return vector::FromElementsOp::create(builder, loc, cast<VectorType>(type),
                                        elements);
}

SmallVector<Value> GenericEmitter::getNeutralValues() {
  return llvm::map_to_vector(
      llvm::seq<unsigned>(op.getNumDpsInits()),
      [&](unsigned output) { return getNeutral(output); });
}

/// The results of the iterations that are `lanes` apart, from `lane` on.
SmallVector<Value> GenericEmitter::reducePart(Value lane, int64_t lanes) {
  return emitReductions(mapping.reductions, lane, lanes, getNeutralValues(),
                        [&](ValueRange carried) {
                          return llvm::map_to_vector(
                              emitBody(carried),
                              [&](Value value) { return repeat(value); });
                        });
}

/// Joins the results to what the outputs have.
void GenericEmitter::addToOutputs(ValueRange parts) {
  SmallVector<Value> totals = initializeOutputs(/*all=*/true);
  for (auto [output, part] : llvm::enumerate(parts)) {
    Value total = totals[output];
    if (isa<VectorType>(part.getType()))
      total = repeat(total);
    totals[output] = combine(output, total, part);
  }
  storeOutputs(totals);
}

/// The threads of a warp or of a block compute a result together: each a part
/// of it, which are combined, and joined to what the output has.
void GenericEmitter::emitMeetingThreads() {
  bool isBlock = mapping.worker == ThreadMapping::Worker::Block;
  int64_t lanes = isBlock ? size.threads : kWarpSize;
  Value thread = isBlock ? getThread() : getThreadOfGrid();
  Value lane = thread, number;
  if (isBlock) {
    number = getBlock();
  } else {
    number = arith::DivUIOp::create(builder, loc, thread, constant(lanes));
    lane = arith::RemUIOp::create(builder, loc, thread, constant(lanes));
  }
  auto emitResult = [&] {
    SmallVector<Value> parts = reducePart(lane, lanes);
    for (auto [output, part] : llvm::enumerate(parts))
      part = combineWarp(output, combineVector(output, part));
    if (isBlock)
      parts = combineBlock(parts);
    Value isFirst = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, lane, constant(0));
    emitIf(isFirst, [&] { addToOutputs(parts); });
  };
  // A block of a kernel of rows has its row already.
  if (mapping.rowLoops > 0)
    return emitResult();
  int64_t workers = isBlock ? size.blocks : size.blocks * size.threads / lanes;
  emitIfBelow(number, mapping.results, workers, [&] {
    placeResult(number, mapping.parallel);
    emitResult();
  });
}

/// Threads of a block that stand behind each other compute a result together,
/// or a vector of them; those side by side read neighboring elements.
void GenericEmitter::emitColumns() {
  int64_t vectors = mapping.results / mapping.width;
  Value thread = getThread();
  Value lane =
      arith::RemUIOp::create(builder, loc, thread, constant(mapping.lanes));
  Value group =
      arith::DivUIOp::create(builder, loc, thread, constant(mapping.lanes));
  Value first =
      arith::MulIOp::create(builder, loc, getBlock(), constant(mapping.lanes));
  Value number = arith::AddIOp::create(builder, loc, first, lane);
  placeResult(number, mapping.parallel);
  SmallVector<Value> parts;
  auto reduce = [&] { return reducePart(group, size.threads / mapping.lanes); };
  // All threads meet, those without a result too.
  bool areAllNeeded = vectors == size.blocks * mapping.lanes;
  Value isNeeded = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::ult, number, constant(vectors));
  parts = areAllNeeded ? reduce()
                       : emitIfElse(isNeeded, getNeutralValues(), reduce);
  parts = combineColumns(parts, group);
  Value writes = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                       group, constant(0));
  if (!areAllNeeded)
    writes = arith::AndIOp::create(builder, loc, writes, isNeeded);
  emitIf(writes, [&] { addToOutputs(parts); });
}
