//===- DeletedBarriersTest.cpp - Every barrier is needed ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels lose one barrier after the other, or one wait for asynchronous
// copies, and the emulator must see it. A barrier that nobody misses is not
// needed, or its test is not there.
//
//===----------------------------------------------------------------------===//

#include "AttentionRun.h"
#include "cuda/Embedding.h"
#include "cuda/Optimizer.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"

using namespace boost_rt;

namespace {
/// The device code of one kernel, which loses a barrier.
class OneKernel {
public:
  explicit OneKernel(const std::string &name) : name(name) {
    llvm::SMDiagnostic diagnostic;
    module = llvm::parseIRFile(BOOST_RUNTIME_KERNELS, diagnostic, context);
    for (llvm::Function &function : *module)
      if (function.getCallingConv() == llvm::CallingConv::PTX_Kernel &&
          function.getName() != name)
        function.deleteBody();
    for (llvm::Instruction &instruction :
         llvm::instructions(*module->getFunction(name)))
      if (isBarrier(instruction))
        barriers.push_back(&instruction);
  }

  size_t getNumBarriers() const { return barriers.size(); }

  boost_emu::EmulatedCode compileWithout(size_t index) {
    llvm::Instruction *barrier = barriers[index];
    llvm::Instruction *next = barrier->getNextNode();
    barrier->removeFromParent();
    std::string code;
    llvm::raw_string_ostream stream(code);
    llvm::WriteBitcodeToFile(*module, stream);
    barrier->insertBefore(next->getIterator());
    return llvm::cantFail(
        boost_emu::EmulatedCode::compileBitcode(code, /*checkAccesses=*/true));
  }

private:
  static bool isBarrier(const llvm::Instruction &instruction) {
    auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    const llvm::Function *callee = call ? call->getCalledFunction() : nullptr;
    return callee && (callee->getName().contains(".barrier") ||
                      callee->getName().contains("bar.warp") ||
                      callee->getName().contains("cp.async.wait"));
  }

  std::string name;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  std::vector<llvm::Instruction *> barriers;
};
} // namespace

/// Returns the emulator's error on some schedule.
static std::string findError(const std::string &kernel,
                             const boost_emu::EmulatedCode &code,
                             const std::function<void(EmulatedDevice &)> &run) {
  for (boost_emu::ThreadOrder order : kThreadOrders) {
    EmulatedDevice device(order);
    device.runOnly(kernel, code);
    run(device);
    if (!device.getError().empty())
      return device.getError();
  }
  return "";
}

/// `run` must come to every barrier of the kernel, and have reason to.
static void checkBarriers(const std::string &name,
                          const std::function<void(EmulatedDevice &)> &run) {
  OneKernel kernel(name);
  EXPECT_GT(kernel.getNumBarriers(), 0u) << name;
  for (size_t i = 0; i < kernel.getNumBarriers(); ++i) {
    auto code = kernel.compileWithout(i);
    EXPECT_NE(findError(name, code, run).find("race"), std::string::npos)
        << name << " does not need its barrier " << i << " of "
        << kernel.getNumBarriers();
  }
}

template <typename T>
static void checkAttention(const std::vector<AttentionCase> &cases,
                           cuda::AttentionPath path,
                           const std::vector<std::string> &kernels) {
  for (const std::string &kernel : kernels)
    checkBarriers(kernel, [&](EmulatedDevice &device) {
      for (const AttentionCase &c : cases) {
        AttentionOracle oracle(c);
        AttentionTensors<T> in = makeTensors<T>(c, oracle);
        computeAttention<T>(device, c, oracle, in, {path});
      }
    });
}

/// Several tiles of everything, and rows that see nothing.
static AttentionCase makeCase(int64_t sq, int64_t sk, int64_t dh) {
  AttentionCase c;
  c.sq = sq;
  c.sk = sk;
  c.dh = dh;
  c.mask = 3;
  // Causal gradients of the last keys skip tiles before that of this row.
  c.causal = true;
  c.hiddenRow = sq - 1;
  c.isOnlyHiddenRow = true;
  return c;
}

TEST(DeletedBarriers, ofAttentionAreRaces) {
  checkAttention<double>(
      {makeCase(66, 66, 34)}, cuda::AttentionPath::WithoutTensorCores,
      {"boost_attention_forward_f64", "boost_attention_backward_queries_f64",
       "boost_attention_backward_keys_f64"});
}

TEST(DeletedBarriers, ofTheGradientOfABiasAreRaces) {
  AttentionCase c = makeCase(34, 34, 34);
  c.bias = 1;
  checkAttention<double>({c}, cuda::AttentionPath::WithoutTensorCores,
                         {"boost_attention_bias_backward_f64"});
}

TEST(DeletedBarriers, ofMatrixAttentionAreRaces) {
  AttentionCase c = makeCase(130, 130, 16);
  // The second head begins with tiles that are skipped.
  c.h = 2;
  // Without a mask, nothing else orders the first step.
  AttentionCase plain = c;
  plain.mask = plain.hiddenRow = kNone;
  checkAttention<BFloat16>({c, plain}, cuda::AttentionPath::Best,
                           {"boost_attention_forward_matrix32_bf16",
                            "boost_attention_backward_queries_matrix32_bf16",
                            "boost_attention_backward_keys_matrix32_bf16"});
}

TEST(DeletedBarriers, ofEmbeddingsAreRaces) {
  // Three pieces of the search.
  std::vector<int32_t> ids(2100, 1);
  std::vector<float> grad(ids.size());
  ids[0] = 0;
  checkBarriers("boost_embedding_grad_f32", [&](EmulatedDevice &device) {
    cuda::embeddingGrad(device, BOOST_RT_F32, device.put(ids, 4),
                        device.put(grad, 4), device.reserve<float>(2), 2, 1, 1);
    auto count = static_cast<int64_t>(ids.size());
    launchKernel(device, "boost_embedding_grad_f32", {1}, {kernelThreads}, 0,
                 static_cast<const void *>(device.put(ids, 4)),
                 static_cast<const void *>(device.put(grad, 4)),
                 device.reserve<float>(2), int64_t(2), int64_t(1), count);
  });
}

TEST(DeletedBarriers, ofTheOptimizerAreRaces) {
  std::vector<float> values(2000, 1.0f);
  checkBarriers("boost_adamw_f32", [&](EmulatedDevice &device) {
    const auto *one =
        static_cast<const float *>(device.put(std::vector<float>{1.0f}));
    const auto *beta =
        static_cast<const float *>(device.put(std::vector<float>{0.9f}));
    cuda::AdamWTensor t{device.put(values),  device.put(values),
                        device.put(values),  device.put(values),
                        /*rounded=*/nullptr, 2000,
                        /*decays=*/false};
    cuda::adamw(device, {BOOST_RT_F32, BOOST_RT_F32, BOOST_RT_F32}, 1, &t,
                {{one, one, one, beta, beta, one, one, one, one, one}},
                device.put(std::vector<int32_t>{0}));
  });
  for (const char *kernel :
       {"boost_add_squares", "boost_finish_sum_of_squares"})
    checkBarriers(kernel, [&](EmulatedDevice &device) {
      const void *buffers[] = {device.put(values)};
      int64_t counts[] = {2000};
      int32_t types[] = {BOOST_RT_F32};
      cuda::sumOfSquares(device, 1, buffers, counts, types,
                         device.reserve<float>(1));
    });
}
