//===- TokenFilesTest.cpp - Token files, masks and files of other kinds ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeTest.h"
#include "common/MaskFile.h"
#include "common/TokenFile.h"

#include <array>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <sys/wait.h>

using namespace boost_rt;
using namespace std::string_literals;

template <typename T> static std::string bytesOf(const std::vector<T> &values) {
  return std::string(reinterpret_cast<const char *>(values.data()),
                     values.size() * sizeof(T));
}

static std::string headerOf(int32_t magic, int32_t version, int32_t count) {
  std::vector<int32_t> header(256);
  header[0] = magic;
  header[1] = version;
  header[2] = count;
  return bytesOf(header);
}

static std::vector<int64_t> readTokens(const std::string &content) {
  TemporaryFile file("tokens.bin", content);
  TokenFile tokens(file.path);
  std::vector<int64_t> values;
  for (int64_t i = 0; i < tokens.size(); ++i)
    values.push_back(tokens[i]);
  return values;
}

static std::string tokenMessage(const std::string &content) {
  TemporaryFile file("tokens.bin", content);
  return messageOf([&] { TokenFile tokens(file.path); });
}

TEST(TokenFile, readsTheThreeFormats) {
  std::vector<uint16_t> tokens{5, 0, 65535};
  std::vector<uint32_t> wide{5, 0, 128000};
  EXPECT_EQ(readTokens(bytesOf(tokens)), (std::vector<int64_t>{5, 0, 65535}));
  EXPECT_EQ(readTokens("\5"s + '\0'), (std::vector<int64_t>{5}));
  EXPECT_EQ(readTokens(headerOf(20240520, 1, 0)), std::vector<int64_t>());
  EXPECT_EQ(readTokens(headerOf(20240520, 1, 3) + bytesOf(tokens)),
            (std::vector<int64_t>{5, 0, 65535}));
  EXPECT_EQ(readTokens(headerOf(20240801, 7, 3) + bytesOf(wide)),
            (std::vector<int64_t>{5, 0, 128000}));
}

// The header has the token that ends a document plus one, or nothing.
TEST(TokenFile, headersTellTheEndsOfDocuments) {
  auto endOf = [](int32_t endPlusOne) {
    std::string header = headerOf(20240520, 1, 0);
    std::memcpy(header.data() + 12, &endPlusOne, sizeof(endPlusOne));
    TemporaryFile file("ends.bin", header);
    return TokenFile(file.path).endOfDocument();
  };
  EXPECT_EQ(endOf(0), std::nullopt);
  EXPECT_EQ(endOf(1), 0);
  EXPECT_EQ(endOf(50257), 50256);
}

TEST(TokenFile, namesItsFormat) {
  auto formatOf = [](const std::string &content) {
    TemporaryFile file("format.bin", content);
    return TokenFile(file.path).getFormat();
  };
  EXPECT_EQ(formatOf("\1\0"s), "raw uint16");
  EXPECT_EQ(formatOf(headerOf(20240520, 1, 0)), "llm.c uint16");
  EXPECT_EQ(formatOf(headerOf(20240801, 7, 0)), "llm.c uint32");
}

TEST(TokenFile, damagedFilesAreRefused) {
  std::string header = headerOf(20240520, 1, 3);
  EXPECT_SAYS(tokenMessage(""), "empty");
  EXPECT_SAYS(tokenMessage("abc"),
              "has no llm.c header and 3 bytes: uint16 tokens need an even "
              "number");
  // Four bytes that are the number of a format.
  EXPECT_SAYS(tokenMessage(header.substr(0, 4)),
              "truncated: an llm.c header has 1024 bytes, but the file has 4");
  EXPECT_SAYS(tokenMessage(header.substr(0, 1023)), "the file has 1023;");
  EXPECT_SAYS(tokenMessage(header + "1234"), "promises 3 tokens, but 2 follow");
  EXPECT_SAYS(tokenMessage(headerOf(20240520, 2, 0)),
              "has version 2 of the llm.c format with magic 20240520, expected "
              "version 1");
  EXPECT_SAYS(tokenMessage(headerOf(20240801, 1, 0)),
              "has version 1 of the llm.c format with magic 20240801, expected "
              "version 7");
  EXPECT_SAYS(tokenMessage(headerOf(20240801, 7, 2) + "1234567"),
              "promises 2 tokens, but 1 follow");
  // If there are more bytes than the header says, some would not be trained on.
  EXPECT_SAYS(tokenMessage(header + "12345678"),
              "its header promises 3 tokens of 2 bytes, but 8 bytes follow");
  EXPECT_SAYS(tokenMessage(header + "1234567"), "but 7 bytes follow");
  EXPECT_SAYS(messageOf([] { TokenFile tokens("/nowhere/t.bin"); }),
              "/nowhere/t.bin");
  // A pipe that nobody writes, and a device without an end.
  TemporaryFile pipe("tokens.pipe");
  ASSERT_EQ(::mkfifo(pipe.path.c_str(), 0600), 0);
  for (const std::string &path : {"/tmp"s, "/dev/zero"s, pipe.path})
    EXPECT_SAYS(
        messageOf([&] { TokenFile tokens(path); }),
        concat("cannot read token file ", path, ": not a regular file"));
}

