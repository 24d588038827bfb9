//===- ScheduleChoice.cpp - Choices that a schedule may make --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduleChoice.h"

#include "boost-mlir/Dialect/Boost/IR/Schedule.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"

using namespace mlir;
using namespace mlir::boost;

/// Checks that a function can be called without knowing anything of a batch.
static LogicalResult checkCallable(ChooseOp choice,
                                   FunctionOpInterface function) {
  if (std::optional<int64_t> stage = getStage(function))
    return choice.emitOpError("expects functions that belong to no pipeline "
                              "stage, but @")
           << function.getName() << " belongs to stage " << *stage;
  if (hasMicroBatch(function))
    return choice.emitOpError(
               "expects functions without batch and kept values, but @")
           << function.getName() << " has some";
  return success();
}

/// Checks that the index is one number, made of numbers.
static LogicalResult checkIndex(ChooseOp choice, FunctionOpInterface function) {
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes())) {
    TensorAttr tensor = getArgTensor(function, i);
    auto shaped = dyn_cast<RankedTensorType>(type);
    bool isKnown = hasRole(tensor, TensorRole::State) ||
                   hasRole(tensor, TensorRole::Hyper);
    if (!isKnown || !shaped || shaped.getRank() != 0)
      return choice.emitOpError("expects @")
             << function.getName()
             << " to take only scalars that are states or hyper-parameters, "
                "but it takes the "
             << stringifyTensorRole(tensor.getRole()) << " " << tensor.getName()
             << " of type " << type;
  }
  auto expected =
      RankedTensorType::get({}, IntegerType::get(choice.getContext(), 32));
  if (function.getNumResults() != 1 ||
      function.getResultTypes().front() != expected ||
      !hasRole(getResultTensor(function, 0), TensorRole::Output))
    return choice.emitOpError("expects @")
           << function.getName() << " to return one " << expected
           << " of the role output, but it returns "
           << function.getResultTypes();
  return success();
}

/// Returns what says how a tensor is to be held, apart from its type.
static SmallVector<Attribute> getForm(DictionaryAttr attrs) {
  SmallVector<Attribute> form;
  for (StringRef name : {kTensorAttr, kShardingAttr, kPartsAttr})
    form.push_back(attrs ? attrs.get(name) : Attribute());
  return form;
}

/// Checks that a function takes and gives what another one does.
static LogicalResult checkAlike(ChooseOp choice, FunctionOpInterface one,
                                FunctionOpInterface other) {
  auto expectAlike = [&](StringRef what, TypeRange types, TypeRange others,
                         auto getAttrs) -> LogicalResult {
    for (size_t i : llvm::seq(std::max(types.size(), others.size())))
      if (i >= types.size() || i >= others.size() || types[i] != others[i] ||
          getForm(getAttrs(one, i)) != getForm(getAttrs(other, i)))
        return choice.emitOpError("expects @")
               << other.getName() << " to " << what << " what @"
               << one.getName() << " does, but number " << i << " differs";
    return success();
  };
  if (failed(expectAlike("take", one.getArgumentTypes(),
                         other.getArgumentTypes(),
                         [](FunctionOpInterface function, size_t i) {
                           return function.getArgAttrDict(i);
                         })))
    return failure();
  return expectAlike("give", one.getResultTypes(), other.getResultTypes(),
                     [](FunctionOpInterface function, size_t i) {
                       return function.getResultAttrDict(i);
                     });
}

LogicalResult mlir::boost::verifyChoice(ChooseOp choice,
                                        SymbolTableCollection &symbols) {
  auto module = choice->getParentOfType<ModuleOp>();
  auto getFunction = [&](StringAttr name) {
    return symbols.lookupSymbolIn<FunctionOpInterface>(module, name);
  };
  FunctionOpInterface index = getFunction(choice.getIndexAttr().getAttr());
  if (failed(checkCallable(choice, index)) || failed(checkIndex(choice, index)))
    return failure();
  FunctionOpInterface first = getFunction(*choice.getFunctionNames().begin());
  for (StringAttr name : choice.getFunctionNames()) {
    FunctionOpInterface function = getFunction(name);
    if (failed(checkCallable(choice, function)) ||
        failed(checkAlike(choice, first, function)))
      return failure();
  }
  return success();
}
