//===- Json.h - JSON from files ---------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_JSON_H
#define BOOST_RUNTIME_COMMON_JSON_H

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

namespace boost_rt {

/// The value that `text` holds. The library converts a number to an integer
/// without a look at its range, so one beyond 64 bits is refused here. Throws
/// std::out_of_range for such a number and nlohmann::json::exception for what
/// is no JSON.
template <typename Json> Json parseJson(std::string_view text) {
  auto check = [](int, typename Json::parse_event_t, const Json &value) {
    if (value.is_number_float() &&
        !(std::fabs(value.template get<double>()) < 0x1p63))
      throw std::out_of_range("the number " + value.dump() + " is too large");
    return true;
  };
  return Json::parse(text.begin(), text.end(), check);
}

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_JSON_H
