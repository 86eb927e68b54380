#include "base/locale.h"

locale_t berth_locale_enter(void)
{
    /* The C locale of libraries is a constant, which costs no memory; without one, nothing changes.
     */
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    return uselocale(plain);
}

void berth_locale_leave(const locale_t *before)
{
    const locale_t plain = uselocale(*before);
    if (plain != *before && plain != LC_GLOBAL_LOCALE) {
        freelocale(plain);
    }
}
