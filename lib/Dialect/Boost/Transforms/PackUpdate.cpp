//===- PackUpdate.cpp - Updates of packed parameters ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows the updates of all parts of a packed parameter at once, from the
// results back to the arguments.
//
//===----------------------------------------------------------------------===//

#include "PackUpdate.h"

#include "boost-mlir/Dialect/Boost/IR/Parts.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Dialect/StableHLO/IR/Builders.h"
#include "boost-mlir/Dialect/StableHLO/IR/StableHLO.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace mlir::boost;

namespace {
/// One value for each part.
using Values = SmallVector<Value>;

/// A tensor of the parameter: itself, its gradient, or a state of some kind.
using Slot = std::pair<TensorRole, StringAttr>;

class UpdatePacker {
public:
  UpdatePacker(func::FuncOp update, DictionaryAttr attrs, RankedTensorType type)
      : update(update), attrs(attrs), type(type), parts(getParts(attrs)) {}

  bool run();

private:
  bool findArguments();
  bool findResults();
  std::optional<Slot> getSlot(TensorAttr tensor, unsigned &part) const;
  bool isPackable(ArrayRef<Value> values);
  bool isSameOperation(ArrayRef<Value> values);
  Value pack(ArrayRef<Value> values, OpBuilder &builder);
  Value packOperation(ArrayRef<Value> values, OpBuilder &builder);
  DictionaryAttr getAttrs(Slot slot, ArrayRef<TensorAttr> tensors);
  void replaceResults(OpBuilder &builder);
  void eraseArguments();

  /// The tensors of the parts, and what describes each.
  struct Group {
    Values values;
    SmallVector<TensorAttr> tensors;
    SmallVector<unsigned> indices;
  };
  using Groups = llvm::MapVector<Slot, Group>;
  static bool collect(Groups &groups, Slot slot, unsigned part, unsigned count,
                      Value value, TensorAttr tensor, unsigned index);
  bool isComplete(const Groups &groups) const;

  func::FuncOp update;
  DictionaryAttr attrs;
  RankedTensorType type;
  SmallVector<PartAttr> parts;
  Groups arguments, results;
  /// Values that were found to be packable, and the packed ones, by the value
  /// of the first part.
  DenseMap<Value, Values> packable;
  DenseMap<Value, Value> packed;
};
} // namespace

//===----------------------------------------------------------------------===//
// What belongs to the parts
//===----------------------------------------------------------------------===//

/// Returns what a tensor is to one of the parts, and which.
std::optional<Slot> UpdatePacker::getSlot(TensorAttr tensor,
                                          unsigned &part) const {
  if (!tensor)
    return std::nullopt;
  StringAttr owner =
      hasRole(tensor, TensorRole::Param) ? tensor.getName() : tensor.getOwner();
  const auto *found = llvm::find_if(
      parts, [&](PartAttr each) { return each.getName() == owner; });
  if (found == parts.end())
    return std::nullopt;
  part = found - parts.begin();
  return Slot(tensor.getRole(), tensor.getKind());
}

/// Enters the tensor of a part; false if it has one already.
bool UpdatePacker::collect(Groups &groups, Slot slot, unsigned part,
                           unsigned count, Value value, TensorAttr tensor,
                           unsigned index) {
  Group &group = groups[slot];
  group.values.resize(count);
  group.tensors.resize(count);
  group.indices.resize(count);
  if (group.values[part])
    return false;
  group.values[part] = value;
  group.tensors[part] = tensor;
  group.indices[part] = index;
  return true;
}

/// Returns true if every part has all tensors, of its shape and of one element
/// type.
bool UpdatePacker::isComplete(const Groups &groups) const {
  for (const auto &[slot, group] : groups)
    for (auto [value, part] : llvm::zip_equal(group.values, parts)) {
      auto own = value ? cast<RankedTensorType>(value.getType()) : nullptr;
      if (!own || own.getShape() != part.getShape().asArrayRef() ||
          own.getElementType() !=
              getElementTypeOrSelf(group.values.front().getType()))
        return false;
    }
  return true;
}

bool UpdatePacker::findArguments() {
  for (BlockArgument arg : update.getArguments()) {
    unsigned part = 0, index = arg.getArgNumber();
    TensorAttr tensor = getArgTensor(update, index);
    if (std::optional<Slot> slot = getSlot(tensor, part))
      if (!collect(arguments, *slot, part, parts.size(), arg, tensor, index))
        return false;
  }
  return isComplete(arguments);
}

