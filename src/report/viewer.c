#define _XOPEN_SOURCE 700 /* realpath */

#include "report/viewer.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/embedded.h"
#include "base/memory.h"
#include "base/text.h"
#include "chem/site.h"
#include "chem/vectors.h"
#include "format/json.h"
#include "report/template.h"

/* Bytes of a label in scripts and in the structure that they open: see write_word. */
enum { WORD_SIZE = 3 * BERTH_LABEL_SIZE };

/* A program: of names the bytes, beside letters and digits, that mean nothing else in what it
 * chooses atoms by. */
struct program {
    const char *name, *ending, *template, *plain;
};

static const struct program PROGRAMS[] = {{"pymol", ".pml", "pymol.pml", "-'."},
                                          {"chimerax", ".cxc", "chimerax.cxc", ""}};

struct berth_viewer {
    struct berth_viewer_setup setup;
    const struct program *program;
    char script_path[PATH_MAX], receptor_path[PATH_MAX];
    struct berth_output *script, *receptor; /* owned */
    struct berth_json json; /* what the template is filled with, on its way; owned */
    char *text;             /* owned: that, in the end */
    size_t size;
    unsigned long long state; /* of the last pose, from 1 */
};

/* A chain or a residue's name as viewers get it: of other bytes the hexadecimal code, so that names
 * that differ stay so. */
static void write_word(const struct berth_viewer *viewer, const char *label, char word[WORD_SIZE])
{
    size_t used = 0;
    for (; *label && used + 4 <= WORD_SIZE; label++) {
        const bool plain = isalnum((unsigned char)*label) || strchr(viewer->program->plain, *label);
        used += (size_t)snprintf(word + used, WORD_SIZE - used, plain ? "%c" : "_%02X",
                                 (unsigned char)*label);
    }
    word[used] = '\0';
}

/* 0: there is none. */
static char insertion_of(const struct berth_residue_id *residue)
{
    return !residue->insertion || isalnum((unsigned char)residue->insertion) ? residue->insertion
                                                                             : '_';
}

/* --- The receptor --- */

/* A value of mmCIF in quotes where it needs them; what has both kinds of quotes loses one. */
static void print_label(struct berth_output *output, const char *label)
{
    const char quote = strchr(label, '"') ? '\'' : '"';
    berth_output_print(output, *label ? " %c" : " .", quote);
    for (const char *at = label; *at; at++) {
        const bool plain = *at > ' ' && *at < 127 && *at != quote;
        berth_output_print(output, "%c", plain ? *at : '_');
    }
    if (*label) {
        berth_output_print(output, "%c", quote);
    }
}

static void print_labels(const struct berth_viewer *viewer, const struct berth_atom *atom,
                         const struct berth_residue_id *residue)
{
    char word[WORD_SIZE];
    print_label(viewer->receptor, atom->name);
    write_word(viewer, residue->name, word);
    print_label(viewer->receptor, word);
    write_word(viewer, residue->chain, word);
    print_label(viewer->receptor, word);
    berth_output_print(viewer->receptor, " %d", residue->number);
}

static void write_receptor(const struct berth_viewer *viewer)
{
    static const char *const COLUMNS[] = {
        "group_PDB",         "id",           "type_symbol",  "label_atom_id", "label_comp_id",
        "label_asym_id",     "label_seq_id", "Cartn_x",      "Cartn_y",       "Cartn_z",
        "pdbx_PDB_ins_code", "auth_atom_id", "auth_comp_id", "auth_asym_id",  "auth_seq_id"};
    const struct berth_receptor *receptor = viewer->setup.receptor;
    struct berth_output *output = viewer->receptor;
    berth_output_print(output, "data_receptor\nloop_\n");
    for (size_t i = 0; i < sizeof COLUMNS / sizeof *COLUMNS; i++) {
        berth_output_print(output, "_atom_site.%s\n", COLUMNS[i]);
    }
    for (size_t i = 0; i < receptor->molecule.atom_count; i++) {
        const struct berth_atom *atom = &receptor->molecule.atoms[i];
        const struct berth_residue_id *residue = &receptor->residues[atom->residue_id - 1];
        const char insertion = insertion_of(residue);
        berth_output_print(output, "ATOM %zu %s", i + 1, berth_element_symbol(atom->element));
        print_labels(viewer, atom, residue);
        berth_output_print(output, " %.3f %.3f %.3f %c", atom->position[0], atom->position[1],
                           atom->position[2], insertion ? insertion : '?');
        print_labels(viewer, atom, residue);
        berth_output_print(output, "\n");
    }
}

