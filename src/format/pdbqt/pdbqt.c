#include "format/pdbqt/pdbqt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/memory.h"
#include "chem/facts.h"
#include "chem/torsion.h"
#include "chem/vectors.h"
#include "format/smiles/smiles.h"
#include "score/fields.h"

#define NONE SIZE_MAX

/* A model that is being written.  A rigid piece is what one torsion moves and no further one does:
 * its second atom first, and then the atoms that it moves; piece 0 is the root. */
struct model {
    struct berth_output *output;
    const struct berth_tagged_molecule *tagged;
    const struct berth_molecule *molecule;
    struct berth_torsion_tree tree;
    struct berth_facts facts;
    size_t *piece;  /* owned; [atom_count]: 0, or the torsion, from 1 */
    size_t *serial; /* owned; [atom_count]: from 1; 0: not written */
    size_t count;   /* serials given */
};

/* --- Which atoms, and in which order --- */

/* The heavy atom that a hydrogen is bonded to, the first of several; NONE where there is none, as
 * of dihydrogen and of a hydrogen without bonds. */
static size_t parent_of(const struct model *model, size_t atom)
{
    const struct berth_adjacency *all = &model->facts.adjacency;
    BERTH_EACH_BOND (k, all, atom) {
        if (model->molecule->atoms[all->neighbour[k]].heavy) {
            return all->neighbour[k];
        }
    }
    return NONE;
}

/* Hydrogens on carbon are part of it. */
static bool is_written(const struct model *model, size_t atom)
{
    const struct berth_atom *atoms = model->molecule->atoms;
    const size_t parent = atoms[atom].element == HYDROGEN ? parent_of(model, atom) : NONE;
    return atoms[atom].heavy ||
           (atoms[atom].element == HYDROGEN && (parent == NONE || atoms[parent].element != CARBON));
}

/* Numbers the atoms of a piece, and of those that hang on it. */
static void number_piece(struct model *model, size_t piece)
{
    const struct berth_torsion *torsions = model->tree.torsions;
    if (piece) {
        model->serial[torsions[piece - 1].second] = ++model->count;
    }
    for (size_t i = 0; i < model->molecule->atom_count; i++) {
        if (model->piece[i] == piece && !model->serial[i] && is_written(model, i)) {
            model->serial[i] = ++model->count;
        }
    }
    for (size_t t = 0; t < model->tree.count; t++) {
        if (model->piece[torsions[t].first] == piece) {
            number_piece(model, t + 1);
        }
    }
}

/* --- Atoms --- */

/* AutoDock's type. */
static const char *type_of(const struct model *model, size_t atom)
{
    const struct berth_atom *one = &model->molecule->atoms[atom];
    switch (one->element) {
    case 1:
        return "HD";
    case 6:
        return model->facts.aromatic[atom] ? "A" : "C";
    case 7:
        return model->facts.traits[atom].acceptor ? "NA" : "N";
    case 8:
        return "OA";
    case 16:
        return strncasecmp(one->type, "S.o", 3) == 0 ? "S" : "SA";
    default:
        return berth_element_symbol(one->element);
    }
}

static void write_atom(const struct model *model, size_t atom)
{
    const double *at = berth_tagged_position(model->tagged, atom);
    const char *name = model->molecule->atoms[atom].name;
    berth_output_print(model->output,
                       "ATOM  %5zu %s%-*.4s UNL     1    %8.3f%8.3f%8.3f  1.00  0.00     0.000 "
                       "%-2s\n",
                       model->serial[atom] % 100000, strlen(name) < 4 ? " " : "",
                       strlen(name) < 4 ? 3 : 4, name, at[0], at[1], at[2], type_of(model, atom));
}

