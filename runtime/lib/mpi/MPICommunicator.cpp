//===- MPICommunicator.cpp - Ranks that talk through MPI ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One MPI communicator per group mask, made at start. MPI picks its algorithm
// from the number of ranks and elements, so results repeat from run to run.
//
//===----------------------------------------------------------------------===//

#include "common/Activity.h"
#include "common/Communicator.h"
#include "common/ElementType.h"
#include "common/Failure.h"

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

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

static MPI_Datatype mpiTypeOf(boost_rt_type type) {
  switch (type) {
  case BOOST_RT_F32:
    return MPI_FLOAT;
  case BOOST_RT_F64:
    return MPI_DOUBLE;
  case BOOST_RT_I32:
    return MPI_INT32_T;
  case BOOST_RT_I64:
    return MPI_INT64_T;
  case BOOST_RT_I8:
    return MPI_INT8_T;
  default:
    return MPI_UINT8_T;
  }
}

static MPI_Op mpiOpOf(boost_rt_reduction reduction, boost_rt_type type) {
  // The sum of booleans is their disjunction, and a byte must stay 0 or 1.
  if (reduction == BOOST_RT_MAX ||
      (reduction == BOOST_RT_SUM && type == BOOST_RT_I1))
    return MPI_MAX;
  return reduction == BOOST_RT_MIN ? MPI_MIN : MPI_SUM;
}

/// Every call that may wait for another rank goes through here, so that none is
/// unwatched. `what` is a literal such as "an all-reduce".
template <typename Function>
static void waitIn(const char *what, Function &&function) {
  int status;
  {
    Waiting waiting(what);
    status = function();
  }
  if (status == MPI_SUCCESS)
    return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(status, text, &length);
  abortProgram(concat(what, " failed: ", std::string(text, length)));
}

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
  MPICommunicator(const Mesh &mesh, const std::string &program);
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
  void barrier() override;
  bool hasNotes() const override { return notes != MPI_COMM_NULL; }
  void sendNote(const void *data, int64_t bytes, int64_t toRank) override;
  bool takeNote(void *data, int64_t bytes, int64_t &fromRank) override;
  [[noreturn]] void abort(int exitCode) override {
    MPI_Abort(MPI_COMM_WORLD, exitCode);
    std::_Exit(exitCode);
  }

private:
  void start();
  void createGroups(const Mesh &mesh);

  std::vector<MPI_Comm> groups;
  /// For notes alone; null if MPI takes calls of one thread only.
  MPI_Comm notes = MPI_COMM_NULL;
  struct SentNote {
    MPI_Request request = MPI_REQUEST_NULL;
    std::vector<char> data;
  };
  std::list<SentNote> sentNotes;
  int worldRank = 0;
  int worldSize = 1;
  int nodeSize = 1;
};
} // namespace

//===----------------------------------------------------------------------===//
// Start and end
//===----------------------------------------------------------------------===//

/// Asks for threads because the watching one sends notes while the other waits.
void MPICommunicator::start() {
  int provided = 0;
  {
    Waiting waiting("the start of MPI");
    if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided) !=
        MPI_SUCCESS)
      throw Failure(ExitCode::trainingFailed, "MPI could not be started");
  }
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &worldRank);
  MPI_Comm_size(MPI_COMM_WORLD, &worldSize);
  if (provided >= MPI_THREAD_MULTIPLE)
    waitIn("the start of MPI",
           [&] { return MPI_Comm_dup(MPI_COMM_WORLD, &notes); });
}

void MPICommunicator::createGroups(const Mesh &mesh) {
  MPI_Comm node;
  waitIn("the start of MPI", [&] {
    return MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0,
                               MPI_INFO_NULL, &node);
  });
  MPI_Comm_size(node, &nodeSize);
  MPI_Comm_free(&node);
  groups.resize(mesh.allAxes() + 1u, MPI_COMM_NULL);
  for (uint32_t group = 1; group < groups.size(); ++group)
    waitIn("splitting the ranks into groups", [&] {
      return MPI_Comm_split(
          MPI_COMM_WORLD, static_cast<int>(mesh.groupIndex(worldRank, group)),
          static_cast<int>(mesh.groupPosition(worldRank, group)),
          &groups[group]);
    });
}

MPICommunicator::MPICommunicator(const Mesh &mesh, const std::string &program) {
  start();
  if (worldSize != mesh.size()) {
    MPI_Finalize();
    refuseRankCount(mesh, worldSize, program);
  }
  createGroups(mesh);
}

