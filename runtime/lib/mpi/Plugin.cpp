//===- Plugin.cpp - The functions of MPI that programs call ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one file that knows <mpi.h>. MPI picks its algorithms from the number of
// ranks and elements, so results repeat from run to run.
//
//===----------------------------------------------------------------------===//

#include "mpi/Plugin.h"

#define OMPI_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <list>
#include <vector>

static std::vector<MPI_Comm> groups;
/// For notes alone; null if MPI takes calls of one thread only.
static MPI_Comm notes = MPI_COMM_NULL;
static MPI_Request barrier = MPI_REQUEST_NULL;
/// By number; null for numbers that are free.
static std::vector<MPI_Request> sends;

/// Even a short message may wait for its receiver, which may have stopped: what
/// is sent stays here until it has arrived, if ever.
struct SentNote {
  MPI_Request request = MPI_REQUEST_NULL;
  std::vector<char> data;
};
static std::list<SentNote> sentNotes;

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
  case BOOST_RT_I16:
    return MPI_INT16_T;
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

static MPI_Comm communicatorOf(int group) {
  return groups[static_cast<size_t>(group)];
}

//===----------------------------------------------------------------------===//
// Start and end
//===----------------------------------------------------------------------===//

/// Asks for threads because the watching one sends notes while the other waits.
static int start(int *rank, int *size, int *takesThreads) {
  int provided = 0;
  int status =
      MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
  if (status != MPI_SUCCESS)
    return status;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, size);
  *takesThreads = provided >= MPI_THREAD_MULTIPLE;
  return *takesThreads ? MPI_Comm_dup(MPI_COMM_WORLD, &notes) : MPI_SUCCESS;
}

static int end() {
  for (MPI_Comm &group : groups)
    MPI_Comm_free(&group);
  groups.clear();
  if (notes != MPI_COMM_NULL)
    MPI_Comm_free(&notes);
  return MPI_Finalize();
}

static void abortAll(int exitCode) { MPI_Abort(MPI_COMM_WORLD, exitCode); }

static void describeError(int error, char *text, int length) {
  char whole[MPI_MAX_ERROR_STRING] = "";
  int wholeLength = 0;
  MPI_Error_string(error, whole, &wholeLength);
  std::snprintf(text, static_cast<size_t>(length), "%s", whole);
}

static int countLocalRanks(int *count) {
  MPI_Comm node;
  int status = MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0,
                                   MPI_INFO_NULL, &node);
  if (status != MPI_SUCCESS)
    return status;
  MPI_Comm_size(node, count);
  return MPI_Comm_free(&node);
}

static int splitRanks(int color, int key, int *group) {
  *group = static_cast<int>(groups.size());
  return MPI_Comm_split(MPI_COMM_WORLD, color, key,
                        &groups.emplace_back(MPI_COMM_NULL));
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

static int allReduce(int group, boost_rt_reduction reduction,
                     boost_rt_type type, void *data, int count) {
  return MPI_Allreduce(MPI_IN_PLACE, data, count, mpiTypeOf(type),
                       mpiOpOf(reduction, type), communicatorOf(group));
}

static int reduceScatter(int group, boost_rt_reduction reduction,
                         boost_rt_type type, const void *src, void *dst,
                         int count) {
  return MPI_Reduce_scatter_block(src, dst, count, mpiTypeOf(type),
                                  mpiOpOf(reduction, type),
                                  communicatorOf(group));
}

static int allGather(int group, const void *src, void *dst, int bytes) {
  return MPI_Allgather(src, bytes, MPI_BYTE, dst, bytes, MPI_BYTE,
                       communicatorOf(group));
}

static int allToAll(int group, const void *src, void *dst, int bytes) {
  return MPI_Alltoall(src, bytes, MPI_BYTE, dst, bytes, MPI_BYTE,
                      communicatorOf(group));
}

static int enterBarrier() { return MPI_Ibarrier(MPI_COMM_WORLD, &barrier); }

static int testBarrier(int *done) {
  return MPI_Test(&barrier, done, MPI_STATUS_IGNORE);
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

static int sendTo(const void *data, int bytes, int toRank) {
  return MPI_Send(data, bytes, MPI_BYTE, toRank, 0, MPI_COMM_WORLD);
}

static int receiveFrom(void *data, int bytes, int fromRank) {
  return MPI_Recv(data, bytes, MPI_BYTE, fromRank, 0, MPI_COMM_WORLD,
                  MPI_STATUS_IGNORE);
}

static int startSend(const void *data, int bytes, int toRank, int *number) {
  auto free = std::find(sends.begin(), sends.end(), MPI_REQUEST_NULL);
  if (free == sends.end())
    free = sends.insert(free, MPI_REQUEST_NULL);
  *number = static_cast<int>(free - sends.begin());
  return MPI_Isend(data, bytes, MPI_BYTE, toRank, 0, MPI_COMM_WORLD, &*free);
}

static int testSend(int number, int *done) {
  return MPI_Test(&sends[static_cast<size_t>(number)], done, MPI_STATUS_IGNORE);
}

static int waitForSend(int number) {
  return MPI_Wait(&sends[static_cast<size_t>(number)], MPI_STATUS_IGNORE);
}

// An error with a note has the effect of a rank that does not answer.

static void sendNote(const void *data, int bytes, int toRank) {
  const char *from = static_cast<const char *>(data);
  sentNotes.remove_if([](SentNote &note) {
    int isDone = 0;
    MPI_Test(&note.request, &isDone, MPI_STATUS_IGNORE);
    return isDone != 0;
  });
  SentNote &note = sentNotes.emplace_back();
  note.data.assign(from, from + bytes);
  MPI_Isend(note.data.data(), bytes, MPI_BYTE, toRank, 0, notes, &note.request);
  // The next note tests the request.
  // NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker)
}

static int takeNote(void *data, int bytes, int *fromRank) {
  int isThere = 0;
  MPI_Status status;
  if (MPI_Iprobe(MPI_ANY_SOURCE, 0, notes, &isThere, &status) != MPI_SUCCESS ||
      !isThere)
    return 0;
  *fromRank = status.MPI_SOURCE;
  return MPI_Recv(data, bytes, MPI_BYTE, status.MPI_SOURCE, 0, notes,
                  MPI_STATUS_IGNORE) == MPI_SUCCESS;
}

const boost_mpi_functions boost_mpi_plugin = {
    start,        end,         abortAll,      describeError, countLocalRanks,
    splitRanks,   allReduce,   reduceScatter, allGather,     allToAll,
    sendTo,       receiveFrom, startSend,     testSend,      waitForSend,
    enterBarrier, testBarrier, sendNote,      takeNote};
