//===- Embedding.h - Embeddings on a GPU ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// embedding and embedding_grad of Functions.def. Pointers are to device memory.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_EMBEDDING_H
#define BOOST_RUNTIME_CUDA_EMBEDDING_H

#include "cuda/KernelLauncher.h"

namespace boost_rt::cuda {

void embedding(KernelLauncher &launcher, ElementType type, const void *table,
               const void *ids, void *out, int64_t rows, int64_t columns,
               int64_t count);

/// The bits are those of the CPU's.
void embeddingGrad(KernelLauncher &launcher, ElementType type, const void *ids,
                   const void *grad, void *table, int64_t rows, int64_t columns,
                   int64_t count);

} // namespace boost_rt::cuda

#endif // BOOST_RUNTIME_CUDA_EMBEDDING_H
