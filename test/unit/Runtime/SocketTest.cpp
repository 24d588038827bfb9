//===- SocketTest.cpp - Connections, and the notes that go by them --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcp/Socket.h"
#include "RuntimeTest.h"
#include "SocketPair.h"
#include "tcp/Notes.h"

using namespace boost_rt;

namespace {

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
  SocketPair pair;
  std::string data(large, 'x');
  EXPECT_FALSE(sendAll(pair.near, data.data(), data.size(), Deadline(0.01)));
  char byte;
  EXPECT_FALSE(receiveAll(pair.near, &byte, 1, Deadline(0.01)));
  EXPECT_TRUE(receiveAll(pair.far, &byte, 1, Deadline(0.01)));
}

namespace {
/// Notes of rank 1 of three, and the ends of the others.
struct ThreeRanks {
  ThreeRanks() {
    std::vector<Socket> own(3), ofZero(3), ofTwo(3);
    SocketPair toZero, toTwo;
    own[0] = std::move(toZero.near);
    ofZero[1] = std::move(toZero.far);
    own[2] = std::move(toTwo.near);
    ofTwo[1] = std::move(toTwo.far);
    toTwoFar = ofTwo[1].get();
    auto note = [this](int64_t rank, const std::string &what) {
      damage = concat("rank ", rank, ": ", what);
    };
    notes = std::make_unique<Notes>(std::move(own), note);
    zero = std::make_unique<Notes>(std::move(ofZero), note);
    two = std::make_unique<Notes>(std::move(ofTwo), note);
  }

  std::string damage;
  int toTwoFar;
  std::unique_ptr<Notes> notes, zero, two;
};
} // namespace

TEST(Notes, goByTheirConnections) {
  ThreeRanks ranks;
  Notes &notes = *ranks.notes;
  char note[4] = {};
  int64_t from = -1;
  EXPECT_FALSE(notes.take(note, 4, from));
  // Two of different lengths behind each other.
  ranks.two->send("abcd", 4, 1);
  ranks.two->send("efg", 3, 1);
  EXPECT_TRUE(notes.take(note, 4, from));
  EXPECT_EQ(std::string(note, 4), "abcd");
  EXPECT_EQ(from, 2);
  ranks.zero->send("xyz", 3, 1);
  EXPECT_TRUE(notes.take(note, 3, from));
  EXPECT_EQ(std::string(note, 3), "xyz");
  EXPECT_EQ(from, 0);
  EXPECT_TRUE(notes.take(note, 3, from));
  EXPECT_EQ(std::string(note, 3), "efg");
  EXPECT_EQ(from, 2);
  // A note that does not fit is sent later, and delays nobody.
  std::string data(large, 'n'), received(large, 0);
  notes.send(data.data(), large, 0);
  EXPECT_TRUE(notes.flush());
  notes.send("t", 1, 2);
  EXPECT_TRUE(ranks.two->take(note, 1, from));
  EXPECT_EQ(note[0], 't');
  while (!ranks.zero->take(received.data(), large, from))
    notes.flush();
  EXPECT_EQ(received, data);
  EXPECT_FALSE(notes.flush());
  EXPECT_EQ(ranks.damage, "");
}

TEST(Notes, damageIsTold) {
  ThreeRanks ranks;
  std::string text(64, 'x');
  EXPECT_EQ(sendSome(ranks.toTwoFar, text.data(), 64), 64);
  char note[4];
  int64_t from = -1;
  EXPECT_FALSE(ranks.notes->take(note, 4, from));
  EXPECT_EQ(ranks.damage,
            "rank 2: bytes that are not a message where it expected "
            "a note of 4 bytes (message 0)");
}

TEST(Notes, lostRanks) {
  ThreeRanks ranks;
  Notes &notes = *ranks.notes;
  char note;
  int64_t from = -1;
  EXPECT_FALSE(notes.take(&note, 1, from));
  EXPECT_FALSE(notes.hasLost(2));
  // Its last note still comes.
  ranks.two->send("x", 1, 1);
  ranks.two.reset();
  EXPECT_TRUE(notes.take(&note, 1, from));
  EXPECT_EQ(from, 2);
  EXPECT_FALSE(notes.take(&note, 1, from));
  EXPECT_TRUE(notes.hasLost(2));
  EXPECT_FALSE(notes.hasLost(0));
  // Nothing waits for it.
  notes.send("y", 1, 2);
  EXPECT_FALSE(notes.flush());
}
