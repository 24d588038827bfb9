//===- Handshake.h - How a connection between ranks begins ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whoever listens sends a challenge to each that connects. Those answer by a
// claim who they are, whose tag depends on the challenge and on the secret of
// the run, and get a verdict, whose tag depends on their claim. Nobody who does
// not know the secret can make a claim or a verdict, or use one again.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_TCP_HANDSHAKE_H
#define BOOST_RUNTIME_TCP_HANDSHAKE_H

#include "tcp/Secret.h"
#include "tcp/Socket.h"

#include <cstdint>
#include <cstring>
#include <list>
#include <optional>
#include <string>
#include <vector>

namespace boost_rt {

/// The reason why a claim is refused.
enum class Refusal : int64_t {
  none,
  /// Bytes have changed on their way, or something else than a rank sent them.
  damaged,
  /// The other end has another secret.
  otherSecret,
  otherProgram,
  otherLauncherRun,
  /// Whoever claims has met another rank 0 before.
  otherStart,
  placeTaken,
  /// Other ranks are missing, and rank 0 names them.
  ranksMissing,
};

/// Copies as much as there is room for, and ends it by zeros.
template <size_t size>
void copyText(const std::string &from, char (&to)[size]) {
  size_t length = from.copy(to, size - 1);
  for (size_t i = length; i < size; ++i)
    to[i] = 0;
}

/// Returns the text that copyText() has written; the sender need not be
/// trusted.
template <size_t size> std::string textOf(const char (&from)[size]) {
  return std::string(from, ::strnlen(from, size));
}

/// The identity of a rank, with which each connection begins.
struct Claim {
  static constexpr int64_t registers = -1;

  char start[8];
  /// The number of rank 0's run, once this rank has met it.
  uint64_t run;
  int64_t rank, size;
  /// The channel of a connection between two ranks, or `registers` for the
  /// connection to rank 0 by which a rank joins the meeting.
  int64_t channel;
  char identity[64];
  char launcherRun[64];
  /// Tells which ranks share a machine.
  char machine[48];
  /// The port at which it listens.
  uint64_t port;
  Nonce nonce;
  /// Tag of the challenge and the members above.
  MessageTag tag;
  /// Checksum of all members above.
  uint64_t checksum;
};

/// The address at which a rank listens.
struct Entry {
  /// As rank 0 sees it; empty for rank 0.
  char host[64];
  char machine[48];
  uint64_t port;
};

/// Listens for ranks. Strangers are dropped after a few seconds, and there is
/// room for a bounded number of them: the oldest leaves for the newest.
class Door {
public:
  struct Guest {
    Socket socket;
    Claim claim = {};
  };

  /// `run` is the number of the run, which newcomers are told. `guests` is how
  /// many ranks may come at the same time, `seconds` how long each connection
  /// may take to make its claim.
  Door(const Socket &listener, const Secret &secret, uint64_t run,
       int64_t guests, double seconds);
  ~Door();

  /// One that knows the secret; waits so long if none has come yet.
  std::optional<Guest> next(int milliseconds);

  /// Sends the verdict on a claim, with the addresses of all ranks or nothing,
  /// and closes the connection if the claim is refused. Does not wait for those
  /// who do not take it.
  void answer(Guest &guest, Refusal refusal,
              const std::vector<Entry> &entries = {}) const;

private:
  struct Pending;
  enum class Look { wait, drop, welcome };

  void acceptAll();
  Look look(Pending &each) const;
  void wait(int milliseconds) const;

  const Socket &listener;
  const Secret &secret;
  const uint64_t run;
  const size_t most;
  const double seconds;
  std::list<Pending> pending;
};

/// The result of a claim.
struct Verdict {
  enum State { late, closed, answered };
  State state;
  Refusal refusal = Refusal::none;
  std::vector<Entry> entries = {};
};

/// Makes a claim over a new connection and waits for the verdict, which has so
/// many entries. Completes the claim; its run, if that is 0, by the challenge.
Verdict makeClaim(const Socket &socket, const Secret &secret, Claim &claim,
                  size_t entries, const Deadline &deadline);

} // namespace boost_rt

#endif // BOOST_RUNTIME_TCP_HANDSHAKE_H
