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
#include "tcp/Notes.h"
#include "tcp/Reduction.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <utility>

using namespace boost_rt;

/// Sums of fewer bytes are exchanged at once, larger ones in parts.
static constexpr int64_t smallBytes = int64_t(16) << 10;
/// How much of a large one is under way at a time.
static constexpr int64_t segmentBytes = int64_t(4) << 20;
/// Once a rank has closed its connection, the launcher may need this long to
/// end the others, or the watchdog to say which.
static constexpr int64_t secondsToEnd = 30;

namespace {
class TCPCommunicator : public Communicator {
public:
  TCPCommunicator(const Mesh &mesh, const RunStart &start,
                  const MeetingPlace &place);

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
  void barrier() override;

  bool hasNotes() const override { return true; }
  void sendNote(const void *data, int64_t bytes, int64_t toRank) override {
    notes->send(data, bytes, toRank);
  }
  bool takeNote(void *data, int64_t bytes, int64_t &fromRank) override {
    return notes->take(data, bytes, fromRank);
  }
  bool hasLostRank() const override { return notes->hasLostRank(); }
  /// The launcher ends the others.
  [[noreturn]] void abort(int exitCode) override { std::_Exit(exitCode); }

private:
  /// What goes to the rank at a position of a group, and what comes from it.
  struct Piece {
    const char *out;
    int64_t outBytes;
    char *in;
    int64_t inBytes;
  };

  void connect(const RunStart &start, const MeetingPlace &place);
  int64_t position(uint32_t group) const {
    return mesh.groupPosition(worldRank, group);
  }
  template <typename GetPiece>
  void exchangePieces(const char *what, uint32_t group, GetPiece getPiece);
  void wait(const char *what, const std::vector<Transfer> &transfers,
            const std::vector<int64_t> &ranks);
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
  std::vector<Socket> sockets;
  std::unique_ptr<Notes> notes;
  Scratch scratch;
};
} // namespace

//===----------------------------------------------------------------------===//
// Start
//===----------------------------------------------------------------------===//

TCPCommunicator::TCPCommunicator(const Mesh &mesh, const RunStart &start,
                                 const MeetingPlace &place)
    : mesh(mesh), worldRank(launcherRank()), members(mesh.allAxes() + 1u),
      scratch(1) {
  for (uint32_t group = 1; group < members.size(); ++group) {
    members[group].resize(static_cast<size_t>(mesh.groupSize(group)));
    for (int64_t rank = 0; rank < mesh.size(); ++rank)
      if (mesh.groupIndex(rank, group) == mesh.groupIndex(worldRank, group))
        members[group][static_cast<size_t>(mesh.groupPosition(rank, group))] =
            rank;
  }
  connect(start, place);
}

void TCPCommunicator::connect(const RunStart &start,
                              const MeetingPlace &place) {
  Meeting meeting;
  meeting.rank = worldRank;
  meeting.size = mesh.size();
  meeting.host = place.host;
  meeting.port = place.port;
  meeting.severalMachines = place.severalMachines;
  meeting.identity = start.identity;
  meeting.limitSeconds = start.limitSeconds;
  meeting.channels = 2;
  Socket listener;
  if (worldRank == 0) {
    std::string error;
    listener = listenAt(place.host, place.port, place.severalMachines, error);
    if (!listener.isOpen())
      throw Failure(ExitCode::usage,
                    concat("rank 0 cannot listen at ",
                           Address{place.host, place.port}.str(),
                           ", where the ranks meet: ", error,
                           "; set BOOST_MASTER_PORT to a free port, or "
                           "MASTER_ADDR to an address of rank 0's machine, on "
                           "all ranks"));
  }
  Connections connections = meet(meeting, std::move(listener));
  nodeSize = connections.localSize;
  sockets = std::move(connections.channels[0]);
  notes = std::make_unique<Notes>(std::move(connections.channels[1]));
}

