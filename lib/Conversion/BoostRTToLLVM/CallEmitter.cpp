//===- CallEmitter.cpp - Calls of the runtime in one function -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function per boostrt operation, in the order of Functions.def; the
// arguments are listed there.
//
//===----------------------------------------------------------------------===//

#include "CallEmitter.h"

#include "boost-mlir/Dialect/BoostRT/IR/Factorize.h"
#include "boost-mlir/Dialect/BoostRT/Utils/BufferAddress.h"
#include "boost-mlir/Support/RuntimeType.h"
#include "boost-mlir/Support/TensorTypes.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::rt;

LLVM::GlobalOp ConstantArrays::get(ArrayRef<int64_t> values, unsigned width) {
  auto element = IntegerType::get(module.getContext(), width);
  SmallVector<APInt> words;
  for (int64_t value : values)
    words.push_back(APInt(width, value, /*isSigned=*/true));
  auto type =
      RankedTensorType::get({static_cast<int64_t>(values.size())}, element);
  auto contents = DenseElementsAttr::get(type, words);
  LLVM::GlobalOp &global = globals[contents];
  if (!global) {
    auto builder = OpBuilder::atBlockBegin(module.getBody());
    std::string name = ("boost_array_" + Twine(globals.size() - 1)).str();
    global = LLVM::GlobalOp::create(
        builder, module.getLoc(),
        LLVM::LLVMArrayType::get(element, values.size()), /*isConstant=*/true,
        LLVM::Linkage::Internal, name, contents);
  }
  return global;
}

LLVM::LLVMFuncOp AddressLoop::get() {
  if (function)
    return function;
  MLIRContext *context = module.getContext();
  Location loc = module.getLoc();
  auto pointer = LLVM::LLVMPointerType::get(context);
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  Type i8 = builder.getI8Type(), i64 = builder.getI64Type();
  function = LLVM::LLVMFuncOp::create(
      builder, loc, "boost_fill_pointers",
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context),
                                  {pointer, pointer, i64, pointer}),
      LLVM::Linkage::Internal);
  Block *entry = function.addEntryBlock(builder);
  Block *body = builder.createBlock(&function.getBody(), {}, i64, loc);
  Block *exit = builder.createBlock(&function.getBody());
  Value base = entry->getArgument(0), entries = entry->getArgument(1);
  Value end = entry->getArgument(2), pointers = entry->getArgument(3);
  Value place = body->getArgument(0);

  builder.setInsertionPointToEnd(entry);
  Value zero = LLVM::ConstantOp::create(builder, loc, i64, 0);
  LLVM::BrOp::create(builder, loc, zero, body);

  builder.setInsertionPointToEnd(body);
  auto load = [&](Value from) {
    return LLVM::LoadOp::create(
        builder, loc, i64,
        LLVM::GEPOp::create(builder, loc, pointer, i64, entries, from));
  };
  Value one = LLVM::ConstantOp::create(builder, loc, i64, 1);
  Value position = load(place);
  Value offset = load(LLVM::AddOp::create(builder, loc, place, one));
  LLVM::StoreOp::create(
      builder, loc,
      LLVM::GEPOp::create(builder, loc, pointer, i8, base, offset),
      LLVM::GEPOp::create(builder, loc, pointer, pointer, pointers, position));
  Value two = LLVM::ConstantOp::create(builder, loc, i64, 2);
  Value next = LLVM::AddOp::create(builder, loc, place, two);
  Value goesOn =
      LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, next, end);
  LLVM::CondBrOp::create(builder, loc, goesOn, body, ValueRange(next), exit,
                         ValueRange());

  builder.setInsertionPointToEnd(exit);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  return function;
}

