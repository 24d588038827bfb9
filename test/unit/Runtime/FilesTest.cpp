//===- FilesTest.cpp - Safetensors files and checksums --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuntimeTest.h"
#include "common/Checksum.h"
#include "common/SafeTensors.h"
#include "common/TensorFiles.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace boost_rt;
using namespace std::string_literals;

//===----------------------------------------------------------------------===//
// Safetensors
//===----------------------------------------------------------------------===//

TEST(SafeTensors, roundTrip) {
  TemporaryFile file("round-trip.safetensors");
  std::vector<float> a{1, 2, 3, 4, 5, 6};
  std::vector<int64_t> b{-7};
  {
    SafeTensorsWriter writer(file.path, {{"layers.0.a", BOOST_RT_F32, {2, 3}},
                                         {"b", BOOST_RT_I64, {}},
                                         {"empty", BOOST_RT_BF16, {0, 4}}});
    writer.write(0, a.data());
    writer.write(1, b.data());
    writer.finish();
  }
  SafeTensorsReader reader(file.path);
  ASSERT_EQ(reader.getEntries().size(), 3u);
  const auto *entry = reader.find("layers.0.a");
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->type, BOOST_RT_F32);
  EXPECT_EQ(entry->shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(std::memcmp(entry->data, a.data(), 24), 0);
  EXPECT_EQ(std::memcmp(reader.find("b")->data, b.data(), 8), 0);
  EXPECT_EQ(reader.find("empty")->bytes, 0);
  EXPECT_EQ(reader.find("c"), nullptr);
}

// Texts that a file says of itself are read again, and are under its checksum.
TEST(TensorFiles, notesOfAFile) {
  TemporaryFile file("notes.safetensors");
  float value[2] = {1, 2};
  EXPECT_EQ(writeTensorFile(file.path, {{"a", BOOST_RT_F32, {2}, value}},
                            {{"digest", "0123abcd"}}),
            "");
  SafeTensorsReader reader(file.path);
  EXPECT_EQ(reader.getMetadata("digest"), "0123abcd");
  EXPECT_EQ(reader.getMetadata("format"), "pt");
  EXPECT_FALSE(reader.getChecksum().empty());
  EXPECT_EQ(std::memcmp(reader.find("a")->data, value, sizeof(value)), 0);
}

TEST(SafeTensors, unfinishedFileLeavesNothing) {
  TemporaryFile file("unfinished.safetensors");
  {
    SafeTensorsWriter writer(file.path, {{"a", BOOST_RT_F32, {2}}});
  }
  EXPECT_TRUE(namesBeside(file.path).empty());
}

TEST(SafeTensors, unwrittenHeaderLeavesNothing) {
  TemporaryFile file("limited.safetensors");
  struct rlimit old;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old), 0);
  struct rlimit none = {0, old.rlim_max};
  auto handler = std::signal(SIGXFSZ, SIG_IGN);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &none), 0);
  std::string message = messageOf(
      [&] { SafeTensorsWriter writer(file.path, {{"a", BOOST_RT_F32, {2}}}); });
  ::setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  EXPECT_NE(message.find(file.path), std::string::npos) << message;
  EXPECT_TRUE(namesBeside(file.path).empty());
}

// Whoever may write to the folder could put a link to a file of the user there
// if the name were known.
TEST(SafeTensors, temporaryNamesCannotBeForeseen) {
  TemporaryFile victim("victim.txt", "precious");
  TemporaryFile file("shared.safetensors");
  TemporaryFile planted(concat("shared.safetensors.", ::getpid(), ".tmp"));
  ASSERT_EQ(::symlink(victim.path.c_str(), planted.path.c_str()), 0);
  float value[2] = {1, 2};
  SafeTensorsWriter writer(file.path, {{"a", BOOST_RT_F32, {2}}});
  SafeTensorsWriter other(file.path, {{"a", BOOST_RT_F32, {2}}});
  EXPECT_EQ(namesBeside(file.path).size(), 3u);
  writer.write(0, value);
  writer.finish();
  std::ifstream kept(victim.path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(kept), {}), "precious");
  EXPECT_TRUE(std::filesystem::is_symlink(planted.path));
}

