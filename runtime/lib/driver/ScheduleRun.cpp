//===- ScheduleRun.cpp - Runs a schedule on a batch of tokens -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/ScheduleRun.h"

#include <algorithm>
#include <cmath>

using namespace boost_rt;

void boost_rt::runActions(
    Session &session, const Schedule &schedule,
    const std::function<void(int64_t)> &fill,
    const std::function<void(const ScheduledCall &)> &afterCall,
    ScheduleListener *listener) {
  const Program &program = session.getProgram();
  std::optional<int64_t> filled;
  auto perform = [&](size_t position, auto &&action) {
    if (listener)
      listener->beginAction(position);
    action();
    if (listener)
      listener->endAction(position);
  };
  for (size_t i = 0; i < schedule.actions.size(); ++i) {
    const ScheduledAction &action = schedule.actions[i];
    if (const auto *transfer = std::get_if<ScheduledTransfer>(&action)) {
      if (session.takesPart(*transfer))
        perform(i, [&] { session.transfer(*transfer); });
      continue;
    }
    const auto &call = std::get<ScheduledCall>(action);
    if (!session.makes(call))
      continue;
    if (call.microBatch && call.microBatch != filled &&
        program.readsBatch(call)) {
      fill(*call.microBatch);
      filled = call.microBatch;
    }
    perform(i, [&] { session.run(call.function, call.slot.value_or(0)); });
    afterCall(call);
  }
  if (program.pipelineAxis)
    perform(schedule.actions.size(), [&] { session.finishTransfers(); });
}

/// Returns the first stage that gives the loss, the last one if none does.
static int64_t findLossStage(const Program &program, const Schedule &schedule) {
  auto first = static_cast<int64_t>(program.stages.size()) - 1;
  for (const ScheduledCall &call : schedule.calls())
    if (program.givesLoss(call))
      first = std::min(first,
                       program.findFunction(call.function)->stage.value_or(0));
  return first;
}

ScheduleResult boost_rt::runSchedule(Session &session, const Schedule &schedule,
                                     Batches &batches, int64_t number,
                                     ScheduleListener *listener) {
  const Program &program = session.getProgram();
  double sum = 0, notFinite = -1;
  int64_t losses = 0;
  runActions(
      session, schedule,
      [&](int64_t microBatch) {
        batches.fill(number * schedule.microBatches + microBatch);
      },
      [&](const ScheduledCall &call) {
        if (!program.givesLoss(call))
          return;
        auto loss =
            static_cast<double>(session.readScalar(program.only(Role::loss)));
        if (!std::isfinite(loss) && notFinite < 0)
          notFinite = static_cast<double>(call.microBatch.value_or(0));
        sum += loss;
        ++losses;
      },
      listener);
  int64_t stage = findLossStage(program, schedule);
  ScheduleResult result;
  result.loss = session.shareFrom(stage, sum / static_cast<double>(losses));
  // All ranks know by now whether one has something to tell.
  if (!std::isfinite(result.loss))
    notFinite = session.shareFrom(stage, notFinite);
  if (notFinite >= 0)
    result.nonFiniteBatch = static_cast<int64_t>(notFinite);
  return result;
}
