//===- KernelEmitter.cpp - One kernel as a gpu.func -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "boost-mlir/Dialect/BoostRT/IR/BoostRTAttrNames.h"
#include "boost-mlir/Dialect/BoostRT/Utils/KernelBody.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::rt;

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// The empty gpu.func for a kernel: its buffers, with what is known of their
/// addresses, and workgroup buffers of these types. The number of threads is
/// not said: ptxas would spill registers to fit more blocks.
static gpu::GPUFuncOp createFunction(func::FuncOp kernel,
                                     ArrayRef<int64_t> alignments,
                                     LaunchSize size, TypeRange shared,
                                     gpu::GPUModuleOp module) {
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  auto type =
      FunctionType::get(kernel.getContext(),
                        kernel.getArgumentTypes().drop_front(kFirstBuffer), {});
  auto function = gpu::GPUFuncOp::create(builder, kernel.getLoc(),
                                         kernel.getName(), type, shared);
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                    builder.getUnitAttr());
  function.setKnownGridSizeAttr(
      builder.getDenseI32ArrayAttr({static_cast<int32_t>(size.blocks), 1, 1}));
  for (auto [number, alignment] : llvm::enumerate(alignments)) {
    for (StringRef name : {LLVM::LLVMDialect::getNoAliasAttrName(),
                           LLVM::LLVMDialect::getReadonlyAttrName()})
      if (Attribute attr = kernel.getArgAttr(number + kFirstBuffer, name))
        function.setArgAttr(number, name, attr);
    Type element = getElementTypeOrSelf(type.getInput(number));
    if (alignment > getStoredBytes(element))
      function.setArgAttr(number, LLVM::LLVMDialect::getAlignAttrName(),
                          builder.getI64IntegerAttr(alignment));
  }
  return function;
}

namespace {

/// What the forms of kernels have in common: a function, and its threads.
class FunctionBuilder {
public:
  FunctionBuilder(gpu::GPUFuncOp function, Location loc, LaunchSize size)
      : loc(loc), builder(function.getContext()), function(function),
        size(size) {
    builder.setInsertionPointToStart(&function.getBody().front());
  }

protected:
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }
  Value getThread() {
    return gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  }
  Value getBlock() {
    return gpu::BlockIdOp::create(builder, loc, gpu::Dimension::x);
  }
  /// The number of this thread among those of all blocks.
  Value getThreadOfGrid() {
    Value first =
        arith::MulIOp::create(builder, loc, getBlock(), constant(size.threads));
    return arith::AddIOp::create(builder, loc, first, getThread());
  }
  /// Emits what only workers of a number below `count` do; `size` has
  /// `workers`.
  void emitIfBelow(Value number, int64_t count, int64_t workers,
                   llvm::function_ref<void()> emit);
  void emitIf(Value condition, llvm::function_ref<void()> emit);
  void emitReturn() { gpu::ReturnOp::create(builder, loc); }

  Location loc;
  OpBuilder builder;
  gpu::GPUFuncOp function;
  LaunchSize size;
};

} // namespace

