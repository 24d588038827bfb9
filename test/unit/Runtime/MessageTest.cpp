//===- MessageTest.cpp - Damage of messages, and exchanges ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcp/Message.h"
#include "RuntimeTest.h"
#include "SocketPair.h"

#include <string>
#include <thread>
#include <vector>

using namespace boost_rt;

namespace {

/// More than a connection holds, and no multiple of a chunk.
constexpr int64_t large = (int64_t(1) << 22) + 12345;

MessageHeader header(uint64_t sequence, int64_t bytes) {
  return MessageHeader::of(MessageKind::allReduce, 3, sequence, bytes);
}

/// The bytes of a message on its way.
std::string encode(const MessageHeader &header, const std::string &data) {
  SocketPair pair;
  OutgoingMessage message(header, data.data());
  EXPECT_EQ(message.advance(pair.near.get()), MessageState::complete);
  std::string text(data.size() + 256, 0);
  int64_t bytes = receiveSome(pair.far.get(), text.data(),
                              static_cast<int64_t>(text.size()));
  text.resize(static_cast<size_t>(bytes));
  return text;
}

/// Returns the state of the messages `expected` after receiving these bytes.
MessageState decode(const std::string &text,
                    const std::vector<std::string> &expected) {
  SocketPair pair;
  EXPECT_TRUE(sendAll(pair.near, text.data(), text.size(), Deadline(10)));
  for (size_t i = 0; i < expected.size(); ++i) {
    std::string data(expected[i].size(), 0);
    IncomingMessage message(header(i, static_cast<int64_t>(data.size())),
                            data.data());
    MessageState state = message.advance(pair.far.get());
    if (state != MessageState::complete)
      return state;
    EXPECT_EQ(data, expected[i]);
  }
  return MessageState::complete;
}

/// Both ends of one exchange over one connection.
struct Ends {
  Link near, far;
  explicit Ends(SocketPair pair)
      : near(std::move(pair.near)), far(std::move(pair.far)) {}
};

Transfer sending(Link &link, const std::string &data) {
  return {&link, data.data(), static_cast<int64_t>(data.size()), nullptr,
          Transfer::none};
}

Transfer receiving(Link &link, std::string &data) {
  return {&link, nullptr, Transfer::none, data.data(),
          static_cast<int64_t>(data.size())};
}

ExchangeResult run(const std::vector<Transfer> &transfers) {
  return exchange(MessageKind::allReduce, 3, transfers);
}

} // namespace

TEST(Message, everyFlippedBitIsDamage) {
  for (const std::string data : {"", "x", "what a rank has computed"}) {
    std::string text = encode(header(0, int64_t(data.size())), data);
    ASSERT_EQ(decode(text, {data}), MessageState::complete);
    for (size_t bit = 0; bit < 8 * text.size(); ++bit) {
      std::string changed = text;
      changed[bit / 8] ^= static_cast<char>(1 << bit % 8);
      EXPECT_EQ(decode(changed, {data}), MessageState::damaged) << bit;
    }
  }
}

// The message behind it is not taken for the rest of this one.
TEST(Message, bytesThatAreLostAddedOrRepeatedAreDamage) {
  const std::string first = "what a rank has computed", second = "and later";
  std::string text = encode(header(0, int64_t(first.size())), first) +
                     encode(header(1, int64_t(second.size())), second);
  ASSERT_EQ(decode(text, {first, second}), MessageState::complete);
  size_t inFirst = text.size() - encode(header(1, 9), second).size();
  for (size_t at = 0; at < inFirst; ++at)
    for (size_t count : {1, 7, 8, 40}) {
      if (at + count > inFirst)
        continue;
      auto changed = [&](const std::string &middle) {
        return text.substr(0, at) + middle + text.substr(at + count);
      };
      std::string part = text.substr(at, count);
      for (const std::string &middle :
           {std::string(), std::string(count, '\1') + part, part + part})
        EXPECT_EQ(decode(changed(middle), {first, second}),
                  MessageState::damaged)
            << at << " " << count;
    }
}

