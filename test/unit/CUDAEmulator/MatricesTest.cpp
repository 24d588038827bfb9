//===- MatricesTest.cpp - Products of matrices by emulated warps ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulatedCode.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <cstring>

using namespace boost_emu;
using testing::HasSubstr;

namespace {

constexpr FragmentLayout kLayouts[] = {FragmentLayout::Rows,
                                       FragmentLayout::Columns};

/// The layout goes back to what it was.
class Matrices : public testing::Test {
protected:
  void TearDown() override { setFragmentLayout(FragmentLayout::Rows); }
};

std::string repeat(const std::string &type, int count,
                   const std::string &value = "") {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += (i ? ", " : "") + type +
            (value.empty() ? "" : " " + value + std::to_string(i));
  return text;
}

std::string take(const std::string &value, const std::string &type, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    std::string n = std::to_string(i);
    text += "%" + value + n + " = extractvalue {" + repeat(type, count) +
            "} %" + value + ", " + n + "\n";
  }
  return text;
}

std::string load(const std::string &value, const std::string &matrix,
                 const std::string &type, const std::string &part, int count,
                 const std::string &pointer, int stride) {
  return "%" + value + " = call {" + repeat(part, count) +
         "} @llvm.nvvm.wmma.m16n16k16.load." + matrix + ".stride." + type +
         ".p0(ptr " + pointer + ", i32 " + std::to_string(stride) + ")\n" +
         take(value, part, count);
}

struct Kind {
  std::string type, part;
  int words;
  std::string product;
};
const Kind kKinds[] = {{"bf16", "i32", 4, "bf16"},
                       {"f16", "<2 x half>", 8, "f32.f32"}};

/// out = a b + c, b column-major; `change` comes before the product.
std::string getKernel(const Kind &kind, const std::string &change = "",
                      int stride = 24) {
  std::string sums = repeat("float", 8);
  std::string loaded = "{" + repeat(kind.part, kind.words) + "}";
  std::string text =
      "declare " + loaded + " @llvm.nvvm.wmma.m16n16k16.load.a.row.stride." +
      kind.type + ".p0(ptr, i32)\ndeclare " + loaded +
      " @llvm.nvvm.wmma.m16n16k16.load.b.col.stride." + kind.type +
      ".p0(ptr, i32)\ndeclare {" + sums +
      "} @llvm.nvvm.wmma.m16n16k16.load.c.row.stride.f32.p0("
      "ptr, i32)\ndeclare {" +
      sums + "} @llvm.nvvm.wmma.m16n16k16.mma.row.col." + kind.product + "(" +
      repeat(kind.part, 2 * kind.words) + ", " + sums +
      ")\ndeclare void @llvm.nvvm.wmma.m16n16k16.store.d.row."
      "stride.f32.p0(ptr, " +
      sums + ", i32)\ndeclare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n";
  text += "define ptx_kernel void @k(ptr %a, ptr %b, ptr %c, ptr %out) {\n"
          "%t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n";
  text += load("x", "a.row", kind.type, kind.part, kind.words, "%a", stride);
  text += load("y", "b.col", kind.type, kind.part, kind.words, "%b", 16);
  text += load("z", "c.row", "f32", "float", 8, "%c", 20) + change;
  text += "%w = call {" + sums + "} @llvm.nvvm.wmma.m16n16k16.mma.row.col." +
          kind.product + "(" + repeat(kind.part, kind.words, "%x") + ", " +
          repeat(kind.part, kind.words, "%y") + ", " +
          repeat("float", 8, "%z") + ")\n" + take("w", "float", 8);
  text += "call void @llvm.nvvm.wmma.m16n16k16.store.d.row.stride.f32.p0("
          "ptr %out, " +
          repeat("float", 8, "%w") + ", i32 16)\nret void\n}\n";
  return text;
}

uint16_t narrow(float value, const std::string &type) {
  if (type == "f16") {
    auto half = static_cast<_Float16>(value);
    uint16_t bits;
    std::memcpy(&bits, &half, sizeof(bits));
    return bits;
  }
  uint32_t word;
  std::memcpy(&word, &value, sizeof(word));
  return static_cast<uint16_t>(word >> 16);
}

/// Small integers, whose products and sums are exact.
float getA(int row, int k) {
  return static_cast<float>((row * 7 + k * 3) % 11 - 5);
}
float getB(int k, int column) {
  return static_cast<float>((k * 5 + column * 2) % 13 - 6);
}
float getC(int row, int column) {
  return static_cast<float>(row * 16 + column);
}

struct Tensors {
  alignas(32) uint16_t a[16 * 24 + 1];
  alignas(32) uint16_t b[16 * 16];
  alignas(32) float c[16 * 20];
  alignas(32) float out[16 * 16];

  explicit Tensors(const std::string &type) : out{} {
    for (int i = 0; i < 16; ++i)
      for (int j = 0; j < 16; ++j) {
        a[i * 24 + j] = narrow(getA(i, j), type);
        b[j * 16 + i] = narrow(getB(i, j), type);
        c[i * 20 + j] = getC(i, j);
      }
  }
};

