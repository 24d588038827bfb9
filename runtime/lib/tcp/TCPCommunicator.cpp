//===- TCPCommunicator.cpp - Ranks that talk over TCP ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For ranks that torchrun or a launcher like it has started, on machines that
// need no MPI. Every two ranks are connected, and exchange what they have at
// the same time: each adds up its own part of a large sum and gathers those of
// the others, and adds up all of a small one. Both add in the same order.
//
//===----------------------------------------------------------------------===//

#include "common/Activity.h"
#include "common/Communicator.h"
#include "common/ElementType.h"
#include "common/Failure.h"
#include "common/Scratch.h"
#include "tcp/Meeting.h"
#include "tcp/Message.h"
#include "tcp/Notes.h"
#include "tcp/Reduction.h"
#include "tcp/SendQueue.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

using namespace boost_rt;

/// Sums of fewer bytes are exchanged at once, larger ones in parts.
static constexpr int64_t smallBytes = int64_t(16) << 10;
/// Bytes of a large message that are under way at a time.
static constexpr int64_t segmentBytes = int64_t(4) << 20;
/// Once a rank has closed its connection, the launcher may need this long to
/// end the others, or the watchdog to say which.
static constexpr int64_t secondsToEnd = 30;

namespace {
class TCPCommunicator : public Communicator {
public:
  TCPCommunicator(const Mesh &mesh, const Meeting &meeting);

  int64_t rank() const override { return worldRank; }
  int64_t size() const override { return mesh.size(); }
  int64_t localSize() const override { return nodeSize; }

  void allReduce(uint32_t group, boost_rt_reduction reduction,
                 boost_rt_type type, void *data, int64_t count) override;
  void reduceScatter(uint32_t group, boost_rt_reduction reduction,
                     boost_rt_type type, const void *src, void *dst,
                     int64_t count) override;
  void allGather(uint32_t group, const void *src, void *dst,
                 int64_t bytes) override;
  void allToAll(uint32_t group, const void *src, void *dst,
                int64_t bytes) override;
  void send(const void *data, int64_t bytes, int64_t toRank) override;
  void receive(void *data, int64_t bytes, int64_t fromRank) override;
  void startSend(std::vector<char> data, int64_t toRank) override {
    sends.push(linkTo(toRank), toRank, std::move(data));
  }
  void finishSends() override;
  void barrier() override;

  bool hasNotes() const override { return true; }
  void sendNote(const void *data, int64_t bytes, int64_t toRank) override {
    notes->send(data, bytes, toRank);
  }
  bool takeNote(void *data, int64_t bytes, int64_t &fromRank) override {
    return notes->take(data, bytes, fromRank);
  }
  bool hasLost(int64_t rank) const override { return notes->hasLost(rank); }
  /// The launcher ends the others.
  [[noreturn]] void abort(int exitCode) override { std::_Exit(exitCode); }

private:
  /// Data for and from the rank at a position of a group.
  struct Piece {
    const char *out;
    int64_t outBytes;
    char *in;
    int64_t inBytes;
  };

  void connect(const Meeting &meeting);
  int64_t position(uint32_t group) const {
    return mesh.groupPosition(worldRank, group);
  }
  Link &linkTo(int64_t rank) { return links[static_cast<size_t>(rank)]; }
  template <typename GetPiece>
  void exchangePieces(MessageKind kind, uint32_t group, GetPiece getPiece);
  void drainSends(const char *call);
  void wait(MessageKind kind, const std::vector<Transfer> &transfers,
            const std::vector<int64_t> &ranks);
  [[noreturn]] void endByLoss(int64_t lost, const char *call) const;
  [[noreturn]] void endByDamage(int64_t from, const std::string &damage) const;
  std::vector<char *> allocateTerms(int64_t count, int64_t bytes);
  void sumOfAll(uint32_t group, boost_rt_reduction reduction,
                boost_rt_type type, char *data, int64_t count);
  void sumInParts(uint32_t group, boost_rt_reduction reduction,
                  boost_rt_type type, char *data, int64_t count);

  const Mesh mesh;
  const int64_t worldRank;
  int64_t nodeSize = 1;
  /// Ranks by group mask and position.
  std::vector<std::vector<int64_t>> members;
  std::vector<Link> links;
  /// Ends before the connections do.
  SendQueue sends;
  std::unique_ptr<Notes> notes;
  /// On rank 0.
  std::unique_ptr<Doorkeeper> doorkeeper;
  Scratch scratch;
};
} // namespace

