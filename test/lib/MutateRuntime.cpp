//===- MutateRuntime.cpp - One random change of a lowered program ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Simulates a bug in lowering or in the memory plan: a wrong offset, stride,
// extent or group, a missing call, two calls in the wrong order. The change is
// one fact: an offset, for example, with all that MLIR derives from it.
//
//===----------------------------------------------------------------------===//

#include "TestPasses.h"

#include "boost-mlir/Dialect/Boost/IR/BoostAttrNames.h"
#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Pass/Pass.h"

#include <random>

using namespace mlir;
using namespace mlir::boost;

namespace {

class Mutator {
public:
  Mutator(ModuleOp module, uint64_t seed) : module(module), random(seed) {
    for (auto function : module.getOps<func::FuncOp>())
      if (!function->hasAttr(kKernelAttr) && !function.isExternal())
        functions.push_back(function);
  }

  /// Makes one change of this kind; says what, or nothing if there is no place.
  std::string mutate(StringRef kind);

private:
  size_t pick(size_t count) { return random() % count; }
  template <typename T> T choose(ArrayRef<T> list) {
    return list.empty() ? T() : list[pick(list.size())];
  }
  template <typename T> T chooseOp(llvm::function_ref<bool(T)> isFit) {
    SmallVector<T> found;
    for (func::FuncOp function : functions)
      for (T op : function.getOps<T>())
        if (isFit(op))
          found.push_back(op);
    return choose<T>(found);
  }
  SmallVector<Operation *> getCalls(func::FuncOp function);
  int64_t change(int64_t value, ArrayRef<int64_t> steps);

  std::string mutateOffset();
  std::string mutateStride();
  std::string mutateLayout();
  std::string mutateExtent();
  std::string mutateAddition();
  std::string dropCall();
  std::string swapCalls();
  std::string mutateGroup();
  std::string swapOperands();

  ModuleOp module;
  std::mt19937_64 random;
  SmallVector<func::FuncOp> functions;
};

} // namespace

static std::string describe(Operation *op, const Twine &what) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << "in @" << op->getParentOfType<func::FuncOp>().getName() << " "
         << op->getName() << " at " << op->getLoc() << ": " << what;
  return text;
}

SmallVector<Operation *> Mutator::getCalls(func::FuncOp function) {
  SmallVector<Operation *> calls;
  for (Operation &op : function.front())
    if (isa<rt::BoostRTDialect>(op.getDialect()))
      calls.push_back(&op);
  return calls;
}

/// Another number of at least 0.
int64_t Mutator::change(int64_t value, ArrayRef<int64_t> steps) {
  int64_t step = steps[pick(steps.size())];
  return pick(2) == 0 || value < step ? value + step : value - step;
}

std::string Mutator::mutateOffset() {
  auto view = chooseOp<memref::ViewOp>(
      [](memref::ViewOp each) { return !each->use_empty(); });
  IntegerAttr old;
  if (!view || !matchPattern(view.getByteShift(), m_Constant(&old)))
    return "";
  // By an element, a row, a buffer, or to where another view is.
  int64_t offset = old.getInt();
  int64_t bytes = cast<MemRefType>(view.getType()).getNumElements() * 4;
  auto other = chooseOp<memref::ViewOp>([&](memref::ViewOp each) {
    return each->getParentOp() == view->getParentOp() &&
           each.getByteShift() != view.getByteShift();
  });
  IntegerAttr there;
  if (pick(2) == 0 && other &&
      matchPattern(other.getByteShift(), m_Constant(&there)) &&
      there.getInt() != offset)
    offset = there.getInt();
  else
    offset = change(offset, {4, 64, 256, std::max<int64_t>(bytes, 4)});
  OpBuilder builder(view);
  view.getByteShiftMutable().assign(
      arith::ConstantIndexOp::create(builder, view.getLoc(), offset));
  return describe(view,
                  "offset " + Twine(old.getInt()) + " -> " + Twine(offset));
}

