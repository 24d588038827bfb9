//===- Matmuls.h - Matrix products through cublasLt -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_MATMULS_H
#define BOOST_RUNTIME_CUDA_MATMULS_H

#include "common/ElementType.h"
#include "common/RunRecord.h"
#include "cuda/DeviceMemory.h"
#include "cuda/GPU.h"

#include <map>
#include <memory>
#include <tuple>

namespace boost_rt {

/// One factor or the result of a product, as Functions.def has it: row-major.
struct Matrix {
  ElementType type;
  bool transpose;
  int64_t leadingDimension, stride;
  /// The largest power of two up to 256 that divides its address.
  int64_t alignment;

  auto key() const {
    return std::make_tuple(type, transpose, leadingDimension, stride,
                           alignment);
  }
};

/// C[i] = op(A[i]) op(B[i]), i < batch; m x k times k x n. With `accumulate`
/// this is added to what C[i] holds.
struct Matmul {
  int64_t m, n, k, batch;
  Matrix a, b, c;
  bool accumulate = false;

  auto key() const {
    return std::make_tuple(m, n, k, batch, a.key(), b.key(), c.key(),
                           accumulate);
  }
  bool operator<(const Matmul &other) const { return key() < other.key(); }
};

/// Computes products. Their algorithms are chosen when they are first seen,
/// noted in the record, and kept.
class Matmuls {
public:
  Matmuls(GPU &gpu, Workspace workspace, RunRecord &record);
  ~Matmuls();

  void run(const Matmul &product, const void *a, const void *b, void *c);

private:
  class Plan;

  GPU &gpu;
  const Workspace workspace;
  RunRecord &record;
  vendor::BlasHandle handle = nullptr;
  std::map<Matmul, std::unique_ptr<Plan>> plans;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_CUDA_MATMULS_H
