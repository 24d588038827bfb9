//===- Meeting.cpp - Ranks find and connect to each other -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcp/Meeting.h"
#include "common/Failure.h"
#include "common/Mesh.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <sys/socket.h>

using namespace boost_rt;

/// Limit of a wait in Door::next().
static constexpr int doorMilliseconds = 50;

/// Returns the time for ranks that another rank has heard of.
static double secondsToFollow(const Meeting &meeting) {
  constexpr double most = 15;
  return meeting.limitSeconds > 0 ? std::min(most, meeting.limitSeconds / 2)
                                  : most;
}

/// Returns the time for a connection to make its claim.
static double secondsToClaim(const Meeting &meeting) {
  constexpr double most = 5;
  return meeting.limitSeconds > 0 ? std::min(most, meeting.limitSeconds / 2)
                                  : most;
}

/// Without rank 0 the others take turns: the first to speak ends the others.
static double secondsUntilTurn(const Meeting &meeting) {
  return std::min(static_cast<double>(meeting.rank - 1),
                  meeting.limitSeconds / 4 * static_cast<double>(meeting.rank) /
                      static_cast<double>(meeting.size));
}

namespace {
/// Each holds for a whole meeting, however often a rank connects.
struct Deadlines {
  explicit Deadlines(const Meeting &meeting)
      : forHost(after(meeting, meeting.rank ? secondsUntilTurn(meeting) : 0)),
        forAll(after(meeting, secondsToFollow(meeting))) {}

  static Deadline after(const Meeting &meeting, double more) {
    return Deadline(meeting.limitSeconds > 0 ? meeting.limitSeconds + more : 0);
  }

  /// Until which rank 0 has been reached, and all have come to it.
  Deadline forHost;
  /// Until which all are connected.
  Deadline forAll;
};
} // namespace

//===----------------------------------------------------------------------===//
// Claims
//===----------------------------------------------------------------------===//

/// Returns an id that all processes share until this machine is started again.
static std::string machineName() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string name;
  std::getline(file, name);
  return name;
}

static Claim claimOf(const Meeting &meeting, int64_t channel, uint64_t run,
                     uint16_t port) {
  Claim claim = {};
  claim.run = run;
  claim.rank = meeting.rank;
  claim.size = meeting.size;
  claim.channel = channel;
  claim.port = port;
  copyText(meeting.identity, claim.identity);
  copyText(meeting.launcherRun, claim.launcherRun);
  copyText(machineName(), claim.machine);
  return claim;
}

/// Decides if the sender of a claim belongs to the run, even if no place is
/// free.
static Refusal judge(const Meeting &meeting, uint64_t run, const Claim &claim) {
  Claim own = claimOf(meeting, claim.channel, run, 0);
  if (std::memcmp(own.identity, claim.identity, sizeof(own.identity)) != 0 ||
      own.size != claim.size)
    return Refusal::otherProgram;
  if (std::memcmp(own.launcherRun, claim.launcherRun,
                  sizeof(own.launcherRun)) != 0)
    return Refusal::otherLauncherRun;
  if (claim.run != run)
    return Refusal::otherStart;
  bool isKnown = claim.rank >= 0 && claim.rank < meeting.size &&
                 claim.channel >= Claim::registers &&
                 claim.channel < meeting.channels;
  return isKnown ? Refusal::none : Refusal::damaged;
}

