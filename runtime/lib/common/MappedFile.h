//===- MappedFile.h - A file read through the page cache --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_MAPPEDFILE_H
#define BOOST_RUNTIME_COMMON_MAPPEDFILE_H

#include <cstdint>
#include <string>

namespace boost_rt {

/// Maps a whole file for reading. Throws if it cannot be opened; `what` says in
/// the message what the file is for.
class MappedFile {
public:
  MappedFile(const std::string &path, const std::string &what);
  ~MappedFile();
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;

  const char *data() const { return bytes; }
  int64_t size() const { return length; }

private:
  const char *bytes = nullptr;
  int64_t length = 0;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_MAPPEDFILE_H
