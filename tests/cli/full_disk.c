/* A library to preload (tests/cli/test_screen_resume.sh) that makes the disk full: with
 * FULL_DISK=2500 pwrite writes no byte at 2500 or behind it, and gives ENOSPC once it cannot write
 * any. */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

ssize_t pwrite(int file, const void *bytes, size_t size, off_t place)
{
    const char *text = getenv("FULL_DISK");
    const off_t full = text ? (off_t)atol(text) : 0;
    ssize_t (*next)(int, const void *, size_t, off_t);
    *(void **)&next = dlsym(RTLD_NEXT, "pwrite");
    if (full && place >= full) {
        errno = ENOSPC;
        return -1;
    }
    if (full && place + (off_t)size > full) {
        size = (size_t)(full - place);
    }
    return next(file, bytes, size, place);
}
