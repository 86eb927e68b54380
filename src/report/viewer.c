#define _XOPEN_SOURCE 700 /* realpath */

#include "report/viewer.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/embedded.h"
#include "base/memory.h"
#include "chem/site.h"
#include "chem/vectors.h"
#include "format/output.h"

/* A restraint's place number k, and how a pose meets it. */
struct shown_place {
    const struct berth_shown_restraint *restraint;
    size_t number, k; /* of the restraint, from 1; of its places */
    double distance;  /* Å */
    enum berth_standing_to stands;
};

/* Bytes of a label in scripts and in the structure that they open: see write_word. */
enum { WORD_SIZE = 3 * BERTH_LABEL_SIZE };

/* A residue that a pose meets. */
struct met_residue {
    bool near; /* it is, and no more: only carbons are */
    char chain[WORD_SIZE], name[WORD_SIZE];
    char number[24]; /* with the insertion code */
    double at[3];    /* Å: where its label stands clear of the pose */
};

/* How a viewer is spoken to. */
struct language {
    const char *name, *ending;
    void (*begin)(const struct berth_viewer *viewer);
    void (*bond)(const struct berth_viewer *viewer, const struct berth_interaction *bond);
    bool lists; /* the bonds of a pose stand in one list */
    void (*residue)(const struct berth_viewer *viewer, const struct met_residue *residue);
    void (*place)(const struct berth_viewer *viewer, const struct shown_place *place);
    void (*finish)(const struct berth_viewer *viewer);
};

struct berth_viewer {
    struct berth_viewer_setup setup;
    const struct language *language;
    char script_path[PATH_MAX], receptor_path[PATH_MAX];
    char poses[PATH_MAX], reference[PATH_MAX], moved[PATH_MAX]; /* absolute; "" for none */
    struct berth_output *script, *receptor;                     /* owned */
    unsigned long long pose, state; /* number of the last one in its file; here, from 1 */
};

/* Bytes that mean nothing else in a script or a structure. */
static bool is_plain(char c)
{
    return isalnum((unsigned char)c) || (c && strchr("_-+*'.", c));
}

/* A chain or a residue's name as viewers get it: of other bytes the hexadecimal code, so that names
 * that differ stay so. */
static void write_word(const char *label, char word[WORD_SIZE])
{
    size_t used = 0;
    for (; *label && used + 4 <= WORD_SIZE; label++) {
        used += (size_t)snprintf(word + used, WORD_SIZE - used, is_plain(*label) ? "%c" : "_%02X",
                                 (unsigned char)*label);
    }
    word[used] = '\0';
}

/* 0: there is none. */
static char insertion_of(const struct berth_residue_id *residue)
{
    return !residue->insertion || is_plain(residue->insertion) ? residue->insertion : '_';
}

/* The look of an interaction that is drawn; NULL of one that is not: those of carbons, and of the
 * nearest atoms. */
