//===- TraceFile.cpp - Steps as a Chrome trace ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The format is that of "Trace Event Format", as chrome://tracing and Perfetto
// read it: a process for each rank with one thread, on which complete events
// are nested by their times, and arrows from sending to receiving.
//
//===----------------------------------------------------------------------===//

#include "driver/TraceFile.h"
#include "common/DurableFile.h"
#include "common/Failure.h"

#include <algorithm>
#include <limits>
#include <tuple>

using namespace boost_rt;
using json = nlohmann::ordered_json;

namespace {
/// Writes one event after another.
class EventWriter {
public:
  explicit EventWriter(const std::string &path) : file(path) {}

  void writeText(std::string_view text) {
    buffer += text;
    if (buffer.size() >= bytesAtOnce)
      flush();
  }
  void write(const json &event);
  void finish(const json &otherData);

private:
  static constexpr size_t bytesAtOnce = size_t(1) << 20;

  void flush();

  DurableFile file;
  std::string buffer = "{\"traceEvents\":[";
  int64_t position = 0;
  bool isFirst = true;
};

/// Describes the events of a rank.
class RankWriter {
public:
  RankWriter(EventWriter &writer, const Program &program,
             const Schedule &schedule, int64_t rank, int64_t origin,
             int64_t firstStep)
      : writer(writer), program(program), schedule(schedule), rank(rank),
        stage(program.stageOf(rank)), origin(origin), firstStep(firstStep) {}

  void writeNames(const RankTrace &trace);
  void write(const TraceEvent &event);

private:
  json makeEvent(const TraceEvent &event, const std::string &name,
                 const std::string &category) const;
  json describeStep(const TraceEvent &event) const;
  json describeFunction(const TraceEvent &event) const;
  json describeCall(const TraceEvent &event) const;
  json describeTransfer(const TraceEvent &event) const;
  void writeArrow(const TraceEvent &event);
  const ScheduledCall &callOf(const TraceEvent &event) const {
    const ScheduledAction &action =
        schedule.actions[static_cast<size_t>(event.action)];
    if (const auto *choice = std::get_if<ScheduledChoice>(&action))
      return choice->call(static_cast<size_t>(event.chosen));
    return std::get<ScheduledCall>(action);
  }
  const ScheduledTransfer &transferOf(const TraceEvent &event) const {
    return std::get<ScheduledTransfer>(
        schedule.actions[static_cast<size_t>(event.action)]);
  }

  EventWriter &writer;
  const Program &program;
  const Schedule &schedule;
  const int64_t rank, stage, origin, firstStep;
};
} // namespace

void EventWriter::flush() {
  file.write(buffer.data(), static_cast<int64_t>(buffer.size()), position);
  position += static_cast<int64_t>(buffer.size());
  buffer.clear();
}

