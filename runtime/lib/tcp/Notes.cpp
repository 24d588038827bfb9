//===- Notes.cpp - The side channel of the ranks --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcp/Notes.h"

#include <algorithm>
#include <cstring>

using namespace boost_rt;

Notes::Notes(std::vector<Socket> sockets) : peers(sockets.size()) {
  for (size_t i = 0; i < sockets.size(); ++i)
    peers[i].socket = std::move(sockets[i]);
}

void Notes::flush(Peer &peer) {
  while (!peer.isLost && !peer.outgoing.empty()) {
    int64_t sent = sendSome(peer.socket.get(), peer.outgoing.data(),
                            static_cast<int64_t>(peer.outgoing.size()));
    if (sent < 0)
      peer.isLost = true;
    if (sent <= 0)
      return;
    peer.outgoing.erase(0, static_cast<size_t>(sent));
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
  peer.outgoing.append(static_cast<const char *>(data),
                       static_cast<size_t>(bytes));
  flush(peer);
}

bool Notes::take(void *data, int64_t bytes, int64_t &fromRank) {
  flush();
  std::lock_guard<std::mutex> lock(mutex);
  auto size = static_cast<size_t>(bytes);
  for (size_t i = 0; i < peers.size(); ++i) {
    Peer &peer = peers[i];
    if (!peer.socket.isOpen())
      continue;
    // No more than this note: the next may have another size.
    size_t have = peer.incoming.size();
    while (!peer.isLost && have < size) {
      peer.incoming.resize(size);
      int64_t received =
          receiveSome(peer.socket.get(), peer.incoming.data() + have,
                      static_cast<int64_t>(size - have));
      peer.isLost = received < 0;
      have += static_cast<size_t>(std::max<int64_t>(received, 0));
      peer.incoming.resize(have);
      if (received <= 0)
        break;
    }
    if (have < size)
      continue;
    std::memcpy(data, peer.incoming.data(), size);
    peer.incoming.erase(0, size);
    fromRank = static_cast<int64_t>(i);
    return true;
  }
  return false;
}

bool Notes::hasLostRank() {
  std::lock_guard<std::mutex> lock(mutex);
  return std::any_of(peers.begin(), peers.end(),
                     [](const Peer &peer) { return peer.isLost; });
}
