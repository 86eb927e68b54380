/* Sites by a scan over a whole receptor. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "chem/pockets.h"
#include "format/output.h"
#include "prep/receptor/receptor_internal.h"

/* "SITE" of "SITE.brec". */
static int stem_length(const char *path)
{
    static const char ENDING[] = ".brec";
    const size_t length = strlen(path), size = sizeof ENDING - 1;
    return (int)(length > size && strcmp(path + length - size, ENDING) == 0 ? length - size
                                                                            : length);
}

void berth_receptor_scan_path(const char *out, size_t site, char *path)
{
    const int stem = stem_length(out);
    if (site) {
        snprintf(path, PATH_MAX, "%.*s_%zu.brec", stem, out, site);
    } else {
        snprintf(path, PATH_MAX, "%.*s_sites.csv", stem, out);
    }
}

static enum berth_status write_table(const char *out, const struct berth_pocket *pockets,
                                     size_t count, struct berth_error *error)
{
    char path[PATH_MAX], file[PATH_MAX];
    struct berth_output *output;
    berth_receptor_scan_path(out, 0, path);
    enum berth_status status = berth_output_create(path, &output, error);
    if (status) {
        return status;
    }
    berth_output_print(output, "site,file,center_x,center_y,center_z,size_x,size_y,size_z,volume,"
                               "burial,score\n");
    for (size_t i = 0; i < count; i++) {
        const struct berth_pocket *pocket = &pockets[i];
        berth_receptor_scan_path(out, i + 1, file);
        berth_output_print(output, "%zu,", i + 1);
        berth_output_csv(output, file, ',');
        for (int k = 0; k < 6; k++) {
            berth_output_print(output, k < 3 ? "%.3f," : "%.2f,",
                               k < 3 ? pocket->center[k] : pocket->size[k - 3]);
        }
        berth_output_print(output, "%.0f,%.2f,%.1f\n", pocket->volume, pocket->burial,
                           pocket->score);
    }
    return berth_output_commit(output, error);
}

enum berth_status berth_receptor_scan(const struct berth_receptor_work *work, const char *out,
                                      struct berth_error *error)
{
    struct berth_receptor *receptor = &work->prepared->receptor;
    const size_t most = work->settings->sites;
    size_t found = 0;
    struct berth_pocket *pockets = berth_alloc(most, sizeof *pockets);
    enum berth_status status =
        pockets ? berth_pockets_find(&receptor->molecule, most, pockets, &found, error)
                : berth_fail(error, BERTH_E_MEMORY, "out of memory for %zu sites", most);
    if (!status && !found) {
        status = berth_fail(error, BERTH_E_FORMAT,
                            "%s: no pocket was found; give a site (centre and size)",
                            work->settings->path);
    }
    for (size_t i = 0; !status && i < found; i++) {
        char path[PATH_MAX];
        berth_receptor_scan_path(out, i + 1, path);
        receptor->has_site = true;
        memcpy(receptor->center, pockets[i].center, sizeof receptor->center);
        memcpy(receptor->size, pockets[i].size, sizeof receptor->size);
        status = berth_receptor_write(path, receptor, error);
        if (!status) {
            berth_note(work->log, "%s: site %zu (%.3f, %.3f, %.3f), %.0f \xc3\x85^3, score %.1f",
                       path, i + 1, pockets[i].center[0], pockets[i].center[1],
                       pockets[i].center[2], pockets[i].volume, pockets[i].score);
        }
    }
    BERTH_THEN(write_table(out, pockets, found, error));
    free(pockets);
    return status;
}
