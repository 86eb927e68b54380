/* Ligands and libraries made up for the tests of format/library. */
#ifndef TESTS_UNIT_LIBRARY_SUPPORT_H
#define TESTS_UNIT_LIBRARY_SUPPORT_H

#include "io_support.h"

#include <math.h>

#include "base/memory.h"
#include "format/library/library.h"

/* Fails with the error's message unless the status is BERTH_OK. */
static inline void expect_ok(enum berth_status status, const struct berth_error *error)
{
    if (status) {
        fail_msg("%s", error->message);
    }
}

static inline struct berth_scoring built_in(void)
{
    const struct berth_scoring_choice choice = berth_scoring_published();
    struct berth_scoring scoring;
    struct berth_error error;
    expect_ok(berth_scoring_read(&choice, NULL, &scoring, &error), &error);
    return scoring;
}

/* A coordinate that depends on its number alone: -9.999 .. 9.999 Å, with digits behind the third.
 */
static inline double wobble(unsigned number)
{
    number = number * 2654435761u;
    number ^= number >> 15;
    number *= 2246822519u;
    number ^= number >> 13;
    return (double)(int)(number % 199981) / 10000 - 9.999;
}

/* A chain of heavy atoms, each with a hydrogen behind it in the list, bonded in a row, with every
 * inner bond a torsion. */
static inline void fill_molecule(struct berth_molecule *molecule, size_t heavy, unsigned seed)
{
    *molecule = (struct berth_molecule){.title = berth_copy_text("ignored"),
                                        .atoms = calloc(2 * heavy, sizeof *molecule->atoms),
                                        .atom_count = 2 * heavy,
                                        .bonds = calloc(2 * heavy, sizeof *molecule->bonds),
                                        .bond_count = 2 * heavy - 1};
    for (size_t i = 0; i < 2 * heavy; i++) {
        struct berth_atom *atom = &molecule->atoms[i];
        atom->heavy = i % 2 == 0;
        atom->element = atom->heavy ? 6 : 1;
        snprintf(atom->name, sizeof atom->name, "%s%u", atom->heavy ? "C" : "H", (unsigned)i + 1);
        strcpy(atom->type, atom->heavy ? i % 4 ? "C.ar" : "C.3" : "H");
        atom->charge = (int8_t)(heavy % 2 && i % 5 == 3 ? (int)i % 3 - 1 : 0);
        strcpy(atom->residue, "LIG7");
        atom->residue_id = -3;
        for (unsigned axis = 0; axis < 3; axis++) {
            atom->position[axis] = wobble(seed + 3 * (unsigned)i + axis);
        }
    }
    molecule->has_orders = heavy % 2;
    for (size_t i = 0; i < heavy; i++) {
        molecule->bonds[2 * i] = (struct berth_bond){2 * i, 2 * i + 1, "1", heavy % 2};
        if (i + 1 < heavy) {
            molecule->bonds[2 * i + 1] =
                (struct berth_bond){2 * i, 2 * i + 2, "ar", heavy % 2 ? 2 : 0};
        }
    }
}

static inline void fill_tree(struct berth_torsion_tree *tree, size_t heavy)
{
    struct berth_error error;
    for (uint32_t t = 0; t + 3 < heavy; t++) {
        const size_t start = tree->moved_count, count = 2 * (heavy - t - 2) + 1;
        expect_ok(berth_reserve(&tree->torsions, &tree->capacity, tree->count + 1,
                                sizeof *tree->torsions, &error),
                  &error);
        expect_ok(berth_reserve(&tree->moved, &tree->moved_capacity, start + count,
                                sizeof *tree->moved, &error),
                  &error);
        tree->torsions[tree->count++] = (struct berth_torsion){2 * t, 2 * t + 2, start, count};
        for (uint32_t i = 0; i < count; i++) {
            tree->moved[tree->moved_count++] = 2 * t + 3 + i;
        }
    }
}

/* A ligand with something in every field. */
static inline struct berth_library_ligand make_ligand(const char *name, size_t heavy,
                                                      size_t conformers)
{
    struct berth_library_ligand ligand = {.record = heavy + 1000};
    struct berth_error error;
    ligand.strains = calloc(conformers, sizeof *ligand.strains);
    assert_non_null(ligand.strains);
    for (size_t c = 0; c < conformers; c++) {
        struct berth_molecule molecule;
        fill_molecule(&molecule, heavy, (unsigned)(c * 977 + heavy * 31));
        expect_ok(berth_ligand_add(&ligand.ligand, &molecule, true, &error), &error);
        ligand.strains[c] = c % 3 == 2 ? (double)NAN : (double)c * 1.25 - 0.01;
    }
    free(ligand.ligand.name);
    ligand.ligand.name = berth_copy_text(name);
    ligand.smiles = berth_copy_text("C1CC1[NH3+]");
    ligand.source = berth_copy_text("in put/na\xc3\xafve.sdf.gz");
    fill_tree(&ligand.tree, heavy);
    expect_ok(berth_library_ligand_property(&ligand, "ID", name, &error), &error);
    expect_ok(berth_library_ligand_property(&ligand, "empty", "", &error), &error);
    return ligand;
}

static inline struct berth_library_writer *begin(const char *path, enum berth_library_mode mode,
                                                 const struct berth_forcefield *forcefield)
{
    struct berth_error error;
    struct berth_library_writer *writer;
    const struct berth_library_setup setup = {
        .path = path, .forcefield = forcefield, .note = "a test", .mode = mode};
    expect_ok(berth_library_create(&setup, &writer, &error), &error);
    return writer;
}

/* Adds the ligands first .. last - 1 of a series in which each fills a block (300 kB) where `large`
 * is set; consumed counts them from 1. */
static inline void add_series(struct berth_library_writer *writer, size_t first, size_t last,
                              bool large)
{
    for (size_t i = first; i < last; i++) {
        char name[32];
        struct berth_error error;
        snprintf(name, sizeof name, "ligand%zu", i);
        const size_t heavy = large ? 30 + i : 3 + i;
        struct berth_library_ligand ligand = make_ligand(name, heavy, large ? 50000 / heavy : 3);
        expect_ok(berth_library_add(writer, &ligand, i + 1, &error), &error);
        berth_library_ligand_clear(&ligand);
    }
}

static inline struct berth_library_reader *open_library(const char *path)
{
    struct berth_error error;
    struct berth_library_reader *reader;
    expect_ok(berth_library_open(path, NULL, &reader, &error), &error);
    return reader;
}

/* All of it passes. */
static inline void expect_whole(const char *path)
{
    struct berth_error error;
    struct berth_library_reader *reader = open_library(path);
    for (uint64_t number = 0; number < berth_library_info(reader).blocks; number++) {
        expect_ok(berth_library_verify(reader, number, &error), &error);
    }
    berth_library_close(reader);
}

static inline size_t file_size(const char *path)
{
    struct stat facts;
    assert_int_equal(stat(path, &facts), 0);
    return (size_t)facts.st_size;
}

#endif
