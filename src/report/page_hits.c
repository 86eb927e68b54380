/* The poses of the page: what they are, what holds them, what they look like. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/vectors.h"
#include "score/score_ref.h"
#include "prep/openbabel.h"
#include "eval/pose_records.h"
#include "eval/validity.h"
#include "report/page_internal.h"

/* Å: pairs of atoms further apart add nothing to a residue's share that is worth a bar.  Of the
 * residues as many are listed. */
#define REACH 8.0
/* Å: atoms nearer are one atom, in the receptor and in an adduct. */
#define SAME_PLACE 0.05
enum { RESIDUES = 14 };

/* Seconds of processor time for a drawing. */
static const double LIMIT = 30;

/* What a pass over the poses works with. */
struct showing {
    struct page *page;
    double worst;
    struct page_best best; /* of the ligand whose poses are being read */
    double drawn_ordinal;  /* the ligand of the last pose that is shown, */
    size_t drawn_atoms;    /* and its atoms */
    char drawn_name[128];
    size_t shown, viewed; /* of these, in the viewer's script */
    struct berth_requirement_counts counts;
    bool enough; /* as many are shown as the page holds */
};

/* --- Members of a pose --- */

/* All that the table says of the pose, by the names of its columns: [name, text]. */
static void write_figures(struct berth_json *json, const struct berth_read_pose *pose)
{
    static const char *const SHOWN[] = {"smiles", "side_chains"}; /* elsewhere */
    berth_json_open(json, "figures", '[');
    for (size_t i = 0; i < pose->tags.count; i++) {
        const struct berth_tag *tag = &pose->tags.items[i];
        if (*tag->value && strcmp(tag->name, SHOWN[0]) != 0 && strcmp(tag->name, SHOWN[1]) != 0) {
            berth_json_open(json, NULL, '[');
            berth_json_shown(json, NULL, tag->name);
            berth_json_shown(json, NULL, tag->value);
            berth_json_close(json, ']');
        }
    }
    berth_json_close(json, ']');
}

static void write_interactions(struct page *page, const struct berth_read_pose *pose,
                               const struct berth_interactions *found)
{
    struct berth_json *json = &page->json;
    berth_json_open(json, "interactions", '[');
    for (size_t i = 0; i < found->count; i++) {
        const struct berth_interaction *item = &found->items[i];
        struct berth_interaction_texts texts;
        berth_interaction_texts(item, &page->complex, &pose->molecule, &texts);
        berth_json_open(json, NULL, '[');
        berth_json_count(json, NULL, item->kind);
        berth_json_shown(json, NULL, texts.residue);
        berth_json_shown(json, NULL, texts.receptor);
        berth_json_shown(json, NULL, texts.ligand);
        /* so that what is made of it rounds as the viewers' */
        berth_json_number(json, NULL, item->distance, 4);
        berth_json_number(json, NULL, item->angle, 0);
        berth_json_count(json, NULL, item->ligand_gives);
        berth_json_count(json, NULL, berth_interaction_is_weak(item));
        berth_json_close(json, ']');
    }
    berth_json_close(json, ']');
}

/* --- Shares of residues --- */

struct share {
    size_t residue;
    double energy;
};

static int compare_shares(const void *a, const void *b)
{
    const struct share *x = a, *y = b;
    return fabs(x->energy) > fabs(y->energy) ? -1 : fabs(x->energy) < fabs(y->energy);
}

/* Whether an atom of the pose is one of the residue that it is bonded to, CA or CB, which the
 * receptor has, too. */
static bool is_shared(const struct page *page, const double at[3])
{
    const struct berth_complex *complex = &page->complex;
    bool shared = false;
    for (size_t i = 0; complex->held && !shared && i < complex->receptor.molecule.atom_count; i++) {
        shared = complex->held[i] &&
                 berth_distance(complex->receptor.molecule.atoms[i].position, at) < SAME_PLACE;
    }
    return shared;
}

/* Leaves those out. */
static void drop_shared(const struct page *page, struct berth_heavy_atoms *ligand)
{
    size_t kept = 0;
    for (size_t i = 0; i < ligand->count; i++) {
        if (!is_shared(page, ligand->atoms[i].position)) {
            ligand->atoms[kept++] = ligand->atoms[i];
        }
    }
    ligand->count = kept;
}

/* The number of the pose's atom that is the residue's CA, from 1; 0: it is not bonded. */
static size_t find_root(const struct page *page, const struct berth_molecule *pose)
{
    const struct berth_molecule *receptor = &page->complex.receptor.molecule;
    for (size_t i = 0; page->complex.held && i < receptor->atom_count; i++) {
        const struct berth_atom *atom = &receptor->atoms[i];
        for (size_t k = 0;
             page->complex.held[i] && strcmp(atom->name, "CA") == 0 && k < pose->atom_count; k++) {
            if (berth_distance(atom->position, pose->atoms[k].position) < SAME_PLACE) {
                return k + 1;
            }
        }
    }
    return 0;
}

