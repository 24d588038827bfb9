//===- Cases.h - One table of operations for all rules ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function of Cases/*.mlir is a case: some helpers, and an operation
// whose results it returns. The rules of operations (gradients, shardings) are
// proven on them. An argument with `test.positive` only takes values above 0.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_UNIT_RULES_CASES_H
#define BOOST_MLIR_TEST_UNIT_RULES_CASES_H

#include "boost-mlir/Dialect/Boost/IR/Mesh.h"
#include "boost-mlir/Reference/Program.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringSet.h"
#include <map>

namespace mlir::boost::test {

struct Case {
  func::FuncOp function;
  /// The operation that the case is one of.
  Operation *op;

  StringRef getName() { return function.getName(); }
  StringRef getOpName() const { return op->getName().getStringRef(); }
  /// Returns true if the operation has a gradient that can be computed here.
  bool isDifferentiable();
};

/// The cases of all files, parsed once.
class CaseTable {
public:
  static CaseTable &get();

  MLIRContext *getContext() { return &context; }
  MutableArrayRef<Case> getCases() { return cases; }

  /// The operations that have the interface, but no case.
  template <typename Interface> std::vector<std::string> findUncovered() {
    llvm::StringSet<> covered;
    for (const Case &each : cases)
      covered.insert(each.getOpName());
    std::vector<std::string> uncovered;
    for (RegisteredOperationName name : context.getRegisteredOperations())
      if (name.hasInterface<Interface>() &&
          !covered.contains(name.getStringRef()))
        uncovered.push_back(name.getStringRef().str());
    return uncovered;
  }

private:
  CaseTable();
  void add(ModuleOp module);

  MLIRContext context;
  std::vector<OwningOpRef<ModuleOp>> modules;
  std::vector<Case> cases;
};

/// Counts how often each operation was tried in each way.
class Tally {
public:
  explicit Tally(ArrayRef<StringRef> columns)
      : columns(columns.begin(), columns.end()) {}
  /// Counts one try of an operation; column 0 counts cases.
  void add(StringRef op, unsigned column, unsigned count = 1);
  unsigned get(StringRef op, unsigned column) const;
  /// Prints a row per operation and the totals.
  void print(StringRef title) const;

private:
  std::vector<std::string> columns;
  std::map<std::string, std::vector<unsigned>> rows;
};

bool isFloat(Type type);

/// An empty module, with a `shard.grid` if there is a mesh.
OwningOpRef<ModuleOp> makeModule(MLIRContext *context, const Mesh *mesh);

/// Adds @loss: the floating-point results of a case, each weighted elementwise
/// by a batch argument of its own, summed up. It returns the loss and the
/// results of the case; its floating-point arguments are parameters.
func::FuncOp addLoss(Case &from, ModuleOp module);

/// Runs a textual pipeline.
LogicalResult runPasses(ModuleOp module, StringRef pipeline);

/// Values for the arguments of a program of a case.
reference::NamedTensors makeInputs(const reference::Program &program,
                                   Case &from, uint64_t seed);

/// The largest difference of two tensors, relative to their largest element or
/// to 1.
double getDifference(const reference::Tensor &a, const reference::Tensor &b);

} // namespace mlir::boost::test

#endif // BOOST_MLIR_TEST_UNIT_RULES_CASES_H
