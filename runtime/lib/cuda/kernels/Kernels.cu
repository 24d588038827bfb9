//===- Kernels.cu - All kernels of the runtime ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One translation unit: the runtime loads one image per architecture.
//
//===----------------------------------------------------------------------===//

#include "Embedding.cuh"
#include "Factorization.cuh"
#include "MatrixBackward.cuh"
#include "MatrixForward.cuh"
#include "Optimizer.cuh"
#include "Packing.cuh"
