/* Numbers have points, whatever locale the process has set.
 *
 * printf, strtod and the like obey the locale of their thread.  So each public function, and each
 * thread of its own, has the C locale from here to the end of its block; the caller's comes back
 * with it, and the process's is never touched.
 */
#ifndef BERTH_BASE_LOCALE_H
#define BERTH_BASE_LOCALE_H

#include <locale.h>

#define BERTH_IN_C_LOCALE                                                                          \
    __attribute__((cleanup(berth_locale_leave), unused)) locale_t berth_locale_before =            \
        berth_locale_enter()

/* Gives this thread the C locale, and returns the one that it had. */
locale_t berth_locale_enter(void);

void berth_locale_leave(const locale_t *before);

#endif
