#include "score/scoring.h"

#include <stdbool.h>
#include <string.h>

#include "base/gather.h"
#include "score/bhff.h"
#include "score/plp.h"
#include "score/standin.h"

static bool is_plp(const struct berth_scoring_choice *choice)
{
    return strcmp(choice->scoring, "plp") == 0;
}

struct berth_scoring_choice berth_scoring_defaults(void)
{
    return (struct berth_scoring_choice){.scoring = "bude"};
}

const char *berth_scoring_unit(const struct berth_scoring_choice *choice)
{
    return is_plp(choice) ? "PLP" : "kJ/mol";
}

enum berth_status berth_scoring_read(const struct berth_scoring_choice *choice,
                                     const struct berth_log *log,
                                     struct berth_forcefield *forcefield, struct berth_error *error)
{
    if (!is_plp(choice) && strcmp(choice->scoring, "vina") != 0 && strcmp(choice->scoring, "bude") != 0) {
        return berth_fail(error, BERTH_E_USAGE, "--scoring: '%s' is neither bude nor plp",
                          choice->scoring);
    }
    struct berth_gatherer gatherer = {.next = log};
    const struct berth_log gathering = berth_gather(&gatherer);
    const enum berth_status status = berth_bhff_read(choice->path, &gathering, forcefield, error);
    berth_gatherer_flush(&gatherer);
    if (!status && strcmp(choice->scoring, "vina") == 0) {
        standin_use(forcefield);
    }
    if (!status && is_plp(choice)) {
        berth_plp_use(forcefield);
    }
    return status;
}
