//===- OutlineKernels.cpp - linalg on memrefs into launched kernels -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements boostrt-outline-kernels. Refuses dynamic sizes and non-linear
// indexing.
//
//===----------------------------------------------------------------------===//

#include "KernelTable.h"
#include "Utils.h"

#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "boost-mlir/Dialect/BoostRT/IR/AccessPattern.h"
#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h"
#include "boost-mlir/Dialect/BoostRT/Utils/BufferAddress.h"
#include "boost-mlir/Dialect/BoostRT/Utils/LoopNest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::boost::rt {
#define GEN_PASS_DEF_OUTLINEKERNELSPASS
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h.inc"
} // namespace mlir::boost::rt

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::rt;

namespace {

/// One argument of a kernel: what the host passes and how the kernel sees it.
struct KernelArgument {
  Value buffer;
  MemRefType type;
  ByteRange range;
  bool isWritten = false;
  /// The values that the kernel may read there, and those that it leaves.
  DenseI64ArrayAttr reads, writes;
};

/// Builds the kernel of one linalg.generic and of the fill that it may swallow.
class KernelBuilder {
public:
  KernelBuilder(linalg::GenericOp op, LoopNest nest, linalg::FillOp fill)
      : op(op), nest(std::move(nest)), fill(fill), builder(op) {}

  /// Decides the arguments; host values for shifted operands are created.
  LogicalResult collectArguments();
  /// Creates the detached kernel function.
  func::FuncOp build(StringRef name, int64_t extent);
  SmallVector<Value> getBuffers() const;
  /// Notes what the kernel reads and writes, if that is known of the operation.
  void recordValues(LaunchOp launch);
  int64_t getNumOutputs() const;

private:
  FailureOr<int64_t> addArgument(KernelArgument argument);
  DenseI64ArrayAttr getValues(StringRef name, unsigned position);
  LogicalResult checkNumbers();
  LogicalResult addCapturedBuffers();
  void putOutputsLast();
  bool mayAlias(int64_t argument) const;
  void annotateArguments(func::FuncOp kernel);
  void cloneConstants(func::FuncOp kernel);
  void buildFill(func::FuncOp kernel);
  void buildGeneric(func::FuncOp kernel);
  void cloneBody(OpBuilder &nested, ValueRange blockArguments);
  int64_t findLoop(int64_t source) const;

  linalg::GenericOp op;
  LoopNest nest;
  linalg::FillOp fill;
  OpBuilder builder;
  IRMapping mapping;
  SmallVector<KernelArgument> arguments;
  /// Argument of every memref operand of the nest.
  SmallVector<int64_t> operandArguments;
  /// Argument of every memref that the body loads from.
  llvm::MapVector<Value, int64_t> capturedArguments;
};

} // namespace

/// The bytes that the kernel touches of an argument, counted from its root.
static AccessPattern getBytes(const KernelArgument &argument) {
  return AccessPattern::get(argument.type,
                            resolveBufferAddress(argument.buffer)->bytes,
                            getElementBytes(argument.type.getElementType()));
}

FailureOr<int64_t> KernelBuilder::addArgument(KernelArgument argument) {
  FailureOr<ByteRange> range = getByteRange(argument.buffer);
  if (failed(range))
    return op.emitOpError("expects buffers at constant offsets");
  argument.range = *range;
  for (auto [position, known] : llvm::enumerate(arguments)) {
    if (known.range.root == range->root && known.range.begin == range->begin &&
        known.type == argument.type) {
      known.isWritten |= argument.isWritten;
      known.reads = joinValues(known.reads, argument.reads);
      known.writes = joinValues(known.writes, argument.writes);
      return position;
    }
  }
  arguments.push_back(argument);
  return arguments.size() - 1;
}

/// Returns the values that are recorded for an operand or an output.
DenseI64ArrayAttr KernelBuilder::getValues(StringRef name, unsigned position) {
  auto lists = op->getAttrOfType<ArrayAttr>(name);
  return lists && position < lists.size()
             ? cast<DenseI64ArrayAttr>(lists[position])
             : DenseI64ArrayAttr::get(op.getContext(), {});
}

