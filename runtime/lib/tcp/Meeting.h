//===- Meeting.h - Ranks find and connect to each other ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rank 0 listens where all ranks know. Every rank listens at a port of its own,
// tells rank 0, and gets the addresses of all; then each connects to those
// below it.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_TCP_MEETING_H
#define BOOST_RUNTIME_TCP_MEETING_H

#include "tcp/Socket.h"

#include <cstdint>
#include <string>
#include <vector>

namespace boost_rt {

struct Meeting {
  int64_t rank, size;
  /// Where rank 0 listens.
  std::string host;
  uint16_t port = 0;
  /// Whether ranks of other machines come too: they cannot reach a loopback
  /// address.
  bool severalMachines = false;
  /// The same for all that may meet.
  std::string identity;
  /// How long a rank waits for the others; 0 for ever.
  double limitSeconds = 0;
  /// Connections between each two ranks.
  int64_t channels = 1;
};

struct Connections {
  /// By channel and rank; that of a rank to itself is not open.
  std::vector<std::vector<Socket>> channels;
  /// Ranks on this machine.
  int64_t localSize = 1;
};

/// Throws a Failure with exit code 5 that names the ranks that did not come
/// within the limit, and one with exit code 2 if two processes have the same
/// rank or run different programs. Rank 0 tells what it finds to the others,
/// whose Failure has no text then. `listener` is that of rank 0, and not open
/// on other ranks.
Connections meet(const Meeting &meeting, Socket listener);

} // namespace boost_rt

#endif // BOOST_RUNTIME_TCP_MEETING_H
