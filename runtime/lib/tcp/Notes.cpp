//===- Notes.cpp - The side channel of the ranks --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcp/Notes.h"

#include <cstring>

using namespace boost_rt;

Notes::Notes(std::vector<Socket> sockets, OnDamage onDamage)
    : peers(sockets.size()), onDamage(std::move(onDamage)) {
  for (size_t i = 0; i < sockets.size(); ++i)
    peers[i].link.socket = std::move(sockets[i]);
}

void Notes::flush(Peer &peer) {
  while (!peer.isLost && !peer.outgoing.empty()) {
    MessageState state =
        peer.outgoing.front().message.advance(peer.link.socket.get());
    if (state == MessageState::closed)
      peer.isLost = true;
    if (state != MessageState::complete)
      return;
    peer.outgoing.pop_front();
  }
}

bool Notes::flush() {
  std::lock_guard<std::mutex> lock(mutex);
  bool isLeft = false;
  for (Peer &peer : peers) {
    flush(peer);
    isLeft |= !peer.isLost && !peer.outgoing.empty();
  }
  return isLeft;
}

void Notes::send(const void *data, int64_t bytes, int64_t toRank) {
  std::lock_guard<std::mutex> lock(mutex);
  Peer &peer = peers[static_cast<size_t>(toRank)];
  auto header = MessageHeader::of(MessageKind::note, /*site=*/-1,
                                  peer.link.nextOut++, bytes);
  peer.outgoing.emplace_back(
      header,
      std::string(static_cast<const char *>(data), static_cast<size_t>(bytes)));
  flush(peer);
}

/// Receives what has come of a note of so many bytes.
MessageState Notes::receive(Peer &peer, int64_t bytes) {
  if (!peer.incoming || !peer.incoming->hasBegun()) {
    peer.received.resize(static_cast<size_t>(bytes));
    peer.incoming.emplace(MessageHeader::of(MessageKind::note, /*site=*/-1,
                                            peer.link.nextIn, bytes),
                          peer.received.data());
  }
  return peer.incoming->advance(peer.link.socket.get());
}

bool Notes::take(void *data, int64_t bytes, int64_t &fromRank) {
  flush();
  std::lock_guard<std::mutex> lock(mutex);
  for (size_t i = 0; i < peers.size(); ++i) {
    Peer &peer = peers[i];
    if (!peer.link.socket.isOpen() || peer.isLost)
      continue;
    MessageState state = receive(peer, bytes);
    if (state == MessageState::closed)
      peer.isLost = true;
    if (state == MessageState::damaged)
      onDamage(static_cast<int64_t>(i), peer.incoming->describeDamage());
    if (state != MessageState::complete)
      continue;
    std::memcpy(data, peer.received.data(), peer.received.size());
    peer.incoming.reset();
    ++peer.link.nextIn;
    fromRank = static_cast<int64_t>(i);
    return true;
  }
  return false;
}

bool Notes::hasLost(int64_t rank) const {
  return peers[static_cast<size_t>(rank)].isLost;
}
