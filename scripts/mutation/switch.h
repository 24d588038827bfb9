//===- switch.h - Chooses one of the mutations compiled in ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Included first in every mutated source. BOOST_MUTANT=k switches mutation k
// on. BOOST_MUTANT_REACHED=FILE marks in FILE which mutations were reached:
// byte k becomes 1. Processes of one test share the file.
//
//===----------------------------------------------------------------------===//

// Mutations may leave variables unused, which is no error.
#pragma clang diagnostic ignored "-Weverything"

#ifdef __cplusplus
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace boost_mutation {
inline constexpr int maxMutants = 4096;

inline int chosen() {
  const char *text = std::getenv("BOOST_MUTANT");
  return text ? std::atoi(text) : -1;
}

inline char *marks() {
  const char *path = std::getenv("BOOST_MUTANT_REACHED");
  int file = path ? ::open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666) : -1;
  if (file < 0 || ::ftruncate(file, maxMutants) != 0)
    return nullptr;
  void *bytes =
      ::mmap(nullptr, maxMutants, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  return bytes == MAP_FAILED ? nullptr : static_cast<char *>(bytes);
}
} // namespace boost_mutation

static inline bool boost_mutant(int index) {
  static const int chosen = boost_mutation::chosen();
  static char *const marks = boost_mutation::marks();
  if (marks)
    marks[index] = 1;
  return chosen == index;
}
#endif
