//===- CudnnAttention.h - cuDNN's plans for attention -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_CUDNNATTENTION_H
#define BOOST_RUNTIME_CUDA_CUDNNATTENTION_H

#include "boost-runtime/AttentionWorkspace.h"
#include "common/ElementType.h"
#include "cuda/CudnnGraph.h"

#include <memory>
#include <tuple>

namespace boost_rt::cudnn {

/// The properties that a plan for attention is made for. The factor of the
/// scores is no part of them: it is an argument of every execution.
struct AttentionCall {
  ElementType type;
  int64_t b, sq, sk, h, kvh, dh;
  bool causal, isBackward, isDeterministic;

  auto key() const {
    return std::make_tuple(type, b, sq, sk, h, kvh, dh, causal, isBackward,
                           isDeterministic);
  }
  bool operator<(const AttentionCall &other) const {
    return key() < other.key();
  }

  /// Without what only the pointers of a call tell.
  AttentionTraits getTraits() const;
};

/// Pointers that are read and written; null for those of the other direction.
struct AttentionTensors {
  const void *q, *k, *v;
  void *o, *lse;
  const void *dO;
  void *dQ, *dK, *dV;
};

/// cuDNN's plan for a call on a GPU of this architecture (90 is compute
/// capability 9.0).
class AttentionPlan {
public:
  AttentionPlan(const AttentionCall &call, const Device &device,
                int64_t architecture);

  /// Returns why cuDNN does not serve the call, or an empty string.
  const std::string &getProblem() const { return problem; }
  int64_t getEngine() const { return plan->getEngine(); }
  /// Bytes, of which cuDNN asks for a part.
  int64_t getWorkspaceBytes() const {
    return ownBytes + plan->getWorkspaceBytes();
  }

  void run(vendor::DnnHandle handle, const AttentionTensors &tensors,
           float scale, char *workspace) const;

private:
  AttentionCall call;
  /// At the beginning of the workspace: a number for each query, and what dQ is
  /// added up in.
  int64_t rowBytes, ownBytes;
  std::unique_ptr<Plan> plan;
  std::string problem;
};

} // namespace boost_rt::cudnn

#endif // BOOST_RUNTIME_CUDA_CUDNNATTENTION_H