static double energy_at(const struct page *page, const struct berth_heavy_atom *atom,
                        const struct berth_heavy_atoms *ligand)
{
    double sum = 0;
    for (size_t i = 0; i < ligand->count; i++) {
        const double r = berth_distance(atom->position, ligand->atoms[i].position);
        if (r < REACH) {
            const struct berth_terms terms =
                berth_score_ref_pair(&page->scoring, atom->type, ligand->atoms[i].type, r);
            sum += berth_terms_sum(&terms);
        }
    }
    return sum;
}

static void write_largest(struct page *page, const struct share *shares)
{
    const struct berth_receptor *receptor = &page->complex.receptor;
    struct berth_json *json = &page->json;
    berth_json_open(json, "shares", '[');
    for (size_t i = 0;
         i < RESIDUES && i < receptor->residue_count && fabs(shares[i].energy) >= 0.05; i++) {
        char text[BERTH_RESIDUE_NAME];
        berth_residue_name(&receptor->residues[shares[i].residue], text);
        berth_json_open(json, NULL, '[');
        berth_json_shown(json, NULL, text);
        berth_json_number(json, NULL, shares[i].energy, 2);
        berth_json_close(json, ']');
    }
    berth_json_close(json, ']');
}

/* The energy of each residue's atoms with the pose, the largest first; of a pose that is bonded to
 * one without that residue and the atoms next to it, a few bonds away. */
static enum berth_status write_shares(struct page *page, const struct berth_molecule *pose,
                                      struct berth_error *error)
{
    const struct berth_receptor *receptor = &page->complex.receptor;
    struct berth_heavy_atoms ligand;
    if (!page->heavy.count || berth_scoring_assign(&page->scoring, pose, NULL, &ligand, error)) {
        return BERTH_OK; /* a function that needs Mol2 types */
    }
    drop_shared(page, &ligand);
    struct share *shares;
    const enum berth_status status =
        berth_make(&shares, receptor->residue_count, sizeof *shares, NULL, error);
    for (size_t i = 0; !status && i < receptor->molecule.atom_count; i++) {
        const size_t residue = (size_t)receptor->molecule.atoms[i].residue_id - 1;
        shares[residue].residue = residue;
        if (!page->complex.held || !page->complex.held[i]) {
            shares[residue].energy += energy_at(page, &page->heavy.atoms[i], &ligand);
        }
    }
    if (!status) {
        qsort(shares, receptor->residue_count, sizeof *shares, compare_shares);
        write_largest(page, shares);
    }
    free(shares);
    berth_heavy_atoms_clear(&ligand);
    return status;
}

/* --- Pictures --- */

/* An SVG of a record by Open Babel, which the page shows as a picture that no style or script of
 * its own reaches. */
static void write_openbabel(struct berth_json *json, const struct berth_read_pose *pose)
{
    static const char *const OPTIONS[] = {"-osvg", "-xd", "-xC", "--title", "x", NULL};
    const struct berth_openbabel_job job = {
        .format = "sdf", .options = OPTIONS, .input = &pose->record.text, .limit = LIMIT};
    struct berth_bytes svg = {0};
    struct berth_error ignored;
    const enum berth_status status = berth_openbabel_run(&job, &svg, &ignored);
    berth_bytes_put8(&svg, 0);
    if (!status && !svg.failed) {
        berth_json_text(json, "picture", (const char *)svg.data);
    }
    berth_bytes_clear(&svg);
}

/* Counts a ligand's first mode, whose SMILES another may have had before. */
static enum berth_status count_smiles(struct page *page, const struct berth_read_pose *pose,
                                      const char *smiles, struct berth_error *error)
{
    uint64_t number = 0;
    bool met = false;
    if (page->has_smiles || strtod(berth_pose_tag(pose, "mode"), NULL) > 1) {
        return BERTH_OK;
    }
    page->drawn_count++;
    return berth_text_set_add(&page->drawn, smiles, &number, &met, error);
}

/* Paths, places of atoms and SMILES by RDKit. */
static enum berth_status write_drawing(struct page *page, const struct berth_read_pose *pose,
                                       struct berth_error *error)
{
    static const char *const MEMBERS[] = {NULL, "paths", "places", "smiles"};
    double used = 0;
    const struct berth_request request = {
        .fields = {{"depict", 6}, {"", 0}, {pose->record.text.data, pose->record.text.count}},
        .count = 3,
        .limit = LIMIT,
        .used = &used};
    struct berth_answer answer = {0};
    enum berth_status status = berth_worker_ask(page->worker, &request, &answer, error);
    if (!status && answer.count > 3) {
        status = count_smiles(page, pose, answer.fields[3].data, error);
    }
    for (size_t i = 1; !status && answer.count > 3 && i < 4; i++) {
        berth_json_text(&page->json, MEMBERS[i], answer.fields[i].data);
    }
    berth_answer_clear(&answer);
    return status;
}

