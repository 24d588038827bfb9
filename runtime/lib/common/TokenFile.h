//===- TokenFile.h - Token files of llm.c and nanoGPT -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_TOKENFILE_H
#define BOOST_RUNTIME_COMMON_TOKENFILE_H

#include "common/MappedFile.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace boost_rt {

/// A file of token ids:
///   llm.c    256 int32 of header (20240520, 1, count, 0 or 1 + the id that
///   ends
///            a document, ...), then uint16 ids; 20240801, 7: uint32 ids
///   nanoGPT  uint16 ids and nothing else
/// Throws if the file is none of them or ends early.
class TokenFile {
public:
  explicit TokenFile(const std::string &path);

  const std::string &getPath() const { return path; }
  int64_t size() const { return count; }
  /// The id that ends a document, if the header has it.
  std::optional<int64_t> endOfDocument() const { return end; }

  /// The ids, without a header.
  std::string_view bytes() const {
    return {tokens, static_cast<size_t>(count * width)};
  }

  int64_t operator[](int64_t position) const {
    if (width == 4)
      return reinterpret_cast<const uint32_t *>(tokens)[position];
    return reinterpret_cast<const uint16_t *>(tokens)[position];
  }

  /// The first position in [begin, end) whose id is not below `limit`.
  std::optional<int64_t> findAbove(int64_t limit, int64_t begin,
                                   int64_t end) const;

private:
  void readHeader();

  std::string path;
  MappedFile file;
  const char *tokens = nullptr;
  int64_t count = 0;
  std::optional<int64_t> end;
  int width = 2;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_TOKENFILE_H
