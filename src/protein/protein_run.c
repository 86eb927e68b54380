#include "protein/protein_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/residue_types.h"
#include "chem/vectors.h"
#include "dock/output_files.h"
#include "format/pdb/pdb.h"
#include "format/pdb/structure_file.h"
#include "format/receptor_file.h"

/* Residues that a protein or nucleic acid has, at least. */
enum { RESIDUES_MIN = 5 };

static size_t count_standard(const struct berth_typed_receptor *protein)
{
    size_t count = 0;
    for (size_t i = 0; i < protein->residue_count; i++) {
        count += berth_is_standard_residue(protein->residues[i].name);
    }
    return count;
}

static enum berth_status check_ligand(const char *path, const struct berth_typed_receptor *ligand,
                                      struct berth_error *error)
{
    const size_t standard = count_standard(ligand);
    if (standard < RESIDUES_MIN) {
        return berth_fail_option(
            error, BERTH_E_FORMAT, "protein",
            "%s: %zu residues of protein or nucleic acid; what is docked as a protein has "
            "at least %d",
            path, standard, RESIDUES_MIN);
    }
    if (ligand->heavy.count > BERTH_LIGAND_ATOMS_MAX) {
        return berth_fail(
            error, BERTH_E_USAGE,
            "%s: %zu heavy atoms; a ligand has at most %d: make the larger protein the "
            "receptor, which may have any number, or dock one chain of it (`berth "
            "prep receptor` drops others)",
            path, ligand->heavy.count, BERTH_LIGAND_ATOMS_MAX);
    }
    return BERTH_OK;
}

/* Only what `berth prep receptor` takes and gives knows residues and chains. */
static enum berth_status check_format(const char *path, struct berth_error *error)
{
    const enum berth_structure_format format = berth_structure_format_of(path);
    return berth_is_receptor_file(path) ||
                   (format != BERTH_STRUCTURE_UNKNOWN && format != BERTH_STRUCTURE_MOL2)
               ? BERTH_OK
               : berth_fail_option(
                     error, BERTH_E_USAGE, "protein",
                     "%s: a protein to dock is PDB, mmCIF, or .brec from `berth prep receptor` "
                     "(which takes Mol2, too)",
                     path);
}

/* The places of the ligand's atoms where they are known to bind. */
static enum berth_status read_reference(const char *path, const struct berth_scoring_choice *choice,
                                        struct berth_protein_run *run, struct berth_error *error)
{
    struct berth_typed_receptor known;
    enum berth_status status = berth_typed_receptor_read(choice, path, NULL, NULL, &known, error);
    const struct berth_molecule *own = &run->ligand.molecule;
    bool same = !status && known.molecule.atom_count == own->atom_count;
    for (size_t i = 0; same && i < own->atom_count; i++) {
        same = strcmp(known.molecule.atoms[i].name, own->atoms[i].name) == 0 &&
               strcmp(known.molecule.atoms[i].residue, own->atoms[i].residue) == 0;
    }
    if (!status && !same) {
        status = berth_fail_option(
            error, BERTH_E_FORMAT, "reference",
            "%s: these are not the ligand's atoms, in its order; a protein's reference "
            "is the same protein in another place",
            path);
    }
    BERTH_THEN(berth_heavy_positions(&known.heavy, &run->reference, error));
    berth_typed_receptor_clear(&known);
    return status;
}

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), own = strlen(end);
    return length > own && strcmp(text + length - own, end) == 0;
}

static enum berth_status open_files(struct berth_protein_run *run, struct berth_error *error)
{
    const struct berth_options *options = run->options;
    if (!ends_with(options->out, ".pdb") && !ends_with(options->out, ".pdb.gz")) {
        return berth_fail_option(
            error, BERTH_E_USAGE, "out",
            "out: a protein's poses are models of a PDB file: %s ends neither in .pdb nor "
            "in .pdb.gz",
            options->out);
    }
    BERTH_TRY(berth_output_create(options->out, &run->poses, error));
    return options->scores ? berth_output_create(options->scores, &run->scores, error) : BERTH_OK;
}

