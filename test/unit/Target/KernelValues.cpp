//===- KernelValues.cpp - Kernels that run in a test ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelValues.h"

#include "EmulatedCode.h"
#include "boost-mlir/Conversion/BoostRTToLLVM/Passes.h"
#include "boost-mlir/InitAll.h"
#include "boost-mlir/Target/Object.h"
#include "boost-runtime/Runtime.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/Program.h"

#include <cstring>
#include <dlfcn.h>

using namespace mlir;
using namespace mlir::boost;

/// The device code that launches are of, and in what order its threads run; for
/// the CPU there is none.
static const boost_emu::EmulatedCode *deviceCode = nullptr;
static boost_emu::ThreadOrder threadOrder = boost_emu::ThreadOrder::Forward;

/// Errors that the emulator has found.
static std::string emulationErrors;

/// Kernels that calls have launched.
static int launched = 0;

static std::string launchOnDevice(const boost_rt_gpu_kernel &kernel,
                                  void **buffers) {
  boost_emu::Launch launch;
  launch.grid.x = static_cast<uint32_t>(kernel.blocks);
  launch.block.x = static_cast<uint32_t>(kernel.threads);
  launch.order = threadOrder;
  launch.seed = 7;
  std::vector<void *> arguments;
  for (int64_t i = 0; i < kernel.buffers; ++i)
    arguments.push_back(buffers + i);
  try {
    boost_emu::runKernel(deviceCode->getModule(), kernel.name, launch,
                         arguments.data());
  } catch (const boost_emu::EmulationError &error) {
    return std::string(error.what()) + "\n";
  }
  return "";
}

extern "C" void boost_rt_launch(boost_rt_context *, void *kernel, void *buffers,
                                int64_t extent) {
  ++launched;
  if (deviceCode) {
    emulationErrors +=
        launchOnDevice(*static_cast<const boost_rt_gpu_kernel *>(kernel),
                       static_cast<void **>(buffers));
    return;
  }
  auto run = reinterpret_cast<void (*)(int64_t, int64_t, void *)>(kernel);
  int64_t first = extent / 3, second = extent / 3 + extent / 2;
  for (auto [begin, end] :
       {std::pair(int64_t(0), first), std::pair(first, second),
        std::pair(second, extent)})
    if (begin < end)
      run(begin, end, buffers);
}

static constexpr const char *kCPUPipeline =
    "boostrt-outline-kernels,boost-emit-pipeline";
static constexpr const char *kGPUPipeline =
    "boostrt-outline-kernels,boostrt-join-row-kernels,"
    "boost-device-code-pipeline{chips=sm_80 format=llvm}";

void KernelValues::run(const std::string &declarations,
                       const std::string &body) {
  std::string text = declarations + R"mlir(
      func.func @f(%arena: memref<4194304xi8>) {
        %o0 = arith.constant 0 : index
        %o1 = arith.constant 1048576 : index
        %o2 = arith.constant 2097152 : index
        %o3 = arith.constant 3145728 : index
        %zero = arith.constant 0.0 : f32
        %lowest = arith.constant 0xFF800000 : f32
    )mlir" + body + "return }";
  compileAndRun(text, "");
}

void KernelValues::runTensors(const std::string &text,
                              const std::string &passes) {
  compileAndRun(text, passes + "boostrt-bufferize,boostrt-plan-memory");
}

void KernelValues::compileAndRun(const std::string &text,
                                 const std::string &passes) {
  DialectRegistry registry;
  boost::registerAllDialects(registry);
  boost::registerAllPasses();
  MLIRContext context(registry);
  auto module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  for (const std::string &pipeline :
       {passes,
        std::string(backend == Backend::CPU ? kCPUPipeline : kGPUPipeline)}) {
    PassManager manager(&context);
    ASSERT_TRUE(succeeded(parsePassPipeline(pipeline, manager)));
    ASSERT_TRUE(succeeded(manager.run(*module)));
    readOffsets(*module);
  }
  before = arena;
  if (backend == Backend::GPU)
    return runOnDevice(*module);
  std::string library = link(*module);
  llvm::FileRemover remover(library);
  makeCalls(library);
}

