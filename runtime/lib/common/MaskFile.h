//===- MaskFile.h - Which tokens of a file count in the loss ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_MASKFILE_H
#define BOOST_RUNTIME_COMMON_MASKFILE_H

#include "common/MappedFile.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace boost_rt {

/// One byte for each token of a token file: 1 if the loss counts it as a
/// target, else 0.
class MaskFile {
public:
  /// Throws if there are not `tokens` bytes, as many as `of` has tokens.
  MaskFile(const std::string &path, const std::string &of, int64_t tokens);

  const std::string &getPath() const { return path; }
  std::string_view bytes() const {
    return {file.data(), static_cast<size_t>(file.size())};
  }
  bool operator[](int64_t position) const { return file.data()[position] != 0; }

  /// Refuses bytes in [begin, end) that are neither 0 nor 1.
  void check(int64_t begin, int64_t end) const;

private:
  std::string path;
  MappedFile file;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_MASKFILE_H