/* [Å, whether it is met, null where it does not apply] of each restraint. */
static void write_restraints(struct page *page, const struct berth_read_pose *pose)
{
    static const char *const MET[] = {
        [BERTH_STANDS_UNMET] = "false", [BERTH_STANDS_MET] = "true", [BERTH_STANDS_APART] = "null"};
    berth_json_open(&page->json, "restraints", '[');
    for (size_t i = 0; i < berth_restraint_count(&page->run); i++) {
        const double distance = berth_shown_distance(pose, i);
        berth_json_open(&page->json, NULL, '[');
        berth_json_number(&page->json, NULL, distance, 2);
        berth_json_print(&page->json, NULL, "%s",
                         MET[berth_shown_stands(&page->run.files.restraint[i], distance)]);
        berth_json_close(&page->json, ']');
    }
    berth_json_close(&page->json, ']');
}

static void write_checks(struct berth_json *json, const struct berth_validity *validity)
{
    berth_json_open(json, "wrong", '[');
    for (size_t i = 0; i < BERTH_VALIDITY_CHECKS; i++) {
        if (!validity->passes[i]) {
            berth_json_text(json, NULL, BERTH_VALIDITY_CHECK[i]);
        }
    }
    berth_json_close(json, ']');
}

/* Whether the pose before has the same flat drawing: it is one of the same ligand.  Notes it. */
static bool is_drawn(struct showing *showing, const struct berth_read_pose *pose)
{
    const size_t atoms = pose->molecule.atom_count;
    char name[sizeof showing->drawn_name];
    snprintf(name, sizeof name, "%s", pose->record.title ? pose->record.title : "");
    const bool drawn = strtod(berth_pose_tag(pose, "mode"), NULL) > 1 &&
                       showing->best.ordinal == showing->drawn_ordinal &&
                       atoms == showing->drawn_atoms && strcmp(name, showing->drawn_name) == 0;
    showing->drawn_ordinal = showing->best.ordinal;
    showing->drawn_atoms = atoms;
    strcpy(showing->drawn_name, name);
    return drawn;
}

/* What RDKit or Open Babel make of the pose; checks: in the page's receptor.  What one of them
 * cannot do with it is left out. */
static enum berth_status write_looks(struct showing *showing, const struct berth_read_pose *pose,
                                     bool checks, struct berth_error *error)
{
    struct page *page = showing->page;
    const bool drawn = is_drawn(showing, pose);
    struct berth_validity validity;
    enum berth_status status = BERTH_OK;
    if (drawn) {
        berth_json_bool(&page->json, "drawn_as_before", true);
    } else if (page->worker) {
        status = write_drawing(page, pose, error);
    } else {
        write_openbabel(&page->json, pose);
    }
    if (!page->worker) {
        return BERTH_OK;
    }
    if ((!status || status == BERTH_E_FORMAT) && checks) {
        status = berth_validity_check(page->worker, &page->complex, pose, 0, &validity, error);
        if (!status) {
            write_checks(&page->json, &validity);
        }
    }
    return status == BERTH_E_FORMAT ? BERTH_OK : status;
}

/* --- A pose --- */

/* Adds one of the best poses to the viewer's script; of those that make what is asked for, the
 * first ones. */
static enum berth_status view_pose(struct showing *showing, const struct berth_read_pose *pose,
                                   const struct berth_interactions *found,
                                   struct berth_error *error)
{
    struct page *page = showing->page;
    if (!page->viewer || showing->viewed == page->view_top ||
        (!page->required.count && !(showing->best.score <= page->worst_viewed + 1e-9))) {
        return BERTH_OK;
    }
    showing->viewed++;
    return berth_viewer_add(page->viewer, pose, found, error);
}

static enum berth_status write_holds(struct showing *showing, const struct berth_read_pose *pose,
                                     const struct berth_interactions *found,
                                     struct berth_error *error)
{
    struct page *page = showing->page;
    write_interactions(page, pose, found);
    BERTH_TRY(write_shares(page, &pose->molecule, error));
    page_space_write(page, &pose->molecule);
    if (find_root(page, &pose->molecule)) {
        berth_json_count(&page->json, "root", find_root(page, &pose->molecule));
    }
    BERTH_TRY(page_space_meet(page, found, error));
    return view_pose(showing, pose, found, error);
}