TEST(SafeTensors, filesHaveThePermissionsOfTheUmask) {
  TemporaryFile file("permissions.safetensors");
  mode_t old = ::umask(027);
  SafeTensorsWriter writer(file.path, {});
  writer.finish();
  ::umask(old);
  struct stat status;
  ASSERT_EQ(::stat(file.path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

// A long run writes many checkpoints.
TEST(SafeTensors, noFileStaysOpen) {
  auto countOpen = [] {
    std::filesystem::directory_iterator files("/proc/self/fd");
    return std::distance(begin(files), end(files));
  };
  auto before = countOpen();
  TemporaryFile file("open.safetensors");
  {
    SafeTensorsWriter writer(file.path, {});
    writer.finish();
    SafeTensorsReader reader(file.path);
  }
  EXPECT_EQ(countOpen(), before);
}

TEST(SafeTensors, unwritablePathIsNamed) {
  EXPECT_EQ(
      messageOf([] { SafeTensorsWriter writer("/nowhere/x.safetensors", {}); }),
      "cannot write /nowhere/x.safetensors: No such file or directory; create "
      "its folder first, or write elsewhere");
  EXPECT_EQ(messageOf([] { SafeTensorsWriter writer("/tmp", {}); }),
            "cannot write /tmp: it is not a regular file");
}

// More than is written at once, by one byte.
TEST(SafeTensors, largeTensorsAreWrittenInParts) {
  TemporaryFile file("large.safetensors");
  std::string bytes((16 << 20) + 1, 'x');
  bytes.front() = bytes.back() = 'y';
  SafeTensorsWriter writer(
      file.path, {{"a", BOOST_RT_I8, {static_cast<int64_t>(bytes.size())}}});
  writer.write(0, bytes.data());
  writer.finish();
  SafeTensorsReader reader(file.path);
  EXPECT_EQ(std::string_view(reader.find("a")->data, bytes.size()), bytes);
}

TEST(MappedFile, errorsNameTheRemedy) {
  std::string missing = "; give the path of a file that exists on every node";
  EXPECT_EQ(describeReadError(ENOENT), std::strerror(ENOENT) + missing);
  EXPECT_EQ(describeReadError(ENOTDIR), std::strerror(ENOTDIR) + missing);
  EXPECT_EQ(
      describeReadError(EACCES),
      concat(std::strerror(EACCES), "; make the file readable for this user"));
  EXPECT_EQ(describeReadError(EIO), std::strerror(EIO));
}

/// A file with this header and this many zero bytes of data.
static std::string fileWith(const std::string &header, size_t dataBytes) {
  uint64_t length = header.size();
  std::string content(reinterpret_cast<const char *>(&length), sizeof(length));
  return content + header + std::string(dataBytes, '\0');
}

static std::string readMessage(const std::string &content) {
  TemporaryFile file("malformed.safetensors", content);
  return messageOf([&] { SafeTensorsReader reader(file.path); });
}

TEST(SafeTensors, malformedFilesAreRefused) {
  const std::string good =
      R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})";
  EXPECT_EQ(readMessage(fileWith(good, 8)), "");
  EXPECT_EQ(readMessage(fileWith("{}", 0)), "");
  EXPECT_SAYS(readMessage(""), "it has 0 bytes, too few for a header");
  EXPECT_SAYS(readMessage("1234567"), "it has 7 bytes, too few for a header");
  EXPECT_SAYS(readMessage(std::string(8, '\0')), "not a JSON object");
  EXPECT_SAYS(readMessage(fileWith(good, 7)),
              "is truncated: tensor 'a' ends at byte 8 of the data, but only 7 "
              "are there");
  EXPECT_SAYS(readMessage(fileWith(good, 8).substr(0, 30)),
              "is truncated: its header has 54 bytes, but only 22 follow");
  EXPECT_SAYS(readMessage(fileWith(good, 0).substr(0, 8 + 53)),
              "is truncated: its header has 54 bytes, but only 53 follow");
  EXPECT_SAYS(readMessage(std::string(100, '\xff')), "not a safetensors file");
  auto headerOfBytes = [](uint64_t length) {
    return std::string(reinterpret_cast<const char *>(&length), sizeof(length));
  };
  EXPECT_SAYS(readMessage(headerOfBytes(100'000'000)),
              "its header has 100000000 bytes, but only 0 follow");
  EXPECT_SAYS(readMessage(headerOfBytes(100'000'001)),
              "its first 8 bytes give a header of 100000001 bytes");
  EXPECT_SAYS(readMessage(fileWith("{", 0)), "not a JSON object");
  EXPECT_SAYS(readMessage(fileWith("[1]", 0)), "not a JSON object");
  EXPECT_SAYS(readMessage(fileWith(R"({"a":1})", 0)), "malformed");
  EXPECT_SAYS(readMessage(fileWith(R"({"a":{"dtype":"F32","shape":[2]}})", 8)),
              "malformed");
}

TEST(SafeTensors, wrongOffsetsAreRefused) {
  auto entry = [](const std::string &shape, const std::string &offsets) {
    return fileWith(R"({"a":{"dtype":"F32","shape":)" + shape +
                        R"(,"data_offsets":)" + offsets + "}}",
                    16);
  };
  EXPECT_EQ(readMessage(entry("[2,2]", "[0,16]")), "");
  EXPECT_SAYS(readMessage(entry("[2]", "[8,0]")), "data_offsets");
  EXPECT_SAYS(readMessage(entry("[2]", "[-8,0]")), "data_offsets");
  EXPECT_SAYS(readMessage(entry("[2]", "[0]")),
              "tensor 'a' has malformed data_offsets [0]");
  EXPECT_SAYS(readMessage(entry("[2]", "[0,8,16]")), "data_offsets [0,8,16]");
  EXPECT_SAYS(readMessage(entry("[2]", "[16,24]")),
              "ends at byte 24 of the data, but only 16 are there");
  EXPECT_SAYS(readMessage(entry("[3]", "[0,8]")),
              "of shape [3] and type F32 does not fit its 8 bytes");
  EXPECT_SAYS(readMessage(entry("[-2]", "[0,8]")), "does not fit");
  // Both are negative an even number of times.
  EXPECT_SAYS(readMessage(entry("[-2,-2]", "[0,16]")), "does not fit");
  // The number of bytes wraps around to 0, and that of elements does not.
  EXPECT_SAYS(readMessage(entry("[4611686018427387904]", "[0,0]")),
              "does not fit its 0 bytes");
  EXPECT_SAYS(readMessage(entry("[4294967296,4294967296]", "[0,0]")),
              "does not fit");
  std::string overlapping =
      R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
      R"("b":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})";
  EXPECT_SAYS(readMessage(fileWith(overlapping, 16)),
              "the bytes of tensors 'a' and 'b' overlap");
  // A tensor without bytes has no position.
  std::string empty =
      R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
      R"("b":{"dtype":"F32","shape":[0],"data_offsets":[4,4]}})";
  EXPECT_EQ(readMessage(fileWith(empty, 8)), "");
}

// The compiler's tools read tensors that exist and have the same shape.
TEST(TensorFiles, outcomeOfEveryTensor) {
  TemporaryFile file(
      "outcomes.safetensors",
      fileWith(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
               R"("b":{"dtype":"F8_E4M3","shape":[2],"data_offsets":[8,10]},)"
               R"("c":{"dtype":"I32","shape":[1,3],"data_offsets":[12,24]},)"
               R"("d":{"dtype":"F8_E4M3","shape":[2],"data_offsets":[10,12]}})",
               24));
  std::vector<double> floats(4, 1);
  std::vector<int64_t> integers(3, 1);
  using Outcome = TensorRead::Outcome;
  std::vector<TensorRead> reads{{"a", {2}, BOOST_RT_F64, floats.data()},
                                {"b", {2}, BOOST_RT_F64, floats.data() + 2},
                                {"c", {3, 1}, BOOST_RT_I64, integers.data()},
                                {"d", {1, 2}, BOOST_RT_F64, floats.data() + 2},
                                {"e", {2}, BOOST_RT_F64, floats.data() + 2},
                                {"c", {1, 3}, BOOST_RT_I64, integers.data()}};
  EXPECT_EQ(readTensorFile(file.path, reads), "");
  std::vector<Outcome> outcomes;
  std::vector<std::string> found;
  for (const TensorRead &read : reads) {
    outcomes.push_back(read.outcome);
    found.push_back(read.found);
  }
  EXPECT_EQ(outcomes,
            (std::vector{Outcome::done, Outcome::misfit, Outcome::misfit,
                         Outcome::misfit, Outcome::missing, Outcome::done}));
  EXPECT_EQ(found,
            (std::vector<std::string>{"F32[2]", "F8_E4M3[2]", "I32[1, 3]",
                                      "F8_E4M3[2]", "", "I32[1, 3]"}));
  EXPECT_EQ(floats, (std::vector<double>{0, 0, 1, 1}));
  EXPECT_EQ(integers, (std::vector<int64_t>{0, 0, 0}));
}

// The format demands both, and two readers could see two tensors in one file.
TEST(SafeTensors, duplicateNamesAndUncoveredBytesAreRefused) {
  const std::string a = R"("a":{"dtype":"F32","shape":[2],"data_offsets":)";
  const std::string b = R"("b":{"dtype":"F32","shape":[2],"data_offsets":)";
  auto read = [&](const std::string &entries, size_t bytes) {
    return readMessage(fileWith("{" + entries + "}", bytes));
  };
  EXPECT_EQ(read(b + "[8,16]}," + a + "[0,8]}", 16), "");
  EXPECT_SAYS(read(a + "[0,8]}," + a + "[0,8]}", 8),
              "the name \"a\" is given twice");
  EXPECT_SAYS(
      read(a + "[0,8]}," + R"("\u0061":)" + a.substr(4) + "[8,16]}", 16),
      "the name \"a\" is given twice");
  EXPECT_SAYS(
      read(
          R"("a":{"dtype":"F32","shape":[2],"shape":[2],"data_offsets":[0,8]})",
          8),
      "the name \"shape\" is given twice");
  EXPECT_SAYS(read(a + "[0,8]}", 9), "bytes 8 to 9 of the data");
  EXPECT_SAYS(read(a + "[4,12]}", 12), "bytes 0 to 4 of the data");
  EXPECT_SAYS(read(a + "[0,8]}," + b + "[12,20]}", 20),
              "bytes 8 to 12 of the data");
  EXPECT_SAYS(read("", 1), "bytes 0 to 1 of the data");
}

/// A file with checksums, of two tensors and one without elements.
static std::string writtenFile() {
  TemporaryFile file("written.safetensors");
  std::vector<float> a{1, 2, 3, 4, 5, 6};
  std::vector<int64_t> b{-7};
  SafeTensorsWriter writer(file.path, {{"a", BOOST_RT_F32, {2, 3}},
                                       {"b", BOOST_RT_I64, {}},
                                       {"empty", BOOST_RT_BF16, {0, 4}}});
  writer.write(0, a.data());
  writer.write(1, b.data());
  writer.finish();
  std::ifstream content(file.path, std::ios::binary);
  return {std::istreambuf_iterator<char>(content), {}};
}

/// Reads the header and every tensor; what was wrong, or nothing.
static std::string checkMessage(const std::string &content) {
  TemporaryFile file("checked.safetensors", content);
  return messageOf([&] {
    SafeTensorsReader reader(file.path);
    for (const auto &[name, entry] : reader.getEntries())
      reader.check(entry, name);
  });
}

TEST(SafeTensors, everyFlippedBitIsFound) {
  std::string good = writtenFile();
  ASSERT_EQ(checkMessage(good), "");
  // One name of a checksum is that of the header; the others are in it.
  size_t seal = good.find("\"xxh3\"");
  for (size_t i = 0; i < good.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = good;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      TemporaryFile file("flipped.safetensors", damaged);
      std::string message = checkMessage(damaged);
      if (!message.empty())
        continue;
      // Such a file has no checksum of its header, which checkpoints must have.
      EXPECT_TRUE(i > seal && i < seal + 5) << i << " " << bit;
      EXPECT_EQ(SafeTensorsReader(file.path).getChecksum(), "");
    }
  for (size_t length = 0; length < good.size(); ++length)
    EXPECT_NE(checkMessage(good.substr(0, length)), "") << length;
  EXPECT_SAYS(checkMessage(good.substr(0, good.size() - 8) + "12345678"),
              "the bytes of tensor 'b'");
}

TEST(SafeTensors, otherTypesAndMetadataAreKeptApart) {
  TemporaryFile file(
      "types.safetensors",
      fileWith(R"({"__metadata__":{"format":"pt"},)"
               R"("a":{"dtype":"F8_E4M3","shape":[3],"data_offsets":[0,3]}})",
               3));
  SafeTensorsReader reader(file.path);
  ASSERT_EQ(reader.getEntries().size(), 1u);
  EXPECT_FALSE(reader.find("a")->type);
  EXPECT_EQ(reader.find("a")->typeName, "F8_E4M3");
  EXPECT_EQ(reader.getMetadata("format"), "pt");
  EXPECT_EQ(reader.getMetadata("boost.initial_values"), "");
}

// The format knows texts only.
TEST(SafeTensors, otherMetadataIsNotRead) {
  for (const char *metadata :
       {R"("pt")", "3", R"(["pt"])", R"({"format":3,"xxh3":4,"xxh3:a":5})"}) {
    TemporaryFile file("metadata.safetensors",
                       fileWith(concat(R"({"__metadata__":)", metadata,
                                       R"(,"a":{"dtype":"I8","shape":[1],)",
                                       R"("data_offsets":[0,1]}})"),
                                1));
    SafeTensorsReader reader(file.path);
    EXPECT_EQ(reader.getEntries().size(), 1u);
    EXPECT_EQ(reader.getChecksum(), "");
    EXPECT_EQ(reader.find("a")->checksum, "");
    EXPECT_EQ(reader.getMetadata("format"), "");
    EXPECT_EQ(reader.getMetadata(""), "");
  }
}

TEST(SafeTensors, partsAreRead) {
  TemporaryFile file("parts.safetensors");
  std::vector<float> a{1, 2, 3, 4};
  {
    SafeTensorsWriter writer(file.path, {{"a", BOOST_RT_F32, {4}}});
    writer.write(0, a.data());
    writer.finish();
  }
  SafeTensorsReader reader(file.path);
  std::vector<double> part(2);
  EXPECT_TRUE(SafeTensorsReader::read(*reader.find("a"), 1, BOOST_RT_F64,
                                      part.data(), 2));
  EXPECT_EQ(part, (std::vector<double>{2, 3}));
  // Data begins where eight bytes do.
  EXPECT_EQ(std::filesystem::file_size(file.path) % 8, 0u);
}

TEST(SafeTensors, unsignedIntegersKeepBitsOrValue) {
  auto header = [](const char *type, int width) {
    return concat(R"({"a":{"dtype":")", type,
                  R"(","shape":[1],"data_offsets":[0,)", width, "]}}");
  };
  auto read = [&](const char *type, uint64_t value, int width, auto to,
                  auto expected) {
    TemporaryFile file("unsigned.safetensors",
                       fileWith(header(type, width), 0) +
                           std::string(reinterpret_cast<const char *>(&value),
                                       static_cast<size_t>(width)));
    SafeTensorsReader reader(file.path);
    decltype(expected) result{};
    bool fits = SafeTensorsReader::read(*reader.find("a"), 0, to, &result, 1);
    return fits && result == expected;
  };
  EXPECT_TRUE(read("U8", 200, 1, BOOST_RT_I8, int8_t(-56)));
  EXPECT_TRUE(read("U8", 200, 1, BOOST_RT_I32, int32_t(200)));
  EXPECT_TRUE(read("U16", 65000, 2, BOOST_RT_I16, int16_t(-536)));
  EXPECT_TRUE(read("U16", 65000, 2, BOOST_RT_I32, int32_t(65000)));
  EXPECT_TRUE(read("I16", 65000, 2, BOOST_RT_I32, int32_t(-536)));
  EXPECT_FALSE(read("U32", 65536, 4, BOOST_RT_I16, int16_t(0)));
  EXPECT_TRUE(read("U32", 0xfffffff0u, 4, BOOST_RT_I32, int32_t(-16)));
  EXPECT_TRUE(read("U32", 0xfffffff0u, 4, BOOST_RT_I64, int64_t(0xfffffff0)));
  EXPECT_TRUE(read("U64", 7, 8, BOOST_RT_I32, int32_t(7)));
  EXPECT_TRUE(read("U8", 1, 1, BOOST_RT_I1, true));
  EXPECT_FALSE(read("U8", 2, 1, BOOST_RT_I1, true));
  EXPECT_FALSE(read("U64", ~uint64_t(0), 8, BOOST_RT_I32, int32_t(-1)));
  EXPECT_FALSE(read("U32", 128, 4, BOOST_RT_I8, int8_t(-128)));
  EXPECT_TRUE(read("BOOL", 1, 1, BOOST_RT_I1, true));
  EXPECT_TRUE(read("BOOL", 0, 1, BOOST_RT_I32, int32_t(0)));
  EXPECT_FALSE(read("BOOL", 2, 1, BOOST_RT_I1, true));
  EXPECT_FALSE(read("BOOL", 255, 1, BOOST_RT_I32, int32_t(255)));
}

