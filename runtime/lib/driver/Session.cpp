//===- Session.cpp - A program with its ranks, threads and arena ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Session.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

using namespace boost_rt;
using nlohmann::json;

void boost_rt::reportError(const std::string &message) {
  std::fprintf(stderr, "error: %s\n", message.c_str());
}

Arena::Arena(int64_t bytes) : length(std::max<int64_t>(bytes, 1)) {
  void *address =
      ::mmap(nullptr, static_cast<size_t>(length), PROT_READ | PROT_WRITE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED)
    throw Failure(
        ExitCode::infeasible,
        concat("cannot reserve the ", bytes, " bytes of the program's arena: ",
               std::strerror(errno), "; use a larger mesh or a smaller batch"));
  this->bytes = static_cast<char *>(address);
}

int64_t Arena::touched() const {
  const int64_t page = ::sysconf(_SC_PAGESIZE);
  const int64_t pages = (length + page - 1) / page;
  std::vector<unsigned char> resident(static_cast<size_t>(pages));
  if (::mincore(bytes, static_cast<size_t>(length), resident.data()) != 0)
    return 0;
  int64_t last = pages;
  while (last > 0 && (resident[static_cast<size_t>(last - 1)] & 1) == 0)
    --last;
  return std::min(last * page, length);
}

Arena::~Arena() { ::munmap(bytes, static_cast<size_t>(length)); }

Session::Session(const Program &program, const std::string &command,
                 double limitSeconds)
    : program(program),
      watchdog(limitSeconds > 0 && program.mesh.size() > 1
                   ? std::make_unique<Watchdog>(program, limitSeconds)
                   : nullptr),
      communicator(createCommunicator(program.mesh, command)),
      connection(watchdog.get(), *communicator) {
  together([&] {
    context = std::make_unique<boost_rt_context>(
        program.mesh, *communicator, threadsPerRank(communicator->localSize()),
        program.collectives.size());
    arena = std::make_unique<Arena>(program.arenaBytes);
  });
}

void Session::run(const std::string &function) {
  program.findFunction(function)->run(context.get(), arena->data());
  ++runs[function];
}

int64_t Session::largest(int64_t value) {
  communicator->allReduce(program.mesh.allAxes(), BOOST_RT_MAX, BOOST_RT_I64,
                          &value, 1);
  return value;
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
  int64_t speaker = largest(code ? ranks() - rank() : 0);
  if (speaker == 0)
    return std::nullopt;
  bool speaks = speaker == ranks() - rank();
  int64_t speakersCode = largest(speaks ? code : 0);
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
  convertElements(tensor.type, data(tensor), BOOST_RT_F32, &value, 1);
  return value;
}

void Session::writeScalar(const Tensor &tensor, float value) {
  convertElements(BOOST_RT_F32, &value, tensor.type, data(tensor), 1);
}

//===----------------------------------------------------------------------===//
// Counters
//===----------------------------------------------------------------------===//

std::map<std::string, int64_t> Session::bytesByKind() const {
  std::map<std::string, int64_t> bytes;
  for (size_t site = 0; site < context->sites.size(); ++site)
    bytes[program.collectives[site].kind] += context->sites[site].bytes;
  return bytes;
}

json Session::arenaAsJson() const {
  return {{"bytes", arena->size()}, {"touched", arena->touched()}};
}

json Session::countersAsJson() const {
  json sites = json::array(), totals = json::object();
  for (size_t site = 0; site < context->sites.size(); ++site) {
    const PlannedCollective &planned = program.collectives[site];
    const SiteCounter &counter = context->sites[site];
    if (counter.executions == 0)
      continue;
    sites.push_back({{"site", site},
                     {"kind", planned.kind},
                     {"axis", planned.axis},
                     {"phase", planned.phase},
                     {"region", planned.region},
                     {"executions", counter.executions},
                     {"bytes", counter.bytes}});
    json &total = totals[planned.kind];
    if (total.is_null())
      total = {{"executions", 0}, {"bytes", 0}};
    total["executions"] =
        total["executions"].get<int64_t>() + counter.executions;
    total["bytes"] = total["bytes"].get<int64_t>() + counter.bytes;
  }
  return {{"collectives", sites},
          {"totals", totals},
          {"arena", arenaAsJson()},
          {"plan_agrees", comparePlan().empty()}};
}

std::string Session::comparePlan() const {
  std::string differences;
  for (size_t site = 0; site < context->sites.size(); ++site) {
    const PlannedCollective &planned = program.collectives[site];
    const SiteCounter &counter = context->sites[site];
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
  if (context->unplanned.executions > 0)
    differences +=
        concat("  ", context->unplanned.executions, " collectives of ",
               context->unplanned.bytes, " bytes are not in the plan\n");
  return differences;
}

bool Session::warnUnlessPlanned() const {
  std::string differences = comparePlan();
  if (differences.empty())
    return true;
  std::fprintf(stderr,
               "warning: executed collectives differ from the plan:\n%s",
               differences.c_str());
  return false;
}
