//===- RuntimeTest.h - What the runtime's unit tests share ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_UNIT_RUNTIME_RUNTIMETEST_H
#define BOOST_MLIR_TEST_UNIT_RUNTIME_RUNTIMETEST_H

#include "common/ElementType.h"
#include "common/Failure.h"
#include "common/Program.h"
#include "common/Random.h"
#include "cpu/Context.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace boost_rt {

/// A context of one rank with this many threads.
class OneRank {
public:
  explicit OneRank(int threads)
      : mesh({{"tp", 1}}), communicator(createCommunicator(mesh, {"test"})),
        record(4), context(mesh, *communicator, record, threads) {}

  boost_rt_context *get() { return &context; }

private:
  Mesh mesh;
  std::unique_ptr<Communicator> communicator;

public:
  RunRecord record;
  boost_rt_context context;
};

/// Normal numbers, rounded to the type they are stored in.
template <typename T>
std::vector<T> randomValues(int64_t count, const std::string &name) {
  std::vector<T> values(static_cast<size_t>(count));
  NormalStream(7, name).generate(0, count, [&](int64_t i, double value) {
    values[static_cast<size_t>(i)] = T(static_cast<float>(value));
  });
  return values;
}

template <typename T> ElementType typeOf();
template <> inline ElementType typeOf<float>() { return BOOST_RT_F32; }
template <> inline ElementType typeOf<double>() { return BOOST_RT_F64; }
template <> inline ElementType typeOf<BFloat16>() { return BOOST_RT_BF16; }
template <> inline ElementType typeOf<Float16>() { return BOOST_RT_F16; }

/// Distance between numbers next to 1.
template <typename T> double epsilonOf() {
  switch (typeOf<T>()) {
  case BOOST_RT_F64:
    return 0x1p-52;
  case BOOST_RT_BF16:
    return 0x1p-7;
  case BOOST_RT_F16:
    return 0x1p-10;
  default:
    return 0x1p-23;
  }
}

/// Returns true if a number of 16 bits is the one nearest to `exact`: neither
/// of the numbers next to it is closer, and of two that are as close it is the
/// one whose last bit is 0.
template <typename T> bool isNearest(T rounded, float exact) {
  uint16_t bits;
  std::memcpy(&bits, &rounded, sizeof bits);
  double error = std::abs(static_cast<double>(rounded) - exact);
  for (int step : {-1, 1}) {
    auto nextBits = static_cast<uint16_t>(bits + step);
    T next;
    std::memcpy(&next, &nextBits, sizeof next);
    double other = std::abs(static_cast<double>(next) - exact);
    if (other < error || (other == error && bits % 2 != 0))
      return false;
  }
  return true;
}

/// Numbers of either sign that are halfway between two of 16 bits, and those
/// next to them.
template <typename T> std::vector<float> halfwayValues() {
  std::vector<float> values;
  for (int i = 1; i < 64; ++i)
    for (float sign : {-1.0f, 1.0f}) {
      auto distance = static_cast<float>(epsilonOf<T>() / 2);
      float halfway = sign * (1 + static_cast<float>(i) * distance);
      values.insert(values.end(), {halfway, std::nextafter(halfway, 0.0f),
                                   std::nextafter(halfway, 2 * halfway)});
    }
  return values;
}

/// Largest difference relative to the largest expected value, if that is not 0.
template <typename T>
double relativeError(const std::vector<T> &actual,
                     const std::vector<double> &expected) {
  double largest = 0, difference = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    double value = static_cast<double>(actual[i]);
    if (std::isnan(value))
      return HUGE_VAL;
    largest = std::fmax(largest, std::fabs(expected[i]));
    difference = std::fmax(difference, std::fabs(value - expected[i]));
  }
  return largest > 0 ? difference / largest : difference;
}

/// A file that is removed with the object.
class TemporaryFile {
public:
  explicit TemporaryFile(const std::string &name)
      : path(::testing::TempDir() + "boost-runtime-" +
             std::to_string(::getpid()) + "-" + name) {}
  TemporaryFile(const std::string &name, const std::string &content)
      : TemporaryFile(name) {
    std::ofstream(path, std::ios::binary) << content;
  }
  ~TemporaryFile() { ::unlink(path.c_str()); }

  const std::string path;
};

/// The names in the folder of `path` that begin with that of `path`.
inline std::vector<std::string> namesBeside(const std::string &path) {
  namespace fs = std::filesystem;
  std::vector<std::string> names;
  for (const auto &entry : fs::directory_iterator(fs::path(path).parent_path()))
    if (entry.path().string().rfind(path, 0) == 0)
      names.push_back(entry.path().string());
  return names;
}

/// A program that has hyper-parameters h0, h1, ... and nothing else. Each is
/// given by its kind and the members of its option, "" for one without.
inline Program programWithHypers(
    const std::vector<std::pair<std::string, std::string>> &hypers) {
  std::string tensors;
  for (size_t i = 0; i < hypers.size(); ++i) {
    const auto &[kind, option] = hypers[i];
    tensors +=
        concat(i == 0 ? "" : ", ", R"({"name": "h)", i,
               R"(", "role": "hyper", "kind": ")", kind,
               R"(", "dtype": "f32", "shape": [], "offset": 0,
                         "bytes": 4)",
               option.empty() ? "" : R"(, "option": {)" + option + "}", "}");
  }
  static const boost_program_function functions[] = {{nullptr, nullptr}};
  return Program(concat(R"({"format": 1, "mesh": [{"name": "tp", "size": 1}],
                 "arena_bytes": 64, "functions": {}, "tensors": [)",
                        tensors, "]}")
                     .c_str(),
                 functions);
}

/// The message of the failure that `function` throws, or "".
template <typename Function> std::string messageOf(Function &&function) {
  try {
    function();
  } catch (const Failure &failure) {
    return failure.what();
  }
  return "";
}

/// Checks that a message has a part.
#define EXPECT_SAYS(message, part)                                             \
  EXPECT_NE((message).find(part), std::string::npos) << (message)

} // namespace boost_rt

#endif // BOOST_MLIR_TEST_UNIT_RUNTIME_RUNTIMETEST_H
