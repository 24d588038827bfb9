//===- Meeting.cpp - Ranks find and connect to each other -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whoever else connects to these ports is left alone: a message that is none of
// ours closes the connection that it came by.
//
//===----------------------------------------------------------------------===//

#include "tcp/Meeting.h"
#include "common/Failure.h"
#include "common/Mesh.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <list>
#include <optional>
#include <random>
#include <thread>

using namespace boost_rt;

/// How long ranks are still waited for that another rank has heard of.
static constexpr double secondsToFollow = 15;

/// So many seconds after the limit of the meeting; none if that has no limit.
static Deadline getDeadline(const Meeting &meeting, double later = 0) {
  return Deadline(meeting.limitSeconds > 0 ? meeting.limitSeconds + later : 0);
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

namespace {
constexpr char magic[8] = "boostrk";

/// From a rank to rank 0.
struct Registration {
  char start[8];
  char identity[48];
  /// Tells which ranks share a machine.
  char machine[48];
  int64_t rank, size;
  /// Where it listens.
  uint16_t port;
};

/// From rank 0 to every rank, in front of the addresses of all.
struct Welcome {
  char start[8];
  /// Rank 0 has told why if this is not 0.
  int64_t exitCode;
  /// Of this meeting.
  uint64_t token;
};

struct Entry {
  /// As rank 0 sees it; empty for rank 0.
  char host[64];
  char machine[48];
  uint16_t port;
};

/// Begins a connection between two ranks.
struct Opening {
  char start[8];
  uint64_t token;
  int64_t rank, channel;
};

/// Takes connections, and the message that each begins with.
template <typename Message> class Arrivals {
public:
  explicit Arrivals(const Socket &listener) : listener(listener) {}

  struct Arrival {
    Socket socket;
    Message message;
    int64_t received = 0;
  };

  /// One that is complete; waits a moment if none is.
  std::optional<Arrival> next() {
    constexpr int pauseMilliseconds = 5;
    while (true) {
      Socket socket =
          acceptAt(listener, pending.empty() ? pauseMilliseconds : 0);
      if (!socket.isOpen())
        break;
      pending.push_back({std::move(socket), {}, 0});
    }
    for (auto each = pending.begin(); each != pending.end();) {
      if (!receive(*each)) {
        each = pending.erase(each);
        continue;
      }
      if (each->received == sizeof(Message)) {
        Arrival arrival = std::move(*each);
        pending.erase(each);
        return arrival;
      }
      ++each;
    }
    if (!pending.empty())
      std::this_thread::sleep_for(std::chrono::milliseconds(pauseMilliseconds));
    return std::nullopt;
  }

private:
  /// False if the connection is closed or not by one of us.
  static bool receive(Arrival &arrival) {
    int64_t bytes = receiveSome(
        arrival.socket.get(),
        reinterpret_cast<char *>(&arrival.message) + arrival.received,
        static_cast<int64_t>(sizeof(Message)) - arrival.received);
    if (bytes < 0)
      return false;
    arrival.received += bytes;
    return arrival.received < static_cast<int64_t>(sizeof(magic)) ||
           std::memcmp(arrival.message.start, magic, sizeof(magic)) == 0;
  }

  const Socket &listener;
  std::list<Arrival> pending;
};
} // namespace

/// Copies as much as there is room for.
template <size_t size>
static void copyText(const std::string &from, char (&to)[size]) {
  size_t length = std::min(from.size(), size - 1);
  std::memcpy(to, from.data(), length);
  std::memset(to + length, 0, size - length);
}

/// The same for all processes since this machine was started.
static std::string machineName() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string name;
  std::getline(file, name);
  return name;
}

static Registration describe(const Meeting &meeting, const Socket &listener) {
  Registration registration = {};
  std::memcpy(registration.start, magic, sizeof(magic));
  copyText(meeting.identity, registration.identity);
  copyText(machineName(), registration.machine);
  registration.rank = meeting.rank;
  registration.size = meeting.size;
  registration.port = localAddress(listener).port;
  return registration;
}

//===----------------------------------------------------------------------===//
// Rank 0
//===----------------------------------------------------------------------===//

namespace {
class Host {
public:
  Host(const Meeting &meeting, const Socket &listener)
      : meeting(meeting), listener(listener),
        sockets(static_cast<size_t>(meeting.size)),
        entries(static_cast<size_t>(meeting.size)) {
    Registration own = describe(meeting, listener);
    std::memcpy(entries[0].machine, own.machine, sizeof(own.machine));
    entries[0].port = own.port;
  }

