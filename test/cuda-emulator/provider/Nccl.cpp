//===- Nccl.cpp - NCCL over TCP -------------------------------------------===//
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
#include "common/Failure.h"
#include "tcp/Meeting.h"
#include "tcp/Message.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <random>
#include <sstream>
#include <thread>

using namespace boost_emu;
using namespace boost_rt::vendor;

namespace {

struct Ranks {
  /// By rank.
  std::vector<boost_rt::Link> links;
  int size, rank, number;
};

/// Content of an NcclId: the port where the first rank listens, and a name that
/// ranks need to join.
struct Place {
  uint16_t port;
  uint32_t name;
};

/// A send or receive of a group, which takes place at its end; the other of the
/// two addresses is null.
struct Message {
  Ranks *ranks;
  int peer;
  const char *src;
  char *dst;
  int64_t bytes;
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
static std::vector<Message> messages;
/// Sockets of the groups that this rank has named, by port.
static std::map<uint16_t, boost_rt::Socket> listeners;

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

/// Waits for a rank that has ended as for one that is slow: NCCL may not notice
/// either.
static void exchangeAll(boost_rt::MessageKind kind,
                        const std::vector<boost_rt::Transfer> &transfers) {
  auto result = boost_rt::exchange(kind, /*site=*/-1, transfers);
  while (result.state != boost_rt::MessageState::complete)
    std::this_thread::sleep_for(std::chrono::hours(1));
}

/// Returns the bytes at `src` of all ranks, in order.
static std::vector<char> gather(Ranks &ranks, const void *src, size_t bytes) {
  std::vector<char> all(bytes * static_cast<size_t>(ranks.size));
  std::memcpy(all.data() + static_cast<size_t>(ranks.rank) * bytes, src, bytes);
  std::vector<boost_rt::Transfer> transfers;
  auto count = static_cast<int64_t>(bytes);
  for (size_t i = 0; i < ranks.links.size(); ++i)
    if (static_cast<int>(i) != ranks.rank)
      transfers.push_back({&ranks.links[i], static_cast<const char *>(src),
                           count, all.data() + i * bytes, count});
  exchangeAll(boost_rt::MessageKind::allGather, transfers);
  return all;
}

/// Sends and receives what a group has called for.
static void moveMessages() {
  std::vector<boost_rt::Transfer> transfers;
  std::vector<const Message *> sentToSelf, receivedFromSelf;
  for (const Message &message : messages) {
    auto [ranks, peer, src, dst, bytes] = message;
    if (peer == ranks->rank)
      (src ? sentToSelf : receivedFromSelf).push_back(&message);
    else
      transfers.push_back({&ranks->links[static_cast<size_t>(peer)], src,
                           src ? bytes : boost_rt::Transfer::none, dst,
                           dst ? bytes : boost_rt::Transfer::none});
  }
  for (size_t i = 0; i < receivedFromSelf.size(); ++i)
    std::memcpy(receivedFromSelf[i]->dst, sentToSelf.at(i)->src,
                static_cast<size_t>(receivedFromSelf[i]->bytes));
  exchangeAll(boost_rt::MessageKind::pointToPoint, transfers);
  messages.clear();
}

extern "C" {

NcclResult ncclGetUniqueId(NcclId *id) {
  std::string error;
  boost_rt::Socket listener =
      boost_rt::listenAt("127.0.0.1", 0, /*everywhere=*/false, error);
  if (!listener.isOpen()) {
    report("cannot listen: " + error);
    return 2;
  }
  Place place{boost_rt::localAddress(listener).port, std::random_device()()};
  std::memcpy(id->bytes, &place, sizeof(place));
  listeners[place.port] = std::move(listener);
  return ncclSuccess;
}

NcclResult ncclCommInitRank(NcclCommunicator *result, int size, NcclId id,
                            int rank) {
  static int count = 0;
  if (refusedByCapture("ncclCommInitRank"))
    return 5;
  Place place;
  std::memcpy(&place, id.bytes, sizeof(place));
  boost_rt::Meeting meeting;
  meeting.rank = rank;
  meeting.size = size;
  meeting.host = "127.0.0.1";
  meeting.port = place.port;
  meeting.identity = std::to_string(place.name);
  boost_rt::Socket listener;
  if (rank == 0)
    listener = std::move(listeners[place.port]);
  try {
    auto connections = boost_rt::meet(meeting, listener);
    std::vector<boost_rt::Link> links;
    for (boost_rt::Socket &socket : connections.channels[0])
      links.emplace_back(std::move(socket));
    *result = reinterpret_cast<NcclCommunicator>(
        new Ranks{std::move(links), size, rank, count++});
  } catch (const boost_rt::Failure &failure) {
    report(failure.what());
    return 5;
  }
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
    moveMessages();
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

NcclResult ncclBroadcast(const void *src, void *dst, size_t count, int type,
                         int root, NcclCommunicator handle, CudaStream stream) {
  Ranks &ranks = get(handle);
  size_t bytes = count * getWidth(type);
  auto work = [=, &ranks]() -> std::string {
    if (std::string problem = checkRanges(src, bytes, dst, bytes);
        !problem.empty() || skipsCompute())
      return problem;
    std::vector<char> all = gather(ranks, translateDeviceAddress(src), bytes);
    std::memcpy(translateDeviceAddress(dst),
                all.data() + static_cast<size_t>(root) * bytes, bytes);
    return "";
  };
  return submit(
      {describe("broadcast", ranks, src, dst, bytes, bytes), work, stream});
}

NcclResult ncclSend(const void *src, size_t count, int type, int peer,
                    NcclCommunicator handle, CudaStream stream) {
  Ranks &ranks = get(handle);
  size_t bytes = count * getWidth(type);
  auto work = [=, &ranks]() -> std::string {
    if (std::string problem = checkRanges(src, bytes, src, bytes);
        !problem.empty() || skipsCompute())
      return problem;
    messages.push_back({&ranks, peer,
                        static_cast<const char *>(translateDeviceAddress(src)),
                        nullptr, static_cast<int64_t>(bytes)});
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
    messages.push_back({&ranks, peer, nullptr,
                        static_cast<char *>(translateDeviceAddress(dst)),
                        static_cast<int64_t>(bytes)});
    return "";
  };
  return submit({describe("receive", ranks, dst, dst, 0, bytes), work, stream});
}

} // extern "C"