std::string run(const std::string &text, Tensors &t, ThreadOrder order,
                int shift = 0) {
  Launch launch;
  launch.order = order;
  launch.block.x = 32;
  return runText(text, launch, {t.a + shift, t.b, t.c, t.out},
                 /*checkAccesses=*/true);
}

TEST_F(Matrices, are_multiplied_in_every_layout) {
  for (const Kind &kind : kKinds)
    for (FragmentLayout layout : kLayouts)
      for (ThreadOrder order : {ThreadOrder::Forward, ThreadOrder::Reverse}) {
        setFragmentLayout(layout);
        Tensors t(kind.type);
        ASSERT_EQ(run(getKernel(kind), t, order), "");
        for (int i = 0; i < 16; ++i)
          for (int j = 0; j < 16; ++j) {
            float expected = getC(i, j);
            for (int k = 0; k < 16; ++k)
              expected += getA(i, k) * getB(k, j);
            ASSERT_EQ(t.out[i * 16 + j], expected) << i << " " << j;
          }
      }
}

// A kernel that knows where sums are is right in one layout only.
TEST_F(Matrices, show_who_relies_on_a_layout) {
  // Doubles the sums of rows 0 and 8: those of lanes 0 to 3 on sm_80.
  std::string change = "%low = icmp ult i32 %t, 4\n"
                       "%factor = select i1 %low, float 2.0, float 1.0\n";
  std::string text = getKernel(kKinds[0]);
  size_t store = text.find("call void");
  std::string scaled;
  for (int i = 0; i < 8; ++i) {
    std::string n = std::to_string(i);
    scaled += "%s" + n + " = fmul float %w" + n + ", %factor\n";
  }
  text.insert(store, change + scaled);
  size_t values = text.find(repeat("float", 8, "%w"), store);
  text.replace(values, repeat("float", 8, "%w").size(),
               repeat("float", 8, "%s"));
  std::vector<bool> isRight;
  for (FragmentLayout layout : kLayouts) {
    setFragmentLayout(layout);
    Tensors plain("bf16"), changed("bf16");
    ASSERT_EQ(run(getKernel(kKinds[0]), plain, ThreadOrder::Forward), "");
    ASSERT_EQ(run(text, changed, ThreadOrder::Forward), "");
    bool isSame = true;
    for (int i = 0; i < 256; ++i)
      isSame &= changed.out[i] == plain.out[i] * (i / 16 % 8 == 0 ? 2 : 1);
    isRight.push_back(isSame);
  }
  EXPECT_TRUE(isRight[0]);
  EXPECT_FALSE(isRight[1]);
}

TEST_F(Matrices, are_aligned) {
  Tensors t("bf16");
  EXPECT_THAT(run(getKernel(kKinds[0]), t, ThreadOrder::Forward, 1),
              HasSubstr("not a multiple of 32 bytes"));
  EXPECT_THAT(run(getKernel(kKinds[0], "", 20), t, ThreadOrder::Forward),
              HasSubstr("rows of a matrix are 20 numbers apart"));
}

// Fragments of f16 hold every number twice, in different lanes.
TEST_F(Matrices, of_f16_stay_the_same_in_all_lanes) {
  Tensors t("f16");
  std::string text = getKernel(
      kKinds[1], "%isFirst = icmp eq i32 %t, 0\n%changed = select i1 %isFirst, "
                 "<2 x half> <half 1.0, half 9.0>, <2 x half> %x0\n");
  size_t product = text.find("mma.row.col.f32.f32(", text.find("%changed"));
  text.replace(text.find("%x0", product), 3, "%changed");
  EXPECT_THAT(run(text, t, ThreadOrder::Forward),
              HasSubstr("different values of one number"));
}

// Loads and stores are accesses of lanes, which products do not order.
TEST_F(Matrices, race_with_other_lanes) {
  Tensors t("bf16");
  std::string text = getKernel(kKinds[0]);
  text.replace(text.find("ret void"), 8,
               "%p = getelementptr float, ptr %out, i32 %t\n"
               "%q = getelementptr float, ptr %p, i32 100\n"
               "%v = load float, ptr %q\nret void");
  for (FragmentLayout layout : kLayouts) {
    setFragmentLayout(layout);
    EXPECT_THAT(run(text, t, ThreadOrder::Forward), HasSubstr("race"));
  }
}

TEST_F(Matrices, of_other_shapes_are_refused) {
  std::string text = getKernel(kKinds[0]);
  for (size_t at = 0; (at = text.find("m16n16k16", at)) != std::string::npos;)
    text.replace(at, 9, "m32n8k16");
  Tensors t("bf16");
  EXPECT_THAT(run(text, t, ThreadOrder::Forward),
              HasSubstr("which the emulator does not know"));
}

} // namespace