//===----------------------------------------------------------------------===//
// Arrays of NumPy
//===----------------------------------------------------------------------===//

/// A .npy file of version 1, or of another.
static std::string arrayOf(const std::string &header, const std::string &data,
                           char version = 1) {
  std::string length(version == 1 ? 2 : 4, '\0');
  uint32_t bytes = static_cast<uint32_t>(header.size());
  std::memcpy(length.data(), &bytes, length.size());
  return "\x93NUMPY"s + version + '\0' + length + header + data;
}

static std::string headerOfArray(const std::string &type,
                                 const std::string &shape) {
  return concat("{'descr': '", type,
                "', 'fortran_order': False, 'shape': ", shape, ", }      \n");
}

TEST(TokenFile, readsArraysOfNumpy) {
  auto read = [](const std::string &type, const std::string &data,
                 const std::string &shape = "(2,)") {
    return readTokens(arrayOf(headerOfArray(type, shape), data));
  };
  auto bytes = [](auto... ids) {
    return bytesOf(std::vector<std::common_type_t<decltype(ids)...>>{ids...});
  };
  using Ids = std::vector<int64_t>;
  EXPECT_EQ(read("|u1", bytes(uint8_t(5), uint8_t(255))), (Ids{5, 255}));
  EXPECT_EQ(read("|i1", bytes(int8_t(5), int8_t(-1))), (Ids{5, -1}));
  EXPECT_EQ(read("<u2", bytes(uint16_t(5), uint16_t(65535))), (Ids{5, 65535}));
  EXPECT_EQ(read("<i2", bytes(int16_t(5), int16_t(-2))), (Ids{5, -2}));
  EXPECT_EQ(read("<u4", bytes(5u, 0x80000000u)), (Ids{5, 0x80000000}));
  EXPECT_EQ(read("<i4", bytes(5, -3)), (Ids{5, -3}));
  EXPECT_EQ(read("<i8", bytes(int64_t(5), int64_t(-4))), (Ids{5, -4}));
  EXPECT_EQ(read("<u8", bytes(uint64_t(5), ~uint64_t(0))), (Ids{5, -1}));
  EXPECT_EQ(read("<i4", "", "(0,)"), Ids());
  // Other versions, orders of the members, quotes and spaces; an L of Python 2.
  for (char version : {1, 2, 3})
    EXPECT_EQ(
        readTokens(arrayOf(headerOfArray("<i4", "(1,)"), bytes(7), version)),
        Ids{7});
  EXPECT_EQ(readTokens(arrayOf("{\"shape\":(1L,),  'fortran_order' : True, "
                               "'descr' : '<i4'}",
                               bytes(7))),
            Ids{7});
  TemporaryFile file(
      "odd.npy", arrayOf(headerOfArray("<i4", "(2,)") + "   ", bytes(5, -3)));
  TokenFile tokens(file.path);
  EXPECT_EQ(tokens.getFormat(), "NumPy int32");
  EXPECT_EQ(tokens.findOutside(6, 0, 2), 1);
  EXPECT_EQ(tokens.findOutside(6, 0, 1), std::nullopt);
  EXPECT_EQ(tokens.findOutside(5, 0, 2), 0);
}

// A negative id of 16 bits is below a vocabulary as an unsigned one.
TEST(TokenFile, findsNegativeIds) {
  std::vector<int16_t> ids(5000, 3);
  ids[4999] = -20000;
  TemporaryFile file("negative.npy",
                     arrayOf(headerOfArray("<i2", "(5000,)"), bytesOf(ids)));
  TokenFile tokens(file.path);
  EXPECT_EQ(tokens.findOutside(50257, 0, 5000), 4999);
}

