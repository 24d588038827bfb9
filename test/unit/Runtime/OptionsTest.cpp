//===- OptionsTest.cpp - The command line and the options in effect -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Options.h"
#include "RuntimeTest.h"
#include "driver/ConfigFile.h"
#include "driver/RunConfig.h"

#include <cerrno>
#include <cstdlib>
#include <map>
#include <sstream>
#include <sys/stat.h>

using namespace boost_rt;

/// The words of a command line, of which each is an argument.
static std::vector<std::string> wordsOf(const std::string &text) {
  std::istringstream stream(text);
  return {std::istream_iterator<std::string>(stream), {}};
}

/// A program with a learning rate and the hyper-parameters of AdamW.
static const Program &adamw() {
  static const Program program = programWithHypers(
      {{"lr", ""},
       {"step", ""},
       {"clip", R"("help": "Largest norm", "default": 1, "min": 0)"},
       {"beta1", R"("help": "1st", "default": 0.9, "min": 0, "below": 1)"},
       {"beta2", R"("help": "2nd", "default": 0.95, "min": 0, "below": 1)"},
       {"eps", R"("help": "Added", "default": 1e-8, "above": 0)"},
       {"weight_decay", R"("help": "Decay", "default": 0.1, "min": 0)"}});
  return program;
}

static std::optional<Options> parse(std::vector<std::string> arguments,
                                    const Program &program = adamw()) {
  std::vector<char *> list{const_cast<char *>("./gpt")};
  for (std::string &argument : arguments)
    list.push_back(argument.data());
  // As main() has them.
  list.push_back(nullptr);
  return parseOptions(static_cast<int>(list.size()) - 1, list.data(), program);
}

static const char *const train = "train --data x ";

static Options parseTrain(const std::string &more) {
  bool hasSteps = more.find("--steps") != std::string::npos;
  return *parse(wordsOf(concat(train, hasSteps ? "" : "--steps 8 ", more)));
}

/// The first line of what is said of `more`, or "".
static std::string refusal(const std::string &more) {
  std::string message = messageOf([&] { parseTrain(more); });
  return message.substr(0, message.find('\n'));
}

TEST(Options, numbersHaveBounds) {
  struct {
    const char *option, *least, *below;
  } wholes[] = {{"--steps", "0", "-1"},
                {"--seed", "0", "-1"},
                {"--warmup", "0", "-1"},
                {"--decay-steps", "1", "0"},
                {"--eod", "0", "-1"},
                {"--pad", "0", "-1"},
                {"--val-data v --val-every", "1", "0"},
                {"--val-data v --val-batches", "1", "0"},
                {"--checkpoint c --checkpoint-every", "1", "0"},
                {"--checkpoint c --keep-last", "0", "-1"},
                {"--checkpoint c --keep-every", "1", "0"}};
  for (auto [option, least, below] : wholes) {
    auto message = [name = option](const std::string &value) {
      return messageOf([&] {
        parse(wordsOf(concat("train --data x ",
                             std::string(name) == "--steps" ? "" : "--steps 1 ",
                             name, " ", value)));
      });
    };
    std::string name = option;
    name = name.substr(name.rfind("--"));
    EXPECT_EQ(message(least), "") << option;
    EXPECT_EQ(message("9223372036854775807"), "") << option;
    for (const char *bad : {below, "9223372036854775808", "1.0", "0x1"})
      EXPECT_EQ(message(bad).rfind(
                    concat(name, ": expects a whole number from ", least,
                           " to 9223372036854775807, but got '", bad, "'"),
                    0),
                0u)
          << message(bad);
  }
}

TEST(Options, ratesHaveBounds) {
  for (const char *option : {"--lr", "--min-lr", "--timeout"}) {
    EXPECT_EQ(refusal(concat(option, " 0")), "");
    EXPECT_EQ(refusal(concat(option, " 1e300")), "");
    for (const char *bad : {"-1e-300", "inf", "nan", "x"})
      EXPECT_EQ(refusal(concat(option, " ", bad)),
                concat(option,
                       ": expects a number that is not negative, but "
                       "got ",
                       bad));
  }
  // As they are rounded to f32.
  struct {
    const char *option, *range;
    std::vector<const char *> good, bad;
  } floats[] = {
      {"--beta1", "in [0, 1)", {"0", "0.9999999"}, {"-1e-9", "0.99999999"}},
      {"--beta2", "in [0, 1)", {"0", "0.9999999"}, {"-1e-9", "1", "x"}},
      {"--eps", "above 0", {"1e-40"}, {"0", "1e-50", "-1", "1e39", "nan"}},
      {"--clip", "that is not negative", {"0", "1e38"}, {"-1", "1e300", "inf"}},
      {"--weight-decay",
       "that is not negative",
       {"0", "1e38"},
       {"-1e-9", "1e39", "nan"}}};
  for (const auto &[option, range, good, bad] : floats) {
    for (const char *value : good)
      EXPECT_EQ(refusal(concat(option, " ", value)), "");
    for (const char *value : bad)
      EXPECT_EQ(refusal(concat(option, " ", value)),
                concat(option, ": expects a number ", range,
                       " as an f32, but got ", value));
  }
}

