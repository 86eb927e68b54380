#include "device/process.h"

#include <stdatomic.h>
#include <unistd.h>

/* The id of the process whose drivers are up; 0: of none.  Nothing else of the library outlives its
 * handles, but drivers keep state of the process, which is inherited as this is. */
static atomic_long *owner(void)
{
    static atomic_long id;
    return &id;
}

enum berth_status berth_process_claim(struct berth_error *error)
{
    long none = 0;
    atomic_compare_exchange_strong(owner(), &none, (long)getpid());
    return berth_process_check(error);
}

enum berth_status berth_process_check(struct berth_error *error)
{
    const long id = atomic_load(owner());
    return !id || id == (long)getpid()
               ? BERTH_OK
               : berth_fail(error, BERTH_E_USAGE,
                            "this process was forked from one (%ld) that had used devices, whose "
                            "drivers do not work behind a fork: start it anew (fork and exec; in "
                            "Python multiprocessing.get_context(\"spawn\")), or use devices in "
                            "forked processes alone",
                            id);
}
