//===- DocumentsTest.cpp - What train feeds beside tokens -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ProgramFixture.h"

using namespace boost_rt;

namespace {
constexpr uint16_t kEnd = 3, kPad = 5;

class DocumentsTest : public ProgramFixture {
protected:
  std::string train(const std::string &options) const {
    return "train --quiet --lr 0 --clip 0 --log " + path("log.jsonl") + " " +
           options;
  }

  /// Documents of three tokens or less, with padding here and there.
  static std::vector<uint16_t> makeTokens(int count) {
    std::vector<uint16_t> tokens;
    for (int i = 0; i < count; ++i)
      tokens.push_back(static_cast<uint16_t>(i % 3 == 2 || i % 7 == 5 ? kEnd
                                             : i % 4 == 1 ? kPad
                                                          : i * i % 8));
    return tokens;
  }

  /// Documents of four tokens: as long as `tiny-documents` takes them.
  static std::vector<uint16_t> makeLongDocuments(int count) {
    std::vector<uint16_t> tokens;
    for (int i = 0; i < count; ++i)
      tokens.push_back(i % 4 == 3 ? kEnd : 1);
    return tokens;
  }

  std::vector<double> valuesOf(const char *name) const {
    std::vector<double> values;
    for (const json &record : readLog())
      if (record.contains(name))
        values.push_back(record[name]);
    return values;
  }
};
} // namespace

// Two batches of four rows are an epoch, and what each token counts is found
// from the tokens before it.
TEST_F(DocumentsTest, masksPositionsAndNumbersAreFed) {
  const std::vector<uint16_t> tokens = makeTokens(35);
  auto masked = [](size_t at) { return at % 5 == 1; };
  writeDocuments("noted.bin", tokens, kEnd);
  std::ofstream mask(path("mask"), std::ios::binary);
  for (size_t at = 0; at < tokens.size(); ++at)
    mask.put(masked(at) ? 0 : 1);
  mask.close();
  const std::vector<float> table = Inputs().table;
  writeInputs({});
  auto expected = [&](size_t batch, bool byFile, bool byPad, bool byStart) {
    double loss = 0;
    for (size_t row = 0; row < 4; ++row) {
      size_t position = 0;
      for (size_t i = 0; i < 4; ++i) {
        size_t at = (batch % 2 * 4 + row) * 4 + i;
        bool counts = !(byFile && masked(at + 1)) &&
                      !(byPad && tokens[at + 1] == kPad) &&
                      !(byStart && tokens[at] == kEnd);
        double difference = static_cast<double>(table[tokens[at]]) -
                            static_cast<double>(tokens[at + 1]) / 4;
        if (counts)
          loss += static_cast<double>(1 + position) * difference * difference;
        position = tokens[at] == kEnd ? 0 : position + 1;
      }
    }
    return loss / 16;
  };
  for (int kinds = 1; kinds < 8; ++kinds) {
    SCOPED_TRACE(kinds);
    bool byFile = kinds & 1, byPad = kinds & 2, byStart = kinds & 4;
    std::string masks = concat(byFile ? " --mask " + path("mask") : "",
                               byPad ? concat(" --pad ", kPad) : "",
                               byStart ? " --mask-starts" : "");
    Outcome outcome =
        run("tiny-documents",
            train("--steps 3 --init " + path("in.safetensors") + " --data " +
                  path("noted.bin") + " --val-data " + path("noted.bin") +
                  masks + (byFile ? " --val-mask " + path("mask") : "")));
    ASSERT_EQ(outcome.exitCode, 0) << outcome.output;
    std::vector<double> losses = valuesOf("loss");
    ASSERT_EQ(losses.size(), 3u);
    double sum = 0;
    for (size_t batch = 0; batch < 3; ++batch) {
      double value = expected(batch, byFile, byPad, byStart);
      // The program adds the number of the batch, and ten times its key.
      EXPECT_NEAR(losses[batch], value + 11 * static_cast<double>(batch), 1e-5);
      sum += batch < 2 ? value : 0;
    }
    EXPECT_NEAR(valuesOf("val_loss").at(0), sum / 2 - 11, 1e-5);
  }
}

