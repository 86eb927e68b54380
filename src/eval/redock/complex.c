/* The complexes of a set: which there are, where their boxes lie, what their ligands are; each read
 * and made ready to be docked; and written, for a later run to take it up without Open Babel. */
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
#include "format/csv.h"
#include "format/mol2/mol2.h"
#include "format/output.h"
#include "format/pdb/structure_file.h"
#include "format/sdf/sdf.h"
#include "prep/bond_orders.h"
#include "prep/perception.h"
#include "prep/receptor/prepare_structure.h"
#include "score/forcefield.h"

/* --- The tables of a set --- */

/* Opens a table and finds the columns of these names. */
static enum berth_status open_table(const char *path, const char *const *names, size_t count,
                                    size_t *columns, struct berth_csv **csv,
                                    struct berth_error *error)
{
    BERTH_TRY(berth_csv_open(path, '\t', csv, error));
    for (size_t i = 0; i < count; i++) {
        columns[i] = berth_csv_find(*csv, names[i]);
        if (columns[i] == SIZE_MAX) {
            return berth_fail(
                error, BERTH_E_FORMAT,
                "%s: no column %s (tabs separate the columns, and the first line names them)", path,
                names[i]);
        }
    }
    return BERTH_OK;
}

/* --- Boxes --- */

/* A name is a folder's: nothing that leads elsewhere. */
static bool is_name(const char *text)
{
    return *text && *text != '.' && !strchr(text, '/');
}

static const char *const SITE_COLUMNS[] = {"pdb", "center_x", "center_y", "center_z"};

static enum berth_status add_entry(struct redock_set *set, const char *path,
                                   const struct berth_csv *csv, const size_t columns[4],
                                   struct berth_error *error)
{
    const char *name = berth_csv_field(csv, columns[0]);
    if (!is_name(name)) {
        return berth_fail(error, BERTH_E_FORMAT, "%s:%zu: '%s' cannot be a complex's folder", path,
                          berth_csv_line(csv), name);
    }
    BERTH_TRY(
        berth_reserve(&set->entries, &set->capacity, set->count + 1, sizeof *set->entries, error));
    struct redock_entry *entry = &set->entries[set->count++];
    *entry = (struct redock_entry){.name = berth_copy_text(name)};
    for (int k = 0; k < 3; k++) {
        if (!berth_csv_real(csv, columns[k + 1], &entry->center[k]) ||
            fabs(entry->center[k]) >= BERTH_COORDINATE_MAX) {
            return berth_fail(error, BERTH_E_FORMAT, "%s:%zu: %s: '%s' is no coordinate", path,
                              berth_csv_line(csv), SITE_COLUMNS[k + 1],
                              berth_csv_field(csv, columns[k + 1]));
        }
    }
    return entry->name ? BERTH_OK : berth_out_of_memory(error, NULL);
}

static enum berth_status read_sites(struct redock_set *set, struct berth_error *error)
{
    char path[PATH_MAX];
    struct berth_csv *csv = NULL;
    size_t columns[4] = {0};
    bool end = false;
    snprintf(path, sizeof path, "%s/sites.tsv", set->folder);
    enum berth_status status = open_table(path, SITE_COLUMNS, 4, columns, &csv, error);
    while (!status && !(status = berth_csv_next(csv, &end, error)) && !end) {
        status = add_entry(set, path, csv, columns, error);
    }
    berth_csv_close(csv);
    return status || set->count
               ? status
               : berth_fail(error, BERTH_E_FORMAT, "%s: no complex is listed", path);
}

/* --- Ligands --- */

static struct redock_entry *find_entry(struct redock_set *set, const char *name, size_t length)
{
    for (size_t i = 0; i < set->count; i++) {
        if (strlen(set->entries[i].name) == length &&
            memcmp(set->entries[i].name, name, length) == 0) {
            return &set->entries[i];
        }
    }
    return NULL;
}

