//===- FeedsTest.cpp - What each batch argument takes ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Feeds.h"

#include "RuntimeTest.h"
#include "common/Failure.h"
#include "gtest/gtest.h"

using namespace boost_rt;

namespace {

/// A batch argument; `told` is what the program says it takes, or empty.
struct Argument {
  std::string name, type;
  std::vector<int64_t> shape;
  std::string told;
};

using Choices = std::vector<FeedChoice>;

Program makeProgram(const std::vector<Argument> &arguments) {
  nlohmann::ordered_json tensors = nlohmann::ordered_json::array();
  nlohmann::ordered_json inputs = {"w"};
  tensors.push_back({{"name", "w"},
                     {"role", "param"},
                     {"dtype", "f32"},
                     {"shape", {2}},
                     {"offset", 0},
                     {"bytes", 8}});
  for (const Argument &argument : arguments) {
    int64_t bytes =
        elementsOf(argument.shape) * sizeOf(*parseElementType(argument.type));
    tensors.push_back({{"name", argument.name},
                       {"role", "batch"},
                       {"dtype", argument.type},
                       {"shape", argument.shape},
                       {"offset", 0},
                       {"bytes", bytes}});
    if (!argument.told.empty())
      tensors.back()["feed"] = argument.told;
    inputs.push_back(argument.name);
  }
  nlohmann::ordered_json mesh = {{{"name", "tp"}, {"size", 1}}};
  nlohmann::ordered_json functions = {
      {"step", {{"inputs", inputs}, {"outputs", {"w"}}}}};
  nlohmann::ordered_json manifest = {{"format", 1},
                                     {"mesh", mesh},
                                     {"arena_bytes", 4096},
                                     {"tensors", tensors},
                                     {"functions", functions}};
  static const boost_program_function compiled[] = {
      {"step", [](boost_rt_context *, void *, void *) {}}, {nullptr, nullptr}};
  return Program(manifest.dump().c_str(), compiled);
}

const Schedule kStep{1, {ScheduledCall{"step", 0}}};

/// "inputs=a targets=b, 2 x 3", or the message.
std::string find(const std::vector<Argument> &arguments,
                 const Choices &choices = {}) {
  Program program = makeProgram(arguments);
  std::string text;
  std::string message = messageOf([&] {
    BatchFeeds feeds = findFeeds(program, kStep, choices);
    for (const FedArgument &fed : feeds.arguments) {
      text += concat(nameOf(fed.feed), "=", fed.tensor->name, " ");
      EXPECT_TRUE(feeds.take(fed.feed));
    }
    text += concat(feeds.rows, " x ", feeds.length);
  });
  return message.empty() ? text : message;
}

ExitCode exitOf(const std::vector<Argument> &arguments,
                const Choices &choices = {}) {
  Program program = makeProgram(arguments);
  try {
    findFeeds(program, kStep, choices);
  } catch (const Failure &failure) {
    return failure.code;
  }
  return ExitCode::done;
}

const Argument kA{"a", "i32", {2, 4}, ""}, kB{"b", "i32", {2, 4}, ""},
    kC{"c", "i64", {2, 4}, ""};

Argument told(Argument argument, const std::string &feed) {
  argument.told = feed;
  return argument;
}

TEST(Feeds, oneArgumentTakesTokens) {
  EXPECT_EQ(find({kA}), "tokens=a 2 x 3");
  EXPECT_EQ(find({told(kA, "tokens")}), "tokens=a 2 x 3");
  EXPECT_EQ(find({kC}), "tokens=c 2 x 3");
}

TEST(Feeds, theOtherOfAPairFollows) {
  EXPECT_EQ(find({told(kA, "inputs"), kB}), "inputs=a targets=b 2 x 4");
  EXPECT_EQ(find({kA, told(kB, "inputs")}), "targets=a inputs=b 2 x 4");
  EXPECT_EQ(find({told(kA, "targets"), kB}), "targets=a inputs=b 2 x 4");
  EXPECT_EQ(find({kA, kB}, {{"b", Feed::inputs}}), "targets=a inputs=b 2 x 4");
  EXPECT_EQ(find({kA, kB}, {{"b", Feed::targets}}), "inputs=a targets=b 2 x 4");
  EXPECT_EQ(find({told(kA, "inputs"), told(kB, "targets")}),
            "inputs=a targets=b 2 x 4");
}

TEST(Feeds, theCommandLineGoesBeforeTheProgram) {
  EXPECT_EQ(
      find({told(kA, "inputs"), told(kB, "targets")}, {{"a", Feed::targets}}),
      "targets=a inputs=b 2 x 4");
  // One of a pair is chosen: no argument takes both.
  EXPECT_EQ(find({told(kA, "tokens"), kB}, {{"b", Feed::inputs}}),
            "targets=a inputs=b 2 x 4");
  EXPECT_EQ(find({told(kA, "tokens"), kB}, {{"b", Feed::targets}}),
            "inputs=a targets=b 2 x 4");
  EXPECT_EQ(find({told(kA, "tokens"), kB}, {{"b", Feed::mask}}),
            "tokens=a mask=b 2 x 3");
  EXPECT_EQ(find({told(kA, "mask"), kB}, {{"a", Feed::positions}}),
            "positions=a tokens=b 2 x 3");
}

TEST(Feeds, factsBesideTokens) {
  EXPECT_EQ(find({kA,
                  {"m", "f32", {2, 3}, "mask"},
                  {"p", "i32", {2, 4}, "positions"},
                  {"s", "i32", {2, 3}, "segments"},
                  {"n", "i64", {}, "step"},
                  {"k", "i32", {2}, "key"}}),
            "tokens=a mask=m positions=p segments=s step=n key=k 2 x 3");
  // With inputs and targets, a column more is that of the next token.
  EXPECT_EQ(find({told(kA, "inputs"), kB, {"m", "i1", {2, 5}, "mask"}}),
            "inputs=a targets=b mask=m 2 x 4");
}

TEST(Feeds, whatTheTypeCannotTakeIsNotTold) {
  std::string message = find({kA, {"m", "f32", {2, 3}, "positions"}});
  EXPECT_NE(message.find("'m' [2, 3] of f32: mask\n"), std::string::npos)
      << message;
  message = find({kA, {"n", "i32", {}, "key"}});
  EXPECT_NE(message.find("'n' [] of i32: step\n"), std::string::npos)
      << message;
  message = find({kA, {"k", "i32", {2}, "step"}});
  EXPECT_NE(message.find("'k' [2] of i32: key\n"), std::string::npos)
      << message;
}

TEST(Feeds, batchesThatATokenFileCannotFill) {
  const char *integers = ": token files hold integers";
  const char *neither =
      ": neither rows of tokens nor a single integer nor a key";
  auto expectRefused = [](const Argument &argument, const std::string &why) {
    std::string message = find({kA, argument});
    EXPECT_NE(message.find("'x' " + shapeToString(argument.shape) + " of " +
                           argument.type + why),
              std::string::npos)
        << message;
  };
  expectRefused({"x", "f32", {}, ""}, integers);
  expectRefused({"x", "f32", {2}, ""}, integers);
  expectRefused({"x", "f32", {2, 3, 4}, ""}, integers);
  expectRefused({"x", "i1", {}, ""}, neither);
  expectRefused({"x", "i32", {3}, ""}, neither);
  expectRefused({"x", "i32", {1}, ""}, neither);
  expectRefused({"x", "i64", {2}, ""}, neither);
  expectRefused({"x", "i32", {2, 3, 4}, ""}, neither);

  std::string message = find({{"x", "f32", {2, 4}, ""}});
  EXPECT_NE(message.find("'x' [2, 4] of f32: token files hold integers"),
            std::string::npos)
      << message;
  message = find({{"x", "i1", {2, 4}, ""}});
  EXPECT_NE(message.find("'x' [2, 4] of i1: neither"), std::string::npos)
      << message;
  message = find({{"n", "i32", {}, "step"}});
  EXPECT_NE(message.find("no argument of this program takes tokens"),
            std::string::npos)
      << message;
  EXPECT_EQ(exitOf({{"n", "i32", {}, "step"}}), ExitCode::inputRefused);
}

TEST(Feeds, choicesThatAreNone) {
  auto expectMisuse = [](const std::vector<Argument> &arguments,
                         const Choices &choices, const std::string &expected) {
    std::string message = find(arguments, choices);
    EXPECT_NE(message.find(expected), std::string::npos) << message;
    EXPECT_EQ(exitOf(arguments, choices), ExitCode::usage);
  };
  expectMisuse({kA, kB}, {{"d", Feed::inputs}},
               "--batch d=inputs names no batch argument of this program; it "
               "has 'a', 'b'");
  expectMisuse({kA, kB}, {{"a", Feed::inputs}, {"a", Feed::targets}},
               "--batch is given twice for 'a'");
  expectMisuse({kA, kB}, {{"a", Feed::inputs}, {"b", Feed::inputs}},
               "--batch gives inputs to both 'a' and 'b', but one of them "
               "takes targets");
  expectMisuse({kA, kB}, {{"a", Feed::targets}, {"b", Feed::targets}},
               "but one of them takes inputs");
  expectMisuse({kA, kB}, {{"a", Feed::step}},
               "--batch a=step: 'a' [2, 4] of i32 cannot take it; it takes a "
               "single integer");
  expectMisuse({kA, kB}, {{"a", Feed::key}}, "the two words of a key");
  Argument scalar{"n", "i32", {}, "step"}, floats{"m", "f32", {2, 4}, "mask"};
  expectMisuse({kA, scalar}, {{"n", Feed::mask}}, "it takes [rows, tokens]");
  expectMisuse({kA, floats}, {{"m", Feed::inputs}},
               "it takes integers [rows, tokens]");
  expectMisuse({kA}, {{"a", Feed::inputs}},
               "--batch: 'a' is the only batch argument of tokens of this "
               "program and takes inputs and targets together");
  expectMisuse({kA}, {{"a", Feed::targets}}, "'a' is the only batch argument");
  expectMisuse({kA}, {{"a", Feed::mask}},
               "no batch argument is left for tokens");
}

TEST(Feeds, severalMayHaveTheSameFact) {
  EXPECT_EQ(find({kA, kB, kC}, {{"b", Feed::mask}, {"c", Feed::mask}}),
            "tokens=a mask=b mask=c 2 x 3");
}

TEST(Feeds, twoReadingsAreRefused) {
  std::string message = find({kA, kB});
  EXPECT_NE(message.find("either 'a' <- inputs, 'b' <- targets, or 'a' <- "
                         "targets, 'b' <- inputs; say so with --batch "
                         "'a=inputs' or --batch 'a=targets'"),
            std::string::npos)
      << message;
  EXPECT_EQ(exitOf({kA, kB}), ExitCode::inputRefused);
}

TEST(Feeds, otherReadingsAreListed) {
  auto expectReadings = [](const std::vector<Argument> &arguments,
                           const std::string &expected,
                           const Choices &choices = {}) {
    std::string message = find(arguments, choices);
    EXPECT_NE(message.find(expected + "\nsay so with --batch"),
              std::string::npos)
        << message;
  };
  expectReadings({kA, kB, kC},
                 "\n  'a' [2, 4] of i32: inputs, targets, mask, positions, "
                 "segments\n  'b' [2, 4] of i32: inputs, targets, mask, "
                 "positions, segments\n  'c' [2, 4] of i64: inputs, targets, "
                 "mask, positions, segments");
  // Feeds of another argument are not listed.
  expectReadings({told(kA, "inputs"), kB, kC},
                 "\n  'b' [2, 4] of i32: targets, mask, positions, "
                 "segments\n  'c' [2, 4] of i64: targets, mask, positions, "
                 "segments");
  expectReadings({told(kA, "targets"), kB, kC},
                 "\n  'b' [2, 4] of i32: inputs, mask, positions, segments\n"
                 "  'c' [2, 4] of i64: inputs, mask, positions, segments");
  expectReadings({told(kA, "tokens"), kB},
                 "\n  'b' [2, 4] of i32: inputs, targets, mask, positions, "
                 "segments");
  expectReadings({told(kA, "inputs"), told(kB, "targets"), kC},
                 "\n  'c' [2, 4] of i64: mask, positions, segments");
  // One of two is no integer.
  expectReadings({told(kA, "tokens"), {"m", "f32", {2, 4}, ""}, kC},
                 "\n  'm' [2, 4] of f32: mask\n  'c' [2, 4] of i64: inputs, "
                 "targets, mask, positions, segments");
  // Neither of two is the other of a pair.
  expectReadings({told(kA, "tokens"), kB, kC},
                 "\n  'b' [2, 4] of i32: inputs, targets, mask, positions, "
                 "segments\n  'c' [2, 4] of i64: inputs, targets, mask, "
                 "positions, segments");
  // Floats are not the other of a pair.
  expectReadings({told(kA, "inputs"), {"m", "f32", {2, 4}, ""}},
                 "\n  'm' [2, 4] of f32: mask");
  // Several may be masks.
  expectReadings({told(kA, "tokens"), told(kB, "mask"), kC},
                 "\n  'c' [2, 4] of i64: inputs, targets, mask, positions, "
                 "segments");
  // The program's feed of one of a pair holds beside a choice.
  expectReadings({kA, told(kB, "targets"), kC},
                 "\n  'c' [2, 4] of i64: mask, positions, segments",
                 {{"a", Feed::inputs}});
}

TEST(Feeds, tokensNeedRoomForTheNextOne) {
  EXPECT_EQ(find({{"a", "i32", {1, 2}, ""}}), "tokens=a 1 x 1");
  std::string message = find({{"a", "i32", {2, 1}, ""}});
  EXPECT_NE(message.find("has no room for a token and the next"),
            std::string::npos)
      << message;
  message = find({{"a", "i32", {0, 4}, ""}});
  EXPECT_NE(message.find("has no room"), std::string::npos) << message;
  EXPECT_EQ(find({{"a", "i32", {1, 1}, "inputs"}, {"b", "i32", {1, 1}, ""}}),
            "inputs=a targets=b 1 x 1");
  message = find({{"a", "i32", {2, 0}, "inputs"}, {"b", "i32", {2, 0}, ""}});
  EXPECT_NE(message.find("'a' [2, 0] of i32 has none"), std::string::npos)
      << message;
}

TEST(Feeds, rowsAreAlike) {
  auto beside = [](std::vector<int64_t> shape, const std::string &feed) {
    std::string text = find({told(kA, "inputs"), told(kB, "targets"),
                             Argument{"x", "i32", std::move(shape), feed}});
    return text.find("rows of other sizes") == std::string::npos;
  };
  EXPECT_TRUE(beside({2, 4}, "mask"));
  EXPECT_TRUE(beside({2, 5}, "positions"));
  EXPECT_FALSE(beside({2, 6}, "segments"));
  EXPECT_FALSE(beside({2, 3}, "mask"));
  EXPECT_FALSE(beside({1, 4}, "mask"));
  EXPECT_FALSE(beside({3, 5}, "mask"));

  std::string message =
      find({told(kA, "inputs"), {"b", "i32", {2, 5}, "targets"}});
  EXPECT_NE(message.find("'a' [2, 4] of i32, but 'b' [2, 5] of i32, which "
                         "takes targets"),
            std::string::npos)
      << message;
  // Beside tokens a fact has their columns, or one less.
  message = find({kA, {"m", "f32", {2, 2}, "mask"}});
  EXPECT_NE(message.find("rows of other sizes"), std::string::npos) << message;
  message = find({kA, {"m", "f32", {2, 5}, "mask"}});
  EXPECT_NE(message.find("rows of other sizes"), std::string::npos) << message;
}

TEST(Feeds, whatIsNotTakenIsKnown) {
  Program program = makeProgram({kA});
  BatchFeeds feeds = findFeeds(program, kStep, {});
  EXPECT_TRUE(feeds.take(Feed::tokens));
  EXPECT_FALSE(feeds.take(Feed::inputs));
  EXPECT_FALSE(feeds.take(Feed::step));
}

} // namespace
