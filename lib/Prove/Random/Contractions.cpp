//===- Contractions.cpp - Products of random programs ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramBuilder.h"

#include <cmath>

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::prove;
namespace hlo = mlir::boost::stablehlo;

namespace {
/// The role of an operand's dimension in a product.
enum Role : uint32_t { Free, Contracted, Batching };
} // namespace

/// A product whose dimensions stand in any order in both operands.
static void applyDotGeneral(ProgramBuilder &p) {
  Pooled x = p.pickOfRank(1, 3);
  SmallVector<int64_t> lhsBatching, lhsContracting, shape;
  double count = 1;
  for (auto [dim, size] : llvm::enumerate(x.shape())) {
    Role role = p.oneOf({Contracted, Free, Batching});
    // A result of five dimensions is one too many for later operations.
    if (role == Free && dim + 1 == x.shape().size() && lhsContracting.empty())
      role = Contracted;
    if (role == Free)
      continue;
    (role == Batching ? lhsBatching : lhsContracting)
        .push_back(static_cast<int64_t>(dim));
    shape.push_back(size);
    if (role == Contracted)
      count *= static_cast<double>(size);
  }
  bool hasFree = p.below(2) == 0;
  if (hasFree)
    shape.push_back(p.extent());

  // The shared dimensions and the free one of the other operand, permuted.
  SmallVector<int64_t> order =
      p.permutationOf(static_cast<int64_t>(shape.size()));
  Shape permuted(shape.size());
  SmallVector<int64_t> rhsBatching, rhsContracting;
  size_t next = 0;
  for (size_t dim = 0; dim < x.shape().size(); ++dim) {
    auto position = static_cast<int64_t>(dim);
    if (llvm::is_contained(lhsBatching, position))
      rhsBatching.push_back(order[next++]);
    else if (llvm::is_contained(lhsContracting, position))
      rhsContracting.push_back(order[next++]);
  }
  for (size_t i = 0; i < shape.size(); ++i)
    permuted[order[i]] = shape[i];
  Pooled y = p.pickOfShape(permuted);

  bool isSwapped = p.below(2) == 1;
  auto dims =
      isSwapped
          ? hlo::DotDimensionNumbersAttr::get(p.b.getContext(), rhsBatching,
                                              lhsBatching, rhsContracting,
                                              lhsContracting)
          : hlo::DotDimensionNumbersAttr::get(p.b.getContext(), lhsBatching,
                                              rhsBatching, lhsContracting,
                                              rhsContracting);
  Value product = isSwapped
                      ? hlo::dotGeneral(p.b, p.loc, y.value, x.value, dims)
                      : hlo::dotGeneral(p.b, p.loc, x.value, y.value, dims);
  p.add(product, count * x.magnitude() * y.magnitude());
}

/// A product with a weight, from either side.
static void applyLinear(ProgramBuilder &p) {
  Pooled x = p.pickOfRank(1, 3);
  int64_t width = x.shape().back(), columns = p.extent();
  bool isTransposed = p.below(2) == 1;
  Pooled w = p.addParameter(isTransposed ? Shape{columns, width}
                                         : Shape{width, columns});
  auto dims = hlo::DotDimensionNumbersAttr::get(
      p.b.getContext(), {}, {}, {x.rank() - 1}, {isTransposed ? 1 : 0});
  p.add(hlo::dotGeneral(p.b, p.loc, x.value, w.value, dims),
        static_cast<double>(width) * x.magnitude() * w.magnitude());
}

/// A batched product of the first rows, columns or matrices of an operand, or
/// of some behind them: what is read is dense in parts only.
static void applyPartProduct(ProgramBuilder &p) {
  Pooled x = p.pickOfRank(3, 3);
  SmallVector<int64_t> starts(3, 0), limits(x.shape()), strides(3, 1);
  auto dim = p.oneOf<unsigned>({1, 2, 0});
  limits[dim] -= p.below(static_cast<uint32_t>(limits[dim]));
  if (p.oneIn(4))
    starts[dim] = p.below(static_cast<uint32_t>(limits[dim]));
  Shape shape;
  for (auto [start, limit] : llvm::zip_equal(starts, limits))
    shape.push_back(limit - start);
  Value part =
      hlo::SliceOp::create(p.b, p.loc, x.value, starts, limits, strides);
  int64_t contracted = p.oneOf<int64_t>({2, 1});
  Pooled y = p.pickOfShape({shape[0], shape[contracted], p.extent()});
  auto dims = hlo::DotDimensionNumbersAttr::get(p.b.getContext(), {0}, {0},
                                                {contracted}, {1});
  p.add(hlo::dotGeneral(p.b, p.loc, part, y.value, dims),
        static_cast<double>(shape[contracted]) * x.magnitude() * y.magnitude());
}

/// The products of all rows of a value with each other.
static void applyProductWithItself(ProgramBuilder &p) {
  Pooled x = p.pickOfRank(2, 3);
  int64_t batch = x.rank() - 2;
  auto batching = llvm::to_vector(llvm::seq(batch));
  int64_t contracted = batch + 1 - p.below(2);
  auto dims = hlo::DotDimensionNumbersAttr::get(
      p.b.getContext(), batching, batching, {contracted}, {contracted});
  p.add(hlo::dotGeneral(p.b, p.loc, x.value, x.value, dims),
        static_cast<double>(x.shape()[contracted]) * x.magnitude() *
            x.magnitude());
}

ArrayRef<RandomOperation> mlir::boost::prove::getContractions() {
  static const RandomOperation operations[] = {
      {"dot_general", 6, applyDotGeneral},
      {"linear", 6, applyLinear},
      {"product of a part", 3, applyPartProduct},
      {"product with itself", 2, applyProductWithItself},
  };
  return operations;
}