static enum berth_status read_smiles(const char *path, struct redock_set *set,
                                     struct berth_error *error)
{
    static const char *const NAMES[] = {"pdb", "smiles"};
    struct berth_csv *csv = NULL;
    size_t columns[2] = {0};
    bool end = false;
    enum berth_status status = open_table(path, NAMES, 2, columns, &csv, error);
    while (!status && !(status = berth_csv_next(csv, &end, error)) && !end) {
        const char *name = berth_csv_field(csv, columns[0]);
        struct redock_entry *entry = find_entry(set, name, strlen(name));
        if (entry) {
            free(entry->smiles);
            entry->smiles = berth_copy_text(berth_csv_field(csv, columns[1]));
            status = entry->smiles ? BERTH_OK : berth_out_of_memory(error, NULL);
        }
    }
    berth_csv_close(csv);
    return status;
}

/* --- The set --- */

static void clear_entry(struct redock_entry *entry)
{
    free(entry->name);
    free(entry->smiles);
}

/* Keeps the entries that list names. */
static enum berth_status keep_only(const char *list, struct redock_set *set,
                                   struct berth_error *error)
{
    bool *keep;
    enum berth_status status = berth_make(&keep, set->count, sizeof *keep, NULL, error);
    for (const char *at = list; !status && *at;) {
        const size_t length = strcspn(at, ",");
        const struct redock_entry *entry = find_entry(set, at, length);
        if (entry) {
            keep[entry - set->entries] = true;
        } else {
            status = berth_fail_option(error, BERTH_E_USAGE, "only",
                                       "only: there is no complex '%.*s' in %s/sites.tsv",
                                       (int)length, at, set->folder);
        }
        at += length + (at[length] == ',');
    }
    size_t kept = 0;
    for (size_t i = 0; !status && i < set->count; i++) {
        if (keep[i]) {
            set->entries[kept++] = set->entries[i];
        } else {
            clear_entry(&set->entries[i]);
        }
    }
    set->count = status ? set->count : kept;
    free(keep);
    return status;
}

enum berth_status redock_set_read(const struct berth_options *options, struct redock_set *set,
                                  struct berth_error *error)
{
    *set = (struct redock_set){.folder = options->inputs.items[0]};
    enum berth_status status = read_sites(set, error);
    if (!status && options->smiles_table) {
        status = read_smiles(options->smiles_table, set, error);
    }
    return status || !options->only ? status : keep_only(options->only, set, error);
}

void redock_set_clear(struct redock_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        clear_entry(&set->entries[i]);
    }
    free(set->entries);
    memset(set, 0, sizeof *set);
}

/* --- Files of a complex --- */

/* Å: a receptor atom this near to one of the ligand's is that atom. */
static const double SAME_PLACE = 0.05;

/* Å²: strains that differ by less do by the order in which they were added up. */
static const double SAME_STRAIN = 1e-9;

/* What is being read. */
struct reading {
    struct berth_redock *redock;
    struct redock_complex *complex;
    struct berth_bytes sdf;      /* owned; the crystal's ligand: its heavy atoms, */
    struct berth_molecule graph; /* owned; and the same again */
};

/* Finds FOLDER/stem.ENDING; endings is a list parted and ended by blanks. */
static enum berth_status find_file(const struct reading *reading, const char *stem,
                                   const char *endings, char path[PATH_MAX],
                                   struct berth_error *error)
{
    for (const char *at = endings; *at;) {
        const size_t length = strcspn(at, " ");
        snprintf(path, PATH_MAX, "%s/%s/%s.%.*s", reading->redock->set.folder,
                 reading->complex->entry->name, stem, (int)length, at);
        if (access(path, R_OK) == 0) {
            return BERTH_OK;
        }
        at += length + (at[length] == ' ');
    }
    return berth_fail(error, BERTH_E_IO, "%s/%s: there is no %s file (of the endings %s)",
                      reading->redock->set.folder, reading->complex->entry->name, stem, endings);
}

/* --- The ligand --- */

