//===- AttentionWorkspace.h - Memory that attention needs -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which calls of attention are made for cuDNN, and the workspace that calls are
// given. The compiler plans with it; the runtime compares what cuDNN asks for.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_ATTENTIONWORKSPACE_H
#define BOOST_RUNTIME_ATTENTIONWORKSPACE_H

#include "boost-runtime/Rounding.h"

namespace boost_rt {

/// A call of attention_forward or attention_backward, as far as it matters for
/// who serves it; sizes as in Functions.def.
struct AttentionTraits {
  int64_t b, sq, sk, h, kvh, dh;
  bool isBF16OrF16, isBackward, isDeterministic;
  bool hasBias, hasMask, hasSoftCap, hasLseGradient;
};

/// Returns why a call is not made for cuDNN, or null if it is. cuDNN may still
/// refuse it, on some GPU or in some version.
constexpr const char *whyNotCudnn(const AttentionTraits &call) {
  if (!call.isBF16OrF16)
    return "cuDNN's attention is for bf16 and f16";
  if (call.hasBias)
    return "it has a bias";
  if (call.hasMask)
    return "it has a mask";
  if (call.hasSoftCap)
    return "it has a soft cap";
  if (call.hasLseGradient)
    return "it has a gradient of lse";
  // Rows must begin at multiples of 16 bytes; Hopper takes the most columns.
  if (call.dh % 8 != 0 || call.dh > 256)
    return "the size of its heads is not a multiple of 8 up to 256";
  if (call.isBackward && (call.sq == 1 || call.sk == 1))
    return "it has a single query or key";
  return nullptr;
}

/// An f32 for each query: the sum of dO * O over a row.
constexpr int64_t attentionRowBytes(const AttentionTraits &call) {
  return call.isBackward
             ? roundUp(4 * call.b * call.h * call.sq, workspaceAlignment)
             : 0;
}

/// Bytes of the f32 buffer in which a nondeterministic backward pass sums dQ.
constexpr int64_t attentionSumBytes(const AttentionTraits &call) {
  return call.isBackward && !call.isDeterministic
             ? roundUp(4 * call.b * call.h * call.sq * call.dh,
                       workspaceAlignment)
             : 0;
}

/// Upper bound of the workspace of cuDNN's own plan on any GPU since sm_80. A
/// deterministic dQ is a product of stored gradients of scores, of 16 bits
/// each, in tiles of 64 x 128; some engines also sum dQ in f32. With fewer key
/// heads than heads, dK and dV of all heads are stored before they are summed.
constexpr int64_t attentionPlanBytes(const AttentionTraits &call) {
  int64_t bytes = workspaceAlignment;
  if (!call.isBackward)
    return bytes;
  int64_t heads = call.b * call.h;
  int64_t sums = 4 * heads * roundUp(call.sq, 8) * call.dh;
  int64_t scores = call.isDeterministic ? 2 * heads * roundUp(call.sq, 64) *
                                              roundUp(call.sk, 128)
                                        : 0;
  bytes += scores > sums ? scores : sums;
  if (call.h != call.kvh)
    bytes += 2 * 2 * heads * call.sk * call.dh;
  return bytes;
}

constexpr int64_t attentionWorkspaceBytes(const AttentionTraits &call) {
  return attentionRowBytes(call) + attentionSumBytes(call) +
         attentionPlanBytes(call);
}

//===----------------------------------------------------------------------===//
// The runtime's kernels
//===----------------------------------------------------------------------===//

/// The largest heads that they multiply on tensor cores.
inline constexpr int64_t attentionLargestMatrixHead = 128;

/// Bytes of the statistics of one query of one head, which gradients read.
inline constexpr int64_t attentionStatisticsBytes = 16;

/// Returns the bytes of workspace that these kernels need for a call.
constexpr int64_t attentionKernelBytes(const AttentionTraits &call) {
  bool isOnTensorCores = call.isBF16OrF16 && call.dh % 8 == 0 &&
                         call.dh <= attentionLargestMatrixHead;
  return call.isBackward && isOnTensorCores
             ? attentionStatisticsBytes * call.b * call.h * call.sq
             : 0;
}

} // namespace boost_rt

#endif // BOOST_RUNTIME_ATTENTIONWORKSPACE_H
