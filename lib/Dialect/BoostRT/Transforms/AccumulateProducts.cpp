//===- AccumulateProducts.cpp - Sums that products begin with -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements boostrt-accumulate-products. A sum is left alone where the product
// would have to copy what it is added to.
//
//===----------------------------------------------------------------------===//

#include "Bufferizer.h"
#include "KernelFusion.h"

#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h"

namespace mlir::boost::rt {
#define GEN_PASS_DEF_ACCUMULATEPRODUCTSPASS
#include "boost-mlir/Dialect/BoostRT/Transforms/Passes.h.inc"
} // namespace mlir::boost::rt

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::rt;

namespace {
/// A kernel that adds up tensors, element by element. All but one of them are
/// products that nothing else reads.
struct Sum {
  linalg::GenericOp kernel;
  Value addend;
  /// In the order of the program.
  SmallVector<GemmOp> products;

  Value getResult() const { return linalg::GenericOp(kernel).getResult(0); }
};
} // namespace

/// Returns the source of a chain of reshapes that have no other reader.
static Value lookThroughReshapes(Value value) {
  while (value.hasOneUse() &&
         isa_and_present<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
             value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

/// The product that the value is, if nothing else reads it.
static GemmOp findProduct(Value value) {
  Value source = lookThroughReshapes(value);
  auto gemm = source.getDefiningOp<GemmOp>();
  return source.hasOneUse() ? gemm : GemmOp();
}

//===----------------------------------------------------------------------===//
// Which kernels are sums
//===----------------------------------------------------------------------===//

/// Returns true if the body yields the sum of its inputs, each of them added
/// once, in the type of the result.
static bool yieldsSumOfInputs(linalg::GenericOp kernel) {
  Block *body = kernel.getBody();
  auto yield = cast<linalg::YieldOp>(body->getTerminator());
  SmallVector<Value> terms(yield.getOperands());
  llvm::SmallDenseSet<Value> inputs;
  size_t operations = 1;
  while (!terms.empty()) {
    Value term = terms.pop_back_val();
    if (term.getType() != yield.getOperand(0).getType() || !term.hasOneUse())
      return false;
    if (auto add = term.getDefiningOp<arith::AddFOp>()) {
      terms.append({add.getLhs(), add.getRhs()});
      ++operations;
      continue;
    }
    if (auto widened = term.getDefiningOp<arith::ExtFOp>()) {
      term = widened.getIn();
      ++operations;
    }
    auto input = dyn_cast<BlockArgument>(term);
    if (!input || input.getOwner() != body || !input.hasOneUse() ||
        input.getArgNumber() >= kernel.getNumDpsInputs())
      return false;
    inputs.insert(input);
  }
  return inputs.size() == kernel.getNumDpsInputs() &&
         operations == body->getOperations().size();
}

static bool readsInOrder(linalg::GenericOp kernel) {
  return kernel.getNumParallelLoops() == kernel.getNumLoops() &&
         llvm::all_of(kernel.getIndexingMapsArray(),
                      [](AffineMap map) { return map.isIdentity(); });
}

bool mlir::boost::rt::addsProducts(linalg::GenericOp op) {
  return op->getNumResults() == 1 && readsInOrder(op) &&
         yieldsSumOfInputs(op) && llvm::any_of(op.getInputs(), findProduct);
}

/// A sum of products alone begins with the first of them.
static std::optional<Sum> matchSum(linalg::GenericOp kernel) {
  if (kernel.getNumResults() != 1 || kernel.getNumDpsInputs() < 2 ||
      !readsInOrder(kernel) || !yieldsSumOfInputs(kernel))
    return std::nullopt;
  Sum sum{kernel, Value(), {}};
  SmallVector<std::pair<GemmOp, Value>> products;
  for (Value input : kernel.getInputs()) {
    if (GemmOp product = findProduct(input))
      products.push_back({product, input});
    else if (!std::exchange(sum.addend, input))
      continue;
    else
      return std::nullopt;
  }
  llvm::sort(products, [](const auto &a, const auto &b) {
    return a.first->isBeforeInBlock(b.first);
  });
  size_t first = 0;
  if (!sum.addend)
    sum.addend = products[first++].second;
  for (const auto &[product, value] : llvm::drop_begin(products, first))
    sum.products.push_back(product);
  bool sameType = sum.addend.getType() == kernel.getResult(0).getType();
  return sameType && !sum.products.empty() ? std::optional<Sum>(std::move(sum))
                                           : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Whether the memory of the addend is free
//===----------------------------------------------------------------------===//

/// The value whose memory `value` has; null for a part of it.
static Value findOwner(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    auto aliases = getAliases(op);
    auto alias = llvm::find_if(
        aliases, [&](const auto &pair) { return pair.second == value; });
    if (alias == aliases.end())
      return value;
    if (isa<tensor::ExtractSliceOp>(op))
      return {};
    value = alias->first;
  }
  return value;
}

/// Returns true if all readers of the memory of `owner`, except `sum`, are
/// before `product`.
static bool isReadOnlyBefore(Value owner, Operation *product, Operation *sum) {
  SmallVector<Value> values = {owner};
  Block *block = product->getBlock();
  while (!values.empty())
    for (OpOperand &use : values.pop_back_val().getUses()) {
      Operation *user = block->findAncestorOpInBlock(*use.getOwner());
      auto aliases = getAliases(user);
      for (auto [source, result] : aliases)
        if (source == use.get())
          values.push_back(result);
      if (aliases.empty() && user != sum && !user->isBeforeInBlock(product))
        return false;
    }
  return true;
}

/// Returns true if the function returns the sum in place of the argument.
static bool replacesArgument(const Sum &sum, BlockArgument argument) {
  auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  TensorAttr tensor = getArgTensor(function, argument.getArgNumber());
  Value result = sum.getResult();
  return tensor && result.getType() == argument.getType() &&
         llvm::any_of(result.getUses(), [&](OpOperand &use) {
           TensorAttr returned =
               isa<func::ReturnOp>(use.getOwner())
                   ? getResultTensor(function, use.getOperandNumber())
                   : TensorAttr();
           return returned && returned.getName() == tensor.getName();
         });
}

/// A part of a joined tensor is computed in its place.
static bool isInserted(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    if (isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(user))
      return isInserted(user->getResult(0));
    return isa<tensor::InsertSliceOp>(user);
  });
}

