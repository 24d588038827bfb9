//===- JoinedKernel.cpp - One kernel for several --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "JoinedKernel.h"

#include "Utils.h"

#include "boost-mlir/Dialect/Boost/IR/Layers.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::rt;

KernelJoiner::KernelJoiner(ArrayRef<RowLaunch *> launches, int64_t rows)
    : launches(launches), rows(rows) {
  for (RowLaunch *launch : launches)
    addBuffers(*launch);
  putOutputsLast();
}

static DenseI64ArrayAttr getRecord(LaunchOp launch, StringRef name,
                                   size_t number) {
  auto lists = launch->getAttrOfType<ArrayAttr>(name);
  return lists ? cast<DenseI64ArrayAttr>(lists[number]) : DenseI64ArrayAttr();
}

void KernelJoiner::addBuffers(RowLaunch &launch) {
  func::FuncOp kernel = launch.getKernel();
  size_t inputs =
      launch.launch.getBuffers().size() - launch.launch.getNumOutputs();
  SmallVector<unsigned> &ofLaunch = places.emplace_back();
  for (size_t number = 0; number < launch.types.size(); ++number) {
    const Access &access = launch.accesses[number];
    MemRefType type = launch.types[number];
    auto *known = llvm::find_if(buffers, [&](const JoinedBuffer &other) {
      return other.type == type && other.access.root == access.root &&
             other.access.bytes == access.bytes &&
             other.access.buffer == access.buffer;
    });
    if (known == buffers.end()) {
      JoinedBuffer buffer;
      buffer.buffer = launch.launch.getBuffers()[number];
      buffer.type = type;
      buffer.access = access;
      buffers.push_back(std::move(buffer));
      known = std::prev(buffers.end());
    }
    ofLaunch.push_back(known - buffers.begin());
    // What an earlier operation of the kernel has written is read from there.
    DenseI64ArrayAttr reads = getRecord(launch.launch, kReadsAttr, number);
    if (reads && known->writes)
      reads = DenseI64ArrayAttr::get(reads.getContext(), {});
    known->reads =
        known->reads && reads ? joinValues(known->reads, reads) : reads;
    known->access.isWritten |= access.isWritten;
    known->isNoAlias &=
        kernel.getArgAttr(kFirstBuffer + number,
                          LLVM::LLVMDialect::getNoAliasAttrName()) != nullptr;
    ++known->launches;
    if (number >= inputs)
      known->writes = getRecord(launch.launch, kWritesAttr, number - inputs);
  }
}

void KernelJoiner::putOutputsLast() {
  SmallVector<unsigned> order =
      llvm::to_vector(llvm::seq<unsigned>(buffers.size()));
  auto key = [&](unsigned place) {
    return std::pair(buffers[place].access.isWritten, place);
  };
  llvm::sort(order, [&](unsigned a, unsigned b) { return key(a) < key(b); });
  SmallVector<unsigned> placeOf(order.size());
  SmallVector<JoinedBuffer> sorted;
  for (auto [place, old] : llvm::enumerate(order)) {
    placeOf[old] = place;
    sorted.push_back(buffers[old]);
  }
  buffers = std::move(sorted);
  for (SmallVector<unsigned> &ofLaunch : places)
    for (unsigned &place : ofLaunch)
      place = placeOf[place];
}

/// Returns true if the buffer is the only way to what it has: there is no other
/// one at its place, and no thread reads what another one writes there, which a
/// barrier would not keep apart.
bool KernelJoiner::isNoAlias(const JoinedBuffer &buffer) const {
  bool isAlone = llvm::none_of(buffers, [&](const JoinedBuffer &other) {
    return &other != &buffer && other.access.root == buffer.access.root &&
           other.access.bytes == buffer.access.bytes &&
           (other.access.isWritten || buffer.access.isWritten);
  });
  return isAlone && buffer.isNoAlias &&
         (!buffer.access.isWritten || buffer.launches == 1);
}

void KernelJoiner::annotate(func::FuncOp kernel) {
  auto unit = UnitAttr::get(kernel.getContext());
  for (auto [number, buffer] : llvm::enumerate(buffers)) {
    bool isWritten = buffer.access.isWritten;
    if (isNoAlias(buffer))
      kernel.setArgAttr(number + kFirstBuffer,
                        LLVM::LLVMDialect::getNoAliasAttrName(), unit);
    if (!isWritten)
      kernel.setArgAttr(number + kFirstBuffer,
                        LLVM::LLVMDialect::getReadonlyAttrName(), unit);
  }
}