// One of them, the learning rate, or neither.
TEST(Options, hyperParametersAreThoseOfTheProgram) {
  const std::pair<std::string, std::string> rate{"lr", ""},
      momentum{"momentum", R"("help": "M", "default": 0.5, "below": 1)"};
  auto parsed = [](const Program &program, const std::string &more) {
    return *parse(wordsOf(concat(train, "--steps 1 ", more)), program);
  };
  auto isRefused = [&](const Program &program, const std::string &more) {
    return messageOf([&] { parsed(program, more); }) != "";
  };
  using Values = std::map<std::string, double>;
  const Values all{{"clip", 1},
                   {"beta1", 0.9},
                   {"beta2", 0.95},
                   {"eps", 1e-8},
                   {"weight_decay", 0.1}};
  EXPECT_EQ(parseTrain("").train.hypers, all);
  EXPECT_EQ(parseTrain("--weight-decay 0.5").train.hypers.at("weight_decay"),
            0.5);
  EXPECT_TRUE(isRefused(adamw(), "--momentum 0.5"));

  Program both = programWithHypers({momentum, rate});
  EXPECT_EQ(parsed(both, "--lr 2 --warmup 1").train.hypers,
            (Values{{"momentum", 0.5}}));
  EXPECT_EQ(parsed(both, "--momentum -1").train.hypers,
            (Values{{"momentum", -1}}));
  EXPECT_TRUE(isRefused(both, "--momentum 1"));
  EXPECT_TRUE(isRefused(both, "--beta1 0.5"));

  for (const Program &program :
       {programWithHypers({momentum}), programWithHypers({})})
    for (const char *option : {"--lr 1", "--min-lr 1", "--schedule constant",
                               "--warmup 1", "--decay-steps 1"})
      EXPECT_TRUE(isRefused(program, option)) << option;
  EXPECT_EQ(parsed(programWithHypers({}), "").train.hypers, Values{});
}

// Such a program could not be told what is meant.
TEST(Options, hyperParametersAreNoOtherOptions) {
  auto damage = [](const char *kind) {
    return messageOf([&] {
      parse({"info"},
            programWithHypers(
                {{"lr", ""}, {kind, R"("help": "H", "default": 0.5)"}}));
    });
  };
  EXPECT_EQ(damage("gain"), "");
  for (const char *kind : {"steps", "data", "min_lr", "warmup", "init", "allow",
                           "json", "help", "timeout", "no_graph"})
    EXPECT_NE(damage(kind).find("manifest is damaged: the option of a "
                                "hyper-parameter is another one of `train`: "),
              std::string::npos)
        << kind << ": " << damage(kind);
  // Checkpoints have other facts under these names.
  for (const char *kind : {"program", "precision", "accumulate"})
    EXPECT_NE(damage(kind).find(
                  concat("hyper-parameter 'h1' is called '", kind, "'")),
              std::string::npos)
        << damage(kind);
}

TEST(Options, feedsNameArguments) {
  Options options = parseTrain("--batch x=inputs --batch a=b=mask");
  ASSERT_EQ(options.train.feeds.size(), 2u);
  EXPECT_EQ(options.train.feeds[0].argument, "x");
  EXPECT_EQ(options.train.feeds[0].feed, Feed::inputs);
  EXPECT_EQ(options.train.feeds[1].argument, "a=b");
  EXPECT_EQ(options.train.feeds[1].feed, Feed::mask);
  for (const char *bad : {"x", "inputs", "=inputs", "x=tokens", "x=labels"})
    EXPECT_EQ(
        refusal(concat("--batch ", bad)),
        concat("--batch: expects "
               "NAME=inputs|targets|mask|positions|segments|step|key, but "
               "got '",
               bad, "'"));
}