void FunctionBuilder::emitIf(Value condition, llvm::function_ref<void()> emit) {
  auto ifOp = scf::IfOp::create(builder, loc, condition, /*withElse=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(ifOp.thenBlock());
  emit();
}

void FunctionBuilder::emitIfBelow(Value number, int64_t count, int64_t workers,
                                  llvm::function_ref<void()> emit) {
  if (count == workers)
    return emit();
  emitIf(arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, number,
                               constant(count)),
         emit);
}

//===----------------------------------------------------------------------===//
// Loops of a linalg.generic
//===----------------------------------------------------------------------===//

namespace {

/// Emits a kernel that is one linalg.generic, and maybe a fill before it.
class GenericEmitter : FunctionBuilder {
public:
  GenericEmitter(gpu::GPUFuncOp function, linalg::GenericOp op, LoopNest nest,
                 linalg::FillOp fill, ThreadMapping mapping)
      : FunctionBuilder(function, op.getLoc(), mapping.size), op(op),
        nest(std::move(nest)), mapping(std::move(mapping)), fill(fill),
        firstOutput(op.getNumDpsInputs()), positions(this->nest.loops.size()) {}

  void emit();

  /// The workgroup buffers that the form of kernel needs.
  static SmallVector<Type> getSharedTypes(linalg::GenericOp op,
                                          const ThreadMapping &mapping);

private:
  using Body = llvm::function_ref<SmallVector<Value>(ValueRange carried)>;

  // Forms of kernels.
  void emitThreads();
  void emitMeetingThreads();

  // Loops.
  void placeResult(Value number);
  SmallVector<Value> emitReductions(ArrayRef<int64_t> loops, Value lane,
                                    int64_t lanes, ValueRange carried,
                                    Body body);

  // Elements.
  bool isVector(int64_t operand) const {
    return mapping.width > 1 &&
           nest.operands[operand].strides[mapping.vectorLoop] != 0;
  }
  Value getBuffer(int64_t operand);
  Value getDistance(int64_t operand);
  Value flatten(int64_t operand);
  llvm::MaybeAlign getAlignment(int64_t operand);
  Type getStoredType(int64_t operand);
  Value load(int64_t operand);
  void store(Value value, int64_t operand);
  Value repeat(Value value);
  Value getIndex(int64_t loop);

  // Values.
  SmallVector<Value> loadOutputs(bool all);
  SmallVector<Value> initializeOutputs(bool all);
  void storeOutputs(ValueRange values);
  SmallVector<Value> emitBody(ValueRange outputs);
  Value getNeutral(unsigned number);
  Value combine(unsigned number, Value left, Value right);
  Value combineVector(unsigned number, Value vector);
  Value combineWarp(unsigned number, Value value);
  Value shuffle(Value value, int64_t distance);
  SmallVector<Value> combineBlock(ValueRange values);

  linalg::GenericOp op;
  LoopNest nest;
  ThreadMapping mapping;
  linalg::FillOp fill;
  /// Outputs come last among the operands of the nest.
  int64_t firstOutput;
  /// The current position in every loop; that of the first lane in the one that
  /// is computed in vectors.
  SmallVector<Value> positions;
};

} // namespace

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

llvm::MaybeAlign GenericEmitter::getAlignment(int64_t operand) {
  int64_t bytes = mapping.width * getStoredBytes(getStoredType(operand));
  return llvm::Align(std::min<int64_t>(16, bytes));
}

Value GenericEmitter::load(int64_t operand) {
  Value value;
  Type stored = getStoredType(operand);
  if (isVector(operand))
    value = vector::LoadOp::create(
        builder, loc, VectorType::get(mapping.width, stored), flatten(operand),
        getDistance(operand), /*nontemporal=*/false, getAlignment(operand));
  else
    value =
        memref::LoadOp::create(builder, loc, getBuffer(operand),
                               nest.operands[operand].getIndices(positions));
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
                            getAlignment(operand));
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
  for (auto [argument, value] :
       llvm::zip_equal(op.getRegionOutputArgs(), outputs))
    if (value)
      values.map(argument, value);
  for (Operation &inner : op.getBody()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      values.map(index.getResult(), getIndex(index.getDim()));
      continue;
    }
    for (Value operand : inner.getOperands()) {
      mapConstant(operand);
      auto argument = dyn_cast<BlockArgument>(operand);
      if (argument && argument.getOwner()->getParentOp() != op.getOperation() &&
          !values.contains(operand))
        values.map(operand, function.getArgument(argument.getArgNumber() -
                                                 kFirstBuffer));
    }
    cloneWidened(builder, inner, values);
  }
  SmallVector<Value> results;
  for (Value value : op.getBody()->getTerminator()->getOperands()) {
    mapConstant(value);
    results.push_back(widen(builder, loc, values.lookup(value)));
  }
  return results;
}

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
  ArrayRef<BlockArgument> shared = function.getWorkgroupAttributions();
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

