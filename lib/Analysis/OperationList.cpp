//===- OperationList.cpp - Prices of operations from a file ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads operations, prices each, and adds them up.
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Analysis/OperationList.h"

#include "FieldReader.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::boost;
using Json = nlohmann::ordered_json;

namespace {

/// One entry of the list.
struct ListedOp {
  std::string name;
  std::string kind;
  int64_t count = 1;
  OpCost cost;
};

} // namespace

/// "contraction, ..., all_reduce, ..."
static std::string listKinds() {
  std::string kinds =
      "contraction, attention_forward, attention_backward, memory";
  for (uint32_t kind = 0; kind <= getMaxEnumValForCollectiveKind(); ++kind)
    kinds += (", " + stringifyCollectiveKind(static_cast<CollectiveKind>(kind)))
                 .str();
  return kinds;
}

/// The element type of `cost`; returns the bytes of an element.
static double readElementType(FieldReader &reader, OpCost &cost) {
  cost.elementType = reader.getText("element_type");
  double bytes = llvm::StringSwitch<double>(cost.elementType)
                     .Cases({"bf16", "f16"}, 2)
                     .Case("f32", 4)
                     .Case("f64", 8)
                     .Default(0);
  if (bytes == 0)
    reader.refuse("expects 'element_type' to be bf16, f16, f32 or f64");
  return bytes;
}

static void readContraction(FieldReader &reader, OpCost &cost) {
  double elementBytes = readElementType(reader, cost);
  int64_t batch = reader.getCount("batch", 1, 1), m = reader.getCount("m", 1),
          n = reader.getCount("n", 1), k = reader.getCount("k", 1);
  cost = makeContractionCost({batch, m, n, k}, elementBytes, cost.elementType);
}

static void readAttention(FieldReader &reader, OpClass kind, OpCost &cost) {
  double elementBytes = readElementType(reader, cost);
  AttentionShape shape;
  shape.batch = reader.getCount("batch", 1);
  shape.queries = reader.getCount("queries", 1);
  shape.keys = reader.getCount("keys", 1);
  shape.heads = reader.getCount("heads", 1);
  shape.headSize = reader.getCount("head_size", 1);
  shape.causal = reader.getFlag("causal");
  cost = makeAttentionCost(kind, shape, elementBytes, cost.elementType);
}

static void readCollective(FieldReader &reader, CollectiveKind kind,
                           OpCost &cost) {
  double bytes = reader.getExtra("bytes");
  int64_t ranks = reader.getCount("ranks", 1);
  cost.kind = OpClass::Collective;
  cost.message = {kind, bytes, ranks, reader.getCount("span", ranks, ranks)};
}

static ListedOp readOperation(const nlohmann::json &entry, size_t index,
                              std::string &problem) {
  FieldReader reader(entry, "operations[" + std::to_string(index) + "]",
                     problem);
  ListedOp op;
  op.name = reader.getText("name");
  op.kind = reader.getText("kind");
  op.count = reader.getCount("count", 0, 1);
  if (op.kind == getName(OpClass::Contraction)) {
    readContraction(reader, op.cost);
  } else if (op.kind == getName(OpClass::AttentionForward)) {
    readAttention(reader, OpClass::AttentionForward, op.cost);
  } else if (op.kind == getName(OpClass::AttentionBackward)) {
    readAttention(reader, OpClass::AttentionBackward, op.cost);
  } else if (op.kind == getName(OpClass::Memory)) {
    op.cost.memoryBytes = reader.getExtra("bytes");
  } else if (std::optional<CollectiveKind> kind =
                 symbolizeCollectiveKind(StringRef(op.kind))) {
    readCollective(reader, *kind, op.cost);
  } else {
    reader.refuse("has the unknown kind '" + op.kind + "'; use " + listKinds());
  }
  reader.finish();
  return op;
}

static SmallVector<ListedOp> readOperations(const nlohmann::json &file,
                                            bool &eager, std::string &problem) {
  SmallVector<ListedOp> ops;
  FieldReader reader(file, "it", problem);
  eager = reader.getFlag("eager", false);
  reader.getText("source", "");
  const nlohmann::json *list = reader.find("operations");
  reader.finish();
  if (list && !list->is_array())
    reader.refuse("expects 'operations' to be a list");
  if (!problem.empty())
    return ops;
  for (const nlohmann::json &entry : *list)
    ops.push_back(readOperation(entry, ops.size(), problem));
  return ops;
}

llvm::Expected<std::string> mlir::boost::priceOperations(StringRef text,
                                                         const Machine &named) {
  auto file = nlohmann::json::parse(text.begin(), text.end(), nullptr,
                                    /*allow_exceptions=*/false);
  std::string problem;
  SmallVector<ListedOp> ops;
  bool eager = false;
  if (file.is_discarded())
    problem = "it is not JSON";
  else
    ops = readOperations(file, eager, problem);
  if (!problem.empty())
    return llvm::createStringError("not a list of operations: %s",
                                   problem.c_str());
  Machine machine = eager ? named.getEager() : named;
  Json list = Json::array();
  double total = 0;
  for (const ListedOp &op : ops) {
    double seconds = machine.getSeconds(op.cost);
    total += static_cast<double>(op.count) * seconds;
    list.push_back({{"name", op.name},
                    {"kind", op.kind},
                    {"count", op.count},
                    {"seconds", seconds}});
  }
  Json report = {{"machine", machine.name},
                 {"eager", eager},
                 {"seconds", total},
                 {"operations", list}};
  return report.dump(/*indent=*/2, ' ', /*ensure_ascii=*/false,
                     Json::error_handler_t::replace);
}
