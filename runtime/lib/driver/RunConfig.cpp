//===- RunConfig.cpp - The options that a run has in effect ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/RunConfig.h"
#include "common/Checksum.h"
#include "common/Failure.h"
#include "common/MappedFile.h"

using namespace boost_rt;
using nlohmann::ordered_json;

ordered_json boost_rt::describeConfig(const Options &options) {
  ordered_json config;
  for (const EffectiveOption &option : options.effective)
    if (!option.value.is_null())
      config[option.name] = option.value;
  return config;
}

/// Empty where the system shows no executable, or one that only runs.
static std::string checksumOfExecutable() {
  try {
    MappedFile file("/proc/self/exe", "program");
    return sampledChecksumOf({file.data(), static_cast<size_t>(file.size())});
  } catch (const Failure &) {
    return "";
  }
}

std::string boost_rt::identityOf(const Program &program) {
  return checksumOf(program.digest + checksumOfExecutable());
}

/// Returns, as text, the part of an option that has to be equal on all ranks.
static std::string describeShared(const EffectiveOption &option) {
  if (option.value.is_null())
    return "not given";
  if (option.agreement != Agreement::value)
    return "given";
  return option.value.is_string()
             ? option.value.get<std::string>()
             : option.value.dump(-1, ' ', false,
                                 ordered_json::error_handler_t::replace);
}

Facts boost_rt::describeStart(const Program &program, const Options &options) {
  Facts facts{{"the program", identityOf(program)},
              {"the command", nameOf(options.command)}};
  for (const EffectiveOption &option : options.effective)
    if (option.agreement != Agreement::none)
      facts.push_back({"--" + option.name, describeShared(option)});
  return facts;
}
