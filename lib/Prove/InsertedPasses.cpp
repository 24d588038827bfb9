//===- InsertedPasses.cpp - Passes between the stages ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Prove/InsertedPasses.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::boost;

std::string prove::insertPasses(MutableArrayRef<Stage> stages,
                                ArrayRef<std::string> passes) {
  for (StringRef text : passes) {
    StringRef stageName, pass;
    if (StringRef rest = text; rest.consume_front("after:"))
      std::tie(stageName, pass) = rest.split(':');
    auto *stage = llvm::find_if(
        stages, [&](const Stage &each) { return each.getName() == stageName; });
    if (pass.empty() || stage == stages.end())
      return ("cannot insert '" + text +
              "'; write after:STAGE:PASS, as in "
              "after:rematerialize:test-boost-drop-all-reduce")
          .str();
    OpPassManager parsed(ModuleOp::getOperationName());
    std::string problem;
    llvm::raw_string_ostream os(problem);
    if (failed(parsePassPipeline(pass, parsed, os)))
      return ("cannot insert '" + text + "': " + problem).str();
    stage->inserted.push_back(pass.str());
  }
  return "";
}
