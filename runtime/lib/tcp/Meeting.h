//===- Meeting.h - Ranks find and connect to each other ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rank 0 listens where all ranks know. Every rank listens at a port of its own,
// tells rank 0, and gets the addresses of all; then each connects to those
// below it. Processes that do not belong to the run are told so by themselves:
// nobody but a rank of the run can end its meeting.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_TCP_MEETING_H
#define BOOST_RUNTIME_TCP_MEETING_H

#include "tcp/Handshake.h"
#include "tcp/Secret.h"
#include "tcp/Socket.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace boost_rt {

struct Meeting {
  int64_t rank, size;
  /// The address at which rank 0 listens.
  std::string host;
  uint16_t port = 0;
  /// True if ranks of other machines join: they cannot reach a loopback
  /// address.
  bool severalMachines = false;
  /// Equal for all ranks that may meet.
  std::string identity;
  /// The launcher's name for this run; empty if it has none.
  std::string launcherRun = {};
  Secret secret = {};
  /// Seconds that a rank waits for the others; 0 for ever. Once they have come
  /// they have half as long again to connect, but no more than 15 seconds.
  double limitSeconds = 0;
  /// Connections between each two ranks.
  int64_t channels = 1;
};

struct Connections {
  /// By channel and rank; that of a rank to itself is not open.
  std::vector<std::vector<Socket>> channels;
  /// Ranks on this machine.
  int64_t localSize = 1;
  /// The number that rank 0 has drawn for the run.
  uint64_t run = 0;
};

/// Throws a Failure with exit code 5 that names the ranks that did not come
/// within the limit, one with exit code 7 if a connection was damaged, and one
/// with exit code 2 on a rank that does not belong to the run. Where rank 0 has
/// told what it found, the Failure of others has no text. `listener` is that of
/// rank 0, and not open on other ranks.
Connections meet(const Meeting &meeting, const Socket &listener);

/// Tells those that come to rank 0 after the ranks have met that they do not
/// belong to this run.
class Doorkeeper {
public:
  Doorkeeper(const Meeting &meeting, Socket listener, uint64_t run);
  ~Doorkeeper();
  Doorkeeper(const Doorkeeper &) = delete;
  Doorkeeper &operator=(const Doorkeeper &) = delete;

private:
  void turnAway();

  const Meeting meeting;
  const Socket listener;
  const uint64_t run;
  std::atomic<bool> stopping{false};
  std::thread thread;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_TCP_MEETING_H
