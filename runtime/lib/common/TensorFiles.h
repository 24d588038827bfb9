//===- TensorFiles.h - Files of tensors, without exceptions -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads and writes tensors by name for the compiler's tools, which are built
// without exceptions: what goes wrong is returned.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_TENSORFILES_H
#define BOOST_RUNTIME_COMMON_TENSORFILES_H

#include "common/ElementType.h"

#include <map>
#include <string>
#include <vector>

namespace boost_rt {

/// A tensor that is wanted of a file, and what became of it.
struct TensorRead {
  enum class Outcome { missing, misfit, done };

  std::string name;
  std::vector<int64_t> shape;
  /// BOOST_RT_F64 or BOOST_RT_I64: what the elements are converted to.
  ElementType type;
  void *data;

  Outcome outcome = Outcome::missing;
  /// For a misfit, the type in the file: "F32[2, 3]".
  std::string found = "";
};

/// Fills what the file has. Returns what is wrong with the file, or nothing.
std::string readTensorFile(const std::string &path,
                           std::vector<TensorRead> &tensors) noexcept;

/// A tensor that is written, with its elements as they are in the file.
struct TensorWrite {
  std::string name;
  ElementType type;
  std::vector<int64_t> shape;
  const void *data;
};

/// Writes tensors and texts that the file says of itself. Returns why the file
/// cannot be written, or nothing.
std::string
writeTensorFile(const std::string &path,
                const std::vector<TensorWrite> &tensors,
                const std::map<std::string, std::string> &notes = {}) noexcept;

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_TENSORFILES_H