static enum berth_status read_bonds(struct reading *reading, struct berth_error *error)
{
    struct berth_bond_finder finder = {.limit = reading->redock->preparation.limit};
    char path[PATH_MAX], format[16];
    enum berth_status status;
    BERTH_TRY(find_file(reading, "crystal", "sdf mol2 pdbqt pdb cif", path, error));
    berth_format_of(path, format, sizeof format);
    const bool mol2 = strcmp(format, "mol2") == 0;
    if (strcmp(format, "sdf") == 0 || (mol2 && !reading->complex->entry->smiles)) {
        status = berth_bond_orders_read(path, &reading->sdf, error);
    } else {
        struct berth_structure structure = {0};
        size_t alternates;
        status = berth_structure_read(path, berth_structure_format_of(path), &structure, error);
        BERTH_THEN(berth_alternates_resolve(&structure, &alternates, error));
        const struct berth_bonds_wanted wanted = {.structure = &structure,
                                                  .smiles = reading->complex->entry->smiles};
        BERTH_THEN(berth_bond_orders_find(&finder, &wanted, NULL, &reading->sdf, error));
        berth_bond_finder_clear(&finder);
        berth_structure_clear(&structure);
    }
    BERTH_THEN(berth_molfile_read((const char *)reading->sdf.data, reading->sdf.count,
                                  &reading->graph, error));
    if (!status && berth_place_flaw(&reading->graph)) {
        status = berth_fail(error, BERTH_E_FORMAT, "%s", berth_place_flaw(&reading->graph));
    }
    return status ? berth_fail_in(error, path) : BERTH_OK;
}

/* Finds the builder, once. */
static enum berth_status choose_builder(struct berth_redock *redock, struct berth_error *error)
{
    if (redock->chosen) {
        return BERTH_OK;
    }
    redock->preparation.stop = redock->run->options.stop;
    BERTH_TRY(
        berth_prepare_choose(&redock->preparation, &redock->builders, redock->run->log, error));
    redock->chosen = true;
    return BERTH_OK;
}

/* Conformers from the molecule's graph: all that berth_prepare keeps of the record is its SMILES.
 */
static enum berth_status generate_conformers(struct reading *reading, struct berth_error *error)
{
    struct redock_complex *complex = reading->complex;
    BERTH_TRY(choose_builder(reading->redock, error));
    struct berth_preparation preparation = reading->redock->preparation;
    const struct berth_record record = {.kind = BERTH_RECORD_SDF,
                                        .text = reading->sdf,
                                        .title = complex->entry->name,
                                        .line = 1,
                                        .number = 1};
    struct berth_prepared prepared = {.count = 0};
    preparation.ph = complex->entry->smiles ? NAN : preparation.ph;
    preparation.cancel = reading->redock->run->options.stop;
    struct berth_preparer *preparer;
    enum berth_status status = berth_preparer_create(&preparation, &preparer, error);
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
    berth_preparer_destroy(preparer);
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

/* Keeps the heavy atoms and the bonds between them. */
static enum berth_status drop_hydrogens(struct berth_molecule *molecule, struct berth_error *error)
{
    size_t *number, atoms = 0, bonds = 0;
    BERTH_TRY(berth_make(&number, molecule->atom_count, sizeof *number, NULL, error));
    for (size_t i = 0; i < molecule->atom_count; i++) {
        number[i] = molecule->atoms[i].heavy ? atoms : SIZE_MAX;
        if (molecule->atoms[i].heavy) {
            molecule->atoms[atoms++] = molecule->atoms[i];
        }
    }
    for (size_t i = 0; i < molecule->bond_count; i++) {
        struct berth_bond bond = molecule->bonds[i];
        bond.first = number[bond.first];
        bond.second = number[bond.second];
        if (bond.first != SIZE_MAX && bond.second != SIZE_MAX) {
            molecule->bonds[bonds++] = bond;
        }
    }
    molecule->atom_count = atoms;
    molecule->bond_count = bonds;
    free(number);
    return BERTH_OK;
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
        BERTH_TRY(read_bonds(reading, error));
        return generate_conformers(reading, error);
    }
    BERTH_TRY(read_ligand(path, &reading->redock->run->typed->scoring,
                          reading->redock->preparation.conformers, &complex->ligand, error));
    BERTH_TRY(find_file(reading, "crystal", "mol2", path, error));
    BERTH_TRY(berth_mol2_read_one(path, true, graph, error));
    return drop_hydrogens(graph, error);
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
    BERTH_TRY(drop_hydrogens(&complex->crystal, error));
    BERTH_TRY(redock_take_positions(&reading->graph, &complex->crystal, error));
    return berth_scoring_assign(&reading->redock->run->typed->scoring, &complex->crystal,
                                reading->redock->warnings, &complex->crystal_heavy, error);
}

/* --- The receptor --- */