/// Describes why the rank `by` has refused `rank`.
static std::string describe(Refusal refusal, int64_t rank, int64_t by) {
  switch (refusal) {
  case Refusal::otherSecret:
    return concat("rank ", rank, " does not have the secret of rank ", by,
                  "; set BOOST_RUN_SECRET, or BOOST_RUN_SECRET_FILE, to the "
                  "same on all ranks");
  case Refusal::otherProgram:
    return concat("rank ", rank, " runs another program than rank ", by,
                  ", or another version of it; start the same file on all "
                  "ranks");
  case Refusal::otherLauncherRun:
    return concat("rank ", rank, " was started by another torchrun than rank ",
                  by,
                  "; give each run a MASTER_PORT of its own, and all "
                  "torchruns of a run the same --rdzv-id");
  case Refusal::otherStart:
    return concat("rank ", rank,
                  " belongs to another start of the program "
                  "than rank ",
                  by, "; start all ranks again");
  case Refusal::placeTaken:
    return concat("two processes say that they are rank ", rank,
                  ", and the other one came first; give each a RANK of its "
                  "own, and each run a MASTER_PORT of its own");
  default:
    return concat("what ranks ", rank, " and ", by,
                  " sent each other while "
                  "they met is damaged: the network changes bytes, or "
                  "something else than rank ",
                  by, " listens there");
  }
}

/// Ends the meeting for a rank that another has refused.
[[noreturn]] static void throwRefused(const Meeting &meeting, Refusal refusal,
                                      int64_t by, const std::string &where) {
  if (refusal == Refusal::ranksMissing)
    throw Failure(ExitCode::collectiveTimedOut, "");
  throw Failure(refusal == Refusal::damaged ? ExitCode::networkFault
                                            : ExitCode::usage,
                concat("cannot join the run at ", where, ": ",
                       describe(refusal, meeting.rank, by)));
}

//===----------------------------------------------------------------------===//
// Rank 0
//===----------------------------------------------------------------------===//

namespace {
/// Refuses those that do not belong to the run, and tells so. Nobody makes it
/// fill a log: it tells of the first only.
class Refuser {
public:
  explicit Refuser(const Door &door) : door(door) {}

  void refuse(Door::Guest guest, Refusal refusal) {
    std::string from = peerAddress(guest.socket).str();
    door.answer(guest, refusal);
    int64_t rank = guest.claim.rank;
    std::string reason = describe(refusal, rank, 0);
    if (told++ < most)
      std::fprintf(stderr, "warning: refused a process at %s: %s\n",
                   from.c_str(), reason.c_str());
    if (reasons.size() < static_cast<size_t>(most))
      reasons[rank] = reason;
  }

  /// Returns why a rank was refused; empty if it was not.
  std::string reasonOf(int64_t rank) const {
    auto found = reasons.find(rank);
    return found == reasons.end() ? "" : found->second;
  }

private:
  static constexpr int most = 5;

  const Door &door;
  int told = 0;
  std::map<int64_t, std::string> reasons;
};

class Host {
public:
  Host(const Meeting &meeting, const Socket &listener, Door &door, uint64_t run,
       const Deadline &deadline)
      : meeting(meeting), listener(listener), door(door), run(run),
        deadline(deadline), refuser(door),
        guests(static_cast<size_t>(meeting.size)),
        entries(static_cast<size_t>(meeting.size)) {
    copyText(machineName(), entries[0].machine);
    entries[0].port = localAddress(listener).port;
  }

  /// The addresses of all.
  std::vector<Entry> waitForAll() {
    while (!missing().empty()) {
      if (deadline.hasPassed()) {
        Failure failure(ExitCode::collectiveTimedOut, describeMissing());
        answerAll(Refusal::ranksMissing);
        throw failure;
      }
      if (auto guest = door.next(doorMilliseconds))
        add(std::move(*guest));
      forgetLost();
    }
    answerAll(Refusal::none);
    return entries;
  }

private:
  void add(Door::Guest guest);
  void forgetLost();
  std::vector<int64_t> missing() const;
  std::string describeMissing() const;
  void answerAll(Refusal refusal);

  const Meeting &meeting;
  const Socket &listener;
  Door &door;
  const uint64_t run;
  const Deadline deadline;
  Refuser refuser;
  /// The ranks that have come.
  std::vector<Door::Guest> guests;
  std::vector<Entry> entries;
};
} // namespace

