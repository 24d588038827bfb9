//===- TextHash.cpp - A hash of text as digits ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "boost-mlir/Support/TextHash.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

std::string mlir::boost::hashText(llvm::StringRef text) {
  llvm::XXH128_hash_t hash =
      llvm::xxh3_128bits(llvm::arrayRefFromStringRef(text));
  std::string digits;
  llvm::raw_string_ostream(digits) << llvm::format(
      "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
      static_cast<unsigned long long>(hash.low64));
  return digits;
}