TEST(Options, schedulesHaveNames) {
  EXPECT_EQ(parseTrain("").train.decay, Decay::cosine);
  for (Decay decay :
       {Decay::constant, Decay::linear, Decay::cosine, Decay::wsd})
    EXPECT_EQ(parseTrain("--schedule " + nameOf(decay)).train.decay, decay);
  EXPECT_EQ(refusal("--schedule step"),
            "--schedule: expects one of constant, linear, cosine, wsd, but got "
            "'step'");
}

TEST(Options, someNeedOthers) {
  for (const char *needing :
       {"--val-mask m", "--val-every 1", "--val-batches 1"})
    EXPECT_NE(refusal(needing).find("--val-data"), std::string::npos)
        << needing;
  for (const char *needing :
       {"--checkpoint-every 1", "--keep-last 1", "--keep-every 1", "--resume"})
    EXPECT_NE(refusal(needing).find("--checkpoint"), std::string::npos)
        << needing;
  EXPECT_NE(refusal("--checkpoint c --allow lr").find("--resume"),
            std::string::npos);
  // Nothing has to allow another number of steps.
  for (const char *bad : {"steps", "dance"})
    EXPECT_NE(refusal(concat("--checkpoint c --resume --allow ", bad))
                  .find(concat("eps, weight-decay, but got '", bad, "'")),
              std::string::npos);
  EXPECT_NE(refusal("--init i --no-init-file").find("--init"),
            std::string::npos);
  auto eval = [](const std::string &more) {
    return messageOf([&] { parse(wordsOf("eval --inputs x " + more)); });
  };
  EXPECT_EQ(eval("--verify --keep k"), "");
  for (const char *bad :
       {"--keep k", "--reference r", "--verify --outputs o",
        "--verify --gradients", "--verify --keep k --reference r"})
    EXPECT_NE(eval(bad), "") << bad;
}

TEST(Options, commandsAreKnown) {
  EXPECT_EQ(parse({"info"})->command, Command::info);
  EXPECT_EQ(parse(wordsOf("eval --inputs x"))->command, Command::eval);
  EXPECT_EQ(parseTrain("").command, Command::train);
  EXPECT_EQ(messageOf([] { parse({"dance"}); }),
            "'dance' is not a command of this program; use train, eval or "
            "info\nusage: ./gpt train|eval|info [options]; `./gpt train "
            "--help` lists those of train");
  EXPECT_EQ(messageOf([] { parse({}); }),
            "A subcommand is required\nusage: ./gpt train|eval|info [options]; "
            "`./gpt train --help` lists those of train");
}

// One rank answers.
TEST(Options, questionsAreAnswered) {
  auto answer = [](const std::string &question) {
    ::testing::internal::CaptureStdout();
    EXPECT_FALSE(parse(wordsOf(question)).has_value());
    return ::testing::internal::GetCapturedStdout();
  };
  for (const char *help : {"--help", "-h"})
    EXPECT_NE(answer(help).find("Usage: ./gpt [OPTIONS] SUBCOMMAND"),
              std::string::npos);
  EXPECT_NE(answer("train --help").find("--data"), std::string::npos);
  EXPECT_EQ(answer("--version").rfind("boost-mlir runtime ", 0), 0u);
  ::setenv("OMPI_COMM_WORLD_RANK", "1", 1);
  EXPECT_EQ(answer("--version"), "");
  ::unsetenv("OMPI_COMM_WORLD_RANK");
}

// The parser would take a value for a number, of any size.
TEST(Options, flagsTakeNoValue) {
  for (const char *flag :
       {"--no-graph", "--quiet", "--json", "--shuffle", "--mask-starts",
        "--no-init-file", "--find-non-finite", "--checkpoint c --resume"})
    for (const char *value :
         {"99999999999999999999", "-99999999999999999999", "2", "x", ""}) {
      std::string name =
          std::string(flag).substr(std::string(flag).rfind("--"));
      EXPECT_EQ(refusal(concat(flag, "=", value)),
                concat(name, ": takes no value, but got '", value, "'"));
    }
  EXPECT_EQ(messageOf([] {
              parse(
                  {"eval", "--inputs", "x", "--no-graph=99999999999999999999"});
            }).rfind("--no-graph: takes no value", 0),
            0u);
  TemporaryFile config("flag.json", R"({"quiet": 99999999999999999999})");
  EXPECT_EQ(refusal("--config " + config.path).find("terminate"),
            std::string::npos);
  EXPECT_NE(refusal("--config " + config.path), "");
}

//===----------------------------------------------------------------------===//
// The config file
//===----------------------------------------------------------------------===//

