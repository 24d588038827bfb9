//===- Session.cpp - A program with its ranks and its device -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Session.h"
#include "driver/LongTask.h"
#include "driver/RunConfig.h"

#include <cstdio>
#include <new>

using namespace boost_rt;
using nlohmann::json;

void boost_rt::reportError(const std::string &message) {
  std::fprintf(stderr, "error: %s\n", message.c_str());
}

Session::Session(const Program &program, const std::string &command,
                 double limitSeconds, const DeviceOptions &options,
                 bool isQuiet, const Facts &facts)
    : program(program), isQuiet(isQuiet),
      watchdog(limitSeconds > 0 && program.mesh.size() > 1
                   ? std::make_unique<Watchdog>(program, limitSeconds)
                   : nullptr),
      communicator(createCommunicator(
          program.mesh, {command, identityOf(program), limitSeconds})),
      connection(watchdog.get(), *communicator) {
  requireAgreement(facts);
  LongTask task("starting the device", 0, speaks());
  together([&] { device = createDevice(program, *communicator, options); });
}

void Session::run(const std::string &function, int64_t slot) {
  device->run(*program.findFunction(function), slot);
  device->synchronize();
  ++runs[function];
}

//===----------------------------------------------------------------------===//
// Agreement
//===----------------------------------------------------------------------===//

/// Ends all ranks because of what others have sent to this one.
void Session::endByFault(const std::string &message) {
  reportError(message);
  std::fflush(nullptr);
  communicator->abort(static_cast<int>(ExitCode::networkFault));
}

int64_t Session::largest(int64_t value, int64_t most) {
  int64_t result = value;
  communicator->allReduce(program.mesh.allAxes(), BOOST_RT_MAX, BOOST_RT_I64,
                          &result, 1);
  if (result < value || result > most)
    endByFault(concat("rank ", rank(), " has ", value, " and gets ", result,
                      " as the largest of all ranks' numbers, which are ", most,
                      " at most: the network changes what ranks send"));
  return result;
}

std::optional<Failure> Session::attempt(const std::function<void()> &work) {
  std::string message;
  int64_t code = 0;
  try {
    work();
  } catch (const Failure &failure) {
    message = failure.what();
    code = static_cast<int64_t>(failure.code);
  } catch (const std::bad_alloc &) {
    message = "out of memory; use a larger mesh or a smaller batch";
    code = static_cast<int64_t>(ExitCode::infeasible);
  }
  // The first rank that failed speaks for all.
  int64_t speaker = largest(code ? ranks() - rank() : 0, ranks());
  if (speaker == 0)
    return std::nullopt;
  bool speaks = speaker == ranks() - rank();
  int64_t speakersCode = largest(speaks ? code : 0);
  if (!isFailure(speakersCode))
    endByFault(concat("rank ", rank(), " gets ", speakersCode,
                      " as the exit code of rank ", ranks() - speaker,
                      ": the network changes what ranks send"));
  return Failure(static_cast<ExitCode>(speakersCode), speaks ? message : "");
}

void Session::together(const std::function<void()> &work) {
  std::optional<Failure> failure = attempt(work);
  if (!failure)
    return;
  if (*failure->what())
    reportError(failure->what());
  throw Failure(failure->code, "");
}

/// A launcher ends all ranks as soon as one of them fails: none may before rank
/// 0 has spoken.
void Session::requireAgreement(const Facts &facts) {
  Doing doing("comparing what the ranks were started with");
  std::string message = findDisagreement(*communicator, facts);
  if (message.empty())
    return;
  if (rank() == 0)
    reportError(message);
  communicator->barrier();
  throw Failure(ExitCode::usage, "");
}

void Session::alone(const std::function<void()> &work) {
  try {
    work();
  } catch (const Failure &failure) {
    reportError(failure.what());
    std::fflush(nullptr);
    communicator->abort(static_cast<int>(failure.code));
  }
}

float Session::readScalar(const Tensor &tensor) {
  float value = 0;
  convertElements(tensor.type, map(tensor, Access::read).data(), BOOST_RT_F32,
                  &value, 1);
  return value;
}

void Session::writeScalar(const Tensor &tensor, float value) {
  if (!has(tensor))
    return;
  convertElements(BOOST_RT_F32, &value, tensor.type,
                  map(tensor, Access::write).data(), 1);
}

//===----------------------------------------------------------------------===//
// Counters
//===----------------------------------------------------------------------===//

std::map<std::string, int64_t> Session::bytesByKind() const {
  std::map<std::string, int64_t> bytes;
  const RunRecord &record = device->getRecord();
  for (size_t site = 0; site < record.sites.size(); ++site)
    bytes[program.collectives[site].kind] += record.sites[site].bytes;
  if (program.pipelineAxis)
    bytes["send"] += record.sends.bytes;
  return bytes;
}

json Session::countersAsJson() const {
  const RunRecord &record = device->getRecord();
  json sites = json::array(), totals = json::object();
  for (size_t site = 0; site < record.sites.size(); ++site) {
    const PlannedCollective &planned = program.collectives[site];
    const SiteCounter &counter = record.sites[site];
    if (counter.executions == 0)
      continue;
    sites.push_back({{"site", site},
                     {"kind", planned.kind},
                     {"axis", planned.axis},
                     {"phase", planned.phase},
                     {"component", planned.region},
                     {"executions", counter.executions},
                     {"bytes", counter.bytes}});
    json &total = totals[planned.kind];
    if (total.is_null())
      total = {{"executions", 0}, {"bytes", 0}};
    total["executions"] =
        total["executions"].get<int64_t>() + counter.executions;
    total["bytes"] = total["bytes"].get<int64_t>() + counter.bytes;
  }
  if (record.sends.executions > 0)
    totals["send"] = {{"executions", record.sends.executions},
                      {"bytes", record.sends.bytes}};
  return {{"collectives", sites}, {"totals", totals}};
}

std::string Session::comparePlan() const {
  const RunRecord &record = device->getRecord();
  std::string differences;
  for (size_t site = 0; site < record.sites.size(); ++site) {
    const PlannedCollective &planned = program.collectives[site];
    const SiteCounter &counter = record.sites[site];
    auto it = runs.find(planned.function);
    int64_t executions = planned.count * (it == runs.end() ? 0 : it->second);
    if (counter.executions != executions ||
        counter.bytes != executions * planned.bytes)
      differences +=
          concat("  ", planned.kind, " at site ", site, " of ",
                 planned.function, ": planned ", executions, " executions of ",
                 planned.bytes, " bytes, but counted ", counter.executions,
                 " executions and ", counter.bytes, " bytes\n");
  }
  if (record.unplanned.executions > 0)
    differences +=
        concat("  ", record.unplanned.executions, " collectives of ",
               record.unplanned.bytes, " bytes are not in the plan\n");
  return differences;
}

bool Session::warnUnlessPlanned() {
  std::string differences = comparePlan();
  int64_t speaker =
      largest(differences.empty() ? 0 : ranks() - rank(), ranks());
  if (!differences.empty() && speaker == ranks() - rank())
    std::fprintf(stderr,
                 "warning: executed collectives differ from the plan:\n%s",
                 differences.c_str());
  return speaker == 0;
}
