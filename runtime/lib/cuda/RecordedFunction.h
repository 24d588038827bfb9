//===- RecordedFunction.h - A function as one CUDA graph --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_RECORDEDFUNCTION_H
#define BOOST_RUNTIME_CUDA_RECORDEDFUNCTION_H

#include "common/RunRecord.h"
#include "cuda/GPU.h"

#include <functional>
#include <vector>

namespace boost_rt {

/// A function's work on the stream, recorded once. A replay counts as the
/// recorded work did.
class RecordedFunction {
public:
  RecordedFunction() = default;
  ~RecordedFunction();
  RecordedFunction(const RecordedFunction &) = delete;
  RecordedFunction &operator=(const RecordedFunction &) = delete;

  bool isRecorded() const { return graph != nullptr; }

  /// Records what `function` puts on the stream; nothing of it runs.
  void recordCalls(GPU &gpu, RunRecord &record,
                   const std::function<void()> &function);

  void replay(GPU &gpu, RunRecord &record) const;

private:
  vendor::CudaGraphExec graph = nullptr;
  /// Counts of one replay.
  std::vector<SiteCounter> sites;
  SiteCounter unplanned;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_CUDA_RECORDEDFUNCTION_H
