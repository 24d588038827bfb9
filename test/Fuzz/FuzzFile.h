//===- FuzzFile.h - Fuzzed bytes as a file ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The readers under test open files by path; this is a file in memory.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_FUZZ_FUZZFILE_H
#define BOOST_MLIR_TEST_FUZZ_FUZZFILE_H

#include <cstdint>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace boost_fuzz {

/// Holds `size` bytes under a path for as long as it lives.
class FuzzFile {
public:
  FuzzFile(const uint8_t *data, size_t size) : file(memfd_create("fuzz", 0)) {
    if (file < 0 || write(file, data, size) != static_cast<ssize_t>(size))
      std::abort();
  }
  ~FuzzFile() { close(file); }
  FuzzFile(const FuzzFile &) = delete;
  FuzzFile &operator=(const FuzzFile &) = delete;

  std::string getPath() const {
    return "/proc/self/fd/" + std::to_string(file);
  }

private:
  int file;
};

} // namespace boost_fuzz

#endif // BOOST_MLIR_TEST_FUZZ_FUZZFILE_H
