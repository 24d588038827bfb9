//===- Tracer.cpp - Records what steps do and when ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Tracer.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <unistd.h>

using namespace boost_rt;

namespace {
/// The part of a rank's trace that has a fixed size.
struct TraceHeader {
  std::array<char, 256> host = {};
  ClockOffset before, after;
  int64_t events = 0;
};
} // namespace

Tracer::Tracer(Session &session, const Schedule &schedule, StepRange steps,
               std::string path)
    : session(session), schedule(schedule), steps(steps),
      path(std::move(path)) {}

//===----------------------------------------------------------------------===//
// Recording
//===----------------------------------------------------------------------===//

void Tracer::beginStep(int64_t number) {
  if (!timer) {
    Doing doing("comparing clocks");
    timer = session.createCallTimer();
    own.before = compareClocks(session.getCommunicator(), nanosecondsNow);
  }
  session.getRecord().timer = timer.get();
  step = number;
  stepBegin = nanosecondsNow();
}

void Tracer::endStep() {
  stopTiming();
  own.events.push_back({TraceEvent::step, stepBegin, nanosecondsNow(), step});
}

void Tracer::beginAction(size_t action) {
  actionBegin = nanosecondsNow();
  if (action < schedule.actions.size() &&
      !std::holds_alternative<ScheduledTransfer>(schedule.actions[action]))
    timer->beginFunction();
}

void Tracer::endAction(size_t action, size_t call) {
  TraceEvent event{TraceEvent::finish, actionBegin, nanosecondsNow(), step};
  event.action = static_cast<int64_t>(action);
  if (action < schedule.actions.size()) {
    const ScheduledAction &ended = schedule.actions[action];
    if (const auto *transfer = std::get_if<ScheduledTransfer>(&ended)) {
      event.kind = TraceEvent::transfer;
      for (const std::string &name : transfer->tensors)
        event.bytes += session.getProgram().tensor(name).bytes;
    } else {
      event.kind = TraceEvent::function;
      event.chosen = static_cast<int64_t>(call);
      addCalls(event);
    }
  }
  own.events.push_back(event);
}

/// Adds the calls of a function, each within it and behind the one before also
/// where a GPU's clock is less precise.
void Tracer::addCalls(const TraceEvent &function) {
  TraceEvent event = function;
  event.kind = TraceEvent::call;
  event.end = function.begin;
  for (const CallTime &time : timer->readTimes()) {
    event.begin = std::clamp(time.begin, event.end, function.end);
    event.end = std::clamp(time.end, event.begin, function.end);
    event.site = time.site;
    event.bytes = time.bytes;
    own.events.push_back(event);
    ++event.index;
  }
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

static int64_t bytesOf(const std::vector<TraceEvent> &events) {
  return static_cast<int64_t>(events.size() * sizeof(TraceEvent));
}

void Tracer::sendTrace() {
  TraceHeader header;
  std::copy(own.host.begin(), own.host.end(), header.host.begin());
  header.before = own.before;
  header.after = own.after;
  header.events = static_cast<int64_t>(own.events.size());
  Communicator &communicator = session.getCommunicator();
  communicator.send(&header, sizeof(header), 0);
  communicator.send(own.events.data(), bytesOf(own.events), 0);
}

RankTrace Tracer::receiveFrom(int64_t rank) {
  TraceHeader header;
  Communicator &communicator = session.getCommunicator();
  communicator.receive(&header, sizeof(header), rank);
  RankTrace trace{header.host.data(), header.before, header.after, {}};
  trace.events.resize(static_cast<size_t>(header.events));
  communicator.receive(trace.events.data(), bytesOf(trace.events), rank);
  return trace;
}

void Tracer::finish() {
  if (own.events.empty())
    return;
  Doing doing("writing the trace");
  own.after = compareClocks(session.getCommunicator(), nanosecondsNow);
  char host[sizeof(TraceHeader::host)] = {};
  ::gethostname(host, sizeof(host) - 1);
  own.host = host;
  if (session.rank() != 0) {
    sendTrace();
  } else {
    std::vector<RankTrace> ranks(1);
    std::swap(ranks.front(), own);
    for (int64_t rank = 1; rank < session.ranks(); ++rank)
      ranks.push_back(receiveFrom(rank));
    try {
      writeTrace(path, session.getProgram(), schedule, std::move(ranks));
      written = true;
    } catch (const Failure &failure) {
      std::fprintf(stderr, "warning: no trace: %s\n", failure.what());
    }
  }
  own.events.clear();
}
