//===- Secret.cpp - Keeps strangers out of a run --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tcp/Secret.h"
#include "common/Failure.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sodium/crypto_auth_hmacsha512256.h>
#include <sodium/randombytes.h>
#include <sodium/utils.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace boost_rt;

/// More than any secret needs.
static constexpr size_t maxFileBytes = 4096;

static constexpr const char *variable = "BOOST_RUN_SECRET";
static constexpr const char *fileVariable = "BOOST_RUN_SECRET_FILE";

static_assert(sizeof(MessageTag) == crypto_auth_hmacsha512256_BYTES);

// These functions of libsodium work without sodium_init(), which chooses among
// implementations of others.
MessageTag Secret::sign(const void *first, size_t firstBytes,
                        const void *second, size_t secondBytes) const {
  crypto_auth_hmacsha512256_state state;
  auto bytes = [](const void *data) {
    return static_cast<const unsigned char *>(data);
  };
  crypto_auth_hmacsha512256_init(&state, bytes(text.data()), text.size());
  crypto_auth_hmacsha512256_update(&state, bytes(first), firstBytes);
  crypto_auth_hmacsha512256_update(&state, bytes(second), secondBytes);
  MessageTag tag;
  crypto_auth_hmacsha512256_final(&state, tag.data());
  return tag;
}

bool Secret::areEqual(const MessageTag &tag, const MessageTag &other) {
  return ::sodium_memcmp(tag.data(), other.data(), tag.size()) == 0;
}

Nonce boost_rt::drawNonce() {
  Nonce nonce;
  ::randombytes_buf(nonce.data(), nonce.size());
  return nonce;
}

uint64_t boost_rt::drawNumber() {
  uint64_t number = 0;
  while (number == 0)
    ::randombytes_buf(&number, sizeof(number));
  return number;
}

//===----------------------------------------------------------------------===//
// Where it is from
//===----------------------------------------------------------------------===//

namespace {
struct File {
  ~File() {
    if (descriptor >= 0)
      ::close(descriptor);
  }
  int descriptor;
};
} // namespace

template <typename... Parts>
[[noreturn]] static void refuseFile(const char *path, const Parts &...parts) {
  throw Failure(ExitCode::usage,
                concat(fileVariable, " names '", path, "', ", parts...));
}

/// The checks are of the file that is read, whatever its name means by then. A
/// pipe nobody writes to is not waited for.
static std::string readFile(const char *path) {
  File file{::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  struct stat status;
  if (file.descriptor < 0 || ::fstat(file.descriptor, &status) != 0)
    refuseFile(path, "which cannot be read: ", std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    refuseFile(path, "which is not a regular file");
  if (status.st_uid != ::geteuid() || (status.st_mode & 077) != 0)
    refuseFile(path, "which others than its owner may read; run `chmod 600 ",
               path, "` as the user of the run");
  std::string text(maxFileBytes, 0);
  ssize_t bytes = ::read(file.descriptor, text.data(), text.size());
  if (bytes < 0)
    refuseFile(path, "which cannot be read: ", std::strerror(errno));
  text.resize(static_cast<size_t>(bytes));
  if (text.size() == maxFileBytes)
    refuseFile(path, "which is longer than a secret may be: ", maxFileBytes - 1,
               " bytes");
  if (!text.empty() && text.back() == '\n')
    text.pop_back();
  if (text.empty())
    refuseFile(path, "which is empty; `openssl rand -hex 32` makes a secret");
  return text;
}

Secret boost_rt::readSecret() {
  const char *text = std::getenv(variable);
  const char *path = std::getenv(fileVariable);
  bool hasText = text && *text, hasPath = path && *path;
  if (hasText && hasPath)
    throw Failure(ExitCode::usage, concat(variable, " and ", fileVariable,
                                          " are both set; unset one of them"));
  if (hasPath)
    return Secret(readFile(path));
  return hasText ? Secret(text) : Secret();
}
