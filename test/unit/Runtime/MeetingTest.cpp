//===- MeetingTest.cpp - Ranks that meet in one process -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcp/Meeting.h"
#include "RuntimeTest.h"

#include <atomic>
#include <functional>
#include <future>
#include <map>
#include <set>
#include <sys/socket.h>
#include <thread>

using namespace boost_rt;

namespace {

/// The result of a rank.
struct Outcome {
  int code = 0;
  std::string message;
  Connections connections;
};

/// Threads that are the ranks of a run.
class MeetingTest : public ::testing::Test {
protected:
  MeetingTest() {
    std::string error;
    listener = listenAt("127.0.0.1", 0, false, error);
    port = localAddress(listener).port;
  }

  std::string place() const { return concat("127.0.0.1:", port); }

  Meeting rank(int64_t number, int64_t size) const {
    Meeting meeting;
    meeting.rank = number;
    meeting.size = size;
    meeting.host = "127.0.0.1";
    meeting.port = port;
    meeting.identity = "a program";
    meeting.limitSeconds = 60;
    meeting.channels = 2;
    return meeting;
  }

  std::future<Outcome> start(const Meeting &meeting) {
    return std::async(
        std::launch::async,
        [meeting](const Socket &own) {
          Outcome outcome;
          try {
            outcome.connections = meet(meeting, own);
          } catch (const Failure &failure) {
            outcome.code = static_cast<int>(failure.code);
            outcome.message = failure.what();
          }
          return outcome;
        },
        meeting.rank == 0 ? std::move(listener) : Socket());
  }

  std::vector<Outcome> runAll(const std::vector<Meeting> &meetings) {
    std::vector<std::future<Outcome>> running;
    for (const Meeting &meeting : meetings)
      running.push_back(start(meeting));
    std::vector<Outcome> outcomes;
    for (auto &each : running)
      outcomes.push_back(each.get());
    return outcomes;
  }

  Socket listener;
  uint16_t port = 0;
};

void expectSays(const Outcome &outcome, ExitCode code,
                const std::string &begin) {
  EXPECT_EQ(outcome.code, static_cast<int>(code));
  EXPECT_EQ(outcome.message.substr(0, begin.size()), begin);
}

/// Sends on each connection who sends and by which channel, and checks what
/// comes.
void expectConnected(const std::vector<Outcome> &ranks, size_t channels) {
  Deadline deadline(60);
  auto forEachPair = [&](auto function) {
    for (size_t from = 0; from < ranks.size(); ++from)
      for (size_t channel = 0; channel < channels; ++channel)
        for (size_t to = 0; to < ranks.size(); ++to)
          if (from != to)
            function(from, channel, to);
  };
  for (size_t rank = 0; rank < ranks.size(); ++rank) {
    ASSERT_EQ(ranks[rank].code, 0) << ranks[rank].message;
    ASSERT_EQ(ranks[rank].connections.channels.size(), channels);
    for (const auto &channel : ranks[rank].connections.channels)
      EXPECT_FALSE(channel[rank].isOpen());
  }
  forEachPair([&](size_t from, size_t channel, size_t to) {
    char note = static_cast<char>(from * 8 + channel);
    EXPECT_TRUE(sendAll(ranks[from].connections.channels[channel][to], &note, 1,
                        deadline));
  });
  forEachPair([&](size_t from, size_t channel, size_t to) {
    char note = -1;
    EXPECT_TRUE(receiveAll(ranks[to].connections.channels[channel][from], &note,
                           1, deadline));
    EXPECT_EQ(note, static_cast<char>(from * 8 + channel));
  });
}

/// The addresses where this process listens.
std::multiset<std::string> listeningHosts() {
  std::multiset<std::string> hosts;
  for (int file = 0; file < 1024; ++file) {
    int listens = 0;
    socklen_t length = sizeof(listens);
    if (::getsockopt(file, SOL_SOCKET, SO_ACCEPTCONN, &listens, &length) != 0 ||
        !listens)
      continue;
    Socket socket(::dup(file));
    hosts.insert(localAddress(socket).host);
  }
  return hosts;
}

} // namespace

TEST_F(MeetingTest, everyTwoRanksAreConnected) {
  std::vector<Outcome> ranks =
      runAll({rank(0, 4), rank(1, 4), rank(2, 4), rank(3, 4)});
  expectConnected(ranks, 2);
  for (const Outcome &outcome : ranks)
    EXPECT_EQ(outcome.connections.localSize, 4);
}

// Whoever else comes is not heard, and keeps nobody from meeting.
TEST_F(MeetingTest, strangersAreLeftAlone) {
  Deadline deadline(60);
  std::string error;
  Socket silent = connectTo("127.0.0.1", port, deadline, error);
  Socket slow = connectTo("127.0.0.1", port, deadline, error);
  sendAll(slow, "boo", 3, deadline);
  Socket other = connectTo("127.0.0.1", port, deadline, error);
  sendAll(other, "GET / HTTP/1.1\r\n", 16, deadline);
  {
    Socket gone = connectTo("127.0.0.1", port, deadline, error);
  }
  expectConnected(runAll({rank(0, 2), rank(1, 2)}), 2);
  // A challenge and a refusal.
  std::string answer(1000, 0);
  EXPECT_LT(receiveUpTo(other, answer.data(), answer.size(), deadline),
            answer.size());
}

