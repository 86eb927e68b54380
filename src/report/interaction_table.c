#include "report/interaction_table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "eval/pose_records.h"
#include "report/viewer.h"

/* --- Texts --- */

void berth_residue_name(const struct berth_residue_id *residue, char text[BERTH_RESIDUE_NAME])
{
    snprintf(text, BERTH_RESIDUE_NAME, "%s %s%s%d%.1s", residue->name, residue->chain,
             *residue->chain ? ":" : "", residue->number,
             residue->insertion ? (const char[]){residue->insertion, '\0'} : "");
}

void berth_interaction_texts(const struct berth_interaction *interaction,
                             const struct berth_interaction_target *target,
                             const struct berth_molecule *pose,
                             struct berth_interaction_texts *texts)
{
    const struct berth_molecule *receptor = &target->receptor.molecule;
    memset(texts, 0, sizeof *texts);
    berth_residue_name(&target->receptor.residues[interaction->residue], texts->residue);
    for (size_t i = 0, used = 0; i < interaction->receptor.count; i++) {
        used +=
            (size_t)snprintf(texts->receptor + used, sizeof texts->receptor - used, "%s%.6s",
                             i ? " " : "", receptor->atoms[interaction->receptor.atoms[i]].name);
    }
    for (size_t i = 0, used = 0; i < interaction->ligand.count; i++) {
        const size_t atom = interaction->ligand.atoms[i];
        used += (size_t)snprintf(texts->ligand + used, sizeof texts->ligand - used, "%s%s%zu",
                                 i ? " " : "", berth_element_symbol(pose->atoms[atom].element),
                                 atom + 1);
    }
}

/* --- Which kinds --- */

static bool names_kind(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; *at; at += strcspn(at, ",")) {
        at += *at == ',';
        if (strcspn(at, ",") == length && strncmp(at, name, length) == 0) {
            return true;
        }
    }
    return false;
}

static enum berth_status choose_kinds(const char *list, bool chosen[BERTH_INTERACTION_KINDS],
                                      struct berth_error *error)
{
    size_t commas = 0, found = 0;
    for (int kind = 0; kind < BERTH_INTERACTION_KINDS; kind++) {
        chosen[kind] = list ? names_kind(list, berth_interaction_name(kind))
                            : kind != BERTH_INTERACTION_CONTACT;
        found += chosen[kind];
    }
    for (const char *at = list ? list : ""; *at; at++) {
        commas += *at == ',';
    }
    return !list || found == commas + 1
               ? BERTH_OK
               : berth_fail(
                     error, BERTH_E_USAGE,
                     "--kinds %s: kinds are hydrogen_bond, salt_bridge, metal, halogen_bond, "
                     "stacking, stacking_t, cation_pi, hydrophobic and contact, with commas "
                     "between, each once",
                     list);
}

/* --- The table --- */

static void print_number(struct berth_output *output, double value)
{
    if (isfinite(value)) {
        berth_output_print(output, "%.3f", value);
    }
}

static void print_row(struct berth_output *output, const struct berth_interaction *item,
                      const struct berth_interaction_target *target,
                      const struct berth_read_pose *pose)
{
    const struct berth_residue_id *residue = &target->receptor.residues[item->residue];
    struct berth_interaction_texts texts;
    berth_interaction_texts(item, target, &pose->molecule, &texts);
    berth_output_print(output, "%llu,", (unsigned long long)pose->record.number - 1);
    berth_output_csv(output, pose->record.title ? pose->record.title : "", ',');
    berth_output_csv(output, berth_pose_tag(pose, "mode"), ',');
    berth_output_print(output, "%s,", berth_interaction_name(item->kind));
    berth_output_csv(output, residue->name, ',');
    berth_output_csv(output, residue->chain, ',');
    berth_output_print(output, "%d%.1s,", residue->number,
                       residue->insertion ? (char[]){residue->insertion, '\0'} : "");
    berth_output_csv(output, texts.receptor, ',');
    berth_output_csv(output, texts.ligand, ',');
    const bool directed = item->kind == BERTH_INTERACTION_HYDROGEN_BOND;
    berth_output_print(output, "%s,%.3f,",
                       !directed            ? ""
                       : item->ligand_gives ? "ligand"
                                            : "receptor",
                       item->distance);
    print_number(output, item->angle);
    berth_output_print(output, ",");
    print_number(output, item->offset);
    berth_output_print(output, "\n");
}

/* What a run writes to. */
struct writing {
    const struct berth_interaction_run *run;
    struct berth_interaction_target target;
    struct berth_pose_records poses;
    struct berth_output *output;
    struct berth_viewer *viewer; /* NULL: none asked for */
    bool kinds[BERTH_INTERACTION_KINDS];
};

static enum berth_status write_pose(void *context, const struct berth_read_pose *pose,
                                    struct berth_error *error)
{
    struct writing *writing = context;
    struct berth_interactions found = {0};
    enum berth_status status =
        berth_interactions_find(&writing->target, &pose->molecule, &found, error);
    for (size_t i = 0; !status && i < found.count; i++) {
        if (writing->kinds[found.items[i].kind]) {
            print_row(writing->output, &found.items[i], &writing->target, pose);
        }
    }
    if (!status && writing->viewer) {
        status = berth_viewer_add(writing->viewer, pose, &found, error);
    }
    berth_interactions_clear(&found);
    return status ? status : berth_output_check(writing->output, error);
}

static enum berth_status open_writing(struct writing *writing, struct berth_error *error)
{
    const struct berth_interaction_run *run = writing->run;
    enum berth_status status = choose_kinds(run->kinds, writing->kinds, error);
    BERTH_THEN(berth_interaction_target_read(run->receptor, run->log, &writing->target, error));
    BERTH_THEN(berth_pose_records_open(run->poses, &writing->poses, error));
    if (!status && run->view) {
        const struct berth_viewer_setup setup = {.kind = run->view,
                                                 .beside = run->out,
                                                 .poses = run->poses,
                                                 .reference = run->reference,
                                                 .target = &writing->target};
        status = berth_viewer_create(&setup, &writing->viewer, error);
    }
    BERTH_THEN(berth_output_create(run->out, &writing->output, error));
    if (!status) {
        berth_output_print(writing->output,
                           "pose,ligand,mode,kind,residue,chain,number,receptor_atoms,ligand_atoms,"
                           "donor,distance,angle,offset\n");
    }
    return status;
}

enum berth_status berth_interaction_table_write(const struct berth_interaction_run *run,
                                                size_t *failed, struct berth_error *error)
{
    struct writing writing = {.run = run};
    enum berth_status status = open_writing(&writing, error);
    if (!status) {
        const struct berth_pose_visitor visitor = {
            write_pose, &writing, run->check, run->failures, run->log, run->receptor, NULL};
        status = berth_pose_records_each(&writing.poses, &visitor, failed, error);
    }
    if (!status && writing.viewer) {
        status = berth_viewer_commit(writing.viewer, error);
    }
    if (!status) {
        status = berth_output_commit(writing.output, error);
        writing.output = NULL;
    }
    berth_output_discard(writing.output);
    berth_viewer_destroy(writing.viewer);
    berth_pose_records_close(&writing.poses);
    berth_interaction_target_clear(&writing.target);
    return status;
}