void KernelBuilder::recordValues(LaunchOp launch) {
  if (!op->hasAttr(kReadsAttr))
    return;
  SmallVector<Attribute> reads, writes;
  for (const KernelArgument &argument : arguments) {
    reads.push_back(argument.reads);
    if (argument.isWritten)
      writes.push_back(argument.writes);
  }
  record(launch, reads, writes);
}

/// Returns a view of `buffer` with the layout of `type`, whose first element is
/// `offset` elements after that of `buffer`.
static Value narrowBuffer(OpBuilder &builder, Location loc, Value buffer,
                          int64_t offset, MemRefType type) {
  auto bufferType = cast<MemRefType>(buffer.getType());
  if (offset == 0 &&
      AccessPattern::get(bufferType, 0) == AccessPattern::get(type, 0))
    return buffer;
  Value source = buffer;
  while (auto cast = source.getDefiningOp<memref::ReinterpretCastOp>())
    source = cast.getSource();
  auto view = source.getDefiningOp<memref::ViewOp>();
  auto place = view ? view->getAttrOfType<DenseI64ArrayAttr>(kBufferAttr)
                    : DenseI64ArrayAttr();
  FailureOr<BufferAddress> whole = resolveBufferAddress(source);
  FailureOr<BufferAddress> first = resolveBufferAddress(buffer);
  if (place && succeeded(whole) && succeeded(first)) {
    int64_t begin =
        first->bytes + offset * getElementBytes(type.getElementType());
    return createArenaView(builder, loc, first->root, begin, type, place[0],
                           place[1] + begin - whole->bytes);
  }
  int64_t layoutOffset =
      getStaticLayout(cast<MemRefType>(buffer.getType()))->offset;
  SmallVector<int64_t> strides = getStaticStrides(type);
  auto layout = StridedLayoutAttr::get(builder.getContext(),
                                       layoutOffset + offset, strides);
  auto shifted =
      MemRefType::get(type.getShape(), type.getElementType(), layout);
  return memref::ReinterpretCastOp::create(builder, loc, shifted, buffer,
                                           layoutOffset + offset,
                                           type.getShape(), strides);
}

/// Checks that all values that the body reads, except memrefs, are constants.
LogicalResult KernelBuilder::checkNumbers() {
  SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op.getRegion(), values);
  for (Value value : values)
    if (!isa<MemRefType>(value.getType()) &&
        !value.getDefiningOp<arith::ConstantOp>())
      return op.emitOpError("expects constants besides its buffers, but reads "
                            "another value of type ")
             << value.getType();
  return success();
}

/// Memrefs that the body reads are arguments.
LogicalResult KernelBuilder::addCapturedBuffers() {
  SetVector<Value> captured;
  getUsedValuesDefinedAbove(op.getRegion(), captured);
  for (Value value : captured) {
    auto type = dyn_cast<MemRefType>(value.getType());
    if (!type)
      continue;
    std::optional<StridedLayout> layout = getStaticLayout(type);
    if (!layout)
      return op.emitOpError("expects static strides, but reads ") << type;
    auto strided =
        StridedLayoutAttr::get(type.getContext(), 0, layout->strides);
    auto seen =
        layout->offset == 0
            ? type
            : MemRefType::get(type.getShape(), type.getElementType(), strided);
    DenseI64ArrayAttr reads = builder.getDenseI64ArrayAttr({});
    for (Operation *user : value.getUsers())
      if (auto load = dyn_cast<memref::LoadOp>(user))
        if (auto lists = load->getAttrOfType<ArrayAttr>(kReadsAttr);
            lists && op->isProperAncestor(load))
          reads = joinValues(reads, cast<DenseI64ArrayAttr>(lists[0]));
    FailureOr<int64_t> argument =
        addArgument({value,
                     seen,
                     {},
                     /*isWritten=*/false,
                     reads,
                     builder.getDenseI64ArrayAttr({})});
    if (failed(argument))
      return failure();
    capturedArguments[value] = *argument;
  }
  return success();
}

