/* rates IN.mol2 OUT.blib [PASSES]: how fast Mol2 becomes a library and a library is read, on one
 * core, in seconds of processor time.  Prints a CSV row and its header; run.sh builds and calls it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "score/scoring.h"
#include "format/library/library.h"
#include "format/mol2/mol2.h"

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void demand(enum berth_status status, const struct berth_error *error)
{
    if (status) {
        fprintf(stderr, "rates: %s\n", error->message);
        exit(1);
    }
}

/* Adds the ligand to the library, and empties it; `consumed`: molecules read so far. */
static void add(struct berth_library_writer *writer, struct berth_library_ligand *ligand,
                uint64_t consumed)
{
    struct berth_error error;
    ligand->record = consumed - ligand->ligand.conformer_count + 1;
    demand(berth_torsion_tree_find(&ligand->ligand.conformers[0], &ligand->tree, &error), &error);
    demand(berth_library_add(writer, ligand, consumed, &error), &error);
    berth_library_ligand_clear(ligand);
}

static void convert(const char *in, const char *out, const struct berth_forcefield *forcefield)
{
    struct berth_error error;
    struct berth_mol2_reader *reader;
    struct berth_library_writer *writer;
    struct berth_library_ligand ligand = {0};
    struct berth_molecule molecule = {0};
    const struct berth_library_setup to = {
        .path = out, .forcefield = forcefield, .note = "rates", .mode = BERTH_LIBRARY_REPLACE};
    demand(berth_mol2_reader_create(in, &reader, &error), &error);
    demand(berth_library_create(&to, &writer, &error), &error);
    bool end = false;
    for (uint64_t consumed = 0; !end; consumed++) {
        demand(berth_mol2_next(reader, &molecule, &end, &error), &error);
        if (ligand.ligand.conformer_count &&
            (end || !berth_ligand_accepts(&ligand.ligand, &molecule))) {
            add(writer, &ligand, consumed);
        }
        if (!end) {
            demand(berth_ligand_add(&ligand.ligand, &molecule, false, &error), &error);
        }
    }
    demand(berth_library_commit(writer, &error), &error);
    berth_molecule_clear(&molecule);
    berth_mol2_reader_destroy(reader);
}

/* Reads the docking stream once; returns its number of heavy atoms over all conformers. */
static double stream(const struct berth_library_reader *reader)
{
    struct berth_error error;
    struct berth_docking_block block = {0};
    struct berth_library_range range = berth_library_shard(reader, 0, 1);
    double atoms = 0;
    for (;;) {
        bool end;
        demand(berth_library_next(reader, &range, &block, &end, &error), &error);
        if (end) {
            break;
        }
        for (size_t i = 0; i < block.count; i++) {
            atoms += (double)(block.ligands[i].heavy_count * block.ligands[i].conformer_count);
        }
    }
    berth_docking_block_clear(&block);
    return atoms;
}

int main(int argc, char **argv)
{
    struct berth_error error;
    const struct berth_scoring_choice choice = berth_scoring_published();
    struct berth_scoring scoring;
    struct berth_library_reader *reader;
    if (argc < 3) {
        fprintf(stderr, "usage: rates IN.mol2 OUT.blib [PASSES]\n");
        return 1;
    }
    const int passes = argc > 3 ? atoi(argv[3]) : 1;
    demand(berth_scoring_read(&choice, NULL, &scoring, &error), &error);
    double start = now();
    convert(argv[1], argv[2], &scoring.forcefield);
    const double converting = now() - start;
    demand(berth_library_open(argv[2], &scoring, &reader, &error), &error);
    const struct berth_library_info info = berth_library_info(reader);
    double atoms = 0;
    start = now();
    for (int pass = 0; pass < passes; pass++) {
        atoms = stream(reader);
    }
    const double reading = now() - start;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    const double conformers = (double)info.conformers;
    printf(
        "ligands,conformers,heavy_atoms,docking_bytes,write_out_bytes,converted_per_s,read_per_s,"
        "peak_MiB\n");
    printf("%llu,%llu,%.1f,%.1f,%.1f,%.0f,%.0f,%.1f\n", (unsigned long long)info.ligands,
           (unsigned long long)info.conformers, atoms / conformers,
           (double)info.docking_bytes / conformers, (double)info.write_out_bytes / conformers,
           conformers / converting, conformers * passes / reading, (double)usage.ru_maxrss / 1024);
    berth_library_close(reader);
    berth_scoring_clear(&scoring);
    return 0;
}
