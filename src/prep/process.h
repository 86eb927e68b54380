/* A program as a process of its own, spoken to through pipes, with limits of time and memory: its
 * crash or hang costs what it was asked and nothing else. */
#ifndef BERTH_PREP_PROCESS_H
#define BERTH_PREP_PROCESS_H

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/bytes.h"
#include "base/error.h"

enum { BERTH_PROCESS_WORDS = 2048 };

/* Processor time, so that what comes out does not depend on what else the machine does; the clock
 * for a process that hangs without using any. */
enum { BERTH_PROCESS_PATIENCE = 10 };

/* Zeroed, there is none. */
struct berth_process {
    pid_t id;                              /* 0: none */
    int input, output, errors;             /* our ends of the pipes; -1: none */
    char errors_text[BERTH_PROCESS_WORDS]; /* the end of what it wrote to its standard error */
    size_t errors_size;
};

struct berth_process_setup {
    const char *program;    /* borrowed; its path */
    char *const *arguments; /* borrowed; ended by NULL, the first is its name */
    size_t memory;          /* bytes of address space; 0: no limit */
    const void *file; /* borrowed; NULL: it reads from a pipe; else its standard input is a file
                         (of memory, on Linux), which can be read at any place, of: */
    size_t size;      /* bytes */
};

/* One exchange; everything is borrowed. */
struct berth_exchange {
    const void *data;          /* what it is sent */
    size_t size;               /* bytes of it */
    bool last;                 /* nothing follows: all that it says is read */
    struct berth_bytes *reply; /* what it says is appended; else one frame: 32 bits, little-endian,
                                  that are its size, and as many bytes */
    double limit; /* seconds of processor time from now on; BERTH_PROCESS_PATIENCE times
                     as many by the clock */
    double clock; /* seconds by the clock instead of these; 0: these */
    const atomic_bool *cancel; /* or NULL; once it is true, the exchange ends */
    double *used;              /* or NULL: the processor time that it took is added, s */
};

enum berth_exchange_end {
    BERTH_EXCHANGE_DONE,      /* the frame is there; or, behind the last, its output has ended */
    BERTH_EXCHANGE_BROKEN,    /* it ended, or closed its output, before that */
    BERTH_EXCHANGE_LATE,      /* its processor time is used up */
    BERTH_EXCHANGE_HANGS,     /* or its time by the clock */
    BERTH_EXCHANGE_CANCELLED, /* as asked for */
    BERTH_EXCHANGE_FAILED     /* memory, or a system call: errno says which */
};

/* How a process ended. */
enum { BERTH_PROCESS_CANNOT_START = 127 };

/* The path of a program in the folders of PATH, from *at on, which is moved behind the one that has
 * it (NULL: none is left; begin with getenv("PATH")).  False where there is none. */
bool berth_process_find(const char *name, const char **at, char path[PATH_MAX]);

/* Starts it.  It does not outlive this process, however that ends; on Linux nor the thread that
 * started it.  The caller stops *process.  Errors: BERTH_E_IO. */
enum berth_status berth_process_start(const struct berth_process_setup *setup,
                                      struct berth_process *process, struct berth_error *error);

/* Sends and reads until one of the ends above. */
enum berth_exchange_end berth_process_exchange(struct berth_process *process,
                                               const struct berth_exchange *exchange);

/* Says of an exchange that was late, hung, was cancelled or failed (errno says why) what became of
 * the program (`who`: "Open Babel"), which had limit seconds.  BERTH_OK for other ends. */
enum berth_status berth_exchange_judge(enum berth_exchange_end end, const char *who, double limit,
                                       struct berth_error *error);

/* The last line that it wrote to its standard error and that says something, borrowed from
 * *process; where there is none silent, NULL: "it said nothing".  Call it once, in the end. */
const char *berth_process_words(struct berth_process *process, const char *silent);

/* Kills it, with what it has started, unless it has ended by itself (or is about to, having closed
 * its output: `wait`); waits for it, and gives the status that waitpid gives.  A zeroed process is
 * accepted, and what is left is one. */
int berth_process_stop(struct berth_process *process, bool wait);

#endif
