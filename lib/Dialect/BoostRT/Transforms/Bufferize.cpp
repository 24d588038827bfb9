//===- Bufferize.cpp - Tensors to memrefs ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements boostrt-bufferize: the signature and the rewriting of operations.
// BufferPlacement.cpp decides where each value lives.
//
//===----------------------------------------------------------------------===//

#include "Bufferizer.h"
#include "Utils.h"

#include "boost-mlir/Dialect/Boost/IR/Parts.h"
#include "boost-mlir/Dialect/Boost/IR/Rematerialization.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::boost::rt {
#define GEN_PASS_DEF_BUFFERIZEPASS
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h.inc"
} // namespace mlir::boost::rt

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::rt;

static MemRefType denseMemRef(Type tensorType) {
  auto type = cast<RankedTensorType>(tensorType);
  return MemRefType::get(type.getShape(), type.getElementType());
}

static bool isOnTensors(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), llvm::IsaPred<TensorType>) ||
         llvm::any_of(op->getResultTypes(), llvm::IsaPred<TensorType>);
}

//===----------------------------------------------------------------------===//
// Signature
//===----------------------------------------------------------------------===//

LogicalResult FunctionBufferizer::checkSignature() {
  if (!func.getBody().hasOneBlock())
    return func.emitOpError("expects one block of straight-line code");
  FunctionType type = func.getFunctionType();
  for (Type each :
       llvm::concat<const Type>(type.getInputs(), type.getResults()))
    if (auto tensor = dyn_cast<RankedTensorType>(each);
        !tensor || !tensor.hasStaticShape())
      return func.emitOpError("expects statically shaped tensors as arguments "
                              "and results, but got ")
             << each;
  return success();
}

/// Adds one memref argument per input and per result that replaces no input.
void FunctionBufferizer::addArguments() {
  Block &body = func.front();
  numInputs = body.getNumArguments();
  llvm::StringMap<Storage *> inputs;
  for (unsigned i = 0; i < numInputs; ++i) {
    BlockArgument tensor = body.getArgument(i);
    Value memref =
        body.addArgument(denseMemRef(tensor.getType()), tensor.getLoc());
    Storage *storage = newStorage(memref, /*writable=*/false);
    storage->lastUse = lastUseOf(tensor);
    contents[tensor] = newContents();
    placements[tensor] = {
        storage, 0,
        computeStrides(cast<ShapedType>(tensor.getType()).getShape())};
    if (TensorAttr tensor = getArgTensor(func, i))
      inputs[tensor.getName()] = storage;
  }
  for (auto [i, type] : llvm::enumerate(func.getResultTypes())) {
    TensorAttr tensor = getResultTensor(func, i);
    Storage *input = tensor ? inputs.lookup(tensor.getName()) : nullptr;
    if (input && input->memref.getType() == denseMemRef(type)) {
      destinations.push_back({input, /*isUpdate=*/true, false});
      continue;
    }
    Value memref = body.addArgument(denseMemRef(type), func.getLoc());
    destinations.push_back(
        {newStorage(memref, /*writable=*/true), false, false});
  }
}

