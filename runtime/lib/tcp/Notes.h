//===- Notes.h - The side channel of the ranks ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_TCP_NOTES_H
#define BOOST_RUNTIME_TCP_NOTES_H

#include "tcp/Message.h"
#include "tcp/Socket.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace boost_rt {

/// The notes of Communicator, over connections of their own. Any thread may
/// call.
class Notes {
public:
  /// Called with a rank and what it has sent, if that is damaged.
  using OnDamage = std::function<void(int64_t rank, const std::string &damage)>;

  /// One connection for each rank; that of the rank itself is not open.
  Notes(std::vector<Socket> sockets, OnDamage onDamage);

  /// Waits for nobody: what cannot be sent yet goes with a later call.
  void send(const void *data, int64_t bytes, int64_t toRank);
  /// Takes a note of so many bytes; false if none has come.
  bool take(void *data, int64_t bytes, int64_t &fromRank);
  /// Sends what can be sent. False if nothing is left.
  bool flush();
  /// Returns true if a rank has closed its connection, as it does when it ends.
  bool hasLost(int64_t rank) const;

private:
  /// A note that was not sent yet.
  struct Unsent {
    Unsent(const MessageHeader &header, std::string text)
        : text(std::move(text)), message(header, this->text.data()) {}
    std::string text;
    OutgoingMessage message;
  };
  struct Peer {
    Link link;
    std::list<Unsent> outgoing;
    std::string received;
    std::optional<IncomingMessage> incoming;
    std::atomic<bool> isLost{false};
  };

  void flush(Peer &peer);
  MessageState receive(Peer &peer, int64_t bytes);

  std::mutex mutex;
  std::vector<Peer> peers;
  const OnDamage onDamage;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_TCP_NOTES_H
