#include "baseline.h"

#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"

extern char **environ;

/* The records of pair_loop.c. */
struct record_atom {
    float x, y, z; /* Å */
    int32_t type;
};

struct record_type {
    int32_t class;
    float radius, hydrophobic, hardness, nonpolar_reach, polar_reach, charge;
};

static void write_atoms(const struct berth_heavy_atoms *heavy, FILE *file)
{
    for (size_t i = 0; i < heavy->count; i++) {
        const double *at = heavy->atoms[i].position;
        const struct record_atom record = {(float)at[0], (float)at[1], (float)at[2],
                                           heavy->atoms[i].type};
        fwrite(&record, sizeof record, 1, file);
    }
}

static void write_types(const struct berth_scoring *scoring, FILE *file)
{
    for (size_t i = 0; i < scoring->type_count; i++) {
        const struct berth_type *type = &scoring->forcefield.types[i];
        const struct record_type record = {
            type->class,           (float)type->radius,         (float)type->hydrophobic,
            (float)type->hardness, (float)type->nonpolar_reach, (float)type->polar_reach,
            (float)type->charge,
        };
        fwrite(&record, sizeof record, 1, file);
    }
}

/* The deck as berth-baseline reads it; failed writes show when the file is flushed. */
static void write_input(const struct berth_bench_setup *setup, FILE *file)
{
    const int32_t counts[] = {(int32_t)setup->target.receptor->count, (int32_t)setup->ligand->count,
                              (int32_t)setup->target.scoring->type_count,
                              (int32_t)setup->poses_wanted, (int32_t)setup->repeats};
    fwrite(counts, sizeof counts, 1, file);
    write_atoms(setup->target.receptor, file);
    write_atoms(setup->ligand, file);
    write_types(setup->target.scoring, file);
    for (size_t k = 0; k < 6; k++) {
        const float *plane = setup->poses + k * setup->pose_count;
        for (size_t i = 0; i < setup->poses_wanted; i++) {
            fwrite(&plane[i % setup->pose_count], sizeof *plane, 1, file);
        }
    }
}

/* Runs the program from one file into the other. */
static enum berth_status run(char *program, FILE *input, FILE *output, struct berth_error *error)
{
    char *arguments[] = {program, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, fileno(input), STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, fileno(output), STDOUT_FILENO);
    const int code = posix_spawn(&child, program, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (code) {
        return berth_fail(error, BERTH_E_IO,
                          "--baseline: %s: %s; `make bench` builds it (gcc with OpenMP)", program,
                          strerror(code));
    }
    int ended;
    while (waitpid(child, &ended, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(ended) && WEXITSTATUS(ended) == 0
               ? BERTH_OK
               : berth_fail(error, BERTH_E_IO, "--baseline: %s failed; `make bench` builds it",
                            program);
}

static enum berth_status read_output(const struct berth_bench_setup *setup, FILE *file,
                                     struct berth_baseline *baseline, struct berth_error *error)
{
    struct berth_bench_result *result = &baseline->result;
    char line[256];
    float *energies = berth_alloc(setup->poses_wanted, sizeof *energies);
    enum berth_status status = BERTH_OK;
    rewind(file);
    if (!energies) {
        status =
            berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu poses", setup->poses_wanted);
    } else if (!fgets(line, sizeof line, file) ||
               sscanf(line, "%lf %lf %d %d %63[^\n]", &result->ms_median, &result->ms_min,
                      &baseline->block, &baseline->threads, baseline->compiler) != 5 ||
               !(result->ms_median > 0) ||
               fread(energies, sizeof *energies, setup->poses_wanted, file) !=
                   setup->poses_wanted) {
        status = berth_fail(error, BERTH_E_IO,
                            "--baseline: berth-baseline gave no result; `make bench` builds it "
                            "anew");
    } else {
        result->interactions_per_s = (double)setup->poses_wanted * (double)setup->ligand->count *
                                     (double)setup->target.receptor->count /
                                     (1e-3 * result->ms_median);
        berth_bench_verify(setup, energies, result);
    }
    free(energies);
    return status;
}

enum berth_status berth_baseline_run(const struct berth_bench_setup *setup,
                                     struct berth_baseline *baseline, struct berth_error *error)
{
    memset(baseline, 0, sizeof *baseline);
    char folder[PATH_MAX], program[PATH_MAX + 16];
    enum berth_status status = berth_program_folder(folder, error);
    if (status) {
        return status;
    }
    snprintf(program, sizeof program, "%s/berth-baseline", folder);
    FILE *input = tmpfile(), *output = tmpfile();
    if (input) {
        write_input(setup, input);
    }
    if (!input || !output || fflush(input) || ferror(input) ||
        lseek(fileno(input), 0, SEEK_SET) != 0) {
        status =
            berth_fail(error, BERTH_E_IO, "--baseline: no temporary file: %s", strerror(errno));
    }
    if (!status) {
        status = run(program, input, output, error);
    }
    if (!status) {
        status = read_output(setup, output, baseline, error);
    }
    if (input) {
        fclose(input);
    }
    if (output) {
        fclose(output);
    }
    return status;
}