LogicalResult KernelBuilder::collectArguments() {
  if (failed(checkNumbers()) || failed(addCapturedBuffers()))
    return failure();
  for (NestOperand &operand : nest.operands) {
    MemRefType type = operand.getType(nest.loops);
    Value buffer = narrowBuffer(builder, op.getLoc(), operand.operand->get(),
                                operand.offset, type);
    unsigned number = operand.operand->getOperandNumber();
    bool isWritten = op.isDpsInit(operand.operand);
    // What the kernel fills itself it does not read from memory.
    bool isFilled = isWritten && fill;
    FailureOr<int64_t> argument = addArgument(
        {buffer,
         type,
         {},
         isWritten,
         isFilled ? builder.getDenseI64ArrayAttr({})
                  : getValues(kReadsAttr, number),
         isWritten ? getValues(kWritesAttr, number - op.getNumDpsInputs())
                   : builder.getDenseI64ArrayAttr({})});
    if (failed(argument))
      return failure();
    operandArguments.push_back(*argument);
  }
  putOutputsLast();
  return success();
}

void KernelBuilder::putOutputsLast() {
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(arguments.size()));
  auto key = [&](int64_t position) {
    return std::pair(arguments[position].isWritten, position);
  };
  llvm::sort(order, [&](int64_t a, int64_t b) { return key(a) < key(b); });
  SmallVector<int64_t> newPosition(order.size());
  SmallVector<KernelArgument> sorted;
  for (auto [position, old] : llvm::enumerate(order)) {
    newPosition[old] = position;
    sorted.push_back(arguments[old]);
  }
  arguments = std::move(sorted);
  for (int64_t &argument : operandArguments)
    argument = newPosition[argument];
  for (auto &entry : capturedArguments)
    entry.second = newPosition[entry.second];
}

SmallVector<Value> KernelBuilder::getBuffers() const {
  return llvm::map_to_vector(arguments, [](const KernelArgument &argument) {
    return argument.buffer;
  });
}

int64_t KernelBuilder::getNumOutputs() const {
  return llvm::count_if(arguments, [](const KernelArgument &argument) {
    return argument.isWritten;
  });
}

/// Parts of a tensor may lie between each other and share no element.
bool KernelBuilder::mayAlias(int64_t argument) const {
  const KernelArgument &own = arguments[argument];
  for (auto [position, other] : llvm::enumerate(arguments))
    if (static_cast<int64_t>(position) != argument &&
        (own.isWritten || other.isWritten) && own.range.overlaps(other.range) &&
        getBytes(own).intersects(getBytes(other)))
      return true;
  return false;
}

void KernelBuilder::annotateArguments(func::FuncOp kernel) {
  for (auto [position, argument] : llvm::enumerate(arguments)) {
    unsigned index = position + 2;
    if (!mayAlias(position))
      kernel.setArgAttr(index, LLVM::LLVMDialect::getNoAliasAttrName(),
                        builder.getUnitAttr());
    if (!argument.isWritten)
      kernel.setArgAttr(index, LLVM::LLVMDialect::getReadonlyAttrName(),
                        builder.getUnitAttr());
  }
}

/// Constants that the body or a scalar operand reads get a copy in the kernel,
/// one per value so that equal kernels stay equal.
void KernelBuilder::cloneConstants(func::FuncOp kernel) {
  builder.setInsertionPointToStart(&kernel.getBody().front());
  SetVector<Value> values;
  if (fill)
    values.insert(fill.value());
  for (Value operand : op->getOperands())
    if (!isa<MemRefType>(operand.getType()))
      values.insert(operand);
  getUsedValuesDefinedAbove(op.getRegion(), values);
  DenseMap<Attribute, Value> copies;
  for (Value value : values) {
    auto constant = value.getDefiningOp<arith::ConstantOp>();
    if (!constant)
      continue;
    Value &copy = copies[constant.getValue()];
    if (!copy)
      copy = builder.clone(*constant)->getResult(0);
    mapping.map(value, copy);
  }
}

void KernelBuilder::buildFill(func::FuncOp kernel) {
  if (!fill)
    return;
  Value filled = kernel.getArgument(operandArguments.back() + 2);
  linalg::FillOp::create(builder, fill.getLoc(), mapping.lookup(fill.value()),
                         filled);
}

