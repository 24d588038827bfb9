//===- Mesh.cpp - The grid of ranks ---------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Mesh.h"
#include "common/Failure.h"

using namespace boost_rt;

std::optional<unsigned> Mesh::findAxis(const std::string &name) const {
  for (unsigned i = 0; i < axes.size(); ++i)
    if (axes[i].name == name)
      return i;
  return std::nullopt;
}

int64_t Mesh::coordinate(int64_t rank, unsigned axis) const {
  for (unsigned i = axes.size(); i-- > axis + 1;)
    rank /= axes[i].size;
  return rank % axes[axis].size;
}

int64_t Mesh::groupSize(uint32_t group) const {
  int64_t size = 1;
  for (unsigned i = 0; i < axes.size(); ++i)
    if (group >> i & 1u)
      size *= axes[i].size;
  return size;
}

int64_t Mesh::groupPosition(int64_t rank, uint32_t group) const {
  int64_t position = 0;
  for (unsigned i = 0; i < axes.size(); ++i)
    if (group >> i & 1u)
      position = position * axes[i].size + coordinate(rank, i);
  return position;
}

int64_t Mesh::memberRank(int64_t rank, uint32_t group, int64_t position) const {
  int64_t member = 0, stride = 1;
  for (unsigned i = static_cast<unsigned>(axes.size()); i-- > 0;) {
    int64_t size = axes[i].size;
    bool isSet = group >> i & 1u;
    member += stride * (isSet ? position % size : coordinate(rank, i));
    stride *= size;
    position /= isSet ? size : 1;
  }
  return member;
}

std::string Mesh::str() const {
  std::string text;
  for (const MeshAxis &axis : axes)
    text +=
        (text.empty() ? "" : ",") + axis.name + "=" + std::to_string(axis.size);
  return text;
}

std::string boost_rt::describeRanks(const std::vector<int64_t> &ranks) {
  std::vector<std::string> parts;
  for (size_t begin = 0, end; begin < ranks.size(); begin = end) {
    end = begin + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1)
      ++end;
    if (end - begin > 2) {
      parts.push_back(concat(ranks[begin], "-", ranks[end - 1]));
      continue;
    }
    for (size_t i = begin; i < end; ++i)
      parts.push_back(std::to_string(ranks[i]));
  }
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (size_t i = 0; i < parts.size(); ++i)
    text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  return text;
}