// Inputs and targets of their own come from rows of five tokens and the next. A
// mask of as many columns is that of the targets.
TEST_F(DocumentsTest, inputsAndTargetsAreFed) {
  auto token = [](size_t at) { return at * at % 7 % 4; };
  auto counts = [](size_t at) { return at % 3 != 1; };
  std::vector<uint16_t> tokens;
  std::string mask;
  for (size_t at = 0; at < 43; ++at) {
    tokens.push_back(static_cast<uint16_t>(token(at)));
    mask += counts(at) ? '\1' : '\0';
  }
  writeDocuments("plain.bin", tokens, {});
  std::ofstream(path("mask")) << mask;
  writeInputs({});
  const std::vector<float> table = Inputs().table;
  std::string common = train("--steps 2 --init ") + path("in.safetensors") +
                       " --data " + path("plain.bin") + " --mask " +
                       path("mask");
  std::string apart = " --batch tokens=inputs --batch positions=targets";
  Outcome outcome = run("tiny-documents", common + apart);
  ASSERT_EQ(outcome.exitCode, 0) << outcome.output;
  std::vector<double> losses = valuesOf("loss");
  ASSERT_EQ(losses.size(), 2u);
  for (size_t batch = 0; batch < 2; ++batch) {
    double loss = 0;
    for (size_t row = 0; row < 4; ++row)
      for (size_t i = 0; i < 4; ++i) {
        size_t at = (batch * 4 + row) * 5 + i;
        double difference = static_cast<double>(table[token(at)]) -
                            static_cast<double>(token(at + 1)) / 4;
        if (counts(at + 2))
          loss +=
              static_cast<double>(1 + token(at + 1)) * difference * difference;
      }
    EXPECT_NEAR(losses[batch], loss / 16 + 11 * static_cast<double>(batch),
                1e-5);
  }
  // 'positions' takes ids below 4, 'tokens' those below 8.
  tokens[40] = 4;
  writeDocuments("plain.bin", tokens, {});
  for (const std::string &feeds :
       {apart, std::string(" --batch tokens=targets --batch positions=inputs")})
    expectRefused("tiny-documents", common + feeds, 3,
                  {"token 40 is id 4, but this program was compiled for ids "
                   "below 4"});
}

// Every given option is used, and every needed option is given.
TEST_F(DocumentsTest, optionsFitTheProgram) {
  std::string mask = path("mask"), data = train("--steps 1 --data ");
  std::string plain = data + path("tokens.bin");
  for (const std::string &option :
       {"--mask " + mask, std::string("--mask-starts"),
        "--val-data " + path("tokens.bin") + " --val-mask " + mask,
        std::string("--pad 5")}) {
    size_t name = option.find("--val-mask");
    std::string word = option.substr(name == std::string::npos ? 0 : name);
    expectRefused("tiny", plain + " " + option, 2,
                  {word.substr(0, word.find(' ')) +
                       ": no batch argument of this program takes a mask",
                   "--batch NAME=mask"});
  }
  expectRefused("tiny", plain + " --eod 3", 2,
                {"--eod: no batch argument of this program takes positions or "
                 "segments"});

  writeDocuments("noted.bin", makeLongDocuments(35), kEnd);
  std::ofstream(mask) << std::string(35, '\1');
  std::string noted = data + path("noted.bin");
  auto accepted = [&](const std::string &arguments) {
    Outcome outcome = run("tiny-documents", arguments);
    EXPECT_EQ(outcome.exitCode, 0) << outcome.output;
  };
  auto misused = [&](const std::string &arguments, const std::string &message) {
    expectRefused("tiny-documents", arguments, 2, {message});
  };
  misused(noted, "this program takes a mask, and nothing says which tokens "
                 "count; give --mask FILE, --pad ID or --mask-starts");
  accepted(noted + " --mask " + mask);
  accepted(noted + " --mask-starts");
  accepted(noted + " --pad 5");
  accepted(noted + " --pad 5 --eod 3");
  const std::string masks = noted + " --eod 3 --batch positions=mask ";
  misused(masks + "--pad 5", "--eod: no batch argument of this program takes "
                             "positions or segments");
  accepted(masks + "--mask-starts");
  accepted(noted + " --pad 5 --eod 3 --batch positions=segments");
  misused(noted + " --pad 3 --eod 3", "--pad and --eod are both 3");
  std::string validated = noted + " --val-data " + path("noted.bin");
  accepted(validated + " --pad 5");
  misused(validated + " --mask " + mask,
          "--mask is given for --data, but no --val-mask for --val-data; both "
          "losses need one");
  misused(validated + " --pad 5 --val-mask " + mask,
          "--val-mask is given without --mask; both losses need one");
  accepted(validated + " --mask " + mask + " --val-mask " + mask);
}