bool UpdatePacker::findResults() {
  Operation *terminator = update.front().getTerminator();
  for (OpOperand &operand : terminator->getOpOperands()) {
    unsigned part = 0, index = operand.getOperandNumber();
    TensorAttr tensor = getResultTensor(update, index);
    if (std::optional<Slot> slot = getSlot(tensor, part))
      if (!collect(results, *slot, part, parts.size(), operand.get(), tensor,
                   index))
        return false;
  }
  return isComplete(results);
}

//===----------------------------------------------------------------------===//
// Following
//===----------------------------------------------------------------------===//

/// Returns true if one operation on packed operands gives the packed values.
bool UpdatePacker::isSameOperation(ArrayRef<Value> values) {
  Operation *first = values.front().getDefiningOp();
  for (Value value : values) {
    Operation *op = value.getDefiningOp();
    if (!op || op->getName() != first->getName() || op->getNumResults() != 1 ||
        getElementTypeOrSelf(value) != getElementTypeOrSelf(values.front()))
      return false;
  }
  if (std::optional<double> splat = stablehlo::matchSplat(values.front());
      splat && isa<stablehlo::ConstantOp>(first))
    return llvm::all_of(values, [&](Value value) {
      return stablehlo::matchSplat(value) == splat;
    });
  if (auto broadcast = dyn_cast<stablehlo::BroadcastInDimOp>(first)) {
    Value scalar = broadcast.getOperand();
    return cast<RankedTensorType>(scalar.getType()).getRank() == 0 &&
           llvm::all_of(values, [&](Value value) {
             return value.getDefiningOp()->getOperand(0) == scalar;
           });
  }
  if (!first->hasTrait<OpTrait::Elementwise>())
    return false;
  for (Value value : values)
    if (value.getDefiningOp()->getAttrDictionary() !=
        first->getAttrDictionary())
      return false;
  for (unsigned i : llvm::seq(first->getNumOperands())) {
    Values operands;
    for (Value value : values)
      operands.push_back(value.getDefiningOp()->getOperand(i));
    if (!isPackable(operands))
      return false;
  }
  return true;
}

