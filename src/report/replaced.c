#include "report/replaced.h"

#include <sys/stat.h>

#include "chem/polymers.h"
#include "format/pdb/structure_file.h"
#include "format/receptor_file.h"
#include "prep/site_checks.h"

/* The search on its way. */
struct replaced {
    struct berth_structure structure; /* owned: the receptor's file */
    struct berth_polymers polymers;   /* owned: what it is made of */
    char *ligand_id;                  /* borrowed: [BERTH_SELECTOR_TEXT] */
    unsigned long long pose;          /* that lies there, from 0 */
    bool found;
};

static enum berth_status look(void *context, const struct berth_read_pose *pose,
                              struct berth_error *error)
{
    struct replaced *replaced = context;
    const struct berth_structure *structure = &replaced->structure;
    const struct berth_polymers *polymers = &replaced->polymers;
    size_t seen = 0; /* molecules are numbered by their first residues */
    (void)error;
    for (size_t i = 0; !replaced->found && i < polymers->count; i++) {
        const size_t molecule = polymers->molecule[i];
        if (molecule <= seen) {
            continue;
        }
        seen = molecule;
        replaced->found = berth_polymers_ligand(polymers, structure, molecule) &&
                          berth_takes_place(polymers, structure, molecule, &pose->molecule);
        if (replaced->found) {
            berth_selector_of(&structure->atoms[polymers->residues[i].begin].residue,
                              replaced->ligand_id);
            replaced->pose = (unsigned long long)pose->record.number - 1;
        }
    }
    return BERTH_OK;
}

void berth_replaced_find(const char *receptor, const struct berth_run_poses *poses,
                         const atomic_bool *stop, const struct berth_log *log,
                         char ligand_id[BERTH_SELECTOR_TEXT])
{
    const enum berth_structure_format format = berth_structure_format_of(receptor);
    struct replaced replaced = {.ligand_id = ligand_id};
    const struct berth_pose_visitor visitor = {.visit = look,
                                               .context = &replaced,
                                               .stop = stop,
                                               .receptor = receptor,
                                               .enough = &replaced.found};
    struct berth_error unread;
    struct stat facts;
    size_t failed;
    ligand_id[0] = '\0';
    if (format != BERTH_STRUCTURE_UNKNOWN && !berth_is_receptor_file(receptor) &&
        stat(poses->path, &facts) == 0 && S_ISREG(facts.st_mode) &&
        !berth_structure_read(receptor, format, &replaced.structure, &unread) &&
        !berth_polymers_find(&replaced.structure, &replaced.polymers, &unread)) {
        berth_run_poses_each(poses, &visitor, &failed, &unread);
    }
    if (replaced.found) {
        berth_note(
            log,
            "%s is cut out of %s: pose %llu lies in its place (a receptor made by `berth prep "
            "receptor --keep` keeps it)",
            ligand_id, receptor, replaced.pose);
    }
    berth_polymers_clear(&replaced.polymers);
    berth_structure_clear(&replaced.structure);
}
