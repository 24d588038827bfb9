//===- FunctionShardings.h - Inferred shardings of a function ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ABI of a function, the rules of its operations, and how its values
// should be sharded.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_SHARDING_FUNCTIONSHARDINGS_H
#define BOOST_MLIR_SHARDING_FUNCTIONSHARDINGS_H

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/Boost/IR/Mesh.h"
#include "boost-mlir/Interfaces/ShardingRule.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace mlir::boost {

/// An operation, its rule and the phase of the step it is in.
struct RuledOp {
  Operation *op;
  ShardingRule rule;
  Phase phase;
};

/// An accumulator, and the sum that it is returned as.
struct OpenSum {
  BlockArgument argument;
  Value next;
};

/// The running sums of which nothing is known but that the function adds to
/// them and returns them: they are partial over whatever axes the terms added
/// to them are.
SmallVector<OpenSum> findOpenSums(func::FuncOp func);

/// A straight-line function of tensors. The split of a value says how it should
/// be sharded as far as that is known; an axis that is not in it is open, which
/// is not the same as forbidden.
class FunctionShardings {
public:
  /// Reads arguments and results and the rules of all operations. Emits an
  /// error for a sharding that is missing or does not divide, naming the
  /// tensor. Nothing is open about sums that are in `closed`.
  static FailureOr<FunctionShardings>
  get(func::FuncOp func, const Mesh &mesh,
      const DenseSet<Attribute> &closed = {});

  /// Infers the splits of all values from those of arguments and results: first
  /// where only one loop comes into question, then where several do.
  void propagate();

  /// Writes the splits of values as discardable attributes of the operations
  /// that define them; reads them back, with the loops that operations are to
  /// be spread along. Emits an error for what does not fit.
  void writeShardings() const;
  LogicalResult readShardings();

  func::FuncOp getFunction() const { return func; }
  const Mesh &getMesh() const { return mesh; }
  ArrayRef<RuledOp> getOps() const { return ops; }
  ArrayRef<Split> getArgumentSplits() const { return arguments; }
  ArrayRef<Split> getResultSplits() const { return results; }
  /// The axes over which an argument is a term of a sum, as its sharding says.
  AxisMask getPartial(Value argument) const { return partial.lookup(argument); }
  const DenseMap<Value, AxisMask> &getPartials() const { return partial; }

  /// Returns true if ranks compute the parts of `value` that they need without
  /// communication.
  bool isGenerated(Value value) const { return generators.contains(value); }
  /// Returns true if `value` is the argument, or the next value, of an open
  /// sum.
  bool isOpenSum(Value value) const { return openSums.contains(value); }
  bool isNextOfOpenSum(Value value) const { return nextSums.contains(value); }
  /// Returns true if the caller gets `value`: no axis of it is open.
  bool isReturned(Value value) const { return returned.contains(value); }
  ArrayRef<AxisList> getSplit(Value value) const {
    auto found = splits.find(value);
    return found == splits.end() ? ArrayRef<AxisList>()
                                 : ArrayRef<AxisList>(found->second);
  }

  /// The loop along which a placement spreads an operation over `axis`
  /// (kNoLoop: along none), whatever that costs; nothing if it is open.
  std::optional<int> getFixedLoop(Operation *op, AxisMask axis) const;

  /// The loop that should be spread over `axis`: the one that is fixed, or as
  /// the operands and results of the operation are sharded; kNoLoop if none of
  /// them is by it. Sets `competing` if there were several to choose from.
  int chooseLoop(const RuledOp &ruled, AxisMask axis,
                 bool *competing = nullptr) const;

private:
  FunctionShardings(func::FuncOp func, const Mesh &mesh)
      : func(func), mesh(mesh) {}

  LogicalResult readAbi();
  LogicalResult readSpread(const RuledOp &ruled);
  void readOps();
  void sweep(bool resolve);
  bool visit(const RuledOp &ruled, bool resolve);
  bool fill(const RuledOp &ruled, int loop, int16_t axis);
  AxisList getOrder(const RuledOp &ruled, int loop) const;

  func::FuncOp func;
  Mesh mesh;
  std::vector<RuledOp> ops;
  SmallVector<Split> arguments, results;
  DenseMap<Value, Split> splits;
  DenseMap<Value, AxisMask> partial;
  DenseSet<Value> openSums, nextSums;
  DenseSet<Value> returned;
  /// Constants and the like: one that is read in two places does not tie them
  /// to each other.
  DenseSet<Value> generators;
  DenseMap<std::pair<Operation *, AxisMask>, int> fixedLoops;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_SHARDING_FUNCTIONSHARDINGS_H
