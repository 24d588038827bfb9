//===- FusedAttention.h - Attention by cuDNN where it can -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_FUSEDATTENTION_H
#define BOOST_RUNTIME_CUDA_FUSEDATTENTION_H

#include "common/RunRecord.h"
#include "cuda/Attention.h"
#include "cuda/CudnnAttention.h"
#include "cuda/DeviceMemory.h"
#include "cuda/GPU.h"

#include <map>

namespace boost_rt {

/// Attention of one rank. A plan is made when a call is first seen, and noted
/// in the record; so is why cuDNN does not serve a call.
class FusedAttention {
public:
  FusedAttention(GPU &gpu, Workspace workspace, RunRecord &record)
      : gpu(gpu), workspace(workspace), record(record) {}
  ~FusedAttention();
  FusedAttention(const FusedAttention &) = delete;
  FusedAttention &operator=(const FusedAttention &) = delete;

  /// Return false, without having done anything, if cuDNN does not serve the
  /// call: the kernels of the runtime must.
  bool forward(ElementType type, const cuda::AttentionInputs &inputs, void *o,
               void *lse, const cuda::AttentionOptions &options);
  bool backward(ElementType type, const cuda::AttentionInputs &inputs,
                const cuda::AttentionGradientInputs &gradients, void *dQ,
                void *dK, void *dV, const cuda::AttentionOptions &options,
                bool isDeterministic);

private:
  using Key = std::pair<cudnn::AttentionCall, std::string>;

  bool serve(const cudnn::AttentionCall &call,
             const cudnn::AttentionTensors &tensors,
             const AttentionTraits &traits, double scale);
  std::unique_ptr<cudnn::AttentionPlan> choose(const cudnn::AttentionCall &call,
                                               std::string reason);
  std::string open();

  GPU &gpu;
  const Workspace workspace;
  RunRecord &record;
  vendor::DnnHandle handle = nullptr;
  bool isOpened = false;
  /// The reason why cuDNN cannot be used at all, or empty.
  std::string missing;
  /// Null where cuDNN does not serve a call, by it and by what is against it.
  std::map<Key, std::unique_ptr<cudnn::AttentionPlan>> plans;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_CUDA_FUSEDATTENTION_H
