//===- Sharding.cpp - #boost.sharding -------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attribute's text and its verifier, and what holds where it is attached.
//
//===----------------------------------------------------------------------===//

#include "Sharding.h"

#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace mlir::boost;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// `{"dp", "tp"}`
static ParseResult parseAxisNames(AsmParser &parser,
                                  SmallVectorImpl<StringAttr> &names) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Braces, [&] {
    std::string name;
    if (parser.parseString(&name))
      return failure();
    names.push_back(StringAttr::get(parser.getContext(), name));
    return success();
  });
}

static void printAxisNames(AsmPrinter &printer, ArrayRef<StringAttr> names) {
  printer << '{';
  llvm::interleaveComma(names, printer);
  printer << '}';
}

/// `partial = sum {"dp"}`, behind the keyword.
static ParseResult parsePartial(AsmParser &parser, Reduction &reduction,
                                SmallVectorImpl<StringAttr> &names) {
  SMLoc kindLoc;
  StringRef kind;
  if (parser.parseEqual() || parser.getCurrentLocation(&kindLoc) ||
      parser.parseKeyword(&kind))
    return failure();
  std::optional<Reduction> known = symbolizeReduction(kind);
  if (!known)
    return parser.emitError(kindLoc)
           << "expects sum, max or min, but got '" << kind << "'";
  reduction = *known;
  SMLoc namesLoc = parser.getCurrentLocation();
  if (parseAxisNames(parser, names))
    return failure();
  if (names.empty())
    return parser.emitError(namesLoc)
           << "expects one partial axis or more, but got none";
  return success();
}

Attribute ShardingAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  Builder builder(parser.getContext());
  SmallVector<ArrayAttr> dimAxes;
  SmallVector<StringAttr> partialAxes;
  auto reduction = Reduction::Sum;
  auto parseItem = [&]() -> ParseResult {
    if (!partialAxes.empty())
      return parser.emitError(parser.getCurrentLocation())
             << "expects nothing behind the partial axes";
    if (succeeded(parser.parseOptionalKeyword("partial")))
      return parsePartial(parser, reduction, partialAxes);
    SmallVector<StringAttr> names;
    if (parseAxisNames(parser, names))
      return failure();
    dimAxes.push_back(builder.getArrayAttr(
        SmallVector<Attribute>(names.begin(), names.end())));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                     parseItem))
    return {};
  return getChecked([&] { return parser.emitError(loc); }, parser.getContext(),
                    ArrayRef<ArrayAttr>(dimAxes),
                    ArrayRef<StringAttr>(partialAxes), reduction);
}

void ShardingAttr::print(AsmPrinter &printer) const {
  printer << '<';
  llvm::interleaveComma(getDimAxes(), printer, [&](ArrayAttr axes) {
    printAxisNames(printer, llvm::to_vector(axes.getAsRange<StringAttr>()));
  });
  if (!getPartialAxes().empty()) {
    printer << (getDimAxes().empty() ? "" : ", ")
            << "partial = " << stringifyReduction(getReduction()) << ' ';
    printAxisNames(printer, getPartialAxes());
  }
  printer << '>';
}

//===----------------------------------------------------------------------===//
// The attribute
//===----------------------------------------------------------------------===//

LogicalResult ShardingAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                   ArrayRef<ArrayAttr> dimAxes,
                                   ArrayRef<StringAttr> partialAxes,
                                   Reduction) {
  llvm::DenseSet<StringAttr> seen;
  auto add = [&](StringAttr axis) -> LogicalResult {
    if (axis.empty())
      return emitError() << "expects axes with a name, but got \"\"";
    if (!seen.insert(axis).second)
      return emitError() << "expects each axis once, but got " << axis
                         << " twice";
    return success();
  };
  for (ArrayAttr axes : dimAxes)
    for (auto axis : axes.getAsRange<StringAttr>())
      if (failed(add(axis)))
        return failure();
  for (StringAttr axis : partialAxes)
    if (failed(add(axis)))
      return failure();
  return success();
}

ShardingAttr ShardingAttr::getReplicated(MLIRContext *context, int64_t rank) {
  return get(context,
             SmallVector<ArrayAttr>(rank, ArrayAttr::get(context, {})));
}

