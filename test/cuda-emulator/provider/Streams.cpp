//===- Streams.cpp - Work that runs as late as it may ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Provider.h"
#include "common/Launcher.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <unistd.h>
#include <utility>

using namespace boost_emu;
using namespace boost_rt::vendor;

namespace {

struct Item {
  std::string description;
  Work work;
};

struct Stream {
  std::deque<Item> queue;
  /// True if the last query found the stream busy: the next one runs its queue.
  bool wasQueried = false;
  std::vector<Item> captured;
  bool isCaptured = false, isInvalidated = false;
};

struct Graph {
  std::vector<Item> items;
};

/// The time when the stream came to the event.
struct Event {
  std::optional<std::chrono::steady_clock::time_point> time;
};

} // namespace

static std::set<Stream *> streams;
/// The first error of the device stays, as on a GPU, as long as there are
/// streams.
static CudaResult deviceError = cudaSuccess;

void boost_emu::report(const std::string &message) {
  std::fprintf(stderr, "emulated GPU: %s\n", message.c_str());
}

bool boost_emu::skipsCompute() {
  static const bool skips = std::getenv("BOOST_EMULATOR_SKIP") != nullptr;
  return skips;
}

static void log(const std::string &line) {
  static FILE *file = [] {
    const char *path = std::getenv("BOOST_EMULATOR_LOG");
    if (!path)
      return static_cast<FILE *>(nullptr);
    // One file for each rank.
    using namespace boost_rt;
    std::string rank =
        launcher() == Launcher::none ? "" : std::to_string(launcherRank());
    return std::fopen((path + rank).c_str(), "a");
  }();
  if (!file)
    return;
  std::fprintf(file, "%s\n", line.c_str());
  std::fflush(file);
}

static Stream *getStream(CudaStream handle) {
  auto *stream = reinterpret_cast<Stream *>(handle);
  return streams.count(stream) ? stream : nullptr;
}

/// BOOST_EMULATOR_SWAP=N: the work of the log's line N and the one after it
/// change places, counted from 0 and without the waits of the host, for tests
/// of what notices.
static void swapAsAsked(std::deque<Item> &queue) {
  static const char *const text = std::getenv("BOOST_EMULATOR_SWAP");
  static const long long swapped = text ? std::atoll(text) : -1;
  static long long number = 0;
  if (number++ == swapped && queue.size() > 1)
    std::swap(queue[0], queue[1]);
}

/// BOOST_EMULATOR_FORGET_WAIT=N: the host goes on at its wait N, counted from
/// 0, before anything is done, for tests of what notices.
static bool isForgotten() {
  static const char *const text = std::getenv("BOOST_EMULATOR_FORGET_WAIT");
  static const long long forgotten = text ? std::atoll(text) : -1;
  static long long number = 0;
  return number++ == forgotten;
}

static CudaResult drain(Stream &stream) {
  while (!stream.queue.empty() && deviceError == cudaSuccess) {
    swapAsAsked(stream.queue);
    Item item = std::move(stream.queue.front());
    stream.queue.pop_front();
    log(item.description);
    std::string problem = item.work();
    if (problem.empty())
      continue;
    report(problem);
    deviceError = cudaLaunchFailed;
  }
  return deviceError;
}

CudaResult boost_emu::enqueue(CudaStream handle, const std::string &description,
                              Work work) {
  Stream *stream = getStream(handle);
  if (!stream)
    return cudaInvalidValue;
  if (deviceError != cudaSuccess)
    return deviceError;
  if (stream->isCaptured)
    stream->captured.push_back({description, std::move(work)});
  else
    stream->queue.push_back({description, std::move(work)});
  return cudaSuccess;
}

bool boost_emu::refusedByCapture(const char *call) {
  for (Stream *stream : streams)
    if (stream->isCaptured) {
      report(std::string(call) + " during a capture");
      stream->isInvalidated = true;
      return true;
    }
  return false;
}

//===----------------------------------------------------------------------===//
// The driver's functions
//===----------------------------------------------------------------------===//

