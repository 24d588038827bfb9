//===- Mesh.h - The mesh of ranks and its shardings -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads `shard.grid @mesh` and the shardings that name its axes, and a mesh as
// users write it in options.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_DIALECT_BOOST_IR_MESH_H
#define BOOST_MLIR_DIALECT_BOOST_IR_MESH_H

#include "boost-mlir/Dialect/Boost/IR/Boost.h"
#include "boost-mlir/Interfaces/MeshAxes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"
#include <string>

namespace mlir::boost {

// The axes that the rules of placement know; a mesh may have others.
inline constexpr llvm::StringLiteral kDataAxis = "dp";
inline constexpr llvm::StringLiteral kTensorAxis = "tp";
// The ranks along it are the stages of a pipeline.
inline constexpr llvm::StringLiteral kPipelineAxis = "pp";

/// The mesh of a module: named axes in row-major order, the last one fastest.
class Mesh {
public:
  /// Reads `shard.grid @mesh` of the module around `op`. Emits an error at `op`
  /// if there is none or it does not name its axes.
  static FailureOr<Mesh> get(Operation *op);

  /// Returns the mesh of the module, or a mesh of one rank, without axes.
  static FailureOr<Mesh> getOrOneRank(ModuleOp module);

  /// Changes the size of an axis of the module's mesh. Nothing may be sharded
  /// over the axis.
  static void resizeAxis(ModuleOp module, StringRef name, int64_t size);

  /// Reads a mesh as users write it, such as "dp=2,tp=4". A number alone is the
  /// size of "tp". The error says what is expected.
  static llvm::Expected<Mesh> parse(StringRef text);

  /// Returns the mesh with the single axis "tp".
  static Mesh ofTensorAxis(int64_t size) { return Mesh({"tp"}, {size}); }

  /// Creates a mesh of one rank, without axes.
  Mesh() = default;
  Mesh(ArrayRef<std::string> names, ArrayRef<int64_t> sizes);

  /// Returns the mesh as parse reads it.
  std::string str() const;

  unsigned getNumAxes() const { return sizes.size(); }
  int64_t getAxisSize(unsigned axis) const { return sizes[axis]; }
  StringRef getAxisName(unsigned axis) const { return names[axis]; }
  ArrayRef<std::string> getNames() const { return names; }
  ArrayRef<int64_t> getSizes() const { return sizes; }

  /// The index of the axis of a name.
  std::optional<int16_t> findAxis(StringRef name) const;

  /// Returns the axis of a name as a set, which is empty if there is none.
  AxisMask getAxisNamed(StringRef name) const;

  /// Returns the number of ranks.
  int64_t getNumRanks() const { return getSize(~AxisMask(0)); }

  /// The number of ranks that differ along the axes only.
  int64_t getSize(AxisMask axes) const;
  int64_t getSize(const AxisList &axes) const { return getSize(axes.getSet()); }

  /// The distance between the first and the last of them, plus one.
  int64_t getSpan(AxisMask axes) const;

  /// The axes of size above 1.
  AxisMask getUsedAxes() const;

  /// The axes of a set that the mesh has, in its order.
  AxisList getAxes(AxisMask axes) const;

  /// "dp, tp"
  std::string describe(const AxisList &axes, StringRef separator = ", ") const;
  std::string describe(AxisMask axes, StringRef separator = ", ") const {
    return describe(getAxes(axes), separator);
  }

  /// Reads a sharding of a tensor of global type `type`; axes of size 1 shard
  /// nothing and are left out. Returns a message that says what is wrong, or an
  /// empty string.
  std::string parseSharding(Attribute attr, RankedTensorType type,
                            Split &split) const;
  /// Reads a sharding of a tensor, given the type of one rank's part.
  std::string parseLocalSharding(Attribute attr, RankedTensorType type,
                                 Split &split) const;

  /// The axes over which a tensor is partial; none without a sharding.
  AxisMask getPartialAxes(Attribute attr) const;

  ShardingAttr getShardingAttr(MLIRContext *context, ArrayRef<AxisList> split,
                               AxisMask partial = 0,
                               Reduction reduction = Reduction::Sum) const;

  /// A sharding with the same dimensions that is a partial sum over `axes`.
  ShardingAttr withPartialSum(ShardingAttr sharding, AxisMask axes) const;

  /// The type of one rank's part. Every sharded dimension must divide.
  RankedTensorType getLocalType(RankedTensorType global,
                                ArrayRef<AxisList> split) const;
  /// The shape of the tensor of which ranks hold parts of shape `local`, or
  /// nothing where a size does not fit into 63 bits. Axes that the mesh does
  /// not have count as one rank.
  std::optional<SmallVector<int64_t>>
  getGlobalShape(ArrayRef<int64_t> local, ShardingAttr sharding) const;

private:
  std::string readAxes(ShardingAttr sharding, int64_t rank, Split &split) const;

  SmallVector<std::string> names;
  SmallVector<int64_t> sizes;
};

/// Prints a mesh as options have it.
inline raw_ostream &operator<<(raw_ostream &os, const Mesh &mesh) {
  return os << mesh.str();
}

/// All axes over which some dimension is sharded.
AxisMask getAxesOf(ArrayRef<AxisList> split);

} // namespace mlir::boost

namespace llvm::cl {

/// The options of passes and tools that take a mesh.
template <>
class parser<mlir::boost::Mesh> : public basic_parser<mlir::boost::Mesh> {
public:
  using basic_parser::basic_parser;

  bool parse(Option &option, StringRef name, StringRef text,
             mlir::boost::Mesh &mesh);
  StringRef getValueName() const override { return "mesh"; }
  void printOptionDiff(const Option &option, const mlir::boost::Mesh &mesh,
                       const OptVal &byDefault, size_t width) const;
  void anchor() override;
};

} // namespace llvm::cl

#endif // BOOST_MLIR_DIALECT_BOOST_IR_MESH_H
