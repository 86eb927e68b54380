#include "cli/common.h"

#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "engine/pack.h"
#include "io/bhff.h"

int cli_fatal(const struct berth_error *error)
{
    fprintf(stderr, "berth: %s\n", error->message);
    return CLI_FATAL;
}

static void print_warning(void *context, const char *text)
{
    (void)context;
    fprintf(stderr, "berth: warning: %s\n", text);
}

struct berth_log cli_log(void)
{
    return (struct berth_log){print_warning, NULL};
}

int cli_parse(const struct cli_usage *usage, const struct berth_option *table, int argc,
              char **argv, void *values, struct berth_parsed *parsed)
{
    struct berth_error error;
    if (berth_options_parse(table, argc, argv, values, parsed, &error)) {
        cli_fatal(&error);
        fprintf(stderr, "berth: see `berth %s -h`\n", usage->command);
        return CLI_FATAL;
    }
    if (parsed->help) {
        printf("Usage: berth %s%s%s\n\n%s\n\n", usage->command, *usage->synopsis ? " " : "",
               usage->synopsis, usage->text);
        berth_options_help(table, values, stdout);
        return CLI_DONE;
    }
    return CLI_GO_ON;
}

enum berth_status cli_receptor_read(const char *forcefield, const char *path,
                                    struct cli_receptor *receptor, struct berth_error *error)
{
    memset(receptor, 0, sizeof *receptor);
    const struct berth_log log = cli_log();
    enum berth_status status = berth_bhff_read(forcefield, &log, &receptor->forcefield, error);
    if (!status) {
        status = berth_mol2_read_one(path, true, &receptor->molecule, error);
    }
    if (!status) {
        status = berth_forcefield_assign(&receptor->forcefield, &receptor->molecule, &log,
                                         &receptor->heavy, error);
        if (status) {
            berth_fail_in(error, path);
        }
    }
    if (!status && !receptor->heavy.count) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s: the receptor has no heavy atoms", path);
    }
    return status;
}

void cli_receptor_clear(struct cli_receptor *receptor)
{
    berth_forcefield_clear(&receptor->forcefield);
    berth_molecule_clear(&receptor->molecule);
    berth_heavy_atoms_clear(&receptor->heavy);
}

enum berth_status cli_failures_create(const char *path, struct cli_failures *failures,
                                      struct berth_error *error)
{
    memset(failures, 0, sizeof *failures);
    if (!path) {
        return BERTH_OK;
    }
    enum berth_status status = berth_output_create(path, &failures->output, error);
    if (!status) {
        berth_output_print(failures->output, "ligand,reason\n");
    }
    return status;
}

void cli_failures_add(struct cli_failures *failures, const char *ligand,
                      const struct berth_error *why)
{
    failures->count++;
    fprintf(stderr, "berth: failed: %s\n", why->message);
    if (failures->output) {
        berth_output_csv(failures->output, ligand ? ligand : "", ',');
        berth_output_csv(failures->output, why->message, '\n');
    }
}

/* A ligand has 1 to BERTH_LIGAND_ATOMS_MAX heavy atoms, and 3D coordinates. */
static enum berth_status check_ligand(const struct berth_molecule *molecule,
                                      struct berth_error *error)
{
    const size_t heavy = berth_heavy_count(molecule);
    if (heavy < 1 || heavy > BERTH_LIGAND_ATOMS_MAX) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "molecule %s: %zu heavy atoms; a ligand has 1 to %d", molecule->title,
                          heavy, BERTH_LIGAND_ATOMS_MAX);
    }
    const char *flaw = berth_coordinates_flaw(molecule);
    if (flaw) {
        return berth_fail(error, BERTH_E_FORMAT,
                          "molecule %s: %s; make 3D coordinates, for example with `obabel --gen3d`",
                          molecule->title, flaw);
    }
    return BERTH_OK;
}

enum berth_status cli_source_next(struct cli_source *source, struct berth_molecule *molecule,
                                  struct berth_heavy_atoms *heavy, bool *end,
                                  struct berth_error *error)
{
    const struct berth_log log = cli_log();
    for (;;) {
        struct berth_error why;
        enum berth_status status = berth_mol2_next(source->reader, molecule, end, &why);
        if (!status && *end) {
            return BERTH_OK;
        }
        if (status == BERTH_E_MEMORY ||
            (status && berth_mol2_is_broken(source->reader) && !source->read)) {
            *error = why;
            return status;
        }
        if (!status) {
            status = check_ligand(molecule, &why);
            if (!status) {
                status = berth_forcefield_assign(source->forcefield, molecule, &log, heavy, &why);
            }
            if (status) {
                char place[PATH_MAX + 32];
                snprintf(place, sizeof place, "%s:%zu", source->path, molecule->line);
                berth_fail_in(&why, place);
            }
        }
        if (!status) {
            source->read++;
            return BERTH_OK;
        }
        cli_failures_add(source->failures, molecule->title, &why);
        berth_molecule_clear(molecule);
    }
}

/* True where writing one of the files would spoil the other. */
static bool files_clash(const struct cli_file *a, const struct cli_file *b)
{
    if (!a->path || !b->path || (!a->output && !b->output)) {
        return false;
    }
    if (strcmp(a->path, b->path) == 0) {
        return strcmp(a->path, "-") != 0 || a->output == b->output; /* "-" is two streams */
    }
    struct stat of_a, of_b;
    return stat(a->path, &of_a) == 0 && stat(b->path, &of_b) == 0 && S_ISREG(of_a.st_mode) &&
           of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

enum berth_status cli_check_files(const struct cli_file *files, size_t count,
                                  struct berth_error *error)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (files_clash(&files[i], &files[j])) {
                return berth_fail(error, BERTH_E_USAGE,
                                  "--%s and --%s are the same file, %s; give one another name",
                                  files[j].option, files[i].option, files[i].path);
            }
        }
    }
    return BERTH_OK;
}

/* Signal handlers have nothing but static memory to write to. */
static volatile sig_atomic_t caught_signal;

static void catch_signal(int number)
{
    caught_signal = number;
}

void cli_catch_signals(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
    action.sa_handler = catch_signal;
    action.sa_flags = (int)SA_RESETHAND;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

enum berth_status cli_check_signals(struct berth_error *error)
{
    return caught_signal ? berth_fail(error, BERTH_E_USAGE,
                                      "interrupted; nothing was written, start the run again")
                         : BERTH_OK;
}

double cli_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