CallEmitter::CallEmitter(LLVM::LLVMFuncOp function, RuntimeFunctions &functions,
                         ConstantArrays &arrays, AddressLoop &addressLoop)
    : builder(function.getContext()), functionLoc(function.getLoc()),
      context(function.getArgument(0)), function(function),
      functions(functions), arrays(arrays), addressLoop(addressLoop),
      pointerType(LLVM::LLVMPointerType::get(function.getContext())) {
  builder.setInsertionPointToEnd(&function.getBody().back());
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

Value CallEmitter::constant(TypedAttr value) {
  Value &constant = constants[value];
  if (!constant)
    constant = LLVM::ConstantOp::create(builder, functionLoc, value);
  return constant;
}

Value CallEmitter::i64(int64_t value) {
  return constant(builder.getI64IntegerAttr(value));
}
Value CallEmitter::i32(int64_t value) {
  return constant(builder.getI32IntegerAttr(value));
}
Value CallEmitter::f64(const APFloat &value) {
  return constant(builder.getF64FloatAttr(value.convertToDouble()));
}
Value CallEmitter::null() {
  return LLVM::ZeroOp::create(builder, functionLoc, pointerType);
}

/// The address of the arena, of the slot of the stash, or of a global.
Value CallEmitter::rootPointer(Value root) {
  // The context comes first.
  if (auto memory = dyn_cast<BlockArgument>(root))
    return function.getArgument(1 + memory.getArgNumber());
  auto global = root.getDefiningOp<memref::GetGlobalOp>();
  return LLVM::AddressOfOp::create(builder, functionLoc, pointerType,
                                   global.getName());
}

/// The address of a memref's first element; resolveOperands has checked that
/// there is one. It is computed anew for every call: kept over thousands of
/// calls, addresses would keep the register allocator busy.
Value CallEmitter::pointer(Value memref, int64_t element) {
  FailureOr<BufferAddress> address = resolveBufferAddress(memref);
  Value base = rootPointer(address->root);
  int64_t bytes =
      address->bytes +
      element * getElementBytes(getElementTypeOrSelf(memref.getType()));
  return LLVM::GEPOp::create(builder, functionLoc, pointerType,
                             builder.getI8Type(), base, ValueRange{i64(bytes)});
}

Value CallEmitter::typeOf(Value memref) {
  return i32(*getRuntimeType(getElementTypeOrSelf(memref.getType())));
}

/// Fills the array by a loop over the buffers of the arena, one over those of
/// the slot of the stash, and one over those of each global. Register
/// allocation takes more than linear time in the stores of one function, which
/// otherwise has a bounded number of calls.
void CallEmitter::fillPointers(ValueRange memrefs, Location loc) {
  // Each root has its positions in the array and offsets in bytes.
  llvm::MapVector<Attribute, std::pair<Value, SmallVector<int64_t>>> entries;
  for (auto [position, memref] : llvm::enumerate(memrefs)) {
    FailureOr<BufferAddress> address = resolveBufferAddress(memref);
    Attribute key;
    if (auto memory = dyn_cast<BlockArgument>(address->root))
      key = builder.getI64IntegerAttr(memory.getArgNumber());
    else
      key = address->root.getDefiningOp<memref::GetGlobalOp>().getNameAttr();
    auto &[root, list] = entries[key];
    root = address->root;
    list.append({static_cast<int64_t>(position), address->bytes});
  }
  for (auto &[key, entry] : entries) {
    auto &[root, list] = entry;
    LLVM::CallOp::create(builder, loc, addressLoop.get(),
                         ValueRange{rootPointer(root), constantArray(list, 64),
                                    i64(list.size()), scratch.getResult()});
  }
}

/// The array, which is allocated at the begin of the function when the first
/// call needs it, and grows to what the longest needs.
Value CallEmitter::getScratch(int64_t pointers) {
  if (!scratch) {
    auto first = OpBuilder::atBlockBegin(&function.getBody().front());
    Value size = LLVM::ConstantOp::create(first, functionLoc,
                                          first.getI64IntegerAttr(pointers));
    scratch = LLVM::AllocaOp::create(first, functionLoc, pointerType,
                                     pointerType, size);
    return scratch;
  }
  auto size = scratch.getArraySize().getDefiningOp<LLVM::ConstantOp>();
  if (cast<IntegerAttr>(size.getValue()).getInt() < pointers)
    size.setValueAttr(builder.getI64IntegerAttr(pointers));
  return scratch;
}

Value CallEmitter::pointerArray(ValueRange memrefs, Location loc) {
  if (memrefs.empty())
    return null();
  Value scratch = getScratch(static_cast<int64_t>(memrefs.size()));
  constexpr size_t kFewPointers = 64;
  if (memrefs.size() > kFewPointers) {
    fillPointers(memrefs, loc);
    return scratch;
  }
  for (auto [position, memref] : llvm::enumerate(memrefs)) {
    Value slot =
        LLVM::GEPOp::create(builder, loc, pointerType, pointerType, scratch,
                            LLVM::GEPArg(static_cast<int32_t>(position)));
    LLVM::StoreOp::create(builder, loc, pointer(memref), slot);
  }
  return scratch;
}

Value CallEmitter::constantArray(ArrayRef<int64_t> values, unsigned width) {
  return LLVM::AddressOfOp::create(builder, functionLoc,
                                   arrays.get(values, width));
}

Value CallEmitter::countArray(ValueRange memrefs) {
  return constantArray(
      llvm::map_to_vector(
          memrefs,
          [](Value memref) {
            return cast<ShapedType>(memref.getType()).getNumElements();
          }),
      64);
}

Value CallEmitter::typeArray(ValueRange memrefs) {
  return constantArray(
      llvm::map_to_vector(memrefs,
                          [](Value memref) -> int64_t {
                            return *getRuntimeType(
                                getElementTypeOrSelf(memref.getType()));
                          }),
      32);
}

void CallEmitter::call(StringRef name, Location loc,
                       ArrayRef<Value> arguments) {
  Arguments all{context};
  llvm::append_range(all, arguments);
  LLVM::CallOp::create(builder, loc, functions.get(name), all);
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

LogicalResult CallEmitter::resolveOperands(RuntimeCallOpInterface op) {
  for (Value operand : op->getOperands()) {
    FailureOr<BufferAddress> address = resolveBufferAddress(operand);
    if (failed(address) ||
        (!isa<BlockArgument>(address->root) &&
         !address->root.getDefiningOp<memref::GetGlobalOp>()))
      return op->emitOpError("expects buffers at constant offsets of the arena "
                             "or globals; run boostrt-plan-memory");
    if (!getRuntimeType(getElementTypeOrSelf(operand.getType())) &&
        !op.isUntyped())
      return op->emitOpError() << "has an operand of element type "
                               << getElementTypeOrSelf(operand.getType())
                               << ", which the runtime does not know";
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static int64_t countOf(Value memref) {
  return cast<ShapedType>(memref.getType()).getNumElements();
}

template <> LogicalResult CallEmitter::emitCall(LaunchOp op) {
  Value kernel = LLVM::AddressOfOp::create(builder, op.getLoc(), pointerType,
                                           op.getKernel());
  call("launch", op.getLoc(),
       {kernel, pointerArray(op.getBuffers(), op.getLoc()),
        i64(op.getExtent())});
  return success();
}

template <> LogicalResult CallEmitter::emitCall(CopyOp op) {
  int64_t bytes = getDenseBytes(cast<ShapedType>(op.getOuts().getType()));
  call("copy", op.getLoc(),
       {pointer(op.getOuts()), pointer(op.getInput()), i64(bytes)});
  return success();
}

template <> LogicalResult CallEmitter::emitCall(GemmOp op) {
  int64_t m = op.getM(), n = op.getN(), k = op.getK();
  SmallVector<Value> arguments = {typeOf(op.getA()),
                                  typeOf(op.getOuts()),
                                  i32(op.getTransposeA()),
                                  i32(op.getTransposeB()),
                                  i64(m),
                                  i64(n),
                                  i64(k)};
  auto addMatrices = [&](Value memref, std::optional<ArrayRef<int64_t>> layout,
                         int64_t rows, int64_t columns) {
    int64_t dense[] = {0, rows * columns, columns};
    ArrayRef<int64_t> steps = layout.value_or(ArrayRef<int64_t>(dense));
    arguments.append(
        {pointer(memref, /*element=*/steps[0]), i64(steps[2]), i64(steps[1])});
  };
  bool ta = op.getTransposeA(), tb = op.getTransposeB();
  addMatrices(op.getA(), op.getLayoutA(), ta ? k : m, ta ? m : k);
  addMatrices(op.getB(), op.getLayoutB(), tb ? n : k, tb ? k : n);
  addMatrices(op.getOuts(), op.getLayoutC(), m, n);
  arguments.append({i64(op.getBatch()), i32(op.getAccumulate())});
  call("gemm", op.getLoc(), arguments);
  return success();
}

/// An optional input of attention that has a number per score: its address and,
/// in elements, the distance between neighbors along batch, heads, queries and
/// keys.
void CallEmitter::appendScores(Arguments &arguments, Value scores) {
  if (!scores) {
    arguments.append({null(), null()});
    return;
  }
  ArrayRef<int64_t> shape = getShape(scores);
  SmallVector<int64_t> strides = computeStrides(shape);
  for (auto [size, stride] : llvm::zip_equal(shape, strides))
    if (size == 1)
      stride = 0;
  arguments.append({pointer(scores), constantArray(strides, 64)});
}

template <typename OpT>
void CallEmitter::callAttention(StringRef name, OpT op) {
  Arguments arguments{typeOf(op.getQuery())};
  for (Value each : {op.getQuery(), op.getKey(), op.getValue()})
    arguments.push_back(pointer(each));
  appendScores(arguments, op.getBias());
  appendScores(arguments, op.getMask());
  if constexpr (!std::is_same_v<OpT, AttentionForwardOp>) {
    for (Value each : {op.getResult(), op.getLse(), op.getGrad()})
      arguments.push_back(pointer(each));
    arguments.push_back(op.getLseGrad() ? pointer(op.getLseGrad()) : null());
  }
  for (Value out : op.getOuts())
    arguments.push_back(pointer(out));
  ArrayRef<int64_t> q = getShape(op.getQuery()), k = getShape(op.getKey());
  std::optional<APFloat> softCap = op.getSoftCap();
  arguments.append({i64(q[0]), i64(q[1]), i64(k[1]), i64(q[2]), i64(k[2]),
                    i64(q[3]), f64(op.getScale()),
                    softCap ? f64(*softCap) : f64(APFloat(0.0)),
                    i32(op.getCausal())});
  if constexpr (std::is_same_v<OpT, AttentionBackwardOp>)
    arguments.push_back(i32(op.getNondeterministic()));
  call(name, op.getLoc(), arguments);
}

template <> LogicalResult CallEmitter::emitCall(AttentionForwardOp op) {
  callAttention("attention_forward", op);
  return success();
}

template <> LogicalResult CallEmitter::emitCall(AttentionBackwardOp op) {
  callAttention("attention_backward", op);
  return success();
}

template <> LogicalResult CallEmitter::emitCall(AttentionBiasBackwardOp op) {
  callAttention("attention_bias_backward", op);
  return success();
}

template <> LogicalResult CallEmitter::emitCall(EmbeddingOp op) {
  ArrayRef<int64_t> table = getShape(op.getTable());
  call("embedding", op.getLoc(),
       {typeOf(op.getTable()), pointer(op.getTable()), pointer(op.getIds()),
        pointer(op.getOuts()), i64(table[0]), i64(table[1]),
        i64(countOf(op.getIds()))});
  return success();
}

template <> LogicalResult CallEmitter::emitCall(EmbeddingGradOp op) {
  ArrayRef<int64_t> table = getShape(op.getOuts());
  call("embedding_grad", op.getLoc(),
       {typeOf(op.getGrad()), pointer(op.getIds()), pointer(op.getGrad()),
        pointer(op.getOuts()), i64(table[0]), i64(table[1]),
        i64(countOf(op.getIds()))});
  return success();
}

template <> LogicalResult CallEmitter::emitCall(FactorizeOp op) {
  boost_rt::MatrixFactorization matrices = getMatrixFactorization(op);
  call("factorize", op.getLoc(),
       {i32(matrices.kind), typeOf(op.getInputs().front()),
        pointerArray(op->getOperands(), op.getLoc()), i64(matrices.rows),
        i64(matrices.columns), i64(matrices.reflections), i64(matrices.batch)});
  return success();
}

template <> LogicalResult CallEmitter::emitCall(AdamWOp op) {
  SmallVector<Value> buffers(op.getNumbers()), params;
  for (auto [i, grad] : llvm::enumerate(op.getGrads())) {
    buffers.append({op.getParam(i), op.getM(i), op.getV(i), grad});
    params.push_back(op.getParam(i));
    if (op.writesRounded())
      buffers.push_back(op.getRounded(i));
  }
  SmallVector<int64_t> decays(op.getDecays());
  Value type =
      op.writesRounded() ? typeOf(op.getRounded(0)) : typeOf(params[0]);
  call(op.writesRounded() ? "adamw_rounded" : "adamw", op.getLoc(),
       {type, typeOf(op.getGrads()[0]), i64(params.size()),
        pointerArray(buffers, op.getLoc()), countArray(params),
        constantArray(decays, 32)});
  return success();
}

template <> LogicalResult CallEmitter::emitCall(SumOfSquaresOp op) {
  call("sum_of_squares", op.getLoc(),
       {i64(op.getInputs().size()), pointerArray(op.getInputs(), op.getLoc()),
        countArray(op.getInputs()), typeArray(op.getInputs()),
        pointer(op.getOuts())});
  return success();
}

static int32_t getRuntimeReduction(Reduction reduction) {
  switch (reduction) {
  case Reduction::Sum:
    return 0;
  case Reduction::Max:
    return 1;
  case Reduction::Min:
    return 2;
  }
  llvm_unreachable("unknown reduction");
}

template <> LogicalResult CallEmitter::emitCall(AllReduceOp op) {
  call("all_reduce", op.getLoc(),
       {i32(*op.getSite()), i32(op.getGroup()),
        i32(getRuntimeReduction(op.getReduction())), i64(op.getOuts().size()),
        pointerArray(op.getOuts(), op.getLoc()), countArray(op.getOuts()),
        typeArray(op.getOuts())});
  return success();
}

/// Source and destination of every tensor.
static SmallVector<Value> getMoves(ValueRange inputs, ValueRange outs) {
  SmallVector<Value> moves;
  for (auto [input, out] : llvm::zip_equal(inputs, outs))
    moves.append({input, out});
  return moves;
}

/// For every piece the elements before its dimension, and those from it on.
static SmallVector<int64_t> getExtents(ValueRange pieces,
                                       ArrayRef<int64_t> dims) {
  SmallVector<int64_t> extents;
  for (auto [piece, dim] : llvm::zip_equal(pieces, dims)) {
    ArrayRef<int64_t> shape = getShape(piece);
    extents.append({llvm::product_of(shape.take_front(dim)),
                    llvm::product_of(shape.drop_front(dim))});
  }
  return extents;
}

template <> LogicalResult CallEmitter::emitCall(AllGatherOp op) {
  call("all_gather", op.getLoc(),
       {i32(*op.getSite()), i32(op.getGroup()), i64(op.getInputs().size()),
        pointerArray(getMoves(op.getInputs(), op.getOuts()), op.getLoc()),
        constantArray(getExtents(op.getInputs(), op.getDims()), 64),
        typeArray(op.getInputs())});
  return success();
}

template <> LogicalResult CallEmitter::emitCall(ReduceScatterOp op) {
  call("reduce_scatter", op.getLoc(),
       {i32(*op.getSite()), i32(op.getGroup()),
        i32(getRuntimeReduction(op.getReduction())), i64(op.getInputs().size()),
        pointerArray(getMoves(op.getInputs(), op.getOuts()), op.getLoc()),
        constantArray(getExtents(op.getOuts(), op.getDims()), 64),
        typeArray(op.getInputs())});
  return success();
}

template <> LogicalResult CallEmitter::emitCall(BroadcastOp op) {
  call("broadcast", op.getLoc(),
       {i32(*op.getSite()), i32(op.getGroup()),
        i64(static_cast<int64_t>(op.getRoot())), i64(op.getOuts().size()),
        pointerArray(op.getOuts(), op.getLoc()), countArray(op.getOuts()),
        typeArray(op.getOuts())});
  return success();
}

template <> LogicalResult CallEmitter::emitCall(AllToAllOp op) {
  ArrayRef<int64_t> shape = getShape(op.getInput());
  call("all_to_all", op.getLoc(),
       {i32(*op.getSite()), i32(op.getGroup()), typeOf(op.getInput()),
        pointer(op.getInput()), pointer(op.getOuts()), i64(shape.size()),
        constantArray(shape, 64), i64(op.getSplitDim()),
        i64(op.getConcatDim())});
  return success();
}

template <> LogicalResult CallEmitter::emitCall(AllSliceOp op) {
  ArrayRef<int64_t> piece = getShape(op.getOuts());
  call("all_slice", op.getLoc(),
       {i32(op.getGroup()), typeOf(op.getInput()), pointer(op.getInput()),
        pointer(op.getOuts()),
        i64(llvm::product_of(piece.take_front(op.getDim()))),
        i64(llvm::product_of(piece.drop_front(op.getDim())))});
  return success();
}

template <> LogicalResult CallEmitter::emitCall(ProcessIndexOp op) {
  call("process_index", op.getLoc(),
       {i32(op.getGroup()), pointer(op.getOuts())});
  return success();
}

template <> LogicalResult CallEmitter::emitCall(ProbeOp op) {
  call("probe", op.getLoc(),
       {i32(static_cast<int32_t>(op.getSite())), typeOf(op.getInput()),
        pointer(op.getInput()), i64(countOf(op.getInput()))});
  return success();
}

template <> LogicalResult CallEmitter::emitCall(RowsOp op) {
  return op.emitOpError(
      "has no function in the runtime; run boostrt-outline-kernels");
}

LogicalResult CallEmitter::emit(Operation *op) {
  if (auto call = dyn_cast<RuntimeCallOpInterface>(op))
    if (failed(resolveOperands(call)))
      return failure();
  if (auto collective = dyn_cast<CollectiveOpInterface>(op);
      collective && !collective.getSite())
    return op->emitOpError("expects a site; run boostrt-number-collectives");
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<
#define GET_OP_LIST
#include "boost-mlir/Dialect/BoostRT/IR/BoostRTOps.cpp.inc"
          , FactorizeOp>([&](auto known) { return emitCall(known); })
      .Default([](Operation *unknown) {
        return unknown->emitOpError("has no function in the runtime");
      });
}