TEST(TokenFile, arraysThatAreNoIds) {
  auto message = [](const std::string &type, const std::string &shape,
                    const std::string &data) {
    return tokenMessage(arrayOf(headerOfArray(type, shape), data));
  };
  const std::string eight(8, '\0');
  for (const char *type : {"<f4", "<f8", "|b1", "<c8", "|O", "<U4", "<M8[s]"})
    EXPECT_SAYS(message(type, "(1,)", eight),
                concat("is a NumPy array of type '", type,
                       "', but token ids are integers"));
  EXPECT_SAYS(tokenMessage(arrayOf("{'descr': [('a', '<i4'), ('b', '<i4')], "
                                   "'fortran_order': False, 'shape': (1,)}",
                                   eight)),
              "of type structure, but");
  for (const char *shape : {"()", "(2, 1)", "(1, 1, 2)"})
    EXPECT_SAYS(message("<i4", shape, eight),
                concat("of shape ", shape, " and type '<i4', expected one"));
  EXPECT_SAYS(message(">i4", "(2,)", eight), ".reshape(-1))\"");
  EXPECT_SAYS(message("<i4", "(3,)", eight), "promises 3 tokens, but 2 follow");
  EXPECT_SAYS(message("<i4", "(1,)", eight),
              "promises 1 tokens of 4 bytes, but 8 bytes follow");
  EXPECT_SAYS(message("<i8", "(9223372036854775807,)", eight), "promises 9223");
}

TEST(TokenFile, damagedArraysAreRefused) {
  const std::string whole = arrayOf(headerOfArray("<i4", "(1,)"), "1234");
  ASSERT_EQ(tokenMessage(whole), "");
  std::vector<std::string> files{arrayOf("", ""),
                                 arrayOf("{}", ""),
                                 arrayOf(headerOfArray("<i4", "(-1,)"), ""),
                                 arrayOf(headerOfArray("<i4", "(1 2)"), ""),
                                 arrayOf(headerOfArray("<i4", "(1,"), ""),
                                 arrayOf(headerOfArray("<i4", "1"), ""),
                                 arrayOf("{'descr': '<i4', 'shape': (1,)}", ""),
                                 arrayOf("{'descr': [[, 'shape': (1,)}", ""),
                                 arrayOf("{'descr: 1}", ""),
                                 arrayOf("{'other': 1}", ""),
                                 arrayOf(headerOfArray("<i4", "(1,)"), "", 4)};
  for (size_t size = 6; size < whole.size() - 5; ++size)
    files.push_back(whole.substr(0, size));
  for (const std::string &file : files)
    EXPECT_SAYS(tokenMessage(file),
                "a NumPy header that is damaged or of a newer version");
}

//===----------------------------------------------------------------------===//
// Files of other kinds
//===----------------------------------------------------------------------===//

/// Returns the recognized kind of a file "tokens.bin" with this beginning, the
/// rest of which is noise.
static std::string kindOf(const std::string &beginning) {
  std::string noise;
  for (uint32_t i = 0, state = 1; i < 2000; ++i)
    noise += static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
  return tokenMessage(beginning + noise.substr(beginning.size() % 2));
}

