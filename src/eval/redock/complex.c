/* A complex of a set, read and made ready to be docked; and written, for a later run to take it up
 * without Open Babel. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "chem/rmsd.h"
#include "eval/redock/redock_internal.h"
#include "format/mol2/mol2.h"
#include "format/output.h"
#include "format/pdb/structure_file.h"
#include "format/sdf/sdf.h"
#include "prep/bond_orders.h"
#include "prep/perception.h"
#include "prep/receptor/prepare_structure.h"
#include "score/forcefield.h"

/* --- Files of a complex --- */

/* Å: a receptor atom this near to one of the ligand's is that atom. */
static const double SAME_PLACE = 0.05;

/* Å²: strains that differ by less do by the order in which they were added up. */
static const double SAME_STRAIN = 1e-9;

/* What is being read. */
struct reading {
    struct redock_thread *thread;
    const struct berth_redock *redock;
    struct redock_complex *complex;
    struct berth_record record;  /* owned; the crystal's ligand, */
    struct berth_molecule graph; /* owned; and its heavy atoms */
};

/* Finds FOLDER/stem.ENDING; endings is a list parted and ended by blanks. */
static enum berth_status find_file(const struct reading *reading, const char *stem,
                                   const char *endings, char path[PATH_MAX],
                                   struct berth_error *error)
{
    for (const char *at = endings; *at;) {
        const size_t length = strcspn(at, " ");
        snprintf(path, PATH_MAX, "%s/%s/%s.%.*s", reading->redock->folder,
                 reading->complex->entry->name, stem, (int)length, at);
        if (access(path, R_OK) == 0) {
            return BERTH_OK;
        }
        at += length + (at[length] == ' ');
    }
    return berth_fail(error, BERTH_E_IO, "%s/%s: there is no %s file (of the endings %s)",
                      reading->redock->folder, reading->complex->entry->name, stem, endings);
}

/* --- The ligand --- */

/* Reads the one molecule of a file that has bonds. */
static enum berth_status read_record(struct reading *reading, const char *path,
                                     enum berth_record_kind kind, struct berth_error *error)
{
    struct berth_record *record = &reading->record;
    BERTH_TRY(berth_record_read_one(path, kind, record, error));
    if (kind == BERTH_RECORD_MOL2) {
        return berth_mol2_read_one(path, true, &reading->graph, error);
    }
    const char *text = (const char *)record->text.data;
    BERTH_TRY(berth_molfile_check(text, record->text.count, error));
    return berth_molfile_read(text, record->text.count, &reading->graph, error);
}

/* Reads the one molecule of a file without bonds, whose SMILES has them, or perception. */
static enum berth_status find_record(struct reading *reading, const char *path,
                                     struct berth_error *error)
{
    struct berth_bond_finder *finder = &reading->thread->bonds;
    struct berth_bytes *sdf = &reading->record.text;
    struct berth_structure structure = {0};
    const struct berth_bonds_request wanted = {.structure = &structure,
                                               .smiles = reading->complex->entry->smiles};
    size_t alternates;
    enum berth_status status =
        berth_structure_read(path, berth_structure_format_of(path), &structure, error);
    BERTH_THEN(berth_alternates_resolve(&structure, &alternates, error));
    finder->limit = reading->redock->preparation.limit;
    BERTH_THEN(berth_bond_orders_find(finder, &wanted, NULL, sdf, error));
    BERTH_THEN(berth_molfile_read((const char *)sdf->data, sdf->count, &reading->graph, error));
    reading->record.kind = BERTH_RECORD_SDF;
    berth_structure_clear(&structure);
    return status;
}

static enum berth_status read_crystal(struct reading *reading, struct berth_error *error)
{
    char path[PATH_MAX], format[16];
    BERTH_TRY(find_file(reading, "crystal", "sdf mol2 pdbqt pdb cif", path, error));
    berth_format_of(path, format, sizeof format);
    const enum berth_record_kind kind = berth_record_kind_of(format);
    const bool has_bonds =
        kind == BERTH_RECORD_SDF || (kind == BERTH_RECORD_MOL2 && !reading->complex->entry->smiles);
    enum berth_status status =
        has_bonds ? read_record(reading, path, kind, error) : find_record(reading, path, error);
    BERTH_THEN(berth_molecule_keep_heavy(&reading->graph, error));
    if (!status && berth_place_flaw(&reading->graph)) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s", berth_place_flaw(&reading->graph));
    }
    return status ? berth_fail_in(error, path) : BERTH_OK;
}

