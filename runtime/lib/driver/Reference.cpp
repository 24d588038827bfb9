//===- Reference.cpp - The unsharded program in double --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Reference.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace boost_rt;
namespace fs = std::filesystem;

static constexpr const char *evaluatorName = "boost-eval";
static constexpr const char *programFile = "program.mlir";
static constexpr const char *inputsFile = "inputs.safetensors";
static constexpr const char *tensorsFile = "reference.safetensors";

//===----------------------------------------------------------------------===//
// The evaluator
//===----------------------------------------------------------------------===//

static bool isExecutable(const std::string &path) {
  return ::access(path.c_str(), X_OK) == 0;
}

/// BOOST_EVAL, the compiler that made the program, or PATH.
static std::string findEvaluator(const std::string &tools) {
  const char *named = std::getenv("BOOST_EVAL");
  if (named) {
    if (isExecutable(named))
      return named;
    throw Failure(ExitCode::usage,
                  concat("BOOST_EVAL names '", named,
                         "', which is no program; set it to the path of ",
                         evaluatorName));
  }
  if (std::string path = tools + "/" + evaluatorName; isExecutable(path))
    return path;
  std::istringstream folders(std::getenv("PATH") ? std::getenv("PATH") : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (std::string path = folder + "/" + evaluatorName; isExecutable(path))
      return path;
  throw Failure(ExitCode::usage,
                concat("--verify needs ", evaluatorName,
                       " of the compiler, which is neither in '", tools,
                       "' nor in PATH; set BOOST_EVAL to its path"));
}

/// Runs a program to its end; its messages go to stderr.
static int runProcess(const std::vector<std::string> &command) {
  std::vector<char *> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string &argument : command)
    arguments.push_back(const_cast<char *>(argument.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
  pid_t process = 0;
  int error = ::posix_spawn(&process, arguments[0], &actions, nullptr,
                            arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error)
    throw Failure(ExitCode::usage, concat("cannot start '", command[0],
                                          "': ", std::strerror(error)));
  int status = 0;
  while (::waitpid(process, &status, 0) < 0)
    if (errno != EINTR)
      throw Failure(ExitCode::usage, concat("cannot wait for '", command[0],
                                            "': ", std::strerror(errno)));
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void Reference::evaluate(const std::string &tools) const {
  std::string evaluator = findEvaluator(tools);
  int code = runProcess({evaluator, pathOf(programFile), "--function=verify",
                         "--inputs=" + pathOf(inputsFile),
                         "--probes=" + pathOf(tensorsFile)});
  if (code != 0)
    refuse("'", evaluator, "' could not evaluate the program (exit code ", code,
           "); it must be of the version of the compiler that made this "
           "program");
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

// The folder's owner exists before the folder, so that its destructor removes
// it whatever fails here.
Reference::Reference(Session &session, const std::string &keep) : Reference() {
  const Program &program = session.getProgram();
  bool works = session.rank() == 0;
  session.together([&] {
    if (!works)
      return;
    // What is missing is said before anything is computed.
    findEvaluator(program.verification->tools);
    createFolder(keep);
    writeProgram(program.verification->program);
  });
  std::vector<const Tensor *> inputs;
  for (const std::string &name : program.findFunction("verify")->inputs)
    inputs.push_back(&program.tensor(name));
  session.save(pathOf(inputsFile), inputs);
  std::exception_ptr failure;
  if (works) {
    try {
      evaluate(program.verification->tools);
      tensors = std::make_unique<SafeTensorsReader>(pathOf(tensorsFile));
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
             wanted, wanted == 1 ? " element" : " elements", " is missing; '",
             evaluatorName,
             "' must be of the version of the compiler that made this program");
    std::vector<double> values(static_cast<size_t>(entry->bytes) /
                               sizeof(double));
    convertElements(BOOST_RT_F64, entry->data, BOOST_RT_F64, values.data(),
                    wanted);
    return values;
  };
  return {read("value." + name, elements), read("bound." + name, 1)[0],
          read("gain." + name, 1)[0]};
}
