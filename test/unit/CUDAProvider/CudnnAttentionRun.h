//===- CudnnAttentionRun.h - Attention by the emulated cuDNN ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_UNIT_CUDAPROVIDER_CUDNNATTENTIONRUN_H
#define BOOST_MLIR_TEST_UNIT_CUDAPROVIDER_CUDNNATTENTIONRUN_H

#include "../CUDARuntime/AttentionOracle.h"
#include "EmulatedGPU.h"
#include "cuda/CudnnAttention.h"

#include <memory>
#include <string>

namespace boost_rt {

/// A case of attention, in the type of the call.
struct CudnnCase {
  AttentionCase attention;
  ElementType type = BOOST_RT_BF16;
  bool isDeterministic = true;

  cudnn::AttentionCall getCall(bool isBackward) const;
};

/// Attention of random tensors and its gradient, by plans of the emulated cuDNN
/// and by formulas in double. Results are compared number by number.
class CudnnAttentionRun {
public:
  explicit CudnnAttentionRun(const CudnnCase &attention);

  /// Returns what is wrong: why there is no plan, how its execution failed, or
  /// the result that is out of its bound; "" if nothing is.
  std::string runForward();
  /// Computes gradients from the formulas' result and returns the error.
  std::string runBackward();

  /// The gradient of queries as it was stored.
  const std::vector<char> &getStoredGradient() const { return stored; }

private:
  class Memory;

  std::string tryTo(bool isBackward);
  std::string run(bool isBackward);
  std::string compare(const char *name, const Doubles &actual,
                      const Doubles &expected, const Doubles &magnitudes,
                      int roundings) const;

  CudnnCase c;
  AttentionOracle oracle;
  Doubles q, k, v, dO;
  std::vector<char> stored;
  /// Kept from one run to the next unless an error of the device stays.
  std::shared_ptr<Memory> memory;
};

} // namespace boost_rt

#endif // BOOST_MLIR_TEST_UNIT_CUDAPROVIDER_CUDNNATTENTIONRUN_H