/* --- Residues --- */

/* A residue by its index, its label 2.5 Å beyond its CA, or its first atom, as seen from a place;
 * near: a pose's carbons alone are. */
static void put_residue(struct berth_viewer *viewer, size_t residue, const double from[3],
                        bool near)
{
    const struct berth_receptor *receptor = viewer->setup.receptor;
    const struct berth_atom *atoms = receptor->molecule.atoms;
    const struct berth_residue_id *id = &receptor->residues[residue];
    const struct berth_atom *chosen = atoms; /* a residue has one of its own */
    bool found = false;
    double at[3];
    char chain[WORD_SIZE], name[WORD_SIZE];
    const char insertion[2] = {insertion_of(id), '\0'};
    for (size_t i = 0; i < receptor->molecule.atom_count; i++) {
        if (atoms[i].residue_id == (int)residue + 1 &&
            (!found || strcmp(atoms[i].name, "CA") == 0)) {
            chosen = &atoms[i];
            found = true;
        }
    }
    berth_direction(from, chosen->position, at);
    for (int k = 0; k < 3; k++) {
        at[k] = chosen->position[k] + 2.5 * at[k];
    }
    write_word(viewer, id->chain, chain);
    write_word(viewer, id->name, name);
    berth_json_print(&viewer->json, NULL,
                     "{\"near\":%s,\"chain\":\"%s\",\"number\":\"%d%s\",\"name\":\"%s\",\"at\":[%."
                     "3f,%.3f,%.3f]}",
                     near ? "true" : "false", chain, id->number, insertion, name, at[0], at[1],
                     at[2]);
}

/* Where there are no poses: each residue with an atom in the box, once. */
static void put_lining(struct berth_viewer *viewer)
{
    const struct berth_receptor *receptor = viewer->setup.receptor;
    struct berth_site site = {.atoms = false};
    int last = 0; /* atoms of a residue follow each other */
    memcpy(site.center, receptor->center, sizeof site.center);
    memcpy(site.size, receptor->size, sizeof site.size);
    berth_json_open(&viewer->json, NULL, '{');
    berth_json_count(&viewer->json, "state", 1);
    berth_json_bool(&viewer->json, "first", true);
    berth_json_open(&viewer->json, "residues", '[');
    for (size_t i = 0; receptor->has_site && i < receptor->molecule.atom_count; i++) {
        const struct berth_atom *atom = &receptor->molecule.atoms[i];
        if (atom->residue_id != last && berth_site_outside(&site, atom->position) <= 0) {
            put_residue(viewer, (size_t)atom->residue_id - 1, site.center, false);
            last = atom->residue_id;
        }
    }
    berth_json_close(&viewer->json, ']');
    berth_json_close(&viewer->json, '}');
}

/* Each residue once, by its first interaction: hydrophobic ones follow all that say more. */
static void put_residues(struct berth_viewer *viewer, const struct berth_interactions *found)
{
    berth_json_open(&viewer->json, "residues", '[');
    for (size_t i = 0; i < found->count; i++) {
        const struct berth_interaction *item = &found->items[i];
        bool is_new = item->kind != BERTH_INTERACTION_CONTACT;
        for (size_t j = 0; j < i && is_new; j++) {
            is_new = found->items[j].residue != item->residue;
        }
        if (is_new) {
            put_residue(viewer, item->residue, item->ligand.center,
                        item->kind == BERTH_INTERACTION_HYDROPHOBIC);
        }
    }
    berth_json_close(&viewer->json, ']');
}

/* --- Interactions --- */

/* The look of an interaction that is drawn, and its colour; NULL of one that is not: those of
 * carbons, and of the nearest atoms. */
