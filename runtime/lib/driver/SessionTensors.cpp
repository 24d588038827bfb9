//===- SessionTensors.cpp - Tensors between files and the arena -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/FileTimes.h"
#include "driver/DiskSpace.h"
#include "driver/LongTask.h"
#include "driver/Session.h"

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace boost_rt;

//===----------------------------------------------------------------------===//
// Loading
//===----------------------------------------------------------------------===//

static std::string describe(const Tensor &tensor) {
  return concat("shape ", shapeToString(tensor.exportedShape()), " and type ",
                nameOf(tensor.type));
}

static int64_t readInteger(ElementType type, bool isUnsigned, const char *data,
                           int64_t i) {
  int64_t value = 0;
  const char *element = data + i * sizeOf(type);
  if (isUnsigned)
    convertUnsigned(type, element, BOOST_RT_I64, &value, 1);
  else
    convertElements(type, element, BOOST_RT_I64, &value, 1);
  return value;
}

/// Bytes of this rank's shards.
static int64_t bytesOf(const std::vector<const Tensor *> &tensors) {
  int64_t bytes = 0;
  for (const Tensor *tensor : tensors)
    bytes += tensor->bytes;
  return bytes;
}

/// Refuses ids that the program would have to clamp. They are unsigned if the
/// file has them so: no limit is above what the program's own type has.
/// Messages count elements from `first`.
static void checkLimit(const std::string &path, const Tensor &tensor,
                       const Shard &shard, bool isUnsigned, const char *data,
                       int64_t first) {
  shard.forEachRun([&](int64_t global, int64_t local, int64_t count) {
    for (int64_t i = 0; i < count; ++i) {
      int64_t id = readInteger(tensor.type, isUnsigned, data, local + i);
      if (id < 0 || id >= *tensor.limit)
        refuse(path, ": element ", first + global + i, " of '", tensor.name,
               "' is ", id, ", but ids are at least 0 and below ",
               *tensor.limit,
               "; use data that was tokenized for this vocabulary");
    }
  });
}

void Session::loadTensor(const SafeTensorsReader &file, const Tensor &tensor,
                         const SafeTensorsReader::Entry &entry,
                         int64_t microBatch) {
  if (entry.shape != tensor.exportedShape() || !entry.type ||
      isFloat(*entry.type) != isFloat(tensor.type))
    refuse(file.getPath(), ": tensor '", tensor.name, "' is expected with ",
           describe(tensor), ", but has shape ", shapeToString(entry.shape),
           " and type ", entry.typeName,
           "; write it as the model was exported");
  int64_t first = tensor.microBatches > 1 ? microBatch * tensor.elements() : 0;
  Device::Mapping mapping = map(tensor, Access::write);
  char *target = mapping.data();
  forEachPiece(tensor, rank(), [&](const Piece &piece) {
    if (!SafeTensorsReader::read(entry, first + piece.global, tensor.type,
                                 target + piece.local * sizeOf(tensor.type),
                                 piece.count))
      refuse(file.getPath(), ": tensor '", tensor.name,
             "' has values that do not fit type ", nameOf(tensor.type));
  });
  if (tensor.limit && !isFloat(tensor.type))
    checkLimit(file.getPath(), tensor, Shard::of(tensor, program.mesh, rank()),
               entry.isUnsigned, target, first);
}

/// Checks this rank's share of the tensors, about the same bytes on every rank.
void Session::checkTensors(const SafeTensorsReader &file,
                           const std::vector<const Tensor *> &tensors) {
  double total = 0, begin = 0;
  for (const Tensor *tensor : tensors)
    total += static_cast<double>(file.find(tensor->fileName())->bytes);
  std::vector<const Tensor *> own;
  int64_t ownBytes = 0;
  for (const Tensor *tensor : tensors) {
    int64_t size = file.find(tensor->fileName())->bytes;
    auto bytes = static_cast<double>(size);
    double middle = begin + bytes / 2;
    begin += bytes;
    auto share = static_cast<int64_t>(
        total > 0 ? middle / total * static_cast<double>(ranks()) : 0);
    if (std::min(share, ranks() - 1) != rank())
      continue;
    own.push_back(tensor);
    ownBytes += size;
  }
  LongTask task("checking " + file.getPath(), ownBytes, speaks());
  TimedScope timed(fileTimes.checksums);
  device->hostThreads().tryTasks(
      static_cast<int64_t>(own.size()), [&](int64_t i, int) {
        const std::string &name = own[static_cast<size_t>(i)]->fileName();
        const SafeTensorsReader::Entry &entry = *file.find(name);
        file.check(entry, name);
        Activity::ofThisRank().advance();
        task.advance(entry.bytes);
      });
}

