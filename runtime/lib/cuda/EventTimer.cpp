//===- EventTimer.cpp - When calls run on a GPU ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "cuda/EventTimer.h"

using namespace boost_rt;
using namespace boost_rt::vendor;

EventTimer::~EventTimer() {
  for (CudaEvent event : events)
    functions().cuEventDestroy_v2(event);
}

void EventTimer::record() {
  if (recorded == events.size()) {
    events.push_back(nullptr);
    checkInStep(functions().cuEventCreate(&events.back(), eventDefault),
                "create an event");
  }
  checkInStep(functions().cuEventRecord(events[recorded++], gpu.getStream()),
              "record an event");
}

void EventTimer::beginFunction() {
  CallTimer::beginFunction();
  recorded = 0;
  record();
  gpu.synchronize();
  functionBegin = nanosecondsNow();
}

void EventTimer::beginCall() {
  times.emplace_back();
  record();
}

const std::vector<CallTime> &EventTimer::readTimes() {
  auto timeOf = [&](size_t event) {
    float milliseconds = 0;
    checkInStep(
        functions().cuEventElapsedTime(&milliseconds, events[0], events[event]),
        "read the time of an event");
    return functionBegin +
           static_cast<int64_t>(static_cast<double>(milliseconds) * 1e6);
  };
  for (size_t call = 0; call < times.size(); ++call) {
    times[call].begin = timeOf(2 * call + 1);
    times[call].end = timeOf(2 * call + 2);
  }
  return times;
}
