/*===- DiskRecorder.c - What a program does to a folder, in order -----------===
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Preloaded into a program, it writes every change of names below DISK_ROOT,
 * and every sync, to the file DISK_RECORD:
 *
 *   create PATH | mkdir PATH | rename PATH PATH | remove PATH
 *   sync PATH N     the content of the file is then in DISK_RECORD.N
 *   sync PATH       of a folder
 *
 * With DISK_ERROR, a number, every write to a position of a file fails so.
 *
 *===----------------------------------------------------------------------===*/

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ORIGINAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int isWatched(const char *path) {
  const char *root = getenv("DISK_ROOT");
  return root && strncmp(path, root, strlen(root)) == 0;
}

static void record(const char *what, const char *path, const char *rest) {
  if (!isWatched(path))
    return;
  char line[3 * PATH_MAX];
  int length = snprintf(line, sizeof(line), "%s %s%s\n", what, path, rest);
  int file = ORIGINAL(open)(getenv("DISK_RECORD"),
                            O_WRONLY | O_APPEND | O_CREAT, 0600);
  if (write(file, line, (size_t)length) != length)
    abort();
  close(file);
}

/* The path of an open file, or of `name` in an open folder. */
static void resolve(int file, const char *name, char *path) {
  char link[64];
  snprintf(link, sizeof(link), "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  path[length > 0 ? length : 0] = '\0';
  if (name)
    strncat(strcat(path, "/"), name, PATH_MAX / 2);
}

static int openAndRecord(const char *path, int flags, mode_t mode) {
  int isNew = (flags & O_CREAT) && access(path, F_OK) != 0;
  int file = ORIGINAL(open)(path, flags, mode);
  if (file >= 0 && isNew)
    record("create", path, "");
  return file;
}

int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = (flags & O_CREAT) ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return openAndRecord(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  mode_t mode = (flags & O_CREAT) ? va_arg(arguments, mode_t) : 0;
  va_end(arguments);
  return openAndRecord(path, flags, mode);
}

int mkdir(const char *path, mode_t mode) {
  int result = ORIGINAL(mkdir)(path, mode);
  if (result == 0)
    record("mkdir", path, "");
  return result;
}

int rename(const char *from, const char *to) {
  int result = ORIGINAL(rename)(from, to);
  char rest[PATH_MAX + 2];
  snprintf(rest, sizeof(rest), " %s", to);
  if (result == 0)
    record("rename", from, rest);
  return result;
}

int unlink(const char *path) {
  int result = ORIGINAL(unlink)(path);
  if (result == 0)
    record("remove", path, "");
  return result;
}

int rmdir(const char *path) {
  int result = ORIGINAL(rmdir)(path);
  if (result == 0)
    record("remove", path, "");
  return result;
}

int unlinkat(int folder, const char *name, int flags) {
  int result = ORIGINAL(unlinkat)(folder, name, flags);
  char path[2 * PATH_MAX];
  if (folder == AT_FDCWD || *name == '/')
    snprintf(path, sizeof(path), "%s", name);
  else
    resolve(folder, name, path);
  if (result == 0)
    record("remove", path, "");
  return result;
}

/* Copies a file that was synced to the record's next copy. */
static void keepContent(const char *path, char *rest, size_t size) {
  static int count = 0;
  char copyPath[PATH_MAX], buffer[4096];
  snprintf(rest, size, " %d", count);
  snprintf(copyPath, sizeof(copyPath), "%s.%d", getenv("DISK_RECORD"), count++);
  int from = ORIGINAL(open)(path, O_RDONLY, 0);
  int to = ORIGINAL(open)(copyPath, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  for (ssize_t bytes; (bytes = read(from, buffer, sizeof(buffer))) > 0;)
    if (write(to, buffer, (size_t)bytes) != bytes)
      abort();
  close(from);
  close(to);
}

static int syncAndRecord(int file, int result) {
  char path[2 * PATH_MAX], rest[64] = "";
  struct stat status;
  resolve(file, NULL, path);
  if (result == 0 && isWatched(path) && fstat(file, &status) == 0) {
    if (S_ISREG(status.st_mode))
      keepContent(path, rest, sizeof(rest));
    record("sync", path, rest);
  }
  return result;
}

static ssize_t writeOrFail(int file, const void *data, size_t bytes,
                           off_t position) {
  const char *error = getenv("DISK_ERROR");
  if (!error)
    return ORIGINAL(pwrite)(file, data, bytes, position);
  errno = atoi(error);
  return -1;
}

ssize_t pwrite(int file, const void *data, size_t bytes, off_t position) {
  return writeOrFail(file, data, bytes, position);
}

ssize_t pwrite64(int file, const void *data, size_t bytes, off64_t position) {
  return writeOrFail(file, data, bytes, position);
}

int fsync(int file) { return syncAndRecord(file, ORIGINAL(fsync)(file)); }

int fdatasync(int file) {
  return syncAndRecord(file, ORIGINAL(fdatasync)(file));
}