//===----------------------------------------------------------------------===//
// Start
//===----------------------------------------------------------------------===//

TCPCommunicator::TCPCommunicator(const Mesh &mesh, const Meeting &meeting)
    : mesh(mesh), worldRank(meeting.rank), members(mesh.allAxes() + 1u),
      scratch(1) {
  for (uint32_t group = 1; group < members.size(); ++group) {
    members[group].resize(static_cast<size_t>(mesh.groupSize(group)));
    for (int64_t rank = 0; rank < mesh.size(); ++rank)
      if (mesh.groupIndex(rank, group) == mesh.groupIndex(worldRank, group))
        members[group][static_cast<size_t>(mesh.groupPosition(rank, group))] =
            rank;
  }
  connect(meeting);
}

/// The listener of rank 0.
static Socket listenFor(const Meeting &meeting) {
  std::string error;
  Socket listener =
      listenAt(meeting.host, meeting.port, meeting.severalMachines, error);
  if (!listener.isOpen())
    throw Failure(ExitCode::usage,
                  concat("rank 0 cannot listen at ",
                         Address{meeting.host, meeting.port}.str(),
                         ", where the ranks meet: ", error,
                         "; set BOOST_MASTER_PORT to a free port, or "
                         "MASTER_ADDR to an address of rank 0's machine, on "
                         "all ranks"));
  Address address = localAddress(listener);
  if (!address.isLoopback() && meeting.secret.isEmpty())
    std::fprintf(stderr,
                 "warning: ranks meet at %s, beyond the loopback interface, "
                 "without a secret: whoever reaches their ports may take part; "
                 "set BOOST_RUN_SECRET or BOOST_RUN_SECRET_FILE on all ranks\n",
                 address.str().c_str());
  return listener;
}

void TCPCommunicator::connect(const Meeting &meeting) {
  Socket listener = worldRank == 0 ? listenFor(meeting) : Socket();
  Connections connections = meet(meeting, listener);
  nodeSize = connections.localSize;
  for (Socket &socket : connections.channels[0])
    links.emplace_back(std::move(socket));
  notes =
      std::make_unique<Notes>(std::move(connections.channels[1]),
                              [this](int64_t from, const std::string &damage) {
                                endByDamage(from, damage);
                              });
  if (worldRank == 0)
    doorkeeper = std::make_unique<Doorkeeper>(meeting, std::move(listener),
                                              connections.run);
}

static Meeting describeMeeting(const Mesh &mesh, const RunStart &start) {
  MeetingPlace place = readMeetingPlace();
  Meeting meeting;
  meeting.rank = launcherRank();
  meeting.size = mesh.size();
  meeting.host = place.host;
  meeting.port = place.port;
  meeting.severalMachines = place.severalMachines;
  meeting.identity = start.identity;
  meeting.launcherRun = place.launcherRun;
  meeting.secret = readSecret();
  meeting.limitSeconds = start.limitSeconds;
  meeting.channels = 2;
  return meeting;
}