/// Changes a stride of a view with gaps.
std::string Mutator::mutateStride() {
  auto view = chooseOp<memref::ReinterpretCastOp>(
      [](memref::ReinterpretCastOp each) { return !each->use_empty(); });
  if (!view)
    return "";
  auto type = cast<MemRefType>(view.getType());
  auto [strides, offset] = type.getStridesAndOffset();
  SmallVector<size_t> dims;
  for (auto [dim, size] : llvm::enumerate(type.getShape()))
    if (size > 1)
      dims.push_back(dim);
  if (dims.empty())
    return "";
  size_t dim = dims[pick(dims.size())];
  int64_t old = strides[dim];
  strides[dim] = change(old, {1, 8, 16, std::max<int64_t>(old / 2, 1)});
  OpBuilder builder(view);
  auto changed = MemRefType::get(
      type.getShape(), type.getElementType(),
      StridedLayoutAttr::get(type.getContext(), offset, strides));
  auto mutated = memref::ReinterpretCastOp::create(
      builder, view.getLoc(), changed, view.getSource(), offset,
      type.getShape(), strides);
  view.replaceAllUsesWith(mutated.getResult());
  view.erase();
  return describe(mutated, "stride " + Twine(dim) + " " + Twine(old) + " -> " +
                               Twine(strides[dim]));
}

/// Changes the begin of matrices or rows in the layout of a product.
std::string Mutator::mutateLayout() {
  auto gemm = chooseOp<rt::GemmOp>([](rt::GemmOp each) {
    return each.getLayoutA() || each.getLayoutB() || each.getLayoutC();
  });
  if (!gemm)
    return "";
  SmallVector<StringRef> names;
  for (StringRef name : {"layout_a", "layout_b", "layout_c"})
    if (gemm->hasAttr(name))
      names.push_back(name);
  StringRef name = names[pick(names.size())];
  SmallVector<int64_t> layout(
      gemm->getAttrOfType<DenseI64ArrayAttr>(name).asArrayRef());
  int64_t &step = layout[pick(layout.size())];
  int64_t old = step;
  step = change(old, {1, 8, 16, std::max<int64_t>(old / 2, 1)});
  gemm->setAttr(name, DenseI64ArrayAttr::get(gemm.getContext(), layout));
  return describe(gemm, name + " " + Twine(old) + " -> " + Twine(step));
}

std::string Mutator::mutateExtent() {
  auto gemm = chooseOp<rt::GemmOp>([](rt::GemmOp) { return true; });
  if (!gemm)
    return "";
  StringRef name = choose<StringRef>({"m", "n", "k", "batch"});
  int64_t old = gemm->getAttrOfType<IntegerAttr>(name).getInt();
  int64_t extent = change(old, {1, 2, 16, std::max<int64_t>(old / 2, 1)});
  gemm->setAttr(name, Builder(gemm.getContext()).getI64IntegerAttr(extent));
  return describe(gemm, name + " " + Twine(old) + " -> " + Twine(extent));
}

/// Changes if a product adds to its result.
std::string Mutator::mutateAddition() {
  auto gemm = chooseOp<rt::GemmOp>([](rt::GemmOp) { return true; });
  if (!gemm)
    return "";
  bool adds = gemm.getAccumulate();
  gemm.setAccumulate(!adds);
  return describe(gemm, adds ? "adds no longer" : "adds");
}

std::string Mutator::dropCall() {
  SmallVector<Operation *> calls = getCalls(choose<func::FuncOp>(functions));
  if (calls.empty())
    return "";
  Operation *call = choose<Operation *>(calls);
  std::string what = describe(call, "dropped");
  call->erase();
  return what;
}

