//===- LocalValues.h - What ranks hold of each value ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The local versions of global values while a function is partitioned, and the
// collectives between them.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_SHARDING_LOCALVALUES_H
#define BOOST_MLIR_SHARDING_LOCALVALUES_H

#include "boost-mlir/Sharding/FunctionShardings.h"
#include "boost-mlir/Sharding/PartialSums.h"
#include "boost-mlir/Sharding/Reshard.h"

namespace mlir::boost {

/// One way in which the ranks hold a value.
struct LocalVersion {
  LocalForm form;
  Value value;
};

/// Properties of a probe.
struct ProbeInfo {
  Location loc;
  StringAttr name;
  IntegerAttr site;
  DictionaryAttr attrs;
};
using Probes = DenseMap<Value, SmallVector<ProbeInfo, 1>>;

/// The local versions of the values of one function, and the builder of its
/// local operations. A version once made is reused by all later users.
class LocalValues {
public:
  /// Every version of a value that has probes is shown by them.
  LocalValues(const FunctionShardings &shardings, const PartialSums &sums,
              const Probes &probes, const ReshardCost &price,
              OpBuilder &builder)
      : shardings(shardings), sums(sums), probes(probes), price(price),
        builder(builder) {}

  void add(Value global, const LocalForm &form, Value local);
  ArrayRef<LocalVersion> get(Value global) const {
    auto found = versions.find(global);
    return found == versions.end() ? ArrayRef<LocalVersion>()
                                   : ArrayRef<LocalVersion>(found->second);
  }

  /// Defers an operation without costs until a form of its result is needed.
  void addGenerator(const RuledOp &ruled) {
    generators[ruled.op->getResult(0)] = &ruled;
  }

  /// The seconds that it takes to get `global` in a form.
  double getCost(Value global, const LocalForm &form) const;

  /// The local value in a form, for the use of `user`.
  Value materialize(Value global, const LocalForm &form, Operation *user);

  /// Builds the local form of an operation and records its results.
  void build(const RuledOp &ruled, ArrayRef<LocalForm> operands,
             ArrayRef<AxisList> loopAxes, ArrayRef<LocalForm> results);

  /// Completes a value just built over the axes along which nothing is gained
  /// by waiting.
  void completeResult(const RuledOp &ruled, Value global);

private:
  const LocalVersion *findCheapest(Value global, const LocalForm &form) const;
  Value generate(const RuledOp &ruled, const LocalForm &form, Operation *user);
  StringRef chooseComponent(Value global, const ReshardStep &step,
                            Operation *user) const;

  const FunctionShardings &shardings;
  const PartialSums &sums;
  const Probes &probes;
  const ReshardCost &price;
  OpBuilder &builder;
  DenseMap<Value, SmallVector<LocalVersion, 1>> versions;
  DenseMap<Value, const RuledOp *> generators;
};

} // namespace mlir::boost

#endif // BOOST_MLIR_SHARDING_LOCALVALUES_H