static const char *look_of(const struct berth_interaction *bond)
{
    static const char *const LOOKS[BERTH_INTERACTION_KINDS] = {
        [BERTH_INTERACTION_HYDROGEN_BOND] = "hydrogen bond",
        [BERTH_INTERACTION_SALT_BRIDGE] = "salt bridge",
        [BERTH_INTERACTION_METAL] = "metal",
        [BERTH_INTERACTION_HALOGEN_BOND] = "halogen bond",
        [BERTH_INTERACTION_STACKING_PARALLEL] = "stacking",
        [BERTH_INTERACTION_STACKING_T] = "stacking",
        [BERTH_INTERACTION_CATION_PI] = "cation-pi"};
    return berth_interaction_is_weak(bond) ? "weak hydrogen bond" : LOOKS[bond->kind];
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* --- PyMOL --- */

/* A file beside the script, or, where there is none of this name, where it was. */
static void pymol_load(const struct berth_viewer *viewer, const char *path, const char *object)
{
    berth_output_print(viewer->script, "load(\"%s\", \"%s\", \"%s\")\n", base_name(path), path,
                       object);
}

static void pymol_box(const struct berth_viewer *viewer)
{
    const struct berth_receptor *receptor = viewer->setup.receptor;
    if (!receptor->has_site) {
        return;
    }
    berth_output_print(
        viewer->script, "low, high = (%.3f, %.3f, %.3f), (%.3f, %.3f, %.3f)\n",
        receptor->center[0] - receptor->size[0] / 2, receptor->center[1] - receptor->size[1] / 2,
        receptor->center[2] - receptor->size[2] / 2, receptor->center[0] + receptor->size[0] / 2,
        receptor->center[1] + receptor->size[1] / 2, receptor->center[2] + receptor->size[2] / 2);
    berth_output_print(
        viewer->script,
        "corners = [[(low, high)[n >> k & 1][k] for k in range(3)] for n in range(8)]\n"
        "lines([(corners[n], corners[n | 1 << k]) for n in range(8) for k in range(3)\n"
        "       if not n >> k & 1], \"site\", 1, (0.3, 0.5, 1.0))\n");
}

static void pymol_begin(const struct berth_viewer *viewer)
{
    berth_output_print(viewer->script,
                       "# Written by berth " BERTH_VERSION
                       ".  Open it with `pymol %s`.  %sF1 shows and hides the surface,\n"
                       "# F2 the box.  For a figure: png figure.png, width=2000, ray=1\n",
                       base_name(viewer->script_path),
                       *viewer->poses ? "The arrows at the\n# bottom go from pose to pose, " : "");
    if (viewer->setup.most) {
        berth_output_print(viewer->script,
                           "# It opens %zu poses at most, the best of the page: `berth report "
                           "--view_top N` has more.\n",
                           viewer->setup.most);
    }
    berth_output_print(viewer->script, "%s", berth_embedded_text("pymol.pml"));
    pymol_load(viewer, viewer->receptor_path, "receptor");
    if (*viewer->poses) {
        pymol_load(viewer, viewer->poses, "read");
    }
    if (*viewer->moved) {
        pymol_load(viewer, viewer->moved, "read_side_chains");
    }
    if (*viewer->reference) {
        pymol_load(viewer, viewer->reference, "reference");
    }
    pymol_box(viewer);
}

static void pymol_bond(const struct berth_viewer *viewer, const struct berth_interaction *bond)
{
    const double *a = bond->receptor.center, *b = bond->ligand.center;
    berth_output_print(viewer->script, "((%.3f, %.3f, %.3f), (%.3f, %.3f, %.3f), \"%s\"), ", a[0],
                       a[1], a[2], b[0], b[1], b[2], look_of(bond));
}

static void pymol_residue(const struct berth_viewer *viewer, const struct met_residue *residue)
{
    berth_output_print(viewer->script, "%s(\"%s\", \"%s\", \"%s\", (%.3f, %.3f, %.3f), %llu)\n",
                       residue->near ? "nears" : "meets", residue->chain, residue->number,
                       residue->name, residue->at[0], residue->at[1], residue->at[2],
                       viewer->state);
}

static void pymol_place(const struct berth_viewer *viewer, const struct shown_place *place)
{
    const double *at = place->restraint->at[place->k];
    char label[48] = "";
    if (place->k == 0) {
        snprintf(label, sizeof label, "%.1f %s", place->distance, BERTH_STANDS[place->stands]);
    }
    berth_output_print(viewer->script,
                       "place(\"restraint_%zu\", (%.3f, %.3f, %.3f), %.2f, %d, \"%s\", %llu)\n",
                       place->number, at[0], at[1], at[2], place->restraint->radius,
                       place->stands == BERTH_STANDS_MET, label, viewer->state);
}

/* Poses as sticks, and lines near them; without any the box, and what reaches into it. */
static void pymol_center(const struct berth_viewer *viewer)
{
    berth_output_print(viewer->script,
                       *viewer->poses
                           ? "color gray80, near and elem C\n"
                             "show sticks, poses\n"
                             "color cyan, poses and elem C\n"
                             "hide sticks, poses and elem H and neighbor elem C\n"
                             "select site_residues, byres (receptor within 4 of poses)\n"
                             "show lines, near\n"
                             "disable site\n"
                             "python\n"
                             "look_at_bonds()\n"
                             "python end\n"
                           : "select site_residues, byres (receptor within 0.1 of meeting)\n"
                             "zoom site, 4\n");
}

static void pymol_finish(const struct berth_viewer *viewer)
{
    if (*viewer->poses) {
        berth_output_print(viewer->script, "keep_poses(kept)\n");
    }
    berth_output_print(viewer->script,
                       "cmd.set_key(\"F1\", surface)\n"
                       "cmd.set_key(\"F2\", box)\n"
                       "%s"
                       "python end\n"
                       "bg_color white\n"
                       "hide everything\n"
                       "show cgo\n"
                       "show cartoon, receptor\n"
                       "set cartoon_transparency, 0.7\n"
                       "color gray80, (receptor or meeting) and elem C\n",
                       *viewer->poses ? "residues_of_poses()\n" : "residues_of_site()\n");
    if (*viewer->reference) {
        berth_output_print(viewer->script, "show sticks, reference\n"
                                           "color magenta, reference and elem C\n"
                                           "hide sticks, reference and elem H and neighbor elem "
                                           "C\n"
                                           "set stick_radius, 0.12, reference\n");
    }
    if (*viewer->moved) {
        berth_output_print(viewer->script, "show sticks, side_chains\n"
                                           "color orange, side_chains and elem C\n");
    }
    if (viewer->setup.places && viewer->setup.places->count) {
        berth_output_print(viewer->script, "show dots, restraint_*\n"
                                           "show labels, restraint_*\n");
    }
    pymol_center(viewer);
    berth_output_print(viewer->script, "deselect\n"
                                       "show sticks, meeting\n"
                                       "set stick_radius, 0.14, meeting\n"
                                       "show spheres, metals and not receptor\n"
                                       "set sphere_scale, 0.3\n"
                                       "set label_color, black\n"
                                       "set label_size, 16\n"
                                       "set label_font_id, 7\n"
                                       "set label_bg_color, white\n"
                                       "set label_bg_transparency, 0.15\n"
                                       "set ray_shadows, 0\n"
                                       "set antialias, 2\n"
                                       "set all_states, 0\n"
                                       "python\n"
                                       "write_labels(1)\n"
                                       "look_at_all()\n"
                                       "rewrite_labels()\n"
                                       "python end\n");
}

/* --- ChimeraX --- */

/* A file that lies beside the script by its name: ChimeraX reads a script in its own folder. */
static void chimerax_open(const struct berth_viewer *viewer, const char *path)
{
    char script[PATH_MAX], file[PATH_MAX];
    snprintf(script, sizeof script, "%.*s",
             (int)(base_name(viewer->script_path) - viewer->script_path), viewer->script_path);
    snprintf(file, sizeof file, "%.*s", (int)(base_name(path) - path), path);
    berth_output_print(viewer->script, "open \"%s\"\n",
                       strcmp(script, file) == 0 ? base_name(path) : path);
}

static void chimerax_begin(const struct berth_viewer *viewer)
{
    const struct berth_receptor *receptor = viewer->setup.receptor;
    berth_output_print(viewer->script, "# Written by berth " BERTH_VERSION
                                       ".  The commands pocket_surface, pocket_residues and "
                                       "site_box show more.\n");
    chimerax_open(viewer, viewer->receptor_path);
    if (*viewer->poses) {
        chimerax_open(viewer, viewer->poses);
    }
    if (*viewer->reference) {
        chimerax_open(viewer, viewer->reference);
    }
    if (*viewer->moved) {
        chimerax_open(viewer, viewer->moved);
    }
    if (receptor->has_site) {
        berth_output_print(
            viewer->script,
            "alias site_box shape box center %.3f,%.3f,%.3f size %.3f,%.3f,%.3f mesh true "
            "color cornflowerblue name site\n",
            receptor->center[0], receptor->center[1], receptor->center[2], receptor->size[0],
            receptor->size[1], receptor->size[2]);
    }
    berth_output_print(viewer->script, "hide atoms\n");
}

/* Of the first pose alone: ChimeraX has no states that models belong to. */
static void chimerax_bond(const struct berth_viewer *viewer, const struct berth_interaction *bond)
{
    static const char *const COLORS[][2] = {
        {"hydrogen bond", "darkorange"}, {"weak hydrogen bond", "goldenrod"},
        {"metal", "mediumpurple"},       {"salt bridge", "firebrick"},
        {"halogen bond", "seagreen"},    {"stacking", "darkgoldenrod"},
        {"cation-pi", "hotpink"}};
    const double *a = bond->receptor.center, *b = bond->ligand.center;
    const char *look = look_of(bond), *color = "gray";
    for (size_t i = 0; i < sizeof COLORS / sizeof *COLORS; i++) {
        color = strcmp(COLORS[i][0], look) == 0 ? COLORS[i][1] : color;
    }
    if (viewer->pose == 1) {
        berth_output_print(viewer->script,
                           "shape cylinder radius %s fromPoint %.3f,%.3f,%.3f toPoint "
                           "%.3f,%.3f,%.3f color %s name \"%s, %.1f A\"\n",
                           berth_interaction_is_weak(bond) ? "0.04" : "0.08", a[0], a[1], a[2],
                           b[0], b[1], b[2], color, look, bond->distance);
    }
}

/* Whether residues have to be told apart by their chains. */
static bool has_chains(const struct berth_receptor *receptor)
{
    bool has = false;
    for (size_t i = 1; i < receptor->residue_count; i++) {
        has = has || strcmp(receptor->residues[i].chain, receptor->residues[0].chain) != 0;
    }
    return has;
}

/* Likewise, and only of those that it meets. */
static void chimerax_residue(const struct berth_viewer *viewer, const struct met_residue *residue)
{
    if (viewer->pose == 1 && !residue->near) {
        berth_output_print(viewer->script,
                           "label #1%s%s:%s residues text \"{0.name} %s{0.number}\" "
                           "color black bgColor white\nshow #1%s%s:%s atoms\n",
                           *residue->chain ? "/" : "", residue->chain, residue->number,
                           has_chains(viewer->setup.receptor) ? "{0.chain_id}:" : "",
                           *residue->chain ? "/" : "", residue->chain, residue->number);
    }
}

static void chimerax_place(const struct berth_viewer *viewer, const struct shown_place *place)
{
    const double *at = place->restraint->at[place->k];
    if (viewer->pose == 1) {
        berth_output_print(viewer->script,
                           "shape sphere radius %.2f center %.3f,%.3f,%.3f mesh true color %s name "
                           "\"restraint %zu, %.1f A, %s\"\n",
                           place->restraint->radius, at[0], at[1], at[2],
                           place->stands == BERTH_STANDS_MET ? "forestgreen" : "firebrick",
                           place->number, place->distance, BERTH_STANDS[place->stands]);
    }
}

static void chimerax_finish(const struct berth_viewer *viewer)
{
    int number = 2; /* of the next model */
    berth_output_print(viewer->script, "set bgColor white\n"
                                       "cartoon #1\n"
                                       "transparency #1 70 target c\n");
    if (*viewer->poses) {
        number++;
        berth_output_print(viewer->script, "show #2 atoms\n"
                                           "style #2 stick\n"
                                           "hide #2.2-99999 models\n");
    }
    if (*viewer->reference) {
        berth_output_print(viewer->script,
                           "show #%d atoms\nstyle #%d stick\ncolor #%d & C magenta\n", number,
                           number, number);
        number++;
    }
    if (*viewer->moved) {
        berth_output_print(viewer->script,
                           "show #%d atoms\nstyle #%d stick\ncolor #%d & C orange\n"
                           "hide #%d.2-99999 models\n",
                           number, number, number, number);
    }
    berth_output_print(viewer->script,
                       "name frozen pocket %s\n"
                       "style #1 stick\n"
                       "color byhetero\n"
                       "alias pocket_residues show pocket atoms; label pocket residues text "
                       "\"{0.name} {0.number}\" color black\n"
                       "alias pocket_surface surface pocket; transparency pocket 40 target s\n"
                       "%s\n",
                       *viewer->poses ? "#1 & #2.1 :<4" : "#1@@display",
                       *viewer->poses ? "view #2" : "site_box\nview pocket");
}

static const struct language LANGUAGES[] = {
    {"pymol", "pml", pymol_begin, pymol_bond, true, pymol_residue, pymol_place, pymol_finish},
    {"chimerax", "cxc", chimerax_begin, chimerax_bond, false, chimerax_residue, chimerax_place,
     chimerax_finish}};

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

static void print_labels(struct berth_output *output, const struct berth_atom *atom,
                         const struct berth_residue_id *residue)
{
    char word[WORD_SIZE];
    print_label(output, atom->name);
    write_word(residue->name, word);
    print_label(output, word);
    write_word(residue->chain, word);
    print_label(output, word);
    berth_output_print(output, " %d", residue->number);
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
        print_labels(output, atom, residue);
        berth_output_print(output, " %.3f %.3f %.3f %c", atom->position[0], atom->position[1],
                           atom->position[2], insertion ? insertion : '?');
        print_labels(output, atom, residue);
        berth_output_print(output, "\n");
    }
}

