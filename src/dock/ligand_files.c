#include "dock/ligand_files.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { STEM = 128 }; /* of a name, which has its number and ending behind it */

enum berth_status berth_ligand_files_create(const char *folder, struct berth_ligand_files *files,
                                            struct berth_error *error)
{
    *files = (struct berth_ligand_files){.folder = folder};
    BERTH_TRY(berth_pose_format_of(".pdbqt", &files->format, error));
    return folder ? berth_folder_make(folder, error) : BERTH_OK;
}

/* What may be in a file's name: no folder, and not hidden. */
static void clean(const char *ligand, char stem[STEM])
{
    snprintf(stem, STEM, "%s", *ligand ? ligand : "ligand");
    for (char *at = stem; *at; at++) {
        const bool first = at == stem;
        if (!isalnum((unsigned char)*at) && (first || !strchr("._+-", *at))) {
            *at = '_';
        }
    }
}

enum berth_status berth_ligand_files_open(struct berth_ligand_files *files, const char *ligand,
                                          struct berth_output **output, struct berth_error *error)
{
    char stem[STEM], name[STEM + 32];
    bool met = true;
    clean(ligand, stem);
    for (unsigned long long number = 1; met; number++) {
        uint64_t kept = 0;
        snprintf(name, sizeof name, number > 1 ? "%s_%llu.pdbqt" : "%s.pdbqt", stem, number);
        BERTH_TRY(berth_text_set_add(&files->names, name, &kept, &met, error));
    }
    return berth_output_create_in(files->folder, name, output, error);
}

void berth_ligand_files_clear(struct berth_ligand_files *files)
{
    berth_text_set_clear(&files->names);
}
