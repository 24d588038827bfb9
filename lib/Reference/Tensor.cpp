//===- Tensor.cpp - Values of the reference evaluator ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Reference/Tensor.h"

#include "Elements.h"

#include "boost-mlir/Reference/FloatFormat.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <unistd.h>

using namespace mlir;
using namespace mlir::boost::reference;

bool mlir::boost::reference::isUnsigned(Type type) {
  return type.isUnsignedInteger() || type.isInteger(1);
}

int64_t mlir::boost::reference::wrapInteger(uint64_t bits, Type type) {
  unsigned width = type.isIndex() ? 64 : type.getIntOrFloatBitWidth();
  return isUnsigned(type) ? static_cast<int64_t>(
                                bits & llvm::maskTrailingOnes<uint64_t>(width))
                          : llvm::SignExtend64(bits, width);
}

bool mlir::boost::reference::isLess(int64_t a, int64_t b, Type type) {
  return isUnsigned(type) ? static_cast<uint64_t>(a) < static_cast<uint64_t>(b)
                          : a < b;
}

Tensor::Tensor(RankedTensorType type) : type(type) {
  auto count = static_cast<size_t>(type.getNumElements());
  if (isFloat())
    data.resize(count);
  else
    integers.resize(count);
}

size_t Tensor::position(ArrayRef<int64_t> index) const {
  ArrayRef<int64_t> extents = shape();
  assert(index.size() == extents.size());
  const int64_t *extent = extents.data();
  size_t position = 0;
  for (int64_t i : index)
    position = position * *extent++ + i;
  return position;
}

int64_t Tensor::indexAt(size_t position) const {
  int64_t value = integers[position];
  return value < 0 && isUnsigned(elementType())
             ? std::numeric_limits<int64_t>::max()
             : value;
}

void mlir::boost::reference::readElements(DenseElementsAttr from, Tensor &to) {
  size_t i = 0;
  if (!to.isFloat()) {
    for (const APInt &element : from.getValues<APInt>())
      to.integers[i++] = wrapInteger(element.getZExtValue(), to.elementType());
    return;
  }
  for (APFloat element : from.getValues<APFloat>()) {
    bool losesInfo;
    element.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
    to.data[i++] = element.convertToDouble();
  }
}

void Tensor::copy(size_t to, const Tensor &from, size_t position,
                  size_t count) {
  if (!data.empty())
    std::copy_n(from.data.begin() + position, count, data.begin() + to);
  else
    std::copy_n(from.integers.begin() + position, count, integers.begin() + to);
}

void Tensor::fill(const Tensor &from, size_t position) {
  if (isFloat())
    llvm::fill(data, from.data[position]);
  else
    llvm::fill(integers, from.integers[position]);
}

void Tensor::copyAll(const Tensor &from) {
  data = from.data;
  integers = from.integers;
}

double Tensor::toDouble(size_t position) const {
  if (!data.empty())
    return data[position];
  int64_t value = integers[position];
  return isUnsigned(elementType())
             ? static_cast<double>(static_cast<uint64_t>(value))
             : static_cast<double>(value);
}

std::string Tensor::spell(size_t position) const {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (isFloat())
    stream << llvm::format("%.17g", data[position]);
  else if (isUnsigned(elementType()))
    stream << static_cast<uint64_t>(integers[position]);
  else
    stream << integers[position];
  return text;
}

LogicalResult mlir::boost::reference::checkMemory(Operation *op,
                                                  TypeRange types,
                                                  int64_t ranks) {
  // In floating point: the number of elements may exceed 64 bits.
  double bytes = 0;
  for (auto type : llvm::make_filter_range(types, llvm::IsaPred<ShapedType>)) {
    double values = static_cast<double>(ranks);
    for (int64_t size : cast<ShapedType>(type).getShape())
      values *= static_cast<double>(size);
    bytes += values * sizeof(double);
  }
  double memory = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
                  static_cast<double>(::sysconf(_SC_PAGESIZE));
  if (bytes <= memory)
    return success();
  constexpr double kGiB = 1 << 30;
  return op->emitOpError() << llvm::formatv(
             "needs {0:f1} GiB to evaluate, where every value has 8 bytes of "
             "its "
             "own on each rank, but this machine has {1:f1} GiB",
             bytes / kGiB, memory / kGiB);
}

void mlir::boost::reference::forEachIndex(
    ArrayRef<int64_t> shape, llvm::function_ref<void(ArrayRef<int64_t>)> body) {
  if (llvm::is_contained(shape, 0))
    return;
  Index index(shape.size(), 0);
  while (true) {
    body(index);
    int64_t dim = static_cast<int64_t>(shape.size()) - 1;
    while (dim >= 0 && ++index[dim] == shape[dim])
      index[dim--] = 0;
    if (dim < 0)
      return;
  }
}

/// Calls `body` for every row of the part of `tensor` from `start` of extent
/// `sizes`: where it begins in the tensor, where in the part, and how many
/// elements it has.
static void forEachRow(const Tensor &tensor, ArrayRef<int64_t> start,
                       ArrayRef<int64_t> sizes,
                       llvm::function_ref<void(size_t, size_t, size_t)> body) {
  bool isScalar = sizes.empty();
  int64_t count = isScalar ? 1 : sizes.back();
  if (count == 0)
    return;
  Index source(start);
  size_t row = 0;
  forEachIndex(isScalar ? sizes : sizes.drop_back(),
               [&](ArrayRef<int64_t> index) {
                 for (size_t dim = 0; dim < index.size(); ++dim)
                   source[dim] = start[dim] + index[dim];
                 body(tensor.position(source), row, count);
                 row += count;
               });
}

Tensor mlir::boost::reference::extract(const Tensor &tensor,
                                       ArrayRef<int64_t> start,
                                       ArrayRef<int64_t> sizes) {
  Tensor part(RankedTensorType::get(sizes, tensor.elementType()));
  forEachRow(tensor, start, sizes, [&](size_t whole, size_t row, size_t count) {
    part.copy(row, tensor, whole, count);
  });
  return part;
}

void mlir::boost::reference::insert(Tensor &tensor, const Tensor &part,
                                    ArrayRef<int64_t> start) {
  forEachRow(tensor, start, part.shape(),
             [&](size_t whole, size_t row, size_t count) {
               tensor.copy(whole, part, row, count);
             });
}

double mlir::boost::reference::maximum(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return NAN;
  if (a == 0 && b == 0)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

int64_t mlir::boost::reference::totalOrderKey(double value) {
  auto key = llvm::bit_cast<int64_t>(value);
  return key < 0 ? key ^ std::numeric_limits<int64_t>::max() : key;
}

void mlir::boost::reference::roundToSemantics(
    Tensor &tensor, const llvm::fltSemantics &semantics) {
  if (&semantics == &llvm::APFloat::IEEEdouble())
    return;
  FloatFormat format(semantics);
  for (double &value : tensor.data)
    value = format.toNearest(value);
}

void mlir::boost::reference::roundToType(Tensor &tensor) {
  if (auto floatType = dyn_cast<FloatType>(tensor.elementType()))
    roundToSemantics(tensor, floatType.getFloatSemantics());
  else
    for (int64_t &value : tensor.integers)
      value = wrapInteger(value, tensor.elementType());
}
