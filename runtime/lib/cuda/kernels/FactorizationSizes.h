//===- FactorizationSizes.h - Vectors of factorizations ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parameter of kernels, for host and device code.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_KERNELS_FACTORIZATIONSIZES_H
#define BOOST_RUNTIME_CUDA_KERNELS_FACTORIZATIONSIZES_H

#include <cstdint>

namespace boost_rt {

/// Where the vectors of a batch are: the distances of matrices, of the vectors
/// in one and of the elements in these, and how many vectors and elements there
/// are.
struct VectorSizes {
  int64_t matrix, vector, element, vectors, elements;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_CUDA_KERNELS_FACTORIZATIONSIZES_H