/// Returns true if the products can accumulate into the memory of the addend.
static bool canUpdateAddend(const Sum &sum) {
  Value owner = findOwner(sum.addend);
  Operation *first = sum.products.front();
  if (!owner || isInserted(sum.getResult()) ||
      !isReadOnlyBefore(owner, first, sum.kernel))
    return false;
  if (auto argument = dyn_cast<BlockArgument>(owner))
    return replacesArgument(sum, argument);
  Operation *writer = owner.getDefiningOp();
  Operation *last = sum.addend.getDefiningOp();
  return !isa<arith::ConstantOp, tensor::EmptyOp>(writer) &&
         (!last || last->isBeforeInBlock(first));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// The products one after another, each on top of the one before it.
static void accumulate(Sum &sum) {
  Value total = sum.addend;
  for (GemmOp product : sum.products) {
    OpBuilder builder(product);
    auto added = cast<GemmOp>(builder.clone(*product));
    added.getOutsMutable().assign(total);
    added.getResults().front().setType(cast<RankedTensorType>(total.getType()));
    added.setAccumulate(true);
    total = added.getResults().front();
  }
  sum.getResult().replaceAllUsesWith(total);
  SmallVector<Value> unused(sum.kernel.getInputs());
  sum.kernel.erase();
  while (!unused.empty()) {
    Operation *op = unused.pop_back_val().getDefiningOp();
    if (!op || !isOpTriviallyDead(op))
      continue;
    llvm::append_range(unused, op->getOperands());
    op->erase();
  }
}

namespace {

struct AccumulateProductsPass
    : boost::rt::impl::AccumulateProductsPassBase<AccumulateProductsPass> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      for (auto kernel :
           llvm::make_early_inc_range(block.getOps<linalg::GenericOp>()))
        if (std::optional<Sum> sum = matchSum(kernel);
            sum && canUpdateAddend(*sum))
          accumulate(*sum);
  }
};

} // namespace
