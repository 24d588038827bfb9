//===- Secret.h - Keeps strangers out of a run ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_TCP_SECRET_H
#define BOOST_RUNTIME_TCP_SECRET_H

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace boost_rt {

/// Authenticates messages: HMAC-SHA-512-256 of libsodium.
using MessageTag = std::array<uint8_t, 32>;
/// Bytes that nobody can guess; never the same twice.
using Nonce = std::array<uint8_t, 16>;

/// The secret that the ranks of a run share and strangers do not know. Without
/// one it is empty; tags then detect damage only.
class Secret {
public:
  Secret() = default;
  explicit Secret(std::string text) : text(std::move(text)) {}

  bool isEmpty() const { return text.empty(); }

  /// The tag of two pieces of a message, which only those can make who know the
  /// secret.
  MessageTag sign(const void *first, size_t firstBytes, const void *second = "",
                  size_t secondBytes = 0) const;
  /// Compares two tags without telling by the time how much of them is equal.
  static bool areEqual(const MessageTag &tag, const MessageTag &other);

private:
  std::string text;
};

Nonce drawNonce();
uint64_t drawNumber();

/// Reads BOOST_RUN_SECRET, or else the file that BOOST_RUN_SECRET_FILE names,
/// without its last line end. Empty without these variables. Throws a Failure
/// with exit code 2 if both are set, or if others than the owner may read the
/// file or it is empty.
Secret readSecret();

} // namespace boost_rt

#endif // BOOST_RUNTIME_TCP_SECRET_H