static const char *const *look_of(const struct berth_interaction *bond)
{
    static const char *const WEAK[] = {"weak hydrogen bond", "goldenrod"};
    static const char *const LOOKS[BERTH_INTERACTION_KINDS][2] = {
        [BERTH_INTERACTION_HYDROGEN_BOND] = {"hydrogen bond", "darkorange"},
        [BERTH_INTERACTION_SALT_BRIDGE] = {"salt bridge", "firebrick"},
        [BERTH_INTERACTION_METAL] = {"metal", "mediumpurple"},
        [BERTH_INTERACTION_HALOGEN_BOND] = {"halogen bond", "seagreen"},
        [BERTH_INTERACTION_STACKING_PARALLEL] = {"stacking", "darkgoldenrod"},
        [BERTH_INTERACTION_STACKING_T] = {"stacking", "darkgoldenrod"},
        [BERTH_INTERACTION_CATION_PI] = {"cation-pi", "hotpink"}};
    const char *const *look = LOOKS[bond->kind];
    return berth_interaction_is_weak(bond) ? WEAK : *look ? look : NULL;
}

/* Whether it is a salt bridge whose hydrogen bond is drawn. */
static bool is_told(const struct berth_interactions *found, size_t number)
{
    const struct berth_interaction *item = &found->items[number];
    bool told = false;
    for (size_t i = 0; item->kind == BERTH_INTERACTION_SALT_BRIDGE && i < number; i++) {
        told = told || (found->items[i].kind == BERTH_INTERACTION_HYDROGEN_BOND &&
                        found->items[i].residue == item->residue);
    }
    return told;
}

static void put_bonds(struct berth_viewer *viewer, const struct berth_interactions *found)
{
    berth_json_open(&viewer->json, "bonds", '[');
    for (size_t i = 0; i < found->count; i++) {
        const struct berth_interaction *item = &found->items[i];
        const char *const *look = look_of(item);
        const double *from = item->receptor.center, *to = item->ligand.center;
        if (look && !is_told(found, i)) {
            berth_json_print(&viewer->json, NULL,
                             "{\"from\":[%.3f,%.3f,%.3f],\"to\":[%.3f,%.3f,%.3f],\"look\":\"%s\","
                             "\"color\":\"%s\",\"weak\":%s,\"distance\":%.1f}",
                             from[0], from[1], from[2], to[0], to[1], to[2], look[0], look[1],
                             berth_interaction_is_weak(item) ? "true" : "false", item->distance);
        }
    }
    berth_json_close(&viewer->json, ']');
}

/* Each place of each restraint, and how the pose meets it; contacts with metals are drawn anyway.
 */
static void put_places(struct berth_viewer *viewer, const struct berth_read_pose *pose)
{
    const struct berth_run_card *run = viewer->setup.run;
    berth_json_open(&viewer->json, "places", '[');
    for (size_t i = 0; i < berth_restraint_count(run); i++) {
        const struct berth_run_restraint *item = &run->files.restraint[i];
        const struct berth_run_places places =
            berth_restraint_places(item, viewer->setup.receptor_of);
        const double distance = berth_shown_distance(pose, i);
        const enum berth_standing_to stands = berth_shown_stands(item, distance);
        const bool drawn = !berth_restraint_is_metal(item) && isfinite(distance);
        for (size_t k = 0; drawn && k < places.count; k++) {
            berth_json_print(&viewer->json, NULL,
                             "{\"restraint\":%zu,\"at\":[%.3f,%.3f,%.3f],\"radius\":%.2f,\"met\":%"
                             "d,\"distance\":%.1f,\"stands\":\"%s\",\"labelled\":%s}",
                             i + 1, places.at[k][0], places.at[k][1], places.at[k][2], item->radius,
                             stands == BERTH_STANDS_MET, distance, BERTH_STANDS[stands],
                             k ? "false" : "true");
        }
    }
    berth_json_close(&viewer->json, ']');
}

/* --- Files --- */

static enum berth_status make_absolute(const char *path, char absolute[PATH_MAX],
                                       struct berth_error *error)
{
    char *whole = realpath(path, NULL);
    if (!whole) {
        return berth_fail(error, BERTH_E_IO, "%s: no such file for a viewer to open", path);
    }
    snprintf(absolute, PATH_MAX, "%s", whole);
    free(whole);
    return BERTH_OK;
}