/* The receptor as the pose has it. */
static enum berth_status put_pose(struct page *page, const struct berth_read_pose *pose,
                                  struct berth_error *error)
{
    const struct berth_molecule *receptor = &page->complex.receptor.molecule;
    BERTH_TRY(berth_read_pose_put(pose, &page->complex, error));
    for (size_t i = 0; i < page->heavy.count; i++) {
        memcpy(page->heavy.atoms[i].position, receptor->atoms[i].position, sizeof(double[3]));
    }
    return BERTH_OK;
}

/* What ranks the pose; NAN: nothing does.  Values of rankings are never beside those of others. */
static double score_of(const struct page *page, const struct berth_read_pose *pose)
{
    static const char *const RANKS[] = {"ranking", "score", "energy"};
    const char *text = berth_pose_tag(pose, page->ranked_by);
    for (size_t i = 0;
         !*text && !strstr(page->ranked_by, "ranking") && i < sizeof RANKS / sizeof *RANKS; i++) {
        text = berth_pose_tag(pose, RANKS[i]);
    }
    return *text ? strtod(text, NULL) : NAN;
}

/* found: its interactions; NULL: not known. */
static enum berth_status write_pose(struct showing *showing, const struct berth_read_pose *pose,
                                    const struct berth_interactions *found,
                                    struct berth_error *error)
{
    struct page *page = showing->page;
    const bool holds = page->has_complex && berth_pose_is_in(pose, page->receptor);
    berth_json_open(&page->json, NULL, '{');
    showing->enough = ++showing->shown == page->settings->top;
    berth_json_shown(&page->json, "name", pose->record.title ? pose->record.title : "");
    write_figures(&page->json, pose);
    if (berth_restraint_count(&page->run)) {
        write_restraints(page, pose);
    }
    enum berth_status status = found ? write_holds(showing, pose, found, error) : BERTH_OK;
    BERTH_THEN(write_looks(showing, pose, holds, error));
    berth_json_close(&page->json, '}');
    return status ? status : berth_output_check(page->json.output, error);
}

static enum berth_status show(void *context, const struct berth_read_pose *pose,
                              struct berth_error *error)
{
    struct showing *showing = context;
    struct page *page = showing->page;
    struct berth_interactions found = {0};
    const bool holds = page->has_complex && berth_pose_is_in(pose, page->receptor);
    const char *ordinal = berth_pose_tag(pose, "ordinal");
    page_best_note(&showing->best, strtod(berth_pose_tag(pose, "mode"), NULL) > 1,
                   *ordinal ? strtod(ordinal, NULL) : NAN, score_of(page, pose));
    if (!(showing->best.score <= showing->worst + 1e-9) || (!holds && page->required.count)) {
        return BERTH_OK;
    }
    enum berth_status status = holds ? put_pose(page, pose, error) : BERTH_OK;
    if (!status && holds) {
        status = berth_interactions_find(&page->complex, &pose->molecule, &found, error);
    }
    const bool known = holds && !status; /* without hydrogens there is nothing to list */
    status = status == BERTH_E_FORMAT ? BERTH_OK : status;
    if (!status &&
        berth_requirements_count(&page->required, &page->complex, &found, &showing->counts)) {
        status = write_pose(showing, pose, known ? &found : NULL, error);
    }
    berth_interactions_clear(&found);
    return status;
}

enum berth_status page_hits_write(struct page *page, double worst, struct berth_error *error)
{
    /* what makes what is asked for may be behind what does not */
    struct showing showing = {
        .page = page, .worst = page->required.count ? INFINITY : worst, .drawn_ordinal = NAN};
    size_t failed;
    enum berth_status status = BERTH_OK;
    berth_json_open(&page->json, "hits", '[');
    if (*page->files.poses) {
        const struct berth_pose_visitor visitor = {
            show, &showing, page->settings->stop, NULL, page->settings->log, NULL, &showing.enough};
        status = berth_run_poses_each(&page->source, &visitor, &failed, error);
        berth_requirements_tell(&page->required, &showing.counts, page->settings->log);
        if (page->viewer && showing.viewed == page->view_top && showing.shown > showing.viewed) {
            berth_note(page->settings->log,
                       "the script for PyMOL opens the best %zu of the page's %zu poses: "
                       "view_top N opens more",
                       showing.viewed, showing.shown);
        }
    }
    berth_json_close(&page->json, ']');
    if (page->drawn_count == page->told.ligands) { /* all are shown */
        page->told.repeated = page->drawn_count - page->drawn.count;
    }
    if (page->settings->receptor) {
        BERTH_THEN(berth_complex_reached(&page->complex, page->settings->receptor, error));
    }
    return status ? status : page_space_pocket(page, error);
}
