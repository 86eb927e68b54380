/* berth bench: throughput of the energy kernel, verified. */
#include <string.h>

#include "cli/common.h"
#include "cli/text_devices.h"
#include "options/rows.h"

/* Numbers are 0 where they were not given. */
struct values {
    struct berth_scoring_choice forcefield;
    const char *deck, *data, *csv, *device, *variant;
    long long poses, repeats;
};

static const struct cli_usage USAGE = {
    "bench", "[--deck DIR] [options]",
    "Times the energy kernel on each device and checks every energy: valid is yes where all agree\n"
    "with the reference within 0.05 % or 0.01 kJ/mol.  The data are the demo complex (HIV-1\n"
    "protease and amprenavir at random poses, with the energies of a double-precision reference) "
    "or\n"
    "a miniBUDE deck (protein.in, ligand.in, forcefield.in, poses.in, ref_energies.out).  Times "
    "are\n"
    "device time, from profiling events.\n"
    "\n"
    "Tunables for --variant: vector_width (poses in a vector: 1, 2, 4, 8 or 16), ppwi (vectors of\n"
    "poses per work-item), wgsize (work-items in a work-group), tile (receptor atoms in local "
    "memory\n"
    "at a time, 0 for none), lists (1: neighbour lists, 0: every atom of the receptor), expanded\n"
    "(1: squared distances expanded, 0: direct), saturate (1: clamp the ramps, 0: clamp the\n"
    "distance), square_root (0: full precision, 1: native, 2: x86 estimate and Newton step, 3: "
    "PTX),\n"
    "unroll (receptor atoms per turn of the innermost loop); kernels/variant.cl explains each."};

static const struct berth_option OPTIONS[] = {
    {"deck", BERTH_FIELD(struct values, deck), .argument = "DIR",
     .help = "folder of a miniBUDE deck", .fallback = "the demo complex"},
    {"poses", BERTH_FIELD(struct values, poses), .argument = "N",
     .help = "poses in a launch; those of the data are repeated as needed",
     .fallback = "as many as the deck has, else 65536", .min = 1, .max = 1 << 26},
    {"repeats", BERTH_FIELD(struct values, repeats), .argument = "K",
     .help = "timed launches, after one that is not timed", .min = 1, .max = 100000},
    {"csv", BERTH_FIELD(struct values, csv), .argument = "FILE",
     .help = "write the table as CSV too (- for standard output instead)", .fallback = "none"},
    {.help = "Device and data"},
    {"device", BERTH_FIELD(struct values, device), .argument = "D", .words = "all",
     .help = BERTH_DEVICES_HELP, .fallback = "all"},
    {"variant", BERTH_FIELD(struct values, variant), .argument = "TEXT",
     .help = "tunables of the energy kernel, for example \"ppwi=2 unroll=8\"",
     .fallback = "as tuned, else by device"},
    {"data", BERTH_FIELD(struct values, data), .argument = "DIR", .help = "folder of the demo data",
     .fallback = "that beside the program"},
    BERTH_SCORING_ROWS(struct values, forcefield.path, forcefield.scoring, "bude"),
    {"config", BERTH_OPTION_CONFIG, .argument = "FILE",
     .help = "read options from a file: lines `name = value`"},
    {0}};

/* BERTH_E_USAGE for options that do not go together. */
static enum berth_status check(const struct values *values, const struct berth_parsed *parsed,
                               struct berth_error *error)
{
    static const char *const DEMO_ONLY[] = {"scoring", "forcefield"};
    const struct cli_file file = {"csv", values->csv, true};
    for (size_t i = 0; i < sizeof DEMO_ONLY / sizeof *DEMO_ONLY; i++) {
        if (values->deck && berth_options_given(OPTIONS, parsed, DEMO_ONLY[i])) {
            return berth_fail(error, BERTH_E_USAGE, "--%s: --deck is for BUDE's own energies",
                              DEMO_ONLY[i]);
        }
    }
    return cli_check_files(&file, 1, error);
}

static enum berth_status execute(const struct values *values, bool *valid,
                                 struct berth_error *error)
{
    struct berth_devices devices = {0};
    struct cli_bench_settings settings = {.deck = values->deck,
                                          .scoring = &values->forcefield,
                                          .data = values->data,
                                          .csv = values->csv,
                                          .quiet = values->csv && strcmp(values->csv, "-") == 0,
                                          .log = cli_log(),
                                          .devices = &devices,
                                          .variant = berth_variant_unset(),
                                          .poses = (size_t)values->poses,
                                          .repeats = (size_t)values->repeats};
    enum berth_status status =
        values->variant ? berth_variant_parse(values->variant, &settings.variant, error) : BERTH_OK;
    BERTH_THEN(cli_devices_choose(&devices, values->device ? values->device : "all", error));
    BERTH_THEN(cli_bench_devices(&settings, valid, error));
    berth_devices_clear(&devices);
    return status;
}

int cmd_bench(int argc, char **argv)
{
    struct values values = {.repeats = 10, .forcefield = berth_scoring_published()};
    struct berth_parsed parsed = {0};
    struct berth_error error;
    int code = cli_parse(&USAGE, OPTIONS, argc, argv, &values, &parsed);
    if (code == CLI_GO_ON) {
        bool valid = true;
        if (!values.poses && !values.deck) {
            values.poses = 65536;
        }
        enum berth_status status = check(&values, &parsed, &error);
        status = status ? status : execute(&values, &valid, &error);
        if (!valid) {
            cli_say("energies differ from the reference; run `berth selftest`");
        }
        code = status ? cli_fatal(&error) : valid ? CLI_DONE : CLI_FATAL;
    }
    berth_parsed_clear(&parsed);
    return code;
}