/// Names in locations need not be UTF-8.
static std::string print(const json &value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

void EventWriter::write(const json &event) {
  writeText(isFirst ? "\n" : ",\n");
  writeText(print(event));
  isFirst = false;
}

void EventWriter::finish(const json &otherData) {
  writeText("\n],\n\"displayTimeUnit\":\"ms\",\n\"otherData\":");
  writeText(print(otherData));
  writeText("}\n");
  flush();
  file.commit();
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static json makeMetadata(const char *name, int64_t rank, int64_t stage,
                         json arguments) {
  return {{"name", name},
          {"ph", "M"},
          {"pid", rank},
          {"tid", stage},
          {"args", std::move(arguments)}};
}

/// "rank 3 (dp=1, tp=1) on host"
static std::string nameOfRank(const Program &program, int64_t rank,
                              const std::string &host) {
  std::string coordinates;
  for (unsigned axis = 0; axis < program.mesh.getAxes().size(); ++axis)
    coordinates +=
        concat(axis == 0 ? "" : ", ", program.mesh.getAxes()[axis].name, "=",
               program.mesh.coordinate(rank, axis));
  return concat("rank ", rank, " (", coordinates, ") on ", host);
}

void RankWriter::writeNames(const RankTrace &trace) {
  writer.write(makeMetadata("process_name", rank, stage,
                            {{"name", nameOfRank(program, rank, trace.host)}}));
  writer.write(
      makeMetadata("process_sort_index", rank, stage, {{"sort_index", rank}}));
  std::string thread = program.pipelineAxis ? concat("stage ", stage) : "steps";
  writer.write(makeMetadata("thread_name", rank, stage, {{"name", thread}}));
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

static double toMicroseconds(int64_t nanoseconds) {
  return static_cast<double>(nanoseconds) / 1000;
}

/// A complete event, to whose arguments the caller adds others.
json RankWriter::makeEvent(const TraceEvent &event, const std::string &name,
                           const std::string &category) const {
  return {{"name", name},
          {"cat", category},
          {"ph", "X"},
          {"ts", toMicroseconds(event.begin - origin)},
          {"dur", toMicroseconds(event.end - event.begin)},
          {"pid", rank},
          {"tid", stage},
          {"args", {{"step", event.ofStep}, {"stage", stage}}}};
}

json RankWriter::describeStep(const TraceEvent &event) const {
  return makeEvent(event, concat("step ", event.ofStep), "step");
}

static void addNumber(json &arguments, const char *name,
                      std::optional<int64_t> number) {
  if (number)
    arguments[name] = *number;
}

static void addText(json &arguments, const char *name,
                    const std::string &text) {
  if (!text.empty())
    arguments[name] = text;
}

/// " of micro-batch 3"
static std::string ofMicroBatch(std::optional<int64_t> microBatch) {
  return microBatch ? concat(" of micro-batch ", *microBatch) : "";
}

json RankWriter::describeFunction(const TraceEvent &event) const {
  const ScheduledCall &call = callOf(event);
  json described = makeEvent(
      event, call.function + ofMicroBatch(call.microBatch), "function");
  described["args"]["function"] = call.function;
  addNumber(described["args"], "micro_batch", call.microBatch);
  addNumber(described["args"], "slot", call.slot);
  return described;
}

/// "gemm llama.py:74", without the folders of the file. Calls that are of no
/// line of the model, such as updates, have the name of their component or
/// phase.
static std::string nameOfCall(const CallDescription &call) {
  const std::string &location = call.location;
  if (location != CallDescription::unknownLocation)
    return call.call + " " + location.substr(location.find_last_of('/') + 1);
  return call.call + " " +
         (call.component.empty() ? call.phase : call.component);
}

json RankWriter::describeCall(const TraceEvent &event) const {
  const ScheduledCall &scheduled = callOf(event);
  const Function &function = *program.findFunction(scheduled.function);
  auto index = static_cast<size_t>(event.index);
  FunctionCall place;
  CallDescription call;
  call.call = "call";
  call.location = CallDescription::unknownLocation;
  if (index < function.calls.size()) {
    place = function.calls[index];
    call = program.callDescriptions[place.description];
  }
  json described = makeEvent(event, nameOfCall(call), call.kind);
  json &arguments = described["args"];
  arguments["function"] = scheduled.function;
  addNumber(arguments, "micro_batch", scheduled.microBatch);
  addText(arguments, "phase", call.phase);
  addText(arguments, "component", call.component);
  addNumber(arguments, "layer", place.layer);
  addText(arguments, "location", call.location);
  addText(arguments, "shape", call.shape);
  addText(arguments, "kernel", call.kernel);
  if (event.site < 0)
    return described;
  arguments["site"] = event.site;
  arguments["bytes"] = event.bytes;
  auto site = static_cast<size_t>(event.site);
  if (site < program.collectives.size()) {
    arguments["axis"] = program.collectives[site].axis;
    addText(arguments, "collective", program.collectives[site].name);
  }
  return described;
}

json RankWriter::describeTransfer(const TraceEvent &event) const {
  const ScheduledTransfer &transfer = transferOf(event);
  std::string name = transfer.from == transfer.to ? "copy"
                     : stage == transfer.from
                         ? concat("send to stage ", transfer.to)
                         : concat("receive from stage ", transfer.from);
  json described =
      makeEvent(event, name + ofMicroBatch(transfer.microBatch), "transfer");
  json &arguments = described["args"];
  addNumber(arguments, "micro_batch", transfer.microBatch);
  arguments["from"] = transfer.from;
  arguments["to"] = transfer.to;
  arguments["tensors"] = transfer.tensors.size();
  arguments["bytes"] = event.bytes;
  return described;
}

/// Draws an arrow from where a rank sends to where another one receives; each
/// writes its end.
void RankWriter::writeArrow(const TraceEvent &event) {
  const ScheduledTransfer &transfer = transferOf(event);
  if (transfer.from == transfer.to)
    return;
  bool sends = stage == transfer.from;
  int64_t sender = program.mesh.memberRank(
      rank, 1U << program.pipelineAxis.value(), transfer.from);
  auto actions = static_cast<int64_t>(schedule.actions.size());
  int64_t number = (event.ofStep - firstStep) * actions + event.action;
  json arrow = {
      {"name", "transfer"},
      {"cat", "transfer"},
      {"ph", sends ? "s" : "f"},
      {"id", number * program.mesh.size() + sender},
      {"ts", toMicroseconds((sends ? event.begin : event.end) - origin)},
      {"pid", rank},
      {"tid", stage}};
  if (!sends)
    arrow["bp"] = "e";
  writer.write(arrow);
}

void RankWriter::write(const TraceEvent &event) {
  switch (event.kind) {
  case TraceEvent::step:
    return writer.write(describeStep(event));
  case TraceEvent::function:
    return writer.write(describeFunction(event));
  case TraceEvent::call:
    return writer.write(describeCall(event));
  case TraceEvent::transfer:
    writer.write(describeTransfer(event));
    return writeArrow(event);
  case TraceEvent::finish:
    return writer.write(makeEvent(event, "wait for sends", "transfer"));
  }
}

//===----------------------------------------------------------------------===//
// The file
//===----------------------------------------------------------------------===//

/// Converts the times of a rank to those of rank 0, and sorts its events so
/// that what encloses others comes before them.
static void align(RankTrace &trace) {
  for (TraceEvent &event : trace.events) {
    event.begin = convertTime(event.begin, trace.before, trace.after);
    event.end = convertTime(event.end, trace.before, trace.after);
  }
  auto key = [](const TraceEvent &event) {
    return std::tuple(event.begin, event.kind, event.action, event.chosen,
                      event.index);
  };
  std::sort(trace.events.begin(), trace.events.end(),
            [&](const TraceEvent &one, const TraceEvent &other) {
              return key(one) < key(other);
            });
}

void boost_rt::writeTrace(const std::string &path, const Program &program,
                          const Schedule &schedule,
                          std::vector<RankTrace> ranks) {
  constexpr int64_t latest = std::numeric_limits<int64_t>::max();
  int64_t origin = latest, firstStep = latest, lastStep = 0;
  json errors = json::array();
  for (RankTrace &trace : ranks) {
    align(trace);
    for (const TraceEvent &event : trace.events) {
      origin = std::min(origin, event.begin);
      firstStep = std::min(firstStep, event.ofStep);
      lastStep = std::max(lastStep, event.ofStep);
    }
    errors.push_back(
        toMicroseconds(std::max(trace.before.error, trace.after.error)));
  }
  EventWriter writer(path);
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    RankWriter ofRank(writer, program, schedule, static_cast<int64_t>(rank),
                      origin, firstStep);
    ofRank.writeNames(ranks[rank]);
    for (const TraceEvent &event : ranks[rank].events)
      ofRank.write(event);
  }
  writer.finish({{"program", program.name},
                 {"hash", program.hash},
                 {"mesh", program.mesh.str()},
                 {"first_step", firstStep},
                 {"last_step", lastStep},
                 {"clock_error_us", errors}});
}
