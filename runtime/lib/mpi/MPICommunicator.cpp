//===- MPICommunicator.cpp - Ranks that talk through MPI ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One MPI communicator per group mask, made at start. The calls of MPI are
// those of the plugin; here is what watches them and keeps their counts in
// range.
//
//===----------------------------------------------------------------------===//

#include "common/Activity.h"
#include "common/Agreement.h"
#include "common/Communicator.h"
#include "common/ElementType.h"
#include "common/Failure.h"
#include "mpi/Plugin.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <list>
#include <thread>
#include <vector>

using namespace boost_rt;

/// Counts in MPI are `int`. Larger buffers travel in pieces of this many
/// elements.
static constexpr int64_t maxCount = int64_t(1) << 30;

/// For collectives that cannot move a buffer piece by piece.
static int checkedCount(int64_t count) {
  if (count > std::numeric_limits<int>::max())
    abortProgram(concat("a collective moves ", count,
                        " units per rank, more than MPI takes; use a larger "
                        "mesh or a smaller batch"));
  return static_cast<int>(count);
}

namespace {
class MPICommunicator : public Communicator {
public:
  MPICommunicator(const Mesh &mesh, const RunStart &run);
  ~MPICommunicator() override;

  int64_t rank() const override { return worldRank; }
  int64_t size() const override { return worldSize; }
  int64_t localSize() const override { return nodeSize; }

  void allReduce(uint32_t group, boost_rt_reduction reduction,
                 boost_rt_type type, void *data, int64_t count) override;
  void reduceScatter(uint32_t group, boost_rt_reduction reduction,
                     boost_rt_type type, const void *src, void *dst,
                     int64_t count) override;
  void allGather(uint32_t group, const void *src, void *dst,
                 int64_t bytes) override;
  void allToAll(uint32_t group, const void *src, void *dst,
                int64_t bytes) override;
  void send(const void *data, int64_t bytes, int64_t toRank) override;
  void receive(void *data, int64_t bytes, int64_t fromRank) override;
  void startSend(std::vector<char> data, int64_t toRank) override;
  void finishSends() override;
  void barrier() override;
  bool hasNotes() const override { return takesThreads != 0; }
  void sendNote(const void *data, int64_t bytes, int64_t toRank) override {
    mpi.sendNote(data, static_cast<int>(bytes), static_cast<int>(toRank));
  }
  bool takeNote(void *data, int64_t bytes, int64_t &fromRank) override;
  [[noreturn]] void abort(int exitCode) override {
    mpi.abort(exitCode);
    std::_Exit(exitCode);
  }

private:
  /// A send that may not have ended, and its pieces that have not.
  struct StartedSend {
    std::vector<char> data;
    std::vector<int> pieces;
  };

  template <typename Function>
  void waitIn(const char *what, Function &&function);
  template <typename Function>
  void waitInPieces(const char *what, int64_t count, Function &&function);
  bool hasEnded(StartedSend &send);
  void start();
  void createGroups(const Mesh &mesh);

  const boost_mpi_functions &mpi;
  /// By group mask.
  std::vector<int> groups;
  int worldRank = 0;
  int worldSize = 1;
  int nodeSize = 1;
  int takesThreads = 0;
  std::list<StartedSend> sends;
};
} // namespace

/// Every call that may wait for another rank goes through here, so that none is
/// unwatched. `what` is a literal such as "an all-reduce".
template <typename Function>
void MPICommunicator::waitIn(const char *what, Function &&function) {
  int status;
  {
    Waiting waiting(what);
    status = function();
  }
  if (status == 0)
    return;
  char text[512];
  mpi.describeError(status, text, sizeof(text));
  abortProgram(concat(what, " failed: ", text));
}

/// function(begin, count) on pieces of [0, count) that MPI can count.
template <typename Function>
void MPICommunicator::waitInPieces(const char *what, int64_t count,
                                   Function &&function) {
  for (int64_t begin = 0; begin < count; begin += maxCount)
    waitIn(what, [&] {
      return function(begin,
                      static_cast<int>(std::min(maxCount, count - begin)));
    });
}

//===----------------------------------------------------------------------===//
// Start and end
//===----------------------------------------------------------------------===//

void MPICommunicator::start() {
  int status;
  {
    Waiting waiting("the start of MPI");
    status = mpi.start(&worldRank, &worldSize, &takesThreads);
  }
  if (status != 0)
    throw Failure(ExitCode::trainingFailed, "MPI could not be started");
}