static void write_piece(const struct model *model, size_t piece)
{
    const struct berth_torsion *torsions = model->tree.torsions;
    const size_t first = piece ? torsions[piece - 1].second : model->molecule->atom_count;
    if (piece) {
        write_atom(model, first);
    }
    for (size_t i = 0; i < model->molecule->atom_count; i++) {
        if (model->piece[i] == piece && model->serial[i] && i != first) {
            write_atom(model, i);
        }
    }
    if (!piece) {
        berth_output_print(model->output, "ENDROOT\n");
    }
    for (size_t t = 0; t < model->tree.count; t++) {
        const size_t from = model->serial[torsions[t].first],
                     to = model->serial[torsions[t].second];
        if (model->piece[torsions[t].first] == piece) {
            berth_output_print(model->output, "BRANCH %3zu %3zu\n", from, to);
            write_piece(model, t + 1);
            berth_output_print(model->output, "ENDBRANCH %3zu %3zu\n", from, to);
        }
    }
}

/* --- Remarks --- */

/* The tag of this column; NULL: there is none. */
static const char *tag_of(const struct berth_tagged_molecule *tagged, const char *name)
{
    for (size_t i = 0; i < tagged->tag_count; i++) {
        if (strcmp(tagged->tags[i].name, name) == 0) {
            return tagged->tags[i].value;
        }
    }
    return NULL;
}

/* Å: RMSD to the best pose, atom by atom, which is Vina's upper bound. */
static double from_best(const struct berth_tagged_molecule *tagged)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; tagged->best && i < tagged->molecule->atom_count; i++) {
        if (tagged->molecule->atoms[i].heavy) {
            sum += berth_distance_squared(berth_tagged_position(tagged, i), tagged->best[i]);
            count++;
        }
    }
    return count ? sqrt(sum / (double)count) : 0;
}

/* Å: the same, each atom to the nearest of its element: Vina's lower bound. */
static double from_best_matched(const struct berth_tagged_molecule *tagged, bool back)
{
    const struct berth_atom *atoms = tagged->molecule->atoms;
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; tagged->best && i < tagged->molecule->atom_count; i++) {
        double least = INFINITY;
        for (size_t j = 0; atoms[i].heavy && j < tagged->molecule->atom_count; j++) {
            const size_t here = back ? j : i, there = back ? i : j;
            if (atoms[j].element == atoms[i].element) {
                least = fmin(least, berth_distance_squared(berth_tagged_position(tagged, here),
                                                           tagged->best[there]));
            }
        }
        sum += atoms[i].heavy ? least : 0;
        count += atoms[i].heavy;
    }
    return count ? sqrt(sum / (double)count) : 0;
}

enum { PAIRS_ON_LINE = 6 };

/* A pair of numbers of a list of them; *count: pairs before it. */
static void write_pair(struct berth_output *output, const char *what, size_t *count, size_t first,
                       size_t second)
{
    if (*count % PAIRS_ON_LINE == 0) {
        berth_output_print(output, "%sREMARK %s", *count ? "\n" : "", what);
    }
    berth_output_print(output, " %zu %zu", first, second);
    ++*count;
}

/* The SMILES, which of its atoms is which, and whose the hydrogens are; order: [atom_count]. */
static enum berth_status write_smiles(const struct model *model, size_t *order,
                                      struct berth_error *error)
{
    struct berth_bytes text = {0};
    struct berth_stereo stereo = {0};
    bool known;
    enum berth_status status =
        berth_stereo_find(model->molecule, model->tagged->positions, &stereo, error);
    BERTH_THEN(berth_stereo_thin(model->molecule, &stereo, error));
    BERTH_THEN(berth_smiles_write(&model->facts, false, &stereo, &text, order, &known, error));
    if (!status && known) {
        size_t count = 0, place = 0;
        berth_output_print(model->output, "REMARK SMILES %.*s\n", (int)text.count, text.data);
        for (; place < berth_heavy_count(model->molecule); place++) {
            write_pair(model->output, "SMILES IDX", &count, place + 1, model->serial[order[place]]);
        }
        count = 0;
        for (size_t h = 0; h < model->molecule->atom_count; h++) {
            const size_t parent = parent_of(model, h);
            if (model->serial[h] && !model->molecule->atoms[h].heavy && parent != NONE) {
                for (place = 0; order[place] != parent;) {
                    place++;
                }
                berth_output_print(model->output, "%s", count ? "" : "\n");
                write_pair(model->output, "H PARENT", &count, place + 1, model->serial[h]);
            }
        }
        berth_output_print(model->output, "\n");
    }
    berth_stereo_clear(&stereo);
    berth_bytes_clear(&text);
    return status;
}