/* DIR/NAME.csv becomes DIR/NAME and `end`, where the folder is whole. */
static enum berth_status path_beside(const char *path, const char *end, char beside[PATH_MAX],
                                     struct berth_error *error)
{
    char folder[PATH_MAX], whole[PATH_MAX];
    const char *name = berth_file_name(path), *dot = strrchr(name, '.');
    const size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    snprintf(folder, sizeof folder, "%.*s", (int)(name - path), path);
    BERTH_TRY(make_absolute(*folder ? folder : ".", whole, error));
    return snprintf(beside, PATH_MAX, "%s/%.*s%s", whole, (int)length, name, end) >= PATH_MAX
               ? berth_fail(error, BERTH_E_USAGE, "%s: the path is too long", path)
               : BERTH_OK;
}

/* One that the script opens; beside it by its name.  object: what PyMOL calls it; its number, for
 * ChimeraX, is one more than that of the file before.  BERTH_E_USAGE where the path is no text. */
static enum berth_status put_file(struct berth_viewer *viewer, const char *path, const char *object,
                                  struct berth_error *error)
{
    const char *name = berth_file_name(path), *script = viewer->script_path;
    const size_t folder = (size_t)(name - path);
    const bool is_beside =
        folder == (size_t)(berth_file_name(script) - script) && strncmp(path, script, folder) == 0;
    for (const char *at = path; *at; at += berth_text_utf8(at)) {
        if (!berth_text_utf8(at)) {
            return berth_fail(error, BERTH_E_USAGE,
                              "%s: a name that is no UTF-8 cannot stand in a viewer's script; "
                              "rename it",
                              path);
        }
    }
    berth_json_open(&viewer->json, NULL, '{');
    berth_json_text(&viewer->json, "name", name);
    berth_json_text(&viewer->json, "path", path);
    berth_json_text(&viewer->json, "near", is_beside ? name : path);
    berth_json_text(&viewer->json, "object", object);
    berth_json_close(&viewer->json, '}');
    return BERTH_OK;
}

/* The files, and which of them there are. */
static enum berth_status put_files(struct berth_viewer *viewer, struct berth_error *error)
{
    const struct berth_viewer_setup *setup = &viewer->setup;
    char path[PATH_MAX];
    bool moved = false;
    berth_json_open(&viewer->json, "files", '[');
    BERTH_TRY(put_file(viewer, viewer->receptor_path, "receptor", error));
    if (setup->poses) {
        BERTH_TRY(make_absolute(setup->poses, path, error));
        BERTH_TRY(put_file(viewer, path, "read", error));
    }
    if (setup->reference) {
        BERTH_TRY(make_absolute(setup->reference, path, error));
        BERTH_TRY(put_file(viewer, path, "reference", error));
    }
    if (setup->poses) {
        char beside[PATH_MAX];
        berth_output_beside(setup->poses, "side_chains.pdb", beside, sizeof beside);
        moved = access(beside, F_OK) == 0;
        BERTH_TRY(moved ? make_absolute(beside, path, error) : BERTH_OK);
        BERTH_TRY(moved ? put_file(viewer, path, "read_side_chains", error) : BERTH_OK);
    }
    berth_json_close(&viewer->json, ']');
    berth_json_bool(&viewer->json, "poses", setup->poses);
    berth_json_count(&viewer->json, "reference", !setup->reference ? 0 : setup->poses ? 3 : 2);
    berth_json_count(&viewer->json, "moved", !moved ? 0 : setup->reference ? 4 : 3);
    return BERTH_OK;
}

/* --- A script --- */

/* Whether residues have to be told apart by their chains. */
static bool has_chains(const struct berth_receptor *receptor)
{
    bool has = false;
    for (size_t i = 1; i < receptor->residue_count; i++) {
        has = has || strcmp(receptor->residues[i].chain, receptor->residues[0].chain) != 0;
    }
    return has;
}

