//===- ElementwiseBitsTest.cpp - Both targets compute the same bits -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels of f32 without reductions, on the CPU and on the emulated GPU: every
// operation by itself, and bodies as fusion makes them. A NaN is a NaN,
// whatever its bits are; all else must agree to the bit.
//
//===----------------------------------------------------------------------===//

#include "KernelValues.h"

#include <cstring>
#include <limits>

using namespace mlir::boost;

namespace {

/// Limit of the elements of a kernel.
constexpr size_t kElements = 8192;

class ElementwiseBits : public KernelValues {
protected:
  void SetUp() override {
    KernelValues::SetUp();
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float smallest = std::numeric_limits<float>::denorm_min();
    constexpr float normal = std::numeric_limits<float>::min();
    constexpr float largest = std::numeric_limits<float>::max();
    const float special[] = {
        0.0f,          smallest,       123 * smallest, normal - smallest,
        normal,        largest,        infinity,       std::nanf(""),
        0.5f,          1.0f,           1.5f,           2.0f,
        2.5f,          3.0f,           0x1p-12f,       0x1p-23f,
        0x1p-24f,      0x1.fffffep-1f, 0x1.000002p0f,  88.72f,
        88.8f,         103.9f,         87.3f,          0x1p22f,
        0x1p23f,       0x1p24f,        8388607.5f,     2147483520.0f,
        2147483648.0f, 0x1p63f,        0x1p64f,        3.4028e38f};
    constexpr size_t count = std::size(special);
    std::mt19937 bitsOf(1);
    std::uniform_real_distribution<float> moderate(-4.0f, 4.0f);
    for (size_t i = 0; i < arena.size(); ++i) {
      size_t pair = i % kElements;
      // Each with each, of both signs; then any bits at all, then moderate
      // ones.
      size_t which =
          (i < arena.size() / 4 ? pair / (2 * count) : pair) % (2 * count);
      uint32_t bits = bitsOf();
      float any;
      std::memcpy(&any, &bits, sizeof(any));
      if (pair < 4 * count * count)
        arena[i] = special[which / 2] * (which % 2 == 0 ? 1.0f : -1.0f);
      else
        arena[i] = pair % 2 == 0 ? any : moderate(bitsOf);
    }
  }

