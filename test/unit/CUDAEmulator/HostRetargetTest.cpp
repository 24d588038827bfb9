//===- HostRetargetTest.cpp - Device code becomes host code ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulatedCode.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <sys/mman.h>

using namespace boost_emu;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kSubnormal = 1e-40f;

std::string getKernel(const std::string &body) {
  return "define ptx_kernel void @k(ptr %in, ptr %out) {\n" + body +
         "ret void }\n";
}

/// Returns the error of a module that is refused.
std::string getRefusal(const std::string &text, bool checkAccesses = false) {
  return llvm::toString(EmulatedCode::compile(text, checkAccesses).takeError());
}

/// out = intrinsic(in...) of one type.
template <typename T>
T evaluate(const std::string &intrinsic, std::vector<T> in) {
  const char *type = sizeof(T) == 8 ? "double" : "float";
  std::string body, types, values;
  for (size_t i = 0; i < in.size(); ++i) {
    std::string n = std::to_string(i), comma = i ? ", " : "";
    body += "%p" + n + " = getelementptr " + type + ", ptr %in, i64 " + n +
            "\n%x" + n + " = load " + type + ", ptr %p" + n + "\n";
    types += comma + type;
    values += comma + type + " %x" + n;
  }
  std::string callee = std::string(type) + " @llvm.nvvm." + intrinsic + "(";
  body +=
      "%y = call " + callee + values + ")\nstore " + type + " %y, ptr %out\n";
  T out = 0;
  EXPECT_EQ(runText("declare " + callee + types + ")\n" + getKernel(body),
                    Launch(), {in.data(), &out}),
            "");
  return out;
}

//===----------------------------------------------------------------------===//
// Refusals
//===----------------------------------------------------------------------===//

TEST(HostRetarget, refuses_unknown_intrinsics) {
  EXPECT_EQ(getRefusal("declare void @llvm.nvvm.membar.gl()\n" +
                       getKernel("call void @llvm.nvvm.membar.gl()\n")),
            "cannot emulate function 'k': it calls 'llvm.nvvm.membar.gl', "
            "which the emulator does not know");
  // No intrinsic: its name lacks the prefix.
  EXPECT_EQ(getRefusal("declare void @barrier.cta.sync.all(i32)\n" +
                       getKernel("call void @barrier.cta.sync.all(i32 0)\n")),
            "cannot emulate function 'k': it calls 'barrier.cta.sync.all', "
            "which the emulator does not know");
}

TEST(HostRetarget, refuses_inline_assembly) {
  EXPECT_EQ(getRefusal(getKernel("%x = call float asm \"tanh.approx.f32 "
                                 "$0,$1;\", \"=f,f\"(float 2.0)\n")),
            "cannot emulate function 'k': it contains inline assembly "
            "'tanh.approx.f32 $0,$1;'");
  EXPECT_THAT(getRefusal("module asm \".global .u32 x;\"\n" + getKernel("")),
              HasSubstr("assembly of the whole module"));
}

TEST(HostRetarget, refuses_undefined_names) {
  EXPECT_THAT(getRefusal("declare float @expf(float)\n" +
                         getKernel("%x = call float @expf(float 1.0)\n")),
              HasSubstr("function 'k': it calls 'expf', which"));
  EXPECT_THAT(
      getRefusal("@g = external addrspace(1) global i32\n" + getKernel("")),
      HasSubstr("does not define 'g'"));
}

TEST(HostRetarget, refuses_other_arithmetic_in_bf16) {
  EXPECT_THAT(
      getRefusal("declare bfloat @llvm.sqrt.bf16(bfloat)\n" +
                 getKernel("%x = call bfloat @llvm.sqrt.bf16(bfloat 1.0)\n")),
      HasSubstr("computes 'llvm.sqrt.bf16' in bf16"));
  EXPECT_THAT(getRefusal(getKernel("%x = load double, ptr %in\n"
                                   "%y = fptrunc double %x to bfloat\n")),
              HasSubstr("converts to bf16 from another type than f32"));
}