/* --- Residues --- */

/* A residue by its index, its label 2.5 Å beyond its CA, or its first atom, as seen from a place.
 */
static struct met_residue residue_seen(const struct berth_viewer *viewer, size_t residue,
                                       const double from[3])
{
    const struct berth_receptor *receptor = viewer->setup.receptor;
    const struct berth_atom *atoms = receptor->molecule.atoms;
    const struct berth_residue_id *id = &receptor->residues[residue];
    struct met_residue met = {.near = false};
    const struct berth_atom *chosen = atoms; /* a residue has one of its own */
    bool found = false;
    double away[3];
    for (size_t i = 0; i < receptor->molecule.atom_count; i++) {
        if (atoms[i].residue_id == (int)residue + 1 &&
            (!found || strcmp(atoms[i].name, "CA") == 0)) {
            chosen = &atoms[i];
            found = true;
        }
    }
    const char insertion[2] = {insertion_of(id), '\0'};
    write_word(id->chain, met.chain);
    write_word(id->name, met.name);
    snprintf(met.number, sizeof met.number, "%d%s", id->number, insertion);
    berth_direction(from, chosen->position, away);
    for (int k = 0; k < 3; k++) {
        met.at[k] = chosen->position[k] + 2.5 * away[k];
    }
    return met;
}