/// The arguments after those of a file are appended.
static std::vector<std::string> withConfig(const std::string &content,
                                           std::vector<std::string> arguments) {
  TemporaryFile file("config.json", content);
  arguments.insert(arguments.end(), {"--config", file.path});
  size_t given = arguments.size();
  // The error of an earlier call.
  errno = EACCES;
  appendConfig(arguments, [](const std::string &option) {
    return option == "--lr" || option == "--lr-end" || option == "--data" ||
           option == "--config" || option == "--quiet";
  });
  return {arguments.begin() + static_cast<ptrdiff_t>(given), arguments.end()};
}

using Words = std::vector<std::string>;

TEST(ConfigFile, isAppendedToTheCommandLine) {
  EXPECT_EQ(withConfig(R"({"lr": 3e-4, "lr-end": 1, "data": ["a", "b c"]})",
                       {"train"}),
            (Words{"--lr=0.0003", "--lr-end=1", "--data=a", "--data=b c"}));
  EXPECT_EQ(withConfig(R"({"quiet": true, "data": ""})", {"train"}),
            (Words{"--quiet", "--data", ""}));
  EXPECT_EQ(withConfig(R"({"quiet": false, "data": []})", {"train"}), Words{});
}

// The command line overrides the file, with "=" or without.
TEST(ConfigFile, doesNotReplaceTheCommandLine) {
  const std::string config = R"({"lr": 1, "lr-end": 2})";
  EXPECT_EQ(withConfig(config, {"--lr", "3"}), Words{"--lr-end=2"});
  EXPECT_EQ(withConfig(config, {"--lr=3"}), Words{"--lr-end=2"});
  EXPECT_EQ(withConfig(config, {"--lr-end=3"}), Words{"--lr=1"});
  EXPECT_EQ(withConfig(config, {"--lr-en=3"}), (Words{"--lr=1", "--lr-end=2"}));
}

TEST(ConfigFile, isFoundByItsOption) {
  TemporaryFile file("named.json", R"({"lr": 1})");
  auto appended = [](Words arguments) {
    size_t given = arguments.size();
    appendConfig(arguments, [](const std::string &) { return true; });
    return arguments.size() - given;
  };
  EXPECT_EQ(appended({"--config=" + file.path}), 1u);
  EXPECT_EQ(appended({"--config", file.path}), 1u);
  // The parser refuses this one.
  EXPECT_EQ(appended({"--config"}), 0u);
  EXPECT_EQ(appended({"--configure", file.path}), 0u);
  EXPECT_EQ(appended({}), 0u);
  // Nothing behind "=" is a name that is empty, not the next argument.
  EXPECT_EQ(messageOf([&] {
              appended({"--config=", file.path});
            }).rfind("cannot open config file : ", 0),
            0u);
}

TEST(ConfigFile, hasOptionsOfTrain) {
  TemporaryFile file("options.json", R"({"lr": 0.5, "seed": 3})");
  Options options = parseTrain("--config " + file.path);
  EXPECT_EQ(options.train.lr, 0.5);
  EXPECT_EQ(options.train.seed, 3u);
  TemporaryFile unknown("unknown.json", R"({"speed": 1})");
  EXPECT_NE(
      refusal("--config " + unknown.path).find("'speed' is not an option"),
      std::string::npos);
}

TEST(ConfigFile, isRefused) {
  auto refused = [](const std::string &content) {
    std::string message = messageOf([&] { withConfig(content, {"train"}); });
    size_t end = message.find("config.json: ");
    return end == std::string::npos ? message : message.substr(end + 13);
  };
  const std::string form = "expects a JSON object such as {\"lr\": 3e-4}";
  EXPECT_EQ(refused("[1]"), form + ", but got array");
  EXPECT_EQ(refused("{").rfind(form + ": ", 0), 0u);
  EXPECT_EQ(refused(""), "it is empty; write options as in {\"lr\": 3e-4}");
  EXPECT_EQ(refused(R"({"lr": 1, "lr": 2})"),
            form + ": the name \"lr\" is given twice");
  for (const char *name : {"speed", "config"})
    EXPECT_EQ(
        refused(concat("{\"", name, "\": 1}")),
        concat("'", name,
               "' is not an option of train; `train --help` lists them, here "
               "they are written without the dashes"));
  for (const char *value : {"null", "{}", "[[1]]"})
    EXPECT_NE(
        refused(concat(R"({"lr": )", value, "}"))
            .find("expects a number, a string, true, false or an array of "
                  "them for 'lr', but got "),
        std::string::npos);
  auto messageOfPath = [](const std::string &path) {
    return messageOf([&] {
      std::vector<std::string> arguments{"--config=" + path};
      appendConfig(arguments, [](const std::string &) { return true; });
    });
  };
  EXPECT_NE(messageOfPath("/nowhere/c")
                .find("config file /nowhere/c: No such file or directory"),
            std::string::npos);
  // A pipe that nobody writes, and a device without an end.
  TemporaryFile pipe("config.pipe");
  ASSERT_EQ(::mkfifo(pipe.path.c_str(), 0600), 0);
  for (const std::string &path : {pipe.path, std::string("/dev/zero")})
    EXPECT_EQ(messageOfPath(path), "cannot read config file " + path +
                                       ": not a regular file; give the path of "
                                       "a file");
}