int64_t KernelBuilder::findLoop(int64_t source) const {
  for (auto [position, loop] : llvm::enumerate(nest.loops))
    if (loop.source == source)
      return position;
  return -1;
}

void KernelBuilder::cloneBody(OpBuilder &nested, ValueRange blockArguments) {
  size_t next = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    Value argument = op.getMatchingBlockArgument(&operand);
    if (isa<MemRefType>(operand.get().getType()))
      mapping.map(argument, blockArguments[next++]);
    else
      mapping.map(argument, mapping.lookup(operand.get()));
  }
  for (Operation &inner : *op.getBody()) {
    auto index = dyn_cast<linalg::IndexOp>(inner);
    if (!index) {
      // Equal kernels read other values.
      nested.clone(inner, mapping)->walk([](memref::LoadOp load) {
        load->removeAttr(kReadsAttr);
      });
      continue;
    }
    int64_t loop = findLoop(index.getDim());
    Value position =
        loop < 0
            ? arith::ConstantIndexOp::create(nested, index.getLoc(), 0)
                  .getResult()
            : linalg::IndexOp::create(nested, index.getLoc(), loop).getResult();
    mapping.map(index.getResult(), position);
  }
}

void KernelBuilder::buildGeneric(func::FuncOp kernel) {
  SmallVector<Value> inputs, outputs;
  SmallVector<AffineMap> maps;
  for (auto [operand, argument] :
       llvm::zip_equal(nest.operands, operandArguments)) {
    Value value = kernel.getArgument(argument + 2);
    (op.isDpsInit(operand.operand) ? outputs : inputs).push_back(value);
    maps.push_back(operand.getMap(op.getContext()));
  }
  SmallVector<utils::IteratorType> iterators;
  for (const NestLoop &loop : nest.loops)
    iterators.push_back(loop.isReduction ? utils::IteratorType::reduction
                                         : utils::IteratorType::parallel);
  for (auto &entry : capturedArguments)
    mapping.map(entry.first, kernel.getArgument(entry.second + 2));
  linalg::GenericOp::create(
      builder, op.getLoc(), inputs, outputs, maps, iterators,
      [&](OpBuilder &nested, Location, ValueRange blockArguments) {
        cloneBody(nested, blockArguments);
      });
}

func::FuncOp KernelBuilder::build(StringRef name, int64_t extent) {
  MLIRContext *context = op.getContext();
  SmallVector<Type> inputs(2, IndexType::get(context));
  for (const KernelArgument &argument : arguments)
    inputs.push_back(argument.type);
  auto kernel = func::FuncOp::create(op.getLoc(), name,
                                     FunctionType::get(context, inputs, {}));
  kernel.setPrivate();
  kernel->setAttr(kKernelAttr, UnitAttr::get(context));
  kernel->setAttr(kExtentAttr, builder.getI64IntegerAttr(extent));
  kernel.addEntryBlock();
  annotateArguments(kernel);
  cloneConstants(kernel);
  buildFill(kernel);
  buildGeneric(kernel);
  func::ReturnOp::create(builder, op.getLoc());
  return kernel;
}

