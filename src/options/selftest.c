/* The options of `berth selftest`. */
#include "options/rows.h"
#include "options/tables.h"

typedef struct berth_selftest_request request;

const struct berth_option BERTH_SELFTEST_TABLE[] = {
    {"device", BERTH_FIELD(request, devices.device), .argument = "D", .words = "all",
     .initial_text = "all", .help = BERTH_DEVICES_HELP},
    {"check", BERTH_FIELD(request, selftest.check), .argument = "NAME",
     .help = "do only checks whose names begin so", .fallback = "all"},
    BERTH_SCORING_ROWS(request, selftest.forcefield, selftest.scoring, "bude"),
    {"seed", BERTH_FIELD(request, selftest.seed), .argument = "N", .help = "of the random inputs",
     .initial = 1, .fallback = "the time"},
    {"small", BERTH_FIELD(request, selftest.small),
     .help = "few and small inputs, for a simulated device"},
    {"variant", BERTH_FIELD(request, selftest.variant), .argument = "TEXT",
     .help = "tunables of the energy kernel, for example \"ppwi=2 unroll=8\"",
     .fallback = "as tuned, else by device"},
    {"build_options", BERTH_FIELD(request, selftest.build_options), .argument = "TEXT",
     .help = "further options for the OpenCL compiler", .fallback = "none"},
    {0}};

BERTH_REQUEST(selftest, BERTH_SELFTEST_TABLE, .devices.size = sizeof values.devices,
              .selftest.size = sizeof values.selftest)