// Every prefix and every damaged byte of a file is read or refused, never
// crashed on.
TEST(SafeTensors, damagedBytesNeverCrash) {
  std::string good =
      fileWith(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 8);
  for (size_t length = 0; length < good.size(); ++length)
    EXPECT_NE(readMessage(good.substr(0, length)), "");
  for (size_t i = 0; i < good.size(); ++i)
    for (char bit : {1, 8, 64}) {
      std::string damaged = good;
      damaged[i] = static_cast<char>(damaged[i] ^ bit);
      readMessage(damaged);
    }
}

// A value of as many letters under that name; what stands before it is data.
TEST(Checksum, sealsOneValue) {
  const std::string value(16, '0'), name = R"("xxh3":)";
  auto sealed = [&](const std::string &before) {
    return seal(before + name + "  \"" + value + "\"}");
  };
  for (const std::string &before :
       {"{"s, "{" + name + "4,", "{" + name + R"("0123","a":"01234567890",)",
        "{" + name + '"' + std::string(17, '1') + "\","}) {
    std::string text = sealed(before);
    EXPECT_TRUE(isSealed(text)) << text;
    EXPECT_EQ(text.substr(0, before.size()), before);
    EXPECT_EQ(text.find(value), std::string::npos) << text;
    text.back() = ' ';
    EXPECT_FALSE(isSealed(text)) << text;
  }
  EXPECT_FALSE(isSealed(""));
  EXPECT_FALSE(isSealed("{" + name));
  EXPECT_FALSE(isSealed("{" + name + "  "));
  EXPECT_FALSE(isSealed("{" + name + R"("0123"})"));
}