/// Returns a tensor for each name in files.
static std::vector<const Tensor *>
firstOfEach(const std::vector<const Tensor *> &tensors) {
  std::vector<const Tensor *> first;
  for (const auto &group : groupByFileName(tensors))
    first.push_back(group.front());
  return first;
}

/// Refuses a file that lacks some of the tensors.
static void requireTensors(const SafeTensorsReader &file,
                           const std::vector<const Tensor *> &tensors,
                           const std::string &purpose) {
  std::string missing;
  int64_t missingCount = 0;
  for (const Tensor *tensor : tensors) {
    if (file.find(tensor->fileName()))
      continue;
    if (++missingCount <= 5)
      missing +=
          concat("\n  '", tensor->fileName(), "' with ", describe(*tensor));
  }
  if (missingCount > 5)
    missing += concat("\n  and ", missingCount - 5, " more");
  if (missingCount > 0)
    refuse(file.getPath(), " lacks ", missingCount,
           missingCount == 1 ? " tensor" : " tensors", " that ", purpose,
           " needs:", missing,
           "\nadd them under these names (`info` lists all of them)");
}

void Session::requireSameTensors(const std::string &name,
                                 const std::string &path) {
  Facts facts;
  together(
      [&] { facts = {{name, SafeTensorsReader(path).describeContent()}}; });
  requireAgreement(facts);
}

void Session::load(const SafeTensorsReader &file,
                   const std::vector<const Tensor *> &tensors,
                   const std::string &purpose, int64_t microBatch) {
  std::vector<const Tensor *> inFile = firstOfEach(tensors);
  requireTensors(file, inFile, purpose);
  checkTensors(file, inFile);
  std::vector<const Tensor *> own = ofThisStage(tensors);
  LongTask task("loading " + file.getPath(), bytesOf(own), speaks());
  for (const Tensor *tensor : own) {
    loadTensor(file, *tensor, *file.find(tensor->fileName()), microBatch);
    Activity::ofThisRank().advance();
    task.advance(tensor->bytes);
  }
}

void Session::loadInitial(const SafeTensorsReader &file,
                          const std::vector<const Tensor *> &tensors,
                          const std::string &purpose) {
  std::vector<const Tensor *> initial;
  for (const Tensor *tensor : tensors)
    initial.push_back(&program.initialOf(*tensor));
  initial = firstOfEach(initial);
  requireTensors(file, initial, purpose);
  checkTensors(file, initial);
  std::vector<const Tensor *> own = ofThisStage(tensors);
  LongTask task("loading " + file.getPath(), bytesOf(own), speaks());
  for (const Tensor *tensor : own) {
    loadTensor(file, *tensor, *file.find(program.initialOf(*tensor).fileName()),
               /*microBatch=*/0);
    Activity::ofThisRank().advance();
    task.advance(tensor->bytes);
  }
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
  for (Role role : {Role::param, Role::frozen, Role::state, Role::accumulator})
    for (const Tensor *tensor : program.withRole(role))
      tensors.push_back(tensor);
  auto found =
      std::find_if(tensors.begin(), tensors.end(), [&](const Tensor *tensor) {
        return has(*tensor) && isFloat(tensor->type) &&
               !isFinite(*tensor, pack(*tensor));
      });
  // The first such tensor of all ranks: the one with the most tensors after it.
  int64_t rest =
      largest(tensors.end() - found, static_cast<int64_t>(tensors.size()));
  return rest == 0 ? nullptr : *(tensors.end() - rest);
}

//===----------------------------------------------------------------------===//
// Saving
//===----------------------------------------------------------------------===//

std::vector<char> Session::pack(const Tensor &tensor, int64_t slot) {
  std::vector<char> packed(static_cast<size_t>(tensor.bytes));
  int64_t width = sizeOf(tensor.type);
  Device::Mapping mapping = device->map(tensor, Access::read, slot);
  forEachPiece(tensor, rank(), [&](const Piece &piece) {
    std::memcpy(packed.data() + piece.packed * width,
                mapping.data() + piece.local * width,
                static_cast<size_t>(piece.count * width));
  });
  return packed;
}

void Session::unpack(const Tensor &tensor, const std::vector<char> &packed,
                     int64_t slot) {
  int64_t width = sizeOf(tensor.type);
  Device::Mapping mapping = device->map(tensor, Access::write, slot);
  forEachPiece(tensor, rank(), [&](const Piece &piece) {
    std::memcpy(mapping.data() + piece.local * width,
                packed.data() + piece.packed * width,
                static_cast<size_t>(piece.count * width));
  });
}