TEST(HostRetarget, refuses_accesses_that_it_cannot_follow) {
  std::string text =
      "declare <2 x i32> @llvm.masked.load.v2i32.p0(ptr, <2 x i1>, <2 x "
      "i32>)\n" +
      getKernel("%v = call <2 x i32> @llvm.masked.load.v2i32.p0(ptr align 4 "
                "%in, <2 x i1> <i1 1, i1 0>, <2 x i32> poison)\n");
  EXPECT_THAT(getRefusal(text), AllOf(HasSubstr("llvm.masked.load"),
                                      HasSubstr("cannot be followed")));
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

TEST(HostRetarget, knows_only_what_the_emulator_has) {
  std::set<std::string> has, refersTo;
  for (const EmulatorSymbol &symbol : boost_emu::getEmulatorSymbols())
    EXPECT_TRUE(has.insert(symbol.name).second) << symbol.name;
  for (const std::string &name : mlir::boost::getEmulatorSymbols())
    refersTo.insert(name);
  EXPECT_EQ(has, refersTo);
}

TEST(HostRetarget, describes_kernels) {
  auto code = EmulatedCode::compile(R"(
    %pair = type { i64, i32 }
    @one = internal addrspace(3) global [10 x i16] undef
    @none = internal addrspace(3) global [0 x i8] undef
    define ptx_kernel void @exp(ptr addrspace(1) %a, i16 %b, ptr byval(%pair) %c) "nvvm.maxntid"="32,4,1" { ret void }
    define ptx_kernel void @old() { ret void }
    define void @helper(ptr addrspace(3) %a) { ret void }
  )",
                                    false);
  ASSERT_TRUE(static_cast<bool>(code)) << llvm::toString(code.takeError());
  const EmulatedModule &module = code->getModule();
  ASSERT_EQ(module.numKernels, 2u);
  const EmulatedKernel &first = module.kernels[0], &second = module.kernels[1];
  EXPECT_STREQ(first.name, "exp");
  ASSERT_EQ(first.numArguments, 3u);
  EXPECT_EQ(first.argumentBytes[0], 8u);
  EXPECT_EQ(first.argumentBytes[1], 2u);
  EXPECT_EQ(first.argumentBytes[2], 16u);
  EXPECT_EQ(first.maxThreads, 128u);
  EXPECT_STREQ(second.name, "old");
  EXPECT_EQ(second.numArguments, 0u);
  EXPECT_EQ(second.maxThreads, 1024u);
  ASSERT_EQ(module.numShared, 1u);
  EXPECT_EQ(module.shared[0].bytes, 20u);
}

TEST(HostRetarget, knows_kernels_by_annotation) {
  float out = 0;
  EXPECT_EQ(runText(R"(
    define void @k(ptr %out) { store float 2.0, ptr %out ret void }
    !nvvm.annotations = !{!0}
    !0 = !{ptr @k, !"kernel", i32 1}
  )",
                    Launch(), {&out}),
            "");
  EXPECT_EQ(out, 2);
}

TEST(HostRetarget, launches_no_more_threads_than_compiled_for) {
  Launch launch;
  launch.block.x = 65;
  std::string text =
      "define ptx_kernel void @k() \"nvvm.maxntid\"=\"64\" { ret void }";
  EXPECT_THAT(runText(text, launch, {}), HasSubstr("at most 64 threads"));
  launch.block.x = 64;
  EXPECT_EQ(runText(text, launch, {}), "");
}

