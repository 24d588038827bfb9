//===- Attention.h - Attention on a GPU -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions attention_* of Functions.def. Pointers to tensors are to device
// memory, those to strides to host memory.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_ATTENTION_H
#define BOOST_RUNTIME_CUDA_ATTENTION_H

#include "cuda/KernelLauncher.h"

namespace boost_rt::cuda {

struct AttentionOptions {
  int64_t b, sq, sk, h, kvh, dh;
  double scale, softCap;
  bool causal;
};

/// Inputs of forward and backward functions; bias and mask may be null.
struct AttentionInputs {
  const void *q, *k, *v;
  const void *bias;
  const int64_t *biasStrides;
  const void *mask;
  const int64_t *maskStrides;
};

/// Additional inputs of the backward functions; dLse may be null.
struct AttentionGradientInputs {
  const void *o, *lse, *dO, *dLse;
};

/// The kernels that are used: tensor cores where the shape allows it.
enum class AttentionPath { Best, WithoutTensorCores };

/// The bytes of workspace that attentionBackward may use.
int64_t getAttentionBackwardBytes(ElementType type,
                                  const AttentionOptions &options);

void attentionForward(KernelLauncher &launcher, ElementType type,
                      const AttentionInputs &inputs, void *o, void *lse,
                      const AttentionOptions &options,
                      AttentionPath path = AttentionPath::Best);

/// `workspace` has attentionKernelBytes and begins at a multiple of
/// workspaceAlignment.
void attentionBackward(KernelLauncher &launcher, ElementType type,
                       const AttentionInputs &inputs,
                       const AttentionGradientInputs &gradients, void *dQ,
                       void *dK, void *dV, const AttentionOptions &options,
                       void *workspace,
                       AttentionPath path = AttentionPath::Best);

void attentionBiasBackward(KernelLauncher &launcher, ElementType type,
                           const AttentionInputs &inputs,
                           const AttentionGradientInputs &gradients,
                           void *dBias, const AttentionOptions &options);

} // namespace boost_rt::cuda

#endif // BOOST_RUNTIME_CUDA_ATTENTION_H
