//===- Handshake.cpp - How a connection between ranks begins --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcp/Handshake.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <poll.h>
#include <thread>

#define XXH_INLINE_ALL
#include <xxhash.h>

using namespace boost_rt;

/// Connections without a claim, beyond those of ranks that come together.
static constexpr int64_t mostStrangers = 64;

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

static constexpr char challengeStart[] = "boost-ch";
static constexpr char claimStart[] = "boost-cl";
static constexpr char verdictStart[] = "boost-ve";
static constexpr size_t startBytes = sizeof(claimStart) - 1;

namespace {
struct Challenge {
  char start[startBytes];
  uint64_t run;
  Nonce nonce;
  /// Checksum of the members above.
  uint64_t checksum;
};

/// Followed by entries unless the claim is refused.
struct VerdictMessage {
  char start[startBytes];
  Refusal refusal;
  /// Tag of the claim, the refusal and the entries.
  MessageTag tag;
  /// Checksum of the members above and the entries.
  uint64_t checksum;
};
} // namespace

static bool hasStart(const char (&start)[startBytes], const char *expected,
                     size_t received = startBytes) {
  return std::memcmp(start, expected, std::min(received, startBytes)) == 0;
}

template <typename Message> static uint64_t checksumOf(const Message &message) {
  return XXH3_64bits(&message, offsetof(Message, checksum));
}

static uint64_t checksumOf(const VerdictMessage &message,
                           const std::vector<Entry> &entries) {
  return XXH3_64bits_withSeed(entries.data(), entries.size() * sizeof(Entry),
                              checksumOf(message));
}

static MessageTag tagOf(const Secret &secret, const Challenge &challenge,
                        const Claim &claim) {
  return secret.sign(&challenge, sizeof(challenge), &claim,
                     offsetof(Claim, tag));
}

/// The refusal and the entries, one behind the other.
static std::vector<char> contentOf(Refusal refusal,
                                   const std::vector<Entry> &entries) {
  std::vector<char> content(sizeof(refusal) + entries.size() * sizeof(Entry));
  std::memcpy(content.data(), &refusal, sizeof(refusal));
  if (!entries.empty())
    std::memcpy(content.data() + sizeof(refusal), entries.data(),
                entries.size() * sizeof(Entry));
  return content;
}

static VerdictMessage verdictOn(const Secret &secret, const Claim &claim,
                                Refusal refusal,
                                const std::vector<Entry> &entries) {
  VerdictMessage message = {};
  std::memcpy(message.start, verdictStart, startBytes);
  message.refusal = refusal;
  std::vector<char> content = contentOf(refusal, entries);
  message.tag =
      secret.sign(&claim, sizeof(claim), content.data(), content.size());
  message.checksum = checksumOf(message, entries);
  return message;
}

//===----------------------------------------------------------------------===//
// Those that listen
//===----------------------------------------------------------------------===//

struct Door::Pending {
  Guest guest;
  Challenge challenge;
  Deadline deadline;
  size_t received = 0;
};

Door::Door(const Socket &listener, const Secret &secret, uint64_t run,
           int64_t guests, double seconds)
    : listener(listener), secret(secret), run(run),
      most(static_cast<size_t>(mostStrangers + guests)), seconds(seconds) {}

Door::~Door() = default;

/// Takes no more at once than there is room for.
void Door::acceptAll() {
  for (size_t taken = 0; taken < most; ++taken) {
    Socket socket = acceptAt(listener);
    if (!socket.isOpen()) {
      // Whoever has used up the descriptors of this process or machine.
      if (errno == EMFILE || errno == ENFILE) {
        if (!pending.empty())
          pending.pop_front();
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
      }
      return;
    }
    Challenge challenge = {};
    std::memcpy(challenge.start, challengeStart, startBytes);
    challenge.run = run;
    challenge.nonce = drawNonce();
    challenge.checksum = checksumOf(challenge);
    // A new connection has room for it.
    if (sendSome(socket.get(), reinterpret_cast<const char *>(&challenge),
                 sizeof(challenge)) != sizeof(challenge))
      continue;
    if (pending.size() == most)
      pending.pop_front();
    pending.push_back({{std::move(socket)}, challenge, Deadline(seconds)});
  }
}

Door::Look Door::look(Pending &each) const {
  Guest &guest = each.guest;
  int64_t bytes =
      receiveSome(guest.socket.get(),
                  reinterpret_cast<char *>(&guest.claim) + each.received,
                  static_cast<int64_t>(sizeof(Claim) - each.received));
  if (bytes < 0)
    return Look::drop;
  each.received += static_cast<size_t>(bytes);
  const Claim &claim = guest.claim;
  bool isWhole = each.received == sizeof(Claim);
  bool isLate = !isWhole && each.deadline.hasPassed();
  // A rank that was too slow comes again.
  if (isLate && each.received == 0)
    return Look::drop;
  Refusal refusal = Refusal::none;
  if (!hasStart(claim.start, claimStart, each.received) || isLate ||
      (isWhole && claim.checksum != checksumOf(claim)))
    refusal = Refusal::damaged;
  else if (!isWhole)
    return Look::wait;
  else if (!Secret::areEqual(claim.tag, tagOf(secret, each.challenge, claim)))
    refusal = Refusal::otherSecret;
  if (refusal == Refusal::none)
    return Look::welcome;
  answer(guest, refusal);
  return Look::drop;
}

