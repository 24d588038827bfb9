//===- SessionTest.cpp - Tensors between files and the arena --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program of one rank, whose tensors lie next to each other. Every byte of
// its arena is 0xff before: -1 as an integer, a NaN as a float.
//
//===----------------------------------------------------------------------===//

#include "driver/Session.h"

#include "RuntimeTest.h"
#include "common/SafeTensors.h"
#include "driver/ShardComparison.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <optional>

using namespace boost_rt;

namespace {

/// `fields` are those that not every tensor has.
nlohmann::json describe(const char *name, const char *role, const char *type,
                        std::vector<int64_t> shape, int64_t offset,
                        const nlohmann::json &fields = {}) {
  nlohmann::json tensor = {
      {"name", name},
      {"role", role},
      {"dtype", type},
      {"shape", shape},
      {"split", nlohmann::json::array()},
      {"offset", offset},
      {"bytes", elementsOf(shape) * sizeOf(*parseElementType(type))}};
  tensor.update(fields.is_null() ? nlohmann::json::object() : fields);
  return tensor;
}

/// `ids` are followed by `half`, and `gaps` has two rows of three elements,
/// five apart, which leave `between` and one more alone.
Program makeProgram() {
  nlohmann::json manifest = {
      {"format", 1},
      {"mesh", {{{"name", "tp"}, {"size", 1}}}},
      {"arena_bytes", 128},
      {"functions", nlohmann::json::object()},
      {"tensors",
       {describe("ids", "batch", "i32", {2, 2}, 0, {{"limit", 4}}),
        describe("half", "param", "bf16", {4}, 16, {{"init", "normal:0.5"}}),
        describe("master", "state", "f32", {4}, 24,
                 {{"init", "param"}, {"of", "half"}}),
        describe("gaps", "state", "f32", {2, 3}, 40,
                 {{"init", "ones"}, {"strides", {5, 1}}}),
        describe("between", "accumulator", "f32", {2}, 52, {{"init", "zeros"}}),
        describe("count", "state", "i32", {1}, 72)}}};
  static const boost_program_function compiled[] = {{nullptr, nullptr}};
  return Program(manifest.dump().c_str(), compiled);
}

class SessionTest : public ::testing::Test {
protected:
  SessionTest() : program(makeProgram()), session(program, "test", 0) {
    session.fillArena(0xff);
  }
  void TearDown() override { std::filesystem::remove(path); }

  const Tensor &tensor(const char *name) { return program.tensor(name); }

  template <typename T> std::vector<T> valuesOf(const char *name) {
    std::vector<char> packed = session.pack(tensor(name));
    std::vector<T> values(packed.size() / sizeof(T));
    std::memcpy(values.data(), packed.data(), packed.size());
    return values;
  }

  template <typename T>
  void put(const char *name, const std::vector<T> &values) {
    std::vector<char> packed(values.size() * sizeof(T));
    std::memcpy(packed.data(), values.data(), packed.size());
    session.unpack(tensor(name), packed);
  }

  template <typename T>
  SafeTensorsReader write(const std::string &name,
                          const std::vector<int64_t> &shape,
                          const std::vector<T> &values, ElementType type) {
    SafeTensorsWriter writer(path, {{name, type, shape}});
    writer.write(0, values.data());
    writer.finish();
    return SafeTensorsReader(path);
  }

  /// Returns the error of `work`, or nothing.
  template <typename Work> static std::string refusal(Work &&work) {
    try {
      work();
    } catch (const Failure &failure) {
      return failure.what();
    }
    return "";
  }

  std::string loadIds(const std::vector<int64_t> &ids) {
    SafeTensorsReader file = write("ids", {2, 2}, ids, BOOST_RT_I64);
    return refusal([&] { session.load(file, {&tensor("ids")}, "this test"); });
  }

  const std::string path = ::testing::TempDir() + "boost-session-" +
                           std::to_string(::getpid()) + ".safetensors";
  const Program program;
  Session session;
};

/// Expects NaN in every element.
void expectAlone(const std::vector<float> &values) {
  for (float value : values)
    EXPECT_TRUE(std::isnan(value)) << value;
}

} // namespace

// Every id of the tensor is looked at, and nothing behind it.
TEST_F(SessionTest, idsAreBelowTheirLimit) {
  EXPECT_EQ(loadIds({0, 3, 1, 2}), "");
  EXPECT_EQ(valuesOf<int32_t>("ids"), (std::vector<int32_t>{0, 3, 1, 2}));
  EXPECT_NE(loadIds({0, 3, 1, 4})
                .find("element 3 of 'ids' is 4, but ids are "
                      "at least 0 and below 4"),
            std::string::npos);
  EXPECT_NE(loadIds({-1, 3, 1, 2}).find("element 0 of 'ids' is -1"),
            std::string::npos);
}

