//===- Divergence.cpp - What is said of a run that diverged ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Divergence.h"
#include "driver/ScheduleRun.h"

#include <algorithm>
#include <cmath>
#include <limits>

using namespace boost_rt;

std::string boost_rt::describeRemedies(const Program &program) {
  std::vector<std::string> remedies;
  if (program.find(Role::hyper, learningRateKind))
    remedies = {"lower --lr", "lengthen --warmup"};
  const char *verb = "change ";
  for (const Tensor *hyper : program.hypersWithOptions()) {
    remedies.push_back(concat(verb, "--", hyper->option->name));
    verb = "";
  }
  if (remedies.empty())
    return "change the data or the program";
  std::string text = remedies.front();
  for (size_t i = 1; i < remedies.size(); ++i)
    text += concat(i + 1 < remedies.size() ? ", " : " or ", remedies[i]);
  return text;
}

std::string boost_rt::findWayBack(Checkpoints &checkpoints, int64_t lastGood) {
  std::string aside = checkpoints.setAside(lastGood + 1);
  std::string good = checkpoints.findUpTo(lastGood);
  std::string text =
      good.empty()
          ? ", and start again: no checkpoint is from before that"
          : concat(", and continue from ", good,
                   " with --resume, and --allow for each option that changes");
  if (!aside.empty())
    text += concat(" (the checkpoint of step ", lastGood + 1,
                   ", which leads here again, is now ", aside, ")");
  return text;
}

std::string boost_rt::listRows(const std::vector<TokenWindows::Window> &rows) {
  static constexpr size_t most = 8;
  std::string text, file;
  for (size_t i = 0; i < std::min(rows.size(), most); ++i) {
    const std::string &path = rows[i].file->getPath();
    text += i == 0 ? "" : ", ";
    text += path == file ? "" : path + ": ";
    text += std::to_string(rows[i].first);
    file = path;
  }
  return rows.size() <= most ? text
                             : concat(text, " and ", rows.size() - most,
                                      " more, which --log lists");
}

nlohmann::ordered_json
boost_rt::rowsToJson(const std::vector<TokenWindows::Window> &rows) {
  auto list = nlohmann::ordered_json::array();
  for (const TokenWindows::Window &row : rows)
    list.push_back({{"file", row.file->getPath()}, {"token", row.first}});
  return list;
}

NonFiniteFinder::NonFiniteFinder(Session &session)
    : session(session), program(session.getProgram()) {
  if (!program.verification)
    throw Failure(ExitCode::usage,
                  "--find-non-finite needs a program whose tensors can be "
                  "probed; compile it again with boost-compile --verify");
  for (const Tensor &tensor : program.tensors)
    if ((tensor.role == Role::param || tensor.role == Role::state ||
         tensor.role == Role::accumulator) &&
        session.has(tensor))
      state.emplace_back(&tensor, std::vector<char>());
}

void NonFiniteFinder::keepState() {
  for (auto &[tensor, elements] : state)
    elements = session.pack(*tensor);
}

void NonFiniteFinder::restoreState() {
  for (const auto &[tensor, elements] : state)
    session.unpack(*tensor, elements);
}

/// Returns true if a NaN or +infinity is among the elements.
static bool isSuspect(boost_rt_type type, const void *data, int64_t count) {
  static constexpr int64_t atOnce = 4096;
  if (!isFloat(type))
    return false;
  float values[atOnce];
  const auto *bytes = static_cast<const char *>(data);
  for (int64_t at = 0; at < count; at += atOnce) {
    int64_t size = std::min(atOnce, count - at);
    convertElements(type, bytes + at * sizeOf(type), BOOST_RT_F32, values,
                    size);
    if (std::any_of(values, values + size, [](float value) {
          return std::isnan(value) ||
                 value == std::numeric_limits<float>::infinity();
        }))
      return true;
  }
  return false;
}

const Probe *NonFiniteFinder::findFirst() {
  const std::vector<Probe> &probes = program.verification->probes;
  auto count = static_cast<int64_t>(probes.size());
  int64_t next = 0, first = count;
  session.getRecord().onProbe = [&](int32_t, boost_rt_type type,
                                    const void *data, int64_t elements) {
    while (next < count && probes[static_cast<size_t>(next)].stage.value_or(
                               session.stage()) != session.stage())
      ++next;
    if (first == count && isSuspect(type, data, elements))
      first = next;
    ++next;
  };
  runActions(session, program.schedule(probeSchedule));
  session.getRecord().onProbe = nullptr;
  first = count - session.largest(count - first, count);
  return first == count ? nullptr : &probes[static_cast<size_t>(first)];
}

std::string
NonFiniteFinder::describeFirst(const std::vector<int64_t> &microBatches,
                               const std::function<void(int64_t)> &fill) {
  for (int64_t microBatch : microBatches) {
    fill(microBatch);
    const Probe *probe = findFirst();
    if (!probe)
      continue;
    std::string text = concat("; the first tensor with a NaN or +infinity is '",
                              probe->tensor.name, "' at ", probe->location,
                              " (", probe->phase, ")");
    if (program.schedule(trainSchedule).microBatches > 1)
      text += concat(" of micro-batch ", microBatch);
    if (probe->stage)
      text += concat(" on pipeline stage ", *probe->stage);
    return text;
  }
  return concat("; repeated with probes, '", program.verification->function,
                "' has no tensor with a NaN or +infinity");
}
