//===- TokenWindows.h - Token files in windows of a length ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_DRIVER_TOKENWINDOWS_H
#define BOOST_RUNTIME_DRIVER_TOKENWINDOWS_H

#include "common/MaskFile.h"
#include "common/TokenFile.h"

#include <memory>
#include <string>
#include <vector>

namespace boost_rt {

/// The paths of files, and patterns of a shell such as "train_*.bin", as paths:
/// those of a pattern in the order of their names. Throws if a pattern matches
/// nothing; `what` says in the message what is looked for.
std::vector<std::string> expandPaths(const std::vector<std::string> &patterns,
                                     const char *what);

/// One or more token files, one after another. Each is divided into windows of
/// `length` tokens and the next one: window w of a file starts at its token
/// `w * length`. No window reaches from one file into another.
class TokenWindows {
public:
  /// Masks are those of the files, in the same order, or none. Throws if a file
  /// is too short for a window.
  TokenWindows(const std::vector<std::string> &patterns,
               const std::vector<std::string> &maskPatterns, int64_t length);

  struct Window {
    const TokenFile *file;
    const MaskFile *mask; ///< or null
    int64_t first;        ///< its first token in the file
  };

  /// In all files.
  int64_t size() const { return ends.back(); }
  Window operator[](int64_t window) const;

  const std::vector<std::unique_ptr<TokenFile>> &getFiles() const {
    return files;
  }
  /// As many as files, or none.
  const std::vector<std::unique_ptr<MaskFile>> &getMasks() const {
    return masks;
  }
  int64_t tokens() const;
  /// For people: the path, or the number of files with the first and the last.
  std::string describe() const;
  /// For people: the formats of the files, each once.
  std::string describeFormats() const;

  /// Refuses ids of `limit` or above in the first `windows` windows, and what
  /// is no mask. Reads one of `parts` equal parts of them.
  void check(int64_t limit, int64_t windows, int64_t part, int64_t parts) const;

  /// The beginning of a message about an id that is not below `limit`.
  static std::string describeId(const TokenFile &file, int64_t position,
                                int64_t limit);

private:
  int64_t length;
  std::vector<std::unique_ptr<TokenFile>> files;
  std::vector<std::unique_ptr<MaskFile>> masks;
  /// The windows up to the end of each file.
  std::vector<int64_t> ends;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_DRIVER_TOKENWINDOWS_H
