//===- GenericEmitter.cpp - A linalg.generic as a gpu.func ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GenericEmitter.h"

#include "KernelEmitter.h"

#include "boost-mlir/Dialect/BoostRT/Utils/KernelBody.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::rt;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value GenericEmitter::getBuffer(int64_t operand) {
  auto argument = cast<BlockArgument>(nest.operands[operand].operand->get());
  return function.getArgument(argument.getArgNumber() - kFirstBuffer);
}

/// Booleans are bytes.
Type GenericEmitter::getStoredType(int64_t operand) {
  return cast<MemRefType>(getBuffer(operand).getType()).getElementType();
}

/// Elements from the first one of an operand to the current one.
Value GenericEmitter::getDistance(int64_t operand) {
  Value distance;
  for (auto [position, stride] :
       llvm::zip_equal(positions, nest.operands[operand].strides)) {
    if (stride == 0)
      continue;
    Value part = position;
    if (stride != 1)
      part = arith::MulIOp::create(builder, loc, position, constant(stride));
    distance =
        distance ? arith::AddIOp::create(builder, loc, distance, part) : part;
  }
  return distance;
}

/// The memory of an operand as one row, which vectors are loaded from.
Value GenericEmitter::flatten(int64_t operand) {
  int64_t last = 0;
  for (auto [loop, stride] :
       llvm::zip_equal(nest.loops, nest.operands[operand].strides))
    last += (loop.extent - 1) * stride;
  auto type = MemRefType::get({last + 1}, getStoredType(operand));
  return memref::ReinterpretCastOp::create(
      builder, loc, type, getBuffer(operand), /*offset=*/0,
      ArrayRef<int64_t>{last + 1}, ArrayRef<int64_t>{1});
}

llvm::MaybeAlign GenericEmitter::getAlignment(int64_t operand, int64_t width) {
  int64_t bytes = width * getStoredBytes(getStoredType(operand));
  return llvm::Align(std::min<int64_t>(16, bytes));
}

/// `width` elements from the current one on, as they are in memory.
Value GenericEmitter::loadStored(int64_t operand, int64_t width) {
  if (width == 1)
    return memref::LoadOp::create(builder, loc, getBuffer(operand),
                                  nest.operands[operand].getIndices(positions));
  return vector::LoadOp::create(
      builder, loc, VectorType::get(width, getStoredType(operand)),
      flatten(operand), getDistance(operand), /*nontemporal=*/false,
      getAlignment(operand, width));
}

Value GenericEmitter::load(int64_t operand) {
  Type stored = getStoredType(operand);
  Value value =
      llvm::is_contained(mapping.tiled, operand)
          ? loadFromTile(operand)
          : loadStored(operand, isVector(operand) ? mapping.width : 1);
  Type element =
      getElementTypeOrSelf(nest.operands[operand].operand->get().getType());
  if (element != stored) {
    auto vector = dyn_cast<VectorType>(value.getType());
    value = arith::TruncIOp::create(
        builder, loc, vector ? Type(vector.clone(element)) : element, value);
  }
  return widen(builder, loc, value);
}