void Door::wait(int milliseconds) const {
  std::vector<pollfd> awaited{{listener.get(), POLLIN, 0}};
  for (const Pending &each : pending)
    awaited.push_back({each.guest.socket.get(), POLLIN, 0});
  ::poll(awaited.data(), awaited.size(), milliseconds);
}

std::optional<Door::Guest> Door::next(int milliseconds) {
  acceptAll();
  for (auto each = pending.begin(); each != pending.end();) {
    Look seen = look(*each);
    if (seen == Look::welcome) {
      Guest guest = std::move(each->guest);
      pending.erase(each);
      return guest;
    }
    each = seen == Look::drop ? pending.erase(each) : std::next(each);
  }
  wait(milliseconds);
  return std::nullopt;
}

/// Takes what was sent and not read: closing a connection with such bytes would
/// keep the other end from reading its verdict.
static void closeGently(Socket &socket) {
  char ignored[4096];
  for (int i = 0; i < 16; ++i)
    if (receiveSome(socket.get(), ignored, sizeof(ignored)) <= 0)
      break;
  socket = Socket();
}

void Door::answer(Guest &guest, Refusal refusal,
                  const std::vector<Entry> &entries) const {
  // Ranks take the addresses of all at once.
  Deadline deadline(1);
  VerdictMessage message = verdictOn(secret, guest.claim, refusal, entries);
  if (refusal == Refusal::none) {
    if (sendAll(guest.socket, &message, sizeof(message), deadline))
      sendAll(guest.socket, entries.data(), entries.size() * sizeof(Entry),
              deadline);
    return;
  }
  sendSome(guest.socket.get(), reinterpret_cast<const char *>(&message),
           sizeof(message));
  closeGently(guest.socket);
}

//===----------------------------------------------------------------------===//
// Those that connect
//===----------------------------------------------------------------------===//

namespace {
/// The answers to a claim, of which a part only is damage.
class Answers {
public:
  Answers(const Socket &socket, const Deadline &deadline)
      : socket(socket), deadline(deadline) {}

  /// False, with the failure, if it does not come.
  bool take(void *data, size_t bytes) {
    size_t received = receiveUpTo(socket, data, bytes, deadline);
    isPart = received > 0;
    return received == bytes;
  }

  Verdict failure() const {
    if (isPart)
      return {Verdict::answered, Refusal::damaged};
    return {deadline.hasPassed() ? Verdict::late : Verdict::closed};
  }

private:
  const Socket &socket;
  const Deadline &deadline;
  bool isPart = false;
};
} // namespace

static Verdict takeVerdict(Answers &answers, const Secret &secret,
                           const Claim &claim, size_t entries) {
  VerdictMessage message;
  Verdict verdict{Verdict::answered};
  if (!answers.take(&message, sizeof(message)))
    return answers.failure();
  verdict.refusal = message.refusal;
  if (message.refusal == Refusal::none) {
    verdict.entries.resize(entries);
    if (!answers.take(verdict.entries.data(), entries * sizeof(Entry)))
      return {Verdict::answered, Refusal::damaged};
  }
  VerdictMessage expected =
      verdictOn(secret, claim, verdict.refusal, verdict.entries);
  if (!hasStart(message.start, verdictStart) ||
      message.checksum != checksumOf(message, verdict.entries) ||
      message.refusal > Refusal::ranksMissing ||
      message.refusal < Refusal::none)
    verdict.refusal = Refusal::damaged;
  else if (message.refusal != Refusal::damaged &&
           !Secret::areEqual(message.tag, expected.tag))
    verdict.refusal = Refusal::otherSecret;
  return verdict;
}

Verdict boost_rt::makeClaim(const Socket &socket, const Secret &secret,
                            Claim &claim, size_t entries,
                            const Deadline &deadline) {
  Answers answers(socket, deadline);
  Challenge challenge;
  if (!answers.take(&challenge, sizeof(challenge)))
    return answers.failure();
  if (!hasStart(challenge.start, challengeStart) ||
      challenge.checksum != checksumOf(challenge))
    return {Verdict::answered, Refusal::damaged};
  std::memcpy(claim.start, claimStart, startBytes);
  if (claim.run == 0)
    claim.run = challenge.run;
  claim.nonce = drawNonce();
  claim.tag = tagOf(secret, challenge, claim);
  claim.checksum = checksumOf(claim);
  // Whoever has closed the connection may have sent a verdict before.
  sendAll(socket, &claim, sizeof(claim), deadline);
  return takeVerdict(answers, secret, claim, entries);
}