/// The detached kernel of loops that are written out. Its buffers are those of
/// the operation, in order.
static func::FuncOp buildRowsKernel(RowsOp op, StringRef name) {
  MLIRContext *context = op.getContext();
  Block &body = op.getBody().front();
  SmallVector<Type> inputs(2, IndexType::get(context));
  llvm::append_range(inputs, TypeRange(body.getArgumentTypes()).drop_front());
  auto kernel = func::FuncOp::create(op.getLoc(), name,
                                     FunctionType::get(context, inputs, {}));
  kernel.setPrivate();
  kernel->setAttr(kKernelAttr, UnitAttr::get(context));
  OpBuilder builder(context);
  kernel->setAttr(kExtentAttr, op.getExtentAttr());
  builder.setInsertionPointToStart(kernel.addEntryBlock());
  for (unsigned i = 0; i < op.getNumOperands(); ++i) {
    // No out shares memory with another operand: bufferization copies it then.
    kernel.setArgAttr(i + 2,
                      i < op.getInputs().size()
                          ? LLVM::LLVMDialect::getReadonlyAttrName()
                          : LLVM::LLVMDialect::getNoAliasAttrName(),
                      builder.getUnitAttr());
  }
  Value one = arith::ConstantIndexOp::create(builder, op.getLoc(), 1);
  auto rows = scf::ForOp::create(builder, op.getLoc(), kernel.getArgument(0),
                                 kernel.getArgument(1), one);
  func::ReturnOp::create(builder, op.getLoc());
  builder.setInsertionPointToStart(rows.getBody());
  IRMapping mapping;
  mapping.map(body.getArgument(0), rows.getInductionVar());
  mapping.map(body.getArguments().drop_front(),
              kernel.getArguments().drop_front(2));
  for (Operation &inner : body)
    builder.clone(inner, mapping);
  return kernel;
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct OutlineKernelsPass
    : boost::rt::impl::OutlineKernelsPassBase<OutlineKernelsPass> {
  void runOnOperation() override;

private:
  LogicalResult generalize(func::FuncOp function);
  LogicalResult outlineFunction(func::FuncOp function);
  LogicalResult outline(linalg::GenericOp op, linalg::FillOp fill);
  void outline(RowsOp op);

  std::optional<KernelTable> kernels;
};

} // namespace

/// Makes every computation on memrefs a linalg.generic; fills stay fills, since
/// they may become the start of a reduction.
LogicalResult OutlineKernelsPass::generalize(func::FuncOp function) {
  LayerBuilderListener layers;
  IRRewriter rewriter(function.getContext(), &layers);
  SmallVector<Operation *> work;
  function.walk([&](Operation *op) {
    if (isa<linalg::LinalgOp, memref::CopyOp>(op) &&
        !isa<linalg::GenericOp, linalg::FillOp>(op))
      work.push_back(op);
  });
  for (Operation *op : work) {
    rewriter.setInsertionPoint(op);
    layers.enter(op);
    if (auto copy = dyn_cast<memref::CopyOp>(op)) {
      linalg::makeMemRefCopyOp(rewriter, op->getLoc(), copy.getSource(),
                               copy.getTarget());
      rewriter.eraseOp(op);
      continue;
    }
    DictionaryAttr attrs = op->getDiscardableAttrDictionary();
    FailureOr<linalg::GenericOp> generic =
        linalg::generalizeNamedOp(rewriter, cast<linalg::LinalgOp>(op));
    if (failed(generic))
      return op->emitOpError("cannot be made a linalg.generic");
    (*generic)->setDiscardableAttrs(attrs);
  }
  return success();
}

/// Returns true if `op` may access bytes of `range`.
static bool mayTouch(Operation *op, const ByteRange &range) {
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    if (!isa<MemRefType>(operand.getType()))
      return false;
    FailureOr<ByteRange> touched = getByteRange(operand);
    return failed(touched) || touched->overlaps(range);
  });
}

/// The bytes of a memref at a known place, counted from its root.
static AccessPattern getBytes(Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  return AccessPattern::get(type, resolveBufferAddress(memref)->bytes,
                            getElementBytes(type.getElementType()));
}

/// The fill that writes all of what `op` accumulates into and that nothing
/// touches in between: it belongs into the kernel of `op`.
static linalg::FillOp findFill(linalg::GenericOp op) {
  constexpr int64_t kSearchedOps = 32;
  if (op.getNumReductionLoops() == 0 || op.getNumDpsInits() != 1)
    return {};
  Value init = op.getDpsInits().front();
  FailureOr<ByteRange> output = getByteRange(init);
  auto readsOutput = [&](OpOperand *input) {
    if (!isa<MemRefType>(input->get().getType()))
      return false;
    FailureOr<ByteRange> read = getByteRange(input->get());
    return failed(read) || read->overlaps(*output);
  };
  if (failed(output) || llvm::any_of(op.getDpsInputOperands(), readsOutput))
    return {};
  Operation *previous = op->getPrevNode();
  for (int64_t i = 0; previous && i < kSearchedOps; ++i) {
    if (!isPure(previous) && mayTouch(previous, *output)) {
      auto fill = dyn_cast<linalg::FillOp>(previous);
      if (!fill || !fill.value().getDefiningOp<arith::ConstantOp>() ||
          fill.value().getType() != getElementTypeOrSelf(init.getType()) ||
          failed(getByteRange(fill.output())) ||
          getBytes(fill.output()) != getBytes(init))
        return {};
      return fill;
    }
    previous = previous->getPrevNode();
  }
  return {};
}

