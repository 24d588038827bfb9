//===- EmulatedCode.cpp - Device code, compiled for the emulator ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulatedCode.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

using namespace boost_emu;
using namespace llvm;

static constexpr const char *kDevice = R"(
  target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
  target triple = "nvptx64-nvidia-cuda"
)";

static Error defineEmulator(orc::LLJIT &jit) {
  orc::SymbolMap symbols;
  for (const EmulatorSymbol &symbol : boost_emu::getEmulatorSymbols())
    symbols[jit.mangleAndIntern(symbol.name)] = {
        orc::ExecutorAddr::fromPtr(symbol.address), JITSymbolFlags::Exported};
  return jit.getMainJITDylib().define(orc::absoluteSymbols(symbols));
}

static Expected<std::unique_ptr<Module>> parse(MemoryBufferRef code,
                                               LLVMContext &context) {
  SMDiagnostic diagnostic;
  std::unique_ptr<Module> module = parseIR(code, diagnostic, context);
  if (!module)
    return createStringError("line " + std::to_string(diagnostic.getLineNo()) +
                             ": " + diagnostic.getMessage().str());
  return module;
}

static Expected<orc::JITTargetMachineBuilder> getHost() {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  return orc::JITTargetMachineBuilder::detectHost();
}

static Expected<std::unique_ptr<Module>>
retarget(MemoryBufferRef code, LLVMContext &context, bool checkAccesses) {
  auto module = parse(code, context);
  if (!module)
    return module.takeError();
  auto machine = cantFail(getHost()).createTargetMachine();
  if (!machine)
    return machine.takeError();
  mlir::boost::HostRetargetOptions options;
  options.checkAccesses = checkAccesses;
  if (Error error = mlir::boost::retargetToHost(**module, **machine, options))
    return error;
  return module;
}

EmulatedCode::EmulatedCode() = default;
EmulatedCode::EmulatedCode(EmulatedCode &&) = default;
EmulatedCode::~EmulatedCode() = default;

std::string boost_emu::retargetText(const std::string &text) {
  LLVMContext context;
  std::string code = kDevice + text;
  auto module = retarget(MemoryBufferRef(code, "k"), context,
                         /*checkAccesses=*/false);
  if (!module)
    return toString(module.takeError());
  std::string result;
  raw_string_ostream(result) << **module;
  return result;
}

Expected<EmulatedCode> EmulatedCode::compile(const std::string &text,
                                             bool checkAccesses) {
  std::string code = kDevice + text;
  return load(MemoryBufferRef(code, "k"), checkAccesses);
}

Expected<EmulatedCode> EmulatedCode::compileBitcode(StringRef bitcode,
                                                    bool checkAccesses) {
  return load(MemoryBufferRef(bitcode, "device code"), checkAccesses);
}

Expected<EmulatedCode> EmulatedCode::load(MemoryBufferRef code,
                                          bool checkAccesses) {
  auto context = std::make_unique<LLVMContext>();
  auto module = retarget(code, *context, checkAccesses);
  if (!module)
    return module.takeError();
  // To compile all kernels of the runtime well takes longer than to run a few.
  orc::JITTargetMachineBuilder host = cantFail(getHost());
  host.setCodeGenOptLevel(CodeGenOptLevel::None);
  auto jit =
      orc::LLJITBuilder().setJITTargetMachineBuilder(std::move(host)).create();
  if (!jit)
    return jit.takeError();
  if (Error error = defineEmulator(**jit))
    return error;
  if (Error error = (*jit)->addIRModule(
          orc::ThreadSafeModule(std::move(*module), std::move(context))))
    return error;
  auto symbol = (*jit)->lookup(mlir::boost::HostRetargetOptions().symbol);
  if (!symbol)
    return symbol.takeError();
  EmulatedCode loaded;
  loaded.jit = std::move(*jit);
  loaded.module = symbol->toPtr<const EmulatedModule *>();
  return loaded;
}

void EmulatedCode::run(const Launch &launch,
                       std::vector<void *> pointers) const {
  std::vector<void *> arguments;
  for (void *&pointer : pointers)
    arguments.push_back(&pointer);
  runKernel(*module, "k", launch, arguments.data());
}

std::string boost_emu::runText(const std::string &text, const Launch &launch,
                               std::vector<void *> pointers,
                               bool checkAccesses) {
  Expected<EmulatedCode> code = EmulatedCode::compile(text, checkAccesses);
  if (!code)
    return toString(code.takeError());
  try {
    code->run(launch, std::move(pointers));
  } catch (const EmulationError &error) {
    return error.what();
  }
  return "";
}
