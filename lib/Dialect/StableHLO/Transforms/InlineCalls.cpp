//===- InlineCalls.cpp - Inline private functions -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Callees first, so that every body is cloned in its final form. Exports have
// no recursion and no control flow between blocks; both are refused.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h"
#include "boost-mlir/Support/TextCheck.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace mlir::boost::stablehlo {
#define GEN_PASS_DEF_INLINECALLSPASS
#include "boost-mlir/Dialect/StableHLO/Transforms/Passes.h.inc"
} // namespace mlir::boost::stablehlo

using namespace mlir;
using namespace mlir::boost;

/// Replaces one call by the body of its callee.
static void inlineCall(func::CallOp call, func::FuncOp callee) {
  OpBuilder builder(call);
  IRMapping mapping;
  Block &body = callee.getBody().front();
  mapping.map(body.getArguments(), call.getOperands());
  for (Operation &op : body.without_terminator()) {
    Operation *clone = builder.clone(op, mapping);
    clone->walk([&](Operation *inner) {
      inner->setLoc(CallSiteLoc::get(inner->getLoc(), call.getLoc()));
    });
  }
  for (auto [result, value] :
       llvm::zip(call.getResults(), body.getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  call.erase();
}

/// Writes composites as the calls that they are.
static void replaceComposites(ModuleOp module) {
  module.walk([](stablehlo::CompositeOp op) {
    OpBuilder builder(op);
    auto call =
        func::CallOp::create(builder, op.getLoc(), op.getDecompositionAttr(),
                             op.getResultTypes(), op.getInputs());
    op.replaceAllUsesWith(call.getResults());
    op.erase();
  });
}

namespace {

/// The size of a function once its calls are inlined, saturating at 64 bits.
struct Extent {
  uint64_t operations = 0;
  /// Regions inside of each other.
  uint64_t nesting = 0;
  /// Calls inside of each other: so deeply are locations nested.
  uint64_t calls = 0;
  /// The call that adds most operations.
  func::CallOp largest;
};

/// A function on the way through the call graph, and its calls still to see.
struct Visit {
  func::FuncOp function;
  SmallVector<func::CallOp> calls;
  size_t next = 0;

  explicit Visit(func::FuncOp function) : function(function) {
    function.walk([&](func::CallOp call) { calls.push_back(call); });
  }
};

/// The functions of a module, callees first.
class CallGraph {
public:
  explicit CallGraph(ModuleOp module) : symbols(module) {}

  /// Fails on calls that cannot be inlined, and on recursion.
  LogicalResult add(func::FuncOp root);
  ArrayRef<func::FuncOp> getOrder() const { return order; }
  func::FuncOp getCallee(func::CallOp call) {
    return symbols.lookup<func::FuncOp>(call.getCallee());
  }
  Extent getExtent(func::FuncOp function) const {
    return extents.lookup(function);
  }

private:
  LogicalResult check(func::CallOp call);
  void measure(const Visit &visit);

  SymbolTable symbols;
  SmallVector<func::FuncOp> order;
  /// Extents of the functions whose callees have all been visited.
  DenseMap<Operation *, Extent> extents;
  llvm::DenseSet<Operation *> entered;
};

} // namespace

LogicalResult CallGraph::check(func::CallOp call) {
  func::FuncOp callee = getCallee(call);
  if (!callee || !callee.getBody().hasOneBlock())
    return call.emitError() << "expects '" << call.getCallee()
                            << "' to be a function of one block";
  // The parser has checked calls, but not composites.
  FunctionType type = callee.getFunctionType();
  if (call.getOperandTypes() != type.getInputs() ||
      call.getResultTypes() != type.getResults())
    return call.emitError()
           << "expects '" << call.getCallee() << "' to be of type "
           << call.getCalleeType() << ", but got " << type;
  if (entered.contains(callee) && !extents.contains(callee))
    return call.emitError()
           << "'" << call.getCallee()
           << "' calls itself, which cannot be compiled; write the loop "
              "as lax.scan";
  return success();
}

/// Without recursion of our own: a file may have calls of any depth.
LogicalResult CallGraph::add(func::FuncOp root) {
  if (!entered.insert(root).second)
    return success();
  std::vector<Visit> path{Visit(root)};
  while (!path.empty()) {
    Visit &visit = path.back();
    if (visit.next == visit.calls.size()) {
      measure(visit);
      order.push_back(visit.function);
      path.pop_back();
      continue;
    }
    func::CallOp call = visit.calls[visit.next++];
    if (failed(check(call)))
      return failure();
    if (func::FuncOp callee = getCallee(call); entered.insert(callee).second)
      path.emplace_back(callee);
  }
  return success();
}

/// Returns the number of regions around an operation.
static uint64_t getDepth(Operation *op) {
  uint64_t depth = 0;
  while ((op = op->getParentOp()))
    ++depth;
  return depth;
}

void CallGraph::measure(const Visit &visit) {
  Extent extent;
  func::FuncOp function = visit.function;
  function.walk([&](Operation *op) {
    ++extent.operations;
    if (op->getNumRegions() > 0)
      extent.nesting = std::max(extent.nesting, getDepth(op));
  });
  uint64_t most = 0;
  for (func::CallOp call : visit.calls) {
    Extent callee = extents.lookup(getCallee(call));
    extent.operations =
        llvm::SaturatingAdd(extent.operations, callee.operations);
    extent.calls = std::max(extent.calls, callee.calls + 1);
    // The callee's module and function do not come along.
    extent.nesting =
        std::max(extent.nesting, getDepth(call) - 2 + callee.nesting);
    if (callee.operations > most) {
      most = callee.operations;
      extent.largest = call;
    }
  }
  extents[function] = extent;
}

namespace {

struct InlineCallsPass : stablehlo::impl::InlineCallsPassBase<InlineCallsPass> {
  using InlineCallsPassBase::InlineCallsPassBase;

  void runOnOperation() override {
    replaceComposites(getOperation());
    // The update is in a module of its own.
    WalkResult result = getOperation().walk([&](ModuleOp module) {
      return failed(inlineCalls(module)) ? WalkResult::interrupt()
                                         : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }

  LogicalResult inlineCalls(ModuleOp module) {
    CallGraph graph(module);
    for (auto function : module.getOps<func::FuncOp>())
      if (failed(graph.add(function)))
        return failure();
    // The first function is the one that a user knows.
    for (auto function : module.getOps<func::FuncOp>())
      if (failed(checkExtent(graph.getExtent(function))))
        return failure();
    for (func::FuncOp function : graph.getOrder()) {
      SmallVector<func::CallOp> calls;
      function.walk([&](func::CallOp call) { calls.push_back(call); });
      for (func::CallOp call : calls)
        inlineCall(call, graph.getCallee(call));
    }
    for (auto function :
         llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
      if (function.isPrivate())
        function.erase();
    return success();
  }

  LogicalResult checkExtent(Extent extent) {
    if (!extent.largest)
      return success();
    auto refuse =
        [&](uint64_t limit, StringRef what, uint64_t found) {
          auto diag = extent.largest.emitError()
                      << "expects at most " << limit << " " << what
                      << " once calls are inlined, but got " << found;
          diag.attachNote()
              << "a loss of that size is most likely a mistake: write "
                 "what is repeated as lax.scan, or call it less often";
          return diag;
        };
    if (extent.operations > maxOperations)
      return refuse(maxOperations, "operations", extent.operations);
    if (extent.calls > kMaxNesting)
      return refuse(kMaxNesting, "calls inside of each other", extent.calls);
    if (extent.nesting > kMaxNesting)
      return refuse(kMaxNesting, "regions inside of each other",
                    extent.nesting);
    return success();
  }
};

} // namespace