ArrayAttr ShardingAttr::getSplitNames() const {
  return ArrayAttr::get(
      getContext(),
      SmallVector<Attribute>(getDimAxes().begin(), getDimAxes().end()));
}

ArrayAttr ShardingAttr::getPartialNames() const {
  return ArrayAttr::get(
      getContext(),
      SmallVector<Attribute>(getPartialAxes().begin(), getPartialAxes().end()));
}

//===----------------------------------------------------------------------===//
// Where it is attached
//===----------------------------------------------------------------------===//

static shard::GridOp findMesh(Operation *op) {
  auto module = op->getParentOfType<ModuleOp>();
  return module ? module.lookupSymbol<shard::GridOp>(kMeshSymbol)
                : shard::GridOp();
}

/// Checks that a mesh, if there is one that names its axes, names this one.
static LogicalResult checkAxis(StringAttr axis, shard::GridOp mesh,
                               function_ref<InFlightDiagnostic()> emitError) {
  auto known = mesh ? mesh->getAttrOfType<ArrayAttr>(kAxesAttr) : ArrayAttr();
  if (!known || llvm::is_contained(known, axis))
    return success();
  auto diag = emitError() << "expects axes of the mesh, but got " << axis;
  diag.attachNote(mesh.getLoc()) << "the axes of the mesh are " << known;
  return diag;
}

LogicalResult
mlir::boost::verifySharding(Operation *op, Attribute attr, Type type,
                            function_ref<InFlightDiagnostic()> emitError) {
  auto sharding = dyn_cast<ShardingAttr>(attr);
  if (!sharding)
    return emitError() << "expects '#boost.sharding', but got " << attr;
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank())
    return emitError() << "expects a tensor of known rank, but got " << type;
  if (sharding.getRank() != shaped.getRank())
    return emitError() << "expects axes for each of " << shaped.getRank()
                       << " dimensions, but got " << sharding.getRank();
  shard::GridOp mesh = findMesh(op);
  for (ArrayAttr axes : sharding.getDimAxes())
    for (auto axis : axes.getAsRange<StringAttr>())
      if (failed(checkAxis(axis, mesh, emitError)))
        return failure();
  for (StringAttr axis : sharding.getPartialAxes())
    if (failed(checkAxis(axis, mesh, emitError)))
      return failure();
  return success();
}

LogicalResult mlir::boost::verifySharding(Operation *op, StringRef what,
                                          unsigned index, Type type,
                                          Attribute attr) {
  return verifySharding(op, attr, type, [&] {
    return op->emitOpError()
           << what << " " << index << ": '" << kShardingAttr << "' ";
  });
}

LogicalResult mlir::boost::verifyShardings(Operation *op, Attribute attr) {
  auto list = dyn_cast<ArrayAttr>(attr);
  if (!list || list.size() != op->getNumResults())
    return op->emitOpError()
           << "expects '" << kShardingsAttr
           << "' with one sharding for each of " << op->getNumResults()
           << " results, but got " << attr;
  for (auto [index, each, type] : llvm::enumerate(list, op->getResultTypes())) {
    auto emitError = [&, index = index] {
      return op->emitOpError()
             << "'" << kShardingsAttr << "' of result " << index << ": ";
    };
    if (failed(verifySharding(op, each, type, emitError)))
      return failure();
  }
  return success();
}

LogicalResult mlir::boost::verifyAxisNames(Operation *op, Attribute attr) {
  auto grid = dyn_cast<shard::GridOp>(op);
  auto names = dyn_cast<ArrayAttr>(attr);
  bool areNames = names && llvm::all_of(names, llvm::IsaPred<StringAttr>);
  if (!grid || !areNames ||
      static_cast<int64_t>(names.size()) != grid.getRank())
    return op->emitError() << "expects '" << kAxesAttr
                           << "' to name each axis of a 'shard.grid', but got "
                           << attr;
  llvm::DenseSet<Attribute> seen;
  for (Attribute name : names)
    if (!seen.insert(name).second)
      return op->emitError()
             << "expects axes of different names, but got " << name << " twice";
  return success();
}
