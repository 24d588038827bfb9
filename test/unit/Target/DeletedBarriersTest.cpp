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

/// A kernel of every form in which threads meet, and its barriers.
struct Meeting {
  std::string program;
  int barriers;
};

Meeting meetings[] = {
    // A block sums everything.
    {sumOfSquares("", R"("reduction", "reduction", "reduction")",
                  "memref<f32>"),
     1},
    // 32 threads of a block share each vector of columns.
    {sumOfSquares("c", R"("reduction", "reduction", "parallel")",
                  "memref<64xf32>"),
     5},
    // The threads of a block sum a row, all of which read the sum.
    {view("x", 0, "memref<256x256xf32>") + view("y", 1, "memref<256x256xf32>") +
         view("s", 2, "memref<256xf32>") + R"mlir(
    linalg.reduce { arith.addf } ins(%x : memref<256x256xf32>) outs(%s : memref<256xf32>) dimensions = [1]
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>,
        affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
        ins(%x, %s : memref<256x256xf32>, memref<256xf32>) outs(%y : memref<256x256xf32>) {
    ^bb0(%a: f32, %b: f32, %out: f32):
      %c = arith.mulf %a, %b : f32
      linalg.yield %c : f32
    }
)mlir",
     2},
    // Tiles.
    {view("x", 0, "memref<96x64xf32>") + view("y", 1, "memref<64x96xf32>") +
         "linalg.transpose ins(%x : memref<96x64xf32>) outs(%y : "
         "memref<64x96xf32>) permutation = [1, 0]\n",
     1}};

/// A missing barrier is noticed.
TEST_P(DeletedBarriers, AreRaces) {
  for (const Meeting &meeting : meetings) {
    int deleted = 0;
    for (bool isLast = false; !isLast;) {
      changeCode = [&](const std::string &bitcode) {
        std::string changed = deleteBarrier(bitcode, deleted);
        isLast = changed.empty();
        return isLast ? bitcode : changed;
      };
      run("", meeting.program);
      if (isLast)
        break;
      EXPECT_NE(launchErrors.find("race"), std::string::npos) << launchErrors;
      ++deleted;
    }
    EXPECT_EQ(launchErrors, "");
    EXPECT_EQ(deleted, meeting.barriers);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, DeletedBarriers,
                         ::testing::Values(Backend::GPU),
                         [](const auto &) { return "GPU"; });

} // namespace
