//===- BufferPlacement.cpp - Which memory a tensor value gets -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value is updated in place if the old value is not read again; else it is
// written where its hint says, else into an allocation of its own.
//
//===----------------------------------------------------------------------===//

#include "Bufferizer.h"
#include "Utils.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace mlir::boost::rt;

/// Constants up to this size stay constants; larger ones are filled on the spot
/// if all their elements are equal.
static constexpr int64_t kMaxSplatBytes = 1024;

Placement mlir::boost::rt::partOf(const Placement &whole,
                                  OffsetSizeAndStrideOpInterface slice,
                                  const llvm::SmallBitVector &droppedDims) {
  Placement part{whole.storage, whole.offset, {}};
  for (auto [dim, offset, stride] :
       llvm::enumerate(slice.getStaticOffsets(), slice.getStaticStrides())) {
    part.offset += offset * whole.strides[dim];
    if (!droppedDims.test(dim))
      part.strides.push_back(stride * whole.strides[dim]);
  }
  return part;
}

Storage *FunctionBufferizer::newStorage(Value memref, bool writable) {
  storages.push_back({memref, -1, writable});
  return &storages.back();
}

void FunctionBufferizer::setPlacement(Value value, Placement placement) {
  placement.storage->lastUse =
      std::max(placement.storage->lastUse, lastUseOf(value));
  placements[value] = std::move(placement);
}

const Placement &FunctionBufferizer::place(Value value) {
  auto it = placements.find(value);
  if (it != placements.end())
    return it->second;
  if (auto constant = value.getDefiningOp<arith::ConstantOp>())
    placeConstant(value, cast<ElementsAttr>(constant.getValue()));
  else
    placeFresh(value, /*init=*/nullptr);
  return placements[value];
}

void FunctionBufferizer::placeConstant(Value value, ElementsAttr elements) {
  auto type = cast<RankedTensorType>(value.getType());
  Location loc = value.getLoc();
  Storage *storage = nullptr;
  auto memrefType = MemRefType::get(type.getShape(), type.getElementType());
  if (elements.isSplat() && getDenseBytes(type) > kMaxSplatBytes) {
    Value memref = memref::AllocOp::create(builder, loc, memrefType);
    Value scalar = arith::ConstantOp::create(
        builder, loc, cast<TypedAttr>(elements.getSplatValue<Attribute>()));
    fill(scalar, memref, getContents(value), loc);
    storage = newStorage(memref, /*writable=*/true);
  } else {
    memref::GlobalOp global = constants.get(elements, loc);
    Value memref = memref::GetGlobalOp::create(builder, loc, memrefType,
                                               global.getSymName());
    storage = newStorage(memref, /*writable=*/false);
  }
  setPlacement(value, {storage, 0, computeStrides(type.getShape())});
}

/// The placement of `value`, copied if its elements have gaps between them.
Placement FunctionBufferizer::placeDense(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  const Placement &placement = place(value);
  if (isDense(type.getShape(), placement.strides))
    return placement;
  auto it = denseCopies.find(value);
  if (it != denseCopies.end())
    return it->second;
  Value memref = memref::AllocOp::create(
      builder, value.getLoc(),
      MemRefType::get(type.getShape(), type.getElementType()));
  copy(viewOf(value, value.getLoc()), memref, getContents(value),
       value.getLoc());
  Storage *storage = newStorage(memref, /*writable=*/true);
  storage->lastUse = lastUseOf(value);
  Placement copied{storage, 0, computeStrides(type.getShape())};
  denseCopies[value] = copied;
  return copied;
}

void FunctionBufferizer::placeFresh(Value value, OpOperand *init) {
  if (placeByHint(value, init))
    return;
  auto type = cast<RankedTensorType>(value.getType());
  Value memref = memref::AllocOp::create(
      builder, value.getLoc(),
      MemRefType::get(type.getShape(), type.getElementType()));
  setPlacement(value, {newStorage(memref, /*writable=*/true), 0,
                       computeStrides(type.getShape())});
}