TEST(HostRetarget, passes_arguments_of_all_kinds) {
  auto code = EmulatedCode::compile(R"(
    %pair = type { i32, i32 }
    define ptx_kernel void @k(ptr byval(%pair) %p, i16 %i, double %d, ptr %out) {
      %at = getelementptr i32, ptr %p, i64 1
      %x = load i32, ptr %at
      %y = zext i16 %i to i32
      %z = fptosi double %d to i32
      %xy = add i32 %x, %y
      %xyz = add i32 %xy, %z
      store i32 %xyz, ptr %out
      store i32 7, ptr %at
      ret void
    })",
                                    false);
  ASSERT_TRUE(static_cast<bool>(code)) << llvm::toString(code.takeError());
  int32_t pair[2] = {1, 2000}, out = 0;
  uint16_t i = 65535;
  double d = 300000;
  void *pointer = &out;
  void *arguments[] = {pair, &i, &d, &pointer};
  runKernel(code->getModule(), "k", Launch(), arguments);
  EXPECT_EQ(out, 2000 + 65535 + 300000);
  EXPECT_EQ(pair[1], 2000);
  EXPECT_THROW(runKernel(code->getModule(), "j", Launch(), arguments),
               EmulationError);
}

/// A page of device memory, whose address the host cannot touch; its bytes are
/// elsewhere.
class DevicePage {
public:
  DevicePage() {
    void *wanted = reinterpret_cast<void *>(kDeviceBytes);
    found = ::mmap(wanted, kBytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (found != wanted)
      ADD_FAILURE() << "the addresses of device memory are taken";
  }
  DevicePage(const DevicePage &) = delete;
  DevicePage &operator=(const DevicePage &) = delete;
  ~DevicePage() { ::munmap(found, kBytes); }

  /// Returns the address of a word of 64 bits.
  static void *address(uint64_t word) {
    return reinterpret_cast<void *>(kDeviceMemory + word * 8);
  }
  uint64_t &operator[](uint64_t word) const {
    return static_cast<uint64_t *>(found)[word];
  }

private:
  static constexpr size_t kBytes = 4096;
  void *found;
};

TEST(HostRetarget, translates_addresses_of_device_memory) {
  DevicePage page;
  page[0] = 41;
  EXPECT_EQ(runText(getKernel("%x = load i64, ptr %in\n"
                              "%y = add i64 %x, 1\n"
                              "store i64 %y, ptr %out\n"),
                    Launch(), {DevicePage::address(0), DevicePage::address(1)}),
            "");
  EXPECT_EQ(page[1], 42u);
  // An address that is stored or compared with is a number.
  EXPECT_EQ(runText(getKernel("store ptr %out, ptr %out\n"), Launch(),
                    {nullptr, DevicePage::address(2)}),
            "");
  EXPECT_EQ(page[2], kDeviceMemory + 16);
  EXPECT_EQ(
      runText(getKernel("%x = atomicrmw xchg ptr %out, ptr %out seq_cst\n"),
              Launch(), {nullptr, DevicePage::address(3)}),
      "");
  EXPECT_EQ(page[3], kDeviceMemory + 24);
  EXPECT_EQ(
      runText(getKernel("%x = cmpxchg ptr %out, ptr %out, ptr %in seq_cst "
                        "seq_cst\n"),
              Launch(), {nullptr, DevicePage::address(3)}),
      "");
  EXPECT_EQ(page[3], 0u);
}

TEST(HostRetarget, translates_both_addresses_of_a_copy) {
  DevicePage page;
  page[0] = 5;
  page[1] = 6;
  EXPECT_EQ(runText("declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"
                    "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n" +
                        getKernel("call void @llvm.memcpy.p0.p0.i64(ptr %out, "
                                  "ptr %in, i64 16, i1 false)\n"
                                  "call void @llvm.memset.p0.i64(ptr %in, i8 "
                                  "1, i64 8, i1 false)\n"),
                    Launch(), {DevicePage::address(0), DevicePage::address(2)}),
            "");
  EXPECT_EQ(page[0], 0x0101010101010101u);
  EXPECT_EQ(page[1], 6u);
  EXPECT_EQ(page[2], 5u);
  EXPECT_EQ(page[3], 6u);
}

/// Pointers with address spaces in constants, types, signatures, overloads.
TEST(HostRetarget, removes_address_spaces) {
  float in[2] = {1, 2}, out[4] = {};
  EXPECT_EQ(runText(R"(
    @table = internal addrspace(4) constant [2 x float] [float 3.0, float 4.0]
    @links = internal addrspace(1) global [1 x ptr] [ptr getelementptr (i8, ptr addrspacecast (ptr addrspace(4) @table to ptr), i64 4)]
    @s = internal addrspace(3) global [2 x float] undef, align 16
    declare void @llvm.memcpy.p3.p1.i64(ptr addrspace(3), ptr addrspace(1), i64, i1)
    define internal {ptr addrspace(3), i1} @pick(<2 x ptr addrspace(3)> %v, i1 %c) {
      %p = extractelement <2 x ptr addrspace(3)> %v, i32 1
      %r = insertvalue {ptr addrspace(3), i1} undef, ptr addrspace(3) %p, 0
      %q = select i1 %c, {ptr addrspace(3), i1} %r, {ptr addrspace(3), i1} zeroinitializer
      ret {ptr addrspace(3), i1} %q
    }
    define ptx_kernel void @k(ptr addrspace(1) %in, ptr addrspace(1) %out) "target-cpu"="sm_80" "target-features"="+ptx80" {
      call void @llvm.memcpy.p3.p1.i64(ptr addrspace(3) @s, ptr addrspace(1) %in, i64 8, i1 false)
      %stack = alloca ptr addrspace(3)
      store ptr addrspace(3) getelementptr ([2 x float], ptr addrspace(3) @s, i64 0, i64 1), ptr %stack
      %a = load ptr addrspace(3), ptr %stack
      %v0 = insertelement <2 x ptr addrspace(3)> poison, ptr addrspace(3) null, i32 0
      %v = insertelement <2 x ptr addrspace(3)> %v0, ptr addrspace(3) %a, i32 1
      %r = call {ptr addrspace(3), i1} @pick(<2 x ptr addrspace(3)> %v, i1 true)
      %p = extractvalue {ptr addrspace(3), i1} %r, 0
      %x = load float, ptr addrspace(3) %p
      %generic = addrspacecast ptr addrspace(3) @s to ptr
      %y = load float, ptr %generic
      %link = load ptr, ptr addrspacecast (ptr addrspace(1) @links to ptr)
      %z = load float, ptr %link
      %w = load float, ptr addrspace(4) @table, !invariant.load !0
      store float %x, ptr addrspace(1) %out
      %o1 = getelementptr float, ptr addrspace(1) %out, i64 1
      store float %y, ptr addrspace(1) %o1
      %o2 = getelementptr float, ptr addrspace(1) %out, i64 2
      store float %z, ptr addrspace(1) %o2
      %o3 = getelementptr float, ptr addrspace(1) %out, i64 3
      store float %w, ptr addrspace(1) %o3
      ret void
    }
    @llvm.used = appending global [1 x ptr] [ptr addrspacecast (ptr addrspace(1) @links to ptr)], section "llvm.metadata"
    !0 = !{}
  )",
                    Launch(), {in, out}),
            "");
  EXPECT_THAT(out, ElementsAre(2, 1, 4, 3));
}