  /// The addresses of all.
  std::vector<Entry> waitForAll(uint64_t token) {
    Arrivals<Registration> arrivals(listener);
    Deadline deadline = getDeadline(meeting);
    while (!missing().empty()) {
      if (deadline.hasPassed())
        refuseAll(ExitCode::collectiveTimedOut, describeMissing());
      if (auto arrival = arrivals.next())
        add(std::move(arrival->socket), arrival->message);
      forgetLost();
    }
    answer(0, token);
    return entries;
  }

private:
  void add(Socket socket, const Registration &registration);
  void forgetLost();
  std::vector<int64_t> missing() const;
  std::string describeMissing() const;
  void answer(int64_t exitCode, uint64_t token);
  [[noreturn]] void refuseAll(ExitCode code, const std::string &message);

  const Meeting &meeting;
  const Socket &listener;
  /// Of the ranks that have come.
  std::vector<Socket> sockets;
  std::vector<Entry> entries;
};
} // namespace

void Host::add(Socket socket, const Registration &registration) {
  int64_t rank = registration.rank;
  if (std::strncmp(registration.identity, meeting.identity.c_str(),
                   sizeof(registration.identity) - 1) != 0 ||
      registration.size != meeting.size) {
    sockets.push_back(std::move(socket));
    refuseAll(ExitCode::usage,
              concat("rank ", rank,
                     " runs another program than rank 0, or "
                     "another version of it; start the same file on all "
                     "ranks"));
  }
  if (rank < 1 || rank >= meeting.size)
    return;
  Socket &known = sockets[static_cast<size_t>(rank)];
  if (known.isOpen()) {
    sockets.push_back(std::move(socket));
    refuseAll(ExitCode::usage,
              concat("two processes say that they are rank ", rank,
                     "; give each a RANK of its own, and each run a "
                     "MASTER_PORT of its own"));
  }
  Entry &entry = entries[static_cast<size_t>(rank)];
  copyText(peerAddress(socket).host, entry.host);
  std::memcpy(entry.machine, registration.machine, sizeof(entry.machine));
  entry.port = registration.port;
  known = std::move(socket);
}

/// A process that ends before all have come may be started again.
void Host::forgetLost() {
  for (Socket &socket : sockets) {
    char byte;
    if (socket.isOpen() && receiveSome(socket.get(), &byte, 1) < 0)
      socket = Socket();
  }
}

std::vector<int64_t> Host::missing() const {
  std::vector<int64_t> ranks;
  for (int64_t rank = 1; rank < meeting.size; ++rank)
    if (!sockets[static_cast<size_t>(rank)].isOpen())
      ranks.push_back(rank);
  return ranks;
}

std::string Host::describeMissing() const {
  std::vector<int64_t> ranks = missing();
  return concat(describeRanks(ranks), ranks.size() == 1 ? " is" : " are",
                " missing: not come within ", meeting.limitSeconds, " s to ",
                localAddress(listener).str(),
                ", where the ranks meet; were all started, and with the same "
                "MASTER_ADDR and MASTER_PORT? if ranks only need longer, raise "
                "--timeout");
}

/// Those that cannot take the answer are missed later.
void Host::answer(int64_t exitCode, uint64_t token) {
  Welcome welcome = {};
  std::memcpy(welcome.start, magic, sizeof(magic));
  welcome.exitCode = exitCode;
  welcome.token = token;
  Deadline deadline(secondsToFollow);
  for (const Socket &socket : sockets)
    if (socket.isOpen() && sendAll(socket, &welcome, sizeof(welcome), deadline))
      sendAll(socket, entries.data(), entries.size() * sizeof(Entry), deadline);
}

void Host::refuseAll(ExitCode code, const std::string &message) {
  answer(static_cast<int64_t>(code), 0);
  throw Failure(code, message);
}

//===----------------------------------------------------------------------===//
// Other ranks
//===----------------------------------------------------------------------===//

