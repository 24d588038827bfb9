//===- Nccl.cpp - NCCL through MPI ----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every rank gathers what all have and reduces it by itself, in the order of
// the ranks and in the type of the elements, as NCCL does: bf16 is rounded at
// every addition.
//
//===----------------------------------------------------------------------===//

#include "Provider.h"
#include "common/ElementType.h"

#include <algorithm>
#include <cstring>
#include <mpi.h>
#include <random>
#include <sstream>

using namespace boost_emu;
using namespace boost_rt::vendor;

namespace {

struct Ranks {
  MPI_Comm connection;
  int size, rank, number;
};

/// A call between ncclGroupStart and ncclGroupEnd.
struct Operation {
  std::string description;
  Work work;
  CudaStream stream;
};

} // namespace

static int groupDepth = 0;
static std::vector<Operation> grouped;
/// Of the sends of a group, until its end.
static std::vector<MPI_Request> pendingSends;

static Ranks &get(NcclCommunicator handle) {
  return *reinterpret_cast<Ranks *>(handle);
}

static size_t getWidth(int type) {
  switch (type) {
  case ncclInt64:
  case ncclFloat64:
    return 8;
  case ncclInt32:
  case ncclFloat32:
    return 4;
  case ncclFloat16:
  case ncclBFloat16:
    return 2;
  default:
    return 1;
  }
}

template <typename T>
static void reduceInto(T *result, const T *value, size_t count, int operation) {
  for (size_t i = 0; i < count; ++i) {
    if (operation == ncclSum)
      result[i] = static_cast<T>(result[i] + value[i]);
    else if (operation == ncclMax)
      result[i] = value[i] > result[i] ? value[i] : result[i];
    else
      result[i] = value[i] < result[i] ? value[i] : result[i];
  }
}

template <typename T>
static void reduceAs(void *result, const void *value, size_t count,
                     int operation) {
  reduceInto(static_cast<T *>(result), static_cast<const T *>(value), count,
             operation);
}

static void reduce(void *result, const void *value, size_t count, int type,
                   int operation) {
  switch (type) {
  case ncclFloat32:
    return reduceAs<float>(result, value, count, operation);
  case ncclFloat64:
    return reduceAs<double>(result, value, count, operation);
  case ncclFloat16:
    return reduceAs<boost_rt::Float16>(result, value, count, operation);
  case ncclBFloat16:
    return reduceAs<boost_rt::BFloat16>(result, value, count, operation);
  case ncclInt32:
    return reduceAs<int32_t>(result, value, count, operation);
  case ncclInt64:
    return reduceAs<int64_t>(result, value, count, operation);
  case ncclUInt8:
    return reduceAs<uint8_t>(result, value, count, operation);
  default:
    return reduceAs<int8_t>(result, value, count, operation);
  }
}

static NcclResult submit(Operation operation) {
  constexpr NcclResult kInvalid = 4;
  if (groupDepth > 0) {
    grouped.push_back(std::move(operation));
    return ncclSuccess;
  }
  return enqueue(operation.stream, operation.description, operation.work) ==
                 cudaSuccess
             ? ncclSuccess
             : kInvalid;
}

static std::string describe(const char *call, const Ranks &ranks,
                            const void *src, const void *dst, size_t srcBytes,
                            size_t dstBytes) {
  std::ostringstream line;
  auto offset = [](const void *pointer) {
    return reinterpret_cast<uint64_t>(pointer) - kDeviceMemory;
  };
  line << "{\"call\": \"" << call << "\", \"communicator\": " << ranks.number
       << ", \"src\": " << offset(src) << ", \"src_bytes\": " << srcBytes
       << ", \"dst\": " << offset(dst) << ", \"dst_bytes\": " << dstBytes
       << "}";
  return line.str();
}

static std::string checkRanges(const void *src, size_t srcBytes,
                               const void *dst, size_t dstBytes) {
  bool isFine = isAllocated(reinterpret_cast<uint64_t>(src), srcBytes) &&
                isAllocated(reinterpret_cast<uint64_t>(dst), dstBytes);
  return isFine ? "" : "a collective touches memory that is not allocated";
}

/// What all ranks have at `src`, one after the other.
static std::vector<char> gather(const Ranks &ranks, const void *src,
                                size_t bytes) {
  std::vector<char> all(bytes * static_cast<size_t>(ranks.size));
  MPI_Allgather(src, static_cast<int>(bytes), MPI_BYTE, all.data(),
                static_cast<int>(bytes), MPI_BYTE, ranks.connection);
  return all;
}