void MPICommunicator::createGroups(const Mesh &mesh) {
  waitIn("the start of MPI", [&] { return mpi.countLocalRanks(&nodeSize); });
  groups.resize(mesh.allAxes() + 1u);
  for (uint32_t group = 1; group < groups.size(); ++group)
    waitIn("splitting the ranks into groups", [&] {
      return mpi.splitRanks(
          static_cast<int>(mesh.groupIndex(worldRank, group)),
          static_cast<int>(mesh.groupPosition(worldRank, group)),
          &groups[group]);
    });
}

/// Ranks of other programs may have other groups, for which they would wait.
MPICommunicator::MPICommunicator(const Mesh &mesh, const RunStart &run)
    : mpi(openMPIPlugin(mesh.size())) {
  start();
  if (worldSize != mesh.size()) {
    mpi.end();
    refuseRankCount(mesh, worldSize, run.program);
  }
  std::string message =
      findDisagreement(*this, {{"the program", run.identity}});
  if (!message.empty()) {
    mpi.end();
    throw Failure(ExitCode::usage, message);
  }
  createGroups(mesh);
}

MPICommunicator::~MPICommunicator() {
  Doing doing("ending");
  Waiting waiting("the end of MPI");
  mpi.end();
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

void MPICommunicator::allReduce(uint32_t group, boost_rt_reduction reduction,
                                boost_rt_type type, void *data, int64_t count) {
  char *bytes = static_cast<char *>(data);
  waitInPieces("an all-reduce", count, [&](int64_t begin, int part) {
    return mpi.allReduce(groups[group], reduction, type,
                         bytes + begin * sizeOf(type), part);
  });
}

void MPICommunicator::reduceScatter(uint32_t group,
                                    boost_rt_reduction reduction,
                                    boost_rt_type type, const void *src,
                                    void *dst, int64_t count) {
  int ownCount = checkedCount(count);
  waitIn("a reduce-scatter", [&] {
    return mpi.reduceScatter(groups[group], reduction, type, src, dst,
                             ownCount);
  });
}

void MPICommunicator::allGather(uint32_t group, const void *src, void *dst,
                                int64_t bytes) {
  int count = checkedCount(bytes);
  waitIn("an all-gather",
         [&] { return mpi.allGather(groups[group], src, dst, count); });
}

void MPICommunicator::allToAll(uint32_t group, const void *src, void *dst,
                               int64_t bytes) {
  int count = checkedCount(bytes);
  waitIn("an all-to-all",
         [&] { return mpi.allToAll(groups[group], src, dst, count); });
}

/// Ranks wait asleep: one of them may be computing for long, on the same cores.
void MPICommunicator::barrier() {
  waitIn("a barrier", [&] {
    int done = 0;
    int status = mpi.enterBarrier();
    while (status == 0) {
      status = mpi.testBarrier(&done);
      if (done)
        break;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return status;
  });
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

void MPICommunicator::send(const void *data, int64_t bytes, int64_t toRank) {
  const char *from = static_cast<const char *>(data);
  waitInPieces("a send", bytes, [&](int64_t begin, int part) {
    return mpi.send(from + begin, part, static_cast<int>(toRank));
  });
}

void MPICommunicator::receive(void *data, int64_t bytes, int64_t fromRank) {
  char *to = static_cast<char *>(data);
  waitInPieces("a receive", bytes, [&](int64_t begin, int part) {
    return mpi.receive(to + begin, part, static_cast<int>(fromRank));
  });
}

/// Sends that ended in the meantime are forgotten here.
void MPICommunicator::startSend(std::vector<char> data, int64_t toRank) {
  sends.remove_if([&](StartedSend &send) { return hasEnded(send); });
  StartedSend &send = sends.emplace_back();
  send.data = std::move(data);
  waitInPieces("a send", static_cast<int64_t>(send.data.size()),
               [&](int64_t begin, int part) {
                 return mpi.startSend(send.data.data() + begin, part,
                                      static_cast<int>(toRank),
                                      &send.pieces.emplace_back());
               });
}

bool MPICommunicator::hasEnded(StartedSend &send) {
  while (!send.pieces.empty()) {
    int isDone = 0;
    waitIn("a send", [&] { return mpi.testSend(send.pieces.back(), &isDone); });
    if (!isDone)
      return false;
    send.pieces.pop_back();
  }
  return true;
}

void MPICommunicator::finishSends() {
  for (const StartedSend &send : sends)
    for (int piece : send.pieces)
      waitIn("a send", [&] { return mpi.waitForSend(piece); });
  sends.clear();
}

bool MPICommunicator::takeNote(void *data, int64_t bytes, int64_t &fromRank) {
  int from = 0;
  if (!mpi.takeNote(data, static_cast<int>(bytes), &from))
    return false;
  fromRank = from;
  return true;
}

std::unique_ptr<Communicator>
boost_rt::createMPICommunicator(const Mesh &mesh, const RunStart &start) {
  return std::make_unique<MPICommunicator>(mesh, start);
}