/* Finds the builder, once.  The lock is held. */
static enum berth_status choose_builder(struct berth_redock *redock, struct berth_error *error)
{
    if (redock->chosen) {
        return BERTH_OK;
    }
    redock->preparation.stop = redock->preparation.cancel = redock->run->options.stop;
    BERTH_TRY(
        berth_prepare_choose(&redock->preparation, &redock->builders, redock->run->log, error));
    redock->chosen = true;
    return BERTH_OK;
}

/* The thread's preparer of ligands whose SMILES are known, or not. */
static enum berth_status find_preparer(struct redock_thread *thread, bool known,
                                       struct berth_preparer **preparer, struct berth_error *error)
{
    struct berth_redock *redock = thread->redock;
    struct berth_preparation *preparation = &thread->preparations[known];
    enum berth_status status = BERTH_OK;
    if (!thread->preparers[known]) {
        pthread_mutex_lock(&redock->lock);
        status = choose_builder(redock, error);
        *preparation = redock->preparation;
        pthread_mutex_unlock(&redock->lock);
        preparation->ph = known ? NAN : preparation->ph;
        preparation->rebuild = true; /* Mol2, too: where it stands is the answer */
        BERTH_THEN(berth_preparer_create(preparation, &thread->preparers[known], error));
    }
    *preparer = thread->preparers[known];
    return status;
}

/* Conformers from the molecule's graph: all that berth_prepare keeps of the record is its SMILES.
 */
static enum berth_status generate_conformers(struct reading *reading, struct berth_error *error)
{
    struct redock_complex *complex = reading->complex;
    const struct berth_record record = {.kind = reading->record.kind,
                                        .text = reading->record.text,
                                        .title = complex->entry->name,
                                        .line = 1,
                                        .number = 1};
    struct berth_prepared prepared = {.count = 0};
    struct berth_preparer *preparer;
    enum berth_status status =
        find_preparer(reading->thread, complex->entry->smiles, &preparer, error);
    BERTH_THEN(berth_prepare(preparer, &record, &prepared, error));
    if (!status && prepared.forms[0].status) {
        *error = prepared.forms[0].error;
        status = prepared.forms[0].status;
    }
    if (!status) {
        complex->ligand = prepared.forms[0].ligand;
        memset(&prepared.forms[0].ligand, 0, sizeof prepared.forms[0].ligand);
    }
    berth_prepared_clear(&prepared);
    return status ? berth_fail_in(error, complex->entry->name) : BERTH_OK;
}

/* Å: about how long a bond of this type is.  Not how long the ligand's own are: those are never
 * quite the same where a builder takes other random numbers each time. */
static double usual_length(const char *type)
{
    return strcmp(type, "1") == 0   ? 1.5
           : strcmp(type, "2") == 0 ? 1.25
           : strcmp(type, "3") == 0 ? 1.15
                                    : 1.35;
}

/* How much the bonds' lengths differ from those of their types (Å²) where the crystal's atoms take
 * the ligand's places as row says. */
static double strain_of(const struct berth_molecule *ligand, const struct berth_molecule *graph,
                        const size_t *row)
{
    double sum = 0;
    for (size_t i = 0; i < ligand->bond_count; i++) {
        const size_t a = ligand->bonds[i].first, b = ligand->bonds[i].second;
        const double usual = usual_length(ligand->bonds[i].type);
        const double here = sqrt(
            berth_distance_squared(graph->atoms[row[a]].position, graph->atoms[row[b]].position));
        sum += (usual - here) * (usual - here);
    }
    return sum;
}

/* The one ligand of the library at path, cut to its first `conformers` where an ensemble of so many
 * is asked for; else with all that it has. */
static enum berth_status read_ligand(const char *path, const struct berth_scoring *scoring,
                                     size_t conformers, struct berth_library_ligand *ligand,
                                     struct berth_error *error)
{
    struct berth_library_reader *reader = NULL;
    enum berth_status status = berth_library_open(path, scoring, &reader, error);
    if (!status && berth_library_info(reader).ligands != 1) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s: %llu ligands; it should hold one", path,
                            (unsigned long long)berth_library_info(reader).ligands);
    }
    BERTH_THEN(berth_library_fetch(reader, 0, ligand, error));
    while (!status && conformers > 1 && ligand->ligand.conformer_count > conformers) {
        berth_molecule_clear(&ligand->ligand.conformers[--ligand->ligand.conformer_count]);
    }
    berth_library_close(reader);
    return status;
}

