//===- EvaluatorTest.cpp - Finding and running the evaluator --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Evaluator.h"
#include "ProgramFixture.h"

#include <array>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

using namespace boost_rt;

namespace {

/// Programs in folders of the test, found by the digest of what they hold.
class EvaluatorTest : public ProgramFixture {
protected:
  void SetUp() override {
    ProgramFixture::SetUp();
    pathBefore = std::getenv("PATH");
    ::unsetenv("BOOST_EVAL");
  }
  void TearDown() override {
    ::unsetenv("BOOST_EVAL");
    ::setenv("PATH", pathBefore.c_str(), 1);
    ProgramFixture::TearDown();
  }

  std::string write(const std::string &name, const std::string &text,
                    mode_t mode = 0755) const {
    fs::create_directories(fs::path(path(name)).parent_path());
    std::ofstream(path(name)) << text;
    ::chmod(path(name).c_str(), mode);
    return path(name);
  }

  /// Wants the program that holds `text`; the compiler was in `tools`.
  Verification wants(const std::string &text) const {
    XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
    std::array<char, 33> digest{};
    std::snprintf(digest.data(), digest.size(), "%016llx%016llx",
                  static_cast<unsigned long long>(hash.high64),
                  static_cast<unsigned long long>(hash.low64));
    Verification verification;
    verification.tools = path("tools");
    verification.evaluator = digest.data();
    return verification;
  }

  /// Returns the message where `verification` cannot be satisfied.
  static std::string refusal(const Verification &verification) {
    return messageOf([&] { Evaluator evaluator(verification); });
  }

  std::string pathBefore;
};

} // namespace

static bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

TEST_F(EvaluatorTest, isThatBesideTheCompiler) {
  std::string text = "the right one";
  std::string tool = write("tools/boost-eval", text);
  write("bin/boost-eval", text);
  ::setenv("PATH", path("bin").c_str(), 1);
  EXPECT_EQ(Evaluator(wants(text)).getPath(), tool);
}

TEST_F(EvaluatorTest, isSearchedForInPath) {
  std::string text = "the right one";
  write("tools/boost-eval", "another");
  write("first/boost-eval", "a third");
  std::string found = write("second/boost-eval", text);
  ::setenv("PATH", (path("first") + ":" + path("second")).c_str(), 1);
  EXPECT_EQ(Evaluator(wants(text)).getPath(), found);

  std::string refused = refusal(wants("one that is nowhere"));
  EXPECT_TRUE(contains(refused, path("tools") + "/boost-eval' of build"));
  EXPECT_TRUE(contains(refused, ", '" + path("first") + "/boost-eval' of"));
}

TEST_F(EvaluatorTest, isNoFileThatCannotBeRun) {
  std::string text = "the right one";
  write("tools/boost-eval", text, 0644);
  ::setenv("PATH", path("bin").c_str(), 1);
  std::string refused = refusal(wants(text));
  EXPECT_TRUE(contains(refused, "neither in '" + path("tools") + "' nor in"));
}

// A socket cannot be opened, whatever its permissions are.
TEST_F(EvaluatorTest, isNoFileThatCannotBeRead) {
  std::string tool = write("tools/boost-eval", "");
  fs::remove(tool);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  ASSERT_LT(tool.size(), sizeof(address.sun_path));
  std::memcpy(address.sun_path, tool.c_str(), tool.size());
  int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_EQ(
      ::bind(socket, reinterpret_cast<sockaddr *>(&address), sizeof(address)),
      0);
  ::close(socket);
  ::chmod(tool.c_str(), 0755);
  ::setenv("PATH", path("bin").c_str(), 1);
  std::string refused = refusal(wants("the right one"));
  EXPECT_TRUE(contains(refused, "neither in '" + path("tools") + "' nor in"))
      << refused;
  EXPECT_FALSE(contains(refused, "of build")) << refused;
}

TEST_F(EvaluatorTest, isTheOneNamedIfOneIsNamed) {
  std::string text = "the right one";
  write("tools/boost-eval", text);
  std::string named = write("named", text);
  ::setenv("BOOST_EVAL", named.c_str(), 1);
  EXPECT_EQ(Evaluator(wants(text)).getPath(), named);

  write("named", "another");
  EXPECT_TRUE(contains(refusal(wants(text)), "but found '" + named));
  ::setenv("BOOST_EVAL", path("none").c_str(), 1);
  EXPECT_TRUE(contains(refusal(wants(text)), "which is not a program"));
}

TEST_F(EvaluatorTest, givesItsArgumentsAndItsExitCode) {
  std::string shell = contentOf("/bin/sh");
  write("tools/boost-eval", shell);
  Evaluator evaluator(wants(shell));
  std::string command = "echo \"$2 $1\" >\"$3\"; exit 3";
  EXPECT_EQ(evaluator.run({"-c", command, "sh", "a", "b c", path("said")}), 3);
  EXPECT_EQ(contentOf(path("said")), "b c a\n");
  EXPECT_EQ(evaluator.run({"-c", "exit 0"}), 0);
}

TEST_F(EvaluatorTest, saysWhatItHasToSayAsAnError) {
  std::string shell = contentOf("/bin/sh");
  write("tools/boost-eval", shell);
  Evaluator evaluator(wants(shell));
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  evaluator.run({"-c", "echo a message"});
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "a message\n");
}

TEST_F(EvaluatorTest, hasNoExitCodeWhenItIsKilled) {
  std::string shell = contentOf("/bin/sh");
  write("tools/boost-eval", shell);
  EXPECT_EQ(Evaluator(wants(shell)).run({"-c", "kill -9 $$"}), -1);
}

TEST_F(EvaluatorTest, saysThatItCannotStart) {
  std::string text = "no program for any system";
  write("tools/boost-eval", text);
  Evaluator evaluator(wants(text));
  EXPECT_TRUE(contains(messageOf([&] { evaluator.run({}); }),
                       "cannot start '" + path("tools/boost-eval") + "': "));
}