/* Where there are no poses: each residue with an atom in the box, once. */
static void add_lining(struct berth_viewer *viewer)
{
    const struct berth_receptor *receptor = viewer->setup.receptor;
    struct berth_site site = {.atoms = false};
    int last = 0; /* atoms of a residue follow each other */
    viewer->pose = viewer->state = 1;
    memcpy(site.center, receptor->center, sizeof site.center);
    memcpy(site.size, receptor->size, sizeof site.size);
    for (size_t i = 0; receptor->has_site && i < receptor->molecule.atom_count; i++) {
        const struct berth_atom *atom = &receptor->molecule.atoms[i];
        if (atom->residue_id != last && berth_site_outside(&site, atom->position) <= 0) {
            const struct met_residue met =
                residue_seen(viewer, (size_t)atom->residue_id - 1, site.center);
            viewer->language->residue(viewer, &met);
            last = atom->residue_id;
        }
    }
}

/* --- A script --- */

/* BERTH_E_USAGE where the text cannot stand between double quotes in a script. */
static enum berth_status check_quotable(const char *text, const char *path,
                                        struct berth_error *error)
{
    for (; *text; text++) {
        if ((unsigned char)*text < ' ' || strchr("\"\\%", *text)) {
            return berth_fail(error, BERTH_E_USAGE,
                              "%s: a name with quotes, backslashes, percent signs or control "
                              "characters cannot stand in a viewer's script; rename it",
                              path);
        }
    }
    return BERTH_OK;
}