void KernelValues::readOffsets(ModuleOp module) {
  auto getNumber = [](Attribute number) {
    return cast<IntegerAttr>(number).getInt();
  };
  if (auto tensors = module->getAttrOfType<ArrayAttr>("boost.tensors"))
    for (auto tensor : tensors.getAsRange<DictionaryAttr>()) {
      Attribute offset = tensor.get("offset");
      if (auto stages = tensor.getAs<ArrayAttr>("stages"))
        offset = cast<ArrayAttr>(stages[0])[1];
      offsets[tensor.getAs<StringAttr>("name").str()] = getNumber(offset);
    }
  if (auto stages = module->getAttrOfType<ArrayAttr>("boost.stages"))
    if (auto stash =
            cast<DictionaryAttr>(stages[0]).getAs<DictionaryAttr>("stash")) {
      stashOffset = getNumber(stash.get("offset"));
      slotBytes = getNumber(stash.get("bytes"));
    }
}

void KernelValues::runOnDevice(ModuleOp module) {
  gpu::BinaryOp binary = *module.getOps<gpu::BinaryOp>().begin();
  auto object = cast<gpu::ObjectAttr>(binary.getObjects()[0]);
  std::string bitcode = object.getObject().getValue().str();
  if (changeCode)
    bitcode = changeCode(bitcode);
  auto code = boost_emu::EmulatedCode::compileBitcode(bitcode,
                                                      /*checkAccesses=*/true);
  ASSERT_TRUE(static_cast<bool>(code)) << llvm::toString(code.takeError());
  deviceCode = &*code;
  PassManager manager(module.getContext());
  manager.addPass(boost::createConvertBoostRTToLLVMPass());
  ASSERT_TRUE(succeeded(manager.run(module)));
  std::string library = link(module);
  llvm::FileRemover remover(library);
  emulationErrors.clear();
  std::vector<float> first;
  for (auto order :
       {boost_emu::ThreadOrder::Forward, boost_emu::ThreadOrder::Reverse,
        boost_emu::ThreadOrder::Shuffled}) {
    threadOrder = order;
    arena = before;
    makeCalls(library);
    if (first.empty())
      first = arena;
    if (!changeCode)
      EXPECT_EQ(
          std::memcmp(arena.data(), first.data(), arena.size() * sizeof(float)),
          0)
          << "another order of threads gives other values";
  }
  deviceCode = nullptr;
  launchErrors = emulationErrors;
  if (!changeCode)
    EXPECT_EQ(launchErrors, "");
}

std::string KernelValues::link(ModuleOp module) {
  llvm::SmallString<64> object, library;
  EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("kernel", "o", object));
  EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("kernel", "so", library));
  llvm::FileRemover remover(object);
  {
    std::error_code error;
    llvm::raw_fd_ostream stream(object, error);
    EXPECT_TRUE(
        succeeded(boost::emitObject(module, boost::EmitOptions(), stream)));
  }
  EXPECT_EQ(
      llvm::sys::ExecuteAndWait(
          BOOST_MLIR_LLD, {BOOST_MLIR_LLD, "-shared", object, "-o", library}),
      0);
  return library.str().str();
}

void KernelValues::makeCalls(const std::string &library) {
  void *handle = dlopen(library.c_str(), RTLD_NOW);
  ASSERT_TRUE(handle) << dlerror();
  launched = 0;
  for (const Call &call : calls) {
    auto function = reinterpret_cast<void (*)(void *, void *, void *)>(
        dlsym(handle, ("boost_fn_" + call.function).c_str()));
    ASSERT_TRUE(function);
    if (call.before)
      call.before();
    char *stash = reinterpret_cast<char *>(arena.data()) + stashOffset;
    function(nullptr, arena.data(),
             slotBytes > 0 ? stash + call.slot * slotBytes : nullptr);
  }
  launches = launched;
  dlclose(handle);
}

std::string mlir::boost::view(const std::string &name, int part,
                              const std::string &type) {
  return "%" + name + " = memref.view %arena[%o" + std::to_string(part) +
         "][] : memref<4194304xi8> to " + type + "\n";
}

std::string mlir::boost::sumOfSquares(const std::string &outMap,
                                      const std::string &iterators,
                                      const std::string &outType) {
  return view("x", 0, "memref<8x16x64xf32>") + view("y", 1, outType) +
         "linalg.fill ins(%zero : f32) outs(%y : " + outType + ")\n" +
         "linalg.generic {indexing_maps = [affine_map<(a, b, c) -> (a, b, c)>, "
         "affine_map<(a, b, c) -> (" +
         outMap + ")>], iterator_types = [" + iterators +
         "]} ins(%x : memref<8x16x64xf32>) outs(%y : " + outType +
         ") {\n^bb0(%in: f32, %acc: f32):\n %s = arith.mulf %in, %in : f32\n"
         " %r = arith.addf %acc, %s : f32\n linalg.yield %r : f32\n}\n";
}
