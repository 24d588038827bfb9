//===- ForeignFile.cpp - Files that are no token files --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/ForeignFile.h"
#include "common/Failure.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

using namespace boost_rt;
using namespace std::string_view_literals;

/// Kinds that no mark tells are told by so many bytes from the beginning.
static constexpr size_t sampleBytes = 1 << 16;

std::string boost_rt::conversionCommand(const std::string &expression,
                                        const std::string &modules) {
  return concat("python -c \"import numpy", modules.empty() ? "" : ", ",
                modules,
                "; from boost_mlir import data; data.write_tokens("
                "'tokens.bin', ",
                expression, ")\"");
}

/// Writes the path for FILE.
static std::string insertPath(std::string text, const std::string &path) {
  constexpr std::string_view placeholder = "FILE";
  for (size_t at = 0; (at = text.find(placeholder, at)) != std::string::npos;
       at += path.size())
    text.replace(at, placeholder.size(), path);
  return text;
}

//===----------------------------------------------------------------------===//
// Formats with a mark
//===----------------------------------------------------------------------===//

namespace {
/// The mark of a format, and what it is. The remedy is a command; one that
/// begins with '=' is an expression for conversionCommand(), with the modules
/// that it needs.
struct Mark {
  size_t offset;
  std::string_view bytes;
  const char *what;
  const char *remedy;
  const char *modules = "";
};
} // namespace

static const Mark marks[] = {
    {0, "\x1f\x8b\x08"sv, "a gzip archive", "gunzip FILE"},
    {0, "\x28\xb5\x2f\xfd"sv, "a zstd archive", "zstd -d FILE"},
    {0,
     "\xfd"
     "7zXZ\0"sv,
     "an xz archive", "xz -d FILE"},
    {4, "1AY&SY"sv, "a bzip2 archive", "bunzip2 FILE"},
    {0, "\x04\x22\x4d\x18"sv, "an lz4 archive", "lz4 -d FILE"},
    {257, "ustar"sv, "a tar archive", "tar -xf FILE"},
    {0, "PAR1"sv, "a Parquet file",
     "=numpy.concatenate(pyarrow.parquet.read_table('FILE')['input_ids']"
     ".to_numpy())",
     "pyarrow.parquet"},
    {0, "ARROW1\0\0"sv, "an Arrow file",
     "=numpy.concatenate(pyarrow.feather.read_table('FILE')['input_ids']"
     ".to_numpy())",
     "pyarrow.feather"},
    {0, "\x89HDF\r\n\x1a\n"sv, "an HDF5 file",
     "=h5py.File('FILE')['input_ids'][:]", "h5py"},
    {0, "\x80\x02\x8a\x0al\xfc\x9c"sv, "a file of torch.save",
     "=torch.load('FILE').numpy()", "torch"},
    {0, "MMIDIDX\0\0"sv, "an index of Megatron-LM",
     "=numpy.fromfile('FILE'.replace('.idx', '.bin'), '<i4')"},
    {0, "SQLite format 3\0"sv, "an SQLite database", nullptr},
    {0, "GGUF"sv, "a GGUF model", nullptr},
    {0, "%PDF-"sv, "a PDF document", "pdftotext FILE"},
    {0,
     "\x7f"
     "ELF"sv,
     "a program", nullptr},
};

static constexpr const char *noIds =
    "give the token file that `boost-data` writes";

static bool hasAt(std::string_view file, size_t offset,
                  std::string_view bytes) {
  return file.size() >= offset && file.substr(offset, bytes.size()) == bytes;
}

/// A file whose ids a Python expression with FILE for the path reads.
static ForeignFile convertible(const std::string &what, const std::string &path,
                               const std::string &expression,
                               const std::string &modules = "") {
  return {what,
          concat("convert its ids, as by ",
                 conversionCommand(insertPath(expression, path), modules))};
}

/// A file that a command with FILE for the path turns into another one.
static ForeignFile packed(const std::string &what, const std::string &path,
                          const std::string &command) {
  return {what, concat("unpack or convert it, as by `",
                       insertPath(command, path), "`")};
}

static ForeignFile describe(const Mark &mark, const std::string &path) {
  if (!mark.remedy)
    return {mark.what, noIds};
  return mark.remedy[0] == '='
             ? convertible(mark.what, path, mark.remedy + 1, mark.modules)
             : packed(mark.what, path, mark.remedy);
}

/// The integer at an offset of a file that is long enough.
template <typename T> static T integerAt(std::string_view file, size_t offset) {
  T value;
  std::memcpy(&value, file.data() + offset, sizeof(value));
  return value;
}

