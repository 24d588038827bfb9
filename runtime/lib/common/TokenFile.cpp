//===- TokenFile.cpp - Files of token ids ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/TokenFile.h"
#include "common/Failure.h"
#include "common/ForeignFile.h"
#include "common/NumpyFile.h"

#include <algorithm>
#include <type_traits>

using namespace boost_rt;

static constexpr int64_t headerBytes = 256 * sizeof(int32_t);
static constexpr int32_t magic16 = 20240520, magic32 = 20240801;

TokenFile::TokenFile(const std::string &path)
    : path(path), file(path, "token file") {
  int32_t magic = 0;
  if (file.size() >= static_cast<int64_t>(sizeof(magic)))
    std::memcpy(&magic, file.data(), sizeof(magic));
  if (magic == magic16 || magic == magic32)
    readHeader();
  else if (isNumpyFile(file.text()))
    readNumpy();
  else
    readRaw();
}

void TokenFile::readHeader() {
  int32_t header[4] = {};
  if (file.size() < headerBytes)
    refuse("token file ", path, " is truncated: an llm.c header has ",
           headerBytes, " bytes, but the file has ", file.size(),
           "; write it again");
  std::memcpy(header, file.data(), sizeof(header));
  auto [magic, version, tokenCount, endPlusOne] = header;
  int32_t expected = magic == magic16 ? 1 : 7;
  if (version != expected)
    refuse("token file ", path, " has version ", version,
           " of the llm.c format with magic ", magic, ", expected version ",
           expected);
  width = magic == magic16 ? 2 : 4;
  format = concat("llm.c uint", 8 * width);
  tokens = file.data() + headerBytes;
  count = static_cast<uint32_t>(tokenCount);
  if (endPlusOne != 0)
    end = static_cast<int64_t>(static_cast<uint32_t>(endPlusOne)) - 1;
  checkCount(headerBytes);
}

void TokenFile::readNumpy() {
  std::optional<NumpyHeader> header = parseNumpyHeader(file.text());
  if (!header)
    refuse("token file ", path,
           " has a NumPy header that is damaged or of a newer version; write "
           "it again with numpy.save");
  const std::string &type = header->type;
  // "<u2": the order of the bytes, the kind and the number of bytes.
  bool isInteger = type.size() == 3 && (type[1] == 'u' || type[1] == 'i') &&
                   std::strchr("1248", type[2]);
  if (!isInteger)
    refuse("token file ", path, " is a NumPy array of type ",
           type.empty() ? "structure" : concat("'", type, "'"),
           ", but token ids are integers; write ids, as by "
           "boost_mlir.data.write_tokens");
  if (header->shape.size() != 1 || type[0] == '>')
    refuse(
        "token file ", path, " is a NumPy array of shape ",
        header->spellShape(), " and type '", type,
        "', expected one dimension of little-endian integers; convert it by ",
        conversionCommand(concat("numpy.load('", path, "').reshape(-1)")));
  width = type[2] - '0';
  isSigned = type[1] == 'i';
  format = concat("NumPy ", isSigned ? "int" : "uint", 8 * width);
  tokens = file.data() + header->bytes;
  count = header->shape[0];
  checkCount(header->bytes);
}

void TokenFile::readRaw() {
  if (file.size() == 0)
    refuse("token file ", path, " is empty");
  std::optional<ForeignFile> foreign = recognizeForeign(path, file.text());
  if (foreign)
    refuse("token file ", path, " is ", foreign->what,
           ", expected ids of llm.c, nanoGPT or a .npy file; ",
           foreign->remedy);
  if (file.size() % 2 != 0)
    refuse("token file ", path, " has no llm.c header and ", file.size(),
           " bytes: uint16 tokens need an even number; the file is truncated "
           "or of another kind");
  format = "raw uint16";
  tokens = file.data();
  count = file.size() / 2;
}

void TokenFile::checkCount(int64_t headerBytes) const {
  int64_t available = (file.size() - headerBytes) / width;
  if (available < count)
    refuse("token file ", path, " is truncated: its header promises ", count,
           " tokens, but ", available, " follow; write it again");
  if (file.size() - headerBytes != count * width)
    refuse("token file ", path, ": its header promises ", count, " tokens of ",
           width, " bytes, but ", file.size() - headerBytes,
           " bytes follow; write it again, or correct the header");
}

std::optional<int64_t> TokenFile::findOutside(int64_t limit, int64_t begin,
                                              int64_t end) const {
  return visit([&](auto *type) -> std::optional<int64_t> {
    using T = std::remove_pointer_t<decltype(type)>;
    // Whole blocks go through a maximum and a minimum, which vectorize.
    constexpr int64_t block = 4096;
    auto isInside = [&](T smallest, T largest) {
      return static_cast<int64_t>(smallest) >= 0 &&
             static_cast<int64_t>(largest) < limit;
    };
    for (int64_t start = begin; start < end; start += block) {
      int64_t stop = std::min(end, start + block);
      T smallest = 0, largest = 0;
      for (int64_t i = start; i < stop; ++i) {
        smallest = std::min(smallest, load(type, i));
        largest = std::max(largest, load(type, i));
      }
      if (isInside(smallest, largest))
        continue;
      for (int64_t i = start; i < stop; ++i)
        if (!isInside(load(type, i), load(type, i)))
          return i;
    }
    return std::nullopt;
  });
}