static enum berth_status write_remarks(const struct model *model, struct berth_error *error)
{
    const struct berth_tagged_molecule *tagged = model->tagged;
    const char *score = tag_of(tagged, BERTH_COLUMN_SCORE);
    if (score) {
        const double lower =
            fmax(from_best_matched(tagged, false), from_best_matched(tagged, true));
        berth_output_print(model->output, "REMARK VINA RESULT: %9.3f %10.3f %10.3f\n", atof(score),
                           lower, from_best(tagged));
    }
    berth_output_print(model->output, "REMARK  Name = ");
    berth_output_on_line(model->output, tagged->title);
    berth_output_print(model->output, "\n");
    for (size_t i = 0; i < tagged->tag_count; i++) {
        berth_output_print(model->output, "REMARK  ");
        berth_output_on_line(model->output, tagged->tags[i].name);
        berth_output_print(model->output, " = ");
        berth_output_on_line(model->output, tagged->tags[i].value);
        berth_output_print(model->output, "\n");
    }
    size_t *order;
    BERTH_TRY(berth_make(&order, model->molecule->atom_count + 1, sizeof *order, NULL, error));
    const enum berth_status status = write_smiles(model, order, error);
    free(order);
    return status;
}

static enum berth_status fill(struct model *model, struct berth_error *error)
{
    const struct berth_molecule *molecule = model->molecule;
    const size_t count = molecule->atom_count + 1;
    BERTH_TRY(
        berth_facts_find(molecule, BERTH_FACT_AROMATIC | BERTH_FACT_TRAITS, &model->facts, error));
    BERTH_TRY(berth_torsion_tree_find_vina(&model->facts, &model->tree, error));
    BERTH_TRY(berth_make(&model->piece, count, sizeof *model->piece, NULL, error));
    BERTH_TRY(berth_make(&model->serial, count, sizeof *model->serial, NULL, error));
    const struct berth_torsion_tree *tree = &model->tree;
    for (size_t t = 0; t < tree->count; t++) { /* those deeper in the tree come behind */
        const struct berth_torsion *torsion = &tree->torsions[t];
        model->piece[torsion->second] = t + 1;
        for (size_t i = 0; i < torsion->moved_count; i++) {
            model->piece[tree->moved[torsion->moved_start + i]] = t + 1;
        }
    }
    number_piece(model, 0);
    return BERTH_OK;
}

enum berth_status berth_pdbqt_write(struct berth_output *output,
                                    const struct berth_tagged_molecule *tagged,
                                    struct berth_error *error)
{
    struct model model = {.output = output, .tagged = tagged, .molecule = tagged->molecule};
    const char *mode = tag_of(tagged, BERTH_COLUMN_MODE);
    enum berth_status status = fill(&model, error);
    if (!status) {
        berth_output_print(output, "MODEL %s\n", mode ? mode : "1");
        status = write_remarks(&model, error);
    }
    if (!status) {
        berth_output_print(output, "ROOT\n");
        write_piece(&model, 0);
        berth_output_print(output, "TORSDOF %zu\nENDMDL\n", model.tree.count);
    }
    berth_torsion_tree_clear(&model.tree);
    berth_facts_clear(&model.facts);
    free(model.piece);
    free(model.serial);
    return status;
}
