/* What of a table is one ligand: states by their names or by a column, and one molecule under
 * several names. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "eval/screen/ligands.h"

/* --- States of molecules --- */

/* Where "_1" or the like begins at the end of a name; NULL: there is none. */
static const char *find_state(const char *name)
{
    const char *mark = strrchr(name, '_');
    const bool is_state =
        mark && mark > name && mark[1] && mark[1 + strspn(mark + 1, "0123456789")] == '\0';
    return is_state ? mark : NULL;
}

bool berth_ligand_is_state(const char *name)
{
    return find_state(name) != NULL;
}

void berth_ligand_cut_states(char *name, const struct berth_named_ligands *actives,
                             const struct berth_named_ligands *decoys)
{
    const char *mark;
    while (!berth_ligand_find(actives, name) && !berth_ligand_find(decoys, name) &&
           (mark = find_state(name)) != NULL) {
        name[mark - name] = '\0';
    }
}

void berth_ligands_cut_states(struct berth_named_ligands *ligands,
                              const struct berth_named_ligands *actives,
                              const struct berth_named_ligands *decoys)
{
    for (size_t i = 0; i < ligands->count; i++) {
        berth_ligand_cut_states(ligands->items[i].name, actives, decoys);
    }
    for (size_t i = 0; i < ligands->form_count; i++) {
        berth_ligand_cut_states(ligands->forms[i].name, actives, decoys);
    }
    berth_named_ligands_sort(ligands);
}

static int compare_state(const void *key, const void *item)
{
    return strcmp(key, ((const struct berth_ligand_state *)item)->name);
}

/* The molecule that a name is a state of, or NULL. */
static const char *molecule_of(const struct berth_ligand_state *states, size_t count,
                               const char *name)
{
    const struct berth_ligand_state *state =
        count ? bsearch(name, states, count, sizeof *states, compare_state) : NULL;
    return state ? state->molecule : NULL;
}

static enum berth_status set_name(char **name, const char *text, struct berth_error *error)
{
    char *copy = berth_copy_text(text);
    if (!copy) {
        return berth_out_of_memory(error, NULL);
    }
    free(*name);
    *name = copy;
    return BERTH_OK;
}

enum berth_status berth_ligands_join_states(struct berth_named_ligands *ligands,
                                            const struct berth_named_ligands *scores,
                                            struct berth_error *error)
{
    for (size_t i = 0; i < ligands->count; i++) {
        char **name = &ligands->items[i].name;
        const char *molecule = molecule_of(scores->states, scores->state_count, *name);
        BERTH_TRY(molecule ? set_name(name, molecule, error) : BERTH_OK);
    }
    berth_named_ligands_sort(ligands);
    return BERTH_OK;
}

/* --- Molecules under several names --- */

static int compare_forms(const void *a, const void *b)
{
    const struct berth_ligand_form *one = a, *other = b;
    const int order = strcmp(one->name, other->name);
    return order ? order : strcmp(one->smiles, other->smiles);
}

/* A ligand that has forms; borrowed. */
struct formed {
    const struct berth_ligand_form *forms; /* [count], sorted */
    size_t count;
    const struct berth_named_ligand *ligand;
};

/* 0: they have the same forms. */
static int compare_smiles(const struct formed *one, const struct formed *other)
{
    int order = (one->count > other->count) - (one->count < other->count);
    for (size_t i = 0; !order && i < one->count; i++) {
        order = strcmp(one->forms[i].smiles, other->forms[i].smiles);
    }
    return order;
}

/* By their forms, and the best one first. */
static int compare_formed(const void *a, const void *b)
{
    const struct formed *one = a, *other = b;
    const int order = compare_smiles(one, other);
    return order ? order
           : one->ligand->score != other->ligand->score
               ? (one->ligand->score > other->ligand->score ? 1 : -1)
               : strcmp(one->ligand->name, other->ligand->name);
}

/* Sorts the forms, and keeps one of each. */
static void sort_forms(struct berth_named_ligands *scores)
{
    size_t kept = 0;
    if (scores->form_count) { /* forms may be NULL */
        qsort(scores->forms, scores->form_count, sizeof *scores->forms, compare_forms);
    }
    for (size_t i = 0; i < scores->form_count; i++) {
        if (kept && compare_forms(&scores->forms[kept - 1], &scores->forms[i]) == 0) {
            free(scores->forms[i].name);
            free(scores->forms[i].smiles);
        } else {
            scores->forms[kept++] = scores->forms[i];
        }
    }
    scores->form_count = kept;
}