TEST_F(SessionTest, shapesAndKindsOfNumbersAreThoseOfTheProgram) {
  auto load = [&](const SafeTensorsReader &file, const char *name) {
    return refusal([&] { session.load(file, {&tensor(name)}, "this test"); });
  };
  const std::vector<double> four(4);
  EXPECT_EQ(load(write("half", {4}, four, BOOST_RT_F64), "half"), "");
  EXPECT_NE(load(write("half", {2, 2}, four, BOOST_RT_F64), "half")
                .find("'half' is expected with shape [4] and type bf16, but "
                      "has shape [2, 2] and type F64"),
            std::string::npos);
  EXPECT_NE(load(write("half", {4}, four, BOOST_RT_I64), "half").find("I64"),
            std::string::npos);
  EXPECT_NE(load(write("ids", {2, 2}, four, BOOST_RT_F64), "ids").find("F64"),
            std::string::npos);
}

// Five are listed, the others counted.
TEST_F(SessionTest, whatAFileLacksIsListed) {
  SafeTensorsReader file =
      write("other", {1}, std::vector<float>{1}, BOOST_RT_F32);
  auto lacking = [&](std::vector<const Tensor *> tensors) {
    return refusal([&] { session.load(file, tensors, "this test"); });
  };
  std::vector<const Tensor *> tensors = {&tensor("half")};
  EXPECT_NE(lacking(tensors).find(" lacks 1 tensor that this test needs:\n"
                                  "  'half' with shape [4] and type bf16\n"
                                  "add them"),
            std::string::npos);
  for (const char *name : {"ids", "master", "gaps", "between"})
    tensors.push_back(&tensor(name));
  std::string five = lacking(tensors);
  EXPECT_NE(five.find(" lacks 5 tensors "), std::string::npos);
  EXPECT_NE(five.find("'between'"), std::string::npos);
  EXPECT_EQ(five.find("more"), std::string::npos);
  tensors.push_back(&tensor("count"));
  std::string six = lacking(tensors);
  EXPECT_NE(six.find("'between'"), std::string::npos);
  EXPECT_EQ(six.find("'count'"), std::string::npos);
  EXPECT_NE(six.find("\n  and 1 more\n"), std::string::npos);
}

// A master has the digits that its parameter rounds away; one entry gives both.
TEST_F(SessionTest, mastersStartAsTheirParametersUnrounded) {
  SafeTensorsReader file = write(
      "half", {4}, std::vector<float>{1.001f, 2, -3, 0.25f}, BOOST_RT_F32);
  session.loadInitial(file, program.startingAsParameters(), "this test");
  EXPECT_EQ(valuesOf<uint16_t>("half"),
            (std::vector<uint16_t>{0x3f80, 0x4000, 0xc040, 0x3e80}));
  EXPECT_EQ(valuesOf<float>("master"),
            (std::vector<float>{1.001f, 2, -3, 0.25f}));
  session.initialize(tensor("master"), 7);
  session.initialize(tensor("half"), 7);
  std::vector<float> drawn(4);
  NormalStream(7, "half").generate(0, 4, [&](int64_t i, double value) {
    drawn[static_cast<size_t>(i)] = static_cast<float>(value / 2);
  });
  EXPECT_EQ(valuesOf<float>("master"), drawn);
  std::vector<uint16_t> rounded(4);
  convertElements(BOOST_RT_F32, drawn.data(), BOOST_RT_BF16, rounded.data(), 4);
  EXPECT_EQ(valuesOf<uint16_t>("half"), rounded);
  // Drawn together, they are as they were one by one.
  session.fillArena(0xff);
  session.initialize({&tensor("half"), &tensor("gaps"), &tensor("master")}, 7);
  EXPECT_EQ(valuesOf<float>("master"), drawn);
  EXPECT_EQ(valuesOf<uint16_t>("half"), rounded);
  EXPECT_EQ(valuesOf<float>("gaps"), std::vector<float>(6, 1));
  expectAlone(valuesOf<float>("between"));
}

// Rows with gaps: what lies between and behind them stays as it is.
TEST_F(SessionTest, gapsBelongToOthers) {
  const std::vector<float> six = {1, 2, 3, 4, 5, 6};
  session.load(write("gaps", {2, 3}, six, BOOST_RT_F32), {&tensor("gaps")},
               "this test");
  EXPECT_EQ(valuesOf<float>("gaps"), six);
  expectAlone(valuesOf<float>("between"));
  put("gaps", std::vector<float>{6, 5, 4, 3, 2, 1});
  EXPECT_EQ(valuesOf<float>("gaps"), (std::vector<float>{6, 5, 4, 3, 2, 1}));
  expectAlone(valuesOf<float>("between"));
  session.initialize(tensor("gaps"), 0);
  EXPECT_EQ(valuesOf<float>("gaps"), std::vector<float>(6, 1));
  expectAlone(valuesOf<float>("between"));
  session.clear(tensor("gaps"));
  EXPECT_EQ(valuesOf<float>("gaps"), std::vector<float>(6));
  expectAlone(valuesOf<float>("between"));
  session.initialize(tensor("between"), 0);
  EXPECT_EQ(valuesOf<float>("between"), std::vector<float>(2));
  EXPECT_EQ(valuesOf<int32_t>("count"), std::vector<int32_t>{-1});

  put("gaps", six);
  session.save(path, {&tensor("gaps"), &tensor("between")});
  SafeTensorsReader saved(path);
  EXPECT_EQ(saved.getEntries().size(), 2u);
  EXPECT_EQ(std::memcmp(saved.find("gaps")->data, six.data(), 24), 0);
}

