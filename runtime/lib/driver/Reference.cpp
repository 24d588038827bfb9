//===- Reference.cpp - The unsharded program in double --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Reference.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

using namespace boost_rt;
namespace fs = std::filesystem;

static constexpr const char *programFile = "program.mlir";
static constexpr const char *tensorsFile = "reference.safetensors";

std::string Reference::pathOfInputs(size_t set) const {
  return pathOf(set == 0 ? "inputs.safetensors"
                         : concat("inputs-", set + 1, ".safetensors"));
}

void Reference::runEvaluator(const std::vector<ReferenceRun> &runs) const {
  std::vector<std::string> arguments{
      pathOf(programFile), "--function=" + runs.front().function,
      "--inputs=" + pathOfInputs(*runs.front().inputs),
      "--probes=" + pathOf(tensorsFile)};
  for (size_t i = 1; i < runs.size(); ++i)
    arguments.push_back(
        "--then=" + runs[i].function +
        (runs[i].inputs ? ":" + pathOfInputs(*runs[i].inputs) : ""));
  if (int code = evaluator->run(arguments); code != 0)
    refuse("'", evaluator->getPath(),
           "' could not evaluate the program (exit code ", code,
           "); its messages say why");
}

/// Refuses a folder whose file of this name is not the one of this run.
void Reference::expectKnown(const std::string &file) const {
  std::string path = (fs::path(known) / file).string();
  bool isSame = false;
  try {
    MappedFile expected(path, "file"), own(pathOf(file), "file");
    isSame = expected.text() == own.text();
  } catch (const Failure &failure) {
    throw Failure(ExitCode::usage,
                  concat("--reference: ", failure.what(),
                         "; name a folder that `eval --verify --keep` of this "
                         "program has made"));
  }
  if (!isSame)
    throw Failure(ExitCode::usage,
                  concat("--reference: '", path,
                         "' is not what this run has for it; compare with a "
                         "folder of the same program and --inputs, or leave "
                         "out --reference"));
}

/// Has boost-eval compute the tensors, or takes those of the same program and
/// inputs.
void Reference::findTensors(const std::vector<ReferenceRun> &runs) {
  std::string path = pathOf(tensorsFile);
  if (known.empty()) {
    runEvaluator(runs);
  } else {
    expectKnown(programFile);
    for (const ReferenceRun &run : runs)
      if (run.inputs)
        expectKnown(fs::path(pathOfInputs(*run.inputs)).filename());
    path = (fs::path(known) / tensorsFile).string();
  }
  tensors = std::make_unique<SafeTensorsReader>(path);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

void Reference::createFolder(const std::string &keep) {
  std::error_code error;
  if (!keep.empty()) {
    folder = keep;
    fs::create_directories(folder, error);
    if (error)
      refuse("cannot create the folder '", keep, "': ", error.message());
    return;
  }
  std::string model =
      (fs::temp_directory_path(error) / "boost-XXXXXX").string();
  if (error || !::mkdtemp(model.data()))
    refuse("cannot create a temporary folder for --verify: ",
           std::strerror(errno), "; set TMPDIR or use --keep");
  folder = model;
  temporary = true;
}

void Reference::writeProgram(const std::string &text) const {
  std::ofstream file(pathOf(programFile));
  file << text;
  file.close();
  if (!file)
    refuse("cannot write '", pathOf(programFile), "'");
}

Reference::Reference(Session &session, const std::string &keep,
                     const std::string &known)
    : session(session), known(known) {
  // A constructor that throws has no destructor.
  try {
    session.together([&] {
      if (session.rank() != 0)
        return;
      const Verification &verification = *session.getProgram().verification;
      // Missing tensors are reported before anything is computed.
      if (known.empty())
        evaluator = std::make_unique<Evaluator>(verification);
      createFolder(keep);
      writeProgram(verification.program);
    });
  } catch (...) {
    removeTemporaryFolder();
    throw;
  }
}

void Reference::saveInputs(size_t set,
                           const std::vector<const Tensor *> &inputs) {
  session.save(pathOfInputs(set), inputs);
}

void Reference::evaluate(const std::vector<ReferenceRun> &runs) {
  std::exception_ptr failure;
  if (session.rank() == 0) {
    try {
      findTensors(runs);
    } catch (const Failure &) {
      failure = std::current_exception();
    }
  }
  session.getCommunicator().barrier();
  session.together([&] {
    if (failure)
      std::rethrow_exception(failure);
  });
  // The tensors are mapped: nothing needs the folder any more, and a program
  // that is aborted would leave it behind.
  removeTemporaryFolder();
}

void Reference::removeTemporaryFolder() {
  std::error_code ignored;
  if (temporary)
    fs::remove_all(folder, ignored);
  temporary = false;
}

ReferenceTensor Reference::get(const std::string &name,
                               int64_t elements) const {
  auto read = [&](const std::string &entryName, int64_t wanted) {
    const auto *entry = tensors->find(entryName);
    if (!entry || entry->type != BOOST_RT_F64 ||
        entry->bytes != wanted * static_cast<int64_t>(sizeof(double)))
      refuse(tensors->getPath(), ": tensor '", entryName, "' of type F64 with ",
             wanted, wanted == 1 ? " element" : " elements",
             " is missing: the program in this binary is damaged; compile it "
             "again");
    std::vector<double> values(static_cast<size_t>(entry->bytes) /
                               sizeof(double));
    convertElements(BOOST_RT_F64, entry->data, BOOST_RT_F64, values.data(),
                    wanted);
    return values;
  };
  return {read("value." + name, elements), read("bound." + name, 1)[0],
          read("gain." + name, 1)[0]};
}