std::unique_ptr<Communicator>
boost_rt::createTCPCommunicator(const Mesh &mesh, const RunStart &start) {
  bool isMeeting = false;
  try {
    Meeting meeting = describeMeeting(mesh, start);
    isMeeting = true;
    return std::make_unique<TCPCommunicator>(mesh, meeting);
  } catch (const Failure &failure) {
    if (launcherRank() == 0 || !*failure.what())
      throw;
    // A wrong variable may be that of all ranks, who fail alike.
    if (!isMeeting)
      letRankZeroFailFirst();
    std::fprintf(stderr, "error: %s\n", failure.what());
    throw Failure(failure.code, "");
  }
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

void TCPCommunicator::endByDamage(int64_t from,
                                  const std::string &damage) const {
  std::fprintf(
      stderr,
      "error: rank %lld got from rank %lld %s: the network changes, "
      "loses or repeats what ranks send, or the ranks are at different "
      "places of the program\n",
      static_cast<long long>(worldRank), static_cast<long long>(from),
      damage.c_str());
  std::fflush(nullptr);
  std::_Exit(static_cast<int>(ExitCode::networkFault));
}

/// Every call that may wait for another rank goes through here, so that none is
/// unwatched. `ranks` are those of the transfers.
void TCPCommunicator::wait(MessageKind kind,
                           const std::vector<Transfer> &transfers,
                           const std::vector<int64_t> &ranks) {
  Waiting waiting(nameOf(kind));
  if (std::any_of(transfers.begin(), transfers.end(), [](const Transfer &each) {
        return each.outBytes != Transfer::none;
      }))
    drainSends(nameOf(kind));
  ExchangeResult result =
      boost_rt::exchange(kind, Activity::ofThisRank().getSite(), transfers,
                         [&] { return notes->flush(); });
  if (result.state == MessageState::complete)
    return;
  int64_t other = ranks[result.transfer];
  if (result.state == MessageState::damaged)
    endByDamage(other, result.damage);
  endByLoss(other, nameOf(kind));
}

void TCPCommunicator::endByLoss(int64_t lost, const char *call) const {
  // The watchdog says it for all ranks, if there is one.
  std::this_thread::sleep_for(std::chrono::seconds(secondsToEnd));
  std::fprintf(stderr,
               "error: rank %lld is missing: it has ended while rank %lld "
               "waited for it in %s\n",
               static_cast<long long>(lost), static_cast<long long>(worldRank),
               call);
  std::fflush(nullptr);
  std::_Exit(static_cast<int>(ExitCode::collectiveTimedOut));
}

/// Waits until what was started is sent. `call` is the one that waits for it.
void TCPCommunicator::drainSends(const char *call) {
  if (std::optional<int64_t> lost = sends.drain([&] { return notes->flush(); }))
    endByLoss(*lost, call);
}

void TCPCommunicator::finishSends() {
  Waiting waiting(nameOf(MessageKind::pointToPoint));
  drainSends(nameOf(MessageKind::pointToPoint));
}

/// getPiece(p) with every other position p of the group.
template <typename GetPiece>
void TCPCommunicator::exchangePieces(MessageKind kind, uint32_t group,
                                     GetPiece getPiece) {
  std::vector<Transfer> transfers;
  std::vector<int64_t> ranks;
  for (size_t p = 0; p < members[group].size(); ++p) {
    int64_t rank = members[group][p];
    if (rank == worldRank)
      continue;
    Piece piece = getPiece(static_cast<int64_t>(p));
    transfers.push_back(
        {&linkTo(rank), piece.out, piece.outBytes, piece.in, piece.inBytes});
    ranks.push_back(rank);
  }
  wait(kind, transfers, ranks);
}

//===----------------------------------------------------------------------===//
// Collectives
//===----------------------------------------------------------------------===//

void TCPCommunicator::allReduce(uint32_t group, boost_rt_reduction reduction,
                                boost_rt_type type, void *data, int64_t count) {
  char *bytes = static_cast<char *>(data);
  if (count * sizeOf(type) <= smallBytes)
    return sumOfAll(group, reduction, type, bytes, count);
  int64_t segment = segmentBytes / sizeOf(type);
  for (int64_t begin = 0; begin < count; begin += segment)
    sumInParts(group, reduction, type, bytes + begin * sizeOf(type),
               std::min(segment, count - begin));
}

/// Room for what each rank of a group contributes.
std::vector<char *> TCPCommunicator::allocateTerms(int64_t count,
                                                   int64_t bytes) {
  char *base = static_cast<char *>(scratch.get(0, count * bytes));
  std::vector<char *> terms(static_cast<size_t>(count));
  for (char *&term : terms)
    term = std::exchange(base, base + bytes);
  return terms;
}

void TCPCommunicator::sumOfAll(uint32_t group, boost_rt_reduction reduction,
                               boost_rt_type type, char *data, int64_t count) {
  int64_t bytes = count * sizeOf(type);
  auto groupSize = static_cast<int64_t>(members[group].size());
  std::vector<char *> terms = allocateTerms(groupSize, bytes);
  auto own = static_cast<size_t>(position(group));
  std::memcpy(terms[own], data, static_cast<size_t>(bytes));
  exchangePieces(MessageKind::allReduce, group, [&](int64_t p) {
    return Piece{data, bytes, terms[static_cast<size_t>(p)], bytes};
  });
  reduceTerms(reduction, type, terms, count);
  std::memcpy(data, terms[0], static_cast<size_t>(bytes));
}

/// The rank at position p adds up part p, and sends it to the others.
void TCPCommunicator::sumInParts(uint32_t group, boost_rt_reduction reduction,
                                 boost_rt_type type, char *data,
                                 int64_t count) {
  auto groupSize = static_cast<int64_t>(members[group].size());
  int64_t width = sizeOf(type), own = position(group);
  auto begin = [&](int64_t p) { return count * p / groupSize; };
  auto partBytes = [&](int64_t p) { return (begin(p + 1) - begin(p)) * width; };
  auto part = [&](int64_t p) { return data + begin(p) * width; };
  std::vector<char *> terms = allocateTerms(groupSize, partBytes(own));
  std::memcpy(terms[static_cast<size_t>(own)], part(own),
              static_cast<size_t>(partBytes(own)));
  exchangePieces(MessageKind::allReduce, group, [&](int64_t p) {
    return Piece{part(p), partBytes(p), terms[static_cast<size_t>(p)],
                 partBytes(own)};
  });
  reduceTerms(reduction, type, terms, partBytes(own) / width);
  std::memcpy(part(own), terms[0], static_cast<size_t>(partBytes(own)));
  exchangePieces(MessageKind::allReduce, group, [&](int64_t p) {
    return Piece{part(own), partBytes(own), part(p), partBytes(p)};
  });
}

void TCPCommunicator::reduceScatter(uint32_t group,
                                    boost_rt_reduction reduction,
                                    boost_rt_type type, const void *src,
                                    void *dst, int64_t count) {
  auto groupSize = static_cast<int64_t>(members[group].size());
  int64_t width = sizeOf(type), own = position(group);
  const char *from = static_cast<const char *>(src);
  char *to = static_cast<char *>(dst);
  int64_t segment = segmentBytes / width;
  for (int64_t begin = 0; begin < count; begin += segment) {
    int64_t length = std::min(segment, count - begin), bytes = length * width;
    std::vector<char *> terms = allocateTerms(groupSize, bytes);
    auto piece = [&](int64_t p) { return from + (p * count + begin) * width; };
    std::memcpy(terms[static_cast<size_t>(own)], piece(own),
                static_cast<size_t>(bytes));
    exchangePieces(MessageKind::reduceScatter, group, [&](int64_t p) {
      return Piece{piece(p), bytes, terms[static_cast<size_t>(p)], bytes};
    });
    reduceTerms(reduction, type, terms, length);
    std::memcpy(to + begin * width, terms[0], static_cast<size_t>(bytes));
  }
}

void TCPCommunicator::allGather(uint32_t group, const void *src, void *dst,
                                int64_t bytes) {
  const char *from = static_cast<const char *>(src);
  char *to = static_cast<char *>(dst);
  std::memcpy(to + position(group) * bytes, from, static_cast<size_t>(bytes));
  exchangePieces(MessageKind::allGather, group, [&](int64_t p) {
    return Piece{from, bytes, to + p * bytes, bytes};
  });
}

void TCPCommunicator::allToAll(uint32_t group, const void *src, void *dst,
                               int64_t bytes) {
  const char *from = static_cast<const char *>(src);
  char *to = static_cast<char *>(dst);
  int64_t own = position(group);
  std::memcpy(to + own * bytes, from + own * bytes, static_cast<size_t>(bytes));
  exchangePieces(MessageKind::allToAll, group, [&](int64_t p) {
    return Piece{from + p * bytes, bytes, to + p * bytes, bytes};
  });
}

/// In each round every rank hears of twice as many.
void TCPCommunicator::barrier() {
  const char out = 0;
  char in = 0;
  for (int64_t distance = 1; distance < size(); distance *= 2) {
    int64_t to = (worldRank + distance) % size();
    int64_t from = (worldRank + size() - distance) % size();
    wait(MessageKind::barrier,
         {{&linkTo(to), &out, 1, nullptr, Transfer::none},
          {&linkTo(from), nullptr, Transfer::none, &in, 1}},
         {to, from});
  }
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

void TCPCommunicator::send(const void *data, int64_t bytes, int64_t toRank) {
  wait(MessageKind::pointToPoint,
       {{&linkTo(toRank), static_cast<const char *>(data), bytes, nullptr,
         Transfer::none}},
       {toRank});
}

void TCPCommunicator::receive(void *data, int64_t bytes, int64_t fromRank) {
  wait(MessageKind::pointToPoint,
       {{&linkTo(fromRank), nullptr, Transfer::none, static_cast<char *>(data),
         bytes}},
       {fromRank});
}
