//===- Message.cpp - Checked messages between two ranks -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcp/Message.h"
#include "common/Failure.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <poll.h>
#include <sys/uio.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

using namespace boost_rt;

/// Small enough for the cache of a core, large enough for one call each.
static constexpr int64_t chunkBytes = int64_t(128) << 10;

static constexpr int64_t headerBytes = sizeof(MessageHeader);
static constexpr int64_t checksumBytes = sizeof(uint64_t);

const char *boost_rt::nameOf(MessageKind kind) {
  switch (kind) {
  case MessageKind::allReduce:
    return "an all-reduce";
  case MessageKind::reduceScatter:
    return "a reduce-scatter";
  case MessageKind::allGather:
    return "an all-gather";
  case MessageKind::allToAll:
    return "an all-to-all";
  case MessageKind::pointToPoint:
    return "a send or receive";
  case MessageKind::barrier:
    return "a barrier";
  case MessageKind::note:
    return "a note";
  }
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Headers
//===----------------------------------------------------------------------===//

static uint64_t checksumOf(const MessageHeader &header) {
  return XXH3_64bits(&header, offsetof(MessageHeader, checksum));
}

MessageHeader MessageHeader::of(MessageKind kind, int32_t site,
                                uint64_t sequence, int64_t bytes) {
  MessageHeader header{kind, site, sequence, static_cast<uint64_t>(bytes), 0};
  header.checksum = checksumOf(header);
  return header;
}

std::string MessageHeader::str() const {
  const char *name = nameOf(kind);
  return concat(name ? name : "a message of no known kind", " of ", bytes,
                " bytes", site < 0 ? "" : concat(" at site ", site),
                " (message ", sequence, ")");
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

int64_t MessageProgress::total() const {
  return headerBytes + size() + checksumBytes;
}

int64_t MessageProgress::chunkEnd() const {
  return std::min(checked + chunkBytes, size());
}

int64_t MessageProgress::checkChunk(const char *data) {
  int64_t end = chunkEnd();
  checksum = XXH3_64bits_withSeed(data + checked,
                                  static_cast<size_t>(end - checked), checksum);
  checked = end;
  return end;
}

namespace {
/// The rest of a message from a position on, as ranges of memory.
class Ranges {
public:
  explicit Ranges(int64_t skipped) : skipped(skipped) {}

  void add(const void *data, int64_t bytes) {
    int64_t skip = std::min(skipped, bytes);
    skipped -= skip;
    if (skip == bytes)
      return;
    char *begin = static_cast<char *>(const_cast<void *>(data)) + skip;
    ranges[static_cast<size_t>(count++)] = {begin,
                                            static_cast<size_t>(bytes - skip)};
    offered += bytes - skip;
  }

  std::array<iovec, 3> ranges;
  int count = 0;
  /// Bytes in all of them.
  int64_t offered = 0;

private:
  int64_t skipped;
};
} // namespace

MessageState OutgoingMessage::advance(int socket) {
  while (moved < total()) {
    // A chunk is checked once all before it are sent. The header goes with the
    // first and the checksum with the last: each call may wake the other end.
    if (checked < size() && moved >= (checked > 0 ? headerBytes + checked : 0))
      checkChunk(data);
    Ranges ranges(moved);
    ranges.add(&header, headerBytes);
    ranges.add(data, checked);
    if (checked == size())
      ranges.add(&checksum, checksumBytes);
    int64_t sent = sendRanges(socket, ranges.ranges.data(), ranges.count);
    if (sent < 0)
      return MessageState::closed;
    moved += sent;
    if (sent < ranges.offered)
      return MessageState::underWay;
  }
  return MessageState::complete;
}

MessageState IncomingMessage::check() {
  if (moved >= headerBytes &&
      std::memcmp(&received, &header, sizeof(header)) != 0)
    return MessageState::damaged;
  while (checked < size() && moved - headerBytes >= chunkEnd())
    checkChunk(data);
  if (moved < total())
    return MessageState::underWay;
  return receivedChecksum == checksum ? MessageState::complete
                                      : MessageState::damaged;
}

MessageState IncomingMessage::advance(int socket) {
  while (true) {
    Ranges ranges(moved);
    ranges.add(&received, headerBytes);
    ranges.add(data, size());
    ranges.add(&receivedChecksum, checksumBytes);
    int64_t bytes = receiveRanges(socket, ranges.ranges.data(), ranges.count);
    if (bytes < 0)
      return MessageState::closed;
    moved += bytes;
    MessageState state = check();
    if (state != MessageState::underWay || bytes == 0)
      return state;
  }
}

std::string IncomingMessage::describeDamage() const {
  if (std::memcmp(&received, &header, sizeof(header)) == 0)
    return concat(header.str(), " whose bytes do not fit their checksum");
  bool isMessage = received.checksum == checksumOf(received);
  return concat(isMessage ? received.str() : "bytes that are not a message",
                " where it expected ", header.str());
}

//===----------------------------------------------------------------------===//
// Exchanges
//===----------------------------------------------------------------------===//

namespace {
/// A transfer and how far its messages are.
class MovingTransfer {
public:
  MovingTransfer(MessageKind kind, int32_t site, const Transfer &transfer)
      : link(*transfer.link), sends(transfer.outBytes != Transfer::none),
        receives(transfer.inBytes != Transfer::none),
        // One thread may send while another one receives.
        outTurn(sends ? link.nextOut++ : 0),
        inTurn(receives ? link.nextIn++ : 0),
        out(MessageHeader::of(kind, site, outTurn, transfer.outBytes),
            transfer.out),
        in(MessageHeader::of(kind, site, inTurn, transfer.inBytes),
           transfer.in) {}

  /// Moves what can be moved at once.
  MessageState advance() {
    if (sends && link.doneOut == outTurn) {
      MessageState state = out.advance(link.socket.get());
      if (state == MessageState::closed)
        return state;
      if (state == MessageState::complete)
        finish(sends, link.doneOut);
    }
    if (receives && link.doneIn == inTurn) {
      MessageState state = in.advance(link.socket.get());
      if (state != MessageState::complete && state != MessageState::underWay)
        return state;
      if (state == MessageState::complete)
        finish(receives, link.doneIn);
    }
    return sends || receives ? MessageState::underWay : MessageState::complete;
  }

  /// Returns the events that poll() has to wait for; none while other messages
  /// of its connection are under way.
  pollfd awaited() const {
    int events = (sends && link.doneOut == outTurn ? POLLOUT : 0) |
                 (receives && link.doneIn == inTurn ? POLLIN : 0);
    return {link.socket.get(), static_cast<short>(events), 0};
  }

  std::string describeDamage() const { return in.describeDamage(); }

private:
  static void finish(bool &isLeft, uint64_t &done) {
    isLeft = false;
    ++done;
  }

  Link &link;
  bool sends, receives;
  uint64_t outTurn, inTurn;
  OutgoingMessage out;
  IncomingMessage in;
};
} // namespace

ExchangeResult boost_rt::exchange(MessageKind kind, int32_t site,
                                  const std::vector<Transfer> &transfers,
                                  const std::function<bool()> &idle) {
  constexpr int soonMilliseconds = 5;
  std::vector<MovingTransfer> moving;
  moving.reserve(transfers.size());
  for (const Transfer &transfer : transfers)
    moving.emplace_back(kind, site, transfer);
  std::vector<pollfd> waiting;
  while (true) {
    waiting.clear();
    for (size_t i = 0; i < moving.size(); ++i) {
      MessageState state = moving[i].advance();
      if (state == MessageState::damaged)
        return {state, i, moving[i].describeDamage()};
      if (state == MessageState::closed)
        return {state, i};
      if (state == MessageState::underWay)
        waiting.push_back(moving[i].awaited());
    }
    if (waiting.empty())
      return {};
    bool isSoon = idle && idle();
    ::poll(waiting.data(), waiting.size(), isSoon ? soonMilliseconds : -1);
  }
}
