//===- SafeTensors.cpp - Reader and writer of safetensors files -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/SafeTensors.h"
#include "common/Checksum.h"
#include "common/Failure.h"
#include "common/FileTimes.h"
#include "common/Json.h"
#include "common/Program.h"

#include <algorithm>
#include <cstring>

using namespace boost_rt;
using nlohmann::json;

namespace {
struct FileType {
  const char *name;
  ElementType type;
  bool isUnsigned = false;
};
} // namespace

static const FileType fileTypes[] = {
    {"F32", BOOST_RT_F32},       {"BF16", BOOST_RT_BF16},
    {"F16", BOOST_RT_F16},       {"F64", BOOST_RT_F64},
    {"I32", BOOST_RT_I32},       {"I64", BOOST_RT_I64},
    {"I8", BOOST_RT_I8},         {"BOOL", BOOST_RT_I1},
    {"U8", BOOST_RT_I8, true},   {"U32", BOOST_RT_I32, true},
    {"U64", BOOST_RT_I64, true}, {"I16", BOOST_RT_I16},
    {"U16", BOOST_RT_I16, true},
};

/// The format's own limit on the header.
static constexpr uint64_t maxHeaderBytes = 100'000'000;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Elements of a shape read from a file; nothing if negative or too large.
static std::optional<int64_t> countElements(const std::vector<int64_t> &shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    if (extent < 0 || __builtin_mul_overflow(count, extent, &count))
      return std::nullopt;
  return count;
}

/// The bytes of the header, which follow the 8 bytes that give their number.
static std::string_view findHeader(const std::string &path,
                                   const MappedFile &file) {
  uint64_t length = 0;
  if (file.size() < static_cast<int64_t>(sizeof(length)))
    refuse(path, " is not a safetensors file: it has ", file.size(),
           " bytes, too few for a header");
  std::memcpy(&length, file.data(), sizeof(length));
  if (length > maxHeaderBytes)
    refuse(path,
           " is not a safetensors file: its first 8 bytes give a header of ",
           length, " bytes");
  if (length > static_cast<uint64_t>(file.size()) - sizeof(length))
    refuse(path, " is truncated: its header has ", length, " bytes, but only ",
           file.size() - 8, " follow; copy it again");
  return {file.data() + sizeof(length), length};
}

/// Reads one header entry; `base` and `available` are the data after the
/// header.
static SafeTensorsReader::Entry parseEntry(const std::string &path,
                                           const std::string &name,
                                           const json &value, const char *base,
                                           int64_t available) {
  SafeTensorsReader::Entry entry;
  std::vector<int64_t> offsets;
  try {
    entry.typeName = value.at("dtype").get<std::string>();
    entry.shape = value.at("shape").get<std::vector<int64_t>>();
    offsets = value.at("data_offsets").get<std::vector<int64_t>>();
  } catch (const json::exception &error) {
    refuse(path, ": the header of tensor '", name,
           "' is malformed: ", error.what());
  }
  if (offsets.size() != 2 || offsets[0] < 0 || offsets[1] < offsets[0])
    refuse(path, ": tensor '", name, "' has malformed data_offsets ",
           value.at("data_offsets").dump());
  if (offsets[1] > available)
    refuse(path, " is truncated: tensor '", name, "' ends at byte ", offsets[1],
           " of the data, but only ", available, " are there; copy it again");
  entry.data = base + offsets[0];
  entry.bytes = offsets[1] - offsets[0];
  for (const FileType &fileType : fileTypes)
    if (entry.typeName == fileType.name) {
      entry.type = fileType.type;
      entry.isUnsigned = fileType.isUnsigned;
    }
  auto elements = countElements(entry.shape);
  int64_t expected = 0;
  if (!elements ||
      (entry.type &&
       (__builtin_mul_overflow(*elements, sizeOf(*entry.type), &expected) ||
        expected != entry.bytes)))
    refuse(path, ": tensor '", name, "' of shape ", shapeToString(entry.shape),
           " and type ", entry.typeName, " does not fit its ", entry.bytes,
           " bytes");
  return entry;
}

/// Refuses bytes of several tensors, and of none.
static void
checkCoverage(const std::string &path, const char *base, int64_t available,
              const std::map<std::string, SafeTensorsReader::Entry> &entries) {
  using Item = std::pair<const char *, const std::string *>;
  std::vector<Item> order;
  for (const auto &[name, entry] : entries)
    if (entry.bytes > 0)
      order.emplace_back(entry.data, &name);
  std::sort(order.begin(), order.end());
  const char *covered = base;
  const std::string *previous = nullptr;
  auto requireNoGap = [&](const char *next) {
    if (covered < next)
      refuse(path, ": bytes ", covered - base, " to ", next - base,
             " of the data belong to no tensor; write the file again");
  };
  for (const auto &[data, name] : order) {
    if (data < covered)
      refuse(path, ": the bytes of tensors '", *previous, "' and '", *name,
             "' overlap");
    requireNoGap(data);
    covered = data + entries.at(*name).bytes;
    previous = name;
  }
  requireNoGap(base + available);
}

/// The members of __metadata__ that are texts.
static std::map<std::string, std::string> readMetadata(const json &header) {
  std::map<std::string, std::string> texts;
  auto metadata = header.find("__metadata__");
  if (metadata != header.end() && metadata->is_object())
    for (const auto &[key, value] : metadata->items())
      if (value.is_string())
        texts.emplace(key, value.get<std::string>());
  return texts;
}