/* The ligand as an earlier run prepared it, or prepared now, and the crystal's atoms. */
static enum berth_status find_ligand(struct reading *reading, struct berth_error *error)
{
    struct redock_complex *complex = reading->complex;
    struct berth_molecule *graph = &reading->graph;
    struct berth_error none;
    char path[PATH_MAX];
    if (find_file(reading, "ligand", "blib", path, &none)) {
        BERTH_TRY(read_crystal(reading, error));
        return generate_conformers(reading, error);
    }
    BERTH_TRY(read_ligand(path, &reading->redock->run->typed->scoring,
                          reading->redock->preparation.conformers, &complex->ligand, error));
    BERTH_TRY(find_file(reading, "crystal", "mol2", path, error));
    BERTH_TRY(berth_mol2_read_one(path, true, graph, error));
    return berth_molecule_keep_heavy(graph, error);
}

enum berth_status redock_take_positions(const struct berth_molecule *graph,
                                        struct berth_molecule *molecule, struct berth_error *error)
{
    struct berth_matches matches;
    enum berth_status status = berth_matches_find(molecule, graph, &matches, error);
    if (!status && !matches.count) {
        status = berth_fail(error, BERTH_E_FORMAT,
                            "%s: preparing the ligand changed its heavy atoms or bonds",
                            molecule->title);
    }
    const size_t *best = matches.atoms;
    for (size_t m = 1; !status && m < matches.count; m++) {
        const size_t *row = matches.atoms + m * matches.heavy_count;
        best = strain_of(molecule, graph, row) < strain_of(molecule, graph, best) - SAME_STRAIN
                   ? row
                   : best;
    }
    for (size_t i = 0; !status && i < molecule->atom_count; i++) {
        memcpy(molecule->atoms[i].position, graph->atoms[best[i]].position,
               sizeof molecule->atoms->position);
    }
    berth_matches_clear(&matches);
    return status;
}

static enum berth_status make_crystal(struct reading *reading, struct berth_error *error)
{
    struct redock_complex *complex = reading->complex;
    if (!berth_molecule_copy(&complex->ligand.ligand.conformers[0], &complex->crystal)) {
        return berth_out_of_memory(error, NULL);
    }
    BERTH_TRY(berth_molecule_keep_heavy(&complex->crystal, error));
    BERTH_TRY(redock_take_positions(&reading->graph, &complex->crystal, error));
    return berth_scoring_assign(&reading->redock->run->typed->scoring, &complex->crystal,
                                &complex->log, &complex->crystal_heavy, error);
}

/* --- What is known of the poses: restraints and a template, from files in its folder --- */

/* The path of a complex's file in the set; false: it has none. */
static bool find_known(const struct berth_redock *redock, const struct redock_entry *entry,
                       const char *name, char path[PATH_MAX])
{
    return name && snprintf(path, PATH_MAX, "%s/%s/%s", redock->folder, entry->name, name) &&
           access(path, F_OK) == 0;
}

bool redock_is_restrained(const struct berth_redock *redock)
{
    return redock->run->options.restraints || redock->pattern.path;
}

enum berth_status redock_check_known(const struct berth_redock *redock, struct berth_error *error)
{
    const char *const names[2] = {redock->run->options.restraints, redock->pattern.path};
    static const char *const OPTIONS[2] = {"restraints", "template"};
    for (int k = 0; k < 2; k++) {
        char path[PATH_MAX];
        bool found = !names[k];
        for (size_t i = 0; !found && i < redock->count; i++) {
            found = find_known(redock, &redock->entries[i], names[k], path);
        }
        if (!found) {
            return berth_fail_option(error, BERTH_E_USAGE, OPTIONS[k],
                                     "%s: no complex of %s has a file %s in its folder", OPTIONS[k],
                                     redock->folder, names[k]);
        }
    }
    return redock_is_restrained(redock) && !redock->run->search.mapped.poses
               ? berth_fail_option(error, BERTH_E_USAGE, "search",
                                   "search: one on maps alone knows restraints")
               : BERTH_OK;
}

/* Reads a complex's restraints and template, and finds their places in the receptor. */
static enum berth_status restrain(struct redock_complex *complex, struct berth_error *error)
{
    const struct berth_redock *redock = complex->redock;
    struct berth_restraints *restraints = &complex->restraints;
    struct berth_template_setup pattern = redock->pattern;
    char path[PATH_MAX];
    if (find_known(redock, complex->entry, redock->run->options.restraints, path)) {
        BERTH_TRY(berth_restraints_read(path, restraints, error));
    }
    if (find_known(redock, complex->entry, pattern.path, path)) {
        pattern.path = path;
        BERTH_TRY(berth_restraints_add_template(restraints, &pattern, error));
    }
    enum berth_status status =
        restraints->count ? berth_restraints_place(restraints, 0, &complex->receptor, error)
                          : BERTH_OK;
    if (!status && redock->metal_sites) {
        status = berth_restraints_add_metals(restraints, complex->receptors.receptors, 1,
                                             &complex->site, redock->metal_sites, error);
    }
    if (restraints->count) {
        complex->receptors.restraints = restraints;
        complex->own = *complex->ranker;
        berth_restraints_name(restraints, &complex->own.names);
        complex->ranker = &complex->own;
    }
    return status;
}

