//===- Checksum.h - Checksums of bytes and of JSON texts --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// XXH3 with 64 bits, written as `xxhsum -H3` does: 16 hexadecimal digits.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_CHECKSUM_H
#define BOOST_RUNTIME_COMMON_CHECKSUM_H

#include <cstdint>
#include <string>
#include <string_view>

namespace boost_rt {

std::string checksumOf(const void *data, int64_t bytes);
inline std::string checksumOf(std::string_view text) {
  return checksumOf(text.data(), static_cast<int64_t>(text.size()));
}

/// A checksum of few bytes of any number of bytes: of all of them up to 64 MiB,
/// else of 1024 pieces of 64 KiB from the first to the last. Tells other
/// content, length, beginning or end, but not every changed byte.
std::string sampledChecksumOf(std::string_view bytes);

/// The member of a JSON object that holds the checksum of the object's text,
/// taken with zeros in its place, and what it holds until then.
inline constexpr char sealName[] = "xxh3";
inline constexpr char openSeal[] = "0000000000000000";

/// The text with its checksum in the member, which must be there.
std::string seal(std::string text);

/// Returns true if `text` has the checksum member and the checksum is right.
bool isSealed(std::string text);

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_CHECKSUM_H