bool FunctionBufferizer::placeByHint(Value value, OpOperand *init) {
  auto it = hints.find(value);
  if (it == hints.end())
    return false;
  Hint hint = it->second;
  if (hint.whole) {
    Placement part = partOf(place(hint.whole), hint.insertion,
                            hint.insertion.getDroppedDims());
    auto type = cast<RankedTensorType>(value.getType());
    if (type != hint.insertion.getSourceType())
      part.strides = *reshapeStrides(hint.insertion.getSourceType().getShape(),
                                     part.strides, type.getShape());
    setPlacement(value, std::move(part));
    return true;
  }
  Destination &destination = destinations[hint.destination];
  if (!isFree(destination, init))
    return false;
  destination.taken = true;
  destination.storage->writable = true;
  auto type = cast<RankedTensorType>(value.getType());
  setPlacement(value,
               {destination.storage, 0, computeStrides(type.getShape())});
  return true;
}

/// Returns true if the operation of `init` may overwrite the destination: no
/// later operation reads its old contents, and the operation itself reads them
/// only element by element.
bool FunctionBufferizer::isFree(const Destination &destination,
                                OpOperand *init) {
  if (destination.taken)
    return false;
  if (!destination.isUpdate || destination.storage->lastUse < now)
    return true;
  if (destination.storage->lastUse > now || !init)
    return false;
  auto op = dyn_cast<linalg::LinalgOp>(init->getOwner());
  if (!op || op->getNumRegions() != 1)
    return false;
  bool captured = false;
  op->walk([&](tensor::ExtractOp extract) { captured = true; });
  return !captured &&
         llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
           auto it = placements.find(operand.get());
           return it == placements.end() ||
                  it->second.storage != destination.storage ||
                  (it->second.offset == 0 && canWriteOver(op, operand, *init) &&
                   isDense(cast<ShapedType>(operand.get().getType()).getShape(),
                           it->second.strides));
         });
}

/// Places the result that `init` is the destination of.
void FunctionBufferizer::placeOverDestination(Value result, OpOperand &init) {
  Value old = init.get();
  Operation *op = init.getOwner();
  bool undefined = old.getDefiningOp<tensor::EmptyOp>() != nullptr;
  if (!isa<tensor::InsertSliceOp>(op) &&
      (undefined ||
       !readsDestination(cast<DestinationStyleOpInterface>(op), init)))
    return placeFresh(result, &init);
  // The first insertion into an undefined tensor, or an update in place.
  Placement placement = place(old);
  if (undefined || canUpdate(placement, result, init)) {
    auto hint = hints.find(result);
    if (hint != hints.end() && !hint->second.whole) {
      Destination &destination = destinations[hint->second.destination];
      destination.taken |= destination.storage == placement.storage;
    }
    placement.storage->writable = true;
    return setPlacement(result, std::move(placement));
  }
  placeFresh(result, &init);
  Location loc = result.getLoc();
  if (auto filled = old.getDefiningOp<linalg::FillOp>())
    fill(filled.value(), viewOf(result, loc), getContents(old), loc);
  else
    copy(viewOf(old, loc), viewOf(result, loc), getContents(old), loc);
}

/// Returns true if `result` may reuse the memory of the value that it updates.
bool FunctionBufferizer::canUpdate(const Placement &placement, Value result,
                                   OpOperand &init) {
  Operation *op = init.getOwner();
  const Storage *storage = placement.storage;
  // In a chain of insertions every part is written once.
  bool isInsertion = isa<tensor::InsertSliceOp>(op);
  if (isInsertion && init.get().getDefiningOp<tensor::InsertSliceOp>() &&
      init.get().hasOneUse())
    return true;
  // A part of a joined tensor has one value at a time. Runtime calls need dense
  // ones.
  auto type = cast<RankedTensorType>(result.getType());
  bool isWritten =
      isa<linalg::LinalgOp>(op) || isDense(type.getShape(), placement.strides);
  auto part = hints.find(init.get());
  if (isWritten && init.get().hasOneUse() && part != hints.end() &&
      part->second.whole)
    return true;
  if (storage->lastUse > now)
    return false;
  for (OpOperand &other : op->getOpOperands()) {
    auto it = placements.find(other.get());
    if (&other != &init && it != placements.end() &&
        it->second.storage == storage)
      return false;
  }
  if (!isInsertion && !isWritten)
    return false;
  if (storage->writable)
    return true;
  // An input may be updated only into the result that replaces it.
  auto hint = hints.find(result);
  if (hint == hints.end() || hint->second.whole)
    return false;
  const Destination &destination = destinations[hint->second.destination];
  return destination.storage == storage && !destination.taken;
}