/* Some files have the ligand in the receptor, too: out with the residues that it is. */
static enum berth_status remove_ligand(const struct berth_molecule *crystal,
                                       struct berth_structure *structure, size_t *removed,
                                       struct berth_error *error)
{
    bool *keep;
    BERTH_TRY(berth_make(&keep, structure->count, sizeof *keep, NULL, error));
    for (struct berth_span span = berth_residue_at(structure, 0); span.begin < span.end;
         span = berth_residue_at(structure, span.end)) {
        bool same = false;
        for (size_t i = span.begin; i < span.end; i++) {
            for (size_t j = 0; j < crystal->atom_count; j++) {
                same = same ||
                       berth_distance_squared(structure->atoms[i].position,
                                              crystal->atoms[j].position) < SAME_PLACE * SAME_PLACE;
            }
        }
        for (size_t i = span.begin; i < span.end; i++) {
            keep[i] = !same;
            *removed += same && !berth_is_hydrogen(&structure->atoms[i]);
        }
    }
    berth_structure_filter(structure, keep);
    free(keep);
    return BERTH_OK;
}

/* A structure, typed as `berth prep receptor` does; every residue of it stays. */
static enum berth_status type_receptor(const char *path, struct redock_complex *complex,
                                       struct berth_receptor *receptor, struct berth_error *error)
{
    struct berth_structure structure = {0};
    struct berth_receptor_typing typing;
    size_t count;
    enum berth_status status =
        berth_structure_read(path, berth_structure_format_of(path), &structure, error);
    BERTH_THEN(berth_alternates_resolve(&structure, &count, error));
    BERTH_THEN(remove_ligand(&complex->crystal, &structure, &complex->removed, error));
    if (!status) {
        berth_receptor_type(&structure, &typing);
        status = berth_perceive_types(&structure, NULL, &count, error);
    }
    BERTH_THEN(berth_receptor_from_structure(&structure, receptor, error));
    berth_structure_clear(&structure);
    return status;
}

/* Types the receptor by all functions; where one that judges lacks a type, and the run allows it,
 * none judges. */
static enum berth_status type_heavy(struct reading *reading, struct berth_error *error)
{
    struct redock_complex *complex = reading->complex;
    const struct berth_redock *redock = reading->redock;
    const struct berth_typed_receptor *functions = redock->run->typed;
    complex->ranker = &redock->run->ranker;
    BERTH_TRY(berth_scoring_assign(&functions->scoring, &complex->receptor, redock->warnings,
                                   &complex->receptor_heavy, error));
    enum berth_status status = BERTH_OK;
    for (size_t k = 0; !status && k < functions->judge_count; k++) {
        status = berth_scoring_assign(&functions->judges[k].scoring, &complex->receptor,
                                      redock->warnings, &complex->judged[k], error);
        complex->judge_count += !status;
    }
    if (status == BERTH_E_TYPE && redock->alone) {
        berth_warn(redock->run->log, NULL, "%s: %s; ranked by %s alone", complex->entry->name,
                   error->message, functions->functions.names[0]);
        complex->ranker = redock->alone;
        complex->alone = true;
        complex->judge_count = 0;
        status = BERTH_OK;
    }
    return status;
}

static enum berth_status read_receptor(struct reading *reading, struct berth_error *error)
{
    struct redock_complex *complex = reading->complex;
    struct berth_receptor receptor = {0};
    char path[PATH_MAX], format[16];
    BERTH_TRY(find_file(reading, "receptor", "brec mol2 pdbqt pdb cif", path, error));
    berth_format_of(path, format, sizeof format);
    enum berth_status status =
        strcmp(format, "brec") == 0   ? berth_receptor_read(path, &receptor, error)
        : strcmp(format, "mol2") == 0 ? berth_mol2_read_one(path, true, &receptor.molecule, error)
                                      : type_receptor(path, complex, &receptor, error);
    complex->receptor = receptor.molecule;
    memset(&receptor.molecule, 0, sizeof receptor.molecule);
    BERTH_THEN(type_heavy(reading, error));
    if (!status && !complex->receptor_heavy.count) {
        status = berth_fail(error, BERTH_E_FORMAT, "the receptor has no heavy atoms");
    }
    if (status) {
        berth_fail_in(error, path);
    }
    BERTH_THEN(redock_restrain(complex, &receptor, error));
    berth_receptor_clear(&receptor);
    return status;
}

