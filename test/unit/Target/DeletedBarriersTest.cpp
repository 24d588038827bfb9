//===- DeletedBarriersTest.cpp - Every barrier is needed ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KernelValues.h"

#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir::boost;

namespace {

/// Device code that is changed on purpose.
class DeletedBarriers : public KernelValues {};

/// The bitcode without its barrier of this number, or "" if it has fewer.
std::string deleteBarrier(const std::string &bitcode, int number) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic diagnostic;
  auto module = llvm::parseIR(llvm::MemoryBufferRef(bitcode, "device code"),
                              diagnostic, context);
  std::vector<llvm::Instruction *> barriers;
  for (llvm::Function &function : *module)
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (auto *call = llvm::dyn_cast<llvm::CallInst>(&instruction);
          call && call->getCalledFunction() &&
          call->getCalledFunction()->getName().contains(".barrier"))
        barriers.push_back(call);
  if (number >= static_cast<int>(barriers.size()))
    return "";
  barriers[number]->eraseFromParent();
  std::string changed;
  llvm::raw_string_ostream stream(changed);
  llvm::WriteBitcodeToFile(*module, stream);
  return changed;
}

/// That one is missing is seen.
TEST_P(DeletedBarriers, AreRaces) {
  std::string program = sumOfSquares(
      "", R"("reduction", "reduction", "reduction")", "memref<f32>");
  int deleted = 0;
  for (bool isLast = false; !isLast;) {
    changeCode = [&](const std::string &bitcode) {
      std::string changed = deleteBarrier(bitcode, deleted);
      isLast = changed.empty();
      return isLast ? bitcode : changed;
    };
    run("", program);
    if (isLast)
      break;
    EXPECT_NE(launchErrors.find("race"), std::string::npos) << launchErrors;
    ++deleted;
  }
  EXPECT_EQ(launchErrors, "");
  EXPECT_EQ(deleted, 1);
}

INSTANTIATE_TEST_SUITE_P(Targets, DeletedBarriers,
                         ::testing::Values(Backend::GPU),
                         [](const auto &) { return "GPU"; });

} // namespace
