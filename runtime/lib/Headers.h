//===- Headers.h - What most of the runtime includes ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Precompiled, once for each set of compiler options; no source includes it by
// name.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_LIB_HEADERS_H
#define BOOST_RUNTIME_LIB_HEADERS_H

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#endif // BOOST_RUNTIME_LIB_HEADERS_H
