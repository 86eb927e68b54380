/* A library to preload (tests/cli/test_threads.sh) that counts the threads that a process starts,
 * and writes their number to the file COUNT_THREADS when it ends. */
#define _GNU_SOURCE

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int threads;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *context)
{
    int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = NULL;
    *(void **)&next = dlsym(RTLD_NEXT, "pthread_create");
    __atomic_add_fetch(&threads, 1, __ATOMIC_SEQ_CST);
    return next(thread, attributes, run, context);
}

__attribute__((destructor)) static void write_count(void)
{
    const char *path = getenv("COUNT_THREADS");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%d\n", __atomic_load_n(&threads, __ATOMIC_SEQ_CST));
        fclose(file);
    }
}
