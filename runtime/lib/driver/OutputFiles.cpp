//===- OutputFiles.cpp - Files that training writes -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/OutputFiles.h"
#include "common/Failure.h"

#include <filesystem>

using namespace boost_rt;

/// Returns true if both paths name one file, existing or not.
static bool isSameFile(const std::string &one, const std::string &other) {
  std::error_code error;
  if (std::filesystem::equivalent(one, other, error))
    return true;
  auto path = std::filesystem::weakly_canonical(one, error);
  return !error && path == std::filesystem::weakly_canonical(other, error);
}

/// Saved parameters may replace those that the run starts from, since they are
/// written at the end.
void boost_rt::checkOutputs(const TrainOptions &options,
                            const TokenWindows &data,
                            const std::string &initialFile,
                            const std::string &constantsFile) {
  using Option = std::pair<const char *, std::string>;
  const Option init{"--init", options.init}, save{"--save", options.save},
      log{"--log", options.log}, exported{"the exported arrays", initialFile},
      trace{"--trace-file", options.trace ? options.traceFile : ""};
  std::vector<std::pair<Option, Option>> pairs = {
      {log, init},       {log, save},   {log, exported}, {save, exported},
      {trace, exported}, {trace, init}, {trace, save},   {trace, log}};
  auto keep = [&](const char *option, const std::string &path) {
    for (const Option &written : {log, save, trace})
      pairs.emplace_back(written, Option{option, path});
  };
  if (!constantsFile.empty())
    keep("the constants of the program", constantsFile);
  for (const auto &file : data.getFiles())
    keep("--data", file->getPath());
  for (const auto &file : data.getMasks())
    keep("--mask", file->getPath());
  for (const auto &[written, needed] : pairs)
    if (!written.second.empty() && isSameFile(written.second, needed.second))
      throw Failure(ExitCode::usage,
                    concat(written.first, " and ", needed.first,
                           " name the same file, ", written.second,
                           ", which would be lost; give another ",
                           written.first));
}