/* What is known in front of the poses. */
static void put_head(struct berth_viewer *viewer)
{
    const struct berth_receptor *receptor = viewer->setup.receptor;
    struct berth_json *json = &viewer->json;
    berth_json_text(json, "version", BERTH_VERSION);
    berth_json_text(json, "script", berth_file_name(viewer->script_path));
    berth_json_count(json, "most", viewer->setup.most);
    berth_json_bool(json, "chains", has_chains(receptor));
    berth_json_bool(json, "restraints", berth_restraint_count(viewer->setup.run));
    if (receptor->has_site) {
        const double *center = receptor->center, *size = receptor->size;
        const double half[3] = {size[0] / 2, size[1] / 2, size[2] / 2};
        berth_json_print(json, "box",
                         "{\"low\":[%.3f,%.3f,%.3f],\"high\":[%.3f,%.3f,%.3f],\"center\":[%.3f,%."
                         "3f,%.3f],\"size\":[%.3f,%.3f,%.3f]}",
                         center[0] - half[0], center[1] - half[1], center[2] - half[2],
                         center[0] + half[0], center[1] + half[1], center[2] + half[2], center[0],
                         center[1], center[2], size[0], size[1], size[2]);
    }
}

static enum berth_status begin(struct berth_viewer *viewer, struct berth_error *error)
{
    const char *beside = viewer->setup.beside;
    BERTH_TRY(path_beside(beside, viewer->program->ending, viewer->script_path, error));
    BERTH_TRY(path_beside(beside, "_receptor.cif", viewer->receptor_path, error));
    BERTH_TRY(berth_output_create(viewer->script_path, &viewer->script, error));
    BERTH_TRY(berth_output_create(viewer->receptor_path, &viewer->receptor, error));
    BERTH_TRY(
        berth_output_create_memory(&viewer->text, &viewer->size, &viewer->json.output, error));
    write_receptor(viewer);
    berth_json_open(&viewer->json, NULL, '{');
    BERTH_TRY(put_files(viewer, error));
    put_head(viewer);
    berth_json_open(&viewer->json, "shown", '[');
    if (!viewer->setup.poses) {
        put_lining(viewer);
    }
    return BERTH_OK;
}

const char *berth_viewer_script(const struct berth_viewer *viewer)
{
    return viewer->script_path;
}

enum berth_status berth_viewer_create(const struct berth_viewer_setup *setup,
                                      struct berth_viewer **viewer, struct berth_error *error)
{
    const struct program *program = NULL;
    *viewer = NULL;
    for (size_t i = 0; i < sizeof PROGRAMS / sizeof *PROGRAMS; i++) {
        program = strcmp(PROGRAMS[i].name, setup->kind) == 0 ? &PROGRAMS[i] : program;
    }
    if (!program || strcmp(setup->beside, "-") == 0) {
        return berth_fail_option(error, BERTH_E_USAGE, "view",
                                 program ? "view: the script lies beside the output, which is "
                                           "standard output; name a file"
                                         : "view: '%s': viewers are pymol and chimerax",
                                 setup->kind);
    }
    BERTH_TRY(berth_make(viewer, 1, sizeof **viewer, NULL, error));
    (*viewer)->setup = *setup;
    (*viewer)->program = program;
    return begin(*viewer, error);
}

enum berth_status berth_viewer_add(struct berth_viewer *viewer, const struct berth_read_pose *pose,
                                   const struct berth_interactions *found,
                                   struct berth_error *error)
{
    const unsigned long long number = (unsigned long long)pose->record.number;
    berth_json_open(&viewer->json, NULL, '{');
    berth_json_print(&viewer->json, "pose", "%llu", number);
    berth_json_print(&viewer->json, "state", "%llu", ++viewer->state);
    /* ChimeraX has no states that models belong to: it draws the first alone */
    berth_json_bool(&viewer->json, "first", number == 1);
    put_bonds(viewer, found);
    put_residues(viewer, found);
    put_places(viewer, pose);
    berth_json_close(&viewer->json, '}');
    return berth_output_check(viewer->json.output, error);
}

enum berth_status berth_viewer_finish(struct berth_viewer *viewer, enum berth_status status,
                                      struct berth_error *error)
{
    if (!viewer) {
        return status;
    }
    if (!status) {
        berth_json_close(&viewer->json, ']');
        berth_json_close(&viewer->json, '}');
    }
    status = berth_output_finish(viewer->json.output, status, error);
    if (!status) {
        berth_template_fill(berth_embedded_text(viewer->program->template), viewer->text,
                            BERTH_TEMPLATE_SCRIPT, viewer->script);
    }
    status = berth_output_finish(viewer->receptor, status, error);
    status = berth_output_finish(viewer->script, status, error);
    free(viewer->text);
    free(viewer);
    return status;
}
