//===- SessionTensors.cpp - Tensors between files and the arena -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/Random.h"
#include "driver/Session.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <set>

using namespace boost_rt;

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

static std::string describe(const Tensor &tensor) {
  return concat("shape ", shapeToString(tensor.shape), " and type ",
                nameOf(tensor.type));
}

static int64_t readInteger(ElementType type, const char *data, int64_t i) {
  int64_t value = 0;
  convertElements(type, data + i * sizeOf(type), BOOST_RT_I64, &value, 1);
  return value;
}

/// Refuses ids that the program would have to clamp.
static void checkLimit(const std::string &path, const Tensor &tensor,
                       const Shard &shard, const char *data) {
  shard.forEachRun([&](int64_t global, int64_t local, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      int64_t id = readInteger(tensor.type, data, local + i);
      if (id < 0 || id >= *tensor.limit)
        refuse(path, ": element ", global + i, " of '", tensor.name, "' is ",
               id, ", but ids are at least 0 and below ", *tensor.limit,
               "; use data that was tokenized for this vocabulary");
    }
  });
}

void Session::loadTensor(const SafeTensorsReader &file, const Tensor &tensor,
                         const SafeTensorsReader::Entry &entry) {
  if (entry.shape != tensor.shape || !entry.type ||
      isFloat(*entry.type) != isFloat(tensor.type))
    refuse(file.getPath(), ": tensor '", tensor.name, "' is expected with ",
           describe(tensor), ", but has shape ", shapeToString(entry.shape),
           " and type ", entry.typeName,
           "; write it as the model was exported");
  Shard shard = Shard::of(tensor, program.mesh, rank());
  Device::Mapping mapping = map(tensor, Access::write);
  char *target = mapping.data();
  shard.forEachRun([&](int64_t global, int64_t local, int64_t count) {
    if (!SafeTensorsReader::read(entry, global, tensor.type,
                                 target + local * sizeOf(tensor.type), count))
      refuse(file.getPath(), ": tensor '", tensor.name,
             "' has values that do not fit type ", nameOf(tensor.type));
  });
  if (tensor.limit && !isFloat(tensor.type))
    checkLimit(file.getPath(), tensor, shard, target);
}

/// Checks this rank's share of the tensors, about the same bytes on every rank.
void Session::checkTensors(const SafeTensorsReader &file,
                           const std::vector<const Tensor *> &tensors) const {
  double total = 0, begin = 0;
  for (const Tensor *tensor : tensors)
    total += static_cast<double>(file.find(tensor->name)->bytes);
  for (const Tensor *tensor : tensors) {
    const SafeTensorsReader::Entry &entry = *file.find(tensor->name);
    auto bytes = static_cast<double>(entry.bytes);
    double middle = begin + bytes / 2;
    begin += bytes;
    auto share = static_cast<int64_t>(
        total > 0 ? middle / total * static_cast<double>(ranks()) : 0);
    if (std::min(share, ranks() - 1) == rank())
      file.check(entry, tensor->name);
  }
}

/// Refuses a file that lacks some of the tensors.
static void requireTensors(const SafeTensorsReader &file,
                           const std::vector<const Tensor *> &tensors,
                           const std::string &purpose) {
  std::string missing;
  int64_t missingCount = 0;
  for (const Tensor *tensor : tensors) {
    if (file.find(tensor->name))
      continue;
    if (++missingCount <= 5)
      missing += concat("\n  '", tensor->name, "' with ", describe(*tensor));
  }
  if (missingCount > 5)
    missing += concat("\n  and ", missingCount - 5, " more");
  if (missingCount > 0)
    refuse(file.getPath(), " lacks ", missingCount,
           missingCount == 1 ? " tensor" : " tensors", " that ", purpose,
           " needs:", missing,
           "\nadd them under these names (`info` lists all of them)");
}

void Session::load(const SafeTensorsReader &file,
                   const std::vector<const Tensor *> &tensors,
                   const std::string &purpose) {
  requireTensors(file, tensors, purpose);
  checkTensors(file, tensors);
  for (const Tensor *tensor : tensors) {
    loadTensor(file, *tensor, *file.find(tensor->name));
    Activity::ofThisRank().advance();
  }
}

void Session::loadInitial(const SafeTensorsReader &file,
                          const std::vector<const Tensor *> &tensors,
                          const std::string &purpose) {
  std::set<std::string> names;
  std::vector<const Tensor *> initial;
  for (const Tensor *tensor : tensors)
    if (names.insert(program.initialOf(*tensor).name).second)
      initial.push_back(&program.initialOf(*tensor));
  requireTensors(file, initial, purpose);
  checkTensors(file, initial);
  for (const Tensor *tensor : tensors) {
    loadTensor(file, *tensor, *file.find(program.initialOf(*tensor).name));
    Activity::ofThisRank().advance();
  }
}

//===----------------------------------------------------------------------===//
// Initialization
//===----------------------------------------------------------------------===//

static std::optional<double> parseNormal(const std::string &rule) {
  const std::string prefix = "normal:";
  if (rule.compare(0, prefix.size(), prefix) != 0)
    return std::nullopt;
  const char *text = rule.c_str() + prefix.size();
  char *end = nullptr;
  double deviation = std::strtod(text, &end);
  if (end == text || *end || !std::isfinite(deviation) || deviation < 0)
    return std::nullopt;
  return deviation;
}

