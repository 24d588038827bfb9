//===- TokenWindowsTest.cpp - Windows of token files, and their facts -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/TokenWindows.h"
#include "RuntimeTest.h"
#include "driver/TokenFacts.h"

#include <filesystem>

using namespace boost_rt;

/// Raw uint16 tokens, or with a header that says what ends a document.
static std::string bytesOf(const std::vector<int> &tokens,
                           std::optional<int32_t> end = std::nullopt) {
  std::string bytes;
  if (end) {
    std::vector<int32_t> header(256);
    header[0] = 20240520;
    header[1] = 1;
    header[2] = static_cast<int32_t>(tokens.size());
    header[3] = *end + 1;
    bytes.assign(reinterpret_cast<const char *>(header.data()), 1024);
  }
  for (int token : tokens) {
    auto narrow = static_cast<uint16_t>(token);
    bytes.append(reinterpret_cast<const char *>(&narrow), sizeof(narrow));
  }
  return bytes;
}

namespace {
/// Three files of 2, 1 and 3 windows of 3 tokens. Of the 8 tokens of the first
/// and the 6 of the second the last ones are in no window.
class ThreeFiles {
public:
  explicit ThreeFiles(int changedFile = 0, int changed = -1)
      : a("a.bin", bytesWith(8, changedFile == 0 ? changed : -1)),
        b("b.bin", bytesWith(6, changedFile == 1 ? changed : -1)),
        c("c.bin", bytesWith(10, changedFile == 2 ? changed : -1)) {}

  std::vector<std::string> paths() const { return {a.path, b.path, c.path}; }

  TemporaryFile a, b, c;

private:
  static std::string bytesWith(int count, int changed) {
    std::vector<int> tokens(static_cast<size_t>(count), 5);
    if (changed >= 0)
      tokens.at(static_cast<size_t>(changed)) = 9;
    return bytesOf(tokens);
  }
};
} // namespace

TEST(TokenWindows, followFileByFile) {
  ThreeFiles files;
  TokenWindows windows(files.paths(), {}, 3);
  EXPECT_EQ(windows.size(), 6);
  EXPECT_EQ(windows.tokens(), 24);
  EXPECT_EQ(windows.describe(),
            concat("3 files from ", files.a.path, " to ", files.c.path));
  std::vector<std::pair<std::string, int64_t>> found;
  for (int64_t i = 0; i < 6; ++i) {
    TokenWindows::Window window = windows[i];
    found.emplace_back(window.file->getPath(), window.first);
    EXPECT_EQ(window.mask, nullptr);
  }
  EXPECT_EQ(found,
            (std::vector<std::pair<std::string, int64_t>>{{files.a.path, 0},
                                                          {files.a.path, 3},
                                                          {files.b.path, 0},
                                                          {files.c.path, 0},
                                                          {files.c.path, 3},
                                                          {files.c.path, 6}}));
  EXPECT_EQ(TokenWindows({files.b.path}, {}, 3).describe(), files.b.path);
  EXPECT_EQ(windows.describeFormats(), "raw uint16");
  TemporaryFile noted("noted.bin", bytesOf({1, 2, 3, 4}, 7));
  EXPECT_EQ(TokenWindows({files.b.path, noted.path, files.a.path}, {}, 3)
                .describeFormats(),
            "llm.c uint16, raw uint16");
}

TEST(TokenWindows, needOneWindowOfEachFile) {
  TemporaryFile exact("exact.bin", bytesOf({1, 2, 3, 4}));
  TemporaryFile less("less.bin", bytesOf({1, 2, 3}));
  EXPECT_EQ(TokenWindows({exact.path}, {}, 3).size(), 1);
  EXPECT_EQ(
      messageOf([&] { TokenWindows({exact.path, less.path}, {}, 3); }),
      concat("token file ", less.path,
             " has 3 tokens, but one row of a batch needs 4; use more data or "
             "a program with a shorter sequence"));
}

