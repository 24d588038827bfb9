//===- SocketTest.cpp - Connections, and the notes that go by them --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcp/Socket.h"
#include "RuntimeTest.h"
#include "tcp/Notes.h"

#include <sys/socket.h>

using namespace boost_rt;

namespace {

/// Two ends of a connection.
struct Pair {
  Pair() {
    int ends[2];
    int type = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;
    EXPECT_EQ(::socketpair(AF_UNIX, type, 0, ends), 0);
    near = Socket(ends[0]);
    far = Socket(ends[1]);
  }
  Socket near, far;
};

/// More than a connection holds.
constexpr int64_t large = int64_t(1) << 22;

} // namespace

TEST(Address, loopbackAndText) {
  EXPECT_TRUE((Address{"127.3.2.1"}).isLoopback());
  EXPECT_TRUE((Address{"::1"}).isLoopback());
  for (const char *host : {"128.0.0.1", "10.127.0.1", "12.7.0.1", "::12", ""})
    EXPECT_FALSE((Address{host}).isLoopback()) << host;
  EXPECT_EQ((Address{"10.0.0.1", 80}).str(), "10.0.0.1:80");
  EXPECT_EQ((Address{"fe80::1", 80}).str(), "[fe80::1]:80");
}

TEST(Deadline, noneAndPassed) {
  Deadline none(0);
  EXPECT_FALSE(none.hasPassed());
  EXPECT_EQ(none.millisecondsLeft(700), 700);
  Deadline passed(1e-9);
  ::usleep(2000);
  EXPECT_TRUE(passed.hasPassed());
  EXPECT_EQ(passed.millisecondsLeft(700), 0);
  Deadline later(3600);
  EXPECT_FALSE(later.hasPassed());
  EXPECT_EQ(later.millisecondsLeft(700), 700);
}

TEST(Socket, listensAtNoPortThatIsInUse) {
  std::string error;
  Socket first = listenAt("127.0.0.1", 0, false, error);
  ASSERT_TRUE(first.isOpen()) << error;
  uint16_t port = localAddress(first).port;
  for (bool everywhere : {false, true}) {
    Socket second = listenAt("127.0.0.1", port, everywhere, error);
    EXPECT_FALSE(second.isOpen());
    EXPECT_EQ(error, std::strerror(EADDRINUSE));
  }
}

// The limit ends what the other end does not take or send.
TEST(Socket, deadlinesEndMessages) {
  Pair pair;
  std::string data(large, 'x');
  EXPECT_FALSE(sendAll(pair.near, data.data(), data.size(), Deadline(0.01)));
  char byte;
  EXPECT_FALSE(receiveAll(pair.near, &byte, 1, Deadline(0.01)));
  EXPECT_TRUE(receiveAll(pair.far, &byte, 1, Deadline(0.01)));
}

// Both ends send more than a connection holds before either has received.
TEST(Socket, exchangesGoBothWays) {
  Pair first, second;
  std::string a(large, 'a'), b(large, 'b'), fromA(large, 0), fromB(large, 0);
  char byte = 'c', last = 0;
  EXPECT_EQ(exchange({{first.near.get(), a.data(), large, fromB.data(), large},
                      {second.near.get(), &byte, 1, nullptr, 0},
                      {first.far.get(), b.data(), large, fromA.data(), large},
                      {second.far.get(), nullptr, 0, &last, 1}}),
            -1);
  EXPECT_EQ(fromA, a);
  EXPECT_EQ(fromB, b);
  EXPECT_EQ(last, 'c');
  EXPECT_EQ(exchange({}), -1);
}

TEST(Socket, exchangesTellWhoHasClosed) {
  Pair open, closed;
  {
    Socket dropped = std::move(closed.far);
  }
  char out = 1, in;
  EXPECT_EQ(exchange({{open.near.get(), &out, 1, nullptr, 0},
                      {closed.near.get(), nullptr, 0, &in, 1}}),
            1);
  EXPECT_EQ(exchange({{closed.near.get(), &out, 1, nullptr, 0}}), 0);
}

// Rank 1 of three; the others are ends of connections.
TEST(Notes, goByTheirConnections) {
  Pair toZero, toTwo;
  std::vector<Socket> sockets(3);
  sockets[0] = std::move(toZero.near);
  sockets[2] = std::move(toTwo.near);
  Notes notes(std::move(sockets));
  Deadline deadline(60);
  char note[4] = {};
  int64_t from = -1;
  EXPECT_FALSE(notes.take(note, 4, from));
  // In parts, and two of different lengths behind each other.
  EXPECT_TRUE(sendAll(toTwo.far, "ab", 2, deadline));
  EXPECT_FALSE(notes.take(note, 4, from));
  EXPECT_TRUE(sendAll(toTwo.far, "cdefg", 5, deadline));
  EXPECT_TRUE(notes.take(note, 4, from));
  EXPECT_EQ(std::string(note, 4), "abcd");
  EXPECT_EQ(from, 2);
  EXPECT_TRUE(sendAll(toZero.far, "xyz", 3, deadline));
  EXPECT_TRUE(notes.take(note, 3, from));
  EXPECT_EQ(std::string(note, 3), "xyz");
  EXPECT_EQ(from, 0);
  EXPECT_TRUE(notes.take(note, 3, from));
  EXPECT_EQ(std::string(note, 3), "efg");
  EXPECT_EQ(from, 2);
  // What does not fit goes later, and holds nobody else up.
  std::string data(large, 'n'), received(large, 0);
  notes.send(data.data(), large, 0);
  EXPECT_TRUE(notes.flush());
  notes.send("t", 1, 2);
  EXPECT_TRUE(receiveAll(toTwo.far, note, 1, deadline));
  EXPECT_EQ(note[0], 't');
  for (int64_t done = 0; done < large;) {
    int64_t bytes =
        receiveSome(toZero.far.get(), received.data() + done, large - done);
    ASSERT_GE(bytes, 0);
    done += bytes;
    notes.flush();
  }
  EXPECT_EQ(received, data);
  EXPECT_FALSE(notes.flush());
}

TEST(Notes, lostRanks) {
  Pair toZero, toTwo;
  std::vector<Socket> sockets(3);
  sockets[0] = std::move(toZero.near);
  sockets[2] = std::move(toTwo.near);
  Notes notes(std::move(sockets));
  char note;
  int64_t from = -1;
  EXPECT_FALSE(notes.take(&note, 1, from));
  EXPECT_FALSE(notes.hasLostRank());
  // Its last note still comes.
  {
    Socket ending = std::move(toTwo.far);
    EXPECT_TRUE(sendAll(ending, "x", 1, Deadline(60)));
  }
  EXPECT_TRUE(notes.take(&note, 1, from));
  EXPECT_EQ(from, 2);
  EXPECT_FALSE(notes.take(&note, 1, from));
  EXPECT_TRUE(notes.hasLostRank());
  // Nothing waits for it.
  notes.send("y", 1, 2);
  EXPECT_FALSE(notes.flush());
}