/// A zip archive is told by the name of its first member.
static std::optional<ForeignFile> recognizeZip(const std::string &path,
                                               std::string_view file) {
  constexpr size_t nameOffset = 30, lengthOffset = 26;
  if (!hasAt(file, 0, "PK\x03\x04") || file.size() < nameOffset)
    return std::nullopt;
  std::string_view name =
      file.substr(nameOffset, integerAt<uint16_t>(file, lengthOffset));
  auto has = [&](std::string_view part) {
    return name.find(part) != std::string_view::npos;
  };
  if (has(".npy"))
    return convertible("a .npz archive of NumPy", path,
                       "numpy.load('FILE')['arr_0']");
  if (has("data.pkl") || has(".format_version"))
    return convertible("a file of torch.save", path,
                       "torch.load('FILE').numpy()", "torch");
  return packed("a zip archive", path, "unzip FILE");
}

static std::optional<ForeignFile> recognizeSafetensors(const std::string &path,
                                                       std::string_view file) {
  constexpr size_t begin = sizeof(uint64_t);
  if (file.size() <= begin || file[begin] != '{')
    return std::nullopt;
  auto length = integerAt<uint64_t>(file, 0);
  if (length < 2 || length > file.size() - begin)
    return std::nullopt;
  return convertible("a safetensors file", path,
                     "safetensors.numpy.load_file('FILE')['input_ids']",
                     "safetensors.numpy");
}

/// Recognizes a pickle of protocol 4 or later, which has frames: the length of
/// the first one follows the protocol.
static std::optional<ForeignFile> recognizePickle(const std::string &path,
                                                  std::string_view file) {
  constexpr size_t lengthOffset = 3, begin = lengthOffset + sizeof(uint64_t);
  if (file.size() < begin ||
      !(hasAt(file, 0, "\x80\x04\x95") || hasAt(file, 0, "\x80\x05\x95")) ||
      integerAt<uint64_t>(file, lengthOffset) > file.size() - begin)
    return std::nullopt;
  return convertible("a pickle of Python", path,
                     "pickle.load(open('FILE', 'rb'))", "pickle");
}

/// A stream of Arrow begins with the length of its schema and the place of the
/// schema's table.
static std::optional<ForeignFile> recognizeArrow(const std::string &path,
                                                 std::string_view file) {
  constexpr uint32_t mostBytes = 1 << 24, farthest = 64;
  if (!hasAt(file, 0, "\xff\xff\xff\xff") || file.size() < 12)
    return std::nullopt;
  auto length = integerAt<uint32_t>(file, 4);
  auto place = integerAt<uint32_t>(file, 8);
  if (length == 0 || length % 8 != 0 || length > mostBytes || place < 4 ||
      place > farthest)
    return std::nullopt;
  return convertible(
      "an Arrow stream, as of Hugging Face datasets", path,
      "numpy.concatenate(datasets.Dataset.from_file('FILE')['input_ids'])",
      "datasets");
}

/// Files of llm.c begin with the day of their format.
static std::optional<ForeignFile> recognizeLlmc(std::string_view file) {
  static const std::pair<int32_t, const char *> kinds[] = {
      {20240326, "model"},
      {20240327, "debug state"},
      {20240328, "tokenizer"},
      {20240522, "multiple-choice evaluation"},
      {20240527, "optimizer state"}};
  int32_t magic = file.size() < 4 ? 0 : integerAt<int32_t>(file, 0);
  for (auto [known, what] : kinds)
    if (magic == known)
      return ForeignFile{
          concat("an llm.c file of another kind (", what, ", ", magic, ")"),
          noIds};
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// Returns true if the bytes are UTF-8, up to a character that is cut off at
/// the end.
static bool isUTF8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    auto lead = static_cast<uint8_t>(text[i++]);
    int rest = lead < 0x80    ? 0
               : lead < 0xc2  ? -1
               : lead < 0xe0  ? 1
               : lead < 0xf0  ? 2
               : lead <= 0xf4 ? 3
                              : -1;
    if (rest < 0)
      return false;
    for (; rest > 0 && i < text.size(); --rest, ++i)
      if ((static_cast<uint8_t>(text[i]) & 0xc0) != 0x80)
        return false;
  }
  return true;
}

/// Returns true if the sample is unlikely to be ids: every tenth byte of random
/// ids is a control character, and half of them are not UTF-8. Encodings other
/// than UTF-8 are recognized in longer samples only.
static bool isText(std::string_view sample) {
  constexpr size_t leastBytes = 32, leastOtherBytes = 512;
  auto isControl = [](char c) {
    auto byte = static_cast<uint8_t>(c);
    bool isSpace = (byte >= '\a' && byte <= '\r') || byte == '\x1b';
    return (byte < ' ' && !isSpace) || byte == 0x7f;
  };
  return sample.size() >= leastBytes &&
         std::none_of(sample.begin(), sample.end(), isControl) &&
         (sample.size() >= leastOtherBytes || isUTF8(sample));
}

