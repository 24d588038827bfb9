//===- SafeTensors.h - Reader and writer of safetensors files ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file is the length of the header (8 bytes, little endian), the header
// (JSON: name -> dtype, shape, data_offsets) and the tensors' bytes. Files that
// are written here have checksums in the header's __metadata__, where other
// readers do not look: xxh3 for the header and xxh3:NAME for the bytes of a
// tensor.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_RUNTIME_COMMON_SAFETENSORS_H
#define BOOST_RUNTIME_COMMON_SAFETENSORS_H

#include "common/DurableFile.h"
#include "common/ElementType.h"
#include "common/MappedFile.h"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace boost_rt {

/// A file opened for reading. The constructor checks the whole header, so that
/// every entry lies in the file and every byte in an entry; it throws a message
/// that says what is wrong.
class SafeTensorsReader {
public:
  struct Entry {
    /// As the file spells it.
    std::string typeName;
    /// Empty for a type that the runtime does not know; an unsigned integer has
    /// the type of its width.
    std::optional<ElementType> type;
    bool isUnsigned = false;
    std::vector<int64_t> shape;
    const char *data;
    int64_t bytes;
    /// Checksum of the bytes, or empty.
    std::string checksum;
  };

  explicit SafeTensorsReader(const std::string &path);

  const std::string &getPath() const { return path; }
  const std::map<std::string, Entry> &getEntries() const { return entries; }

  /// A text that the file says of itself; empty if it does not.
  std::string getMetadata(const std::string &key) const;

  /// The entry of this name, or null.
  const Entry *find(const std::string &name) const;

  /// The checksum of the header, which has those of all tensors, or empty.
  const std::string &getChecksum() const { return checksum; }

  /// Tells the content from that of other files: the size and a checksum, which
  /// is that of the header if there is one, else a sampled one of the file.
  std::string describeContent() const;

  /// Refuses an entry whose bytes are not those of its checksum, if it has one.
  void check(const Entry &entry, const std::string &name) const;

  /// Converts `count` elements of an entry from element `first` on. Returns
  /// false if they do not fit: see convertElements(). An unsigned integer
  /// becomes the one with its bits if that is as wide, and else the one with
  /// its value; a boolean is 0 or 1 and nothing else.
  static bool read(const Entry &entry, int64_t first, ElementType to, void *dst,
                   int64_t count);

private:
  std::string path;
  MappedFile file;
  std::map<std::string, Entry> entries;
  std::string checksum;
  std::map<std::string, std::string> metadata;
};

/// Writes a file that appears under its name when it is complete.
class SafeTensorsWriter {
public:
  struct Entry {
    std::string name;
    ElementType type;
    std::vector<int64_t> shape;
    /// The kind of a state and the parameter that it belongs to; the file says
    /// so beside the tensor.
    std::string kind = {}, of = {};
  };

  /// Creates the file and leaves room for its header, which says `notes` of the
  /// file. Throws if that is not possible.
  SafeTensorsWriter(const std::string &path, const std::vector<Entry> &entries,
                    const std::map<std::string, std::string> &notes = {});

  /// Writes all elements of entry `index`.
  void write(size_t index, const void *data) {
    writeBytes(index, data);
    addChecksum(index, data);
  }
  /// The two halves of that, which two threads may do at the same time.
  void writeBytes(size_t index, const void *data);
  void addChecksum(size_t index, const void *data);

  /// Writes the header, makes the file durable and gives it its name. Returns
  /// the checksum of the header.
  std::string finish();

private:
  void writeHeader(const std::string &text);
  int64_t bytesOf(size_t index) const {
    return positions[index + 1] - positions[index];
  }

  DurableFile file;
  std::vector<std::string> names;
  nlohmann::json header;
  /// Begin of each entry in the file, then the end of the last.
  std::vector<int64_t> positions;
};

} // namespace boost_rt

#endif // BOOST_RUNTIME_COMMON_SAFETENSORS_H
