//===- Checksum.cpp - Checksums of bytes and of JSON texts ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Checksum.h"

#include <cstdio>

#define XXH_INLINE_ALL
#include <xxhash.h>

using namespace boost_rt;

static constexpr size_t digits = sizeof(openSeal) - 1;

std::string boost_rt::checksumOf(const void *data, int64_t bytes) {
  char text[digits + 1];
  std::snprintf(text, sizeof(text), "%016llx",
                static_cast<unsigned long long>(
                    XXH3_64bits(data, static_cast<size_t>(bytes))));
  return text;
}

std::string boost_rt::sampledChecksumOf(std::string_view bytes) {
  constexpr size_t pieces = 1024, pieceBytes = 1 << 16;
  if (bytes.size() <= pieces * pieceBytes)
    return checksumOf(bytes);
  std::string checksums;
  size_t distance = (bytes.size() - pieceBytes) / (pieces - 1);
  for (size_t i = 0; i + 1 < pieces; ++i)
    checksums += checksumOf(bytes.substr(i * distance, pieceBytes));
  checksums += checksumOf(bytes.substr(bytes.size() - pieceBytes));
  return checksumOf(checksums);
}

/// Finds the checksum. Quotes within a string are escaped, so that these are a
/// name and its value.
static size_t findSeal(const std::string &text) {
  std::string name = std::string("\"") + sealName + "\":";
  for (size_t at = text.find(name); at != std::string::npos;
       at = text.find(name, at + 1)) {
    size_t value = text.find_first_not_of(' ', at + name.size());
    if (value != std::string::npos && text[value] == '"' &&
        text.find('"', value + 1) == value + 1 + digits)
      return value + 1;
  }
  return std::string::npos;
}

std::string boost_rt::seal(std::string text) {
  size_t at = findSeal(text);
  return text.replace(at, digits, checksumOf(text));
}

bool boost_rt::isSealed(std::string text) {
  size_t at = findSeal(text);
  if (at == std::string::npos)
    return false;
  std::string found = text.substr(at, digits);
  text.replace(at, digits, openSeal);
  return found == checksumOf(text);
}