TEST(ForeignFile, isToldByItsMark) {
  auto integer = [](auto value) {
    return std::string(reinterpret_cast<const char *>(&value), sizeof(value));
  };
  auto zip = [&](const std::string &name) {
    return "PK\3\4"s + std::string(22, '\0') +
           integer(static_cast<uint16_t>(name.size())) + "\0\0"s + name;
  };
  const std::vector<std::array<std::string, 3>> kinds = {
      {"\x1f\x8b\x08"s, "is a gzip archive", "`gunzip "},
      {"\x28\xb5\x2f\xfd"s, "is a zstd archive", "`zstd -d "},
      {"\xfd"s + "7zXZ\0"s, "is an xz archive", "`xz -d "},
      {"BZh91AY&SY", "is a bzip2 archive", "`bunzip2 "},
      {"\x04\x22\x4d\x18"s, "is an lz4 archive", "`lz4 -d "},
      {std::string(257, 'a') + "ustar", "is a tar archive", "`tar -xf "},
      {"PAR1", "is a Parquet file", "pyarrow.parquet.read_table("},
      {"ARROW1\0\0"s, "is an Arrow file", "pyarrow.feather.read_table("},
      {integer(~0u) + integer(128u) + integer(16u), "is an Arrow stream",
       "datasets.Dataset.from_file("},
      {"\x89HDF\r\n\x1a\n"s, "is an HDF5 file", "h5py.File("},
      {"\x80\x04\x95"s + integer(uint64_t(9)), "is a pickle", "pickle.load("},
      {"\x80\x02\x8a\x0al\xfc\x9c"s, "is a file of torch.save", "torch.load("},
      {"MMIDIDX\0\0"s, "is an index of Megatron-LM", "numpy.fromfile("},
      {"SQLite format 3\0"s, "is an SQLite database", "boost-data"},
      {"GGUF", "is a GGUF model", "boost-data"},
      {"%PDF-", "is a PDF document", "`pdftotext "},
      {"\x7f"s + "ELF", "is a program", "boost-data"},
      {zip("arr_0.npy"), "is a .npz archive", "numpy.load("},
      {zip("archive/data.pkl"), "is a file of torch.save", "torch.load("},
      {zip("notes.txt"), "is a zip archive", "`unzip "},
      {integer(uint64_t(2)) + "{}", "is a safetensors file",
       "safetensors.numpy.load_file("},
      {integer(20240326), "is an llm.c file of another kind (model",
       "boost-data"},
      {integer(20240522), "(multiple-choice evaluation", "boost-data"}};
  for (const auto &[beginning, what, remedy] : kinds) {
    std::string message = kindOf(beginning);
    EXPECT_SAYS(message, what);
    EXPECT_SAYS(message, remedy);
    // Its first bytes alone are not enough.
    EXPECT_EQ(kindOf(beginning.substr(0, 1)).find(what), std::string::npos);
  }
}

TEST(ForeignFile, textIsNoTokens) {
  auto repeated = [](const std::string &text) {
    std::string all;
    while (all.size() < 2000)
      all += text;
    return all;
  };
  EXPECT_SAYS(tokenMessage(repeated("Once upon a time.\n")),
              "is plain text, expected ids of llm.c, nanoGPT or a .npy file; "
              "convert it by `boost-data --input ");
  // UTF-8 is recognized in less text, and the end may be within a character.
  EXPECT_SAYS(tokenMessage("Es war einmal, \xc3\xa4lter als alle \xc3"),
              "is plain text");
  for (const char *text : {"\xe6\xbc\xa2\xe5\xad\x97", "caf\xe9 \xe0 la carte",
                           "\xf0\x9f\x98\x80 \x1b[0m\r\n"})
    EXPECT_SAYS(tokenMessage(repeated(text)), "is plain text");
  EXPECT_SAYS(tokenMessage(repeated("17 4096 3\n")),
              "is ids in decimal digits");
  EXPECT_SAYS(tokenMessage("[" + repeated("17, 4096, ") + "3]"),
              "re.findall('[0-9]+'");
  EXPECT_SAYS(tokenMessage(repeated(R"({"text": "Once"})")), "is JSON");
  EXPECT_SAYS(tokenMessage("\xff\xfe"s + repeated("O\0n\0c\0e\0"s)),
              "is text in UTF-16");
  EXPECT_SAYS(tokenMessage("\xfe\xff"s + repeated("\0O\0n\0c\0e"s)),
              "`iconv -f utf-16");
}

TEST(ForeignFile, widerIntegersAreNoTokens) {
  auto message = [](auto type, uint32_t mask) {
    std::vector<decltype(type)> ids;
    for (uint32_t i = 0, state = 1; i < 500; ++i)
      ids.push_back(static_cast<decltype(type)>(
          ((state = state * 1664525 + 1013904223) >> 8) & mask));
    return tokenMessage(bytesOf(ids));
  };
  for (uint32_t mask : {0xffu, 0xffffu, 0x1ffffu, 0xfffffu}) {
    EXPECT_SAYS(message(uint32_t(), mask),
                "is raw integers of 32 bits, expected ids of");
    EXPECT_SAYS(message(int64_t(), mask), "is raw integers of 64 bits");
  }
  EXPECT_SAYS(message(uint32_t(), 0xffff), "numpy.fromfile('");
  EXPECT_SAYS(message(uint32_t(), 0xffff), "', '<u4'))\"");
  // Those of 16 bits are tokens, be the vocabulary as small as it may.
  for (uint32_t mask : {1u, 3u, 15u, 0xffu, 0x7fffu, 0xffffu})
    EXPECT_EQ(message(uint16_t(), mask), "") << mask;
  EXPECT_EQ(tokenMessage(std::string(1000, '\0')), "");
}

