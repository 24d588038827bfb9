//===- Rows.cpp - Kernels whose loops are written out ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Rows.h"

#include "boost-mlir/Dialect/BoostRT/IR/BoostRT.h"

using namespace mlir;
using namespace mlir::boost;

Value RowsBuilder::index(int64_t value) {
  return arith::ConstantIndexOp::create(*this, loc, value);
}

Value RowsBuilder::add(Value a, Value b) {
  return arith::AddIOp::create(*this, loc, a, b);
}

Value RowsBuilder::subtract(Value a, Value b) {
  return arith::SubIOp::create(*this, loc, a, b);
}

Value RowsBuilder::multiply(Value a, Value b) {
  return arith::MulIOp::create(*this, loc, a, b);
}

Value RowsBuilder::minimum(Value a, Value b) {
  return arith::MinSIOp::create(*this, loc, a, b);
}

Value RowsBuilder::select(Value condition, Value a, Value b) {
  return arith::SelectOp::create(*this, loc, condition, a, b);
}

Value RowsBuilder::isLess(Value a, Value b) {
  return arith::CmpIOp::create(*this, loc, arith::CmpIPredicate::slt, a, b);
}

Value RowsBuilder::load(Value buffer, ValueRange place) {
  return memref::LoadOp::create(*this, loc, buffer, place);
}

void RowsBuilder::store(Value value, Value buffer, ValueRange place) {
  memref::StoreOp::create(*this, loc, value, buffer, place);
}

SmallVector<Value> RowsBuilder::delinearize(Value row,
                                            ArrayRef<int64_t> sizes) {
  SmallVector<Value> place(sizes.size());
  for (int64_t dim = static_cast<int64_t>(sizes.size()) - 1; dim >= 0; --dim) {
    if (sizes[dim] == 1) {
      place[dim] = index(0);
      continue;
    }
    Value size = index(sizes[dim]);
    place[dim] = arith::RemUIOp::create(*this, loc, row, size);
    row = arith::DivUIOp::create(*this, loc, row, size);
  }
  return place;
}

SmallVector<Value> RowsBuilder::loop(Value begin, Value end, Value step,
                                     ValueRange carried, LoopBody body) {
  auto forOp = scf::ForOp::create(*this, loc, begin, end, step, carried);
  InsertionGuard guard(*this);
  setInsertionPointToStart(forOp.getBody());
  SmallVector<Value> results =
      body(forOp.getInductionVar(), forOp.getRegionIterArgs());
  if (!carried.empty()) // Without results the loop has its yield already.
    scf::YieldOp::create(*this, loc, results);
  return forOp.getResults();
}

SmallVector<Value> RowsBuilder::loops(
    ArrayRef<int64_t> sizes, ValueRange carried,
    llvm::function_ref<SmallVector<Value>(ValueRange place, ValueRange)> body) {
  SmallVector<Value> place;
  std::function<SmallVector<Value>(ValueRange)> enter =
      [&](ValueRange values) -> SmallVector<Value> {
    size_t depth = place.size();
    if (depth == sizes.size())
      return body(place, values);
    place.push_back(index(0));
    if (sizes[depth] == 1) {
      SmallVector<Value> results = enter(values);
      place.pop_back();
      return results;
    }
    SmallVector<Value> results =
        loop(place.back(), index(sizes[depth]), index(1), values,
             [&](Value position, ValueRange inner) {
               place.back() = position;
               return enter(inner);
             });
    place.pop_back();
    return results;
  };
  return enter(carried);
}

SmallVector<Value>
mlir::boost::buildRows(OpBuilder &builder, Location loc, int64_t extent,
                       ValueRange inputs, ValueRange outs,
                       llvm::function_ref<void(RowsBuilder &)> body) {
  auto rows =
      rt::RowsOp::create(builder, loc, outs.getTypes(),
                         builder.getI64IntegerAttr(extent), inputs, outs);
  Block &block = rows.getBody().emplaceBlock();
  block.addArgument(builder.getIndexType(), loc);
  for (Value operand : rows->getOperands()) {
    auto type = cast<RankedTensorType>(operand.getType());
    block.addArgument(MemRefType::get(type.getShape(), type.getElementType()),
                      loc);
  }
  RowsBuilder rowsBuilder(&block, loc);
  body(rowsBuilder);
  return rows.getResults();
}

Value mlir::boost::buildEmpty(OpBuilder &builder, Location loc,
                              RankedTensorType type) {
  return tensor::EmptyOp::create(builder, loc, type.getShape(),
                                 type.getElementType());
}