void Host::add(Door::Guest guest) {
  const Claim &claim = guest.claim;
  Refusal refusal = judge(meeting, run, claim);
  auto rank = static_cast<size_t>(claim.rank);
  if (refusal == Refusal::none && claim.channel != Claim::registers)
    refusal = Refusal::otherStart;
  if (refusal == Refusal::none && (rank == 0 || guests[rank].socket.isOpen()))
    refusal = Refusal::placeTaken;
  if (refusal != Refusal::none)
    return refuser.refuse(std::move(guest), refusal);
  Entry &entry = entries[rank];
  copyText(peerAddress(guest.socket).host, entry.host);
  std::memcpy(entry.machine, claim.machine, sizeof(entry.machine));
  entry.port = claim.port;
  guests[rank] = std::move(guest);
}

/// A process that ends before all have come may be started again.
void Host::forgetLost() {
  for (Door::Guest &guest : guests) {
    char byte;
    if (!guest.socket.isOpen())
      continue;
    int64_t received = receiveSome(guest.socket.get(), &byte, 1);
    if (received > 0)
      refuser.refuse(std::move(guest), Refusal::damaged);
    if (received != 0)
      guest.socket = Socket();
  }
}

std::vector<int64_t> Host::missing() const {
  std::vector<int64_t> ranks;
  for (int64_t rank = 1; rank < meeting.size; ++rank)
    if (!guests[static_cast<size_t>(rank)].socket.isOpen())
      ranks.push_back(rank);
  return ranks;
}

std::string Host::describeMissing() const {
  std::vector<int64_t> ranks = missing();
  std::string reasons;
  for (int64_t rank : ranks)
    if (std::string reason = refuser.reasonOf(rank); !reason.empty())
      reasons += concat("; a process was refused: ", reason);
  return concat(describeRanks(ranks), ranks.size() == 1 ? " is" : " are",
                " missing: not come within ", meeting.limitSeconds, " s to ",
                localAddress(listener).str(),
                ", where the ranks meet; were all started, and with the same "
                "MASTER_ADDR and MASTER_PORT? if ranks only need longer, raise "
                "--timeout",
                reasons);
}

/// Answers all guests. Those that cannot receive the answer are missed later.
void Host::answerAll(Refusal refusal) {
  for (Door::Guest &guest : guests)
    if (guest.socket.isOpen())
      door.answer(guest, refusal,
                  refusal == Refusal::none ? entries : std::vector<Entry>());
}

//===----------------------------------------------------------------------===//
// Other ranks
//===----------------------------------------------------------------------===//

namespace {
struct Invitation {
  uint64_t run = 0;
  std::vector<Entry> entries;
};
} // namespace

/// The addresses of a loopback interface mean another machine there.
static Socket listenBeside(const Meeting &meeting, const Socket &socket) {
  Address address = localAddress(socket);
  std::string error;
  Socket listener = listenAt(
      address.host, 0, meeting.severalMachines && address.isLoopback(), error);
  if (!listener.isOpen())
    throw Failure(ExitCode::trainingFailed,
                  concat("cannot listen at ", address.host, ": ", error));
  return listener;
}

/// Rank 0, and ranks beside it that came by a loopback address, are where rank
/// 0 was reached.
static void completeHosts(const Socket &toHost, std::vector<Entry> &entries) {
  Address host = peerAddress(toHost);
  for (Entry &entry : entries)
    if (!*entry.host || Address{textOf(entry.host)}.isLoopback())
      copyText(host.host, entry.host);
}

[[noreturn]] static void throwUnreached(const Meeting &meeting,
                                        const std::string &where,
                                        const std::string &error) {
  throw Failure(
      ExitCode::collectiveTimedOut,
      concat("rank 0 is missing: rank ", meeting.rank,
             " could not reach it within ", meeting.limitSeconds, " s at ",
             where, ", where the ranks meet: ", error,
             "; was it started, and with the same MASTER_ADDR and "
             "MASTER_PORT? if ranks only need longer, raise --timeout"));
}

/// Rank 0 closes the connection behind the addresses: nothing may follow them.
static bool hasEnd(const Socket &socket, const Deadline &deadline) {
  char byte;
  return !receiveAll(socket, &byte, 1, deadline);
}

