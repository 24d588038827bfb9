//===- SumSizes.h - How sums of squares are split ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read by the host and by the kernels. Sums do not depend on the GPU: neither
// do these numbers.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_KERNELS_SUMSIZES_H
#define BOOST_RUNTIME_CUDA_KERNELS_SUMSIZES_H

namespace boost_rt {

/// Tensors of one launch, and the blocks that share one tensor, at most.
inline constexpr int sumTensors = 4, sumBlocks = 256;

} // namespace boost_rt

#endif // BOOST_RUNTIME_CUDA_KERNELS_SUMSIZES_H