TEST(TokenWindows, namesMayBePatterns) {
  ThreeFiles files;
  std::string all = files.a.path;
  all.replace(all.size() - 5, 1, "?");
  TokenWindows windows({all}, {}, 3);
  EXPECT_EQ(windows.describe(),
            concat("3 files from ", files.a.path, " to ", files.c.path));
  EXPECT_EQ(expandPaths({"/nowhere/none"}, "token file"),
            std::vector<std::string>{"/nowhere/none"});
  EXPECT_EQ(messageOf([] { expandPaths({"/nowhere/*"}, "mask file"); }),
            "no mask file matches '/nowhere/*'; correct the pattern, or name "
            "the files");
  // A file may be called like a pattern.
  TemporaryFile odd("[ab].bin", bytesOf({1, 2, 3, 4}));
  EXPECT_EQ(expandPaths({odd.path}, "token file"),
            std::vector<std::string>{odd.path});
}

TEST(TokenWindows, haveAMaskEach) {
  ThreeFiles files;
  TemporaryFile a("a.mask", std::string(8, '\1'));
  TemporaryFile b("b.mask", std::string(6, '\1'));
  TemporaryFile c("c.mask", std::string(10, '\1'));
  TokenWindows windows(files.paths(), {a.path, b.path, c.path}, 3);
  EXPECT_EQ(windows[2].mask->getPath(), b.path);
  EXPECT_EQ(
      messageOf([&] { TokenWindows(files.paths(), {a.path, b.path}, 3); }),
      "there are 3 token files, but 2 mask files; give one for each, in the "
      "same order");
}

// The windows that are read are checked, whichever part a rank reads.
TEST(TokenWindows, idsAreChecked) {
  auto message = [](int file, int token, int64_t windows, int64_t parts) {
    ThreeFiles files(file, token);
    TokenWindows all(files.paths(), {}, 3);
    std::string found;
    int times = 0;
    for (int64_t part = 0; part < parts; ++part)
      if (std::string each =
              messageOf([&] { all.check(9, windows, part, parts); });
          !each.empty()) {
        found = each;
        ++times;
      }
    EXPECT_LE(times, 1);
    size_t begin = found.find(": token ");
    return found.empty() ? ""
                         : found.substr(begin + 2, found.find(',') - begin - 2);
  };
  for (int64_t parts : {1, 2, 3, 5}) {
    EXPECT_EQ(message(0, 0, 6, parts), "token 0 is id 9");
    EXPECT_EQ(message(0, 6, 6, parts), "token 6 is id 9");
    EXPECT_EQ(message(0, 7, 6, parts), "");
    EXPECT_EQ(message(1, 3, 6, parts), "token 3 is id 9");
    EXPECT_EQ(message(1, 4, 6, parts), "");
    EXPECT_EQ(message(2, 9, 6, parts), "token 9 is id 9");
    // Those of the first five only, of the first two, and of the first.
    EXPECT_EQ(message(2, 6, 5, parts), "token 6 is id 9");
    EXPECT_EQ(message(2, 7, 5, parts), "");
    EXPECT_EQ(message(1, 0, 2, parts), "");
    EXPECT_EQ(message(0, 3, 1, parts), "token 3 is id 9");
    EXPECT_EQ(message(0, 4, 1, parts), "");
  }
}

TEST(TokenWindows, masksAreChecked) {
  TemporaryFile tokens("tokens.bin", bytesOf({1, 2, 3, 4, 5, 6, 7, 8}));
  TemporaryFile mask("tokens.mask", std::string("\1\0\1\0\1\0\1\2", 8));
  TokenWindows windows({tokens.path}, {mask.path}, 3);
  // The last byte is in no window.
  EXPECT_EQ(messageOf([&] { windows.check(9, 2, 0, 1); }), "");
  TemporaryFile other("other.mask", std::string("\1\0\1\0\1\0\2\1", 8));
  TokenWindows others({tokens.path}, {other.path}, 3);
  EXPECT_NE(messageOf([&] { others.check(9, 2, 0, 1); }).find("byte 6 is 2"),
            std::string::npos);
}

