//===- Optimizer.h - AdamW and norms on a GPU -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// adamw and sum_of_squares of Functions.def. Pointers to tensors and to numbers
// are to device memory.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_OPTIMIZER_H
#define BOOST_RUNTIME_CUDA_OPTIMIZER_H

#include "cuda/KernelLauncher.h"
#include "cuda/kernels/TensorTables.h"

namespace boost_rt::cuda {

/// The tensors that one gradient updates.
struct AdamWTensor {
  void *p, *m, *v;
  const void *g;
  /// Where the new p is written rounded too, or null.
  void *rounded;
  int64_t count;
  bool decays;
};

/// The element types of parameters and gradients of AdamW.
struct AdamWTypes {
  ElementType p, g;
  /// The type of rounded parameters, bf16 or f16 if p is f32, or the type of p
  /// if there are none.
  ElementType rounded;
};

/// Up to BOOST_RT_MAX_UPDATES tensors in one launch; the array is in host
/// memory and may go when the call returns. `nonFinite` is an int32_t that
/// becomes nonzero if an updated p or v is not finite; else it stays.
void adamw(KernelLauncher &launcher, AdamWTypes types, int64_t tensors,
           const AdamWTensor *updated, const AdamWNumbers &numbers,
           void *nonFinite);

/// The three arrays are in host memory and may go when the call returns. One
/// such sum at a time: the kernels keep parts of it in memory of their module.
void sumOfSquares(KernelLauncher &launcher, int64_t tensors,
                  const void *const *buffers, const int64_t *counts,
                  const int32_t *types, void *out);

} // namespace boost_rt::cuda

#endif // BOOST_RUNTIME_CUDA_OPTIMIZER_H
