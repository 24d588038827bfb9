//===- HyperOption.h - The option of a hyper-parameter ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_HYPEROPTION_H
#define BOOST_RUNTIME_COMMON_HYPEROPTION_H

#include <optional>
#include <string>

namespace boost_rt {

/// The option of `train` that sets a hyper-parameter. The dialect's
/// `boost.option` explains it.
struct HyperOption {
  /// The long name without dashes: "step-size" for the kind "step_size".
  std::string name;
  std::string help;
  double defaultValue = 0;
  /// The bounds of its values: at least, more than and less than.
  std::optional<double> min, above, below;

  /// Returns true if `value`, rounded to f32, is finite and within the bounds:
  /// updates are computed in f32.
  bool takes(double value) const;

  /// Returns its values in words that follow "a number": "in [0, 1)".
  std::string describeValues() const;

  /// Returns the help text with the default.
  std::string describe() const;
};

/// Returns the option that a kind of hyper-parameter has: its name with dashes
/// for underscores. Returns nothing for a kind that is not a lower-case letter
/// followed by such letters, digits and underscores.
std::optional<std::string> optionNameOf(const std::string &kind);

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_HYPEROPTION_H
