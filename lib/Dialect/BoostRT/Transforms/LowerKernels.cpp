//===- LowerKernels.cpp - Kernels into loops ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements boostrt-lower-kernels. Expects the normal form that
// boostrt-outline-kernels produces: at most one linalg.fill, then one
// linalg.generic whose maps only leave out loops.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h"
#include "boost-mlir/Dialect/BoostRT/Utils/KernelBody.h"
#include "boost-mlir/Dialect/BoostRT/Utils/LoopNest.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::boost::rt {
#define GEN_PASS_DEF_LOWERKERNELSPASS
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h.inc"
} // namespace mlir::boost::rt

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::rt;

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

namespace {

/// Emits the loops of a kernel's linalg.generic.
class LoopEmitter {
public:
  LoopEmitter(func::FuncOp kernel, linalg::GenericOp op, LoopNest nest,
              linalg::FillOp fill)
      : kernel(kernel), op(op), nest(std::move(nest)), fill(fill), builder(op),
        loc(op.getLoc()), firstOutput(op.getNumDpsInputs()),
        positions(this->nest.loops.size()) {}

  void emit();

private:
  using Body = llvm::function_ref<SmallVector<Value>(ValueRange carried)>;

  SmallVector<int64_t> orderLoops() const;
  bool isReduction() const;
  SmallVector<int64_t> selectLoops(bool reductions) const;
  SmallVector<Value> emitLoops(ArrayRef<int64_t> loops, ValueRange carried,
                               Body body);
  void emitElementwise();
  void emitTiledTranspose(int64_t slow, int64_t fast);
  void emitRegisterReduction();
  void emitMemoryReduction(int64_t innermost);
  void emitFill();
  int64_t findTransposedLoop(int64_t innermost) const;

  Value load(int64_t operand);
  void store(Value value, int64_t operand);
  SmallVector<Value> loadOutputs();
  void storeOutputs(ValueRange values);
  SmallVector<Value> initializeOutputs();
  SmallVector<Value> emitBody(ValueRange outputs);
  int64_t getFirstOutput() const { return firstOutput; }
  bool isLaunchLoop(int64_t loop) const {
    return loop == 0 && !nest.loops[loop].isReduction;
  }
  Value getBegin(int64_t loop) {
    return isLaunchLoop(loop) ? Value(kernel.getArgument(0)) : constant(0);
  }
  Value getEnd(int64_t loop) {
    return isLaunchLoop(loop) ? Value(kernel.getArgument(1))
                              : constant(nest.loops[loop].extent);
  }
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(builder, loc, value);
  }

  func::FuncOp kernel;
  linalg::GenericOp op;
  LoopNest nest;
  linalg::FillOp fill;
  OpBuilder builder;
  Location loc;
  /// Outputs come last among the operands of the nest.
  int64_t firstOutput;
  /// The current induction variable of every loop.
  SmallVector<Value> positions;
};

} // namespace

bool LoopEmitter::isReduction() const {
  return llvm::any_of(nest.loops,
                      [](const NestLoop &loop) { return loop.isReduction; });
}

/// Memory order: by the last output for parallel loops, by the input for
/// reductions; the launch loop takes its place among them.
SmallVector<int64_t> LoopEmitter::orderLoops() const {
  auto weight = [&](int64_t loop) {
    int64_t largest = 0;
    if (!isReduction())
      return std::abs(nest.operands.back().strides[loop]);
    for (int64_t i = 0; i < getFirstOutput(); ++i)
      largest = std::max(largest, std::abs(nest.operands[i].strides[loop]));
    return largest;
  };
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(nest.loops.size()));
  llvm::sort(order, [&](int64_t a, int64_t b) {
    return std::pair(-weight(a), a) < std::pair(-weight(b), b);
  });
  return order;
}

SmallVector<int64_t> LoopEmitter::selectLoops(bool reductions) const {
  SmallVector<int64_t> order = orderLoops();
  llvm::erase_if(order, [&](int64_t loop) {
    return nest.loops[loop].isReduction != reductions;
  });
  return order;
}

SmallVector<Value> LoopEmitter::emitLoops(ArrayRef<int64_t> loops,
                                          ValueRange carried, Body body) {
  if (loops.empty())
    return body(carried);
  int64_t loop = loops.front();
  auto forOp = scf::ForOp::create(builder, loc, getBegin(loop), getEnd(loop),
                                  constant(1), carried);
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(forOp.getBody());
    positions[loop] = forOp.getInductionVar();
    SmallVector<Value> results =
        emitLoops(loops.drop_front(), forOp.getRegionIterArgs(), body);
    if (!carried.empty()) // Without results the loop has its yield already.
      scf::YieldOp::create(builder, loc, results);
  }
  return forOp.getResults();
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

