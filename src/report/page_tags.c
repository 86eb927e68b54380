/* The table of scores of poses without one: what the page needs of it, from their own tags. */
#include "eval/pose_records.h"
#include "report/page_internal.h"
#include "report/unpack.h"
#include "score/fields.h"

static const char *const COLUMNS[] = {BERTH_COLUMN_ORDINAL,  BERTH_COLUMN_MODE,
                                      BERTH_COLUMN_RANKING,  BERTH_COLUMN_SCORE,
                                      BERTH_COLUMN_ENERGY,   BERTH_COLUMN_HEAVY_ATOMS,
                                      BERTH_COLUMN_STATE_OF, BERTH_COLUMN_INPUT_SMILES};
enum { COLUMN_COUNT = sizeof COLUMNS / sizeof *COLUMNS };

struct tabulating {
    struct berth_output *output;
    bool begun, has[COLUMN_COUNT]; /* as the first pose has tags */
};

static bool has_tag(const struct berth_read_pose *pose, const char *name)
{
    return *berth_pose_tag(pose, name) != '\0';
}

static enum berth_status begin(struct tabulating *tabulating, const struct berth_read_pose *pose,
                               struct berth_error *error)
{
    tabulating->begun = true;
    berth_output_print(tabulating->output, "%s", BERTH_COLUMN_LIGAND);
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        tabulating->has[i] = has_tag(pose, COLUMNS[i]);
        if (tabulating->has[i]) {
            berth_output_print(tabulating->output, ",%s", COLUMNS[i]);
        }
    }
    berth_output_print(tabulating->output, "\n");
    return has_tag(pose, BERTH_COLUMN_SCORE) || has_tag(pose, BERTH_COLUMN_ENERGY)
               ? BERTH_OK
               : berth_fail(error, BERTH_E_USAGE, "it has no score");
}

static enum berth_status tabulate(void *context, const struct berth_read_pose *pose,
                                  struct berth_error *error)
{
    struct tabulating *tabulating = context;
    size_t left = 0;
    BERTH_TRY(tabulating->begun ? BERTH_OK : begin(tabulating, pose, error));
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        left += tabulating->has[i];
    }
    berth_output_csv(tabulating->output, pose->record.title ? pose->record.title : "",
                     left ? ',' : '\n');
    for (size_t i = 0; i < COLUMN_COUNT; i++) {
        if (tabulating->has[i]) {
            berth_output_csv(tabulating->output, berth_pose_tag(pose, COLUMNS[i]),
                             --left ? ',' : '\n');
        }
    }
    return berth_output_check(tabulating->output, error);
}

enum berth_status page_tags_tabulate(struct page *page, struct berth_error *error)
{
    struct tabulating tabulating = {.begun = false};
    const struct berth_pose_visitor visitor = {
        .visit = tabulate, .context = &tabulating, .stop = page->settings->stop};
    size_t failed;
    BERTH_TRY(berth_store_make_folder(page->unpacked, error));
    BERTH_TRY(
        berth_path_in(page->unpacked, "scores.csv", page->scores, sizeof page->scores, error));
    BERTH_TRY(berth_output_create(page->scores, &tabulating.output, error));
    const enum berth_status status = berth_pose_records_each(page->poses, &visitor, &failed, error);
    return berth_output_finish(tabulating.output, status, error);
}