/// A vector with the value in every lane, if there are vectors.
Value GenericEmitter::repeat(Value value) {
  if (mapping.width == 1 || isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(
      builder, loc, VectorType::get(mapping.width, value.getType()), value);
}

void GenericEmitter::store(Value value, int64_t operand) {
  Type stored = getStoredType(operand);
  if (isVector(operand))
    value = repeat(value);
  if (getElementTypeOrSelf(value).isInteger(1) && !stored.isInteger(1)) {
    auto vector = dyn_cast<VectorType>(value.getType());
    value = arith::ExtUIOp::create(
        builder, loc, vector ? Type(vector.clone(stored)) : stored, value);
  }
  value = narrow(builder, loc, value, stored);
  if (isVector(operand))
    vector::StoreOp::create(builder, loc, value, flatten(operand),
                            getDistance(operand), /*nontemporal=*/false,
                            getAlignment(operand, mapping.width));
  else
    memref::StoreOp::create(builder, loc, value, getBuffer(operand),
                            nest.operands[operand].getIndices(positions));
}

/// The position in a loop as the body reads it: of every lane.
Value GenericEmitter::getIndex(int64_t loop) {
  if (loop != mapping.vectorLoop)
    return positions[loop];
  SmallVector<int64_t> numbers =
      llvm::to_vector(llvm::seq<int64_t>(mapping.width));
  Value lanes = arith::ConstantOp::create(builder, loc,
                                          builder.getIndexVectorAttr(numbers));
  return arith::AddIOp::create(builder, loc, repeat(positions[loop]), lanes);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

/// The present values of the outputs that the body reads, or of all of them;
/// null for others.
SmallVector<Value> GenericEmitter::loadOutputs(bool all) {
  SmallVector<Value> values;
  for (auto [number, argument] : llvm::enumerate(op.getRegionOutputArgs()))
    values.push_back(all || !argument.use_empty()
                         ? load(firstOutput + static_cast<int64_t>(number))
                         : Value());
  return values;
}

/// The values of the outputs before the body, or of those that it reads: what
/// they are filled with, or have.
SmallVector<Value> GenericEmitter::initializeOutputs(bool all) {
  if (!fill)
    return loadOutputs(all);
  auto constant = fill.value().getDefiningOp<arith::ConstantOp>();
  return {widen(builder, loc, builder.clone(*constant)->getResult(0))};
}

void GenericEmitter::storeOutputs(ValueRange values) {
  for (auto [number, value] : llvm::enumerate(values))
    store(value, firstOutput + static_cast<int64_t>(number));
}

SmallVector<Value> GenericEmitter::emitBody(ValueRange outputs) {
  IRMapping values;
  // The body may load from any buffer of the kernel.
  values.map(op->getBlock()->getArguments().drop_front(kFirstBuffer),
             function.getArguments());
  auto mapConstant = [&](Value value) {
    auto constant = value.getDefiningOp<arith::ConstantOp>();
    if (constant && !values.contains(value))
      cloneWidened(builder, *constant, values);
  };
  int64_t next = 0;
  for (OpOperand *input : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(input);
    if (!isa<MemRefType>(input->get().getType())) {
      mapConstant(input->get());
      values.map(argument, values.lookup(input->get()));
    } else if (!argument.use_empty()) {
      values.map(argument, load(next));
    }
    next += isa<MemRefType>(input->get().getType());
  }
  values.map(op.getRegionOutputArgs(), outputs);
  for (Operation &inner : op.getBody()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      values.map(index.getResult(), getIndex(index.getDim()));
      continue;
    }
    for (Value operand : inner.getOperands())
      mapConstant(operand);
    cloneWidened(builder, inner, values);
  }
  SmallVector<Value> results;
  for (Value value : op.getBody()->getTerminator()->getOperands()) {
    mapConstant(value);
    results.push_back(widen(builder, loc, values.lookup(value)));
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Takes the number of an iteration of the loops, or of a vector of them, apart
/// into positions.
void GenericEmitter::placeResult(Value number, ArrayRef<int64_t> loops) {
  for (int64_t loop : llvm::reverse(loops)) {
    bool isVector = loop == mapping.vectorLoop;
    int64_t extent = nest.loops[loop].extent / (isVector ? mapping.width : 1);
    Value position = number;
    if (loop != loops.front()) {
      position = arith::RemUIOp::create(builder, loc, number, constant(extent));
      number = arith::DivUIOp::create(builder, loc, number, constant(extent));
    }
    if (isVector)
      position = arith::MulIOp::create(builder, loc, position,
                                       constant(mapping.width));
    positions[loop] = position;
  }
}

/// Emits what `workers` threads do to `count` elements, or vectors: each to
/// those that are so many apart.
void GenericEmitter::emitShared(int64_t count, int64_t workers, Value worker,
                                llvm::function_ref<void(Value number)> emit) {
  if (count <= workers)
    return emitIfBelow(worker, count, workers, [&] { emit(worker); });
  // Few rounds are written one behind the other: their loads need not wait for
  // each other.
  constexpr int64_t kMaxUnrolled = 4;
  if (count % workers == 0 && count / workers <= kMaxUnrolled) {
    for (int64_t begin = 0; begin < count; begin += workers)
      emit(arith::AddIOp::create(builder, loc, worker, constant(begin)));
    return;
  }
  auto forOp = scf::ForOp::create(builder, loc, worker, constant(count),
                                  constant(workers));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(forOp.getBody());
  emit(forOp.getInductionVar());
}

/// Loops over reductions, the innermost of which `lanes` threads share.
SmallVector<Value> GenericEmitter::emitReductions(ArrayRef<int64_t> loops,
                                                  Value lane, int64_t lanes,
                                                  ValueRange carried,
                                                  Body body) {
  if (loops.empty())
    return body(carried);
  int64_t loop = loops.front();
  int64_t extent = nest.loops[loop].extent, step = 1;
  Value begin = constant(0);
  if (loops.size() == 1) {
    int64_t width = loop == mapping.vectorLoop ? mapping.width : 1;
    begin = arith::MulIOp::create(builder, loc, lane, constant(width));
    step = lanes * width;
  }
  // If all lanes do as many iterations, their number is a constant, and the
  // loads of several of them are on their way at a time.
  bool isEven = loops.size() == 1 && lanes > 1 && extent % step == 0;
  auto forOp = scf::ForOp::create(builder, loc, isEven ? constant(0) : begin,
                                  constant(extent), constant(step), carried);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(forOp.getBody());
  positions[loop] = forOp.getInductionVar();
  if (isEven)
    positions[loop] =
        arith::AddIOp::create(builder, loc, positions[loop], begin);
  SmallVector<Value> results = emitReductions(loops.drop_front(), lane, lanes,
                                              forOp.getRegionIterArgs(), body);
  scf::YieldOp::create(builder, loc, results);
  return forOp.getResults();
}

/// A thread computes an element, or a vector of elements, by itself, or
/// several.
void GenericEmitter::emitThreads() {
  emitShared(mapping.results / mapping.width, size.blocks * size.threads,
             getThreadOfGrid(), [&](Value number) {
               placeResult(number, mapping.parallel);
               // Reductions of one element have no loop left.
               bool isReduction = !mapping.reductions.empty();
               SmallVector<Value> first = llvm::map_to_vector(
                   initializeOutputs(/*all=*/isReduction),
                   [&](Value value) { return value ? repeat(value) : value; });
               if (!isReduction)
                 return storeOutputs(emitBody(first));
               storeOutputs(
                   emitReductions(mapping.reductions, constant(0), /*lanes=*/1,
                                  first, [&](ValueRange carried) {
                                    return llvm::map_to_vector(
                                        emitBody(carried), [&](Value value) {
                                          return repeat(value);
                                        });
                                  }));
             });
}

/// The threads of a block share a row.
void GenericEmitter::emitRow() {
  emitShared(
      mapping.countVectors(nest), size.threads, getThread(), [&](Value number) {
        placeResult(number, mapping.parallel);
        storeOutputs(emitBody(llvm::map_to_vector(
            initializeOutputs(/*all=*/false),
            [&](Value value) { return value ? repeat(value) : value; })));
      });
}

/// The workgroup buffers that the form of kernel needs.
SmallVector<Type> GenericEmitter::getSharedTypes(linalg::GenericOp op,
                                                 const LoopNest &nest,
                                                 const ThreadMapping &mapping) {
  MLIRContext *context = op.getContext();
  auto space =
      gpu::AddressSpaceAttr::get(context, gpu::AddressSpace::Workgroup);
  auto share = [&](ArrayRef<int64_t> shape, Type element) -> Type {
    return MemRefType::get(shape, element, MemRefLayoutAttrInterface(), space);
  };
  SmallVector<Type> types;
  for (int64_t operand : mapping.tiled) {
    Type element = getElementTypeOrSelf(nest.operands[operand].operand->get());
    types.push_back(
        share({mapping.tileSize, mapping.getTilePitch()},
              element.isInteger(1) ? IntegerType::get(context, 8) : element));
  }
  bool isBlock = mapping.worker == ThreadMapping::Worker::Block;
  if (!isBlock && mapping.worker != ThreadMapping::Worker::Columns)
    return types;
  for (Value output : op.getDpsInits())
    types.push_back(share(isBlock ? mapping.size.threads / kWarpSize
                                  : mapping.size.threads * mapping.width,
                          getComputeType(getElementTypeOrSelf(output))));
  return types;
}

void GenericEmitter::emit() {
  switch (mapping.worker) {
  case ThreadMapping::Worker::Thread:
    emitThreads();
    break;
  case ThreadMapping::Worker::Warp:
  case ThreadMapping::Worker::Block:
    emitMeetingThreads();
    break;
  case ThreadMapping::Worker::Columns:
    emitColumns();
    break;
  case ThreadMapping::Worker::Tile:
    emitTiles();
    break;
  case ThreadMapping::Worker::Row:
    emitRow();
    break;
  case ThreadMapping::Worker::ColumnSums:
    llvm_unreachable("sums of columns are emitted in parts");
  }
}