Value LoopEmitter::load(int64_t operand) {
  Value buffer = nest.operands[operand].operand->get();
  Value element = memref::LoadOp::create(
      builder, loc, buffer, nest.operands[operand].getIndices(positions));
  return widen(builder, loc, element);
}

void LoopEmitter::store(Value value, int64_t operand) {
  Value buffer = nest.operands[operand].operand->get();
  Type type = cast<MemRefType>(buffer.getType()).getElementType();
  memref::StoreOp::create(builder, loc, narrow(builder, loc, value, type),
                          buffer, nest.operands[operand].getIndices(positions));
}

/// The present values of the outputs that the body reads; null for others.
SmallVector<Value> LoopEmitter::loadOutputs() {
  SmallVector<Value> values;
  for (auto [position, argument] : llvm::enumerate(op.getRegionOutputArgs()))
    values.push_back(argument.use_empty() ? Value()
                                          : load(getFirstOutput() + position));
  return values;
}

void LoopEmitter::storeOutputs(ValueRange values) {
  for (auto [position, value] : llvm::enumerate(values))
    store(value, getFirstOutput() + position);
}

SmallVector<Value> LoopEmitter::initializeOutputs() {
  if (fill)
    return {widen(builder, loc, fill.value())};
  SmallVector<Value> values;
  for (int64_t i = 0; i < op.getNumDpsInits(); ++i)
    values.push_back(load(getFirstOutput() + i));
  return values;
}

/// Lets LLVM reorder the operation that adds to an accumulator.
static void allowReassociation(Operation *op) {
  auto fast = dyn_cast_or_null<arith::ArithFastMathInterface>(op);
  if (!fast || !isa<arith::AddFOp, arith::MulFOp>(op))
    return;
  auto flags = fast.getFastMathFlagsAttr().getValue();
  op->setAttr(fast.getFastMathAttrName(),
              arith::FastMathFlagsAttr::get(
                  op->getContext(), flags | arith::FastMathFlags::reassoc));
}

SmallVector<Value> LoopEmitter::emitBody(ValueRange outputs) {
  IRMapping mapping;
  for (auto [position, argument] : llvm::enumerate(op.getRegionInputArgs()))
    if (!argument.use_empty())
      mapping.map(argument, load(position));
  mapping.map(op.getRegionOutputArgs(), outputs);
  for (Operation &inner : op.getBody()->without_terminator()) {
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      mapping.map(index.getResult(), positions[index.getDim()]);
      continue;
    }
    cloneWidened(builder, inner, mapping);
    bool accumulates = llvm::any_of(inner.getOperands(), [&](Value operand) {
      return llvm::is_contained(op.getRegionOutputArgs(), operand);
    });
    if (accumulates && isReduction())
      allowReassociation(mapping.lookup(inner.getResult(0)).getDefiningOp());
  }
  return llvm::map_to_vector(
      op.getBody()->getTerminator()->getOperands(), [&](Value value) {
        return widen(builder, loc, mapping.lookupOrDefault(value));
      });
}

//===----------------------------------------------------------------------===//
// Shapes of kernels
//===----------------------------------------------------------------------===//

/// A parallel loop other than the innermost that some input walks through with
/// stride 1: the input is transposed against the output. -1 if there is none.
int64_t LoopEmitter::findTransposedLoop(int64_t innermost) const {
  for (int64_t i = 0; i < getFirstOutput(); ++i)
    for (auto [loop, stride] : llvm::enumerate(nest.operands[i].strides))
      if (stride == 1 && static_cast<int64_t>(loop) != innermost &&
          nest.operands[i].strides[innermost] != 0)
        return loop;
  return -1;
}

void LoopEmitter::emitElementwise() {
  SmallVector<int64_t> order = selectLoops(/*reductions=*/false);
  int64_t transposed = order.empty() ? -1 : findTransposedLoop(order.back());
  if (transposed >= 0)
    return emitTiledTranspose(transposed, order.back());
  emitLoops(order, {}, [&](ValueRange) -> SmallVector<Value> {
    storeOutputs(emitBody(loadOutputs()));
    return {};
  });
}