void Session::initialize(const Tensor &tensor, uint64_t seed) {
  const Tensor &initial = program.initialOf(tensor);
  const std::string &rule = initial.init;
  auto deviation = parseNormal(rule);
  if (!deviation && rule != "ones" && rule != "zeros")
    refuse("tensor '", initial.name, "' has the unknown initialization '", rule,
           "'; expected 'normal:STD', 'ones' or 'zeros'");
  Device::Mapping mapping = map(tensor, Access::write);
  char *target = mapping.data();
  auto put = [&](int64_t local, float value) {
    convertElements(BOOST_RT_F32, &value, tensor.type,
                    target + local * sizeOf(tensor.type), 1);
  };
  Shard shard = Shard::of(tensor, program.mesh, rank());
  if (!deviation) {
    float value = rule == "ones" ? 1.0f : 0.0f;
    shard.forEachRun([&](int64_t, int64_t local, int64_t count) {
      for (int64_t i = local; i < local + count; ++i)
        put(i, value);
    });
    return;
  }
  NormalStream stream(seed, initial.name);
  shard.forEachRun([&](int64_t global, int64_t local, int64_t count) {
    stream.generate(global, count, [&](int64_t i, double value) {
      put(local + i - global, static_cast<float>(*deviation * value));
    });
  });
}

void Session::clear(const Tensor &tensor) {
  int64_t width = sizeOf(tensor.type);
  Device::Mapping mapping = map(tensor, Access::write);
  char *target = mapping.data();
  Shard::of(tensor, program.mesh, rank())
      .forEachRun([&](int64_t, int64_t local, int64_t count) {
        std::memset(target + local * width, 0,
                    static_cast<size_t>(count * width));
      });
}

//===----------------------------------------------------------------------===//
// Checking
//===----------------------------------------------------------------------===//

static bool isFinite(const Tensor &tensor, const std::vector<char> &packed) {
  std::vector<double> values(packed.size() /
                             static_cast<size_t>(sizeOf(tensor.type)));
  convertElements(tensor.type, packed.data(), BOOST_RT_F64, values.data(),
                  static_cast<int64_t>(values.size()));
  return std::all_of(values.begin(), values.end(),
                     [](double value) { return std::isfinite(value); });
}

const Tensor *Session::findNonFinite() {
  std::vector<const Tensor *> tensors;
  for (Role role : {Role::param, Role::state, Role::accumulator})
    for (const Tensor *tensor : program.withRole(role))
      tensors.push_back(tensor);
  auto found =
      std::find_if(tensors.begin(), tensors.end(), [&](const Tensor *tensor) {
        return isFloat(tensor->type) && !isFinite(*tensor, pack(*tensor));
      });
  // Of several ranks the one with the most tensors from there on.
  int64_t rest = largest(tensors.end() - found);
  return rest == 0 ? nullptr : *(tensors.end() - rest);
}

//===----------------------------------------------------------------------===//
// Saving
//===----------------------------------------------------------------------===//

std::vector<char> Session::pack(const Tensor &tensor) {
  std::vector<char> packed;
  packed.reserve(static_cast<size_t>(tensor.bytes));
  int64_t width = sizeOf(tensor.type);
  Device::Mapping mapping = map(tensor, Access::read);
  const char *local = mapping.data();
  Shard::of(tensor, program.mesh, rank())
      .forEachRun([&](int64_t, int64_t from, int64_t count) {
        packed.insert(packed.end(), local + from * width,
                      local + (from + count) * width);
      });
  return packed;
}

void Session::unpack(const Tensor &tensor, const std::vector<char> &packed) {
  int64_t width = sizeOf(tensor.type);
  const char *from = packed.data();
  Device::Mapping mapping = map(tensor, Access::write);
  char *local = mapping.data();
  Shard::of(tensor, program.mesh, rank())
      .forEachRun([&](int64_t, int64_t to, int64_t count) {
        std::memcpy(local + to * width, from,
                    static_cast<size_t>(count * width));
        from += count * width;
      });
}

/// Copies a packed shard to its place in the global tensor.
static void placeShard(const Tensor &tensor, const Shard &shard,
                       const char *packed, std::vector<char> &global) {
  int64_t width = sizeOf(tensor.type);
  shard.forEachRun([&](int64_t to, int64_t, int64_t count) {
    std::memcpy(global.data() + to * width, packed,
                static_cast<size_t>(count * width));
    packed += count * width;
  });
}

void Session::gather(const Tensor &tensor, std::vector<char> &global) {
  std::vector<char> packed;
  if (ownsShard(tensor, program.mesh, rank()))
    packed = pack(tensor);
  if (rank() != 0) {
    if (!packed.empty())
      communicator->send(packed.data(), tensor.bytes, 0);
    return;
  }
  global.resize(static_cast<size_t>(tensor.elements() * sizeOf(tensor.type)));
  for (int64_t from = 0; from < ranks(); ++from) {
    if (!ownsShard(tensor, program.mesh, from))
      continue;
    if (from != 0)
      communicator->receive(packed.data(), tensor.bytes, from);
    placeShard(tensor, Shard::of(tensor, program.mesh, from), packed.data(),
               global);
  }
}

std::string Session::save(const std::string &path,
                          const std::vector<const Tensor *> &tensors) {
  Doing doing("saving tensors");
  std::unique_ptr<SafeTensorsWriter> writer;
  together([&] {
    if (rank() != 0)
      return;
    std::vector<SafeTensorsWriter::Entry> entries;
    entries.reserve(tensors.size());
    for (const Tensor *tensor : tensors)
      entries.push_back({tensor->name, tensor->type, tensor->shape});
    writer = std::make_unique<SafeTensorsWriter>(path, entries);
  });
  std::vector<char> global;
  for (size_t i = 0; i < tensors.size(); ++i) {
    gather(*tensors[i], global);
    together([&] {
      if (writer)
        writer->write(i, global.data());
    });
  }
  std::string checksum;
  together([&] {
    if (writer)
      checksum = writer->finish();
  });
  return checksum;
}
