//===- TokenFile.h - Files of token ids -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_TOKENFILE_H
#define BOOST_RUNTIME_COMMON_TOKENFILE_H

#include "common/MappedFile.h"

#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>

namespace boost_rt {

/// A file of token ids:
///   llm.c    256 int32 of header (20240520, 1, count, 0 or 1 + the id that
///            ends a document, ...), then uint16 ids; 20240801, 7: uint32 ids
///   NumPy    .npy of one dimension, of integers of 1 to 8 bytes
///   nanoGPT  uint16 ids and nothing else
/// Throws if the file is none of them, is known to be another one, or has not
/// as many ids as its header says.
class TokenFile {
public:
  explicit TokenFile(const std::string &path);

  const std::string &getPath() const { return path; }
  int64_t size() const { return count; }
  /// For people: "llm.c uint16", "NumPy int64", "raw uint16".
  const std::string &getFormat() const { return format; }
  /// The id that ends a document, if the header has it.
  std::optional<int64_t> endOfDocument() const { return end; }

  /// The ids, without a header.
  std::string_view bytes() const {
    return {tokens, static_cast<size_t>(count * width)};
  }

  /// The id at a position; negative if the file has a negative one, or one from
  /// 2^63 on.
  int64_t operator[](int64_t position) const;

  /// The first position in [begin, end) whose id is negative or not below
  /// `limit`.
  std::optional<int64_t> findOutside(int64_t limit, int64_t begin,
                                     int64_t end) const;

private:
  void readHeader();
  void readNumpy();
  void readRaw();
  /// Refuses a file of which other bytes than those of `count` ids follow a
  /// header of `headerBytes`.
  void checkCount(int64_t headerBytes) const;

  /// The element at a position. Elements need not be aligned.
  template <typename T> T load(T *, int64_t position) const {
    T value;
    std::memcpy(&value, tokens + position * static_cast<int64_t>(sizeof(T)),
                sizeof(T));
    return value;
  }

  /// Calls `function` with a null pointer to the type of the elements.
  template <typename Function> auto visit(Function &&function) const {
    switch (width) {
    case 1:
      return isSigned ? function(static_cast<int8_t *>(nullptr))
                      : function(static_cast<uint8_t *>(nullptr));
    case 2:
      return isSigned ? function(static_cast<int16_t *>(nullptr))
                      : function(static_cast<uint16_t *>(nullptr));
    case 4:
      return isSigned ? function(static_cast<int32_t *>(nullptr))
                      : function(static_cast<uint32_t *>(nullptr));
    default:
      // Ids from 2^63 on are out of every range, as negative ones are.
      return function(static_cast<int64_t *>(nullptr));
    }
  }

  std::string path;
  MappedFile file;
  std::string format;
  const char *tokens = nullptr;
  int64_t count = 0;
  std::optional<int64_t> end;
  int64_t width = 2;
  bool isSigned = false;
};

inline int64_t TokenFile::operator[](int64_t position) const {
  return visit(
      [&](auto *type) { return static_cast<int64_t>(load(type, position)); });
}

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_TOKENFILE_H