  /// Runs on both, and compares part 3 of the arena, of which every kernel has
  /// written kElements. `names` are those of the kernels, for messages.
  void compare(const std::string &body, const std::vector<std::string> &names) {
    backend = Backend::CPU;
    run("", body);
    std::vector<float> expected(output(3), output(3) + (1 << 18));
    arena = before;
    backend = Backend::GPU;
    run("", body);
    std::vector<int64_t> different(names.size());
    for (size_t i = 0; i < names.size() * kElements; ++i) {
      float cpu = expected[i], gpu = output(3)[i];
      bool same = (std::isnan(cpu) && std::isnan(gpu)) ||
                  std::memcmp(&cpu, &gpu, sizeof(float)) == 0;
      if (!same && different[i / kElements]++ < 3)
        ADD_FAILURE() << names[i / kElements] << " of "
                      << input(0)[i % kElements] << " and "
                      << input(1)[i % kElements] << " is " << gpu
                      << " on the GPU, " << cpu << " on the CPU";
    }
  }
};

/// The result of kernel `number`, of `type`, in part 3.
std::string resultView(size_t number, const std::string &type) {
  std::string n = std::to_string(number);
  return "%at" + n + " = arith.constant " +
         std::to_string(3145728 + number * kElements * sizeof(float)) +
         " : index\n%z" + n + " = memref.view %arena[%at" + n +
         "][] : memref<4194304xi8> to " + type + "\n";
}

/// An operation on %a and %b.
struct Operation {
  const char *name, *text;
};

constexpr Operation kOperations[] = {
    {"add", "%r = arith.addf %a, %b : f32"},
    {"subtract", "%r = arith.subf %a, %b : f32"},
    {"multiply", "%r = arith.mulf %a, %b : f32"},
    {"divide", "%r = arith.divf %a, %b : f32"},
    {"remainder", "%r = arith.remf %a, %b : f32"},
    {"maximum", "%r = arith.maximumf %a, %b : f32"},
    {"minimum", "%r = arith.minimumf %a, %b : f32"},
    {"copysign", "%r = math.copysign %a, %b : f32"},
    {"multiply and add", "%p = arith.mulf %a, %b : f32\n"
                         "%r = arith.addf %p, %a : f32"},
    {"compare and select", "%p = arith.cmpf olt, %a, %b : f32\n"
                           "%r = arith.select %p, %a, %b : f32"},
    {"negate", "%r = arith.negf %a : f32"},
    {"abs", "%r = math.absf %a : f32"},
    {"ceil", "%r = math.ceil %a : f32"},
    {"floor", "%r = math.floor %a : f32"},
    {"round", "%r = math.round %a : f32"},
    {"roundeven", "%r = math.roundeven %a : f32"},
    {"sqrt", "%r = math.sqrt %a : f32"},
    {"rsqrt", "%r = math.rsqrt %a : f32"},
    {"exp", "%r = math.exp %a : f32"},
    {"expm1", "%r = math.expm1 %a : f32"},
    {"log", "%r = math.log %a : f32"},
    {"log1p", "%r = math.log1p %a : f32"},
    {"tanh", "%r = math.tanh %a : f32"},
    {"erf", "%r = math.erf %a : f32"},
    {"convert to f64", "%p = arith.extf %a : f32 to f64\n"
                       "%q = arith.mulf %p, %p : f64\n"
                       "%r = arith.truncf %q : f64 to f32"},
    {"convert to bf16", "%p = arith.truncf %a : f32 to bf16\n"
                        "%r = arith.extf %p : bf16 to f32"},
    {"convert to f16", "%p = arith.truncf %a : f32 to f16\n"
                       "%r = arith.extf %p : f16 to f32"},
    {"bits", "%p = arith.bitcast %a : f32 to i32\n"
             "%q = arith.bitcast %b : f32 to i32\n"
             "%s = arith.xori %p, %q : i32\n"
             "%r = arith.bitcast %s : i32 to f32"},
    {"convert from i32", "%p = arith.bitcast %a : f32 to i32\n"
                         "%r = arith.sitofp %p : i32 to f32"},
    {"convert from ui32", "%p = arith.bitcast %a : f32 to i32\n"
                          "%r = arith.uitofp %p : i32 to f32"},
};

// Vectors of them, and single ones of a length that no vector divides.
TEST_P(ElementwiseBits, OfEveryOperation) {
  for (size_t count : {kElements, kElements - 1}) {
    SetUp();
    std::string type = "memref<" + std::to_string(count) + "xf32>";
    std::string body = view("x", 0, type) + view("y", 1, type);
    std::vector<std::string> names;
    for (const Operation &operation : kOperations) {
      body += resultView(names.size(), type) +
              "linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, "
              "affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types "
              "= [\"parallel\"]} ins(%x, %y : " +
              type + ", " + type + ") outs(%z" + std::to_string(names.size()) +
              " : " + type + ") {\n^bb0(%a: f32, %b: f32, %out: f32):\n" +
              operation.text + "\nlinalg.yield %r : f32\n}\n";
      names.push_back(operation.name);
    }
    ASSERT_LE(names.size() * kElements, size_t(1) << 18);
    compare(body, names);
  }
}

/// A body of `length` operations, each of values that are there by then. The
/// last one is %r.
std::string randomBody(std::mt19937 &random, int length) {
  const char *const unary[] = {"arith.negf", "math.absf", "math.exp",
                               "math.tanh",  "math.log",  "math.sqrt",
                               "math.rsqrt", "math.erf"};
  const char *const binary[] = {"arith.addf",     "arith.mulf",
                                "arith.subf",     "arith.divf",
                                "arith.maximumf", "arith.minimumf"};
  std::vector<std::string> values = {"%a", "%b", "%c"};
  auto pick = [&] { return values[random() % values.size()]; };
  std::string body;
  for (int i = 0; i < length; ++i) {
    std::string result = i + 1 == length ? "%r" : "%v" + std::to_string(i);
    switch (random() % 4) {
    case 0:
      body += result + " = " + unary[random() % std::size(unary)] + " " +
              pick() + " : f32\n";
      break;
    case 1:
      body += "%is" + std::to_string(i) + " = arith.cmpf olt, " + pick() +
              ", " + pick() + " : f32\n" + result + " = arith.select %is" +
              std::to_string(i) + ", " + pick() + ", " + pick() + " : f32\n";
      break;
    default:
      body += result + " = " + binary[random() % std::size(binary)] + " " +
              pick() + ", " + pick() + " : f32\n";
    }
    values.push_back(result);
  }
  return body;
}

// Tensors, rows and columns as fusion joins them; 24 columns are read as
// vectors, 23 are not.
TEST_P(ElementwiseBits, OfFusedBodies) {
  std::mt19937 random(1);
  for (const char *columns : {"24", "23"}) {
    SetUp();
    std::string full = std::string("memref<300x") + columns + "xf32>";
    std::string row = std::string("memref<") + columns + "xf32>";
    std::string column = "memref<300xf32>";
    std::string program =
        view("x", 0, full) + view("y", 1, row) + view("w", 2, column);
    std::vector<std::string> bodies;
    for (size_t number = 0; number < 24; ++number) {
      bodies.push_back(randomBody(random, 12));
      program +=
          resultView(number, full) +
          "linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>,"
          "affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>,"
          "affine_map<(i, j) -> (i, j)>], iterator_types = [\"parallel\","
          "\"parallel\"]} ins(%x, %y, %w : " +
          full + ", " + row + ", " + column + ") outs(%z" +
          std::to_string(number) + " : " + full +
          ") {\n^bb0(%a: f32, %b: f32, %c: f32, %out: f32):\n" + bodies.back() +
          "\nlinalg.yield %r : f32\n}\n";
    }
    compare(program, bodies);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, ElementwiseBits,
                         ::testing::Values(Backend::GPU));

} // namespace