// Ids of usual vocabularies in a random order, of any length.
TEST(ForeignFile, randomTokensAreTokens) {
  uint64_t state = 1;
  for (uint32_t vocabulary : {64u, 256u, 32000u, 50257u, 65536u})
    for (size_t count = 2; count < 400; ++count) {
      std::vector<uint16_t> ids;
      while (ids.size() < count)
        ids.push_back(static_cast<uint16_t>(
            ((state = state * 6364136223846793005u + 1442695040888963407u) >>
             33) %
            vocabulary));
      EXPECT_EQ(tokenMessage(bytesOf(ids)), "") << vocabulary << " " << count;
    }
}

TEST(MaskFile, bytesAreZeroOrOne) {
  TemporaryFile file("mask.bin", std::string("\0\1\2\xff", 4));
  EXPECT_EQ(messageOf([&] { MaskFile mask(file.path, "x.bin", 5); }),
            concat("mask file ", file.path,
                   " has 4 bytes, but x.bin has 5 tokens, and a mask has one "
                   "byte for each; write it with that token file"));
  MaskFile mask(file.path, "x.bin", 4);
  EXPECT_EQ(messageOf([&] { mask.check(0, 2); }), "");
  EXPECT_SAYS(messageOf([&] { mask.check(0, 3); }), ": byte 2 is 2,");
  EXPECT_SAYS(messageOf([&] { mask.check(3, 4); }), ": byte 3 is 255,");
}

/// Reads a file that became shorter, between two that did not.
static void readWhatIsGone(const std::string &intact,
                           const std::string &shorter) {
  TokenFile first(intact);
  TokenFile second(shorter);
  TokenFile third(intact);
  std::filesystem::resize_file(shorter, 0);
  second.findOutside(0xffff, 0, second.size());
  ::_exit(0);
}

static void readAloneWhatIsGone(const std::string &shorter) {
  TokenFile file(shorter);
  std::filesystem::resize_file(shorter, 0);
  file.findOutside(0xffff, 0, file.size());
  ::_exit(0);
}

static void faultElsewhere(const std::string &path) {
  TokenFile file(path);
  std::raise(SIGBUS);
  ::_exit(0);
}

TEST(TokenFile, becomesShorterWhileItIsRead) {
  const std::string tokens(1 << 16, '\1');
  TemporaryFile intact("intact.bin", tokens), shorter("shorter.bin", tokens);
  EXPECT_EXIT(readWhatIsGone(intact.path, shorter.path),
              testing::ExitedWithCode(3),
              "error: .*shorter.bin became shorter");
  TemporaryFile alone("alone.bin", tokens);
  EXPECT_EXIT(readAloneWhatIsGone(alone.path), testing::ExitedWithCode(3),
              "error: .*alone.bin became shorter");
  // Killed, or ended by the sanitizer that watches.
  auto diedOtherwise = [](int status) {
    return !WIFEXITED(status) ||
           (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 3);
  };
  EXPECT_EXIT(faultElsewhere(intact.path), diedOtherwise, "");
}

TEST(TokenFile, findsTheFirstIdOutOfRange) {
  std::vector<uint16_t> values(10000, 7);
  values[9000] = values[9001] = 8;
  TemporaryFile file("limit.bin", bytesOf(values));
  TokenFile tokens(file.path);
  EXPECT_EQ(tokens.findOutside(8, 0, 10000), 9000);
  EXPECT_EQ(tokens.findOutside(8, 9001, 10000), 9001);
  EXPECT_EQ(tokens.findOutside(8, 0, 9000), std::nullopt);
  EXPECT_EQ(tokens.findOutside(9, 0, 10000), std::nullopt);
}

// As int32 these would be negative.
TEST(TokenFile, findsIdsFrom2To31) {
  std::vector<uint32_t> values{5, 6, 0x80000000u, 0xffffffffu};
  std::string content = headerOf(20240801, 7, 4) + bytesOf(values);
  EXPECT_EQ(readTokens(content),
            (std::vector<int64_t>{5, 6, 0x80000000, 0xffffffff}));
  TemporaryFile file("wide.bin", content);
  TokenFile tokens(file.path);
  EXPECT_EQ(tokens.findOutside(8, 0, 4), 2);
  EXPECT_EQ(tokens.findOutside(0x80000000, 0, 4), 2);
  EXPECT_EQ(tokens.findOutside(0x80000001, 0, 4), 3);
  EXPECT_EQ(tokens.findOutside(int64_t(1) << 32, 0, 4), std::nullopt);
}
