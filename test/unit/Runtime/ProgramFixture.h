//===- ProgramFixture.h - Programs run from outside -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Starts the programs made from TinyProgram.c and reads what they print and
// write.
//
//===----------------------------------------------------------------------===//

#ifndef BOOST_MLIR_TEST_UNIT_RUNTIME_PROGRAMFIXTURE_H
#define BOOST_MLIR_TEST_UNIT_RUNTIME_PROGRAMFIXTURE_H

#include "RuntimeTest.h"
#include "common/SafeTensors.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <sys/wait.h>

namespace boost_rt {
using nlohmann::json;
namespace fs = std::filesystem;

struct Outcome {
  int exitCode;
  std::string output;
};

/// A folder of one test.
class ProgramFixture : public ::testing::Test {
protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "boost-program-XXXXXX";
    folder = ::mkdtemp(pattern.data());
    // MPI as root is the normal case in a container.
    ::setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    ::setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    ::setenv("BOOST_NUM_THREADS", "1", 1);
    findProgramsByName();
    writeTokens("tokens.bin", 2001, 0);
  }
  /// Commands name the programs of this folder without its path, which may hold
  /// a space.
  static void findProgramsByName() {
    static const std::string searched =
        std::string(TINY_PROGRAMS ":") + std::getenv("PATH");
    ::setenv("PATH", searched.c_str(), 1);
  }
  void TearDown() override { fs::remove_all(folder); }

  std::string path(const std::string &name) const {
    return folder + "/" + name;
  }

  /// Raw uint16 tokens below 8, the first `shifted` of which are 8 higher.
  void writeTokens(const std::string &name, int count, int shifted) {
    std::ofstream file(path(name), std::ios::binary);
    for (int i = 0; i < count; ++i) {
      auto token = static_cast<uint16_t>(i * i % 7 + (i < shifted ? 8 : 0));
      file.write(reinterpret_cast<const char *>(&token), sizeof(token));
    }
  }

  /// Tokens behind a header of llm.c, which may name the end of documents.
  void writeDocuments(const std::string &name,
                      const std::vector<uint16_t> &tokens,
                      std::optional<int32_t> end) const {
    std::vector<int32_t> header(256);
    header[0] = 20240520;
    header[1] = 1;
    header[2] = static_cast<int32_t>(tokens.size());
    header[3] = end ? *end + 1 : 0;
    std::ofstream file(path(name), std::ios::binary);
    file.write(reinterpret_cast<const char *>(header.data()), 1024);
    file.write(reinterpret_cast<const char *>(tokens.data()),
               static_cast<std::streamsize>(2 * tokens.size()));
  }

  void setToken(const std::string &name, int position, uint16_t token) {
    std::fstream file(path(name),
                      std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(position * static_cast<int>(sizeof(token)));
    file.write(reinterpret_cast<const char *>(&token), sizeof(token));
  }

  /// The batch and parameters that `eval` takes; `change` may edit them.
  struct Inputs {
    std::vector<float> table{0, 1, 2, 3, 4, 5, 6, 7};
    std::vector<int64_t> tokens{0, 1, 2, 3, 4, 1, 1, 1, 1, 1,
                                7, 6, 5, 4, 3, 2, 0, 2, 0, 2};
    std::string tableName = "table";
    std::vector<int64_t> tableShape{8};
    ElementType tokenType = BOOST_RT_I64;
  };
  std::string writeInputs(const Inputs &inputs) {
    SafeTensorsWriter writer(
        path("in.safetensors"),
        {{inputs.tableName, BOOST_RT_F32, inputs.tableShape},
         {"tokens", inputs.tokenType, {4, 5}}});
    writer.write(0, inputs.table.data());
    if (isFloat(inputs.tokenType)) {
      std::vector<double> values(inputs.tokens.begin(), inputs.tokens.end());
      writer.write(1, values.data());
    } else {
      writer.write(1, inputs.tokens.data());
    }
    writer.finish();
    return path("in.safetensors");
  }

  static Outcome shell(const std::string &command) {
    std::FILE *pipe = ::popen((command + " 2>&1").c_str(), "r");
    std::string output;
    for (int c; (c = std::fgetc(pipe)) != EOF;)
      output += static_cast<char>(c);
    int status = ::pclose(pipe);
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
  }

  static Outcome run(const std::string &program, const std::string &arguments,
                     int ranks = 1) {
    std::string launcher =
        ranks > 1 ? "mpirun -np " + std::to_string(ranks) + " --oversubscribe "
                  : "";
    return shell(launcher + program + " " + arguments);
  }

  void expectRefused(const std::string &program, const std::string &arguments,
                     int code, const std::vector<std::string> &parts,
                     int ranks = 1) {
    Outcome outcome = run(program, arguments, ranks);
    EXPECT_EQ(outcome.exitCode, code) << outcome.output;
    EXPECT_NE(outcome.output.find("error: "), std::string::npos);
    EXPECT_EQ(outcome.output.find("error: "), outcome.output.rfind("error: "))
        << "one rank speaks:\n"
        << outcome.output;
    for (const std::string &part : parts)
      EXPECT_NE(outcome.output.find(part), std::string::npos)
          << part << " not in:\n"
          << outcome.output;
  }

  /// The lines of the log that have this: "step" or "config".
  std::vector<json> readLog(const char *kind = "step") const {
    std::vector<json> records;
    std::ifstream file(path("log.jsonl"));
    for (std::string line; std::getline(file, line);)
      if (json record = json::parse(line); record.contains(kind))
        records.push_back(record);
    return records;
  }

  static std::string contentOf(const std::string &name) {
    std::ifstream file(name, std::ios::binary);
    std::stringstream content;
    content << file.rdbuf();
    return content.str();
  }

  /// The last line that is a JSON object: MPI's launcher hands on what ranks
  /// print and what they report in no certain order.
  static json lastLine(const std::string &output) {
    json last(json::value_t::discarded);
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);)
      if (json value = json::parse(line, nullptr, false); value.is_object())
        last = std::move(value);
    return last;
  }

  std::string folder;
};

} // namespace boost_rt

#endif // BOOST_MLIR_TEST_UNIT_RUNTIME_PROGRAMFIXTURE_H