/// The name in __metadata__ of a tensor's checksum.
static std::string checksumName(const std::string &tensor) {
  return concat(sealName, ":", tensor);
}

static const char rewrittenNote[] =
    "copy the file again; if a program changed it that knows no checksums, "
    "write it without those in __metadata__";

SafeTensorsReader::SafeTensorsReader(const std::string &path)
    : path(path), file(path, "tensor file") {
  std::string_view text = findHeader(path, file);
  json header;
  try {
    header = parseJson<json>(text);
  } catch (const json::exception &) {
  } catch (const std::logic_error &error) {
    refuse(path, " is not a safetensors file: in its header ", error.what());
  }
  if (!header.is_object())
    refuse(path, " is not a safetensors file: its header is not a JSON object");
  metadata = readMetadata(header);
  checksum = getMetadata(sealName);
  if (!checksum.empty() && !isSealed(std::string(text)))
    refuse(path, " is damaged: its header does not have its checksum, ",
           checksum, "; ", rewrittenNote);
  const char *base = text.data() + text.size();
  int64_t available = file.data() + file.size() - base;
  for (const auto &[name, value] : header.items()) {
    if (name == "__metadata__")
      continue;
    Entry entry = parseEntry(path, name, value, base, available);
    entry.checksum = getMetadata(checksumName(name));
    entries.emplace(name, std::move(entry));
  }
  checkCoverage(path, base, available, entries);
}

void SafeTensorsReader::check(const Entry &entry,
                              const std::string &name) const {
  if (entry.checksum.empty())
    return;
  std::string found = checksumOf(entry.data, entry.bytes);
  if (found != entry.checksum)
    refuse(path, " is damaged: the bytes of tensor '", name,
           "' have the checksum ", found, ", but had ", entry.checksum,
           " when they were written; ", rewrittenNote);
}

std::string SafeTensorsReader::describeContent() const {
  return concat(
      file.size(), " bytes with the checksum ",
      checksum.empty()
          ? sampledChecksumOf({file.data(), static_cast<size_t>(file.size())})
          : checksum);
}

std::string SafeTensorsReader::getMetadata(const std::string &key) const {
  auto it = metadata.find(key);
  return it == metadata.end() ? "" : it->second;
}

const SafeTensorsReader::Entry *
SafeTensorsReader::find(const std::string &name) const {
  auto it = entries.find(name);
  return it == entries.end() ? nullptr : &it->second;
}

bool SafeTensorsReader::read(const Entry &entry, int64_t first, ElementType to,
                             void *dst, int64_t count) {
  const char *src = entry.data + first * sizeOf(*entry.type);
  if (*entry.type == BOOST_RT_I1 &&
      std::any_of(src, src + count, [](char byte) { return byte & ~1; }))
    return false;
  return entry.isUnsigned ? convertUnsigned(*entry.type, src, to, dst, count)
                          : convertElements(*entry.type, src, to, dst, count);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static const char *fileTypeName(ElementType type) {
  for (const FileType &fileType : fileTypes)
    if (fileType.type == type)
      return fileType.name;
  return "";
}

/// The text of a header, which ends where eight bytes do.
static std::string dumpAligned(const json &header) {
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  return text;
}

SafeTensorsWriter::SafeTensorsWriter(
    const std::string &path, const std::vector<Entry> &entries,
    const std::map<std::string, std::string> &notes)
    : file(path), header(json::object()) {
  json metadata = notes;
  metadata.update({{"format", "pt"}, {sealName, openSeal}});
  std::vector<int64_t> offsets{0};
  for (const Entry &entry : entries) {
    int64_t end = offsets.back() + elementsOf(entry.shape) * sizeOf(entry.type);
    header[entry.name] = {{"dtype", fileTypeName(entry.type)},
                          {"shape", entry.shape},
                          {"data_offsets", {offsets.back(), end}}};
    names.push_back(entry.name);
    metadata[checksumName(entry.name)] = checksumOf("");
    if (!entry.kind.empty())
      metadata["kind:" + entry.name] = entry.kind;
    if (!entry.of.empty())
      metadata["of:" + entry.name] = entry.of;
    offsets.push_back(end);
  }
  header["__metadata__"] = std::move(metadata);
  std::string text = dumpAligned(header);
  for (int64_t offset : offsets)
    positions.push_back(offset +
                        static_cast<int64_t>(sizeof(uint64_t) + text.size()));
  // Files that cannot be written fail now; checksums are not known yet.
  writeHeader(text);
}

void SafeTensorsWriter::writeHeader(const std::string &text) {
  uint64_t length = text.size();
  file.write(&length, sizeof(length), 0);
  file.write(text.data(), static_cast<int64_t>(length), sizeof(length));
}

void SafeTensorsWriter::writeBytes(size_t index, const void *data) {
  file.write(data, bytesOf(index), positions[index]);
}

void SafeTensorsWriter::addChecksum(size_t index, const void *data) {
  TimedScope timed(fileTimes.checksums);
  header["__metadata__"][checksumName(names[index])] =
      checksumOf(data, bytesOf(index));
}

std::string SafeTensorsWriter::finish() {
  std::string text = seal(dumpAligned(header));
  writeHeader(text);
  file.commit();
  return json::parse(text)["__metadata__"][sealName];
}