TEST_F(DocumentsTest, everyFileSaysWhatEndsItsDocuments) {
  writeDocuments("noted.bin", makeLongDocuments(35), kEnd);
  writeDocuments("plain.bin", makeLongDocuments(35), {});
  std::string arguments = train("--steps 1 --pad 5 --data ") +
                          path("noted.bin") + " " + path("plain.bin");
  expectRefused("tiny-documents", arguments, 3,
                {"token file " + path("plain.bin") +
                 " does not say which token ends a document, which positions "
                 "follow from; give --eod ID"});
  EXPECT_EQ(run("tiny-documents", arguments + " --eod 3").exitCode, 0);
  for (const auto &[choice, what] : {std::pair("segments", "segments"),
                                     {"mask --mask-starts", "--mask-starts"}})
    expectRefused("tiny-documents", arguments + " --batch positions=" + choice,
                  3, {concat("which ", what, " follow from")});
  EXPECT_EQ(
      run("tiny-documents", arguments + " --batch positions=mask").exitCode, 0);
  // Without documents nothing follows from it.
  EXPECT_EQ(
      run("tiny", train("--steps 1 --data ") + path("plain.bin")).exitCode, 0);
}

// The table has four places. Those of rows that no batch takes do not matter.
TEST_F(DocumentsTest, positionsFitTheirTable) {
  std::vector<uint16_t> tokens = makeLongDocuments(25);
  auto steps = [&](int count) {
    return train(
        concat("--pad 5 --data ", path("long.bin"), " --steps ", count, " "));
  };
  auto expectFits = [&](const std::string &arguments) {
    Outcome outcome = run("tiny-documents", arguments);
    EXPECT_EQ(outcome.exitCode, 0) << outcome.output;
  };
  writeDocuments("long.bin", tokens, kEnd);
  expectFits(steps(4));
  // In the sixth and last row, in the second batch, only the last token has no
  // position.
  tokens[23] = 1;
  writeDocuments("long.bin", tokens, kEnd);
  expectFits(steps(1));
  std::vector<std::string> parts{
      "token file " + path("long.bin") +
      ": the row from token 20 has positions up to 4, but 'positions' of this "
      "program takes them up to 3; compile it with a larger table or type"};
  for (const std::string &arguments :
       {steps(2), steps(9), steps(1) + "--shuffle"})
    expectRefused("tiny-documents", arguments, 3, parts);
}

// Three documents of a row have numbers below four; a fourth has none.
TEST_F(DocumentsTest, segmentsFitTheirTable) {
  std::string arguments = train("--steps 1 --pad 5 --data ") +
                          path("short.bin") + " --batch positions=segments";
  std::vector<uint16_t> tokens(17, 1);
  tokens[12] = tokens[14] = kEnd;
  writeDocuments("short.bin", tokens, kEnd);
  EXPECT_EQ(run("tiny-documents", arguments).exitCode, 0);
  tokens[15] = kEnd;
  writeDocuments("short.bin", tokens, kEnd);
  expectRefused("tiny-documents", arguments, 3,
                {"the row from token 12 has segments up to 4, but 'positions' "
                 "of this program takes them up to 3"});
}

// An i8 holds them up to 127, and half a key up to 2^31 - 1.
TEST_F(DocumentsTest, numbersOfBatchesFitTheirType) {
  writeDocuments("noted.bin", makeLongDocuments(35), kEnd);
  std::string arguments =
      train("--pad 5 --data ") + path("noted.bin") + " --steps ";
  EXPECT_EQ(run("tiny-documents", arguments + "128").exitCode, 0);
  expectRefused("tiny-documents", arguments + "129", 3,
                {"'number' of i8 takes the number of the batch, which goes up "
                 "to 128; use a wider type or fewer steps"});
  expectRefused("tiny-documents", arguments + "2147483649", 3,
                {"'key' of i32 takes the number of the batch, which goes up to "
                 "2147483648; "});
}
