//===- ScheduleRun.cpp - Runs a schedule on a batch of tokens -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/ScheduleRun.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace boost_rt;

/// Calls the function that computes a position, and returns the call there.
static const ScheduledCall &choose(Session &session,
                                   const ScheduledChoice &choice) {
  const Program &program = session.getProgram();
  const Function &index = *program.findFunction(choice.index.function);
  session.run(choice.index.function);
  int32_t position = -1;
  {
    Device::Mapping mapping =
        session.map(program.tensor(index.outputs.front()), Access::read);
    std::memcpy(&position, mapping.data(), sizeof(position));
  }
  if (position < 0 || static_cast<size_t>(position) >= choice.calls.size())
    refuse("the function '", choice.index.function, "' chooses number ",
           position, " of ", choice.calls.size(),
           "; compile the program again");
  return choice.calls[static_cast<size_t>(position)];
}

std::string boost_rt::runActions(
    Session &session, const Schedule &schedule,
    const std::function<void(int64_t)> &fill,
    const std::function<void(const ScheduledCall &)> &afterCall,
    ScheduleListener *listener) {
  const Program &program = session.getProgram();
  std::optional<int64_t> filled;
  std::string chosen;
  auto perform = [&](size_t position, auto &&action, size_t number = 0) {
    if (listener)
      listener->beginAction(position);
    action();
    if (listener)
      listener->endAction(position, number);
  };
  for (size_t i = 0; i < schedule.actions.size(); ++i) {
    const ScheduledAction &action = schedule.actions[i];
    if (const auto *transfer = std::get_if<ScheduledTransfer>(&action)) {
      if (session.takesPart(*transfer))
        perform(i, [&] { session.transfer(*transfer); });
      continue;
    }
    if (const auto *choice = std::get_if<ScheduledChoice>(&action)) {
      if (!session.makes(choice->calls.front()))
        continue;
      const ScheduledCall *call = nullptr;
      perform(i, [&] { call = &choose(session, *choice); });
      auto number = static_cast<size_t>(call - choice->calls.data()) + 1;
      perform(i, [&] { session.run(call->function); }, number);
      chosen = call->function;
      afterCall(*call);
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
  return chosen;
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
  ScheduleResult result;
  result.chosen = runActions(
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
  result.loss = session.shareFrom(stage, sum / static_cast<double>(losses));
  // All ranks know by now whether one has something to tell.
  if (!std::isfinite(result.loss))
    notFinite = session.shareFrom(stage, notFinite);
  if (notFinite >= 0)
    result.nonFiniteBatch = static_cast<int64_t>(notFinite);
  return result;
}
