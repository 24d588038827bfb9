//===- AmongEquals.cpp - One rank of several that hold the same -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AmongEquals.h"

using namespace boost_rt;
using namespace boost_rt::vendor;

using Connection = NcclAmongEquals::Connection;

static const Connection &get(NcclCommunicator handle) {
  return NcclAmongEquals::connections.at(reinterpret_cast<size_t>(handle) - 1);
}

/// Pointers to send from and receive at, by peer, until the group ends.
static std::map<int, const void *> sent;
static std::map<int, void *> received;
static size_t exchangedBytes;
static NcclCommunicator exchanging;
static CudaStream exchangeStream;
static bool isGrouped;

static void copy(void *dst, const void *src, size_t bytes, CudaStream stream) {
  EXPECT_TRUE(isGrouped);
  AmongEquals::seenSite = Activity::ofThisRank().getSite();
  checkInStep(functions().cuMemcpyDtoDAsync_v2(
                  reinterpret_cast<DevicePointer>(dst),
                  reinterpret_cast<DevicePointer>(src), bytes, stream),
              "copy");
}

static NcclResult startGroup() {
  EXPECT_FALSE(isGrouped);
  isGrouped = true;
  return ncclSuccess + 0;
}

static NcclResult endGroup() {
  EXPECT_TRUE(isGrouped);
  for (auto [peer, dst] : received)
    copy(dst, sent.at(get(exchanging).position), exchangedBytes,
         exchangeStream);
  sent.clear();
  received.clear();
  isGrouped = false;
  return ncclSuccess + 0;
}

template <typename T>
static void multiply(void *data, size_t count, int factor, CudaStream stream) {
  std::vector<T> values(count);
  auto address = reinterpret_cast<DevicePointer>(data);
  functions().cuMemcpyDtoHAsync_v2(values.data(), address, count * sizeof(T),
                                   stream);
  functions().cuStreamSynchronize(stream);
  for (T &value : values)
    value *= static_cast<T>(factor);
  functions().cuMemcpyHtoDAsync_v2(address, values.data(), count * sizeof(T),
                                   stream);
  functions().cuStreamSynchronize(stream);
}

static NcclResult allReduce(const void *src, void *dst, size_t count, int type,
                            int operation, NcclCommunicator connection,
                            CudaStream stream) {
  EXPECT_TRUE(type == ncclFloat32 || type == ncclInt32);
  copy(dst, src, 4 * count, stream);
  int factor = operation == ncclSum ? get(connection).size : 1;
  if (type == ncclInt32)
    multiply<int32_t>(dst, count, factor, stream);
  else
    multiply<float>(dst, count, factor, stream);
  return ncclSuccess + 0;
}

static NcclResult reduceScatter(const void *src, void *dst, size_t count,
                                int type, int operation,
                                NcclCommunicator connection,
                                CudaStream stream) {
  auto offset = 4 * count * static_cast<size_t>(get(connection).position);
  return allReduce(static_cast<const char *>(src) + offset, dst, count, type,
                   operation, connection, stream);
}

static NcclResult allGather(const void *src, void *dst, size_t bytes, int type,
                            NcclCommunicator connection, CudaStream stream) {
  EXPECT_EQ(type, ncclInt8);
  for (int i = 0; i < get(connection).size; ++i)
    copy(static_cast<char *>(dst) + static_cast<size_t>(i) * bytes, src, bytes,
         stream);
  return ncclSuccess + 0;
}

static NcclResult broadcast(const void *src, void *dst, size_t bytes, int type,
                            int root, NcclCommunicator connection,
                            CudaStream stream) {
  EXPECT_EQ(type, ncclInt8);
  EXPECT_LT(root, get(connection).size);
  copy(dst, src, bytes, stream);
  return ncclSuccess + 0;
}

static NcclResult send(const void *src, size_t bytes, int type, int peer,
                       NcclCommunicator connection, CudaStream stream) {
  EXPECT_EQ(type, ncclInt8);
  EXPECT_LT(peer, get(connection).size);
  sent[peer] = src;
  exchangedBytes = bytes;
  exchanging = connection;
  exchangeStream = stream;
  return ncclSuccess + 0;
}

static NcclResult receive(void *dst, size_t bytes, int type, int peer,
                          NcclCommunicator, CudaStream) {
  EXPECT_EQ(type, ncclInt8);
  EXPECT_EQ(bytes, exchangedBytes);
  EXPECT_TRUE(sent.count(peer));
  received[peer] = dst;
  return ncclSuccess + 0;
}

static NcclResult invent(NcclId *id) {
  ++NcclAmongEquals::names;
  std::strcpy(id->bytes, "a name");
  return ncclSuccess + 0;
}

static NcclResult connect(NcclCommunicator *handle, int size, NcclId id,
                          int position) {
  auto &connections = NcclAmongEquals::connections;
  connections.push_back({size, position, id.bytes});
  *handle = reinterpret_cast<NcclCommunicator>(connections.size());
  return ncclSuccess + 0;
}

static NcclResult ask(NcclCommunicator, NcclResult *result) {
  const Activity &activity = Activity::ofThisRank();
  EXPECT_TRUE(Activity::isWaiting(activity.getTicks()));
  EXPECT_STREQ(activity.getCall(), "the GPU");
  *result = NcclAmongEquals::found;
  return NcclAmongEquals::asked;
}

static NcclResult abortAll(NcclCommunicator) {
  ++NcclAmongEquals::aborted;
  std::fputs("NCCL is aborted\n", stderr);
  return ncclSuccess + 0;
}

static NcclResult end(NcclCommunicator) {
  ++NcclAmongEquals::ended;
  return ncclSuccess + 0;
}

NcclAmongEquals::NcclAmongEquals() {
  connections.clear();
  names = aborted = ended = 0;
  asked = found = ncclSuccess;
  auto &nccl = const_cast<Functions &>(functions());
  nccl.ncclGroupStart = startGroup;
  nccl.ncclGroupEnd = endGroup;
  nccl.ncclAllReduce = allReduce;
  nccl.ncclReduceScatter = reduceScatter;
  nccl.ncclAllGather = allGather;
  nccl.ncclBroadcast = broadcast;
  nccl.ncclSend = send;
  nccl.ncclRecv = receive;
  nccl.ncclGetUniqueId = invent;
  nccl.ncclCommInitRank = connect;
  nccl.ncclCommGetAsyncError = ask;
  nccl.ncclCommAbort = abortAll;
  nccl.ncclCommDestroy = end;
}