/// Drops the tensors from the signature; remembers inputs and outputs by name.
void FunctionBufferizer::finishSignature() {
  Block &body = func.front();
  MLIRContext *context = func.getContext();
  SmallVector<Attribute> inputNames, outputNames, attrs;
  // Packed tensors are known by the names of their parts.
  auto addNames = [&](SmallVector<Attribute> &names, DictionaryAttr tensor) {
    SmallVector<PartAttr> parts = getParts(tensor);
    for (PartAttr part : parts)
      names.push_back(part.getName());
    TensorAttr single = getTensor(tensor);
    if (parts.empty())
      names.push_back(single ? single.getName() : StringAttr::get(context, ""));
  };
  for (unsigned i = 0; i < numInputs; ++i) {
    addNames(inputNames, func.getArgAttrDict(i));
    DictionaryAttr dict = func.getArgAttrDict(i);
    attrs.push_back(dict ? dict : DictionaryAttr::get(context));
  }
  for (auto [i, destination] : llvm::enumerate(destinations)) {
    addNames(outputNames, func.getResultAttrDict(i));
    if (destination.isUpdate)
      continue;
    DictionaryAttr dict = func.getResultAttrDict(i);
    attrs.push_back(dict ? dict : DictionaryAttr::get(context));
  }
  body.eraseArguments(0, numInputs);
  func.setFunctionType(FunctionType::get(context, body.getArgumentTypes(), {}));
  func.removeResAttrsAttr();
  func.setAllArgAttrs(attrs);
  func->setAttr(kInputsAttr, ArrayAttr::get(context, inputNames));
  func->setAttr(kOutputsAttr, ArrayAttr::get(context, outputNames));
  func->setAttr(kResultsAttr, ArrayAttr::get(context, resultContents));
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

LogicalResult FunctionBufferizer::run() {
  if (failed(checkSignature()))
    return failure();
  separateInits();
  computeLastUses();
  computeHints();
  addArguments();

  SmallVector<Operation *> old;
  for (Operation &op : func.front())
    old.push_back(&op);
  for (Operation *op : old) {
    now = positions.lookup(op);
    builder.setInsertionPoint(op);
    layers.enter(op);
    if (failed(rewrite(op)))
      return failure();
  }
  for (Operation *op : llvm::reverse(old))
    if (isOnTensors(op))
      op->erase();
  // A kernel without iterations leaves its destination as it is.
  for (auto kernel :
       llvm::make_early_inc_range(func.front().getOps<linalg::LinalgOp>()))
    if (llvm::is_contained(kernel.getStaticLoopRanges(), 0))
      kernel->erase();
  finishSignature();
  return success();
}

LogicalResult FunctionBufferizer::rewrite(Operation *op) {
  recordContents(op);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return rewriteExtractSlice(slice), success();
  if (auto insertion = dyn_cast<tensor::InsertSliceOp>(op))
    return rewriteInsertSlice(insertion), success();
  if (auto returnOp = dyn_cast<func::ReturnOp>(op))
    return rewriteReturn(returnOp), success();
  if (auto dps = dyn_cast<DestinationStyleOpInterface>(op))
    return rewriteDestinationStyle(dps), success();
  // Constants and empty tensors are placed when they are used.
  if (isa<arith::ConstantOp, tensor::EmptyOp>(op))
    return success();

  auto aliases = getAliases(op);
  for (auto [source, result] : aliases)
    rewriteAlias(source, result);
  if (aliases.empty() && isOnTensors(op))
    return op->emitOpError("is not a runtime operation on tensors; expects "
                           "linalg, boostrt, tensor.empty, "
                           "reshapes and slices");
  return success();
}

/// A reshape (or barrier) has the elements of its source. These must be dense,
/// but for those that were put in their part of a joined tensor.
void FunctionBufferizer::rewriteAlias(Value source, Value result) {
  auto hint = hints.find(source);
  bool isPart = hint != hints.end() && hint->second.whole;
  Placement placement = isPart ? place(source) : placeDense(source);
  placement.strides = *reshapeStrides(
      cast<ShapedType>(source.getType()).getShape(), placement.strides,
      cast<ShapedType>(result.getType()).getShape());
  setPlacement(result, std::move(placement));
}

void FunctionBufferizer::rewriteExtractSlice(tensor::ExtractSliceOp slice) {
  setPlacement(slice.getResult(),
               partOf(place(slice.getSource()), slice, slice.getDroppedDims()));
}

void FunctionBufferizer::rewriteInsertSlice(tensor::InsertSliceOp insertion) {
  placeOverDestination(insertion.getResult(), insertion.getDestMutable());
  Placement part = partOf(placements[insertion.getResult()], insertion,
                          insertion.getDroppedDims());
  const Placement &source = place(insertion.getSource());
  // Strides of dimensions of one element may differ.
  ArrayRef<int64_t> shape = insertion.getSourceType().getShape();
  if (source.storage == part.storage && source.offset == part.offset &&
      reshapeStrides(shape, source.strides, shape) ==
          reshapeStrides(shape, part.strides, shape))
    return;
  Location loc = insertion.getLoc();
  copy(viewOf(insertion.getSource(), loc),
       view(part, insertion.getSourceType(), loc),
       getContents(insertion.getSource()), loc);
}

/// Rewrites the operation on memrefs. Runtime calls need dense ones, kernels
/// accept any.
void FunctionBufferizer::rewriteDestinationStyle(
    DestinationStyleOpInterface op) {
  Location loc = op->getLoc();
  bool dense = !isa<linalg::LinalgOp>(op.getOperation());
  SmallVector<Value> operands(op->getOperands());
  std::array<DenseI64ArrayAttr, 2> layouts;
  for (OpOperand *input : op.getDpsInputOperands())
    if (isa<TensorType>(input->get().getType()))
      operands[input->getOperandNumber()] = viewOf(input->get(), loc, dense);
  if (auto gemm = dyn_cast<GemmOp>(op.getOperation()))
    narrowProductInputs(gemm, operands, layouts);
  for (OpOperand &init : op.getDpsInitsMutable()) {
    Value result = op.getTiedOpResult(&init);
    placeOverDestination(result, init);
    operands[init.getOperandNumber()] = viewOf(result, loc);
  }
  Operation *rewritten =
      clone(builder, op.getOperation(), TypeRange(), operands);
  recordCall(rewritten, op);
  if (auto gemm = dyn_cast<GemmOp>(rewritten)) {
    gemm.setLayoutAAttr(layouts[0]);
    gemm.setLayoutBAttr(layouts[1]);
    auto type = cast<MemRefType>(gemm.getOuts().getType());
    if (!isDense(type))
      gemm.setLayoutC(
          *findResultLayout(gemm, type.getShape(), getStaticStrides(type)));
  }
  bufferizeCaptures(rewritten);
}

/// Bodies of kernels may read elements of other tensors (gather).
void FunctionBufferizer::bufferizeCaptures(Operation *clone) {
  SmallVector<tensor::ExtractOp> extracts;
  clone->walk([&](tensor::ExtractOp extract) { extracts.push_back(extract); });
  for (tensor::ExtractOp extract : extracts) {
    builder.setInsertionPoint(clone);
    Value memref = viewOf(extract.getTensor(), extract.getLoc());
    builder.setInsertionPoint(extract);
    Value loaded = memref::LoadOp::create(builder, extract.getLoc(), memref,
                                          extract.getIndices());
    loaded.getDefiningOp()->setAttr(
        kReadsAttr, builder.getArrayAttr({getContents(extract.getTensor())}));
    extract.getResult().replaceAllUsesWith(loaded);
    extract.erase();
  }
  builder.setInsertionPointAfter(clone);
}

/// The one element of a uniform constant, or nothing.
static TypedAttr findSplat(Value value) {
  auto constant = value.getDefiningOp<arith::ConstantOp>();
  auto elements =
      constant ? dyn_cast<ElementsAttr>(constant.getValue()) : ElementsAttr();
  if (!elements || !elements.isSplat())
    return {};
  return cast<TypedAttr>(elements.getSplatValue<Attribute>());
}

/// Copies what is not already where it belongs. Inputs that are themselves
/// overwritten are read before anything is written.
void FunctionBufferizer::rewriteReturn(func::ReturnOp op) {
  Location loc = op.getLoc();
  recordResults(op);
  for (Value value : op.getOperands())
    if (!findSplat(value))
      place(value);
  // Inputs that another value replaces by a copy.
  llvm::DenseSet<Storage *> overwritten;
  for (const Destination &destination : destinations)
    if (!destination.taken)
      overwritten.insert(destination.storage);
  SmallVector<std::tuple<Value, Value, DenseI64ArrayAttr>> copies;
  SmallVector<std::tuple<TypedAttr, Value, DenseI64ArrayAttr>> fills;
  for (auto [value, destination] :
       llvm::zip_equal(op.getOperands(), destinations)) {
    Value target = destination.storage->memref;
    if (TypedAttr splat = findSplat(value)) {
      fills.push_back({splat, target, getContents(value)});
      continue;
    }
    const Placement &source = place(value);
    if (source.storage == destination.storage &&
        isDense(cast<ShapedType>(value.getType()).getShape(), source.strides))
      continue;
    Value memref = viewOf(value, loc);
    if (overwritten.contains(source.storage)) {
      Value saved =
          memref::AllocOp::create(builder, loc, denseMemRef(value.getType()));
      copy(memref, saved, getContents(value), loc);
      memref = saved;
    }
    copies.push_back({memref, target, getContents(value)});
  }
  for (auto [source, target, values] : copies)
    copy(source, target, values, loc);
  for (auto [splat, target, values] : fills)
    fill(arith::ConstantOp::create(builder, loc, splat), target, values, loc);
  if (op.getNumOperands() == 0)
    return;
  builder.setInsertionPointAfter(op);
  func::ReturnOp::create(builder, loc);
}

//===----------------------------------------------------------------------===//
// The record of what is computed
//===----------------------------------------------------------------------===//

DenseI64ArrayAttr FunctionBufferizer::newContents() {
  return builder.getDenseI64ArrayAttr({nextNumber++});
}

/// Constants are numbered when they are first used; an undefined tensor
/// consists of nothing.
DenseI64ArrayAttr FunctionBufferizer::getContents(Value tensor) {
  if (tensor.getDefiningOp<tensor::EmptyOp>())
    return builder.getDenseI64ArrayAttr({});
  auto [it, isNew] = contents.try_emplace(tensor);
  if (isNew)
    it->second = newContents();
  return it->second;
}

/// The values of a slice may be any of its source's.
void FunctionBufferizer::recordContents(Operation *op) {
  if (auto insertion = dyn_cast<tensor::InsertSliceOp>(op)) {
    contents[insertion.getResult()] = joinValues(
        getContents(insertion.getDest()), getContents(insertion.getSource()));
    return;
  }
  for (auto [source, result] : getAliases(op)) {
    DenseI64ArrayAttr same = getContents(source);
    contents[result] = same;
  }
  // A kernel without iterations leaves its destination as it is.
  auto kernel = dyn_cast<linalg::LinalgOp>(op);
  if (kernel && llvm::is_contained(kernel.getStaticLoopRanges(), 0))
    for (OpOperand &init : kernel.getDpsInitsMutable())
      if (Value result = kernel.getTiedOpResult(&init)) {
        DenseI64ArrayAttr same = getContents(init.get());
        contents[result] = same;
      }
}

/// `op` is the operation on tensors that the call was made from.
void FunctionBufferizer::recordCall(Operation *call,
                                    DestinationStyleOpInterface op) {
  SmallVector<Attribute> reads, writes;
  for (OpOperand &operand : op->getOpOperands()) {
    bool isRead = isa<TensorType>(operand.get().getType()) &&
                  (!op.isDpsInit(&operand) || readsDestination(op, operand));
    reads.push_back(isRead ? getContents(operand.get())
                           : builder.getDenseI64ArrayAttr({}));
  }
  for (OpOperand &init : op.getDpsInitsMutable())
    writes.push_back(getContents(op.getTiedOpResult(&init)));
  record(call, reads, writes);
}

/// In the final signature inputs come first.
void FunctionBufferizer::recordResults(func::ReturnOp op) {
  for (auto [value, destination] :
       llvm::zip_equal(op.getOperands(), destinations)) {
    auto memref = cast<BlockArgument>(destination.storage->memref);
    SmallVector<int64_t> result{memref.getArgNumber() - numInputs};
    llvm::append_range(result, getContents(value).asArrayRef());
    resultContents.push_back(builder.getDenseI64ArrayAttr(result));
  }
}

//===----------------------------------------------------------------------===//
// Memrefs
//===----------------------------------------------------------------------===//

Value FunctionBufferizer::view(const Placement &placement,
                               RankedTensorType type, Location loc) {
  MemRefType dense = denseMemRef(type);
  bool identity =
      placement.offset == 0 && isDense(type.getShape(), placement.strides);
  Value root = placement.storage->memref;
  if (identity && root.getType() == dense)
    return root;
  MemRefType viewType = dense;
  // A dense view may have strides of its own in dimensions of one element.
  SmallVector<int64_t> strides = computeStrides(type.getShape());
  if (!identity) {
    strides = placement.strides;
    viewType = MemRefType::get(
        type.getShape(), type.getElementType(),
        StridedLayoutAttr::get(type.getContext(), placement.offset, strides));
  }
  return memref::ReinterpretCastOp::create(
      builder, loc, viewType, root, placement.offset, type.getShape(), strides);
}

/// Returns a view of the part of a tensor that an operand of a product reads,
/// from its first element to its last.
Value FunctionBufferizer::viewOfProductInput(Value tensor,
                                             DenseI64ArrayAttr &layout,
                                             int64_t batch, int64_t rows,
                                             int64_t columns, Location loc) {
  int64_t begin = layout[0], nextMatrix = layout[1], nextRow = layout[2];
  int64_t span =
      batch == 0 || rows == 0 || columns == 0
          ? 0
          : (batch - 1) * nextMatrix + (rows - 1) * nextRow + columns;
  Placement part = placeDense(tensor);
  part.offset += begin;
  part.strides = {1};
  layout = builder.getDenseI64ArrayAttr({0, nextMatrix, nextRow});
  auto type = cast<RankedTensorType>(tensor.getType());
  return view(part, RankedTensorType::get({span}, type.getElementType()), loc);
}

void FunctionBufferizer::narrowProductInputs(
    GemmOp op, SmallVector<Value> &operands,
    std::array<DenseI64ArrayAttr, 2> &layouts) {
  int64_t batch = op.getBatch(), m = op.getM(), n = op.getN(), k = op.getK();
  bool ta = op.getTransposeA(), tb = op.getTransposeB();
  layouts = {op.getLayoutAAttr(), op.getLayoutBAttr()};
  if (layouts[0])
    operands[0] = viewOfProductInput(op.getA(), layouts[0], batch, ta ? k : m,
                                     ta ? m : k, op.getLoc());
  if (layouts[1])
    operands[1] = viewOfProductInput(op.getB(), layouts[1], batch, tb ? n : k,
                                     tb ? k : n, op.getLoc());
}

/// The memref of a tensor value; `dense` asks for a copy if there are gaps.
Value FunctionBufferizer::viewOf(Value tensor, Location loc, bool dense) {
  auto type = cast<RankedTensorType>(tensor.getType());
  if (dense && !isDense(type.getShape(), place(tensor).strides))
    return placeDense(tensor).storage->memref;
  const Placement &placement = place(tensor);
  Value &cached = views[tensor];
  if (!cached)
    cached = view(placement, type, loc);
  return cached;
}

/// A call of the runtime's copy, or a kernel if one side has gaps.
void FunctionBufferizer::copy(Value source, Value target,
                              DenseI64ArrayAttr contents, Location loc) {
  auto hasGaps = [](Value memref) {
    return !isDense(cast<MemRefType>(memref.getType()));
  };
  auto type = cast<MemRefType>(source.getType());
  if (!hasGaps(source) && !hasGaps(target)) {
    auto call = CopyOp::create(builder, loc, TypeRange(), source, target);
    record(call, {contents, builder.getDenseI64ArrayAttr({})}, {contents});
    return;
  }
  AffineMap map = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<utils::IteratorType> loops(type.getRank(),
                                         utils::IteratorType::parallel);
  auto kernel = linalg::GenericOp::create(
      builder, loc, source, target, ArrayRef<AffineMap>{map, map}, loops,
      [](OpBuilder &body, Location bodyLoc, ValueRange elements) {
        linalg::YieldOp::create(body, bodyLoc, elements.front());
      });
  record(kernel, {contents, builder.getDenseI64ArrayAttr({})}, {contents});
}

void FunctionBufferizer::fill(Value scalar, Value target,
                              DenseI64ArrayAttr contents, Location loc) {
  auto kernel = linalg::FillOp::create(builder, loc, scalar, target);
  DenseI64ArrayAttr nothing = builder.getDenseI64ArrayAttr({});
  record(kernel, {nothing, nothing}, {contents});
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

memref::GlobalOp ConstantPool::get(ElementsAttr value, Location loc) {
  memref::GlobalOp &global = globals[value];
  if (global)
    return global;
  OpBuilder builder(symbols.getOp()->getContext());
  global = memref::GlobalOp::create(
      builder, loc, "constant", builder.getStringAttr("private"),
      denseMemRef(value.getType()), value, /*constant=*/true,
      /*alignment=*/builder.getI64IntegerAttr(64));
  symbols.insert(global, symbols.getOp()->getRegion(0).front().begin());
  return global;
}

namespace {

struct BufferizePass : boost::rt::impl::BufferizePassBase<BufferizePass> {
  void runOnOperation() override {
    RecomputedScope scope(getOperation());
    ConstantPool constants(getOperation());
    for (auto func : getOperation().getOps<func::FuncOp>())
      if (!func.isDeclaration() &&
          failed(FunctionBufferizer(func, constants).run()))
        return signalPassFailure();
  }
};

} // namespace
