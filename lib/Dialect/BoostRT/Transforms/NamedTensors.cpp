//===- NamedTensors.cpp - What functions call by name ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Refuses unnamed tensors, names that stand for different types, and kept
// tensors outside of pipeline stages.
//
//===----------------------------------------------------------------------===//

#include "NamedTensors.h"

#include "boost-mlir/Dialect/Boost/IR/Schedule.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::rt;

//===----------------------------------------------------------------------===//
// A tensor
//===----------------------------------------------------------------------===//

ShardingAttr NamedTensor::getSharding() const {
  auto sharding = attrs.getAs<ShardingAttr>(kShardingAttr);
  return sharding
             ? sharding
             : ShardingAttr::getReplicated(attrs.getContext(), type.getRank());
}

bool NamedTensor::isOnEveryStage() const {
  return llvm::any_of(functions, [](func::FuncOp function) {
    return !getStage(function).has_value();
  });
}

static bool runsOn(func::FuncOp function, int64_t stage) {
  return getStage(function).value_or(stage) == stage;
}

bool NamedTensor::isOn(int64_t stage) const {
  return transfers.count(stage) > 0 ||
         llvm::any_of(functions, [&](func::FuncOp function) {
           return runsOn(function, stage);
         });
}

bool NamedTensor::isShared(int64_t stage) const {
  if (!isResult() || outlivesCalls || transfers.count(stage) > 0)
    return true;
  // It is at the same place on all stages.
  if (isOnEveryStage())
    return functions.size() > 1 || !transfers.empty();
  return llvm::count_if(functions, [&](func::FuncOp function) {
           return runsOn(function, stage);
         }) > 1;
}

//===----------------------------------------------------------------------===//
// All tensors
//===----------------------------------------------------------------------===//

NamedTensor &NamedTensors::get(BlockArgument argument) {
  auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  return tensors[getArgTensor(function, argument.getArgNumber()).getName()];
}

LogicalResult NamedTensors::collect(func::FuncOp function) {
  for (BlockArgument argument : function.getArguments()) {
    unsigned index = argument.getArgNumber();
    auto type = dyn_cast<MemRefType>(argument.getType());
    if (!type || !type.hasStaticShape() || !type.getLayout().isIdentity())
      return function.emitOpError("expects dense memref arguments, but got ")
             << argument.getType() << " (run boostrt-bufferize first)";
    DictionaryAttr attrs = function.getArgAttrDict(index);
    TensorAttr tensor = getTensor(attrs);
    if (!tensor)
      return function.emitOpError("expects '")
             << kTensorAttr << "' on argument " << index;
    if (hasRole(tensor, TensorRole::Kept) && !getStage(function))
      return function.emitOpError("expects '")
             << kStageAttr << "' on a function with kept tensors, but "
             << tensor.getName() << " is one and @" << function.getName()
             << " has none";
    if (failed(add(function, type, attrs)))
      return failure();
  }
  return success();
}

LogicalResult NamedTensors::collect(TransferOp transfer) {
  for (auto name : transfer.getTensors().getAsRange<StringAttr>()) {
    auto *tensor = tensors.find(name);
    if (tensor == tensors.end())
      return transfer.emitOpError("expects a tensor of a function, but got ")
             << name;
    for (uint64_t stage : {transfer.getFrom(), transfer.getTo()})
      tensor->second.transfers.insert(static_cast<int64_t>(stage));
  }
  return success();
}

void NamedTensors::collect(ScheduleOp schedule) {
  DenseSet<Operation *> called;
  for (CalledFunction each : getCalledFunctions(schedule))
    called.insert(each.function.getOperation());
  for (auto &[name, tensor] : tensors)
    if (llvm::any_of(tensor.functions, [&](func::FuncOp function) {
          return called.contains(function);
        }))
      tensor.schedules.insert(schedule);
}

void NamedTensors::keepResults(ScheduleOp schedule) {
  DenseSet<Operation *> called;
  for (CalledFunction each : getCalledFunctions(schedule))
    called.insert(each.function.getOperation());
  std::map<int64_t, llvm::SmallSetVector<Operation *, 2>> givers;
  std::map<int64_t, SmallVector<NamedTensor *>> results;
  for (auto &[name, tensor] : tensors) {
    if (!tensor.isResult())
      continue;
    for (func::FuncOp function : tensor.functions) {
      std::optional<int64_t> stage = getStage(function);
      if (!stage || !called.contains(function) || tensor.isShared(*stage))
        continue;
      givers[*stage].insert(function);
      results[*stage].push_back(&tensor);
    }
  }
  for (auto &[stage, functions] : givers)
    if (functions.size() > 1)
      for (NamedTensor *tensor : results[stage])
        tensor->outlivesCalls = true;
}

LogicalResult NamedTensors::add(func::FuncOp function, MemRefType type,
                                DictionaryAttr attrs) {
  TensorAttr given = getTensor(attrs);
  auto [it, isNew] = tensors.try_emplace(given.getName());
  NamedTensor &tensor = it->second;
  if (isNew) {
    tensor.attrs = attrs;
    tensor.type = type;
  } else if (tensor.functions.back() == function) {
    return function.emitOpError("expects one argument for tensor ")
           << given.getName() << ", but got two";
  } else if (tensor.type != type) {
    return function.emitOpError("expects tensor ")
           << given.getName() << " to be " << tensor.type
           << " as in another function, but got " << type;
  } else if (tensor.get() != given) {
    return function.emitOpError("expects ")
           << tensor.get() << " as in another function, but got " << given;
  }
  tensor.functions.push_back(function);
  return checkSharding(function, tensor);
}

/// The runtime adds terms up, and counts the elements of all ranks.
LogicalResult NamedTensors::checkSharding(func::FuncOp function,
                                          const NamedTensor &tensor) {
  ShardingAttr sharding = tensor.getSharding();
  if (sharding.getReduction() != Reduction::Sum)
    return function.emitOpError("expects tensor ")
           << tensor.get().getName() << " to be a partial sum, but got "
           << sharding;
  if (!mesh.getGlobalShape(tensor.type.getShape(), sharding))
    return function.emitOpError("expects fewer than 2^63 elements in each "
                                "dimension of ")
           << tensor.get().getName() << " on all ranks, but got " << tensor.type
           << " sharded as " << sharding;
  return success();
}
