//===- SecretTest.cpp - Tags, and where a secret is from ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcp/Secret.h"
#include "RuntimeTest.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

using namespace boost_rt;

namespace {

std::string hex(const MessageTag &tag) {
  std::string text;
  for (uint8_t byte : tag) {
    char digits[3];
    std::snprintf(digits, sizeof(digits), "%02x", byte);
    text += digits;
  }
  return text;
}

class SecretFileTest : public ::testing::Test {
protected:
  SecretFileTest() {
    ::unsetenv("BOOST_RUN_SECRET");
    ::setenv("BOOST_RUN_SECRET_FILE", path.c_str(), 1);
  }
  ~SecretFileTest() override {
    ::unsetenv("BOOST_RUN_SECRET");
    ::unsetenv("BOOST_RUN_SECRET_FILE");
    ::unlink(path.c_str());
  }

  void write(const std::string &text, mode_t mode) {
    std::ofstream(path, std::ios::binary) << text;
    ::chmod(path.c_str(), mode);
  }
  static std::string message() {
    return messageOf([] { readSecret(); });
  }

  const std::string path = ::testing::TempDir() + "secret";
};

} // namespace

// By Python: hmac.new(key, message, 'sha512').hexdigest()[:64].
TEST(Secret, tagsAreThoseOfHMAC) {
  EXPECT_EQ(hex(Secret("key").sign("a message", 9)),
            "45cce74444f93043f05f9ed702dc86be593b14006282c2f82bde8400d4bee31b");
  EXPECT_EQ(hex(Secret().sign("a message", 9)),
            "24a6894a54769de18868e75fe89cd76e185fce7f88944c23c0e6f047cac5851a");
  EXPECT_EQ(Secret("key").sign("a mes", 5, "sage", 4),
            Secret("key").sign("a message", 9));
}

TEST(Secret, comparesTags) {
  MessageTag tag = Secret("key").sign("a message", 9), other = tag;
  EXPECT_TRUE(Secret::areEqual(tag, other));
  other[31] ^= 1;
  EXPECT_FALSE(Secret::areEqual(tag, other));
}

TEST(Secret, numbersAreDrawn) {
  EXPECT_NE(drawNonce(), drawNonce());
  EXPECT_NE(drawNumber(), drawNumber());
}

TEST_F(SecretFileTest, isReadWithoutItsLineEnd) {
  write("a secret\n", 0600);
  EXPECT_EQ(readSecret().sign("x", 1), Secret("a secret").sign("x", 1));
  write("a secret", 0400);
  EXPECT_EQ(readSecret().sign("x", 1), Secret("a secret").sign("x", 1));
}

TEST_F(SecretFileTest, onlyTheOwnerMayReadIt) {
  for (mode_t mode : {0640, 0604, 0620, 0610}) {
    write("a secret", mode);
    EXPECT_NE(message().find("others than its owner may read"),
              std::string::npos)
        << message();
  }
}

TEST_F(SecretFileTest, otherFilesAreRefused) {
  EXPECT_NE(message().find("cannot be read: No such file"), std::string::npos);
  write("\n", 0600);
  EXPECT_NE(message().find("which is empty"), std::string::npos);
  write(std::string(5000, 'x'), 0600);
  EXPECT_NE(message().find("longer than a secret may be: 4095 bytes"),
            std::string::npos);
  ::unlink(path.c_str());
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_NE(message().find("not a regular file"), std::string::npos);
}

TEST_F(SecretFileTest, theVariableAlone) {
  ::setenv("BOOST_RUN_SECRET", "a secret", 1);
  EXPECT_EQ(message(), "BOOST_RUN_SECRET and BOOST_RUN_SECRET_FILE are both "
                       "set; unset one of them");
  ::unsetenv("BOOST_RUN_SECRET_FILE");
  EXPECT_EQ(readSecret().sign("x", 1), Secret("a secret").sign("x", 1));
  ::unsetenv("BOOST_RUN_SECRET");
  EXPECT_TRUE(readSecret().isEmpty());
}