/// Neighbors, or any two of a few dozen calls.
std::string Mutator::swapCalls() {
  func::FuncOp function = choose<func::FuncOp>(functions);
  SmallVector<Operation *> calls = getCalls(function);
  if (calls.size() < 2)
    return "";
  size_t first = pick(calls.size() - 1);
  size_t reach = pick(2) == 0 ? 1 : 32;
  size_t second = std::min(first + 1 + pick(reach), calls.size() - 1);
  // Views do nothing: let them all stand in front.
  Block &body = function.front();
  Operation *front = calls.front();
  for (Operation &op : llvm::make_early_inc_range(body))
    if (isa<memref::ViewOp, memref::ReinterpretCastOp, memref::GetGlobalOp,
            arith::ConstantOp>(op) &&
        front->isBeforeInBlock(&op))
      op.moveBefore(front);
  Operation *a = calls[first], *b = calls[second];
  Operation *behind = b->getNextNode();
  b->moveBefore(a);
  a->moveBefore(behind);
  return describe(a, "behind call " + Twine(second)) + ", " +
         describe(b, "now call " + Twine(first));
}

std::string Mutator::mutateGroup() {
  auto grid = module.lookupSymbol<shard::GridOp>(kMeshSymbol);
  SmallVector<Operation *> found;
  for (func::FuncOp function : functions)
    for (Operation *call : getCalls(function))
      if (call->hasAttr("group"))
        found.push_back(call);
  if (!grid || found.empty() || grid.getRank() < 2)
    return "";
  Operation *op = choose<Operation *>(found);
  int64_t old = op->getAttrOfType<IntegerAttr>("group").getInt();
  int64_t count = int64_t(1) << grid.getRank();
  int64_t group = old;
  while (group == old)
    group = 1 + pick(count - 1);
  op->setAttr("group", Builder(op->getContext()).getI32IntegerAttr(group));
  return describe(op, "group " + Twine(old) + " -> " + Twine(group));
}

std::string Mutator::swapOperands() {
  SmallVector<std::pair<Operation *, std::pair<unsigned, unsigned>>> found;
  for (func::FuncOp function : functions)
    for (Operation *call : getCalls(function))
      for (unsigned a = 0; a < call->getNumOperands(); ++a)
        for (unsigned b = a + 1; b < call->getNumOperands(); ++b)
          if (call->getOperand(a) != call->getOperand(b) &&
              call->getOperand(a).getType() == call->getOperand(b).getType())
            found.push_back({call, {a, b}});
  if (found.empty())
    return "";
  auto [call, operands] = found[pick(found.size())];
  auto [a, b] = operands;
  Value first = call->getOperand(a);
  call->setOperand(a, call->getOperand(b));
  call->setOperand(b, first);
  return describe(call,
                  "operands " + Twine(a) + " and " + Twine(b) + " swapped");
}

std::string Mutator::mutate(StringRef kind) {
  if (kind == "offset")
    return mutateOffset();
  if (kind == "stride")
    return mutateStride();
  if (kind == "layout")
    return mutateLayout();
  if (kind == "extent")
    return mutateExtent();
  if (kind == "addition")
    return mutateAddition();
  if (kind == "drop")
    return dropCall();
  if (kind == "swap")
    return swapCalls();
  if (kind == "group")
    return mutateGroup();
  if (kind == "operands")
    return swapOperands();
  return "";
}

namespace {
struct MutateRuntimePass
    : PassWrapper<MutateRuntimePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MutateRuntimePass)

  MutateRuntimePass() = default;
  MutateRuntimePass(const MutateRuntimePass &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "test-boost-mutate-runtime"; }
  StringRef getDescription() const override {
    return "Broken on purpose: one random change of a lowered program";
  }

  Option<std::string> kind{
      *this, "kind",
      llvm::cl::desc("What is changed: offset, stride, layout, extent, "
                     "addition, drop, swap, group or operands"),
      llvm::cl::init("offset")};
  Option<uint64_t> seed{*this, "seed", llvm::cl::desc("Which change it is"),
                        llvm::cl::init(0)};

  void runOnOperation() override {
    std::string what = Mutator(getOperation(), seed).mutate(kind);
    if (what.empty()) {
      getOperation().emitError()
          << "expects a program with a place to change its " << kind;
      return signalPassFailure();
    }
    llvm::errs() << "mutation: " << kind << " " << what << "\n";
  }
};
} // namespace

void mlir::boost::test::registerMutateRuntimePass() {
  PassRegistration<MutateRuntimePass>();
}