// "inf" is no deviation, and neither is a number with something behind it.
TEST_F(SessionTest, rulesThatAreNone) {
  for (const char *rule :
       {"", "twos", "normal", "normal:", "normal:x", "normal:0.5x", "normal:-1",
        "normal:inf", "normal:nan", "anormal:1"}) {
    Tensor other = tensor("half");
    other.init = rule;
    EXPECT_NE(refusal([&] { session.initialize(other, 0); })
                  .find(concat("tensor 'half' has the unknown initialization '",
                               rule, "'")),
              std::string::npos)
        << rule;
  }
  Tensor other = tensor("half");
  other.init = "normal:0";
  EXPECT_EQ(refusal([&] { session.initialize(other, 0); }), "");
  for (uint16_t bits : valuesOf<uint16_t>("half"))
    EXPECT_EQ(bits & 0x7fff, 0);
}

// Parameters come first, integers are always finite, and a gap is no element.
TEST_F(SessionTest, theFirstTensorThatIsNotFinite) {
  auto found = [&] {
    const Tensor *tensor = session.findNonFinite();
    return tensor ? tensor->name : "none";
  };
  EXPECT_EQ(found(), "half");
  put("half", std::vector<uint16_t>{0x3f80, 0, 0, 0x7f7f});
  EXPECT_EQ(found(), "master");
  put("master", std::vector<float>{1, 2, 3, HUGE_VALF});
  EXPECT_EQ(found(), "master");
  put("master", std::vector<float>(4));
  EXPECT_EQ(found(), "gaps");
  put("gaps", std::vector<float>(6));
  EXPECT_EQ(found(), "between");
  put("between", std::vector<float>(2));
  EXPECT_EQ(found(), "none");
}

TEST_F(SessionTest, shardsAreComparedWithTheReference) {
  const float nan = std::nanf(""), inf = HUGE_VALF;
  ShownTensor shown{
      "master", "model.py:7", "forward", {{tensor("master"), {0}, {}}}};
  auto compare = [&](const std::vector<float> &values,
                     const std::vector<double> &expected) {
    const char *bytes = reinterpret_cast<const char *>(values.data());
    shown.parts.front().elements.assign(bytes,
                                        bytes + values.size() * sizeof(float));
    return compareShards(session, shown, {expected, 0.5, 0.25});
  };
  ComparedTensor equal = compare({1, -2, 0, 3}, {1, -2, 0, 3});
  EXPECT_EQ(equal.name, "master");
  EXPECT_EQ(equal.location, "model.py:7");
  EXPECT_EQ(equal.phase, "forward");
  EXPECT_EQ(equal.held, "");
  EXPECT_EQ(equal.bound, 0.5);
  EXPECT_EQ(equal.gainBound, 0.25);
  EXPECT_EQ(equal.scale, 3);
  EXPECT_EQ(equal.error, 0);
  EXPECT_EQ(equal.gain, 0);
  // The gain is the part of the error along the expected values.
  ComparedTensor other = compare({1, -2, 1, 2}, {1, -2, 0, 4});
  EXPECT_EQ(other.scale, 4);
  EXPECT_EQ(other.error, 2);
  EXPECT_EQ(other.gain, (2 - 4) * 4 / 21.0);
  // Nonfinite values have an error, but no gain.
  EXPECT_EQ(compare({nan, inf, -inf, 1}, {nan, inf, -inf, 1}).error, 0);
  EXPECT_EQ(compare({nan, 1, 1, 1}, {1, 1, 1, 1}).error, HUGE_VAL);
  EXPECT_EQ(compare({1, 1, 1, 1}, {1, 1, nan, 1}).error, HUGE_VAL);
  ComparedTensor infinite = compare({2, inf, 2, 3}, {1, 1, HUGE_VAL, 3});
  EXPECT_EQ(infinite.error, HUGE_VAL);
  EXPECT_EQ(infinite.gain, 1 / 11.0);
  EXPECT_EQ(infinite.scale, 3);
  ComparedTensor zeros = compare({1, 0, 0, 0}, {0, 0, 0, 0});
  EXPECT_EQ(zeros.error, 1);
  EXPECT_EQ(zeros.gain, 0);
  EXPECT_EQ(zeros.scale, 0);
  // Terms of a sum of one.
  shown.parts.front().tensor.partial = 1;
  ComparedTensor summed = compare({1, 1, 1, 1}, {1, 1, 1, 1});
  EXPECT_EQ(summed.held, "partial over tp");
  EXPECT_EQ(summed.error, 0);
}
