//===- EventTimer.h - When calls run on a GPU -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_CUDA_EVENTTIMER_H
#define BOOST_RUNTIME_CUDA_EVENTTIMER_H

#include "common/CallTimer.h"
#include "cuda/GPU.h"

namespace boost_rt {

/// Times calls by events on the stream, before and after each. The host's clock
/// is read when the first event of a function has happened, and the others are
/// so much later.
class EventTimer : public CallTimer {
public:
  explicit EventTimer(GPU &gpu) : gpu(gpu) {}
  ~EventTimer() override;
  EventTimer(const EventTimer &) = delete;
  EventTimer &operator=(const EventTimer &) = delete;

  void beginFunction() override;
  void beginCall() override;
  void endCall() override { record(); }
  const std::vector<CallTime> &readTimes() override;

private:
  void record();

  GPU &gpu;
  /// The first is that of the function, then there are two for each call. They
  /// are created when they are needed and recorded again in later functions.
  std::vector<vendor::CudaEvent> events;
  size_t recorded = 0;
  int64_t functionBegin = 0;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_CUDA_EVENTTIMER_H