/// The launch of a kernel belongs where the computation did.
static void handOnPart(Operation *op, LaunchOp launch) {
  for (StringRef name : {StringRef(kComponentAttr), StringRef(kLayerAttr),
                         StringRef(kPhaseAttr)})
    if (Attribute attribute = op->getAttr(name))
      launch->setAttr(name, attribute);
}

LogicalResult OutlineKernelsPass::outline(linalg::GenericOp op,
                                          linalg::FillOp fill) {
  FailureOr<LoopNest> nest = buildLoopNest(op);
  if (failed(nest))
    return failure();
  nest->normalize();
  int64_t extent = nest->hoistLaunchLoop();
  KernelBuilder builder(op, std::move(*nest), fill);
  if (failed(builder.collectArguments()))
    return failure();
  FlatSymbolRefAttr kernel = kernels->insert(builder.build("kernel", extent));
  OpBuilder host(op);
  auto launch = LaunchOp::create(host, op.getLoc(), kernel.getValue(), extent,
                                 builder.getBuffers(), builder.getNumOutputs());
  handOnPart(op, launch);
  builder.recordValues(launch);
  op.erase();
  if (fill)
    fill.erase();
  return success();
}

void OutlineKernelsPass::outline(RowsOp op) {
  FlatSymbolRefAttr kernel = kernels->insert(buildRowsKernel(op, "kernel"));
  OpBuilder host(op);
  auto launch =
      LaunchOp::create(host, op.getLoc(), kernel.getValue(), op.getExtent(),
                       op->getOperands(), op.getOuts().size());
  handOnPart(op, launch);
  for (StringRef name : {StringRef(kReadsAttr), StringRef(kWritesAttr)})
    if (Attribute values = op->getAttr(name))
      launch->setAttr(name, values);
  op.erase();
}

LogicalResult OutlineKernelsPass::outlineFunction(func::FuncOp function) {
  if (failed(generalize(function)))
    return failure();
  for (RowsOp op : llvm::to_vector(function.getOps<RowsOp>()))
    outline(op);
  SmallVector<linalg::GenericOp> generics;
  function.walk([&](linalg::GenericOp op) { generics.push_back(op); });
  for (linalg::GenericOp op : generics)
    if (failed(outline(op, findFill(op))))
      return failure();
  // The remaining fills become kernels of their own.
  LayerBuilderListener layers;
  IRRewriter rewriter(function.getContext(), &layers);
  SmallVector<linalg::FillOp> fills;
  function.walk([&](linalg::FillOp op) { fills.push_back(op); });
  for (linalg::FillOp fill : fills) {
    rewriter.setInsertionPoint(fill);
    layers.enter(fill);
    DictionaryAttr attrs = fill->getDiscardableAttrDictionary();
    FailureOr<linalg::GenericOp> generic =
        linalg::generalizeNamedOp(rewriter, fill);
    if (succeeded(generic))
      (*generic)->setDiscardableAttrs(attrs);
    if (failed(generic) || failed(outline(*generic, {})))
      return failure();
  }
  return success();
}

void OutlineKernelsPass::runOnOperation() {
  kernels.emplace(getOperation());
  SmallVector<func::FuncOp> functions;
  for (auto function : getOperation().getOps<func::FuncOp>())
    if (!function->hasAttr(kKernelAttr) && !function.isExternal())
      functions.push_back(function);
  for (func::FuncOp function : functions)
    if (failed(outlineFunction(function)))
      return signalPassFailure();
}
