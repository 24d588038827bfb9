//===- MPICommunicator.cpp - Ranks that talk through MPI ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One MPI communicator per group mask, made at start. MPI picks its algorithm
// from the number of ranks and elements, so results repeat from run to run.
//
//===----------------------------------------------------------------------===//

#include "common/Communicator.h"
#include "common/ElementType.h"
#include "common/Failure.h"

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <thread>

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

static void check(int status, const char *what) {
  if (status == MPI_SUCCESS)
    return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(status, text, &length);
  abortProgram(concat(what, " failed: ", std::string(text, length)));
}

/// For collectives that cannot be cut into pieces of the buffer.
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
  [[noreturn]] void abort(int exitCode) override {
    MPI_Abort(MPI_COMM_WORLD, exitCode);
    std::_Exit(exitCode);
  }

private:
  std::vector<MPI_Comm> groups;
  int worldRank = 0;
  int worldSize = 1;
  int nodeSize = 1;
};
} // namespace

MPICommunicator::MPICommunicator(const Mesh &mesh, const std::string &program) {
  int provided = 0;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) !=
      MPI_SUCCESS)
    throw Failure(ExitCode::trainingFailed, "MPI could not be started");
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, &worldRank);
  MPI_Comm_size(MPI_COMM_WORLD, &worldSize);
  if (worldSize != mesh.size()) {
    MPI_Finalize();
    refuseRankCount(mesh, worldSize, program);
  }
  MPI_Comm node;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL,
                      &node);
  MPI_Comm_size(node, &nodeSize);
  MPI_Comm_free(&node);
  groups.resize(mesh.allAxes() + 1u, MPI_COMM_NULL);
  for (uint32_t group = 1; group < groups.size(); ++group)
    check(MPI_Comm_split(MPI_COMM_WORLD,
                         static_cast<int>(mesh.groupIndex(worldRank, group)),
                         static_cast<int>(mesh.groupPosition(worldRank, group)),
                         &groups[group]),
          "splitting the ranks into groups");
}

MPICommunicator::~MPICommunicator() {
  for (MPI_Comm &group : groups)
    if (group != MPI_COMM_NULL)
      MPI_Comm_free(&group);
  MPI_Finalize();
}

void MPICommunicator::allReduce(uint32_t group, boost_rt_reduction reduction,
                                boost_rt_type type, void *data, int64_t count) {
  char *bytes = static_cast<char *>(data);
  for (int64_t begin = 0; begin < count; begin += maxCount)
    check(MPI_Allreduce(MPI_IN_PLACE, bytes + begin * sizeOf(type),
                        static_cast<int>(std::min(maxCount, count - begin)),
                        mpiTypeOf(type), mpiOpOf(reduction, type),
                        groups[group]),
          "all-reduce");
}

void MPICommunicator::reduceScatter(uint32_t group,
                                    boost_rt_reduction reduction,
                                    boost_rt_type type, const void *src,
                                    void *dst, int64_t count) {
  check(MPI_Reduce_scatter_block(src, dst, checkedCount(count), mpiTypeOf(type),
                                 mpiOpOf(reduction, type), groups[group]),
        "reduce-scatter");
}

void MPICommunicator::allGather(uint32_t group, const void *src, void *dst,
                                int64_t bytes) {
  int count = checkedCount(bytes);
  check(
      MPI_Allgather(src, count, MPI_BYTE, dst, count, MPI_BYTE, groups[group]),
      "all-gather");
}

void MPICommunicator::allToAll(uint32_t group, const void *src, void *dst,
                               int64_t bytes) {
  int count = checkedCount(bytes);
  check(MPI_Alltoall(src, count, MPI_BYTE, dst, count, MPI_BYTE, groups[group]),
        "all-to-all");
}

/// Ranks wait asleep: one of them may be computing for long, on the same cores.
void MPICommunicator::barrier() {
  MPI_Request request;
  check(MPI_Ibarrier(MPI_COMM_WORLD, &request), "barrier");
  int done = 0;
  while (true) {
    check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "barrier");
    if (done)
      return;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void MPICommunicator::send(const void *data, int64_t bytes, int64_t toRank) {
  const char *from = static_cast<const char *>(data);
  for (int64_t begin = 0; begin < bytes; begin += maxCount)
    check(MPI_Send(from + begin,
                   static_cast<int>(std::min(maxCount, bytes - begin)),
                   MPI_BYTE, static_cast<int>(toRank), 0, MPI_COMM_WORLD),
          "send");
}

void MPICommunicator::receive(void *data, int64_t bytes, int64_t fromRank) {
  char *to = static_cast<char *>(data);
  for (int64_t begin = 0; begin < bytes; begin += maxCount)
    check(MPI_Recv(to + begin,
                   static_cast<int>(std::min(maxCount, bytes - begin)),
                   MPI_BYTE, static_cast<int>(fromRank), 0, MPI_COMM_WORLD,
                   MPI_STATUS_IGNORE),
          "receive");
}

std::unique_ptr<Communicator>
boost_rt::createMPICommunicator(const Mesh &mesh, const std::string &program) {
  return std::make_unique<MPICommunicator>(mesh, program);
}