bool UpdatePacker::isPackable(ArrayRef<Value> values) {
  auto known = packable.find(values.front());
  if (known != packable.end())
    return ArrayRef(known->second) == values;
  for (auto [value, part] : llvm::zip_equal(values, parts))
    if (cast<RankedTensorType>(value.getType()).getShape() !=
        part.getShape().asArrayRef())
      return false;
  bool isArgument = llvm::any_of(arguments, [&](const auto &entry) {
    return ArrayRef(entry.second.values) == values;
  });
  if (!isArgument &&
      (isa<BlockArgument>(values.front()) || !isSameOperation(values)))
    return false;
  packable.try_emplace(values.front(), values);
  return true;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

Value UpdatePacker::packOperation(ArrayRef<Value> values, OpBuilder &builder) {
  Operation *first = values.front().getDefiningOp();
  Location loc = first->getLoc();
  RankedTensorType result = type.clone(getElementTypeOrSelf(values.front()));
  if (std::optional<double> splat = stablehlo::matchSplat(values.front());
      splat && isa<stablehlo::ConstantOp>(first))
    return stablehlo::splat(builder, loc, result, *splat);
  if (isa<stablehlo::BroadcastInDimOp>(first))
    return stablehlo::broadcastScalar(builder, loc, first->getOperand(0),
                                      result.getShape());
  Values operands;
  for (unsigned i : llvm::seq(first->getNumOperands())) {
    Values each;
    for (Value value : values)
      each.push_back(value.getDefiningOp()->getOperand(i));
    operands.push_back(pack(each, builder));
  }
  OperationState state(loc, first->getName());
  state.addOperands(operands);
  state.addTypes(result);
  state.addAttributes(first->getAttrs());
  return builder.create(state)->getResult(0);
}

Value UpdatePacker::pack(ArrayRef<Value> values, OpBuilder &builder) {
  Value known = packed.lookup(values.front());
  if (known)
    return known;
  Value made = packOperation(values, builder);
  packed[values.front()] = made;
  return made;
}

/// Returns the attributes of a packed tensor: those of the parameter, and for
/// what belongs to it a name made of its kind and the parameter's.
DictionaryAttr UpdatePacker::getAttrs(Slot slot, ArrayRef<TensorAttr> tensors) {
  if (slot.first == TensorRole::Param)
    return attrs;
  MLIRContext *context = update.getContext();
  TensorAttr param = getTensor(attrs), first = tensors.front();
  if (slot.first == TensorRole::Gradient) {
    NamedAttrList list;
    list.set(kTensorAttr, TensorAttr::getGradientOf(param));
    return list.getDictionary(context);
  }
  NamedAttrList list;
  auto name = StringAttr::get(context, slot.second.getValue() + "." +
                                           param.getName().getValue());
  list.set(kTensorAttr,
           TensorAttr::get(context, first.getRole(), name, first.getKind(),
                           param.getName(), first.getInit(), first.getDecay(),
                           first.getFeed(), first.getSample(),
                           first.getNextSample(), first.getOption()));
  if (Attribute sharding = attrs.get(kShardingAttr))
    list.set(kShardingAttr, sharding);
  SmallVector<Attribute> own;
  for (auto [part, tensor] : llvm::zip_equal(parts, tensors))
    own.push_back(PartAttr::get(context, tensor.getName(), tensor.getOwner(),
                                tensor.getInit(), part.getDim(),
                                part.getOffset(), part.getShape()));
  list.set(kPartsAttr, ArrayAttr::get(context, own));
  return list.getDictionary(context);
}

/// Puts the packed results where those of the first part were.
void UpdatePacker::replaceResults(OpBuilder &builder) {
  Operation *terminator = update.front().getTerminator();
  SmallVector<Value> values(terminator->getOperands());
  SmallVector<DictionaryAttr> resultAttrs;
  for (unsigned i : llvm::seq(update.getNumResults()))
    resultAttrs.push_back(update.getResultAttrDict(i));
  for (auto &[slot, group] : results) {
    unsigned first = *llvm::min_element(group.indices);
    Value whole = pack(group.values, builder);
    for (unsigned index : group.indices)
      values[index] = index == first ? whole : Value();
    resultAttrs[first] = getAttrs(slot, group.tensors);
  }
  SmallVector<Value> kept;
  SmallVector<DictionaryAttr> keptAttrs;
  for (auto [value, attr] : llvm::zip_equal(values, resultAttrs))
    if (value) {
      kept.push_back(value);
      keptAttrs.push_back(attr);
    }
  terminator->setOperands(kept);
  update.setType(FunctionType::get(update.getContext(),
                                   update.front().getArgumentTypes(),
                                   TypeRange(ValueRange(kept))));
  update.setAllResultAttrs(keptAttrs);
}

/// Erases what computed the parts, and their arguments.
void UpdatePacker::eraseArguments() {
  auto operations = llvm::map_to_vector(update.front().without_terminator(),
                                        [](Operation &op) { return &op; });
  for (Operation *op : llvm::reverse(operations))
    if (isOpTriviallyDead(op))
      op->erase();
  BitVector erased(update.getNumArguments());
  for (auto &[slot, group] : arguments)
    for (unsigned index : group.indices)
      if (update.getArgument(index).use_empty())
        erased.set(index);
  (void)update.eraseArguments(erased);
}

bool UpdatePacker::run() {
  if (!findArguments() || !findResults() || results.empty())
    return false;
  for (auto &[slot, group] : results)
    if (!isPackable(group.values))
      return false;
  // A part that something else reads stays an argument beside the packed one.
  DenseSet<Value> followed;
  for (const auto &entry : packable)
    followed.insert(entry.second.begin(), entry.second.end());
  for (auto &entry : arguments)
    for (Value value : entry.second.values)
      for (Operation *user : value.getUsers())
        for (Value result : user->getResults())
          if (!followed.contains(result))
            return false;
  auto builder = OpBuilder::atBlockBegin(&update.front());
  builder.setInsertionPoint(update.front().getTerminator());
  for (auto &[slot, group] : arguments) {
    unsigned index = update.getNumArguments();
    RankedTensorType own =
        type.clone(getElementTypeOrSelf(group.values.front()));
    Location loc = group.values.front().getLoc();
    if (failed(update.insertArgument(index, own, getAttrs(slot, group.tensors),
                                     loc)))
      return false;
    packed[group.values.front()] = update.getArgument(index);
  }
  replaceResults(builder);
  eraseArguments();
  return true;
}

bool mlir::boost::packUpdate(func::FuncOp update, DictionaryAttr attrs,
                             RankedTensorType type) {
  return UpdatePacker(update, attrs, type).run();
}
