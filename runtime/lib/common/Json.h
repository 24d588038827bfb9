//===- Json.h - JSON from files ---------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_JSON_H
#define BOOST_RUNTIME_COMMON_JSON_H

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace boost_rt {

/// The value that `text` holds. The library converts a number to an integer
/// without a look at its range, and takes the last of two members of one name:
/// both are refused here. Throws a std::logic_error for them and
/// nlohmann::json::exception for what is no JSON.
template <typename Json> Json parseJson(std::string_view text) {
  using Event = typename Json::parse_event_t;
  // The names of every object that is open.
  std::vector<std::set<std::string>> names;
  auto check = [&](int, Event event, const Json &value) {
    if (event == Event::object_start)
      names.emplace_back();
    if (event == Event::object_end)
      names.pop_back();
    if (event == Event::key &&
        !names.back().insert(value.template get<std::string>()).second)
      throw std::invalid_argument("the name " + value.dump() +
                                  " is given twice");
    if (value.is_number_float() &&
        !(std::fabs(value.template get<double>()) < 0x1p63))
      throw std::out_of_range("the number " + value.dump() + " is too large");
    return true;
  };
  return Json::parse(text.begin(), text.end(), check);
}

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_JSON_H