SmallVector<Type> GenericEmitter::getSharedTypes(linalg::GenericOp op,
                                                 const ThreadMapping &mapping) {
  if (mapping.worker != ThreadMapping::Worker::Block)
    return {};
  auto space =
      gpu::AddressSpaceAttr::get(op.getContext(), gpu::AddressSpace::Workgroup);
  return llvm::map_to_vector(op.getDpsInits(), [&](Value output) -> Type {
    Type type = getComputeType(getElementTypeOrSelf(output.getType()));
    return MemRefType::get({mapping.size.threads / kWarpSize}, type,
                           MemRefLayoutAttrInterface(), space);
  });
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Takes a number of a result, or of a vector of them, apart into positions.
void GenericEmitter::placeResult(Value number) {
  for (int64_t loop : llvm::reverse(mapping.parallel)) {
    bool isVector = loop == mapping.vectorLoop;
    int64_t extent = nest.loops[loop].extent / (isVector ? mapping.width : 1);
    Value position = number;
    if (loop != mapping.parallel.front()) {
      position = arith::RemUIOp::create(builder, loc, number, constant(extent));
      number = arith::DivUIOp::create(builder, loc, number, constant(extent));
    }
    if (isVector)
      position = arith::MulIOp::create(builder, loc, position,
                                       constant(mapping.width));
    positions[loop] = position;
  }
}

/// Loops over reductions, the innermost of which `lanes` threads share.
SmallVector<Value> GenericEmitter::emitReductions(ArrayRef<int64_t> loops,
                                                  Value lane, int64_t lanes,
                                                  ValueRange carried,
                                                  Body body) {
  if (loops.empty())
    return body(carried);
  int64_t loop = loops.front();
  Value begin = constant(0), step = constant(1);
  if (loops.size() == 1) {
    int64_t width = loop == mapping.vectorLoop ? mapping.width : 1;
    begin = arith::MulIOp::create(builder, loc, lane, constant(width));
    step = constant(lanes * width);
  }
  auto forOp = scf::ForOp::create(
      builder, loc, begin, constant(nest.loops[loop].extent), step, carried);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(forOp.getBody());
  positions[loop] = forOp.getInductionVar();
  SmallVector<Value> results = emitReductions(loops.drop_front(), lane, lanes,
                                              forOp.getRegionIterArgs(), body);
  scf::YieldOp::create(builder, loc, results);
  return forOp.getResults();
}

/// A thread computes an element, or a vector of elements, by itself.
void GenericEmitter::emitThreads() {
  Value number = getThreadOfGrid();
  emitIfBelow(
      number, mapping.results / mapping.width, size.blocks * size.threads, [&] {
        placeResult(number);
        // Reductions of one element have no loop left.
        bool isReduction = !mapping.reductions.empty();
        SmallVector<Value> first = llvm::map_to_vector(
            initializeOutputs(/*all=*/isReduction),
            [&](Value value) { return value ? repeat(value) : value; });
        if (!isReduction)
          return storeOutputs(emitBody(first));
        storeOutputs(emitReductions(
            mapping.reductions, constant(0), /*lanes=*/1, first,
            [&](ValueRange carried) {
              return llvm::map_to_vector(emitBody(carried), [&](Value value) {
                return repeat(value);
              });
            }));
      });
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
  int64_t workers = isBlock ? size.blocks : size.blocks * size.threads / lanes;
  emitIfBelow(number, mapping.results, workers, [&] {
    placeResult(number);
    SmallVector<Value> neutral;
    for (unsigned output = 0; output < op.getNumDpsInits(); ++output)
      neutral.push_back(getNeutral(output));
    SmallVector<Value> parts = emitReductions(
        mapping.reductions, lane, lanes, neutral, [&](ValueRange carried) {
          return llvm::map_to_vector(
              emitBody(carried), [&](Value value) { return repeat(value); });
        });
    for (auto [output, part] : llvm::enumerate(parts))
      part = combineWarp(output, combineVector(output, part));
    if (isBlock)
      parts = combineBlock(parts);
    Value isFirst = arith::CmpIOp::create(
        builder, loc, arith::CmpIPredicate::eq, lane, constant(0));
    emitIf(isFirst, [&] {
      SmallVector<Value> totals = initializeOutputs(/*all=*/true);
      for (auto [output, part] : llvm::enumerate(parts))
        totals[output] = combine(output, totals[output], part);
      storeOutputs(totals);
    });
  });
}

void GenericEmitter::emit() {
  if (mapping.worker == ThreadMapping::Worker::Thread)
    emitThreads();
  else
    emitMeetingThreads();
  emitReturn();
}

//===----------------------------------------------------------------------===//
// Written loops
//===----------------------------------------------------------------------===//

namespace {

/// Emits a kernel whose loops are written out: a thread for every row.
class RowsEmitter : FunctionBuilder {
public:
  RowsEmitter(gpu::GPUFuncOp function, func::FuncOp kernel, LaunchSize size,
              int64_t rows)
      : FunctionBuilder(function, kernel.getLoc(), size), kernel(kernel),
        rows(rows) {}

  void emit() {
    Value row = getThreadOfGrid();
    emitIfBelow(row, rows, size.blocks * size.threads, [&] {
      IRMapping values;
      values.map(kernel.getArgument(0), row);
      values.map(kernel.getArgument(1),
                 arith::AddIOp::create(builder, loc, row, constant(1)));
      values.map(kernel.getArguments().drop_front(kFirstBuffer),
                 function.getArguments());
      for (Operation &inner : kernel.getBody().front().without_terminator())
        builder.clone(inner, values);
    });
    emitReturn();
    widenInPlace(function);
    storeBooleansAsBytes(function);
  }

private:
  func::FuncOp kernel;
  int64_t rows;
};

} // namespace

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static GPUKernel emitGeneric(func::FuncOp kernel, linalg::GenericOp op,
                             LoopNest nest, linalg::FillOp fill,
                             ArrayRef<int64_t> alignments,
                             gpu::GPUModuleOp module) {
  SmallVector<int64_t> ofOperands =
      llvm::map_to_vector(nest.operands, [&](const NestOperand &operand) {
        auto argument = cast<BlockArgument>(operand.operand->get());
        return alignments[argument.getArgNumber() - kFirstBuffer];
      });
  ThreadMapping mapping = mapThreads(op, nest, ofOperands);
  gpu::GPUFuncOp function =
      createFunction(kernel, alignments, mapping.size,
                     GenericEmitter::getSharedTypes(op, mapping), module);
  storeBooleansAsBytes(function);
  LaunchSize size = mapping.size;
  GenericEmitter(function, op, std::move(nest), fill, std::move(mapping))
      .emit();
  return {function, size};
}

static GPUKernel emitRows(func::FuncOp kernel, int64_t rows,
                          ArrayRef<int64_t> alignments,
                          gpu::GPUModuleOp module) {
  constexpr int64_t kThreads = 128;
  LaunchSize size = LaunchSize::forThreads(rows, kThreads);
  gpu::GPUFuncOp function =
      createFunction(kernel, alignments, size, {}, module);
  RowsEmitter(function, kernel, size, rows).emit();
  return {function, size};
}

FailureOr<GPUKernel> mlir::boost::emitGPUKernel(func::FuncOp kernel,
                                                ArrayRef<int64_t> alignments,
                                                gpu::GPUModuleOp module) {
  SmallVector<linalg::GenericOp> generics(kernel.getOps<linalg::GenericOp>());
  SmallVector<linalg::FillOp> fills(kernel.getOps<linalg::FillOp>());
  auto extent = kernel->getAttrOfType<IntegerAttr>(kExtentAttr);
  GPUKernel emitted;
  if (generics.empty() && fills.empty() && extent &&
      !kernel.getOps<scf::ForOp>().empty()) {
    emitted = emitRows(kernel, extent.getInt(), alignments, module);
  } else if (generics.size() != 1 || fills.size() > 1) {
    return kernel.emitOpError("expects written loops, or one linalg.generic "
                              "and at most one linalg.fill before it; run "
                              "boostrt-outline-kernels");
  } else {
    FailureOr<LoopNest> nest = buildLoopNest(generics.front());
    if (failed(nest))
      return failure();
    linalg::FillOp fill = fills.empty() ? linalg::FillOp() : fills.front();
    emitted = emitGeneric(kernel, generics.front(), std::move(*nest), fill,
                          alignments, module);
  }
  if (failed(expandMath(emitted.function)))
    return failure();
  return emitted;
}