namespace boost_rt {
/// A global tensor on rank 0, in memory that the next one takes over.
class GlobalTensor {
public:
  void reserve(int64_t bytes) {
    if (bytes <= capacity)
      return;
    // Not set to zero first: all of it is written.
    memory.reset(new char[static_cast<size_t>(bytes)]);
    capacity = bytes;
  }
  char *data() { return memory.get(); }

private:
  std::unique_ptr<char[]> memory;
  int64_t capacity = 0;
};
} // namespace boost_rt

/// Puts the shards of a tensor where they belong in the global one, on rank 0.
void Session::gather(const Tensor &tensor, GlobalTensor &global) {
  std::vector<char> packed;
  auto owns = [&](int64_t rank) {
    return ownsShard(tensor, program.mesh, rank, program.pipelineAxis);
  };
  if (rank() != 0) {
    if (!owns(rank()))
      return;
    packed = pack(tensor);
    communicator->send(packed.data(), tensor.bytes, 0);
    return;
  }
  int64_t width = sizeOf(tensor.type);
  global.reserve(tensor.elements() * width);
  for (int64_t from = 0; from < ranks(); ++from) {
    if (!owns(from))
      continue;
    if (from == 0) {
      Device::Mapping mapping = map(tensor, Access::read);
      forEachPiece(tensor, from, [&](const Piece &piece) {
        std::memcpy(global.data() + piece.global * width,
                    mapping.data() + piece.local * width,
                    static_cast<size_t>(piece.count * width));
      });
      continue;
    }
    packed.resize(static_cast<size_t>(tensor.bytes));
    communicator->receive(packed.data(), tensor.bytes, from);
    forEachPiece(tensor, from, [&](const Piece &piece) {
      std::memcpy(global.data() + piece.global * width,
                  packed.data() + piece.packed * width,
                  static_cast<size_t>(piece.count * width));
    });
  }
}

/// Writes a tensor while its checksum is taken.
static void writeTensor(SafeTensorsWriter &writer, size_t index,
                        const char *data, ThreadPool &threads) {
  threads.tryTasks(2, [&](int64_t task, int) {
    if (task == 0)
      writer.writeBytes(index, data);
    else
      writer.addChecksum(index, data);
  });
}

std::string Session::save(const std::string &path,
                          const std::vector<const Tensor *> &tensors) {
  Doing doing("saving tensors");
  LongTask task("saving tensors", bytesOfFile(tensors), speaks());
  // Programs list tensors in the order in which their stages use them. Files of
  // all layouts are alike: parameters by name, then states by name.
  std::vector<std::vector<const Tensor *>> groups = groupByFileName(tensors);
  auto placeOf = [](const std::vector<const Tensor *> &group) {
    return std::pair(!group.front()->isParameter(), group.front()->fileName());
  };
  std::sort(groups.begin(), groups.end(),
            [&](const auto &one, const auto &two) {
              return placeOf(one) < placeOf(two);
            });
  std::unique_ptr<SafeTensorsWriter> writer;
  together([&] {
    if (rank() != 0)
      return;
    std::vector<SafeTensorsWriter::Entry> entries;
    entries.reserve(groups.size());
    for (const auto &group : groups) {
      const Tensor &tensor = *group.front();
      entries.push_back({tensor.fileName(), tensor.type, tensor.shape});
      if (tensor.role == Role::state) {
        entries.back().kind = tensor.kind;
        entries.back().of = program.ownerInFiles(tensor);
      }
    }
    writer = std::make_unique<SafeTensorsWriter>(path, entries);
  });
  GlobalTensor global;
  for (size_t i = 0; i < groups.size(); ++i) {
    const Tensor &tensor = *groups[i].front();
    // Without other ranks the arena has the global tensor already.
    bool isGlobal = ranks() == 1 && tensor.strides.empty();
    if (!isGlobal)
      for (const Tensor *part : groups[i])
        gather(*part, global);
    together([&] {
      if (!writer)
        return;
      if (!isGlobal)
        return writeTensor(*writer, i, global.data(), device->hostThreads());
      Device::Mapping mapping = map(tensor, Access::read);
      writeTensor(*writer, i, mapping.data(), device->hostThreads());
    });
    task.advance(tensor.elements() * sizeOf(tensor.type));
  }
  std::string checksum;
  together([&] {
    if (writer)
      checksum = writer->finish();
  });
  return checksum;
}