//===----------------------------------------------------------------------===//
// Facts
//===----------------------------------------------------------------------===//

/// Returns the data of `feed` for tokens 3 to 8 of these ten, of which 7 ends
/// documents.
static std::vector<int64_t> factsOf(Feed feed, const TrainOptions &options,
                                    const std::string &maskBytes = "",
                                    int64_t first = 3) {
  TemporaryFile file("facts.bin", bytesOf({1, 2, 7, 3, 4, 7, 7, 5, 0, 0}, 7));
  TokenFile tokens(file.path);
  std::unique_ptr<TemporaryFile> maskFile;
  std::unique_ptr<MaskFile> mask;
  if (!maskBytes.empty()) {
    maskFile = std::make_unique<TemporaryFile>("facts.mask", maskBytes);
    mask = std::make_unique<MaskFile>(maskFile->path, file.path, 10);
  }
  // One more, which is not written.
  std::vector<int64_t> facts(7, -1);
  TokenFacts(options).read({&tokens, mask.get(), first}, 6, feed, facts.data());
  EXPECT_EQ(facts.back(), -1);
  facts.pop_back();
  return facts;
}

using Facts = std::vector<int64_t>;

TEST(TokenFacts, tokens) {
  for (Feed feed : {Feed::tokens, Feed::inputs, Feed::targets})
    EXPECT_EQ(factsOf(feed, {}), (Facts{3, 4, 7, 7, 5, 0}));
}

TEST(TokenFacts, positionsBeginWithARowAndAfterADocument) {
  EXPECT_EQ(factsOf(Feed::positions, {}), (Facts{0, 1, 2, 0, 0, 1}));
  EXPECT_EQ(factsOf(Feed::positions, {}, "", 2), (Facts{0, 0, 1, 2, 0, 0}));
  TrainOptions options;
  options.endOfDocument = 4;
  EXPECT_EQ(factsOf(Feed::positions, options), (Facts{0, 1, 0, 1, 2, 3}));
}

TEST(TokenFacts, segmentsCountDocumentsAndNoPadding) {
  EXPECT_EQ(factsOf(Feed::segments, {}), (Facts{1, 1, 1, 2, 3, 3}));
  EXPECT_EQ(factsOf(Feed::segments, {}, "", 2), (Facts{1, 2, 2, 2, 3, 4}));
  TrainOptions options;
  options.padding = 0;
  EXPECT_EQ(factsOf(Feed::segments, options), (Facts{1, 1, 1, 2, 3, 0}));
  options.padding = 7;
  EXPECT_EQ(factsOf(Feed::segments, options), (Facts{1, 1, 0, 0, 3, 3}));
}

TEST(TokenFacts, masksTakePaddingAndStartsAway) {
  EXPECT_EQ(factsOf(Feed::mask, {}), (Facts{1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(factsOf(Feed::mask, {}, "", 0), (Facts{1, 1, 1, 1, 1, 1}));
  const std::string bytes("\0\0\0\1\0\1\1\1\1\0", 10);
  EXPECT_EQ(factsOf(Feed::mask, {}, bytes), (Facts{1, 0, 1, 1, 1, 1}));
  TrainOptions options;
  options.padding = 0;
  EXPECT_EQ(factsOf(Feed::mask, options), (Facts{1, 1, 1, 1, 1, 0}));
  EXPECT_EQ(factsOf(Feed::mask, options, bytes), (Facts{1, 0, 1, 1, 1, 0}));
  options.maskStarts = true;
  EXPECT_EQ(factsOf(Feed::mask, options), (Facts{0, 1, 1, 0, 0, 0}));
  // The first of a file starts a document too.
  EXPECT_EQ(factsOf(Feed::mask, options, "", 0), (Facts{0, 1, 1, 0, 1, 1}));
  options.endOfDocument = 4;
  EXPECT_EQ(factsOf(Feed::mask, options), (Facts{1, 1, 0, 1, 1, 0}));
}