/// Text of two bytes a character behind a mark of their order.
static bool isUTF16(std::string_view sample) {
  constexpr size_t leastBytes = 32;
  bool isBigEndian = hasAt(sample, 0, "\xfe\xff");
  if (sample.size() < leastBytes ||
      (!isBigEndian && !hasAt(sample, 0, "\xff\xfe")))
    return false;
  bool expectsLow = false;
  for (size_t i = 2; i + 1 < sample.size(); i += 2) {
    auto unit = integerAt<uint16_t>(sample, i);
    if (isBigEndian)
      unit = __builtin_bswap16(unit);
    bool isLow = unit >= 0xdc00 && unit < 0xe000;
    bool isSpace = unit >= '\a' && unit <= '\r';
    if (isLow != expectsLow || (unit < ' ' && !isSpace) || unit >= 0xfffe)
      return false;
    expectsLow = unit >= 0xd800 && unit < 0xdc00;
  }
  return true;
}

static std::optional<ForeignFile> recognizeText(const std::string &path,
                                                std::string_view sample) {
  if (isUTF16(sample))
    return packed("text in UTF-16", path, "iconv -f utf-16 -t utf-8 FILE");
  if (!isText(sample))
    return std::nullopt;
  if (sample.find_first_not_of("0123456789,;[] \t\r\n"sv) ==
      std::string_view::npos)
    return convertible(
        "ids in decimal digits", path,
        "[int(i) for i in re.findall('[0-9]+', open('FILE').read())]", "re");
  size_t first = sample.find_first_not_of(" \t\r\n");
  bool isJson = first != std::string_view::npos &&
                (sample[first] == '{' || sample[first] == '[');
  return ForeignFile{
      isJson ? "JSON" : "plain text",
      concat(isJson ? "take the text out of it and convert that by "
                    : "convert it by ",
             "`boost-data --input ", isJson ? "TEXT" : path,
             " -o tokens.bin`, where each byte is a token, or with --tokenizer "
             "tokenizer.json")};
}

//===----------------------------------------------------------------------===//
// Wider integers
//===----------------------------------------------------------------------===//

/// Integers of 4 or 8 bytes, as pairs or quadruples of uint16: the upper ones
/// are 0, or below 16 where the vocabulary is larger than 65,536.
static bool looksLikeIntegers(std::string_view file, size_t width) {
  constexpr size_t leastCount = 32;
  constexpr uint16_t largestUpper = 15, largeLower = 4096;
  std::string_view sample = file.substr(0, sampleBytes);
  size_t count = sample.size() / width;
  if (count < leastCount || file.size() % width != 0)
    return false;
  uint16_t lower = 0, upper = 0;
  for (size_t i = 0; i < count; ++i) {
    std::array<uint16_t, 4> parts{};
    std::memcpy(parts.data(), sample.data() + i * width, width);
    if (parts[2] != 0 || parts[3] != 0)
      return false;
    lower = std::max(lower, parts[0]);
    upper = std::max(upper, parts[1]);
  }
  return upper == 0 ? lower > 0 : upper <= largestUpper && lower >= largeLower;
}

static std::optional<ForeignFile> recognizeIntegers(const std::string &path,
                                                    std::string_view file) {
  for (size_t width : {8, 4})
    if (looksLikeIntegers(file, width)) {
      auto read = [&](const std::string &type) {
        return conversionCommand(
            concat("numpy.fromfile('", path, "', '", type, "')"));
      };
      return ForeignFile{
          concat("raw integers of ", 8 * width, " bits"),
          concat("convert it by ", read(concat("<u", width)),
                 ", or with '<u2' if it has uint16 of which every second is "
                 "0")};
    }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

std::optional<ForeignFile> boost_rt::recognizeForeign(const std::string &path,
                                                      std::string_view file) {
  for (const Mark &mark : marks)
    if (hasAt(file, mark.offset, mark.bytes))
      return describe(mark, path);
  for (auto *recognize :
       {recognizeZip, recognizeSafetensors, recognizePickle, recognizeArrow})
    if (auto found = recognize(path, file))
      return found;
  if (auto llmc = recognizeLlmc(file))
    return llmc;
  if (auto text = recognizeText(path, file.substr(0, sampleBytes)))
    return text;
  return recognizeIntegers(path, file);
}
