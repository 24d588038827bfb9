//===- PowerFailureTest.cpp - What a power failure leaves -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program runs with its changes of names and its syncs recorded
// (DiskRecorder.c). From the record follows what a disk may hold if the power
// fails after any of them: the bytes of a file as they were last synced, and
// of the names in a folder those that were synced or those of that moment. A
// program is then resumed from each such folder.
//
//===----------------------------------------------------------------------===//

#include "ProgramFixture.h"

#include <algorithm>
#include <set>

using namespace boost_rt;

namespace {
struct Node {
  bool isFolder = false;
  /// Bytes that were synced.
  std::string content;
  /// Names, and names that were synced.
  std::map<std::string, std::shared_ptr<Node>> names, synced;
};

/// A folder as a disk may hold it: paths with the contents of their files;
/// folders end with a slash.
using Tree = std::map<std::string, std::string>;

class Disk {
public:
  explicit Disk(std::string root) : root(std::move(root)) {
    top.isFolder = true;
  }

  /// Applies a line of the record, whose copies of files are at `copies`.N.
  void apply(const std::string &line, const std::string &copies) {
    std::istringstream words(line);
    std::string what, path, rest;
    words >> what >> path >> rest;
    auto [folder, name] = find(path);
    if (what == "create" || what == "mkdir") {
      folder->names[name] = std::make_shared<Node>();
      folder->names[name]->isFolder = what == "mkdir";
    } else if (what == "remove") {
      folder->names.erase(name);
    } else if (what == "rename") {
      std::shared_ptr<Node> node = folder->names.at(name);
      folder->names.erase(name);
      auto target = find(rest);
      target.first->names[target.second] = node;
    } else if (what == "sync") {
      Node &node = name.empty() ? *folder : *folder->names.at(name);
      node.synced = node.names;
      if (!node.isFolder)
        node.content = contentOf(copies + "." + rest);
    }
  }

  /// Returns the trees that a disk may hold: the names that were synced, or all
  /// names, in the uppermost folder that the program made and in those below
  /// it.
  std::set<Tree> afterPowerFailure() const {
    std::set<Tree> trees;
    for (bool outerSynced : {false, true})
      for (bool innerSynced : {false, true}) {
        Tree tree;
        collect(top, "", 0, {outerSynced, outerSynced, innerSynced}, tree);
        trees.insert(tree);
      }
    return trees;
  }

private:
  /// The folder of a path and the name in it; the root has none.
  std::pair<Node *, std::string> find(const std::string &path) {
    Node *folder = &top;
    std::string rest = path.substr(std::min(path.size(), root.size() + 1));
    for (size_t slash; (slash = rest.find('/')) != std::string::npos;
         rest = rest.substr(slash + 1))
      folder = folder->names.at(rest.substr(0, slash)).get();
    return std::pair(folder, rest);
  }

  static void collect(const Node &folder, const std::string &prefix,
                      size_t depth, const std::vector<bool> &isSynced,
                      Tree &tree) {
    for (const auto &[name, node] :
         isSynced[std::min(depth, isSynced.size() - 1)] ? folder.synced
                                                        : folder.names) {
      tree[prefix + name + (node->isFolder ? "/" : "")] = node->content;
      collect(*node, prefix + name + "/", depth + 1, isSynced, tree);
    }
  }

  static std::string contentOf(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::string root;
  Node top;
};

class PowerFailureTest : public ProgramFixture {
protected:
  /// Runs a program and returns the lines of its record.
  std::vector<std::string> recordOf(const std::string &arguments) {
    fs::create_directory(path("disk"));
    fs::create_symlink(DISK_RECORDER, path("recorder.so"));
    Outcome outcome =
        shell("DISK_ROOT=" + path("disk") + " DISK_RECORD=" + path("record") +
              " LD_PRELOAD=" + path("recorder.so") + " tiny " + arguments);
    EXPECT_EQ(outcome.exitCode, 0) << outcome.output;
    std::vector<std::string> lines;
    std::ifstream record(path("record"));
    for (std::string line; std::getline(record, line);)
      lines.push_back(line);
    return lines;
  }

  /// Makes the folder `disk` hold this.
  void restore(const Tree &tree) {
    fs::remove_all(path("disk"));
    fs::create_directory(path("disk"));
    for (const auto &[name, content] : tree)
      if (name.back() == '/')
        fs::create_directory(path("disk/" + name));
      else
        std::ofstream(path("disk/" + name), std::ios::binary) << content;
  }

  static std::string describe(const Tree &tree) {
    std::string text;
    for (const auto &[name, content] : tree)
      text += concat(name, " ", content.size(), " bytes\n");
    return text;
  }
};
} // namespace

// When a checkpoint is begun, the one before it is on the disk.
TEST_F(PowerFailureTest, atMostOneCheckpointIsLost) {
  std::string arguments = "train --lr 0.1 --data " + path("tokens.bin") +
                          " --checkpoint " + path("disk/a/ck") +
                          " --checkpoint-every 2 --steps ";
  std::vector<std::string> record = recordOf(arguments + "6");
  Disk disk(path("disk"));
  std::set<Tree> seen;
  int64_t begun = 0;
  for (const std::string &line : record) {
    disk.apply(line, path("record"));
    begun += line.find("mkdir " + path("disk/a/ck/.step-")) == 0;
    int64_t least = begun > 1 ? (begun - 1) * 2 : 0;
    for (const Tree &tree : disk.afterPowerFailure()) {
      if (!seen.insert(tree).second)
        continue;
      restore(tree);
      Outcome outcome = run("tiny", arguments + "8 --resume");
      ASSERT_EQ(outcome.exitCode, 0)
          << outcome.output << "after " << line << "\n"
          << describe(tree);
      size_t found = outcome.output.find("resumed after step ");
      int64_t step = found == std::string::npos
                         ? 0
                         : std::atoll(outcome.output.c_str() + found + 19);
      ASSERT_GE(step, least) << "after " << line << "\n" << describe(tree);
    }
  }
  EXPECT_EQ(begun, 3);
  // Whatever was lost on the way, the last is there.
  restore(*disk.afterPowerFailure().begin());
  EXPECT_NE(
      run("tiny", arguments + "8 --resume").output.find("resumed after step 6"),
      std::string::npos);
}

TEST_F(PowerFailureTest, savedParametersAreAllOrNothing) {
  std::string arguments = "train --steps 2 --data " + path("tokens.bin") +
                          " --save " + path("disk/saved");
  std::vector<std::string> record = recordOf(arguments);
  std::string whole = contentOf(path("disk/saved"));
  Disk disk(path("disk"));
  for (const std::string &line : record) {
    disk.apply(line, path("record"));
    for (const Tree &tree : disk.afterPowerFailure())
      if (auto saved = tree.find("saved"); saved != tree.end())
        EXPECT_EQ(saved->second, whole) << "after " << line;
  }
  for (const Tree &tree : disk.afterPowerFailure())
    EXPECT_TRUE(tree.count("saved")) << describe(tree);
}
