//===- Notes.h - The side channel of the ranks ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_TCP_NOTES_H
#define BOOST_RUNTIME_TCP_NOTES_H

#include "tcp/Socket.h"

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace boost_rt {

/// The notes of Communicator, over connections of their own. Any thread may
/// call.
class Notes {
public:
  /// One connection for each rank; that of the rank itself is not open.
  explicit Notes(std::vector<Socket> sockets);

  /// Waits for nobody: what cannot be sent yet goes with a later call.
  void send(const void *data, int64_t bytes, int64_t toRank);
  /// Takes a note of so many bytes; false if none has come.
  bool take(void *data, int64_t bytes, int64_t &fromRank);
  /// Sends what can be sent. False if nothing is left.
  bool flush();
  /// Whether a rank has closed its connection, as it does when it ends.
  bool hasLostRank();

private:
  struct Peer {
    Socket socket;
    std::string outgoing, incoming;
    bool isLost = false;
  };
  void flush(Peer &peer);

  std::mutex mutex;
  std::vector<Peer> peers;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_TCP_NOTES_H