static enum berth_status make_absolute(const char *path, char absolute[PATH_MAX],
                                       struct berth_error *error)
{
    char *whole = realpath(path, NULL);
    if (!whole) {
        return berth_fail(error, BERTH_E_IO, "%s: no such file for a viewer to open", path);
    }
    snprintf(absolute, PATH_MAX, "%s", whole);
    free(whole);
    return check_quotable(absolute, path, error);
}

/* DIR/NAME.csv becomes DIR/NAME and `end`, where the folder is whole. */
static enum berth_status path_beside(const char *path, const char *end, char beside[PATH_MAX],
                                     struct berth_error *error)
{
    char folder[PATH_MAX], whole[PATH_MAX];
    const char *name = base_name(path), *dot = strrchr(name, '.');
    const size_t length = dot && dot > name ? (size_t)(dot - name) : strlen(name);
    snprintf(folder, sizeof folder, "%.*s", (int)(name - path), path);
    BERTH_TRY(make_absolute(*folder ? folder : ".", whole, error));
    return snprintf(beside, PATH_MAX, "%s/%.*s%s", whole, (int)length, name, end) >= PATH_MAX
               ? berth_fail(error, BERTH_E_USAGE, "%s: the path is too long", path)
               : check_quotable(name, path, error);
}

static enum berth_status open_files(struct berth_viewer *viewer, struct berth_error *error)
{
    const struct berth_viewer_setup *setup = &viewer->setup;
    char ending[16], moved[PATH_MAX];
    snprintf(ending, sizeof ending, ".%s", viewer->language->ending);
    BERTH_TRY(path_beside(setup->beside, ending, viewer->script_path, error));
    BERTH_TRY(path_beside(setup->beside, "_receptor.cif", viewer->receptor_path, error));
    if (setup->reference) {
        BERTH_TRY(make_absolute(setup->reference, viewer->reference, error));
    }
    if (setup->poses) {
        BERTH_TRY(make_absolute(setup->poses, viewer->poses, error));
        berth_output_beside(setup->poses, "side_chains.pdb", moved, sizeof moved);
        if (access(moved, F_OK) == 0) {
            BERTH_TRY(make_absolute(moved, viewer->moved, error));
        }
    }
    BERTH_TRY(berth_output_create(viewer->script_path, &viewer->script, error));
    return berth_output_create(viewer->receptor_path, &viewer->receptor, error);
}