/* --- The receptor --- */

/* Some files have the ligand in the receptor, too: out with the residues that it is. */
static enum berth_status remove_ligand(const struct redock_complex *complex,
                                       struct berth_structure *structure, struct berth_error *error)
{
    const struct berth_molecule *crystal = &complex->crystal;
    size_t removed = 0, others = 0;
    bool *keep;
    BERTH_TRY(berth_make(&keep, structure->count, sizeof *keep, NULL, error));
    for (struct berth_span span = berth_residue_at(structure, 0); span.begin < span.end;
         span = berth_residue_at(structure, span.end)) {
        bool same = false, other = false;
        for (size_t j = 0; j < crystal->atom_count; j++) {
            other = other || berth_residue_gives_way(structure, span, crystal->atoms[j].position);
            for (size_t i = span.begin; i < span.end; i++) {
                same = same ||
                       berth_distance_squared(structure->atoms[i].position,
                                              crystal->atoms[j].position) < SAME_PLACE * SAME_PLACE;
            }
        }
        for (size_t i = span.begin; i < span.end; i++) {
            keep[i] = !same && !other;
            removed += same && !berth_is_hydrogen(&structure->atoms[i]);
        }
        others += other && !same;
    }
    berth_structure_filter(structure, keep);
    free(keep);
    if (removed) {
        berth_warn(&complex->log, NULL,
                   "%s: %zu heavy atoms of the receptor are the ligand itself, and were left out "
                   "with their residues",
                   complex->entry->name, removed);
    }
    if (others) {
        berth_warn(&complex->log, NULL,
                   "%s: left out, alternate locations where the ligand stands: %zu residue%s",
                   complex->entry->name, others, others == 1 ? "" : "s");
    }
    return BERTH_OK;
}

/* A structure, typed as `berth prep receptor` does; every residue of it stays. */
static enum berth_status type_receptor(struct reading *reading, const char *path,
                                       struct berth_receptor *receptor, struct berth_error *error)
{
    struct berth_structure structure = {0};
    struct berth_receptor_typing typing;
    size_t count;
    enum berth_status status =
        berth_structure_read(path, berth_structure_format_of(path), &structure, error);
    BERTH_THEN(berth_alternates_resolve(&structure, &count, error));
    BERTH_THEN(remove_ligand(reading->complex, &structure, error));
    BERTH_THEN(berth_receptor_type(&structure, &typing, error));
    BERTH_THEN(berth_perceive_types(&reading->thread->bonds, &structure, NULL, &count, error));
    BERTH_THEN(berth_receptor_from_structure(&structure, receptor, error));
    berth_structure_clear(&structure);
    return status;
}

/* Types the receptor by all functions; where one that judges lacks a type, and the run allows it,
 * none judges. */
static enum berth_status type_heavy(struct redock_complex *complex, struct berth_error *error)
{
    const struct berth_redock *redock = complex->redock;
    const struct berth_typed_receptor *functions = redock->run->typed;
    struct berth_typed_receptor *receptor = &complex->receptor;
    complex->ranker = &redock->run->ranker;
    receptor->scoring = functions->scoring;
    receptor->judges = complex->judges;
    receptor->judge_count = functions->judge_count;
    for (size_t k = 0; k < receptor->judge_count; k++) {
        receptor->judges[k].scoring = functions->judges[k].scoring;
    }
    const enum berth_status status = berth_typed_receptor_assign(receptor, &complex->log, error);
    if (status == BERTH_E_TYPE && redock->alone && receptor->heavy.count) {
        berth_warn(&complex->log, NULL, "%s: %s; ranked by %s alone", complex->entry->name,
                   error->message, functions->functions.names[0]);
        complex->ranker = redock->alone;
        complex->alone = true;
        receptor->judge_count = 0;
        return BERTH_OK;
    }
    return status;
}

