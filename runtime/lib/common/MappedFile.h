//===- MappedFile.h - A file read through the page cache --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_MAPPEDFILE_H
#define BOOST_RUNTIME_COMMON_MAPPEDFILE_H

#include <csignal>
#include <cstdint>
#include <string>
#include <string_view>

namespace boost_rt {

/// Describes the errno of a file that cannot be opened for reading, with a
/// remedy.
std::string describeReadError(int error);

/// Maps a whole file for reading. Throws if it cannot be opened or is a folder,
/// a device or a pipe; `what` says in the message what the file is for. A file
/// that becomes shorter, or whose disk fails, ends the program with a message
/// when its bytes are read.
class MappedFile {
public:
  MappedFile(const std::string &path, const std::string &what);
  ~MappedFile();
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;

  const char *data() const { return bytes; }
  int64_t size() const { return length; }
  std::string_view text() const { return {bytes, static_cast<size_t>(length)}; }

private:
  static void handleLostPage(int signal, siginfo_t *info, void *context);

  /// All that are mapped now, for the signal handler.
  static MappedFile *newest;
  MappedFile *older = nullptr;

  std::string path;
  const char *bytes = nullptr;
  int64_t length = 0;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_MAPPEDFILE_H