extern "C" {

CudaResult cuStreamCreate(CudaStream *result, unsigned) {
  auto *stream = new Stream;
  streams.insert(stream);
  *result = reinterpret_cast<CudaStream>(stream);
  return cudaSuccess;
}

CudaResult cuStreamDestroy_v2(CudaStream handle) {
  Stream *stream = getStream(handle);
  if (!stream)
    return cudaInvalidValue;
  streams.erase(stream);
  delete stream;
  if (streams.empty())
    deviceError = cudaSuccess;
  return cudaSuccess;
}

CudaResult cuStreamSynchronize(CudaStream handle) {
  Stream *stream = getStream(handle);
  if (!stream)
    return cudaInvalidValue;
  if (refusedByCapture("cuStreamSynchronize"))
    return cudaCaptureUnsupported;
  log("{\"call\": \"wait\"}");
  return isForgotten() ? cudaSuccess : drain(*stream);
}

CudaResult cuStreamQuery(CudaStream handle) {
  Stream *stream = getStream(handle);
  if (!stream)
    return cudaInvalidValue;
  if (refusedByCapture("cuStreamQuery"))
    return cudaCaptureUnsupported;
  if (stream->queue.empty() || std::exchange(stream->wasQueried, false))
    return drain(*stream);
  stream->wasQueried = true;
  return cudaNotReady;
}

CudaResult cuEventCreate(CudaEvent *result, unsigned) {
  *result = reinterpret_cast<CudaEvent>(new Event);
  return cudaSuccess;
}

CudaResult cuEventDestroy_v2(CudaEvent handle) {
  delete reinterpret_cast<Event *>(handle);
  return cudaSuccess;
}

CudaResult cuEventRecord(CudaEvent handle, CudaStream stream) {
  auto *event = reinterpret_cast<Event *>(handle);
  event->time.reset();
  return enqueue(stream, "{\"call\": \"event\"}", [event]() -> std::string {
    event->time = std::chrono::steady_clock::now();
    return "";
  });
}

CudaResult cuEventElapsedTime(float *milliseconds, CudaEvent begin,
                              CudaEvent end) {
  const auto &first = reinterpret_cast<Event *>(begin)->time;
  const auto &last = reinterpret_cast<Event *>(end)->time;
  if (!first || !last)
    return cudaNotReady;
  *milliseconds =
      std::chrono::duration<float, std::milli>(*last - *first).count();
  return cudaSuccess;
}

CudaResult cuStreamBeginCapture_v2(CudaStream handle, int) {
  Stream *stream = getStream(handle);
  if (!stream || stream->isCaptured)
    return cudaInvalidValue;
  stream->isCaptured = true;
  stream->isInvalidated = false;
  stream->captured.clear();
  return cudaSuccess;
}

CudaResult cuStreamEndCapture(CudaStream handle, CudaGraph *result) {
  Stream *stream = getStream(handle);
  if (!stream || !stream->isCaptured)
    return cudaInvalidValue;
  stream->isCaptured = false;
  if (stream->isInvalidated)
    return cudaCaptureInvalidated;
  *result = reinterpret_cast<CudaGraph>(new Graph{std::move(stream->captured)});
  return cudaSuccess;
}

CudaResult cuGraphInstantiateWithFlags(CudaGraphExec *result, CudaGraph graph,
                                       unsigned long long) {
  if (refusedByCapture("cuGraphInstantiate"))
    return cudaCaptureUnsupported;
  *result = reinterpret_cast<CudaGraphExec>(
      new Graph(*reinterpret_cast<Graph *>(graph)));
  return cudaSuccess;
}

CudaResult cuGraphLaunch(CudaGraphExec graph, CudaStream stream) {
  if (refusedByCapture("cuGraphLaunch"))
    return cudaCaptureUnsupported;
  for (const Item &item : reinterpret_cast<Graph *>(graph)->items)
    if (CudaResult result = enqueue(stream, item.description, item.work))
      return result;
  return cudaSuccess;
}

CudaResult cuGraphDestroy(CudaGraph graph) {
  delete reinterpret_cast<Graph *>(graph);
  return cudaSuccess;
}

CudaResult cuGraphExecDestroy(CudaGraphExec graph) {
  delete reinterpret_cast<Graph *>(graph);
  return cudaSuccess;
}

} // extern "C"
