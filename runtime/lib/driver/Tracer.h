//===- Tracer.h - Records what steps do and when ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_TRACER_H
#define BOOST_RUNTIME_DRIVER_TRACER_H

#include "driver/Options.h"
#include "driver/ScheduleRun.h"
#include "driver/TraceFile.h"

namespace boost_rt {

/// Records the functions, calls and transfers of a range of steps on every
/// rank, which rank 0 writes to one file. The calls of a function are timed by
/// the device while a step is recorded, and only then.
class Tracer : public ScheduleListener {
public:
  /// `path` is used on rank 0.
  Tracer(Session &session, const Schedule &schedule, StepRange steps,
         std::string path);
  ~Tracer() override { stopTiming(); }
  Tracer(const Tracer &) = delete;
  Tracer &operator=(const Tracer &) = delete;

  bool takes(int64_t step) const {
    return steps.first <= step && step < steps.end;
  }

  /// All ranks call these together.
  void beginStep(int64_t step);
  void endStep();

  void beginAction(size_t action) override;
  void endAction(size_t action, size_t call) override;

  /// Gathers what was recorded and writes the file, after the last of the steps
  /// or when training ends before it. Warns if the file cannot be written. Does
  /// nothing without a step. All ranks call this together.
  void finish();

  /// Returns true on rank 0 once the file is written.
  bool isWritten() const { return written; }

private:
  void stopTiming() { session.getRecord().timer = nullptr; }
  void addCalls(const TraceEvent &function);
  RankTrace receiveFrom(int64_t rank);
  void sendTrace();

  Session &session;
  const Schedule &schedule;
  const StepRange steps;
  const std::string path;
  std::unique_ptr<CallTimer> timer;
  RankTrace own;
  bool written = false;
  /// The step that is recorded, and when it and its action began.
  int64_t step = 0, stepBegin = 0, actionBegin = 0;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_TRACER_H