TEST(Message, wholeMessagesThatAreLostOrRepeatedAreDamage) {
  const std::string data = "the same";
  std::string first = encode(header(0, 8), data),
              second = encode(header(1, 8), data);
  EXPECT_EQ(decode(second, {data}), MessageState::damaged);
  EXPECT_EQ(decode(first + first, {data, data}), MessageState::damaged);
}

TEST(Message, damageIsDescribed) {
  auto damage = [](const std::string &text) {
    SocketPair pair;
    EXPECT_TRUE(sendAll(pair.near, text.data(), text.size(), Deadline(10)));
    std::string data(5, 0);
    IncomingMessage message(header(7, 5), data.data());
    EXPECT_EQ(message.advance(pair.far.get()), MessageState::damaged);
    return message.describeDamage();
  };
  const std::string expected = "an all-reduce of 5 bytes at site 3 (message 7)";
  std::string text = encode(header(7, 5), "hello");
  text[34] ^= 1;
  EXPECT_EQ(damage(text), expected + " whose bytes do not fit their checksum");
  text[9] ^= 1;
  EXPECT_EQ(damage(text),
            "bytes that are not a message where it expected " + expected);
  auto other = MessageHeader::of(MessageKind::barrier, -1, 6, 1);
  EXPECT_EQ(damage(encode(other, "x")),
            "a barrier of 1 bytes (message 6) where it expected " + expected);
}

// Both ends send more than a connection holds before either has received.
TEST(Exchange, goesBothWays) {
  Ends first{SocketPair()}, second{SocketPair()};
  std::string a(large, 'a'), b(large, 'b'), fromA(large, 0), fromB(large, 0);
  std::string byte = "c", last = " ";
  auto result = run({{&first.near, a.data(), large, fromB.data(), large},
                     sending(second.near, byte),
                     {&first.far, b.data(), large, fromA.data(), large},
                     receiving(second.far, last)});
  EXPECT_EQ(result.state, MessageState::complete);
  EXPECT_EQ(fromA, a);
  EXPECT_EQ(fromB, b);
  EXPECT_EQ(last, "c");
  EXPECT_EQ(run({}).state, MessageState::complete);
}

// One behind the other, however large they are.
TEST(Exchange, messagesOfAConnectionKeepTheirOrder) {
  Ends ends{SocketPair()};
  std::string a(large, 'a'), b = "b", first(large, 0), second(1, 0);
  auto result = run({sending(ends.near, a), sending(ends.near, b),
                     receiving(ends.far, first), receiving(ends.far, second)});
  EXPECT_EQ(result.state, MessageState::complete);
  EXPECT_EQ(first, a);
  EXPECT_EQ(second, b);
}

TEST(Exchange, damageAnywhereInALargeMessage) {
  std::string data(large, 'a');
  const size_t places[] = {32, size_t(large) / 2, size_t(large) + 31,
                           size_t(large) + 39};
  for (size_t place : places) {
    SocketPair damaged;
    Ends ends{SocketPair()};
    std::thread network([&] {
      // Between the two ends.
      std::string text(size_t(large) + 40, 0);
      EXPECT_TRUE(
          receiveAll(damaged.far, text.data(), text.size(), Deadline(60)));
      text[place] ^= 4;
      EXPECT_TRUE(
          sendAll(ends.near.socket, text.data(), text.size(), Deadline(60)));
    });
    Link out(std::move(damaged.near));
    std::string received(large, 0);
    auto result = run({sending(out, data), receiving(ends.far, received)});
    EXPECT_EQ(result.state, MessageState::damaged) << place;
    EXPECT_EQ(result.transfer, 1u);
    network.join();
  }
}

TEST(Exchange, tellsWhoHasClosed) {
  Ends open{SocketPair()}, closed{SocketPair()};
  {
    Socket dropped = std::move(closed.far.socket);
  }
  std::string out = "x", in = " ";
  auto result = run({sending(open.near, out), receiving(closed.near, in)});
  EXPECT_EQ(result.state, MessageState::closed);
  EXPECT_EQ(result.transfer, 1u);
  result = run({sending(closed.near, out)});
  EXPECT_EQ(result.state, MessageState::closed);
  EXPECT_EQ(result.transfer, 0u);
}
