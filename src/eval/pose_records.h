/* Poses one by one from SDF or Mol2, with what stands beside them: their tags and their own text.
 */
#ifndef BERTH_EVAL_POSE_RECORDS_H
#define BERTH_EVAL_POSE_RECORDS_H

#include "chem/molecule.h"
#include "format/failures.h"
#include "format/records.h"
#include "format/sdf/sdf.h"
#include "pose/complex.h"

/* A pose; its number in the file is the record's. */
struct berth_read_pose {
    struct berth_record record;     /* owned: text, title, line */
    struct berth_molecule molecule; /* owned */
    struct berth_sdf_tags tags;     /* owned; of a value of several lines the first */
};

/* Who is shown all poses of a file; borrowed. */
struct berth_pose_visitor {
    enum berth_status (*visit)(void *context, const struct berth_read_pose *pose,
                               struct berth_error *error);
    void *context;
    const atomic_bool *stop;     /* NULL, or: see berth_check_stop */
    const char *failures;        /* table of those that cannot be read or whose visit gives
                                    BERTH_E_FORMAT; NULL: none */
    const struct berth_log *log; /* or NULL: is told of them, too */
    const char *receptor; /* file: poses whose tag `receptor` names another are not shown, which is
                             said; NULL: all are */
    const bool *enough;   /* NULL, or: once it is true, no further pose is read */
};

/* Shows the visitor all poses of a file, which is read by its ending; *failed is how many failed.
 * Errors: those of reading, visiting and writing; BERTH_E_USAGE (neither SDF nor Mol2; the end);
 * BERTH_E_FORMAT where all of them failed. */
enum berth_status berth_pose_records_each(const char *path,
                                          const struct berth_pose_visitor *visitor, size_t *failed,
                                          struct berth_error *error);

/* Where poses come from, if not from a file. */
struct berth_pose_source {
    const char *name; /* for messages */
    /* The next one's record, which the caller clears (it is cleared before); *end: there is none.
     */
    enum berth_status (*next)(void *context, struct berth_record *record, bool *end,
                              struct berth_error *error);
    bool (*is_broken)(void *context); /* or NULL: whether no further one follows an error */
    void *context;
};

/* The same of these. */
enum berth_status berth_poses_each(const struct berth_pose_source *source,
                                   const struct berth_pose_visitor *visitor, size_t *failed,
                                   struct berth_error *error);

/* False where the pose's tag `receptor`, which runs to several have, names another than this file.
 */
bool berth_pose_is_in(const struct berth_read_pose *pose, const char *receptor);

/* The value of a tag; "" where there is none. */
const char *berth_pose_tag(const struct berth_read_pose *pose, const char *name);

/* Puts it into a complex of its receptor, with the side chains as its tag has them.  Errors: those
 * of berth_complex_put. */
enum berth_status berth_read_pose_put(const struct berth_read_pose *pose,
                                      struct berth_complex *complex, struct berth_error *error);

#endif