enum berth_status berth_protein_run_open(struct berth_protein_run *run, struct berth_error *error)
{
    const struct berth_options *options = run->options;
    const struct berth_scoring_choice choice = {options->forcefield, options->scoring, NULL};
    BERTH_TRY(check_format(options->ligand, error));
    BERTH_TRY(berth_typed_receptor_read(&choice, options->receptor, NULL, run->log, &run->receptor,
                                        error));
    if (run->receptor.judge_count) {
        return berth_fail_option(error, BERTH_E_USAGE, "scoring",
                                 "scoring: proteins are docked by one function");
    }
    BERTH_TRY(
        berth_typed_receptor_read(&choice, options->ligand, NULL, run->log, &run->ligand, error));
    BERTH_TRY(check_ligand(options->ligand, &run->ligand, error));
    BERTH_TRY(options->reference ? read_reference(options->reference, &choice, run, error)
                                 : BERTH_OK);
    return open_files(run, error);
}

static double rmsd_to(const double (*reference)[3], const double (*placed)[3], size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum += berth_distance_squared(reference[i], placed[i]);
    }
    return sqrt(sum / (double)count);
}

/* What is said of a mode in front of its atoms. */
static void write_remarks(const struct berth_protein_run *run, size_t number)
{
    const struct berth_protein_mode *mode = &run->result.modes[number];
    const struct berth_scoring *scoring = &run->receptor.scoring;
    const struct berth_interface *interface = &mode->interface;
    struct berth_output *output = run->poses;
    berth_output_print(output, "MODEL     %4zu\nREMARK   6 ENERGY %.4f %s\n", number + 1,
                       mode->energy, scoring->unit);
    for (size_t k = 0; k < scoring->terms.count; k++) {
        berth_output_print(output, "REMARK   6 TERM %s %.4f\n", scoring->terms.names[k],
                           mode->terms.values[k]);
    }
    berth_output_print(output,
                       "REMARK   6 CONTACTS %zu RESIDUES %zu OF RECEPTOR %zu OF LIGAND\n"
                       "REMARK   6 BURIED %.1f A^2\n",
                       interface->contacts, interface->receptor_residues,
                       interface->ligand_residues, interface->buried);
    if (run->rmsds) {
        berth_output_print(output, "REMARK   6 RMSD %.3f A\n", run->rmsds[number]);
    }
}

/* Columns behind those that any docking has. */
static const char *const COLUMNS[] = {"contacts", "receptor_residues", "ligand_residues",
                                      "buried_area"};
enum { COLUMN_COUNT = sizeof COLUMNS / sizeof *COLUMNS };

static void write_row(const struct berth_protein_run *run, size_t number)
{
    const struct berth_protein_mode *mode = &run->result.modes[number];
    const struct berth_interface *interface = &mode->interface;
    const char *title = run->ligand.molecule.title;
    struct berth_pose pose = berth_pose_of(mode->energy, mode->energy, &mode->terms);
    const struct berth_score_columns columns = {.terms = &run->receptor.scoring.terms};
    const struct berth_score_row row = {.run = &columns,
                                        .pose = &pose,
                                        .ligand = title ? title : "",
                                        .mode = number + 1,
                                        .heavy_atoms = run->ligand.heavy.count,
                                        .conformers = 1};
    char texts[COLUMN_COUNT][32];
    pose.rmsd = run->rmsds ? run->rmsds[number] : -1;
    snprintf(texts[0], sizeof texts[0], "%zu", interface->contacts);
    snprintf(texts[1], sizeof texts[1], "%zu", interface->receptor_residues);
    snprintf(texts[2], sizeof texts[2], "%zu", interface->ligand_residues);
    snprintf(texts[3], sizeof texts[3], "%.1f", interface->buried);
    const char *const values[] = {texts[0], texts[1], texts[2], texts[3]};
    berth_score_table_add(run->scores, &row, values, COLUMN_COUNT);
}

/* The receptor and the ligand as they are written: both in each model. */
struct complex {
    struct berth_pdb_source receptor, ligand;
    char letters[BERTH_PDB_LETTERS];  /* of the receptor's chains */
    double (*fixed)[3], (*placed)[3]; /* owned; their heavy atoms, Å */
};

