//===- Object.cpp - LLVM dialect to object files --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels are optimized at O3 for the target CPU; the functions that call them
// carry optnone, so that compile time is linear in their length.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Target/Object.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/StandardInstrumentations.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"

using namespace mlir;
using namespace mlir::boost;

static constexpr llvm::StringLiteral kFunctionPrefix = "boost_fn_";

llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
mlir::boost::createTargetMachine(StringRef cpu) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::Triple triple(llvm::sys::getProcessTriple());
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return llvm::createStringError("no code generator for " + triple.str() +
                                   ": " + error);
  llvm::SubtargetFeatures features;
  bool isNative = cpu.empty() || cpu == "native";
  std::string name = isNative ? llvm::sys::getHostCPUName().str() : cpu.str();
  if (isNative)
    for (const auto &[feature, isEnabled] : llvm::sys::getHostCPUFeatures())
      features.AddFeature(feature, isEnabled);
  std::unique_ptr<llvm::MCSubtargetInfo> known(
      target->createMCSubtargetInfo(triple, "", ""));
  if (!known || !known->isCPUStringValid(name))
    return llvm::createStringError("unknown target CPU '" + name +
                                   "'; see llc -mcpu=help for their names");
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, name, features.getString(), llvm::TargetOptions(),
      llvm::Reloc::PIC_, std::nullopt, llvm::CodeGenOptLevel::Aggressive));
}

llvm::Error mlir::boost::checkTargetCPU(StringRef cpu) {
  return createTargetMachine(cpu).takeError();
}

/// Says on every function what machine it may use.
static void addTargetAttributes(llvm::Module &module,
                                llvm::TargetMachine &machine) {
  bool isWide = machine.getMCSubtargetInfo()->checkFeatures("+avx512f");
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
    if (isWide)
      function.addFnAttr("prefer-vector-width", "512");
  }
}

/// A constant that the module owns.
static llvm::GlobalVariable *
addConstant(llvm::Module &module, StringRef name, llvm::Constant *value,
            llvm::GlobalValue::LinkageTypes linkage) {
  auto *global = cast<llvm::GlobalVariable>(
      module.getOrInsertGlobal(name, value->getType()));
  global->setInitializer(value);
  global->setConstant(true);
  global->setLinkage(linkage);
  return global;
}

/// boost_program_manifest and boost_program_functions, as Runtime.h has them.
static void addProgramTable(llvm::Module &module, StringRef manifest) {
  auto getText = [&](StringRef text) {
    // NUL-terminated.
    return llvm::ConstantDataArray::getString(module.getContext(), text);
  };
  addConstant(module, "boost_program_manifest", getText(manifest),
              llvm::GlobalValue::ExternalLinkage);
  auto *pointer = llvm::PointerType::getUnqual(module.getContext());
  auto *entryType = llvm::StructType::get(pointer, pointer);
  SmallVector<llvm::Constant *> entries;
  for (llvm::Function &function : module) {
    StringRef name = function.getName();
    if (function.isDeclaration() || !name.consume_front(kFunctionPrefix))
      continue;
    llvm::Constant *text =
        addConstant(module, ("boost_name_" + name).str(), getText(name),
                    llvm::GlobalValue::PrivateLinkage);
    entries.push_back(llvm::ConstantStruct::get(entryType, {text, &function}));
  }
  entries.push_back(llvm::Constant::getNullValue(entryType));
  auto *tableType = llvm::ArrayType::get(entryType, entries.size());
  addConstant(module, "boost_program_functions",
              llvm::ConstantArray::get(tableType, entries),
              llvm::GlobalValue::ExternalLinkage);
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = true;
  tuning.SLPVectorization = true;
  // Loops are vectorized and interleaved. To unroll them as well took two
  // thirds of the time of a compilation and made no program faster.
  tuning.LoopUnrolling = false;
  // Without it, passes take no notice of optnone.
  llvm::PassInstrumentationCallbacks callbacks;
  llvm::OptNoneInstrumentation optNone(/*DebugLogging=*/false);
  optNone.registerCallbacks(callbacks);
  llvm::PassBuilder builder(&machine, tuning, std::nullopt, &callbacks);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, modules);
}

LogicalResult mlir::boost::emitObject(ModuleOp module,
                                      const EmitOptions &options,
                                      llvm::raw_pwrite_stream &output) {
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  module.getContext()->appendDialectRegistry(registry);

  auto created = createTargetMachine(options.cpu);
  if (!created)
    return emitError(UnknownLoc::get(module.getContext()))
           << llvm::toString(created.takeError());
  std::unique_ptr<llvm::TargetMachine> machine = std::move(*created);
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(module, context, "boost_program");
  if (!translated)
    return module.emitError("cannot be translated to LLVM IR");
  translated->setDataLayout(machine->createDataLayout());
  translated->setTargetTriple(machine->getTargetTriple());
  addTargetAttributes(*translated, *machine);
  addProgramTable(*translated, options.manifest);
  optimize(*translated, *machine);
  if (options.asText) {
    translated->print(output, nullptr);
    return success();
  }
  llvm::legacy::PassManager codegen;
  if (machine->addPassesToEmitFile(codegen, output, nullptr,
                                   llvm::CodeGenFileType::ObjectFile))
    return module.emitError("the target cannot write object files");
  codegen.run(*translated);
  return success();
}
