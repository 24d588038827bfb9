//===- NumpyFile.h - The header of an array file of NumPy -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A .npy file is a magic number, a version, the length of the header, the
// header (a literal of a Python dictionary) and the elements.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_NUMPYFILE_H
#define BOOST_RUNTIME_COMMON_NUMPYFILE_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace boost_rt {

/// The description of an array in a .npy file.
struct NumpyHeader {
  /// As NumPy spells it, such as "<u2"; empty for a structured type.
  std::string type;
  std::vector<int64_t> shape;
  /// Bytes before the first element.
  int64_t bytes = 0;

  /// "(2, 3)", as Python prints a shape.
  std::string spellShape() const;
};

/// Returns true if a file with these bytes is a .npy file, be it damaged or
/// not.
bool isNumpyFile(std::string_view file);

/// The header of a .npy file; nothing if it is damaged or of a newer version.
std::optional<NumpyHeader> parseNumpyHeader(std::string_view file);

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_NUMPYFILE_H
