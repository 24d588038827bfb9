//===- Placement.h - How tensors are sharded --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects what a placement wants before anything is written: which dimension
// of which argument is sharded over each axis, why, and what must divide.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_PLACEMENT_H
#define BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_PLACEMENT_H

#include "boost-mlir/Analysis/Machine.h"
#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Dialect/Boost/IR/Mesh.h"
#include "boost-mlir/Dialect/Boost/IR/Weights.h"
#include "boost-mlir/Dialect/Boost/Transforms/PlacementRules.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::boost {

/// Returns the location for messages about a whole function: JAX gives
/// locations to arguments, but not to functions.
Location getUserLocation(func::FuncOp func);

/// The decisions for one function, and their conditions.
class Placement {
public:
  Placement(func::FuncOp func, const Mesh &mesh);

  /// Shards `dim` of `value`, an argument or a weight, over `axes`: every
  /// argument that has the dimension. What a dimension is (`what`, such as
  /// "hidden size") and why it is sharded go into messages. An argument that is
  /// already sharded stays as it is: the first rule wins.
  void shard(Value value, int64_t dim, AxisMask axes, StringRef what,
             StringRef reason);

  /// Leaves the parameters that a weight is computed from whole on every rank.
  void replicate(Value value, StringRef reason);

  /// Shards an argument exactly like this.
  void keep(unsigned index, ArrayRef<AxisList> split, StringRef reason);

  /// Shards `dim` of a value that an operation makes over `axes`, if they
  /// divide it.
  void constrain(OpResult value, int64_t dim, AxisMask axes);

  /// Asks that `axes` divide `size`, without sharding an argument.
  void require(Location loc, StringRef what, int64_t size, AxisMask axes);

  /// Emits an error for every size that does not divide, with the sizes of the
  /// axis that would do.
  LogicalResult check() const;

  /// Says in a remark which matrices no rule has sharded. Tables that are only
  /// looked up are replicated on purpose.
  void remarkReplicated() const;

  /// Emits an error if an axis of several ranks shards no argument: its ranks
  /// would all compute the same.
  LogicalResult checkAxesAreUsed(Location loc) const;

  /// Writes `boost.sharding` and `boost.reason`, and `boost.shardings` of
  /// operations whose values are constrained.
  void write();

private:
  struct Decision {
    Split split;
    /// May also say why an argument is replicated that no rule decides about.
    std::string reason;
    bool made = false;
  };
  struct Condition {
    Location loc;
    std::string what;
    int64_t size;
    AxisMask axes;
    std::string argument;
  };

  void shardArgument(BlockArgument arg, int64_t dim, AxisMask axes,
                     StringRef reason);
  std::string getArgName(unsigned index) const;
  std::string describeRemedy(const Condition &unmet) const;

  func::FuncOp func;
  const Mesh &mesh;
  Weights weights;
  SmallVector<Decision> decisions;
  SmallVector<Condition> conditions;
  DenseMap<Value, Split> constraints;
};

/// Shards arguments as their `boost.hint` asks, or says in a remark why not.
void readHints(func::FuncOp func, const Mesh &mesh, Placement &placement);

/// The batch over `dp`, and over `tp` what the rules say.
void placeByRules(func::FuncOp func, const Mesh &mesh,
                  const PlacementRules &rules, Placement &placement);

/// Writes along which loops operations are spread over `tp` where the rules say
/// more than arguments do, in `boost.spread`, and how values are then sharded.
/// Decomposes the bottlenecks of which they do.
void spreadOperations(func::FuncOp func, const Mesh &mesh,
                      const PlacementRules &rules);

/// Returns the operations that stand between factors that are linears: what
/// they compute of latents is complete on every rank that has these. What
/// repeats a latent to more elements than its product has is none of them.
llvm::SetVector<Operation *> findLatentFunctions(func::FuncOp func);

/// Returns the number of second factors that share the first one.
int64_t countBranches(BottleneckOp op);

/// Writes into `boost.shardings` how the values in `forms` are sharded.
void writeForms(func::FuncOp func, const Mesh &mesh,
                const DenseMap<Value, Split> &forms);

/// Shards the rows of the batch (getBatchRows); what has none is replicated.
void shardBatch(func::FuncOp func, AxisMask axes, Placement &placement);

/// The batch over `dp`; what FormSearch finds to be cheapest over `tp`. Says of
/// every argument what another sharding would cost if `alternatives`, which
/// takes longer. Emits an error if the loss cannot be searched.
LogicalResult placeSearched(func::FuncOp func, const Mesh &mesh,
                            const Machine &machine, bool alternatives,
                            Placement &placement);

/// Everything replicated, the batch sharded over every axis.
void placeReplicated(func::FuncOp func, const Mesh &mesh, Placement &placement);

/// As `boost.sharding` of the arguments says; what says nothing is replicated.
/// Emits an error for a sharding that does not fit.
LogicalResult placeGiven(func::FuncOp func, const Mesh &mesh,
                         Placement &placement);

/// Says in remarks how many parameters `placement` shards, and of every
/// argument why its `boost.sharding` is as it is; once for all layers of a
/// class.
void explainPlacement(func::FuncOp func, const Mesh &mesh, StringRef placement);

} // namespace mlir::boost

#endif // BOOST_MLIR_LIB_DIALECT_BOOST_TRANSFORMS_PLACEMENT_H