/// Memory effects hold for the device's intrinsics, but not for calls that
/// switch threads.
TEST(HostRetarget, drops_attributes_of_memory_effects) {
  Launch launch;
  launch.block.x = 2;
  launch.order = ThreadOrder::Reverse;
  int32_t word = 0, out[2] = {};
  EXPECT_EQ(runText(R"(
    declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() nounwind speculatable memory(none)
    define internal void @wait() noinline memory(none) willreturn {
      call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
      ret void
    }
    define ptx_kernel void @k(ptr noalias %in, ptr noalias %out) memory(argmem: readwrite) {
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %o = getelementptr i32, ptr %out, i32 %t
      store i32 7, ptr %in
      call void @wait() memory(none)
      %x = load i32, ptr %in, !invariant.load !0
      store i32 %x, ptr %o
      ret void
    }
    !0 = !{}
  )",
                    launch, {&word, out}),
            "");
  EXPECT_THAT(out, ElementsAre(7, 7));
}

/// Attributes of the device would let the host's optimizer move or change code.
TEST(HostRetarget, leaves_nothing_of_the_device) {
  std::string text = retargetText(R"(
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x() speculatable memory(none)
    define internal i32 @id() readnone "target-cpu"="sm_80" {
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x() willreturn
      ret i32 %t
    }
    define ptx_kernel void @k(ptr addrspace(1) noalias readonly %out) {
      %t = call i32 @id() memory(none)
      %x = load float, ptr addrspace(1) %out, !invariant.load !0
      %y = fmul reassoc contract nnan float %x, %x
      %o = atomicrmw fadd ptr addrspace(1) %out, float %y syncscope("device") monotonic
      ret void
    }
    !0 = !{}
  )");
  ASSERT_THAT(text, HasSubstr("fmul contract float"));
  for (const char *word :
       {"addrspace", "syncscope", "reassoc", "nnan", "invariant.load",
        "memory(", "speculatable", "willreturn", "sm_80", "ptx_kernel", "nvptx",
        "nvvm", "noalias", "readonly"})
    EXPECT_THAT(text, Not(HasSubstr(word)));
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

TEST(Arithmetic, of_approximate_functions_is_accurate) {
  for (float x : {0.3f, 1.0f, 7.77f, 100.0f}) {
    EXPECT_FLOAT_EQ(evaluate<float>("ex2.approx.f32", {x}), std::exp2(x));
    EXPECT_FLOAT_EQ(evaluate<float>("ex2.approx.ftz.f32", {-x}), std::exp2(-x));
    EXPECT_FLOAT_EQ(evaluate<float>("rsqrt.approx.f", {x}), 1 / std::sqrt(x));
    EXPECT_FLOAT_EQ(evaluate<float>("lg2.approx.f", {x}), std::log2(x));
    EXPECT_FLOAT_EQ(evaluate<float>("rcp.approx.ftz.f", {x}), 1 / x);
    EXPECT_FLOAT_EQ(evaluate<float>("sqrt.approx.f", {x}), std::sqrt(x));
    EXPECT_FLOAT_EQ(evaluate<float>("sin.approx.f", {x}), std::sin(x));
    EXPECT_FLOAT_EQ(evaluate<float>("cos.approx.f", {x}), std::cos(x));
    EXPECT_FLOAT_EQ(evaluate<float>("div.approx.f", {x, 3.0f}), x / 3);
  }
  EXPECT_NEAR(evaluate<double>("rcp.approx.ftz.d", {3.0}) * 3, 1, 0x1p-19);
  EXPECT_EQ(evaluate<double>("rcp.approx.ftz.d", {1 + 0x1p-40}), 1);
  EXPECT_EQ(evaluate<double>("rcp.approx.ftz.d", {-1e-310}),
            -std::numeric_limits<double>::infinity());
  EXPECT_EQ(evaluate<float>("ex2.approx.f32", {-kInfinity}), 0);
  EXPECT_EQ(evaluate<float>("ex2.approx.f32", {200.0f}), kInfinity);
  EXPECT_EQ(evaluate<float>("rsqrt.approx.f", {0.0f}), kInfinity);
  EXPECT_TRUE(std::isnan(evaluate<float>("rsqrt.approx.f", {-1.0f})));
}

/// libdevice's tanh has it.
TEST(Arithmetic, of_a_reciprocal_in_assembly) {
  for (float x : {3.0f, -0.25f, kSubnormal}) {
    float out = 0;
    std::string body =
        "%x = load float, ptr %in\n%y = call float asm \"rcp.approx.ftz.f32 "
        "$0,$1;\", \"=f,f\"(float %x)\nstore float %y, ptr %out\n";
    EXPECT_EQ(runText(getKernel(body), Launch(), {&x, &out}), "");
    // A subnormal counts as 0.
    EXPECT_EQ(out, x == kSubnormal ? kInfinity : 1 / x);
  }
}

TEST(Arithmetic, flushes_where_the_name_says_so) {
  EXPECT_GT(evaluate<float>("ex2.approx.f32", {-140.0f}), 0);
  EXPECT_EQ(evaluate<float>("ex2.approx.ftz.f32", {-140.0f}), 0);
  EXPECT_EQ(evaluate<float>("add.rn.f", {kSubnormal, 0.0f}), kSubnormal);
  float flushed = evaluate<float>("add.rn.ftz.f", {-kSubnormal, -0.0f});
  EXPECT_EQ(flushed, 0);
  EXPECT_TRUE(std::signbit(flushed));
  EXPECT_EQ(evaluate<float>("mul.rn.ftz.f", {kSubnormal, 1e10f}), 0);
}

TEST(Arithmetic, rounds_as_the_name_says) {
  float big = 16777216.0f; // 2^24: the next is 2 away
  struct {
    const char *mode;
    float up, down; // of big + 1 and -big - 1
  } cases[] = {{"rz", big, -big},
               {"rm", big, -big - 2},
               {"rp", big + 2, -big},
               {"rn", big, -big}};
  for (auto [mode, up, down] : cases) {
    std::string add = std::string("add.") + mode + ".f";
    std::string fma = std::string("fma.") + mode + ".f";
    EXPECT_EQ(evaluate<float>(add, {big, 1.0f}), up) << mode;
    EXPECT_EQ(evaluate<float>(add, {-big, -1.0f}), down) << mode;
    EXPECT_EQ(evaluate<float>(fma, {big, 1.0f, 1.0f}), up) << mode;
    EXPECT_EQ(evaluate<float>(fma, {-big, 1.0f, -1.0f}), down) << mode;
  }
  float odd = 16777215.0f; // its square is 2^48 - 2^25 + 1
  EXPECT_EQ(evaluate<float>("mul.rm.f", {odd, odd}), 281474943156224.0f);
  EXPECT_EQ(evaluate<float>("mul.rz.f", {odd, odd}), 281474943156224.0f);
  EXPECT_EQ(evaluate<float>("mul.rp.f", {odd, odd}),
            std::nextafter(281474943156224.0f, kInfinity));
  // One rounding, not two.
  EXPECT_EQ(evaluate<float>("fma.rn.f", {odd, odd, -281474943156224.0f}), 1);
  EXPECT_EQ(evaluate<float>("fma.rm.f", {odd, odd, -281474943156224.0f}), 1);
  EXPECT_EQ(evaluate<double>("fma.rn.d", {3.0, 5.0, 1.0}), 16);
}

TEST(Arithmetic, saturates) {
  EXPECT_EQ(evaluate<float>("saturate.f", {-3.0f}), 0);
  EXPECT_EQ(evaluate<float>("saturate.f", {0.25f}), 0.25f);
  EXPECT_EQ(evaluate<float>("saturate.f", {3.0f}), 1);
  EXPECT_EQ(evaluate<float>("saturate.f", {kNaN}), 0);
}

TEST(Arithmetic, of_ordinary_functions) {
  EXPECT_EQ(evaluate<float>("fabs.f32", {-3.0f}), 3);
  EXPECT_EQ(evaluate<float>("mul.rn.f", {3.0f, 0.1f}), 3.0f * 0.1f);
  EXPECT_EQ(evaluate<float>("div.rn.f", {1.0f, 3.0f}), 1.0f / 3);
  EXPECT_EQ(evaluate<float>("rcp.rn.f", {3.0f}), 1.0f / 3);
  EXPECT_EQ(evaluate<float>("sqrt.rn.f", {2.0f}), std::sqrt(2.0f));
  EXPECT_EQ(evaluate<float>("floor.f", {-1.5f}), -2);
  EXPECT_EQ(evaluate<float>("ceil.f", {-1.5f}), -1);
  EXPECT_EQ(evaluate<float>("trunc.f", {-1.5f}), -1);
  EXPECT_EQ(evaluate<float>("fmin.f", {kNaN, 2.0f}), 2);
  EXPECT_EQ(evaluate<float>("fmax.f", {-1.0f, 2.0f}), 2);
}

TEST(Arithmetic, converts_to_integers_by_clamping) {
  std::string text;
  std::string body = "%x = load float, ptr %in\n";
  int slot = 0;
  for (std::string name : {"f2i.rn", "f2i.rz", "f2i.rm", "f2i.rp", "f2ui.rn"}) {
    std::string n = std::to_string(slot++);
    text += "declare i32 @llvm.nvvm." + name + "(float)\n";
    body += "%y" + n + " = call i32 @llvm.nvvm." + name + "(float %x)\n%p" + n +
            " = getelementptr i32, ptr %out, i32 " + n + "\nstore i32 %y" + n +
            ", ptr %p" + n + "\n";
  }
  text += getKernel(body);
  auto convert = [&](float x) {
    std::vector<int32_t> out(5);
    EXPECT_EQ(runText(text, Launch(), {&x, out.data()}), "");
    return out;
  };
  EXPECT_THAT(convert(2.5f), ElementsAre(2, 2, 2, 3, 2));
  EXPECT_THAT(convert(-3.5f), ElementsAre(-4, -3, -4, -3, 0));
  EXPECT_THAT(convert(kNaN), ElementsAre(0, 0, 0, 0, 0));
  EXPECT_THAT(convert(3e9f), ElementsAre(INT32_MAX, INT32_MAX, INT32_MAX,
                                         INT32_MAX, int32_t(3000000000u)));
}

TEST(Arithmetic, has_high_products) {
  uint32_t out[2] = {};
  EXPECT_EQ(runText("declare i32 @llvm.nvvm.mulhi.i(i32, i32)\n"
                    "declare i32 @llvm.nvvm.mulhi.ui(i32, i32)\n" +
                        getKernel(R"(
      %a = call i32 @llvm.nvvm.mulhi.i(i32 -2, i32 3)
      %b = call i32 @llvm.nvvm.mulhi.ui(i32 -2, i32 3)
      store i32 %a, ptr %in
      store i32 %b, ptr %out
  )"),
                    Launch(), {&out[0], &out[1]}),
            "");
  EXPECT_THAT(out, ElementsAre(0xffffffffu, 2u));
}

/// NVPTX does not contract without the flag, and never reassociates.
TEST(Arithmetic, keeps_its_order) {
  std::vector<float> in(64, 1.0f);
  in[0] = 16777216.0f;
  float out = 0;
  EXPECT_EQ(runText(getKernel(R"(
      br label %loop
    loop:
      %i = phi i32 [0, %0], [%j, %loop]
      %acc = phi float [0.0, %0], [%sum, %loop]
      %at = getelementptr float, ptr %in, i32 %i
      %x = load float, ptr %at
      %sum = fadd reassoc float %acc, %x
      %j = add i32 %i, 1
      %c = icmp ult i32 %j, 64
      br i1 %c, label %loop, label %end
    end:
      store float %sum, ptr %out
  )"),
                    Launch(), {in.data(), &out}),
            "");
  EXPECT_EQ(out, 16777216.0f);
}

//===----------------------------------------------------------------------===//
// bf16
//===----------------------------------------------------------------------===//

float fromBits(uint32_t bits) {
  float x;
  std::memcpy(&x, &bits, sizeof(x));
  return x;
}

TEST(BF16, truncation_rounds_to_even_and_keeps_subnormals) {
  std::vector<float> in = {1.0f,
                           fromBits(0x3f808000), // halfway, even below
                           fromBits(0x3f818000), // halfway, even above
                           fromBits(0x3f808001), // above halfway
                           fromBits(0x7f7fffff), // overflows
                           -kInfinity,
                           fromBits(0xff800001),  // a NaN
                           fromBits(0x80018000)}; // subnormal, halfway
  std::vector<uint16_t> out(8);
  std::string truncate = getKernel(R"(
      %x = load <8 x float>, ptr %in, align 4
      %y = fptrunc <8 x float> %x to <8 x bfloat>
      store <8 x bfloat> %y, ptr %out, align 2
  )");
  EXPECT_EQ(runText(truncate, Launch(), {in.data(), out.data()}), "");
  EXPECT_THAT(out, ElementsAre(0x3f80, 0x3f80, 0x3f82, 0x3f81, 0x7f80, 0xff80,
                               0x7fff, 0x8002));
}

TEST(BF16, arithmetic_rounds_once) {
  // 3 * (1 + 2^-7) = 3.0234375: halfway between 3.015625 and 3.03125.
  uint16_t in[2] = {0x4040, 0x3f81}, out[3] = {};
  EXPECT_EQ(runText(getKernel(R"(
      %v = load <2 x bfloat>, ptr %in, align 2
      %a = extractelement <2 x bfloat> %v, i32 0
      %b = extractelement <2 x bfloat> %v, i32 1
      %product = fmul bfloat %a, %b
      %negative = fneg bfloat %product
      %wide = fpext bfloat %negative to float
      store bfloat %product, ptr %out, align 2
      %o = getelementptr i16, ptr %out, i32 1
      %bits = bitcast float %wide to i32
      %high = lshr i32 %bits, 16
      %half = trunc i32 %high to i16
      store i16 %half, ptr %o
      %o2 = getelementptr i16, ptr %out, i32 2
      store bfloat 0xR3FC0, ptr %o2
  )"),
                    Launch(), {in, out}),
            "");
  EXPECT_THAT(out, ElementsAre(0x4042, 0xc042, 0x3fc0));
}

TEST(BF16, magnitude_drops_the_sign) {
  std::vector<uint16_t> in = {0xc042, 0x3f80, 0x8001, 0xff81}, out(4);
  EXPECT_EQ(runText("declare <4 x bfloat> @llvm.fabs.v4bf16(<4 x bfloat>)\n" +
                        getKernel(R"(
      %x = load <4 x bfloat>, ptr %in, align 2
      %y = call <4 x bfloat> @llvm.fabs.v4bf16(<4 x bfloat> %x)
      store <4 x bfloat> %y, ptr %out, align 2
  )"),
                    Launch(), {in.data(), out.data()}),
            "");
  EXPECT_THAT(out, ElementsAre(0x4042, 0x3f80, 0x0001, 0x7f81));
}

// Some machines keep bf16 in f32 from block to block and convert it back.
TEST(BF16, values_cross_blocks_as_they_are) {
  std::vector<uint16_t> in = {0x3f80, 0x8001, 0x7f81, 0xff80}, out(4);
  EXPECT_EQ(runText(getKernel(R"(
      %x = load <4 x bfloat>, ptr %in, align 2
      %first = extractelement <4 x bfloat> %x, i32 0
      %isOne = fcmp oeq bfloat %first, 1.0
      br i1 %isOne, label %next, label %other
    other:
      br label %next
    next:
      %y = phi <4 x bfloat> [ %x, %0 ], [ zeroinitializer, %other ]
      store <4 x bfloat> %y, ptr %out, align 2
  )"),
                    Launch(), {in.data(), out.data()}),
            "");
  EXPECT_EQ(out, in);
}

TEST(BF16, arithmetic_keeps_subnormals) {
  uint16_t in[2] = {0x0080, 0x3f00}, out = 0; // 2^-126 * 0.5
  EXPECT_EQ(runText(getKernel(R"(
      %v = load <2 x bfloat>, ptr %in, align 2
      %a = extractelement <2 x bfloat> %v, i32 0
      %b = extractelement <2 x bfloat> %v, i32 1
      %product = fmul bfloat %a, %b
      store bfloat %product, ptr %out, align 2
  )"),
                    Launch(), {in, &out}),
            "");
  EXPECT_EQ(out, 0x0040);
}

} // namespace
