//===- Message.h - Checked messages between two ranks -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both ends of a connection know which message comes next. Each message carries
// a header that says so and a checksum of its bytes: a receiver notices bytes
// that were changed, lost, added or repeated on the way, and ranks that are at
// different places of the program.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_TCP_MESSAGE_H
#define BOOST_RUNTIME_TCP_MESSAGE_H

#include "tcp/Socket.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace boost_rt {

/// The call that a message belongs to.
enum class MessageKind : uint32_t {
  allReduce,
  reduceScatter,
  allGather,
  allToAll,
  pointToPoint,
  barrier,
  note,
};

/// "an all-reduce", "a barrier": a literal. Nothing if there is no such kind.
const char *nameOf(MessageKind kind);

/// Goes in front of the bytes of a message, in the byte order of the machine:
/// all ranks run the same executable.
struct MessageHeader {
  MessageKind kind;
  /// The collective of the plan, or -1.
  int32_t site;
  /// Counts the messages of a connection in one direction.
  uint64_t sequence;
  /// Without the header and the checksum behind the bytes.
  uint64_t bytes;
  /// Checksum of the members above.
  uint64_t checksum;

  static MessageHeader of(MessageKind kind, int32_t site, uint64_t sequence,
                          int64_t bytes);
  /// "an all-reduce of 64 bytes at site 3 (message 12)".
  std::string str() const;
};

/// The state of a message.
enum class MessageState { underWay, complete, closed, damaged };

/// One end of a message: the header, the bytes, and their checksum, which goes
/// on from chunk to chunk so that it is taken while a chunk is in the cache.
class MessageProgress {
protected:
  explicit MessageProgress(const MessageHeader &header) : header(header) {}

  int64_t size() const { return static_cast<int64_t>(header.bytes); }
  int64_t total() const;
  /// Includes the chunk at `checked`, which ends at the result.
  int64_t checkChunk(const char *data);
  int64_t chunkEnd() const;

  MessageHeader header;
  /// Bytes of the message that were moved, with its header and checksum.
  int64_t moved = 0;
  /// Bytes of the data that the checksum includes.
  int64_t checked = 0;
  uint64_t checksum = 0;
};

class OutgoingMessage : MessageProgress {
public:
  /// `data` stays where it is until the message is complete.
  OutgoingMessage(const MessageHeader &header, const char *data)
      : MessageProgress(header), data(data) {}

  /// Sends what can be sent at once; never damaged.
  MessageState advance(int socket);

private:
  const char *data;
};

class IncomingMessage : MessageProgress {
public:
  /// The only message that may come, and room for its bytes.
  IncomingMessage(const MessageHeader &expected, char *data)
      : MessageProgress(expected), data(data) {}

  /// Receives what has come, and nothing of what follows the message.
  MessageState advance(int socket);
  bool hasBegun() const { return moved > 0; }
  /// Describes the damage: "an all-reduce of ... where it expected ...".
  std::string describeDamage() const;

private:
  MessageState check();

  char *data;
  MessageHeader received = {};
  uint64_t receivedChecksum = 0;
};

/// A connection to another rank that carries messages. One thread may send over
/// it while another one receives.
struct Link {
  Link() = default;
  explicit Link(Socket socket) : socket(std::move(socket)) {}

  Socket socket;
  /// Messages whose place in the order was taken, and those that are complete.
  uint64_t nextOut = 0, doneOut = 0, nextIn = 0, doneIn = 0;
};

/// A part of an exchange: what is to be sent over a connection, and what to be
/// received. Either may be left out.
struct Transfer {
  static constexpr int64_t none = -1;

  Link *link;
  const char *out;
  int64_t outBytes;
  char *in;
  int64_t inBytes;
};

/// The end of an exchange: the transfer that failed, unless all are complete.
struct ExchangeResult {
  MessageState state = MessageState::complete;
  size_t transfer = 0;
  /// The describeDamage() of a damaged message.
  std::string damage = {};
};

/// Moves all of them, in whatever order they can; those of one connection in
/// their order. While there is nothing to move it calls `idle`, which returns
/// whether to call it again soon.
ExchangeResult exchange(MessageKind kind, int32_t site,
                        const std::vector<Transfer> &transfers,
                        const std::function<bool()> &idle = {});

} // namespace boost_rt

#endif // BOOST_RUNTIME_TCP_MESSAGE_H
