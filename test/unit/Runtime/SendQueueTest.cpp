//===- SendQueueTest.cpp - Messages sent while a rank computes ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcp/SendQueue.h"
#include "SocketPair.h"

#include <memory>
#include <vector>

using namespace boost_rt;

namespace {

/// More than a connection holds.
constexpr int64_t large = (int64_t(1) << 22) + 12345;

/// Two ends, and a queue that sends from one of them.
struct SendQueueTest : ::testing::Test {
  SendQueueTest() : SendQueueTest(SocketPair()) {}
  explicit SendQueueTest(SocketPair pair)
      : near(std::move(pair.near)), far(std::move(pair.far)),
        queue(std::make_unique<SendQueue>()) {}

  void push(int64_t bytes, char value) {
    queue->push(near, /*toRank=*/5,
                std::vector<char>(static_cast<size_t>(bytes), value));
  }
  void expectReceived(int64_t bytes, char value) {
    std::vector<char> data(static_cast<size_t>(bytes));
    ExchangeResult result =
        exchange(MessageKind::pointToPoint, /*site=*/-1,
                 {{&far, nullptr, Transfer::none, data.data(), bytes}});
    EXPECT_EQ(result.state, MessageState::complete) << result.damage;
    EXPECT_EQ(data, std::vector<char>(static_cast<size_t>(bytes), value));
  }

  Link near, far;
  std::unique_ptr<SendQueue> queue;
};

} // namespace

// Nobody receives before both were pushed.
TEST_F(SendQueueTest, sendsInOrderWhileOthersGoOn) {
  push(large, 1);
  push(3, 2);
  expectReceived(large, 1);
  expectReceived(3, 2);
  EXPECT_EQ(queue->drain([] { return false; }), std::nullopt);
  // Another message of the same connection follows them.
  push(1, 3);
  EXPECT_EQ(queue->drain([] { return false; }), std::nullopt);
  expectReceived(1, 3);
}

// What comes over the same connection is received meanwhile.
TEST_F(SendQueueTest, anotherThreadReceives) {
  push(large, 1);
  const char sent = 7;
  char received = 0;
  EXPECT_EQ(exchange(MessageKind::pointToPoint, -1,
                     {{&far, &sent, 1, nullptr, Transfer::none}})
                .state,
            MessageState::complete);
  EXPECT_EQ(exchange(MessageKind::pointToPoint, -1,
                     {{&near, nullptr, Transfer::none, &received, 1}})
                .state,
            MessageState::complete);
  EXPECT_EQ(received, 7);
  expectReceived(large, 1);
}

TEST_F(SendQueueTest, aClosedConnectionIsThatOfALostRank) {
  push(large, 1);
  push(large, 1);
  far.socket = Socket();
  EXPECT_EQ(queue->drain([] { return false; }), 5);
}

// The receiver has stopped, and takes nothing.
TEST_F(SendQueueTest, endsWithMessagesLeft) {
  push(large, 1);
  push(large, 2);
  char first = 0;
  // It is sending by then.
  while (::recv(far.socket.get(), &first, 1, MSG_PEEK) != 1)
    ;
  queue.reset();
}
