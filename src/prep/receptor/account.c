#include "prep/receptor/account.h"

#include <string.h>

#include "base/memory.h"

static void keep_line(void *context, const struct berth_log_line *line)
{
    struct berth_account *account = context;
    if (account->text.count) {
        berth_bytes_put8(&account->text, '\n');
    }
    berth_bytes_put(&account->text, line->text, strlen(line->text));
    if (account->next && account->next->take) {
        account->next->take(account->next->context, line);
    }
}

struct berth_log berth_account_log(struct berth_account *account)
{
    return (struct berth_log){keep_line, account};
}

enum berth_status berth_account_take(struct berth_account *account, char **text,
                                     struct berth_error *error)
{
    berth_bytes_put8(&account->text, 0);
    *text = account->text.failed ? NULL : berth_copy_text((const char *)account->text.data);
    berth_bytes_clear(&account->text);
    return *text ? BERTH_OK : berth_out_of_memory(error, NULL);
}
