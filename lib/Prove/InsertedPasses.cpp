//===- InsertedPasses.cpp - Passes between the stages ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Prove/InsertedPasses.h"

#include "llvm/ADT/STLExtras.h"

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
    stage->pipeline += ("," + pass).str();
  }
  return "";
}
