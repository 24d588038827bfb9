//===- TokenWindows.cpp - Token files in windows of a length --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/TokenWindows.h"
#include "common/Failure.h"

#include <algorithm>
#include <filesystem>
#include <glob.h>
#include <set>

using namespace boost_rt;

std::vector<std::string>
boost_rt::expandPaths(const std::vector<std::string> &patterns,
                      const char *what) {
  std::vector<std::string> paths;
  for (const std::string &pattern : patterns) {
    std::error_code error;
    // The name of a file may look like a pattern.
    if (std::filesystem::exists(pattern, error) ||
        pattern.find_first_of("*?[") == std::string::npos) {
      paths.push_back(pattern);
      continue;
    }
    glob_t found{};
    int status = ::glob(pattern.c_str(), 0, nullptr, &found);
    for (size_t i = 0; i < found.gl_pathc; ++i)
      paths.emplace_back(found.gl_pathv[i]);
    ::globfree(&found);
    if (status != 0)
      refuse("no ", what, " matches '", pattern,
             "'; correct the pattern, or name the files");
  }
  return paths;
}

TokenWindows::TokenWindows(const std::vector<std::string> &patterns,
                           const std::vector<std::string> &maskPatterns,
                           int64_t length)
    : length(length) {
  int64_t end = 0;
  for (const std::string &path : expandPaths(patterns, "token file")) {
    auto file = std::make_unique<TokenFile>(path);
    int64_t windows = (file->size() - 1) / length;
    if (windows < 1)
      refuse("token file ", path, " has ", file->size(),
             " tokens, but one row of a batch needs ", length + 1,
             "; use more data or a program with a shorter sequence");
    ends.push_back(end += windows);
    files.push_back(std::move(file));
  }
  std::vector<std::string> maskPaths = expandPaths(maskPatterns, "mask file");
  if (!maskPaths.empty() && maskPaths.size() != files.size())
    refuse("there are ", files.size(), " token files, but ", maskPaths.size(),
           " mask files; give one for each, in the same order");
  for (size_t i = 0; i < maskPaths.size(); ++i)
    masks.push_back(std::make_unique<MaskFile>(
        maskPaths[i], files[i]->getPath(), files[i]->size()));
}

TokenWindows::Window TokenWindows::operator[](int64_t window) const {
  auto end = std::upper_bound(ends.begin(), ends.end(), window);
  auto index = static_cast<size_t>(end - ends.begin());
  int64_t before = index == 0 ? 0 : ends[index - 1];
  return {files[index].get(), masks.empty() ? nullptr : masks[index].get(),
          (window - before) * length};
}

int64_t TokenWindows::tokens() const {
  int64_t count = 0;
  for (const auto &file : files)
    count += file->size();
  return count;
}

std::string TokenWindows::describe() const {
  if (files.size() == 1)
    return files.front()->getPath();
  return concat(files.size(), " files from ", files.front()->getPath(), " to ",
                files.back()->getPath());
}

std::string TokenWindows::describeFormats() const {
  std::set<std::string> formats;
  for (const auto &file : files)
    formats.insert(file->getFormat());
  std::string text;
  for (const std::string &format : formats)
    text += (text.empty() ? "" : ", ") + format;
  return text;
}

std::string TokenWindows::describeId(const TokenFile &file, int64_t position,
                                     int64_t limit) {
  return concat("token file ", file.getPath(), ": token ", position, " is id ",
                file[position],
                ", but this program was compiled for ids below ", limit);
}

void TokenWindows::check(int64_t limit, int64_t windows, int64_t part,
                         int64_t parts) const {
  int64_t before = 0;
  for (size_t i = 0; i < files.size() && before < windows; ++i) {
    const TokenFile &file = *files[i];
    int64_t used = std::min(windows, ends[i]) - before;
    before = ends[i];
    int64_t tokens = used * length + 1;
    int64_t begin = tokens * part / parts, end = tokens * (part + 1) / parts;
    if (!masks.empty())
      masks[i]->check(begin, end);
    auto position = file.findOutside(limit, begin, end);
    if (position)
      refuse(describeId(file, *position, limit),
             "; use data that was tokenized for its vocabulary, or compile the "
             "model with a larger one");
  }
}