namespace {
struct Invitation {
  uint64_t token = 0;
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

/// Nothing if rank 0, or whoever took the connection, has closed it.
static std::optional<Invitation> readInvitation(const Meeting &meeting,
                                                const Socket &socket,
                                                const Deadline &deadline) {
  Welcome welcome;
  Invitation invitation;
  invitation.entries.resize(static_cast<size_t>(meeting.size));
  if (!receiveAll(socket, &welcome, sizeof(welcome), deadline) ||
      std::memcmp(welcome.start, magic, sizeof(magic)) != 0 ||
      !receiveAll(socket, invitation.entries.data(),
                  invitation.entries.size() * sizeof(Entry), deadline))
    return std::nullopt;
  if (welcome.exitCode != 0)
    throw Failure(static_cast<ExitCode>(welcome.exitCode), "");
  invitation.token = welcome.token;
  // Rank 0, and ranks beside it that came by a loopback address, are where
  // rank 0 was reached.
  Address host = peerAddress(socket);
  for (Entry &entry : invitation.entries)
    if (!*entry.host || Address{entry.host}.isLoopback())
      copyText(host.host, entry.host);
  return invitation;
}

/// Finds rank 0, who may start later, and waits with it for the others.
static Invitation findHost(const Meeting &meeting, Socket &listener) {
  // Without rank 0 the others take turns: the first to speak ends the others.
  Deadline deadline =
      getDeadline(meeting, static_cast<double>(meeting.rank - 1));
  std::string where = Address{meeting.host, meeting.port}.str(), error;
  while (true) {
    Socket socket = connectTo(meeting.host, meeting.port, deadline, error);
    if (!socket.isOpen())
      throw Failure(
          ExitCode::collectiveTimedOut,
          concat("rank 0 is missing: rank ", meeting.rank,
                 " could not reach it within ", meeting.limitSeconds, " s at ",
                 where, ", where the ranks meet: ", error,
                 "; was it started, and with the same MASTER_ADDR and "
                 "MASTER_PORT? if ranks only need longer, raise --timeout"));
    if (!listener.isOpen())
      listener = listenBeside(meeting, socket);
    Registration registration = describe(meeting, listener);
    // Rank 0 waits no longer than the limit.
    Deadline answered = getDeadline(meeting, secondsToFollow);
    if (sendAll(socket, &registration, sizeof(registration), answered))
      if (auto invitation = readInvitation(meeting, socket, answered))
        return *invitation;
    if (answered.hasPassed())
      throw Failure(ExitCode::collectiveTimedOut,
                    concat("rank 0 is missing: it does not answer rank ",
                           meeting.rank, " at ", where,
                           "; is it stopped, or does something else listen "
                           "there?"));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

//===----------------------------------------------------------------------===//
// Connections between all
//===----------------------------------------------------------------------===//

static void connectToLower(const Meeting &meeting, const Invitation &invitation,
                           const Deadline &deadline, Connections &connections) {
  Opening opening = {};
  std::memcpy(opening.start, magic, sizeof(magic));
  opening.token = invitation.token;
  opening.rank = meeting.rank;
  std::string error;
  for (int64_t to = 0; to < meeting.rank; ++to) {
    const Entry &entry = invitation.entries[static_cast<size_t>(to)];
    for (opening.channel = 0; opening.channel < meeting.channels;
         ++opening.channel) {
      Socket socket = connectTo(entry.host, entry.port, deadline, error);
      if (!socket.isOpen() ||
          !sendAll(socket, &opening, sizeof(opening), deadline))
        throw Failure(ExitCode::collectiveTimedOut,
                      concat("rank ", to, " is missing: rank ", meeting.rank,
                             " cannot connect to it at ",
                             Address{entry.host, entry.port}.str(), ": ",
                             error));
      connections.channels[static_cast<size_t>(opening.channel)]
                          [static_cast<size_t>(to)] = std::move(socket);
    }
  }
}

static void acceptHigher(const Meeting &meeting, const Invitation &invitation,
                         const Socket &listener, const Deadline &deadline,
                         Connections &connections) {
  Arrivals<Opening> arrivals(listener);
  auto findMissing = [&] {
    std::vector<int64_t> ranks;
    for (int64_t rank = meeting.rank + 1; rank < meeting.size; ++rank)
      for (const auto &channel : connections.channels)
        if (!channel[static_cast<size_t>(rank)].isOpen() &&
            (ranks.empty() || ranks.back() != rank))
          ranks.push_back(rank);
    return ranks;
  };
  while (!findMissing().empty()) {
    if (deadline.hasPassed())
      throw Failure(ExitCode::collectiveTimedOut,
                    concat(describeRanks(findMissing()),
                           findMissing().size() == 1 ? " is" : " are",
                           " missing: stopped or gone since the ranks met; "
                           "rank ",
                           meeting.rank, " has waited for the connection"));
    auto arrival = arrivals.next();
    if (!arrival || arrival->message.token != invitation.token)
      continue;
    const Opening &opening = arrival->message;
    if (opening.rank > meeting.rank && opening.rank < meeting.size &&
        opening.channel >= 0 && opening.channel < meeting.channels)
      connections.channels[static_cast<size_t>(opening.channel)]
                          [static_cast<size_t>(opening.rank)] =
          std::move(arrival->socket);
  }
}

Connections boost_rt::meet(const Meeting &meeting, Socket listener) {
  Invitation invitation;
  if (meeting.rank == 0) {
    std::random_device random;
    invitation.token = uint64_t(random()) << 32 | random();
    invitation.entries = Host(meeting, listener).waitForAll(invitation.token);
  } else {
    invitation = findHost(meeting, listener);
  }
  Connections connections;
  connections.channels.resize(static_cast<size_t>(meeting.channels));
  for (auto &channel : connections.channels)
    channel.resize(static_cast<size_t>(meeting.size));
  Deadline deadline = getDeadline(meeting, secondsToFollow);
  connectToLower(meeting, invitation, deadline, connections);
  acceptHigher(meeting, invitation, listener, deadline, connections);
  std::string own =
      invitation.entries[static_cast<size_t>(meeting.rank)].machine;
  connections.localSize =
      std::count_if(invitation.entries.begin(), invitation.entries.end(),
                    [&](const Entry &entry) { return own == entry.machine; });
  return connections;
}
