//===- ProgramHash.cpp - What makes two programs the same -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramHash.h"

#include "ConstantsFile.h"
#include "boost-mlir/Dialect/Boost/IR/Constants.h"
#include "boost-mlir/Dialect/Boost/IR/Tensors.h"
#include "boost-mlir/Support/TextHash.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace mlir::boost;

/// Leaves out how arguments start and where they lie.
static void stripArguments(func::FuncOp function) {
  SmallVector<DictionaryAttr> arguments;
  function.getAllArgAttrs(arguments);
  for (DictionaryAttr &attributes : arguments) {
    NamedAttrList kept(attributes);
    for (StringRef name : {kInitAttr, kShardingAttr, kHintAttr, kReasonAttr})
      kept.erase(name);
    if (TensorAttr tensor = getTensor(attributes))
      kept.set(kTensorAttr, tensor.withInit({}));
    attributes = kept.getDictionary(function.getContext());
  }
  function.setAllArgAttrs(arguments);
}

/// The bytes of constants that are printed by name only.
static void printResources(Operation *operation, llvm::raw_ostream &stream) {
  operation->walk([&](Operation *nested) {
    for (NamedAttribute attribute : nested->getAttrs())
      if (auto resource =
              dyn_cast<DenseResourceElementsAttr>(attribute.getValue()))
        if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
          stream << llvm::xxh3_64bits(llvm::ArrayRef(
              reinterpret_cast<const uint8_t *>(blob->getData().data()),
              blob->getData().size()));
  });
}

std::string mlir::boost::hashProgram(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  for (Operation &operation : *module.getBody()) {
    OwningOpRef<Operation *> copy(operation.clone());
    if (auto function = dyn_cast<func::FuncOp>(*copy))
      stripArguments(function);
    copy->print(stream, OpPrintingFlags().useLocalScope());
    printResources(*copy, stream);
  }
  // A module that was imported before has stored its constants.
  if (DictionaryAttr constants = getConstants(module))
    stream << getConstantsDigest(constants);
  return hashText(text);
}