static enum berth_status add_twin(struct berth_named_ligands *scores, const char *name,
                                  const char *molecule, struct berth_error *error)
{
    BERTH_TRY(berth_reserve(&scores->twins, &scores->twin_capacity, scores->twin_count + 1,
                            sizeof *scores->twins, error));
    struct berth_ligand_state *twin = &scores->twins[scores->twin_count++];
    *twin = (struct berth_ligand_state){berth_copy_text(name), berth_copy_text(molecule)};
    return twin->name && twin->molecule ? BERTH_OK : berth_out_of_memory(error, NULL);
}

enum berth_status berth_ligands_find_twins(struct berth_named_ligands *scores,
                                           struct berth_error *error)
{
    struct formed *formed;
    size_t count = 0;
    sort_forms(scores);
    BERTH_TRY(berth_make(&formed, scores->form_count, sizeof *formed, NULL, error));
    for (size_t i = 0, next; i < scores->form_count; i = next) {
        const struct berth_ligand_form *forms = &scores->forms[i];
        const struct berth_named_ligand *ligand = berth_ligand_find(scores, forms->name);
        for (next = i + 1;
             next < scores->form_count && strcmp(scores->forms[next].name, forms->name) == 0;
             next++) {
        }
        if (ligand) { /* it has a score */
            formed[count++] = (struct formed){forms, next - i, ligand};
        }
    }
    qsort(formed, count, sizeof *formed, compare_formed);
    enum berth_status status = BERTH_OK;
    for (size_t i = 1, best = 0; !status && i < count; i++) {
        if (compare_smiles(&formed[best], &formed[i]) == 0) {
            status = add_twin(scores, formed[i].ligand->name, formed[best].ligand->name, error);
        } else {
            best = i;
        }
    }
    free(formed);
    if (!status) { /* else one may lack its texts */
        berth_ligand_states_sort(scores->twins, scores->twin_count);
    }
    return status;
}

const char *berth_ligand_twin(const struct berth_named_ligands *scores, const char *name)
{
    const char *best = molecule_of(scores->twins, scores->twin_count, name);
    return best ? best : name;
}

enum berth_status berth_ligands_join_twins(struct berth_named_ligands *ligands,
                                           const struct berth_named_ligands *scores,
                                           struct berth_error *error)
{
    for (size_t i = 0; i < ligands->count; i++) {
        char **name = &ligands->items[i].name;
        const char *best = berth_ligand_twin(scores, *name);
        if (best != *name) {
            if (!ligands->joined++) {
                snprintf(ligands->first_joined, sizeof ligands->first_joined, "%.40s is %.40s",
                         *name, best);
            }
            BERTH_TRY(set_name(name, best, error));
        }
    }
    for (size_t i = 0; i < ligands->form_count; i++) {
        char **name = &ligands->forms[i].name;
        const char *best = berth_ligand_twin(scores, *name);
        BERTH_TRY(best != *name ? set_name(name, best, error) : BERTH_OK);
    }
    berth_named_ligands_sort(ligands);
    return BERTH_OK;
}

void berth_ligands_joined(const struct berth_named_ligands *scores, char text[BERTH_JOINED_TEXT])
{
    char twins[BERTH_JOINED_TEXT - 140] = "";
    if (scores->joined) {
        snprintf(twins, sizeof twins,
                 "; among them %zu ligand%s the same molecule as one of another name, by smiles "
                 "(%s%s)",
                 scores->joined, scores->joined > 1 ? "s that are" : " that is",
                 scores->first_joined, scores->joined > 1 ? " ..." : "");
    }
    *text = '\0';
    if (scores->rows > scores->count) {
        snprintf(text, BERTH_JOINED_TEXT,
                 "%zu of %zu rows are further ones of a ligand%s, which counts once, by its best "
                 "score%s",
                 scores->rows - scores->count, scores->rows,
                 scores->state_count ? " (states by the column state_of)" : "", twins);
    }
}