/// Finds rank 0, who may start later, and waits with it for the others.
static Invitation findHost(const Meeting &meeting, const Deadlines &deadlines,
                           Socket &listener) {
  std::string where = Address{meeting.host, meeting.port}.str();
  std::string error = "the connection is closed there";
  uint64_t run = 0;
  while (true) {
    Socket socket =
        connectTo(meeting.host, meeting.port, deadlines.forHost, error);
    if (!socket.isOpen())
      throwUnreached(meeting, where, error);
    if (!listener.isOpen())
      listener = listenBeside(meeting, socket);
    Claim claim =
        claimOf(meeting, Claim::registers, run, localAddress(listener).port);
    // Rank 0 tells who is missing when its limit is over.
    Verdict verdict =
        makeClaim(socket, meeting.secret, claim,
                  static_cast<size_t>(meeting.size), deadlines.forAll);
    run = claim.run;
    if (verdict.state == Verdict::answered) {
      if (verdict.refusal == Refusal::none && !hasEnd(socket, deadlines.forAll))
        verdict.refusal = Refusal::damaged;
      if (verdict.refusal != Refusal::none)
        throwRefused(meeting, verdict.refusal, 0, where);
      completeHosts(socket, verdict.entries);
      return {run, std::move(verdict.entries)};
    }
    if (verdict.state == Verdict::late)
      throw Failure(ExitCode::collectiveTimedOut,
                    concat("rank 0 is missing: it does not answer rank ",
                           meeting.rank, " at ", where,
                           "; is it stopped, or does something else listen "
                           "there?"));
    error = "the connection is closed there";
    if (deadlines.forHost.hasPassed())
      throwUnreached(meeting, where, error);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

//===----------------------------------------------------------------------===//
// Connections between all
//===----------------------------------------------------------------------===//

/// A connection to a rank that has met rank 0 as well.
static Socket connectToRank(const Meeting &meeting,
                            const Invitation &invitation, int64_t to,
                            int64_t channel, const Deadline &deadline) {
  const Entry &entry = invitation.entries[static_cast<size_t>(to)];
  auto port = static_cast<uint16_t>(entry.port);
  std::string host = textOf(entry.host), where = Address{host, port}.str();
  std::string error = "the connection is closed there";
  while (true) {
    Socket socket = connectTo(host, port, deadline, error);
    if (!socket.isOpen())
      break;
    Claim claim = claimOf(meeting, channel, invitation.run, 0);
    Verdict verdict = makeClaim(socket, meeting.secret, claim, 0, deadline);
    if (verdict.state == Verdict::answered && verdict.refusal == Refusal::none)
      return socket;
    if (verdict.state == Verdict::answered)
      throwRefused(meeting, verdict.refusal, to, where);
    error = "it does not answer";
    if (deadline.hasPassed())
      break;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  throw Failure(ExitCode::collectiveTimedOut,
                concat("rank ", to, " is missing: rank ", meeting.rank,
                       " cannot connect to it at ", where, ": ", error));
}

static void connectToLower(const Meeting &meeting, const Invitation &invitation,
                           const Deadline &deadline, Connections &connections) {
  for (int64_t to = 0; to < meeting.rank; ++to)
    for (int64_t channel = 0; channel < meeting.channels; ++channel)
      connections
          .channels[static_cast<size_t>(channel)][static_cast<size_t>(to)] =
          connectToRank(meeting, invitation, to, channel, deadline);
}

/// The ranks above this one of which a connection is missing.
static std::vector<int64_t> missingHigher(const Meeting &meeting,
                                          const Connections &connections) {
  std::vector<int64_t> ranks;
  for (int64_t rank = meeting.rank + 1; rank < meeting.size; ++rank)
    if (std::any_of(connections.channels.begin(), connections.channels.end(),
                    [&](const auto &channel) {
                      return !channel[static_cast<size_t>(rank)].isOpen();
                    }))
      ranks.push_back(rank);
  return ranks;
}

/// A connection of a rank above this one, if the claim is for one.
static Refusal judgeConnection(const Meeting &meeting, const Claim &claim,
                               const Connections &connections) {
  Refusal refusal = judge(meeting, connections.run, claim);
  if (refusal != Refusal::none)
    return refusal;
  if (claim.channel == Claim::registers || claim.rank <= meeting.rank)
    return Refusal::placeTaken;
  bool isTaken = connections
                     .channels[static_cast<size_t>(claim.channel)]
                              [static_cast<size_t>(claim.rank)]
                     .isOpen();
  return isTaken ? Refusal::placeTaken : Refusal::none;
}

static void acceptHigher(const Meeting &meeting, Door &door,
                         const Deadline &deadline, Connections &connections) {
  Refuser refuser(door);
  while (true) {
    std::vector<int64_t> missing = missingHigher(meeting, connections);
    if (missing.empty())
      return;
    if (deadline.hasPassed())
      throw Failure(ExitCode::collectiveTimedOut,
                    concat(describeRanks(missing),
                           missing.size() == 1 ? " is" : " are",
                           " missing: stopped or gone since the ranks met; "
                           "rank ",
                           meeting.rank, " has waited for the connection"));
    auto guest = door.next(doorMilliseconds);
    if (!guest)
      continue;
    const Claim claim = guest->claim;
    Refusal refusal = judgeConnection(meeting, claim, connections);
    if (refusal != Refusal::none) {
      refuser.refuse(std::move(*guest), refusal);
      continue;
    }
    door.answer(*guest, Refusal::none);
    connections.channels[static_cast<size_t>(claim.channel)]
                        [static_cast<size_t>(claim.rank)] =
        std::move(guest->socket);
  }
}

Connections boost_rt::meet(const Meeting &meeting, const Socket &hostListener) {
  Deadlines deadlines(meeting);
  Invitation invitation;
  Socket ownListener;
  if (meeting.rank == 0)
    invitation.run = drawNumber();
  else
    invitation = findHost(meeting, deadlines, ownListener);
  const Socket &listener = meeting.rank == 0 ? hostListener : ownListener;
  Door door(listener, meeting.secret, invitation.run,
            meeting.size * meeting.channels, secondsToClaim(meeting));
  if (meeting.rank == 0)
    invitation.entries =
        Host(meeting, listener, door, invitation.run, deadlines.forHost)
            .waitForAll();
  Connections connections;
  connections.run = invitation.run;
  connections.channels.resize(static_cast<size_t>(meeting.channels));
  for (auto &channel : connections.channels)
    channel.resize(static_cast<size_t>(meeting.size));
  connectToLower(meeting, invitation, deadlines.forAll, connections);
  acceptHigher(meeting, door, deadlines.forAll, connections);
  std::string own =
      textOf(invitation.entries[static_cast<size_t>(meeting.rank)].machine);
  connections.localSize = std::count_if(
      invitation.entries.begin(), invitation.entries.end(),
      [&](const Entry &entry) { return own == textOf(entry.machine); });
  return connections;
}

//===----------------------------------------------------------------------===//
// After the meeting
//===----------------------------------------------------------------------===//

Doorkeeper::Doorkeeper(const Meeting &meeting, Socket listener, uint64_t run)
    : meeting(meeting), listener(std::move(listener)), run(run),
      thread([this] { turnAway(); }) {}

Doorkeeper::~Doorkeeper() {
  stopping = true;
  // Ends a wait for connections.
  ::shutdown(listener.get(), SHUT_RDWR);
  thread.join();
}

void Doorkeeper::turnAway() {
  constexpr int milliseconds = 1000;
  Door door(listener, meeting.secret, run, meeting.size,
            secondsToClaim(meeting));
  Refuser refuser(door);
  while (!stopping)
    if (auto guest = door.next(milliseconds)) {
      Refusal refusal = judge(meeting, run, guest->claim);
      refuser.refuse(std::move(*guest),
                     refusal == Refusal::none ? Refusal::placeTaken : refusal);
    }
}