enum berth_status berth_viewer_create(const struct berth_viewer_setup *setup,
                                      struct berth_viewer **viewer, struct berth_error *error)
{
    const struct language *language = NULL;
    *viewer = NULL;
    for (size_t i = 0; i < sizeof LANGUAGES / sizeof *LANGUAGES; i++) {
        language = strcmp(LANGUAGES[i].name, setup->kind) == 0 ? &LANGUAGES[i] : language;
    }
    if (!language || strcmp(setup->beside, "-") == 0) {
        return berth_fail_option(error, BERTH_E_USAGE, "view",
                                 language ? "view: the script lies beside the output, which is "
                                            "standard output; name a file"
                                          : "view: '%s': viewers are pymol and chimerax",
                                 setup->kind);
    }
    BERTH_TRY(berth_make(viewer, 1, sizeof **viewer, NULL, error));
    (*viewer)->setup = *setup;
    (*viewer)->language = language;
    BERTH_TRY(open_files(*viewer, error));
    write_receptor(*viewer);
    language->begin(*viewer);
    if (!setup->poses) {
        add_lining(*viewer);
    }
    return BERTH_OK;
}

static void add_places(const struct berth_viewer *viewer, const struct berth_read_pose *pose)
{
    const struct berth_shown_places *places = viewer->setup.places;
    for (size_t i = 0; places && i < places->count; i++) {
        if (places->items[i].metal) {
            continue; /* the contacts with it are drawn */
        }
        struct shown_place place = {.restraint = &places->items[i],
                                    .number = i + 1,
                                    .distance = berth_shown_distance(pose, i)};
        place.stands = berth_shown_stands(place.restraint, place.distance);
        for (place.k = 0; isfinite(place.distance) && place.k < place.restraint->count; place.k++) {
            viewer->language->place(viewer, &place);
        }
    }
}

/* Each residue once, by its first interaction: hydrophobic ones follow all that say more. */
static void add_residues(const struct berth_viewer *viewer, const struct berth_interactions *found)
{
    for (size_t i = 0; i < found->count; i++) {
        const struct berth_interaction *item = &found->items[i];
        bool is_new = item->kind != BERTH_INTERACTION_CONTACT;
        for (size_t j = 0; j < i && is_new; j++) {
            is_new = found->items[j].residue != item->residue;
        }
        if (is_new) {
            struct met_residue met = residue_seen(viewer, item->residue, item->ligand.center);
            met.near = item->kind == BERTH_INTERACTION_HYDROPHOBIC;
            viewer->language->residue(viewer, &met);
        }
    }
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

enum berth_status berth_viewer_add(struct berth_viewer *viewer, const struct berth_read_pose *pose,
                                   const struct berth_interactions *found,
                                   struct berth_error *error)
{
    viewer->pose = (unsigned long long)pose->record.number;
    viewer->state++;
    if (viewer->language->lists) {
        berth_output_print(viewer->script, "kept.append(%llu)\nbonds([", viewer->pose);
    }
    for (size_t i = 0; i < found->count; i++) {
        const struct berth_interaction *item = &found->items[i];
        if (look_of(item) && !is_told(found, i)) {
            viewer->language->bond(viewer, item);
        }
    }
    if (viewer->language->lists) {
        berth_output_print(viewer->script, "], %llu)\n", viewer->state);
    }
    add_residues(viewer, found);
    add_places(viewer, pose);
    return berth_output_check(viewer->script, error);
}

enum berth_status berth_viewer_finish(struct berth_viewer *viewer, enum berth_status status,
                                      struct berth_error *error)
{
    if (!viewer) {
        return status;
    }
    if (!status) {
        viewer->language->finish(viewer);
    }
    status = berth_output_finish(viewer->receptor, status, error);
    status = berth_output_finish(viewer->script, status, error);
    free(viewer);
    return status;
}