static enum berth_status open_complex(const struct berth_protein_run *run, struct complex *complex,
                                      struct berth_error *error)
{
    const struct berth_typed_receptor *receptor = &run->receptor, *ligand = &run->ligand;
    *complex = (struct complex){
        .receptor = {&receptor->molecule, receptor->residues, receptor->residue_count, NULL},
        .ligand = {&ligand->molecule, ligand->residues, ligand->residue_count, complex->letters}};
    berth_pdb_letters(&complex->receptor, complex->letters);
    BERTH_TRY(berth_heavy_positions(&receptor->heavy, &complex->fixed, error));
    return berth_make(&complex->placed, ligand->heavy.count, sizeof *complex->placed, NULL, error);
}

/* Says which of the ligand's chains are written with another name. */
static void write_chains(const struct berth_protein_run *run, const struct berth_pdb_source *ligand)
{
    const char *before = NULL;
    for (size_t i = 0; i < ligand->residue_count; i++) {
        const char *chain = *ligand->residues[i].chain ? ligand->residues[i].chain : " ";
        const char written[2] = {berth_pdb_chain(ligand, i)};
        if (!(before && strcmp(before, chain) == 0) && strcmp(chain, written) != 0) {
            berth_output_print(run->poses, "REMARK   6 CHAIN ");
            berth_output_text(run->poses, chain);
            berth_output_print(run->poses, " OF LIGAND IS %s\n", written);
        }
        before = chain;
    }
}

static void write_heads(const struct berth_protein_run *run)
{
    const struct berth_score_columns columns = {.terms = &run->receptor.scoring.terms};
    berth_output_print(run->poses, "REMARK   6 LIGAND ");
    berth_output_text(run->poses, run->options->ligand);
    berth_output_print(run->poses, "\nREMARK   6 RECEPTOR ");
    berth_output_text(run->poses, run->options->receptor);
    berth_output_print(run->poses, "\nREMARK   6 SCORING ");
    berth_output_text(run->poses, run->receptor.scoring.name);
    berth_output_print(run->poses, "\n");
    if (run->scores) {
        berth_score_table_begin(run->scores, &columns, COLUMNS, COLUMN_COUNT);
    }
}

static enum berth_status write_modes(struct berth_protein_run *run, struct berth_error *error)
{
    const size_t atoms = run->ligand.heavy.count;
    struct complex complex;
    enum berth_status status = open_complex(run, &complex, error);
    if (!status && run->reference) {
        status = berth_make(&run->rmsds, run->result.count, sizeof *run->rmsds, NULL, error);
    }
    if (!status) {
        write_heads(run);
        write_chains(run, &complex.ligand);
    }
    for (size_t i = 0; !status && i < run->result.count; i++) {
        const double(*placed)[3] = (const double(*)[3])complex.placed;
        int serial = 0;
        berth_protein_place(&run->result, &run->ligand.heavy, &run->result.modes[i].transform,
                            complex.placed);
        if (run->reference) {
            run->rmsds[i] = rmsd_to((const double(*)[3])run->reference, placed, atoms);
        }
        write_remarks(run, i);
        berth_pdb_write_atoms(run->poses, &complex.receptor, (const double(*)[3])complex.fixed,
                              &serial);
        berth_pdb_write_atoms(run->poses, &complex.ligand, placed, &serial);
        berth_output_print(run->poses, "ENDMDL\n");
        if (run->scores) {
            write_row(run, i);
        }
    }
    if (!status) {
        berth_output_print(run->poses, "END\n");
    }
    free(complex.fixed);
    free(complex.placed);
    return status;
}

enum berth_status berth_protein_run_dock(struct berth_protein_run *run,
                                         const struct berth_device *device,
                                         struct berth_error *error)
{
    struct berth_output **const outputs[] = {&run->poses, &run->scores};
    BERTH_TRY(berth_protein_dock(run, device, error));
    BERTH_TRY(write_modes(run, error));
    return berth_outputs_commit(outputs, sizeof outputs / sizeof *outputs, error);
}

void berth_protein_run_clear(struct berth_protein_run *run)
{
    berth_typed_receptor_clear(&run->receptor);
    berth_typed_receptor_clear(&run->ligand);
    berth_protein_result_clear(&run->result);
    berth_output_discard(run->poses);
    berth_output_discard(run->scores);
    free(run->reference);
    free(run->rmsds);
    memset(run, 0, sizeof *run);
}