MPICommunicator::~MPICommunicator() {
  Doing doing("ending");
  Waiting waiting("the end of MPI");
  for (MPI_Comm &group : groups)
    if (group != MPI_COMM_NULL)
      MPI_Comm_free(&group);
  if (notes != MPI_COMM_NULL)
    MPI_Comm_free(&notes);
  MPI_Finalize();
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

void MPICommunicator::allReduce(uint32_t group, boost_rt_reduction reduction,
                                boost_rt_type type, void *data, int64_t count) {
  char *bytes = static_cast<char *>(data);
  for (int64_t begin = 0; begin < count; begin += maxCount)
    waitIn("an all-reduce", [&] {
      return MPI_Allreduce(MPI_IN_PLACE, bytes + begin * sizeOf(type),
                           static_cast<int>(std::min(maxCount, count - begin)),
                           mpiTypeOf(type), mpiOpOf(reduction, type),
                           groups[group]);
    });
}

void MPICommunicator::reduceScatter(uint32_t group,
                                    boost_rt_reduction reduction,
                                    boost_rt_type type, const void *src,
                                    void *dst, int64_t count) {
  int ownCount = checkedCount(count);
  waitIn("a reduce-scatter", [&] {
    return MPI_Reduce_scatter_block(src, dst, ownCount, mpiTypeOf(type),
                                    mpiOpOf(reduction, type), groups[group]);
  });
}

void MPICommunicator::allGather(uint32_t group, const void *src, void *dst,
                                int64_t bytes) {
  int count = checkedCount(bytes);
  waitIn("an all-gather", [&] {
    return MPI_Allgather(src, count, MPI_BYTE, dst, count, MPI_BYTE,
                         groups[group]);
  });
}

void MPICommunicator::allToAll(uint32_t group, const void *src, void *dst,
                               int64_t bytes) {
  int count = checkedCount(bytes);
  waitIn("an all-to-all", [&] {
    return MPI_Alltoall(src, count, MPI_BYTE, dst, count, MPI_BYTE,
                        groups[group]);
  });
}

/// Ranks wait asleep: one of them may be computing for long, on the same cores.
void MPICommunicator::barrier() {
  waitIn("a barrier", [&] {
    MPI_Request request;
    int done = 0;
    int status = MPI_Ibarrier(MPI_COMM_WORLD, &request);
    while (status == MPI_SUCCESS) {
      status = MPI_Test(&request, &done, MPI_STATUS_IGNORE);
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
  for (int64_t begin = 0; begin < bytes; begin += maxCount)
    waitIn("a send", [&] {
      return MPI_Send(from + begin,
                      static_cast<int>(std::min(maxCount, bytes - begin)),
                      MPI_BYTE, static_cast<int>(toRank), 0, MPI_COMM_WORLD);
    });
}

void MPICommunicator::receive(void *data, int64_t bytes, int64_t fromRank) {
  char *to = static_cast<char *>(data);
  for (int64_t begin = 0; begin < bytes; begin += maxCount)
    waitIn("a receive", [&] {
      return MPI_Recv(to + begin,
                      static_cast<int>(std::min(maxCount, bytes - begin)),
                      MPI_BYTE, static_cast<int>(fromRank), 0, MPI_COMM_WORLD,
                      MPI_STATUS_IGNORE);
    });
}

// What goes wrong with a note is as if the other rank did not answer.

/// Even a short message may wait for its receiver, which may have stopped: what
/// is sent stays here until it has arrived, if ever.
void MPICommunicator::sendNote(const void *data, int64_t bytes,
                               int64_t toRank) {
  const char *from = static_cast<const char *>(data);
  sentNotes.remove_if([](SentNote &note) {
    int isDone = 0;
    MPI_Test(&note.request, &isDone, MPI_STATUS_IGNORE);
    return isDone != 0;
  });
  SentNote &note = sentNotes.emplace_back();
  note.data.assign(from, from + bytes);
  MPI_Isend(note.data.data(), static_cast<int>(bytes), MPI_BYTE,
            static_cast<int>(toRank), 0, notes, &note.request);
}

bool MPICommunicator::takeNote(void *data, int64_t bytes, int64_t &fromRank) {
  int isThere = 0;
  MPI_Status status;
  if (MPI_Iprobe(MPI_ANY_SOURCE, 0, notes, &isThere, &status) != MPI_SUCCESS ||
      !isThere)
    return false;
  fromRank = status.MPI_SOURCE;
  return MPI_Recv(data, static_cast<int>(bytes), MPI_BYTE, status.MPI_SOURCE, 0,
                  notes, MPI_STATUS_IGNORE) == MPI_SUCCESS;
}

std::unique_ptr<Communicator>
boost_rt::createMPICommunicator(const Mesh &mesh, const std::string &program) {
  return std::make_unique<MPICommunicator>(mesh, program);
}
