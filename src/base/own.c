#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700 /* S_ISVTX */
#endif

#include "base/own.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

enum { LINKS_MAX = 40 /* on a way, as the kernel has it */ };

/* The user that the machine's root looks like here: another one in a user namespace without it, as
 * in many containers. */
static uid_t machine_root(void)
{
    struct stat facts;
    return stat("/proc/sys/kernel", &facts) == 0 ? facts.st_uid : 0;
}

static enum berth_status is_others(const char *path, const struct stat *facts,
                                   struct berth_error *error)
{
    return berth_fail(error, BERTH_E_IO, "%s: belongs to another user (%lu)", path,
                      (unsigned long)facts->st_uid);
}

static enum berth_status is_open(const char *path, const struct stat *facts,
                                 struct berth_error *error)
{
    return berth_fail(error, BERTH_E_IO, "%s: others may write to it (mode %03o; chmod go-w)", path,
                      (unsigned)facts->st_mode & 0777);
}

/* BERTH_E_IO where others than this user and root could have made what the facts are about. */
static enum berth_status check_own(const char *path, const struct stat *facts,
                                   struct berth_error *error)
{
    if (facts->st_uid != geteuid() && facts->st_uid != 0) {
        return is_others(path, facts, error);
    }
    return facts->st_mode & (S_IWGRP | S_IWOTH) ? is_open(path, facts, error) : BERTH_OK;
}

/* BERTH_E_IO where others could put another file or folder in the place of what lies in the folder.
 * A sticky one, such as /tmp, leaves to each what is theirs; a group of the user's own number is
 * the user's alone, as many systems make them, whose folders its members may write to. */
static enum berth_status check_step(const char *path, const struct stat *facts,
                                    struct berth_error *error)
{
    const bool mine = facts->st_uid == geteuid();
    const bool alone = mine && facts->st_uid != 0 && facts->st_gid == facts->st_uid;
    if (!mine && facts->st_uid != 0 && facts->st_uid != machine_root()) {
        return is_others(path, facts, error);
    }
    const mode_t open = S_IWOTH | (alone ? 0 : S_IWGRP);
    return S_ISDIR(facts->st_mode) && facts->st_mode & open && !(facts->st_mode & S_ISVTX)
               ? is_open(path, facts, error)
               : BERTH_OK;
}

static enum berth_status check_way(const char *path, int *links, struct berth_error *error);

/* The way that the link at path leads, which stands in a folder that is checked; *links: those that
 * were followed so far. */
static enum berth_status check_link(const char *path, int *links, struct berth_error *error)
{
    char target[PATH_MAX], whole[2 * PATH_MAX];
    const ssize_t length = readlink(path, target, sizeof target - 1);
    if (length < 0 || ++*links > LINKS_MAX) {
        return berth_io_error(path, "follow", length < 0 ? errno : ELOOP, error);
    }
    target[length] = '\0';
    const int folder = *target == '/' ? 0 : (int)(strrchr(path, '/') - path) + 1;
    snprintf(whole, sizeof whole, "%.*s%s", folder, path, target);
    return check_way(whole, links, error);
}

/* Each folder and each link on the way to path, which begins with '/', and path, as far as they are
 * there. */
static enum berth_status check_way(const char *path, int *links, struct berth_error *error)
{
    enum berth_status status = BERTH_OK;
    struct stat facts;
    char *part = berth_copy_text(path);
    if (!part) {
        return berth_out_of_memory(error, path);
    }
    for (size_t end = 1; !status && end <= strlen(path); end++) {
        if (end > 1 && path[end] != '/' && path[end] != '\0') {
            continue;
        }
        part[end] = '\0';
        if (lstat(part, &facts) != 0) {
            break;
        }
        status = check_step(part, &facts, error);
        if (!status && S_ISLNK(facts.st_mode)) {
            status = check_link(part, links, error);
        }
        part[end] = path[end];
    }
    free(part);
    return status;
}

static enum berth_status check_whole_way(const char *path, struct berth_error *error)
{
    char folder[PATH_MAX];
    int links = 0;
    if (*path == '/') {
        return check_way(path, &links, error);
    }
    if (!getcwd(folder, sizeof folder)) {
        return berth_io_error(path, "find the current folder for", errno, error);
    }
    char *whole = berth_path_join(folder, path);
    const enum berth_status status =
        whole ? check_way(whole, &links, error) : berth_out_of_memory(error, path);
    free(whole);
    return status;
}

/* Opens the folder, *folder being -1 where there is none. */
static enum berth_status open_own_directory(const char *path, int *folder,
                                            struct berth_error *error)
{
    struct stat facts;
    *folder = -1;
    BERTH_TRY(check_whole_way(path, error));
    *folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*folder < 0) {
        return errno == ENOENT ? BERTH_OK : berth_io_error(path, "open", errno, error);
    }
    enum berth_status status = fstat(*folder, &facts) != 0
                                   ? berth_io_error(path, "look at", errno, error)
                                   : check_own(path, &facts, error);
    if (status) {
        close(*folder);
        *folder = -1;
    }
    return status;
}

enum berth_status berth_directory_make_own(const char *path, struct berth_error *error)
{
    int folder;
    BERTH_TRY(check_whole_way(path, error));
    BERTH_TRY(berth_directory_make(path, error));
    BERTH_TRY(open_own_directory(path, &folder, error));
    if (folder < 0) {
        return berth_io_error(path, "open", ENOENT, error);
    }
    close(folder);
    return BERTH_OK;
}

/* Reads the opened file, where it may be read. */
static enum berth_status read_own(int file, const char *path, const struct berth_own_file *wanted,
                                  unsigned char **bytes, size_t *size, struct berth_error *error)
{
    struct stat facts;
    BERTH_TRY(berth_file_look_plain(file, path, &facts, error));
    BERTH_TRY(check_own(path, &facts, error));
    if ((uintmax_t)facts.st_size > wanted->most) {
        return berth_fail(error, BERTH_E_IO, "%s: is too long (%jd bytes)", path,
                          (intmax_t)facts.st_size);
    }
    BERTH_TRY(berth_make(bytes, (size_t)facts.st_size + 1, 1, path, error));
    const int code = berth_read_at(file, *bytes, (size_t)facts.st_size, 0, size);
    if (code) {
        free(*bytes);
        *bytes = NULL;
        return berth_io_error(path, "read", code, error);
    }
    if (wanted->used) {
        futimens(file, NULL); /* a file system may refuse */
    }
    return BERTH_OK;
}

enum berth_status berth_file_read_own(const struct berth_own_file *wanted, unsigned char **bytes,
                                      size_t *size, struct berth_error *error)
{
    int folder = -1;
    *bytes = NULL;
    char *path = berth_path_join(wanted->directory, wanted->name);
    enum berth_status status = path ? open_own_directory(wanted->directory, &folder, error)
                                    : berth_out_of_memory(error, wanted->directory);
    if (folder >= 0) {
        const int file =
            openat(folder, wanted->name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
        if (file >= 0) {
            status = read_own(file, path, wanted, bytes, size, error);
            close(file);
        } else if (errno == ELOOP) {
            status = berth_fail(error, BERTH_E_IO, "%s: is no plain file", path);
        } else if (errno != ENOENT) {
            status = berth_io_error(path, "open", errno, error);
        }
        close(folder);
    }
    free(path);
    return status;
}
