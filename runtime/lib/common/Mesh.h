//===- Mesh.h - The grid of ranks -------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ranks stand in row-major order on the mesh: the last axis is the fastest. A
// group is a bit mask over the axes (bit i = axis i).
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_MESH_H
#define BOOST_RUNTIME_COMMON_MESH_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace boost_rt {

struct MeshAxis {
  std::string name;
  int64_t size;
};

class Mesh {
public:
  Mesh() = default;
  explicit Mesh(std::vector<MeshAxis> axes) : axes(std::move(axes)) {}

  const std::vector<MeshAxis> &getAxes() const { return axes; }

  /// Number of ranks.
  int64_t size() const { return groupSize(allAxes()); }

  /// The group of all ranks.
  uint32_t allAxes() const { return (1u << axes.size()) - 1u; }

  /// Index of the axis with this name.
  std::optional<unsigned> findAxis(const std::string &name) const;

  /// The coordinate of `rank` along axis `axis`.
  int64_t coordinate(int64_t rank, unsigned axis) const;

  /// Number of ranks that talk to each other in `group`.
  int64_t groupSize(uint32_t group) const;

  /// Position of `rank` within its group: row-major over the set axes.
  int64_t groupPosition(int64_t rank, uint32_t group) const;

  /// Returns the rank at a position of the group of `rank`.
  int64_t memberRank(int64_t rank, uint32_t group, int64_t position) const;

  /// Returns the index of the group of `rank` among the groups with this mask:
  /// row-major over the axes that are not set.
  int64_t groupIndex(int64_t rank, uint32_t group) const {
    return groupPosition(rank, allAxes() & ~group);
  }

  /// "dp=2,tp=4".
  std::string str() const;

private:
  std::vector<MeshAxis> axes;
};

/// "rank 3", "ranks 0-2 and 5".
std::string describeRanks(const std::vector<int64_t> &ranks);

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_MESH_H
