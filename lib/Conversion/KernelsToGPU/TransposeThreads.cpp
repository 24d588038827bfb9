//===- TransposeThreads.cpp - Tiles that are read and written along rows --===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block reads a tile of every transposed input along the rows of that input
// into shared memory, and computes the outputs along theirs.
//
//===----------------------------------------------------------------------===//

#include "GenericEmitter.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::rt;

Value GenericEmitter::getTile(int64_t operand) {
  const auto *found = llvm::find(mapping.tiled, operand);
  return shared[found - mapping.tiled.begin()];
}

/// Computes the begin of the block's tile in `positions`; the tiles along the
/// written rows come last.
void GenericEmitter::placeTile() {
  Value number = getBlock();
  for (int64_t loop : llvm::reverse(mapping.parallel)) {
    int64_t length = isTiledLoop(loop) ? mapping.tileSize : 1;
    int64_t count =
        static_cast<int64_t>(llvm::divideCeil(nest.loops[loop].extent, length));
    Value position = number;
    if (loop != mapping.parallel.front()) {
      position = arith::RemUIOp::create(builder, loc, number, constant(count));
      number = arith::DivUIOp::create(builder, loc, number, constant(count));
    }
    if (length > 1)
      position =
          arith::MulIOp::create(builder, loc, position, constant(length));
    positions[loop] = position;
  }
}

/// Goes through the tile with all threads of the block, `width` elements of
/// `inner` at a time; `emit` gets their place in the tile. Where a tile reaches
/// beyond the elements, those are left out.
void GenericEmitter::emitTileLoop(
    int64_t outer, int64_t inner, int64_t width,
    llvm::function_ref<void(Value row, Value column)> emit) {
  int64_t perRow = mapping.tileSize / width;
  auto forOp = scf::ForOp::create(builder, loc, getThread(),
                                  constant(mapping.tileSize * perRow),
                                  constant(size.threads));
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(forOp.getBody());
  Value number = forOp.getInductionVar();
  Value row = arith::DivUIOp::create(builder, loc, number, constant(perRow));
  Value column = arith::MulIOp::create(
      builder, loc,
      arith::RemUIOp::create(builder, loc, number, constant(perRow)),
      constant(width));
  SmallVector<Value> begin = positions;
  Value isInside;
  for (auto [loop, distance] :
       {std::pair(outer, row), std::pair(inner, column)}) {
    int64_t extent = nest.loops[loop].extent;
    positions[loop] =
        arith::AddIOp::create(builder, loc, positions[loop], distance);
    if (extent % mapping.tileSize == 0)
      continue;
    Value isBelow =
        arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                              positions[loop], constant(extent));
    isInside = isInside ? arith::AndIOp::create(builder, loc, isInside, isBelow)
                        : isBelow;
  }
  if (isInside)
    emitIf(isInside, [&] { emit(row, column); });
  else
    emit(row, column);
  positions = std::move(begin);
}

/// Copies elements of a transposed input into its tile, whose rows are those of
/// the input.
void GenericEmitter::copyToTile(int64_t operand, Value row, Value column) {
  Value tile = getTile(operand);
  if (mapping.tileWidth == 1) {
    memref::StoreOp::create(builder, loc, loadStored(operand, 1), tile,
                            ValueRange{row, column});
    return;
  }
  Value vector = loadStored(operand, mapping.tileWidth);
  for (int64_t lane = 0; lane < mapping.tileWidth; ++lane) {
    Value place = arith::AddIOp::create(builder, loc, column, constant(lane));
    memref::StoreOp::create(
        builder, loc, vector::ExtractOp::create(builder, loc, vector, lane),
        tile, ValueRange{row, place});
  }
}

/// The elements of a transposed input at the current position: of a column of
/// its tile.
Value GenericEmitter::loadFromTile(int64_t operand) {
  Value tile = getTile(operand);
  auto [row, column] = placeInTile;
  if (mapping.width == 1)
    return memref::LoadOp::create(builder, loc, tile, ValueRange{row, column});
  SmallVector<Value> elements;
  for (int64_t lane = 0; lane < mapping.width; ++lane) {
    Value place = arith::AddIOp::create(builder, loc, row, constant(lane));
    elements.push_back(
        memref::LoadOp::create(builder, loc, tile, ValueRange{place, column}));
  }
  return vector::FromElementsOp::create(
      builder, loc, VectorType::get(mapping.width, getStoredType(operand)),
      elements);
}

void GenericEmitter::emitTiles() {
  int64_t last = mapping.parallel.back();
  placeTile();
  emitTileLoop(last, mapping.tileLoop, mapping.tileWidth,
               [&](Value row, Value column) {
                 for (int64_t operand : mapping.tiled)
                   copyToTile(operand, row, column);
               });
  gpu::BarrierOp::create(builder, loc);
  emitTileLoop(mapping.tileLoop, last, mapping.width,
               [&](Value row, Value column) {
                 // Rows of the outputs are columns of the inputs.
                 placeInTile = {column, row};
                 storeOutputs(emitBody(initializeOutputs(/*all=*/false)));
               });
}
