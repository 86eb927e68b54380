/* libFuzzer: the reader of mmCIF files over any bytes, and what prep does with what it accepts. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "format/mol2/mol2.h"
#include "format/pdb/pdb.h"
#include "format/receptor_file.h"
#include "prep/receptor/prepare_structure.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void demand(int condition)
{
    if (!condition) {
        abort();
    }
}

static void check(const struct berth_structure *structure)
{
    demand(structure->count > 0 && structure->models > 0);
    for (size_t i = 0; i < structure->count; i++) {
        const struct berth_structure_atom *atom = &structure->atoms[i];
        for (int k = 0; k < 3; k++) {
            demand(fabs(atom->position[k]) <= BERTH_COORDINATE_MAX);
        }
        demand(memchr(atom->name, 0, BERTH_LABEL_SIZE) &&
               memchr(atom->residue.name, 0, BERTH_LABEL_SIZE) &&
               memchr(atom->residue.chain, 0, BERTH_LABEL_SIZE));
    }
}

/* Everything but Open Babel and the files. */
static void prepare(struct berth_structure *structure)
{
    struct berth_receptor_typing typing;
    struct berth_receptor receptor;
    size_t residues;
    demand(!berth_alternates_resolve(structure, &residues, NULL));
    check(structure);
    berth_receptor_type(structure, &typing);
    demand(!berth_receptor_check(structure, NULL, NULL, NULL));
    structure->title = calloc(1, 1);
    demand(!berth_receptor_from_structure(structure, &receptor, NULL));
    demand(receptor.molecule.atom_count <= structure->count);
    berth_receptor_clear(&receptor);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct berth_text_reader *text;
    struct berth_structure structure = {0};
    struct berth_error error;
    if (berth_text_reader_create_memory("fuzz", bytes, size, &text, &error)) {
        return 0;
    }
    enum berth_status status = berth_mmcif_read(text, &structure, &error);
    if (status) {
        demand(status == BERTH_E_FORMAT && error.status == status);
    } else {
        check(&structure);
        prepare(&structure);
    }
    berth_structure_clear(&structure);
    berth_text_reader_destroy(text);
    return 0;
}
