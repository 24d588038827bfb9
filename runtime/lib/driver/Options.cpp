//===- Options.cpp - The command line of a compiled program ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Options.h"
#include "common/Communicator.h"
#include "common/Failure.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>

using namespace boost_rt;

/// A finite number that is not negative.
static std::string checkRate(const std::string &text) {
  double value = 0;
  if (CLI::detail::lexical_cast(text, value) && std::isfinite(value) &&
      value >= 0)
    return "";
  return "expects a number that is not negative, but got " + text;
}

static CLI::Validator rate() { return CLI::Validator(checkRate, ""); }

static CLI::Validator atLeast(int64_t least) {
  return CLI::Validator(
      [least](const std::string &text) -> std::string {
        int64_t value = 0;
        if (CLI::detail::lexical_cast(text, value) && value >= least)
          return "";
        return concat("expects a whole number from ", least, ", but got ",
                      text);
      },
      "");
}

static void addOptimization(CLI::App *train, TrainOptions &options) {
  train
      ->add_option("--data", options.data,
                   "Token file: llm.c .bin or raw uint16 (nanoGPT)")
      ->required()
      ->type_name("FILE");
  train
      ->add_option("--steps", options.steps,
                   "Optimizer steps in all; 0 only initializes")
      ->required()
      ->check(atLeast(0))
      ->type_name("N");
  train
      ->add_option("--seed", options.seed,
                   "Seed of the initial parameters; default 0")
      ->check(atLeast(0))
      ->type_name("N");
  train->add_option("--lr", options.lr, "Peak learning rate; default 3e-4")
      ->check(rate())
      ->type_name("X");
  train
      ->add_option("--min-lr", options.minLr,
                   "Rate at the end of the cosine; default a tenth of --lr")
      ->check(rate())
      ->type_name("X");
  train
      ->add_option("--warmup", options.warmup,
                   "Steps of linear warm-up; default 0")
      ->check(atLeast(0))
      ->type_name("N");
  train
      ->add_option("--clip", options.clip,
                   "Largest gradient norm, 0 for no limit; default 1")
      ->check(rate())
      ->type_name("X");
}

static void addTrainFiles(CLI::App *train, TrainOptions &options) {
  train
      ->add_option("--init", options.init,
                   "Start from these parameters instead of random ones")
      ->type_name("FILE.safetensors");
  train
      ->add_option("--save", options.save,
                   "Write the parameters here at the end")
      ->type_name("FILE.safetensors");
  train->add_option("--log", options.log, "Write one JSON object per step")
      ->type_name("FILE.jsonl");
  auto *directory =
      train
          ->add_option("--checkpoint", options.checkpointDirectory,
                       "Write checkpoints here, also when stopped by SIGTERM "
                       "or SIGINT")
          ->type_name("DIR");
  train
      ->add_option("--checkpoint-every", options.checkpointEvery,
                   "Steps between two checkpoints; default: only the last")
      ->check(atLeast(1))
      ->type_name("N")
      ->needs(directory);
  train
      ->add_flag("--resume", options.resume,
                 "Continue from the newest checkpoint, if there is one")
      ->needs(directory);
}

static void addTimeout(CLI::App *command, Options &options) {
  command
      ->add_option("--timeout", options.timeout,
                   "Seconds that ranks may wait for each other in a collective "
                   "before the program ends with exit code 5; default 1800, 0 "
                   "for no limit")
      ->check(rate())
      ->type_name("SECONDS");
}

static CLI::App *addTrain(CLI::App &app, TrainOptions &options) {
  CLI::App *train = app.add_subcommand("train", "Train on a token file.");
  addOptimization(train, options);
  addTrainFiles(train, options);
  train->add_flag("--quiet", options.quiet, "Print errors only");
  train->add_flag("--json", options.json,
                  "Print a summary as JSON in the last line");
  return train;
}

static void addVerify(CLI::App *eval, EvalOptions &options) {
  auto *verify =
      eval->add_flag("--verify", options.verify,
                     "Run one training step and compare every tensor with the "
                     "unsharded program in double")
          ->excludes("--outputs")
          ->excludes("--gradients");
  eval->add_option("--keep", options.keep,
                   "Keep the program, the inputs and the tensors that --verify "
                   "compares with here")
      ->type_name("DIR")
      ->needs(verify);
}

static CLI::App *addEval(CLI::App &app, EvalOptions &options) {
  CLI::App *eval =
      app.add_subcommand("eval", "Run the loss once, on named global tensors.");
  eval->add_option("--inputs", options.inputs,
                   "All parameters and the batch, as `info` lists them")
      ->required()
      ->type_name("FILE.safetensors");
  eval->add_option("--outputs", options.outputs,
                   "Write the loss and gradients (grad.NAME) here")
      ->type_name("FILE.safetensors");
  eval->add_flag("--gradients", options.gradients,
                 "Compute the gradients of all parameters too");
  eval->add_flag("--json", options.json,
                 "Print loss and executed collectives as JSON");
  addVerify(eval, options);
  return eval;
}

std::optional<Options> boost_rt::parseOptions(int argc, char **argv,
                                              int &exitCode) {
  Options options{};
  CLI::App app("A training program made by boost-mlir. Start it with `mpirun "
               "-np RANKS` if it was compiled for several ranks.");
  app.set_version_flag("--version",
                       "boost-mlir runtime " BOOST_RUNTIME_VERSION);
  app.require_subcommand(1);
  addTimeout(addTrain(app, options.train), options);
  addTimeout(addEval(app, options.eval), options);
  app.add_subcommand("info",
                     "Print parameters, memory and communication as JSON.");
  bool speaks = launcherRank() == 0;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    bool wanted = error.get_exit_code() == 0;
    exitCode = static_cast<int>(wanted ? ExitCode::done : ExitCode::usage);
    if (wanted && speaks)
      app.exit(error);
    else if (speaks)
      std::fprintf(
          stderr,
          "error: %s\nusage: %s train|eval|info [options]; `%s train --help` "
          "lists those of train\n",
          error.what(), argv[0], argv[0]);
    return std::nullopt;
  }
  options.command = app.got_subcommand("train")  ? Command::train
                    : app.got_subcommand("eval") ? Command::eval
                                                 : Command::info;
  return options;
}