/// Square tiles over the two loops that are contiguous in input and output, so
/// that every cache line is used up while it is there.
void LoopEmitter::emitTiledTranspose(int64_t slow, int64_t fast) {
  constexpr int64_t kTile = 16;
  SmallVector<int64_t> others = selectLoops(/*reductions=*/false);
  llvm::erase_if(others,
                 [&](int64_t loop) { return loop == slow || loop == fast; });
  auto emitRange = [&](Value begin, Value end, int64_t step,
                       llvm::function_ref<void(Value)> body) {
    auto forOp = scf::ForOp::create(builder, loc, begin, end, constant(step));
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(forOp.getBody());
    body(forOp.getInductionVar());
  };
  auto emitTiles = [&](int64_t loop, llvm::function_ref<void(Value)> body) {
    emitRange(getBegin(loop), getEnd(loop), kTile, body);
  };
  auto emitTile = [&](int64_t loop, Value start,
                      llvm::function_ref<void()> body) {
    Value full = arith::AddIOp::create(builder, loc, start, constant(kTile));
    Value stop = arith::MinSIOp::create(builder, loc, full, getEnd(loop));
    emitRange(start, stop, 1, [&](Value position) {
      positions[loop] = position;
      body();
    });
  };
  emitLoops(others, {}, [&](ValueRange) -> SmallVector<Value> {
    emitTiles(slow, [&](Value slowStart) {
      emitTiles(fast, [&](Value fastStart) {
        emitTile(slow, slowStart, [&] {
          emitTile(fast, fastStart,
                   [&] { storeOutputs(emitBody(loadOutputs())); });
        });
      });
    });
    return {};
  });
}

/// Accumulators are carried through the reduction loops.
void LoopEmitter::emitRegisterReduction() {
  emitLoops(selectLoops(/*reductions=*/false), {},
            [&](ValueRange) -> SmallVector<Value> {
              SmallVector<Value> totals = emitLoops(
                  selectLoops(/*reductions=*/true), initializeOutputs(),
                  [&](ValueRange carried) { return emitBody(carried); });
              storeOutputs(totals);
              return {};
            });
}

void LoopEmitter::emitFill() {
  if (!fill)
    return;
  emitLoops(selectLoops(/*reductions=*/false), {},
            [&](ValueRange) -> SmallVector<Value> {
              store(widen(builder, loc, fill.value()), getFirstOutput());
              return {};
            });
}

/// Rows are added to the output one after another, since the innermost loop of
/// the input is parallel: its accumulators are the output itself.
void LoopEmitter::emitMemoryReduction(int64_t innermost) {
  emitFill();
  SmallVector<int64_t> order = selectLoops(/*reductions=*/false);
  llvm::erase(order, innermost);
  llvm::append_range(order, selectLoops(/*reductions=*/true));
  order.push_back(innermost);
  emitLoops(order, {}, [&](ValueRange) -> SmallVector<Value> {
    storeOutputs(emitBody(loadOutputs()));
    return {};
  });
}

/// Returns true if accumulators in the output would lose precision.
static bool hasSmallFloatOutput(linalg::GenericOp op) {
  return llvm::any_of(op.getDpsInits(), [](Value output) {
    Type type = getElementTypeOrSelf(output.getType());
    return getComputeType(type) != type;
  });
}

void LoopEmitter::emit() {
  if (!isReduction()) {
    emitFill();
    return emitElementwise();
  }
  int64_t innermost = orderLoops().back();
  if (nest.loops[innermost].isReduction || hasSmallFloatOutput(op))
    return emitRegisterReduction();
  emitMemoryReduction(innermost);
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {

struct LowerKernelsPass
    : boost::rt::impl::LowerKernelsPassBase<LowerKernelsPass> {
  void runOnOperation() override;
};

} // namespace

void LowerKernelsPass::runOnOperation() {
  func::FuncOp kernel = getOperation();
  if (!kernel->hasAttr(kKernelAttr) || kernel.isExternal())
    return;
  SmallVector<linalg::GenericOp> generics(kernel.getOps<linalg::GenericOp>());
  SmallVector<linalg::FillOp> fills(kernel.getOps<linalg::FillOp>());
  if (generics.empty() && fills.empty() &&
      !kernel.getOps<scf::ForOp>().empty()) {
    widenInPlace(kernel);
  } else if (generics.size() != 1 || fills.size() > 1) {
    kernel.emitOpError("expects written loops, or one linalg.generic and at "
                       "most one linalg.fill before it; run "
                       "boostrt-outline-kernels");
    return signalPassFailure();
  } else {
    linalg::FillOp fill = fills.empty() ? linalg::FillOp() : fills.front();
    FailureOr<LoopNest> nest = buildLoopNest(generics.front());
    if (failed(nest))
      return signalPassFailure();
    LoopEmitter(kernel, generics.front(), std::move(*nest), fill).emit();
    generics.front().erase();
    if (fill)
      fill.erase();
  }
  storeBooleansAsBytes(kernel);
  if (failed(expandMath(kernel)))
    return signalPassFailure();
}