std::unique_ptr<Communicator>
boost_rt::createTCPCommunicator(const Mesh &mesh, const RunStart &start) {
  try {
    return std::make_unique<TCPCommunicator>(mesh, start, readMeetingPlace());
  } catch (const Failure &failure) {
    // What rank 0 finds it tells the others, but only they see the rest.
    if (launcherRank() == 0 || !*failure.what())
      throw;
    // Rank 0 is not waited for twice.
    if (failure.code != ExitCode::collectiveTimedOut)
      letRankZeroFailFirst();
    std::fprintf(stderr, "error: %s\n", failure.what());
    throw Failure(failure.code, "");
  }
}

//===----------------------------------------------------------------------===//
// Waiting
//===----------------------------------------------------------------------===//

/// Every call that may wait for another rank goes through here, so that none is
/// unwatched. `what` is a literal such as "an all-reduce"; `ranks` are those of
/// the transfers.
void TCPCommunicator::wait(const char *what,
                           const std::vector<Transfer> &transfers,
                           const std::vector<int64_t> &ranks) {
  Waiting waiting(what);
  int64_t lost = boost_rt::exchange(transfers, [&] { return notes->flush(); });
  if (lost < 0)
    return;
  // The watchdog says it for all ranks, if there is one.
  std::this_thread::sleep_for(std::chrono::seconds(secondsToEnd));
  std::fprintf(stderr,
               "error: rank %lld is missing: it has ended while rank %lld "
               "waited for it in %s\n",
               static_cast<long long>(ranks[static_cast<size_t>(lost)]),
               static_cast<long long>(worldRank), what);
  std::fflush(nullptr);
  std::_Exit(static_cast<int>(ExitCode::collectiveTimedOut));
}

/// getPiece(p) with every other position p of the group.
template <typename GetPiece>
void TCPCommunicator::exchangePieces(const char *what, uint32_t group,
                                     GetPiece getPiece) {
  std::vector<Transfer> transfers;
  std::vector<int64_t> ranks;
  for (size_t p = 0; p < members[group].size(); ++p) {
    int64_t rank = members[group][p];
    if (rank == worldRank)
      continue;
    Piece piece = getPiece(static_cast<int64_t>(p));
    transfers.push_back({sockets[static_cast<size_t>(rank)].get(), piece.out,
                         piece.outBytes, piece.in, piece.inBytes});
    ranks.push_back(rank);
  }
  wait(what, transfers, ranks);
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
  exchangePieces("an all-reduce", group, [&](int64_t p) {
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
  exchangePieces("an all-reduce", group, [&](int64_t p) {
    return Piece{part(p), partBytes(p), terms[static_cast<size_t>(p)],
                 partBytes(own)};
  });
  reduceTerms(reduction, type, terms, partBytes(own) / width);
  std::memcpy(part(own), terms[0], static_cast<size_t>(partBytes(own)));
  exchangePieces("an all-reduce", group, [&](int64_t p) {
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
    exchangePieces("a reduce-scatter", group, [&](int64_t p) {
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
  exchangePieces("an all-gather", group, [&](int64_t p) {
    return Piece{from, bytes, to + p * bytes, bytes};
  });
}

void TCPCommunicator::allToAll(uint32_t group, const void *src, void *dst,
                               int64_t bytes) {
  const char *from = static_cast<const char *>(src);
  char *to = static_cast<char *>(dst);
  int64_t own = position(group);
  std::memcpy(to + own * bytes, from + own * bytes, static_cast<size_t>(bytes));
  exchangePieces("an all-to-all", group, [&](int64_t p) {
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
    wait("a barrier",
         {{sockets[static_cast<size_t>(to)].get(), &out, 1, nullptr, 0},
          {sockets[static_cast<size_t>(from)].get(), nullptr, 0, &in, 1}},
         {to, from});
  }
}

//===----------------------------------------------------------------------===//
// Messages
//===----------------------------------------------------------------------===//

void TCPCommunicator::send(const void *data, int64_t bytes, int64_t toRank) {
  wait("a send",
       {{sockets[static_cast<size_t>(toRank)].get(),
         static_cast<const char *>(data), bytes, nullptr, 0}},
       {toRank});
}

void TCPCommunicator::receive(void *data, int64_t bytes, int64_t fromRank) {
  wait("a receive",
       {{sockets[static_cast<size_t>(fromRank)].get(), nullptr, 0,
         static_cast<char *>(data), bytes}},
       {fromRank});
}