enum berth_status redock_complex_read(struct berth_redock *redock, const struct redock_entry *entry,
                                      struct redock_complex *complex, struct berth_error *error)
{
    const double start = berth_now();
    struct reading reading = {.redock = redock, .complex = complex};
    *complex = (struct redock_complex){.redock = redock, .entry = entry};
    for (int k = 0; k < 3; k++) {
        complex->site.center[k] = entry->center[k];
        complex->site.size[k] = redock->run->options.size;
    }
    enum berth_status status = find_ligand(&reading, error);
    BERTH_THEN(make_crystal(&reading, error));
    BERTH_THEN(read_receptor(&reading, error));
    berth_bytes_clear(&reading.sdf);
    berth_molecule_clear(&reading.graph);
    complex->seconds = berth_now() - start;
    return status;
}

void redock_complex_clear(struct redock_complex *complex)
{
    berth_molecule_clear(&complex->receptor);
    berth_heavy_atoms_clear(&complex->receptor_heavy);
    for (size_t k = 0; k < BERTH_FUNCTIONS_MAX - 1; k++) {
        berth_heavy_atoms_clear(&complex->judged[k]);
    }
    berth_library_ligand_clear(&complex->ligand);
    berth_molecule_clear(&complex->crystal);
    berth_heavy_atoms_clear(&complex->crystal_heavy);
    berth_restraints_clear(&complex->restraints);
    memset(complex, 0, sizeof *complex);
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
                                   &complex->receptor, error));
    BERTH_TRY(berth_mol2_write_one(redock_path(redock, name, "crystal.mol2", path),
                                   &complex->crystal, error));
    return write_ligand(redock_path(redock, name, "ligand.blib", path), complex, error);
}

/* --- Restraints to the crystal --- */

/* What is known of the poses of a complex: restraints and a template, from files in its folder. */

/* The path of a complex's file in the set; false: it has none. */
static bool find_known(const struct berth_redock *redock, const struct redock_entry *entry,
                       const char *name, char path[PATH_MAX])
{
    return name && snprintf(path, PATH_MAX, "%s/%s/%s", redock->set.folder, entry->name, name) &&
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
        for (size_t i = 0; !found && i < redock->set.count; i++) {
            found = find_known(redock, &redock->set.entries[i], names[k], path);
        }
        if (!found) {
            return berth_fail_option(error, BERTH_E_USAGE, OPTIONS[k],
                                     "%s: no complex of %s has a file %s in its folder", OPTIONS[k],
                                     redock->set.folder, names[k]);
        }
    }
    return redock_is_restrained(redock) && !redock->run->search.mapped.poses
               ? berth_fail_option(error, BERTH_E_USAGE, "search",
                                   "search: one on maps alone knows restraints")
               : BERTH_OK;
}

enum berth_status redock_restrain(struct redock_complex *complex,
                                  const struct berth_receptor *receptor, struct berth_error *error)
{
    const struct berth_redock *redock = complex->redock;
    struct berth_restraints *restraints = &complex->restraints;
    struct berth_template_setup pattern = redock->pattern;
    const struct berth_typed_receptor typed = {.scoring = redock->run->typed->scoring,
                                               .molecule = complex->receptor,
                                               .residues = receptor->residues,
                                               .residue_count = receptor->residue_count};
    char path[PATH_MAX];
    if (find_known(redock, complex->entry, redock->run->options.restraints, path)) {
        BERTH_TRY(berth_restraints_read(path, restraints, error));
    }
    if (find_known(redock, complex->entry, pattern.path, path)) {
        pattern.path = path;
        BERTH_TRY(berth_restraints_add_template(restraints, &pattern, error));
    }
    const struct berth_typed_receptor *const list[] = {&typed};
    enum berth_status status =
        restraints->count ? berth_restraints_place(restraints, 0, &typed, error) : BERTH_OK;
    if (!status && redock->metal_sites) {
        status = berth_restraints_add_metals(restraints, list, 1, &complex->site,
                                             redock->metal_sites, error);
    }
    if (restraints->count) {
        complex->own = *complex->ranker;
        berth_restraints_name(restraints, &complex->own.names);
        complex->ranker = &complex->own;
    }
    return status;
}
