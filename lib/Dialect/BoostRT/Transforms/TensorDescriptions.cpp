//===- TensorDescriptions.cpp - Tensors in the manifest -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The entries of `boost.tensors`.
//
//===----------------------------------------------------------------------===//

#include "TensorDescriptions.h"
#include "Utils.h"

#include "boost-mlir/Dialect/Boost/IR/Constants.h"
#include "boost-mlir/Dialect/Boost/IR/Parts.h"

using namespace mlir;
using namespace mlir::boost;
using namespace mlir::boost::rt;

static std::string spellType(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

/// Returns the entries of the manifest that describe a tensor.
static NamedAttrList describeContract(TensorAttr tensor) {
  Builder builder(tensor.getContext());
  NamedAttrList entry;
  entry.append("name", tensor.getName());
  entry.append("role",
               builder.getStringAttr(
                   isConstant(tensor) ? StringRef(kConstantRole)
                                      : stringifyTensorRole(tensor.getRole())));
  auto append = [&](StringRef field, Attribute value) {
    if (value)
      entry.append(field, value);
  };
  append("kind", tensor.getKind());
  append("of", tensor.getOf());
  if (!isConstant(tensor))
    append("init", tensor.getInit());
  append("decay", tensor.getDecay());
  append("sample", tensor.getSample());
  append("next_sample", tensor.getNextSample());
  if (OptionAttr option = tensor.getOption()) {
    NamedAttrList fields;
    fields.append("help", option.getHelp());
    fields.append("default", option.getDefaultValue());
    for (auto [name, bound] : {std::pair("min", option.getMin()),
                               {"above", option.getAbove()},
                               {"below", option.getBelow()}})
      if (bound)
        fields.append(name, bound);
    entry.append("option", fields.getDictionary(tensor.getContext()));
  }
  if (FeedAttr feed = tensor.getFeed())
    append("feed", builder.getStringAttr(stringifyFeed(feed.getValue())));
  return entry;
}

namespace {
class TensorDescriptions {
public:
  TensorDescriptions(MLIRContext *context, const Mesh &mesh,
                     ArrayRef<StageArena> arenas, bool isStaged)
      : builder(context), mesh(mesh), arenas(arenas), isStaged(isStaged) {}

  void add(const NamedTensor &tensor);
  ArrayAttr get() { return builder.getArrayAttr(entries); }

private:
  NamedAttrList describe(const NamedTensor &tensor);
  NamedAttrList describePart(const NamedAttrList &whole,
                             const NamedTensor &tensor, PartAttr part);
  void setPlace(NamedAttrList &entry, const NamedTensor &tensor, int64_t shift);

  Builder builder;
  const Mesh &mesh;
  ArrayRef<StageArena> arenas;
  bool isStaged;
  SmallVector<Attribute> entries;
};
} // namespace

/// Says which rows of a stacked tensor an entry has, if it has `boost.rows`,
/// and gives it the shape of all of them.
static void setRows(NamedAttrList &entry, DictionaryAttr attrs) {
  std::optional<StackedRows> rows = getStackedRows(attrs);
  if (!rows)
    return;
  Builder builder(attrs.getContext());
  StringRef name = cast<StringAttr>(entry.get("name")).getValue();
  SmallVector<Attribute> shape(cast<ArrayAttr>(entry.get("shape")).getValue());
  NamedAttrList fields;
  fields.append("of", builder.getStringAttr(getWholeName(name)));
  fields.append("first", builder.getI64IntegerAttr(rows->first));
  fields.append("count", shape.front());
  entry.set("rows", fields.getDictionary(attrs.getContext()));
  shape.front() = builder.getI64IntegerAttr(rows->total);
  entry.set("shape", builder.getArrayAttr(shape));
}

/// Says where the bytes from `shift` on of a tensor lie, on each stage that has
/// it.
void TensorDescriptions::setPlace(NamedAttrList &entry,
                                  const NamedTensor &tensor, int64_t shift) {
  SmallVector<Attribute> stages;
  for (auto [stage, offset] : tensor.offsets) {
    int64_t place = arenas[stage].getPlace(tensor) + shift;
    if (!isStaged)
      return entry.set("offset", builder.getI64IntegerAttr(place)), void();
    stages.push_back(builder.getI64ArrayAttr({stage, place}));
  }
  entry.set("stages", builder.getArrayAttr(stages));
}

NamedAttrList TensorDescriptions::describe(const NamedTensor &tensor) {
  NamedAttrList entry = describeContract(tensor.get());
  entry.append("dtype",
               builder.getStringAttr(spellType(tensor.type.getElementType())));
  ShardingAttr sharding = tensor.getSharding();
  entry.append("shape", builder.getI64ArrayAttr(*mesh.getGlobalShape(
                            tensor.type.getShape(), sharding)));
  entry.append("split", sharding.getSplitNames());
  if (!sharding.getPartialAxes().empty())
    entry.append("partial", sharding.getPartialNames());
  setPlace(entry, tensor, 0);
  entry.append("bytes", builder.getI64IntegerAttr(getDenseBytes(tensor.type)));
  if (Attribute limit = tensor.attrs.get(kIdLimitAttr))
    entry.append("limit", limit);
  if (Attribute microBatches = tensor.attrs.get(kMicroBatchesAttr))
    entry.append("micro_batches", microBatches);
  return entry;
}

/// A tensor that users know, inside a packed one.
NamedAttrList TensorDescriptions::describePart(const NamedAttrList &whole,
                                               const NamedTensor &tensor,
                                               PartAttr part) {
  ArrayRef<int64_t> shape = tensor.type.getShape();
  SmallVector<int64_t> strides = getStaticStrides(tensor.type);
  int64_t elements = tensor.type.getNumElements() / shape[part.getDim()] *
                     part.getExtent(shape.size());
  int64_t width = getElementBytes(tensor.type.getElementType());
  NamedAttrList entry(whole);
  entry.set("name", part.getName());
  entry.set("packed", whole.get("name"));
  if (part.getOf())
    entry.set("of", part.getOf());
  entry.set("shape", builder.getI64ArrayAttr(part.getShape()));
  auto split = cast<ArrayAttr>(whole.get("split"));
  entry.set("split",
            builder.getArrayAttr(takePartDims(split.getValue(), part)));
  entry.set("strides", builder.getI64ArrayAttr(takePartDims(strides, part)));
  setPlace(entry, tensor, part.getOffset() * strides[part.getDim()] * width);
  entry.set("bytes", builder.getI64IntegerAttr(elements * width));
  if (part.getInit() && !isConstant(tensor.get()))
    entry.set("init", part.getInit());
  return entry;
}

void TensorDescriptions::add(const NamedTensor &tensor) {
  NamedAttrList whole = describe(tensor);
  SmallVector<PartAttr> parts = getParts(tensor.attrs);
  auto append = [&](NamedAttrList entry) {
    setRows(entry, tensor.attrs);
    entries.push_back(entry.getDictionary(builder.getContext()));
  };
  for (PartAttr part : parts)
    append(describePart(whole, tensor, part));
  if (parts.empty())
    append(whole);
}

ArrayAttr rt::describeTensors(MLIRContext *context, const NamedTensors &tensors,
                              const Mesh &mesh, ArrayRef<StageArena> arenas,
                              bool isStaged) {
  TensorDescriptions descriptions(context, mesh, arenas, isStaged);
  for (const auto &[name, tensor] : tensors)
    descriptions.add(tensor);
  return descriptions.get();
}