//===----------------------------------------------------------------------===//
// The options in effect
//===----------------------------------------------------------------------===//

static nlohmann::json effective(const std::string &more) {
  return describeConfig(parseTrain(more));
}

using nlohmann::json_literals::operator""_json;

TEST(RunConfig, isOfDefaults) {
  EXPECT_EQ(effective("--lr 0.5"),
            R"({"data":["x"],"shuffle":false,"mask-starts":false,"steps":8,
                "seed":0,"lr":0.5,"schedule":"cosine","min-lr":0.05,"warmup":0,
                "clip":1.0,"beta1":0.9,"beta2":0.95,"eps":1e-08,
                "weight-decay":0.1,"no-init-file":false,"spike":10.0,
                "find-non-finite":false,"quiet":false,"json":false,"timeout":1800.0,
                "no-graph":false})"_json);
}

TEST(RunConfig, isOfAllOptions) {
  EXPECT_EQ(
      effective("--mask m --mask-starts --pad 0 --eod 0 --batch a=mask "
                "--val-data v --val-mask w --val-every 1 --val-batches 1 "
                "--shuffle --seed 3 --lr 0.5 --schedule wsd --min-lr 0.25 "
                "--warmup 2 --decay-steps 4 --init i --save s --log l "
                "--tensorboard t --trace 2:4 --trace-file f "
                "--spike 5 --find-non-finite --checkpoint c "
                "--checkpoint-every 1 --keep-last 0 "
                "--keep-every 1 --resume --allow lr --quiet --json --timeout 7 "
                "--no-graph"),
      R"({"data":["x"],"shuffle":true,"batch":["a=mask"],"mask":["m"],
          "mask-starts":true,"pad":0,"eod":0,"val-data":["v"],
          "val-mask":["w"],"val-every":1,"val-batches":1,"steps":8,"seed":3,
          "lr":0.5,"schedule":"wsd","min-lr":0.25,"decay-steps":4,
          "warmup":2,"clip":1.0,"beta1":0.9,"beta2":0.95,"eps":1e-08,
          "weight-decay":0.1,"init":"i","no-init-file":false,"save":"s",
          "log":"l","tensorboard":"t","trace":"2:4","trace-file":"f",
          "spike":5.0,"find-non-finite":true,"checkpoint":"c","checkpoint-every":1,"keep-last":0,
          "keep-every":1,"resume":true,"allow":["lr"],"quiet":true,
          "json":true,"timeout":7.0,"no-graph":true})"_json);
  nlohmann::json eval =
      describeConfig(*parse(wordsOf("eval --inputs x --gradients")));
  EXPECT_EQ(eval,
            R"({"inputs":"x","gradients":true,"json":false,"verify":false,
                "no-graph":false,"timeout":1800.0})"_json);
}

// A constant rate has no floor, and files that are not written have no names.
TEST(RunConfig, hasNoOptionsWithoutEffect) {
  nlohmann::json constant =
      effective("--val-data v --checkpoint c --schedule constant");
  EXPECT_EQ(constant["keep-last"], 3);
  for (const char *name :
       {"min-lr", "decay-steps", "val-mask", "val-every", "val-batches",
        "checkpoint-every", "keep-every", "allow", "init", "save", "log",
        "trace", "trace-file"})
    EXPECT_FALSE(constant.contains(name)) << name;
  nlohmann::json linear = effective("--schedule linear --min-lr 0");
  EXPECT_EQ(linear["min-lr"], 0);
  EXPECT_FALSE(linear.contains("decay-steps"));
  EXPECT_FALSE(linear.contains("keep-last"));
  EXPECT_EQ(effective("--schedule wsd --steps 50")["decay-steps"], 5);
}
