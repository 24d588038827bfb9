//===- NamedTensors.h - What functions call by name -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tensors that functions take and give, by name, and on which pipeline
// stages they are. Functions share what has the same name: it is the same thing
// in all of them.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_NAMEDTENSORS_H
#define BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_NAMEDTENSORS_H

#include "boost-mlir/Dialect/Boost/IR/Mesh.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <map>
#include <set>

namespace mlir::boost::rt {

/// A tensor that users know by name.
struct NamedTensor {
  MemRefType type;
  DictionaryAttr attrs;
  /// Functions that mention it; a result of one function lives only there.
  SmallVector<func::FuncOp, 3> functions;
  /// Stages between which schedules transfer it.
  std::set<int64_t> transfers;
  /// Schedules that call one of the functions.
  llvm::SmallSetVector<Operation *, 3> schedules;
  /// True of a result that has to outlive a call of another function.
  bool outlivesCalls = false;
  /// By stage: the offset in the arena or, if it is kept, in a slot of the
  /// stash.
  std::map<int64_t, int64_t> offsets;

  TensorAttr get() const { return getTensor(attrs); }
  bool isResult() const { return isResultRole(get().getRole()); }
  bool isKept() const { return hasRole(get(), TensorRole::Kept); }
  ShardingAttr getSharding() const;

  /// Returns true if a function mentions it that runs on every stage.
  bool isOnEveryStage() const;
  /// Returns true if a function or a transfer of the stage mentions it.
  bool isOn(int64_t stage) const;
  /// Returns true if the tensor keeps its place on the stage from call to call.
  /// All do but the results of one function only, that nobody transfers, where
  /// the stage calls no other function with results before they are read.
  bool isShared(int64_t stage) const;
};

/// The named tensors of a module, in the order in which functions mention them.
class NamedTensors {
public:
  explicit NamedTensors(const Mesh &mesh) : mesh(mesh) {}

  /// Adds the arguments of a function on memrefs. Fails, with an error at the
  /// function, if one has no name or is something else in another function.
  LogicalResult collect(func::FuncOp function);

  /// Adds what a transfer names to both of its stages. Fails, with an error at
  /// it, if no function has such a tensor.
  LogicalResult collect(TransferOp transfer);

  /// Notes which tensors the schedule uses.
  void collect(ScheduleOp schedule);

  /// Lets the results of a stage outlive calls where the schedule calls several
  /// functions with results on it, as for several chunks of layers.
  void keepResults(ScheduleOp schedule);

  /// Returns the tensor of an argument.
  NamedTensor &get(BlockArgument argument);

  auto begin() { return tensors.begin(); }
  auto end() { return tensors.end(); }
  auto begin() const { return tensors.begin(); }
  auto end() const { return tensors.end(); }

private:
  LogicalResult add(func::FuncOp function, MemRefType type,
                    DictionaryAttr attrs);
  LogicalResult checkSharding(func::FuncOp function, const NamedTensor &tensor);

  const Mesh &mesh;
  llvm::MapVector<StringAttr, NamedTensor> tensors;
};

} // namespace mlir::boost::rt

#endif // BOOST_MLIR_LIB_DIALECT_BOOSTRT_TRANSFORMS_NAMEDTENSORS_H