extern "C" {

NcclResult ncclGetUniqueId(NcclId *id) {
  std::random_device random;
  for (char &byte : id->bytes)
    byte = static_cast<char>(random());
  return ncclSuccess;
}

NcclResult ncclCommInitRank(NcclCommunicator *result, int size, NcclId id,
                            int rank) {
  static int count = 0;
  if (refusedByCapture("ncclCommInitRank"))
    return 5;
  int color;
  std::memcpy(&color, id.bytes, sizeof(color));
  auto *ranks = new Ranks{MPI_COMM_NULL, size, rank, count++};
  MPI_Comm_split(MPI_COMM_WORLD, color & 0x7fffffff, rank, &ranks->connection);
  int actual = 0;
  MPI_Comm_size(ranks->connection, &actual);
  if (actual != size) {
    report("a group of " + std::to_string(size) + " ranks has " +
           std::to_string(actual));
    return 5;
  }
  *result = reinterpret_cast<NcclCommunicator>(ranks);
  return ncclSuccess;
}

NcclResult ncclCommGetAsyncError(NcclCommunicator, NcclResult *result) {
  *result = ncclSuccess;
  return ncclSuccess;
}

NcclResult ncclCommAbort(NcclCommunicator) { return ncclSuccess; }

NcclResult ncclCommDestroy(NcclCommunicator handle) {
  delete reinterpret_cast<Ranks *>(handle);
  return ncclSuccess;
}

NcclResult ncclGroupStart() {
  ++groupDepth;
  return ncclSuccess;
}

NcclResult ncclGroupEnd() {
  if (--groupDepth > 0)
    return ncclSuccess;
  if (grouped.empty())
    return ncclSuccess;
  std::vector<Operation> operations = std::move(grouped);
  grouped.clear();
  auto finish = [] {
    MPI_Waitall(static_cast<int>(pendingSends.size()), pendingSends.data(),
                MPI_STATUSES_IGNORE);
    pendingSends.clear();
    return std::string();
  };
  operations.push_back(
      {"{\"call\": \"end of group\"}", finish, operations.back().stream});
  for (Operation &operation : operations)
    if (NcclResult result = submit(std::move(operation)))
      return result;
  return ncclSuccess;
}

NcclResult ncclAllReduce(const void *src, void *dst, size_t count, int type,
                         int operation, NcclCommunicator handle,
                         CudaStream stream) {
  Ranks &ranks = get(handle);
  size_t bytes = count * getWidth(type);
  auto work = [=, &ranks]() -> std::string {
    if (std::string problem = checkRanges(src, bytes, dst, bytes);
        !problem.empty() || skipsCompute())
      return problem;
    std::vector<char> all = gather(ranks, translateDeviceAddress(src), bytes);
    char *result = static_cast<char *>(translateDeviceAddress(dst));
    std::memcpy(result, all.data(), bytes);
    for (int i = 1; i < ranks.size; ++i)
      reduce(result, all.data() + static_cast<size_t>(i) * bytes, count, type,
             operation);
    return "";
  };
  return submit(
      {describe("all_reduce", ranks, src, dst, bytes, bytes), work, stream});
}

NcclResult ncclReduceScatter(const void *src, void *dst, size_t count, int type,
                             int operation, NcclCommunicator handle,
                             CudaStream stream) {
  Ranks &ranks = get(handle);
  size_t bytes = count * getWidth(type);
  size_t total = bytes * static_cast<size_t>(ranks.size);
  auto work = [=, &ranks]() -> std::string {
    if (std::string problem = checkRanges(src, total, dst, bytes);
        !problem.empty() || skipsCompute())
      return problem;
    std::vector<char> all = gather(ranks, translateDeviceAddress(src), total);
    char *result = static_cast<char *>(translateDeviceAddress(dst));
    for (int i = 0; i < ranks.size; ++i) {
      const char *piece = all.data() + static_cast<size_t>(i) * total +
                          static_cast<size_t>(ranks.rank) * bytes;
      if (i == 0)
        std::memcpy(result, piece, bytes);
      else
        reduce(result, piece, count, type, operation);
    }
    return "";
  };
  return submit({describe("reduce_scatter", ranks, src, dst, total, bytes),
                 work, stream});
}

NcclResult ncclAllGather(const void *src, void *dst, size_t count, int type,
                         NcclCommunicator handle, CudaStream stream) {
  Ranks &ranks = get(handle);
  size_t bytes = count * getWidth(type);
  size_t total = bytes * static_cast<size_t>(ranks.size);
  auto work = [=, &ranks]() -> std::string {
    if (std::string problem = checkRanges(src, bytes, dst, total);
        !problem.empty() || skipsCompute())
      return problem;
    std::vector<char> all = gather(ranks, translateDeviceAddress(src), bytes);
    std::memcpy(translateDeviceAddress(dst), all.data(), total);
    return "";
  };
  return submit(
      {describe("all_gather", ranks, src, dst, bytes, total), work, stream});
}

NcclResult ncclSend(const void *src, size_t count, int type, int peer,
                    NcclCommunicator handle, CudaStream stream) {
  Ranks &ranks = get(handle);
  size_t bytes = count * getWidth(type);
  auto work = [=, &ranks]() -> std::string {
    if (std::string problem = checkRanges(src, bytes, src, bytes);
        !problem.empty() || skipsCompute())
      return problem;
    pendingSends.emplace_back();
    MPI_Isend(translateDeviceAddress(src), static_cast<int>(bytes), MPI_BYTE,
              peer, 0, ranks.connection, &pendingSends.back());
    return "";
  };
  return submit({describe("send", ranks, src, src, bytes, 0), work, stream});
}

NcclResult ncclRecv(void *dst, size_t count, int type, int peer,
                    NcclCommunicator handle, CudaStream stream) {
  Ranks &ranks = get(handle);
  size_t bytes = count * getWidth(type);
  auto work = [=, &ranks]() -> std::string {
    if (std::string problem = checkRanges(dst, bytes, dst, bytes);
        !problem.empty() || skipsCompute())
      return problem;
    MPI_Recv(translateDeviceAddress(dst), static_cast<int>(bytes), MPI_BYTE,
             peer, 0, ranks.connection, MPI_STATUS_IGNORE);
    return "";
  };
  return submit({describe("receive", ranks, dst, dst, 0, bytes), work, stream});
}

} // extern "C"