static enum berth_status read_receptor(struct reading *reading, struct berth_error *error)
{
    struct redock_complex *complex = reading->complex;
    struct berth_receptor read = {0};
    char path[PATH_MAX], format[16];
    BERTH_TRY(find_file(reading, "receptor", "brec mol2 pdbqt pdb cif", path, error));
    berth_format_of(path, format, sizeof format);
    enum berth_status status = strcmp(format, "brec") == 0 ? berth_receptor_read(path, &read, error)
                               : strcmp(format, "mol2") == 0
                                   ? berth_mol2_read_one(path, true, &read.molecule, error)
                                   : type_receptor(reading, path, &read, error);
    complex->receptor.molecule = read.molecule;
    complex->receptor.residues = read.residues;
    complex->receptor.residue_count = read.residue_count;
    memset(&read.molecule, 0, sizeof read.molecule);
    read.residues = NULL;
    berth_receptor_clear(&read);
    BERTH_THEN(type_heavy(complex, error));
    if (status) {
        return berth_fail_in(error, path);
    }
    complex->receptors.receptors[complex->receptors.count++] = &complex->receptor;
    return restrain(complex, error);
}

enum berth_status redock_complex_read(struct redock_thread *thread, struct redock_complex *complex,
                                      struct berth_error *error)
{
    const double start = berth_now();
    const struct redock_entry *entry = complex->entry;
    struct reading reading = {.thread = thread, .redock = thread->redock, .complex = complex};
    for (int k = 0; k < 3; k++) {
        complex->site.center[k] = entry->center[k];
        complex->site.size[k] = thread->redock->run->options.size;
    }
    enum berth_status status = find_ligand(&reading, error);
    BERTH_THEN(make_crystal(&reading, error));
    BERTH_THEN(read_receptor(&reading, error));
    berth_record_clear(&reading.record);
    berth_molecule_clear(&reading.graph);
    complex->seconds = berth_now() - start;
    return status;
}

void redock_complex_clear(struct redock_complex *complex)
{
    berth_molecule_clear(&complex->receptor.molecule);
    free(complex->receptor.residues);
    berth_heavy_atoms_clear(&complex->receptor.heavy);
    for (size_t k = 0; k < BERTH_FUNCTIONS_MAX - 1; k++) {
        berth_heavy_atoms_clear(&complex->judges[k].heavy);
    }
    berth_library_ligand_clear(&complex->ligand);
    berth_molecule_clear(&complex->crystal);
    berth_heavy_atoms_clear(&complex->crystal_heavy);
    berth_restraints_clear(&complex->restraints);
}

/* --- Written for a later run --- */

/* A library knows the types of a forcefield, also where the scoring function has none. */
static enum berth_status write_ligand(const char *path, const struct redock_complex *complex,
                                      struct berth_error *error)
{
    struct berth_forcefield forcefield = {0};
    const struct berth_library_setup setup = {.path = path,
                                              .forcefield = &forcefield,
                                              .note = "eval redock",
                                              .mode = BERTH_LIBRARY_REPLACE};
    struct berth_library_writer *writer = NULL;
    enum berth_status status =
        berth_bhff_read(complex->redock->run->options.forcefield, NULL, &forcefield, error);
    BERTH_THEN(berth_library_create(&setup, &writer, error));
    BERTH_THEN(berth_library_add(writer, &complex->ligand, 1, error));
    if (status) {
        berth_library_discard(writer);
    } else {
        status = berth_library_commit(writer, error);
    }
    berth_forcefield_clear(&forcefield);
    return status;
}

const char *redock_path(const struct berth_redock *redock, const char *folder, const char *name,
                        char *path)
{
    snprintf(path, PATH_MAX, "%s/%s%s%s", redock->run->options.out, folder ? folder : "",
             folder ? "/" : "", name);
    return path;
}

enum berth_status redock_complex_write(const struct redock_complex *complex,
                                       struct berth_error *error)
{
    const struct berth_redock *redock = complex->redock;
    const char *name = complex->entry->name;
    static const char *const FILES[] = {"receptor.mol2", "crystal.mol2", "crystal_poses.sdf",
                                        "torsions_poses.sdf", "generated_poses.sdf"};
    char path[PATH_MAX];
    BERTH_TRY(berth_folder_make(redock_path(redock, NULL, name, path), error));
    berth_folder_sweep(path, FILES, sizeof FILES / sizeof *FILES); /* of a run that was killed */
    BERTH_TRY(berth_mol2_write_one(redock_path(redock, name, "receptor.mol2", path),
                                   &complex->receptor.molecule, error));
    BERTH_TRY(berth_mol2_write_one(redock_path(redock, name, "crystal.mol2", path),
                                   &complex->crystal, error));
    return write_ligand(redock_path(redock, name, "ligand.blib", path), complex, error);
}
