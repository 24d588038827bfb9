//===- TensorFiles.cpp - Files of tensors, without exceptions -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "common/TensorFiles.h"

#include "common/SafeTensors.h"

namespace boost_rt {

static std::string describe(const SafeTensorsReader::Entry &entry) {
  std::string text = entry.typeName + "[";
  for (size_t i = 0; i < entry.shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(entry.shape[i]);
  return text + "]";
}

static void readOne(const SafeTensorsReader &file, TensorRead &tensor) {
  const SafeTensorsReader::Entry *entry = file.find(tensor.name);
  if (!entry)
    return;
  file.check(*entry, tensor.name);
  int64_t count = 1;
  for (int64_t extent : tensor.shape)
    count *= extent;
  bool fits =
      entry->shape == tensor.shape && entry->type &&
      SafeTensorsReader::read(*entry, 0, tensor.type, tensor.data, count);
  tensor.outcome =
      fits ? TensorRead::Outcome::done : TensorRead::Outcome::misfit;
  tensor.found = describe(*entry);
}

std::string readTensorFile(const std::string &path,
                           std::vector<TensorRead> &tensors) noexcept {
  try {
    SafeTensorsReader file(path);
    for (TensorRead &tensor : tensors)
      readOne(file, tensor);
    return "";
  } catch (const std::exception &failure) {
    return failure.what();
  }
}

std::string
writeTensorFile(const std::string &path,
                const std::vector<TensorWrite> &tensors,
                const std::map<std::string, std::string> &notes) noexcept {
  try {
    std::vector<SafeTensorsWriter::Entry> entries;
    for (const TensorWrite &tensor : tensors)
      entries.push_back({tensor.name, tensor.type, tensor.shape});
    SafeTensorsWriter file(path, entries, notes);
    for (size_t i = 0; i < tensors.size(); ++i)
      file.write(i, tensors[i].data);
    file.finish();
    return "";
  } catch (const std::exception &failure) {
    return failure.what();
  }
}

} // namespace boost_rt