TEST_F(MeetingTest, ranksThatDoNotComeAreNamed) {
  const std::map<std::string, std::vector<int64_t>> cases{
      {"rank 2 is", {1}}, {"ranks 1 and 2 are", {}}, {"rank 1 is", {2}}};
  for (const auto &[missing, present] : cases) {
    std::string error;
    listener = listenAt("127.0.0.1", 0, false, error);
    port = localAddress(listener).port;
    std::vector<Meeting> meetings;
    for (int64_t number : present)
      meetings.push_back(rank(number, 3));
    meetings.push_back(rank(0, 3));
    meetings.back().limitSeconds = 0.75;
    std::vector<Outcome> outcomes = runAll(meetings);
    expectSays(outcomes.back(), ExitCode::collectiveTimedOut,
               missing + " missing: not come within 0.75 s to " + place() +
                   ",");
    outcomes.pop_back();
    // Rank 0 has said it.
    for (const Outcome &outcome : outcomes) {
      EXPECT_EQ(outcome.code, static_cast<int>(ExitCode::collectiveTimedOut));
      EXPECT_EQ(outcome.message, "");
    }
  }
}

TEST_F(MeetingTest, rankZeroDoesNotCome) {
  listener = Socket();
  Meeting alone = rank(1, 2);
  alone.limitSeconds = 0.2;
  expectSays(runAll({alone})[0], ExitCode::collectiveTimedOut,
             "rank 0 is missing: rank 1 could not reach it within 0.2 s at " +
                 place() + ", where the ranks meet: ");
}

TEST_F(MeetingTest, withoutALimitRankZeroMayComeAtAnyTime) {
  std::vector<Meeting> meetings{rank(0, 3), rank(1, 3), rank(2, 3)};
  for (Meeting &meeting : meetings)
    meeting.limitSeconds = 0;
  listener = Socket();
  auto one = start(meetings[1]), two = start(meetings[2]);
  // Rank 2 waits a second longer than rank 1 where there is a limit.
  std::this_thread::sleep_for(std::chrono::milliseconds(1200));
  std::string error;
  listener = listenAt("127.0.0.1", port, false, error);
  ASSERT_TRUE(listener.isOpen()) << error;
  std::vector<Outcome> ranks;
  ranks.push_back(start(meetings[0]).get());
  ranks.push_back(one.get());
  ranks.push_back(two.get());
  expectConnected(ranks, 2);
}

namespace {
/// Expects that rank 0, which `run` is, waits until its limit and names the
/// ranks that it has refused.
void expectRefused(const Outcome &host, const Outcome &other,
                   const std::string &reason) {
  expectSays(other, ExitCode::usage, "cannot join the run at 127.0.0.1:");
  EXPECT_NE(other.message.find(reason), std::string::npos) << other.message;
  expectSays(host, ExitCode::collectiveTimedOut, "rank 1 is missing: not come");
  EXPECT_NE(host.message.find("; a process was refused: " + reason),
            std::string::npos)
      << host.message;
}
} // namespace

// They end by themselves: nobody else can end a meeting.
TEST_F(MeetingTest, thoseThatDoNotBelongAreRefused) {
  using Change = std::function<void(Meeting &)>;
  const std::map<std::string, Change> cases{
      {"rank 1 runs another program than rank 0",
       [](Meeting &other) { other.identity += " of another version"; }},
      {"rank 1 was started by another torchrun",
       [](Meeting &other) { other.launcherRun = "another run"; }},
      {"rank 1 does not have the secret of rank 0",
       [](Meeting &other) { other.secret = Secret("another"); }}};
  for (const auto &[reason, change] : cases) {
    std::string error;
    listener = listenAt("127.0.0.1", 0, false, error);
    port = localAddress(listener).port;
    std::vector<Meeting> meetings{rank(0, 2), rank(1, 2)};
    for (Meeting &meeting : meetings) {
      meeting.secret = Secret("a secret");
      meeting.launcherRun = "a run";
    }
    meetings[0].limitSeconds = 0.5;
    change(meetings[1]);
    std::vector<Outcome> outcomes = runAll(meetings);
    if (meetings[1].secret.sign("", 0) == meetings[0].secret.sign("", 0))
      expectRefused(outcomes[0], outcomes[1], reason);
    else
      EXPECT_NE(outcomes[1].message.find(reason), std::string::npos)
          << outcomes[1].message;
  }
}

TEST_F(MeetingTest, ranksWithASecretMeet) {
  std::vector<Meeting> meetings{rank(0, 3), rank(1, 3), rank(2, 3)};
  for (Meeting &meeting : meetings)
    meeting.secret = Secret("a secret");
  expectConnected(runAll(meetings), 2);
}

