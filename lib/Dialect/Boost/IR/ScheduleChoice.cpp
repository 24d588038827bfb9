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

/// Checks that a function runs on a stage, or on all of them without a number,
/// and can be called without knowing anything of a batch.
static LogicalResult checkCallable(ChooseOp choice,
                                   FunctionOpInterface function,
                                   std::optional<int64_t> stage) {
  std::optional<int64_t> own = getStage(function);
  if (own != stage) {
    auto spell = [](std::optional<int64_t> number) {
      return number ? "stage " + std::to_string(*number)
                    : std::string("no pipeline stage");
    };
    return choice.emitOpError("expects @")
           << function.getName() << " to belong to " << spell(stage)
           << ", but it belongs to " << spell(own);
  }
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
  if (failed(checkCallable(choice, index, std::nullopt)) ||
      failed(checkIndex(choice, index)))
    return failure();
  FunctionOpInterface first = getFunction(*choice.getFunctionNames().begin());
  for (StringAttr name : choice.getFunctionNames()) {
    FunctionOpInterface function = getFunction(name);
    if (failed(checkCallable(choice, function, getStage(first))) ||
        failed(checkAlike(choice, first, function)))
      return failure();
  }
  return success();
}