/// The operation of a launch in the joined kernel, and the fill before it.
void KernelJoiner::cloneOperation(OpBuilder &builder, RowLaunch &launch,
                                  ArrayRef<unsigned> ofLaunch,
                                  func::FuncOp kernel) {
  linalg::GenericOp op = launch.op;
  IRMapping mapping;
  for (auto [number, place] : llvm::enumerate(ofLaunch))
    mapping.map(op->getBlock()->getArgument(number + kFirstBuffer),
                kernel.getArgument(place + kFirstBuffer));
  for (Operation &other : op->getBlock()->without_terminator()) {
    if (auto constant = dyn_cast<arith::ConstantOp>(other))
      mapping.map(constant.getResult(), constants.lookup(constant.getValue()));
    else if (isa<linalg::FillOp>(other))
      builder.clone(other, mapping);
  }
  SmallVector<Value> inputs, outputs;
  SmallVector<AffineMap> maps;
  for (const NestOperand &operand : launch.nest.operands) {
    (op.isDpsInit(operand.operand) ? outputs : inputs)
        .push_back(mapping.lookup(operand.operand->get()));
    maps.push_back(operand.getMap(op.getContext()));
  }
  SmallVector<utils::IteratorType> iterators;
  for (const NestLoop &loop : launch.nest.loops)
    iterators.push_back(loop.isReduction ? utils::IteratorType::reduction
                                         : utils::IteratorType::parallel);
  linalg::GenericOp::create(
      builder, op.getLoc(), inputs, outputs, maps, iterators,
      [&](OpBuilder &body, Location, ValueRange arguments) {
        mapping.map(op.getBody()->getArguments(), arguments);
        for (Operation &inner : *op.getBody()) {
          Operation *clone = body.clone(inner, mapping);
          if (auto index = dyn_cast<linalg::IndexOp>(clone))
            index.setDim(index.getDim() + launch.nest.loops.size() -
                         op.getNumLoops());
        }
      });
}

func::FuncOp KernelJoiner::build() {
  MLIRContext *context = launches.front()->op.getContext();
  Location loc = launches.front()->op.getLoc();
  OpBuilder builder(context);
  SmallVector<Type> inputs(kFirstBuffer, builder.getIndexType());
  for (const JoinedBuffer &buffer : buffers)
    inputs.push_back(buffer.type);
  auto kernel = func::FuncOp::create(loc, "kernel",
                                     FunctionType::get(context, inputs, {}));
  kernel.setPrivate();
  kernel->setAttr(kKernelAttr, builder.getUnitAttr());
  kernel->setAttr(kExtentAttr, builder.getI64IntegerAttr(rows));
  builder.setInsertionPointToStart(kernel.addEntryBlock());
  annotate(kernel);
  for (RowLaunch *launch : launches)
    for (auto constant : launch->op->getBlock()->getOps<arith::ConstantOp>())
      if (Value &copy = constants[constant.getValue()]; !copy)
        copy = builder.clone(*constant)->getResult(0);
  for (auto [launch, ofLaunch] : llvm::zip_equal(launches, places))
    cloneOperation(builder, *launch, ofLaunch, kernel);
  func::ReturnOp::create(builder, loc);
  return kernel;
}

/// Moves what makes a buffer, which is computed from constants and the arena,
/// before a call if it stands behind it.
static void moveBefore(Value buffer, Operation *place) {
  Operation *op = buffer.getDefiningOp();
  if (!op || op->getBlock() != place->getBlock() || op->isBeforeInBlock(place))
    return;
  for (Value operand : op->getOperands())
    moveBefore(operand, place);
  op->moveBefore(place);
}

void KernelJoiner::launch(Operation *place, FlatSymbolRefAttr kernel) {
  SmallVector<Value> values;
  SmallVector<Attribute> reads, writes;
  int64_t outputs = 0;
  bool isRecorded = true;
  for (const JoinedBuffer &buffer : buffers) {
    moveBefore(buffer.buffer, place);
    values.push_back(buffer.buffer);
    reads.push_back(buffer.reads);
    isRecorded &= buffer.reads != nullptr;
    if (!buffer.access.isWritten)
      continue;
    ++outputs;
    writes.push_back(buffer.writes);
    isRecorded &= buffer.writes != nullptr;
  }
  OpBuilder builder(place);
  LaunchOp first = launches.front()->launch;
  auto joined = LaunchOp::create(builder, first.getLoc(), kernel.getValue(),
                                 rows, values, outputs);
  for (StringRef name : kPartAttrs)
    if (Attribute attribute = first->getAttr(name))
      joined->setAttr(name, attribute);
  if (isRecorded)
    record(joined, reads, writes);
  for (RowLaunch *launch : launches)
    launch->launch.erase();
}