// A place is taken once, and the meeting goes on.
TEST_F(MeetingTest, sameRankTwice) {
  auto host = start(rank(0, 3)), one = start(rank(1, 3));
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  Outcome again = start(rank(1, 3)).get();
  expectSays(again, ExitCode::usage, "cannot join the run at " + place());
  EXPECT_NE(again.message.find("two processes say that they are rank 1"),
            std::string::npos);
  Outcome two = start(rank(2, 3)).get();
  std::vector<Outcome> ranks;
  ranks.push_back(host.get());
  ranks.push_back(one.get());
  ranks.push_back(std::move(two));
  expectConnected(ranks, 2);
}

namespace {
/// Listens for ranks as rank 0 of another start, until one has made its claim.
void challengeOnce(const Socket &listener, uint64_t run) {
  Secret secret;
  Door door(listener, secret, run, 1, 60);
  while (!door.next(10))
    ;
}
} // namespace

// It has met a rank 0 that is gone, and finds another in its place.
TEST_F(MeetingTest, aRankOfAnotherStartIsToldSo) {
  Socket first = std::move(listener);
  listener = Socket();
  auto one = start(rank(1, 2));
  challengeOnce(first, drawNumber());
  {
    Socket gone = std::move(first);
  }
  std::string error;
  listener = listenAt("127.0.0.1", port, false, error);
  ASSERT_TRUE(listener.isOpen()) << error;
  auto host = start(rank(0, 2));
  Outcome stale = one.get();
  expectSays(stale, ExitCode::usage, "cannot join the run at " + place());
  EXPECT_NE(stale.message.find("rank 1 belongs to another start of the program "
                               "than rank 0"),
            std::string::npos);
  std::vector<Outcome> ranks;
  Outcome own = start(rank(1, 2)).get();
  ranks.push_back(host.get());
  ranks.push_back(std::move(own));
  expectConnected(ranks, 2);
}

// Those that come when all have met are told so at once.
TEST_F(MeetingTest, latecomersAreTurnedAway) {
  Socket second(::dup(listener.get()));
  std::vector<Outcome> ranks = runAll({rank(0, 2), rank(1, 2)});
  Doorkeeper doorkeeper(rank(0, 2), std::move(second),
                        ranks[0].connections.run);
  Outcome late = start(rank(1, 2)).get();
  expectSays(late, ExitCode::usage, "cannot join the run at " + place());
  EXPECT_NE(late.message.find("two processes say that they are rank 1"),
            std::string::npos);
  expectConnected(ranks, 2);
}

// Whoever closes connections does not renew the limit.
TEST_F(MeetingTest, thereIsOneDeadline) {
  std::atomic<bool> stopping{false};
  std::thread closer([&] {
    while (!stopping) {
      Socket closed = acceptAt(listener);
      ::usleep(1000);
    }
  });
  Meeting meeting = rank(1, 2);
  meeting.limitSeconds = 0.4;
  Socket keep = Socket();
  auto begin = std::chrono::steady_clock::now();
  Outcome outcome;
  try {
    meet(meeting, keep);
  } catch (const Failure &failure) {
    outcome.code = static_cast<int>(failure.code);
    outcome.message = failure.what();
  }
  std::chrono::duration<double> seconds =
      std::chrono::steady_clock::now() - begin;
  stopping = true;
  closer.join();
  expectSays(outcome, ExitCode::collectiveTimedOut,
             "rank 0 is missing: rank 1 could not reach it within 0.4 s");
  EXPECT_LT(seconds.count(), 2 * meeting.limitSeconds + 1);
}

// More silent connections than there is room for.
TEST_F(MeetingTest, aCrowdOfStrangersIsLeftAlone) {
  Deadline deadline(60);
  std::string error;
  std::vector<Socket> crowd;
  for (int i = 0; i < 300; ++i)
    crowd.push_back(connectTo("127.0.0.1", port, deadline, error));
  expectConnected(runAll({rank(0, 3), rank(1, 3), rank(2, 3)}), 2);
}

TEST_F(MeetingTest, ranksListenElsewhereOnlyForOtherMachines) {
  for (bool several : {false, true}) {
    std::string error;
    listener = listenAt("127.0.0.1", 0, false, error);
    port = localAddress(listener).port;
    std::vector<std::future<Outcome>> running;
    auto startOne = [&](int64_t number) {
      Meeting meeting = rank(number, 3);
      meeting.severalMachines = several;
      running.push_back(start(meeting));
    };
    startOne(0);
    startOne(1);
    std::multiset<std::string> expected{"127.0.0.1",
                                        several ? "0.0.0.0" : "127.0.0.1"};
    Deadline deadline(10);
    while (listeningHosts() != expected && !deadline.hasPassed())
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    EXPECT_EQ(listeningHosts(), expected);
    // They wait for the third.
    startOne(2);
    for (auto &each : running)
      EXPECT_EQ(each.get().code, 0);
  }
}
